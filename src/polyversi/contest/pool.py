"""Executors: games in this process, or in parallel in processes of this machine that end with it."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from asyncio import CancelledError
from collections.abc import Callable, Iterator, MutableSequence, Sequence
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor
from contextlib import contextmanager
from functools import partial
from multiprocessing import resource_tracker
from multiprocessing.connection import wait
from multiprocessing.process import BaseProcess
from multiprocessing.sharedctypes import Synchronized
from types import FrameType
from typing import Any, ParamSpec, TypeVar

from polyversi.contest.playing import thinking
from polyversi.gameplay.interrupt import cancel_everything, is_loop_running, may_hear_ctrl_c

P = ParamSpec("P")
T = TypeVar("T")
INSIST_SECONDS = 0.2
"""How often a process that has not stopped is told again."""
REPORT_SECONDS = 0.5
"""How often a process of a pool notes who is thinking in its game."""


class InProcess(Executor):
    """Runs everything at once, in this process."""

    def __init__(self) -> None:
        self.is_interrupted = False

    def submit(self, work: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        if self.is_interrupted:
            raise BrokenExecutor("it was interrupted")
        done: Future[T] = Future()
        try:
            done.set_result(work(*args, **kwargs))
        except CancelledError:
            if not self.is_interrupted:
                raise
            raise BrokenExecutor("it was interrupted") from None
        return done

    def interrupt(self) -> None:
        """Takes no more work and breaks off the game, which closes its seats."""
        self.is_interrupted = True
        cancel_everything()


@contextmanager
def in_process() -> Iterator[Executor]:
    """An executor that runs everything at once, in this process.

    Ctrl-C breaks off the game, and KeyboardInterrupt is raised after that. Raised at any moment, it would be
    lost where Python cannot raise exceptions: in a finalizer, of which every game leaves some behind.

    >>> with in_process() as executor:
    ...     executor.submit(sum, [1, 2]).result()
    3
    """
    executor = InProcess()
    if is_loop_running():    # that of a notebook, which is not ours to cancel
        yield executor
        return
    with _interrupting(executor):
        yield executor


@contextmanager
def process_pool(jobs: int, processor: int | None = None) -> Iterator[Executor]:
    """An executor with so many processes, which end with it, whatever they are doing.

    They and the bots that they start run on one processor only if its number is given.

    Ctrl-C ends the processes, and KeyboardInterrupt is raised after that. Raised at any moment, it could
    leave a lock of the executor taken, and everybody would wait for it forever.

    >>> with process_pool(1) as pool:
    ...     pool.submit(sum, [1, 2]).result()
    3
    """
    resource_tracker.ensure_running()    # before Ctrl-C is handled: its start would let Ctrl-C through
    pool = _Pool(jobs, processor)
    with _interrupting(pool):
        try:
            yield pool
        except BaseException:
            pool.end_processes()
            raise
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


@contextmanager
def _interrupting(executor: InProcess | _Pool) -> Iterator[None]:
    """Interrupts the executor on Ctrl-C, and raises KeyboardInterrupt when everything in it has ended."""
    if not may_hear_ctrl_c():
        yield
        return

    def interrupt(number: int, frame: FrameType | None) -> None:  # noqa: ARG001
        executor.interrupt()

    signal.signal(signal.SIGINT, interrupt)
    try:
        yield
    except BrokenExecutor:
        if not executor.is_interrupted:
            raise
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if executor.is_interrupted:
        raise KeyboardInterrupt


class _Pool(ProcessPoolExecutor):
    """Starts its processes on demand, with Ctrl-C blocked until they are ready for it."""

    def __init__(self, jobs: int, processor: int | None) -> None:
        # A fresh interpreter each: a copy of this one would inherit its threads' locks.
        context = multiprocessing.get_context("spawn")
        self.notes = context.RawArray("d", 2 * jobs)
        """For each process the index of the entrant that is thinking, plus 1, and for how many seconds."""
        places = context.Value("i", 0)
        super().__init__(jobs, mp_context=context, initializer=_begin,
                         initargs=(self.notes, places, processor))
        self._started: dict[int, BaseProcess] = {}
        self._is_submitting = False
        self.is_interrupted = False

    def submit(self, work: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        if self.is_interrupted:
            raise BrokenExecutor("it was interrupted")
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        self._is_submitting = True
        try:
            return super().submit(_do, partial(work, *args, **kwargs))
        finally:
            self._started |= self._processes or {}    # which it forgets when it breaks
            self._is_submitting = False
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
            if self.is_interrupted:
                self.end_processes()

    def interrupt(self) -> None:
        """Takes no more work and ends the processes, but not while work is being submitted.

        A process could be starting then, and the executor cannot take work while it breaks.
        """
        self.is_interrupted = True
        if not self._is_submitting:
            self.end_processes()

    def end_processes(self) -> None:
        """Tells the processes to stop; the executor is broken when they have.

        One of them may stop halfway through a result. The executor waits for the rest of it for as long as
        anybody could still write it, and this process could.
        """
        results: Any = self._result_queue
        if results is not None:    # which it is when the executor has ended
            results._writer.close()
        processes = [one for one in self._started.values() if one.is_alive()]
        for process in processes:
            process.terminate()
        threading.Thread(target=_insist, args=[processes], name="insist", daemon=True).start()


def _insist(processes: Sequence[BaseProcess]) -> None:
    """Tells processes to stop until they have: one that was about to wait for a lock has not heard it.

    Python handles a signal when the main thread runs next. One that arrives in the moment before that thread
    waits for the next task, because another process has the lock and dies with it, is never handled.
    """
    left = {process.sentinel: process for process in processes}
    while left:
        for ended in wait(list(left), INSIST_SECONDS):
            assert isinstance(ended, int)
            del left[ended]
        for process in left.values():
            process.terminate()


class _Process:
    """The state of a process of the pool."""

    is_leaving = False


def thinking_in(executor: Executor) -> list[tuple[int, float]]:
    """Who is thinking in the games of an executor, as `thinking` says; nothing is known of a cluster's.

    >>> thinking_in(InProcess())
    []
    """
    if isinstance(executor, _Pool):
        notes = list(executor.notes)
        pairs = zip(notes[::2], notes[1::2], strict=True)
        return [(int(entrant) - 1, seconds) for entrant, seconds in pairs if entrant]
    own = thinking() if isinstance(executor, InProcess) else None
    return [own] if own else []


def _begin(notes: MutableSequence[float], places: Synchronized[int], processor: int | None) -> None:
    """Ctrl-C reaches every process of a terminal: only the parent acts on it, and ends the others."""
    if processor is not None:
        os.sched_setaffinity(0, {processor})
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    signal.signal(signal.SIGTERM, _leave)
    with places.get_lock():
        place = places.value
        places.value += 1
    threading.Thread(target=_follow_parent, args=(notes, 2 * place), name="parent", daemon=True).start()


def _follow_parent(notes: MutableSequence[float], place: int) -> None:
    """Notes who is thinking, and leaves with the parent: one that is killed cannot end the others."""
    parent = multiprocessing.parent_process()
    assert parent is not None, "it runs in a process of the pool"
    while parent.is_alive():
        entrant, seconds = thinking() or (-1, 0.0)
        notes[place : place + 2] = [entrant + 1, seconds]
        parent.join(REPORT_SECONDS)
    os.kill(os.getpid(), signal.SIGTERM)


def _do(work: Callable[[], T]) -> T:
    """Runs a task, and exits afterwards if the process was told to leave meanwhile."""
    try:
        return work()
    finally:
        if _Process.is_leaving:
            os._exit(1)


def _leave(number: int, frame: FrameType | None) -> None:  # noqa: ARG001
    """Stops the game instead of dying at once, so that it closes its seats and ends its bots."""
    is_told_again, _Process.is_leaving = _Process.is_leaving, True
    if is_told_again and is_loop_running():
        return    # it is closing its seats
    if not cancel_everything():
        os._exit(1)
