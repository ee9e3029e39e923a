"""The process pool: games side by side in processes of this machine, which all end with it."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from contextlib import contextmanager
from functools import partial
from multiprocessing import resource_tracker
from types import FrameType
from typing import ParamSpec, TypeVar

from polyversi.arena.interrupt import cancel_everything

P = ParamSpec("P")
T = TypeVar("T")


@contextmanager
def process_pool(jobs: int) -> Iterator[Executor]:
    """An executor with so many processes; whatever they are at when it is left, they end.

    >>> with process_pool(1) as pool:
    ...     pool.submit(sum, [1, 2]).result()
    3
    """
    resource_tracker.ensure_running()    # which would let Ctrl-C through again while it starts
    others = {process.pid for process in multiprocessing.active_children()}
    # A fresh interpreter each: a copy of this one would inherit its threads' locks.
    context = multiprocessing.get_context("spawn")
    pool = _Pool(jobs, mp_context=context, initializer=_answer_to_the_parent_alone)
    try:
        yield pool
    except BaseException:
        for process in multiprocessing.active_children():
            if process.pid not in others:
                process.terminate()
        raise
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


class _Pool(ProcessPoolExecutor):
    """Starts its processes, as work comes, with Ctrl-C held back until they are ready for it."""

    def submit(self, work: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            return super().submit(_do, partial(work, *args, **kwargs))
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)


class _Process:
    """What a process of the pool knows of itself."""

    is_leaving = False


def _answer_to_the_parent_alone() -> None:
    """Ctrl-C reaches every process of a terminal: only the parent is to act on it, and ends the others."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    signal.signal(signal.SIGTERM, _leave)
    threading.Thread(target=_outlive_nobody, name="parent", daemon=True).start()


def _outlive_nobody() -> None:
    """A parent that is killed cannot end the others: each leaves as if it had been told to."""
    parent = multiprocessing.parent_process()
    assert parent is not None, "it runs in a process of the pool"
    parent.join()
    os.kill(os.getpid(), signal.SIGTERM)


def _do(work: Callable[[], T]) -> T:
    """Does some work of the pool, which would take the end of a game for an answer and go on to the next."""
    try:
        return work()
    finally:
        if _Process.is_leaving:
            os._exit(1)


def _leave(number: int, frame: FrameType | None) -> None:  # noqa: ARG001
    """Breaks a game off rather than dying at once, so that it closes its seats and ends its bots."""
    _Process.is_leaving = True
    if not cancel_everything():
        os._exit(1)
