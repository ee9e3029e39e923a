"""A process that unpacks what somebody hands in and recognises it, so that no bomb harms anybody else.

    python -m polyversi.site.unpacking < task.json
"""

from __future__ import annotations

import hashlib
import os
import resource
import subprocess
import sys
from pathlib import Path

import msgspec

from polyversi.games.errors import PolyversiError
from polyversi.site.archives import ArchiveError, Bounds, NoRoomError, place, root_of
from polyversi.site.languages import recognise

MEMORY = 1 << 30
"""Bytes that it may have to write to."""
SECONDS = 30
"""Of processor time."""
UNPACK_TIMEOUT = 300.0
"""Seconds after which it is ended, however busy the machine is."""
TOO_MUCH = "this cannot be looked at within 30 seconds and 1 GiB of memory; hand in something smaller"


class Task(msgspec.Struct, frozen=True):
    """What was handed in, under which name, and where it is unpacked."""

    source: str
    name: str
    folder: str
    """An empty one."""
    arguments: str
    """Of an XT client; empty for other bots."""
    languages: tuple[str, ...]
    bounds: Bounds


class Unpacked(msgspec.Struct, frozen=True):
    """What came of it."""

    root: str = ""
    """The folder in which its files are."""
    size: int = 0
    digest: str = ""
    language: str = ""
    command: str = ""
    problem: str = ""
    """Why it is not taken."""
    has_no_room: bool = False
    """Whether that is the disk's fault."""


def unpack(task: Task) -> Unpacked:
    """Has it unpacked and recognised by a process of its own; an ArchiveError says why it is not taken."""
    try:
        done = subprocess.run([sys.executable, "-m", "polyversi.site.unpacking"], timeout=UNPACK_TIMEOUT,
                              input=msgspec.json.encode(task), capture_output=True, check=False)
    except subprocess.TimeoutExpired:
        raise ArchiveError(TOO_MUCH) from None
    if done.returncode:
        raise ArchiveError(TOO_MUCH)
    unpacked = msgspec.json.decode(done.stdout, type=Unpacked)
    if unpacked.problem:
        raise (NoRoomError if unpacked.has_no_room else ArchiveError)(unpacked.problem)
    return unpacked


def digest_of(folder: Path) -> str:
    """What tells the files of a folder from others: a hash of their names and contents."""
    whole = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            with path.open("rb") as file:
                content = hashlib.file_digest(file, "sha256").hexdigest()
            whole.update(f"{path.relative_to(folder)}\0{content}\n".encode())
    return whole.hexdigest()


def main() -> None:
    """Does the task on standard input, after whatever else this machine has to do."""
    os.nice(10)
    task = msgspec.json.decode(sys.stdin.buffer.read(), type=Task)
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    try:
        size = place(Path(task.source), task.name, Path(task.folder), task.bounds)
        root = root_of(Path(task.folder))
        found = recognise(root, task.arguments, task.languages)
        done = Unpacked(str(root), size, digest_of(root), found.language, found.command)
    except PolyversiError as error:
        done = Unpacked(problem=str(error), has_no_room=isinstance(error, NoRoomError))
    sys.stdout.buffer.write(msgspec.json.encode(done))


if __name__ == "__main__":
    main()
