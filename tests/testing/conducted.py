"""A conductor's process in tests."""

from __future__ import annotations

import socket
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from types import TracebackType

from tests.testing.processes import processes
from tests.testing.timeout import TIMEOUT
from tests.testing.waiting import until


class Conducted:
    """`python -m polyversi.site.conductor` for a site's file, which can be killed and begun again."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Begins to conduct."""
        self._process = subprocess.Popen(
            [sys.executable, "-m", "polyversi.site.conductor", str(self._path)],
            stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)

    def kill(self) -> None:
        """Kills it with SIGKILL."""
        assert self._process is not None
        self._process.kill()
        self._process.wait(TIMEOUT)
        self._close()

    def stop(self) -> int:
        """Ends it as a server does that ends; its exit status."""
        assert self._process is not None
        self._close()
        return self._process.wait(TIMEOUT)

    def _close(self) -> None:
        assert self._process is not None
        assert self._process.stdin is not None
        self._process.stdin.close()

    def workers(self) -> list[int]:
        """The processes that play games."""
        assert self._process is not None
        return [pid for pid in processes("multiprocessing.spawn") if _parent(pid) == self._process.pid]

    def __enter__(self) -> Conducted:
        self.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> None:
        self.stop()


def _parent(pid: int) -> int:
    try:
        return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
    except OSError:    # it has just ended
        return 0


def connected(port: int) -> socket.socket:
    """A connection to a conductor's gate, which may have to open first."""
    def attempt() -> socket.socket | None:
        with suppress(ConnectionRefusedError):
            return socket.create_connection(("127.0.0.1", port), TIMEOUT)
        return None

    return until(attempt)
