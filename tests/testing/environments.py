"""Virtual environments for course agents, made without a network."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np

from tests.testing.timeout import TIMEOUT


def new_environment(folder: Path, *, has_numpy: bool = True, copies: bool = False) -> Path:
    """The interpreter of a new virtual environment with a package `only_there`, and with our numpy."""
    command = [sys.executable, "-m", "venv", "--without-pip", *(["--copies"] if copies else []), str(folder)]
    subprocess.run(command, check=True, timeout=TIMEOUT)
    packages, = folder.glob("lib/python3*/site-packages")
    (packages / "only_there").mkdir()
    (packages / "only_there" / "__init__.py").write_text("def first(moves): return moves[0]\n")
    if has_numpy:
        for path in Path(np.__file__).parents[1].glob("numpy*"):
            (packages / path.name).symlink_to(path)
    return folder / "bin" / "python"
