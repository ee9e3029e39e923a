"""A program in a terminal of its own, for tests that type and look: the standard library's pty, no sleeps."""

from __future__ import annotations

import contextlib
import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import termios
import time
from types import TracebackType
from typing import Any

from tests.testing.command import Forked
from tests.testing.command import polyversi as polyversi
from tests.testing.timeout import TIMEOUT

UNWANTED = ("NO_COLOR", "FORCE_COLOR", "COLUMNS", "LINES", "TTY_COMPATIBLE")
"""Environment variables that would override the terminal."""
ESCAPES = re.compile(r"\x1b(\[[0-9;?]*[ -/]*[@-~]|[@-Z\\-_])")


class PseudoTerminal:
    """Runs a command line of `polyversi` in a terminal of the given size."""

    def __init__(self, *arguments: str, width: int = 80, height: int = 24, **environment: str) -> None:
        self._master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", height, width, 0, 0))
        self.first_settings = self.settings
        """How the terminal treated what is typed before the program began."""
        kept = {name: text for name, text in os.environ.items() if name not in UNWANTED}
        kept |= {"TERM": "xterm-256color", "COLORTERM": "truecolor", **environment}
        self.process = Forked(
            *arguments, stdin=slave, stdout=slave, stderr=slave, environment=kept, terminal=True)
        os.close(slave)    # what is left of it is the program's: it ends with the last of its processes
        self.raw = ""
        """Everything written so far, with its escape sequences."""
        self._seen = 0

    def __enter__(self) -> PseudoTerminal:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.process.close()
        os.close(self._master)

    @property
    def settings(self) -> list[Any]:
        """How the terminal treats what is typed."""
        return termios.tcgetattr(self._master)

    def type(self, text: str) -> None:
        """Presses keys."""
        os.write(self._master, text.encode())

    def expect(self, text: str) -> str:
        """Reads on until the text has been written, and gives what came up to its end, without escapes."""
        return self.expect_pattern(re.escape(text))

    def expect_pattern(self, pattern: str) -> str:
        """Reads on until something is written that the pattern finds."""
        end = time.monotonic() + TIMEOUT
        while True:
            fresh = ESCAPES.sub("", self.raw)[self._seen :]
            if found := re.search(pattern, fresh):
                self._seen += found.end()
                return fresh[: found.end()]
            if not self._read(end):
                raise AssertionError(f"{pattern} did not come; this did:\n{fresh[-5000:]}")

    def finish(self) -> int:
        """Waits for the end of the program and of every process it started; its status."""
        end = time.monotonic() + TIMEOUT
        while self._read(end):
            pass
        return self.process.wait(max(0.0, end - time.monotonic()))

    def _read(self, end: float) -> bool:
        """Takes in what has been written; False when no process has the terminal open any more."""
        readable, _, _ = select.select([self._master], [], [], max(0.0, end - time.monotonic()))
        assert readable, f"nothing happened; all there was:\n{self.raw[-5000:]}"
        with contextlib.suppress(OSError):
            self.raw += os.read(self._master, 65536).decode(errors="replace")
            return True
        return False


class Running:
    """A command line that runs without a terminal, to be typed at and listened to."""

    def __init__(self, *arguments: str) -> None:
        self.process = Forked(
            *arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        self.output = ""
        self._seen = 0

    def expect(self, pattern: str) -> re.Match[str]:
        """Reads on until the pattern has come, after what was expected before."""
        end = time.monotonic() + TIMEOUT
        while True:
            if match := re.compile(pattern).search(self.output, self._seen):
                self._seen = match.end()
                return match
            if not self._read(end):
                raise AssertionError(f"{pattern!r} did not come; this did:\n{self.output}")

    def type(self, *lines: str) -> None:
        assert self.process.stdin is not None
        for line in lines:
            self.process.stdin.write(line.encode() + b"\n")
        self.process.stdin.flush()

    def type_no_more(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.stdin = None

    def end(self) -> int:
        """Waits for the end by itself; the status."""
        end = time.monotonic() + TIMEOUT
        while self._read(end):
            pass
        return self.process.wait(max(0.1, end - time.monotonic()))

    def _read(self, end: float) -> bool:
        assert self.process.stdout is not None
        descriptor = self.process.stdout.fileno()
        if select.select([descriptor], [], [], max(0.0, end - time.monotonic()))[0]:
            data = os.read(descriptor, 65536)
            self.output += data.decode(errors="replace")
            return bool(data)
        return False

    def stop(self) -> None:
        self.process.close()
