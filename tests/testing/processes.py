"""Watching what a bot leaves behind: processes, zombies and open files."""

from __future__ import annotations

import asyncio
import gc
import os
import shutil
import sys
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, TypeVar

from polyversi.gameplay.bots import Command
from tests.testing.timeout import TIMEOUT
from tests.testing.waiting import until

T = TypeVar("T")
ZOO = Path(__file__).with_name("misbehaving_bot.py")


def zoo(folder: Path, flag: str, **limits: Any) -> Command:
    """A bot of the zoo; the folder, where its files may go, is also what its processes are found by."""
    copy = folder / "zoo.py"
    if not copy.exists():
        shutil.copy(ZOO, copy)
    return Command((sys.executable, str(copy), flag), folder, **limits)


def run(work: Coroutine[Any, Any, T]) -> T:
    """The outcome of some work that must not hang."""
    async def within() -> T:
        return await asyncio.wait_for(work, TIMEOUT)

    return asyncio.run(within())


def processes(word: str) -> list[int]:
    """The living processes that have a word in their command line."""
    found = []
    for entry in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if word.encode() in entry.read_bytes() and entry.parent.name != str(os.getpid()):
                found.append(int(entry.parent.name))
        except OSError:
            continue    # it has just ended
    return found


def wait_until_gone(word: str) -> None:
    """Fails if processes with a word in their command line do not end."""
    until(lambda: not processes(word), lambda: processes(word))


def zombies() -> list[int]:
    """The children of this process that have ended and that nobody has reaped."""
    found = []
    for entry in Path("/proc").glob("[0-9]*/stat"):
        try:
            text = entry.read_text()
        except OSError:
            continue
        state, parent = text.rpartition(")")[2].split()[:2]
        if state == "Z" and parent == str(os.getpid()):
            found.append(int(entry.parent.name))
    return found


def open_files() -> set[tuple[str, str]]:
    """The open files of this process by number and name, without those that earlier tests have forgotten."""
    gc.collect()
    found = set()
    for entry in Path("/proc/self/fd").iterdir():
        with suppress(OSError):    # the one that lists them
            found.add((entry.name, str(entry.readlink())))
    return found


@contextmanager
def nothing_left(folder: Path) -> Iterator[None]:
    """Asserts that what is done inside leaves no process, no zombie and no open file."""
    files = open_files()
    yield
    wait_until_gone(str(folder))
    assert zombies() == []
    assert open_files() <= files

