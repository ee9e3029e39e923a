"""The engine workers: processes that think at low priority, replaced when they die.

Processes and not threads: only a process has a priority of its own, so that games are played on time, and a
crash of the core ends one slice of one look instead of the server. docs/benchmarks.md has the measurement.
"""

from __future__ import annotations

import asyncio
import sys
from asyncio.subprocess import PIPE, Process
from collections import deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from typing import Protocol

import msgspec

from polyversi.games.errors import PolyversiError
from polyversi.server.analysis.queue import Slices
from polyversi.server.analysis.tasks import NO_TASK, F, Task, TaskAnswer, TaskRequest, request_of
from polyversi.server.turns import Release

NICE = 10
"""How much the workers step back: a game that is played gets nine of ten seconds that both want."""
MAX_LINE = 1 << 24
"""Bytes of one answer."""
RESPONSE_TIMEOUT = 120.0
"""Seconds that a worker may take to start, or beyond what it was given, before it is ended: it hangs. They
are many since a machine that is busy with other things leaves little to whoever steps back."""
ATTEMPTS = 2
"""Workers that may die of one task."""
PREEMPTED_AFTER = 0.1
"""Seconds after which a slice may be ended for somebody who is new."""
REMEMBERED = 4
"""Tasks after which a worker may have forgotten what it thought about."""


class WorkerLostError(Exception):
    """A worker has died, whatever the reason."""


class AnyWorker(Protocol):
    """Somebody who does one task after another."""

    @property
    def pid(self) -> int:
        """The number of its process, or 0 if it has none here."""

    @property
    def is_gone(self) -> bool:
        """Whether it does nothing any more."""

    async def start(self) -> None:
        """Gets ready."""

    async def run(self, task: Task[F], tell: Callable[[F], None], seconds: float | None) -> TaskAnswer:
        """Has a task done; a WorkerLostError if it dies on the way."""

    async def settled(self) -> bool:
        """Waits until it has ended what it was doing; whether it can go on."""

    def stop(self) -> None:
        """Has it end what it is doing soon, if it can."""

    async def close(self) -> None:
        """Ends it."""


class Worker:
    """A process that does one task after another."""

    def __init__(self, nice: int = NICE) -> None:
        self._nice = nice
        self._process: Process | None = None
        self._reading: asyncio.Task[None] | None = None
        self._number = 0
        self._take: Callable[[object], None] = lambda _: None
        self._end: asyncio.Future[TaskAnswer] | None = None
        self._starting = asyncio.Lock()
        self._ready = asyncio.Event()    # or gone

    @property
    def is_gone(self) -> bool:
        """Whether its process has ended."""
        return self._reading is not None and self._reading.done()

    @property
    def pid(self) -> int:
        """The number of its process, or 0 before it has one."""
        return self._process.pid if self._process else 0

    async def start(self) -> None:
        """Starts the process, unless there is one."""
        async with self._starting:
            if self._process is None:
                self._process = await asyncio.create_subprocess_exec(
                    sys.executable, "-m", "polyversi.server.analysis.worker", str(self._nice),
                    stdin=PIPE, stdout=PIPE, limit=MAX_LINE)
                self._reading = asyncio.create_task(self._read(self._process))

    async def run(self, task: Task[F], tell: Callable[[F], None], seconds: float | None) -> TaskAnswer:
        """Has a task done; a WorkerLostError if the process ends on the way.

        If this is cancelled, the worker goes on until `settled`; then it may have its next task.
        """
        await self.start()
        await self._is_ready()
        self._number += 1
        self._take = lambda found: tell(task.read(found))
        self._end = asyncio.get_running_loop().create_future()
        self._write(request_of(self._number, task))
        try:
            async with asyncio.timeout(None if seconds is None else seconds + RESPONSE_TIMEOUT):
                return await asyncio.shield(self._end)
        except TimeoutError:
            self.kill()
            raise WorkerLostError from None
        except asyncio.CancelledError:
            self._take = lambda _: None
            self.stop()
            raise

    async def _is_ready(self) -> None:
        """Waits until the process has loaded what it needs; a WorkerLostError if it has ended."""
        try:
            async with asyncio.timeout(RESPONSE_TIMEOUT):
                await self._ready.wait()
        except TimeoutError:
            self.kill()
            raise WorkerLostError from None
        if self.is_gone:
            raise WorkerLostError

    async def settled(self) -> bool:
        """Waits until the worker has ended what it was doing; whether it can go on."""
        if self._process is None:
            return True
        try:
            async with asyncio.timeout(RESPONSE_TIMEOUT):
                if self._end is not None:
                    await asyncio.shield(self._end)
        except (TimeoutError, WorkerLostError):
            self.kill()
            return False
        return not self.is_gone

    def stop(self) -> None:
        """Has it end what it is doing soon, with what it has found."""
        if self._end is not None and not self._end.done():
            self._write(TaskRequest(self._number))

    def kill(self) -> None:
        """Ends the process."""
        if self._process is not None and self._process.returncode is None:
            with suppress(ProcessLookupError):
                self._process.kill()

    async def close(self) -> None:
        """Ends the process and waits until it is gone."""
        self.kill()
        if self._process is not None and self._reading is not None:
            await self._process.wait()
            await asyncio.gather(self._reading, return_exceptions=True)

    def _write(self, request: TaskRequest) -> None:
        assert self._process is not None
        assert self._process.stdin is not None
        with suppress(OSError, RuntimeError):    # it is gone, which its reader notices
            self._process.stdin.write(msgspec.json.encode(request) + b"\n")

    async def _read(self, process: Process) -> None:
        assert process.stdout is not None
        decoder = msgspec.json.Decoder(TaskAnswer)
        try:
            while line := await process.stdout.readline():
                answer = decoder.decode(line)
                if answer.number == NO_TASK:
                    self._ready.set()
                if answer.number != self._number:
                    continue
                if answer.found is not None:
                    self._take(answer.found)
                elif self._end is not None and not self._end.done():
                    self._end.set_result(answer)
        except (ValueError, OSError):    # it sent invalid data
            self.kill()
        self._ready.set()
        if self._end is not None and not self._end.done():
            self._end.set_exception(WorkerLostError())
            self._end.exception()    # whoever waited may be gone


class WorkerPool:
    """The engine workers of a server, shared by all visitors in short slices."""

    def __init__(self, workers: int, say: Callable[[str], None],
                 make: Callable[[], AnyWorker] = Worker) -> None:
        self._make = make
        self.slices = Slices(max(1, workers), self._make_room)
        self.tasks = 0
        """How many tasks workers have been given."""
        self._say = say
        self._idle = [make() for _ in range(workers)]
        self._workers = set(self._idle)
        self._running: dict[AnyWorker, _Running] = {}
        self._last: dict[AnyWorker, deque[str]] = {}
        self.is_closed = False
        """Whether no more is done."""

    @property
    def pids(self) -> list[int]:
        """The processes of the workers that have been started."""
        return [worker.pid for worker in self._workers if worker.pid]

    @property
    def is_busy(self) -> bool:
        """Whether a worker thinks, or has not stopped yet."""
        return len(self._idle) < len(self._workers)

    def worker_of(self, name: str) -> AnyWorker:
        """The worker that thinks about something."""
        return next(worker for worker in self._running if self._last[worker][-1] == name)

    async def warm_up(self) -> None:
        """Starts the processes, so that the first visitor need not wait for them."""
        await asyncio.gather(*(worker.start() for worker in self._workers))

    async def run(self, visitor: str, name: str, seconds: float, task: Task[F],
                  tell: Callable[[F], None], *,
                  may_end_early: bool = True) -> Spent:
        """Does a task for a visitor when it is its turn; what it has cost.

        The worker that has thought about the same `name` last is taken if it can be. A task whose worker dies
        is done again by another one.
        """
        for attempt in range(1, ATTEMPTS + 1):
            async with self._worker(visitor, name, seconds) as worker:
                running = self._running[worker] = _Running(seconds, may_end_early)
                self.tasks += 1
                try:
                    answer = await worker.run(task, tell, seconds)
                    running.end()
                except WorkerLostError:
                    if self.is_closed:
                        raise PolyversiError(CLOSED) from None
                    self._say(f"an engine worker ended while it thought about {name}"
                              + ("; another one does it again" if attempt < ATTEMPTS else ""))
                    continue
            if answer.fault:
                self._say(f"an engine worker failed: {answer.fault}")
            if answer.fault or answer.problem:
                raise PolyversiError(answer.problem or FAILED)
            return Spent(running.elapsed, answer.final)
        raise PolyversiError(FAILED)

    @asynccontextmanager
    async def _worker(self, visitor: str, name: str, seconds: float) -> AsyncIterator[AnyWorker]:
        """A worker when it is the visitor's turn."""
        release = await self.slices.take(visitor, seconds)
        if self.is_closed:
            release()
            raise PolyversiError(CLOSED)
        worker = next((one for one in self._idle if name in self._last.get(one, ())), self._idle[0])
        self._idle.remove(worker)
        if worker.is_gone:    # somebody ended it while it did nothing
            worker = self._replaced(worker)
        self._last.setdefault(worker, deque(maxlen=REMEMBERED)).append(name)
        try:
            yield worker
        finally:
            self._running.pop(worker, None)
            task = asyncio.create_task(self._return(worker, release))
            _background.add(task)
            task.add_done_callback(_background.discard)

    async def _return(self, worker: AnyWorker, release: Release) -> None:
        """Takes a worker back as soon as it has really stopped, or a new one in its place."""
        if not await worker.settled():
            worker = self._replaced(worker)
        self._idle.append(worker)
        release()

    def _replaced(self, worker: AnyWorker) -> AnyWorker:
        self._last.pop(worker, None)
        self._workers.discard(worker)
        new = self._make()
        self._workers.add(new)
        return new

    def _make_room(self) -> None:
        """Ends the slice that has had the most time, for somebody who is new; not before it had some."""
        loop = asyncio.get_running_loop()
        long = [(one.since, worker) for worker, one in self._running.items()
                if one.may_end_early and not one.is_ended and one.seconds > PREEMPTED_AFTER]
        if not long or self._idle or not self.slices.has_newcomer:
            return
        since, worker = min(long, key=lambda one: one[0])
        if loop.time() - since < PREEMPTED_AFTER:
            loop.call_at(since + PREEMPTED_AFTER, self._make_room)
        else:
            self._running[worker].is_ended = True
            worker.stop()

    async def close(self) -> None:
        """Ends all workers."""
        self.is_closed = True
        await asyncio.gather(*(worker.close() for worker in self._workers))


@dataclass(frozen=True)
class Spent:
    """What a task has cost."""

    seconds: float
    is_final: bool
    """Whether more time would find nothing more."""


class _Running:
    """A slice that a worker is at."""

    def __init__(self, seconds: float, may_end_early: bool) -> None:
        self.seconds = seconds
        self.since = asyncio.get_running_loop().time()
        self.may_end_early = may_end_early
        self.is_ended = False
        self.elapsed = 0.0

    def end(self) -> None:
        """It is over."""
        self.elapsed = asyncio.get_running_loop().time() - self.since


FAILED = "the engine failed on this; the server's operator can see why"
CLOSED = "the server is being closed"
_background: set[asyncio.Task[None]] = set()
