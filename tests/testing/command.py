"""Command lines of `polyversi` run to their end, quickly: in processes forked from one that has imported it.

Each is a process of its own with its own files and status; only the half second of imports is saved. Programs
that are talked to while they run are in `tests.testing.terminal`.
"""

from __future__ import annotations

import multiprocessing
import os
import sys
import tempfile
from multiprocessing.context import ForkServerContext
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

from tests.testing.timeout import TIMEOUT

IMPORTED = ("polyversi.cli.main", "polyversi.contest.match", "polyversi.engines", "rich.live", "numpy")
FORKING: ForkServerContext = multiprocessing.get_context("forkserver")
FORKING.set_forkserver_preload([__name__, *IMPORTED])


def polyversi(*arguments: str, typed: str = "", **environment: str) -> CompletedProcess[str]:
    """Runs a command line without any terminal, with these lines on standard input."""
    with tempfile.TemporaryDirectory() as folder:
        streams = [Path(folder) / name for name in ("stdin", "stdout", "stderr")]
        streams[0].write_text(typed)
        settings = {**os.environ, "COLUMNS": "100", **environment}
        work = arguments, [str(path) for path in streams], Path.cwd(), settings
        process = FORKING.Process(target=run, args=work)
        process.start()
        process.join(TIMEOUT)
        if process.exitcode is None:
            process.kill()
            raise AssertionError(f"polyversi {' '.join(arguments)} has hung")
        out, err = (path.read_text() for path in streams[1:])
        return CompletedProcess(["polyversi", *arguments], process.exitcode, out, err)


def run(arguments: tuple[str, ...], streams: list[str], folder: Path, environment: dict[str, str]) -> None:
    """The command line, in the forked process."""
    from polyversi.cli.main import main

    for descriptor, (path, flags) in enumerate(zip(
        streams, (os.O_RDONLY, os.O_WRONLY | os.O_CREAT, os.O_WRONLY | os.O_CREAT), strict=True
    )):
        os.dup2(os.open(path, flags), descriptor)
    sys.stdin, sys.stdout, sys.stderr = (opened(number) for number in range(3))
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    sys.argv = ["polyversi", *arguments]
    main()


def opened(descriptor: int) -> Any:
    """A standard stream over its descriptor, as Python opens it."""
    return open(descriptor, "w" if descriptor else "r", closefd=False)
