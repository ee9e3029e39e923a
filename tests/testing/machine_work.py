"""What workers of a machine do in tests; other processes import it."""

from __future__ import annotations

import os
import signal
from pathlib import Path


def number() -> int:
    """The number of the process."""
    return os.getpid()


def die_once(mark: Path) -> str:
    """Kills its own process, but not a second time."""
    if not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return "done"


def die() -> None:
    """Kills its own process."""
    os.kill(os.getpid(), signal.SIGKILL)


def wait_for(pipe: Path) -> str:
    """Waits until somebody writes to a named pipe."""
    return pipe.read_text()


def processors() -> set[int]:
    """The processors that it may use."""
    return os.sched_getaffinity(0)
