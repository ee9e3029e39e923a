"""Command lines of `polyversi`, quickly: in processes forked from one that has imported it.

Each is a process of its own with its own streams, environment and status; only the imports are saved.
"""

from __future__ import annotations

import atexit
import fcntl
import multiprocessing
import os
import signal
import subprocess
import sys
import tempfile
import termios
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from multiprocessing.context import ForkServerContext
from multiprocessing.reduction import DupFd
from pathlib import Path
from subprocess import CompletedProcess
from threading import Timer
from typing import IO, Any

from polyversi.cli.main import COMMANDS, main
from tests.testing.timeout import TIMEOUT

IMPORTED = (
    *(f"polyversi.cli.commands.{name.replace('-', '_')}" for name in COMMANDS),
    "polyversi.contest.export", "polyversi.contest.report.page", "polyversi.games.mapkinds",
    "polyversi.server.app", "polyversi.server.live", "polyversi.stats.ratings",
    # What these and their libraries load only when it is needed.
    "jinja2", "numpy", "pydantic.type_adapter", "rich.live", "rich.markdown", "rich.progress",
    "typer.rich_utils", "uvicorn",
)
FORKING: ForkServerContext = multiprocessing.get_context("forkserver")
FORKING.set_forkserver_preload([__name__, *IMPORTED])


class Descriptor:
    """An open file that is handed to a forked process."""

    def __init__(self, number: int) -> None:
        self.number = number

    def __reduce__(self) -> tuple[Any, ...]:
        return received, (DupFd(self.number),)


def received(handed: Any) -> Descriptor:
    """The same file in the forked process."""
    return Descriptor(handed.detach())


class Forked:
    """A command line of `polyversi` that runs: what is used of `subprocess.Popen`, with pipes of bytes.

    A stream is an open descriptor or file, `subprocess.PIPE` or `DEVNULL`; standard error may be `STDOUT`.
    In a `terminal`, which its streams are, it leads a session of its own.
    """

    def __init__(
        self, *arguments: str, stdin: int | IO[Any], stdout: int | IO[Any], stderr: int | IO[Any],
        environment: dict[str, str] | None = None, terminal: bool = False,
    ) -> None:
        self.stdin: IO[bytes] | None = None
        self.stdout: IO[bytes] | None = None
        self.stderr: IO[bytes] | None = None
        theirs: list[int] = []
        ours: list[int] = []    # descriptors that only the process needs
        for name, stream in (("stdin", stdin), ("stdout", stdout), ("stderr", stderr)):
            if stream == subprocess.PIPE:
                reading, writing = os.pipe()
                given, kept = (reading, writing) if name == "stdin" else (writing, reading)
                setattr(self, name, os.fdopen(kept, "wb" if name == "stdin" else "rb"))
                ours.append(given)
                theirs.append(given)
            elif stream == subprocess.DEVNULL:
                ours.append(os.open(os.devnull, os.O_RDWR))
                theirs.append(ours[-1])
            elif stream == subprocess.STDOUT:
                theirs.append(theirs[1])
            else:
                theirs.append(stream if isinstance(stream, int) else stream.fileno())
        settings = dict(os.environ) if environment is None else environment
        work = arguments, [Descriptor(number) for number in theirs], Path.cwd(), settings, terminal
        self._process = FORKING.Process(target=run, args=work)
        self._process.start()
        self._status: int | None = None
        for number in ours:
            os.close(number)
        assert self._process.pid is not None
        self.pid = self._process.pid

    @property
    def returncode(self) -> int | None:
        """The status, or None while it runs."""
        return self.poll()

    def poll(self) -> int | None:
        """The status, or None while it runs."""
        if self._status is None and (status := self._process.exitcode) is not None:
            self._status = status
            self._process.close()    # now and not some time later: tests count the open files
        return self._status

    def wait(self, timeout: float | None = None) -> int:
        """Waits for the end; the status."""
        if self._status is None:
            self._process.join(timeout)
        status = self.poll()
        if status is None:
            raise AssertionError("polyversi has hung")
        return status

    def send_signal(self, number: int) -> None:
        """Sends a signal, unless it has ended."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        """Ends it as a power cut would."""
        self.send_signal(signal.SIGKILL)

    def communicate(self, typed: bytes = b"") -> tuple[bytes, bytes]:
        """Types this and closes the input, reads both outputs up to their ends, and waits for the end."""
        def write() -> None:
            if self.stdin is not None and not self.stdin.closed:
                with suppress(BrokenPipeError), self.stdin as stdin:
                    stdin.write(typed)

        def read(stream: IO[bytes] | None) -> bytes:
            if stream is None or stream.closed:
                return b""
            with stream:
                return stream.read()

        deadline = Timer(TIMEOUT, self.kill)
        deadline.start()
        with ThreadPoolExecutor(2) as pool:
            writing, errors = pool.submit(write), pool.submit(read, self.stderr)
            output = read(self.stdout)
            writing.result()
            self.wait()
        deadline.cancel()
        return output, errors.result()

    def close(self) -> None:
        """Closes the pipes, and kills it if it still runs."""
        self.kill()
        self.wait()
        for stream in (self.stdin, self.stdout, self.stderr):
            if stream is not None and not stream.closed:
                with suppress(BrokenPipeError):    # of what was typed and never read
                    stream.close()


@contextmanager
def forked(*arguments: str) -> Iterator[Forked]:
    """A command line that runs without any input, with pipes for both outputs."""
    pipe = subprocess.PIPE
    process = Forked(*arguments, stdin=subprocess.DEVNULL, stdout=pipe, stderr=pipe)
    try:
        yield process
    finally:
        process.close()


def polyversi(*arguments: str, typed: str = "", **environment: str) -> CompletedProcess[str]:
    """Runs a command line to its end without any terminal, with these lines on standard input."""
    with tempfile.TemporaryFile() as stdin:
        stdin.write(typed.encode())
        stdin.seek(0)
        return run_to_end(*arguments, stdin=stdin, **environment)


def run_to_end(*arguments: str, stdin: int | IO[Any], **environment: str) -> CompletedProcess[str]:
    """Runs a command line to its end without any terminal, with this on standard input."""
    settings = {**os.environ, "COLUMNS": "100", **environment}
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as err:
        process = Forked(*arguments, stdin=stdin, stdout=out, stderr=err, environment=settings)
        try:
            status = process.wait(TIMEOUT)
        finally:
            process.close()
        for stream in (out, err):
            stream.seek(0)
        return CompletedProcess(["polyversi", *arguments], status, out.read(), err.read())


def run(
    arguments: tuple[str, ...], streams: list[Descriptor], folder: Path, environment: dict[str, str],
    terminal: bool,
) -> None:
    """The command line, in the forked process."""
    for number, stream in enumerate(streams):
        os.dup2(stream.number, number)
    for number in {stream.number for stream in streams} - {0, 1, 2}:
        os.close(number)
    if terminal:
        os.setsid()
        fcntl.ioctl(0, termios.TIOCSCTTY, 0)    # so that Ctrl-C is a signal
    signal.signal(signal.SIGINT, signal.default_int_handler)    # background jobs ignore it
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    sys.stdin, sys.stdout, sys.stderr = (opened(number) for number in range(3))
    sys.argv = ["polyversi", *arguments]
    try:
        main()
    finally:
        atexit._run_exitfuncs()    # which multiprocessing leaves out


def opened(descriptor: int) -> Any:
    """A standard stream over its descriptor, as Python opens it."""
    by_lines = descriptor == 2 or "PYTHONUNBUFFERED" in os.environ
    mode, buffering = ("w", 1 if by_lines else -1) if descriptor else ("r", -1)
    return open(descriptor, mode, buffering, closefd=False)
