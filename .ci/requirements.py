"""Prints what a development environment needs: for the build, the package and the extras that are named.

    python .ci/requirements.py arena,dev > requirements.txt
"""

from __future__ import annotations

import sys
import tomllib
from pathlib import Path


def main(extras: str) -> None:
    """Prints one requirement a line."""
    settings = tomllib.loads(Path(__file__).parents[1].joinpath("pyproject.toml").read_text())
    project = settings["project"]
    needed = [*settings["build-system"]["requires"], "ninja", *project["dependencies"]]
    for extra in extras.split(","):
        needed += project["optional-dependencies"][extra]
    print(*sorted(set(needed)), sep="\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
