"""Worker processes that make what takes long to make, such as pictures and reports, so that no game waits."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess

from polyversi.server.turns import Turns

Work = Callable[[], bytes]
"""What a worker is given: it can be sent to another process."""


class Workshop:
    """A few processes at which visitors take turns; what is called off is not finished.

    Work that takes long leaves one of several processes to the rest.
    """

    def __init__(self, workers: int) -> None:
        self._turns = Turns(workers, per_visitor=1)
        self._idle: list[_Worker] = []
        self._workers: set[_Worker] = set()

    @property
    def processes(self) -> list[int]:
        """The numbers of the processes, busy or not."""
        return [worker.pid for worker in self._workers if worker.pid is not None]

    async def make(self, work: Work, visitor: str, seconds: float) -> bytes:
        """What some work makes, which takes about so many seconds."""
        release = await self._turns.take(visitor, seconds)
        try:
            try:
                return await self._make(work)
            except (EOFError, OSError):    # somebody ended the process: another one does it
                return await self._make(work)
        finally:
            release()

    async def _make(self, work: Work) -> bytes:
        worker = self._idle.pop() if self._idle else _Worker()
        self._workers.add(worker)
        is_done = False
        try:
            made = await asyncio.to_thread(worker.make, work)
            is_done = True
        finally:
            if is_done:
                self._idle.append(worker)
            else:
                worker.kill()
                self._workers.discard(worker)
        if isinstance(made, Exception):
            raise made
        return made

    def close(self) -> None:
        """Ends the processes."""
        for worker in list(self._workers):
            worker.kill()


class _Worker:
    """A process that makes one thing after the other, started with the first."""

    def __init__(self) -> None:
        self._process: BaseProcess | None = None
        self._pipe: Connection | None = None
        self._is_killed = False
        self._starting = threading.Lock()

    @property
    def pid(self) -> int | None:
        """The number of its process, once it has one."""
        return self._process.pid if self._process is not None else None

    def make(self, work: Work) -> bytes | Exception:
        """What some work makes, or what was wrong with it; waits for it, and so is for a thread."""
        with self._starting:
            if self._is_killed:
                raise EOFError
            if self._pipe is None:
                spawning = multiprocessing.get_context("spawn")
                self._pipe, theirs = spawning.Pipe()
                self._process = spawning.Process(target=serve, args=[theirs], daemon=True)
                self._process.start()
                theirs.close()
        self._pipe.send(work)
        made: bytes | Exception = self._pipe.recv()
        return made

    def kill(self) -> None:
        """Ends it whatever it does."""
        with self._starting:
            self._is_killed = True
            if self._process is not None:
                self._process.kill()
                self._process.join()


def serve(pipe: Connection) -> None:
    """In the worker: it ends with its parent process, however that ends, and leaves Ctrl-C to it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)

    def end_with_parent() -> None:
        if (parent := multiprocessing.parent_process()) is not None:
            parent.join()
            os._exit(0)

    threading.Thread(target=end_with_parent, daemon=True).start()
    with suppress(EOFError, OSError):    # the other end is gone, and nobody waits
        while True:
            pipe.send(_made(pipe.recv()))


def _made(work: Work) -> bytes | Exception:
    """What was made, or what was wrong with it."""
    try:
        return work()
    except Exception as error:
        return error
