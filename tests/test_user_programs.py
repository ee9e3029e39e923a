"""Programs as users write them run, and mypy --strict has nothing to say about them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).parent / "user_programs"
PROGRAMS = sorted(FOLDER.glob("*.py"))


def run(*words: str, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, *words], cwd=folder, capture_output=True, text=True, check=False)


@pytest.mark.slow
@pytest.mark.parametrize("program", PROGRAMS, ids=[program.stem for program in PROGRAMS])
def test_the_program_runs(program: Path, tmp_path: Path) -> None:
    done = run(str(program), folder=tmp_path)
    assert done.returncode == 0, done.stderr


@pytest.mark.slow
def test_strict_types_need_no_help(tmp_path: Path) -> None:
    """From outside of the repository, so that its own settings do not count."""
    done = run("-m", "mypy", "--strict", "--cache-dir", "cache", *map(str, PROGRAMS), folder=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("program", PROGRAMS, ids=[program.stem for program in PROGRAMS])
def test_no_cast_and_no_ignore(program: Path) -> None:
    text = program.read_text()
    assert not [word for word in ("cast(", "type: ignore", "Any") if word in text]
