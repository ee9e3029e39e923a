"""What the development environment is made of: written down, to be had from the usual index, and bounded."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]
EXTRAS = re.search(r"^EXTRAS := (.+)$", (ROOT / "Makefile").read_text(), re.MULTILINE)
INTERNALS = {"typer": "typer.core", "uvicorn": "uvicorn.protocols"}
"""Packages of which we use more than they promise to keep, and where."""


def needed() -> list[Requirement]:
    """What `make setup` installs."""
    assert EXTRAS is not None
    command = [sys.executable, str(ROOT / ".ci" / "requirements.py"), EXTRAS[1]]
    lines = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    return [Requirement(line) for line in lines]


def test_the_lock_has_plain_versions_of_all_that_is_needed() -> None:
    lines = (ROOT / "requirements-dev.lock").read_text().splitlines()
    pairs = [re.fullmatch(r"([A-Za-z0-9._-]+)==([0-9][0-9a-z.+]*)", line) for line in lines]
    assert all(pairs), "no addresses, no options, no files of this machine"
    locked = {canonicalize_name(pair[1]): pair[2] for pair in pairs if pair}
    for requirement in needed():
        version = locked.get(canonicalize_name(requirement.name))
        assert version is not None, f"{requirement} is not in the lock; run `make lock`"
        assert requirement.specifier.contains(version), f"{requirement} is not met by {version}"


@pytest.mark.parametrize("name", INTERNALS)
def test_what_we_know_too_well_has_an_upper_bound(name: str) -> None:
    used = any(INTERNALS[name] in path.read_text() for path in (ROOT / "src").glob("**/*.py"))
    assert used, f"{INTERNALS[name]} is no longer used: {name} needs no upper bound"
    bounds = [requirement.specifier for requirement in needed() if requirement.name == name]
    assert any(one.operator == "<" for bound in bounds for one in bound)
