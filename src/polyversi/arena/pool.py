"""The process pool: games side by side in processes of this machine, which all end with it."""

from __future__ import annotations

import multiprocessing
import signal
import sys
from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager
from types import FrameType

from polyversi.arena.interrupt import cancel_everything


@contextmanager
def process_pool(jobs: int) -> Iterator[Executor]:
    """An executor with so many processes; whatever they are at when it is left, they end.

    >>> with process_pool(1) as pool:
    ...     pool.submit(sum, [1, 2]).result()
    3
    """
    others = {process.pid for process in multiprocessing.active_children()}
    # A fresh interpreter each: a copy of this one would inherit its threads' locks.
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(jobs, mp_context=context, initializer=_answer_to_the_parent_alone)
    try:
        yield pool
    except BaseException:
        for process in multiprocessing.active_children():
            if process.pid not in others:
                process.terminate()
        raise
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _answer_to_the_parent_alone() -> None:
    """Ctrl-C reaches every process of a terminal: only the parent is to act on it, and ends the others."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, _leave)


def _leave(number: int, frame: FrameType | None) -> None:  # noqa: ARG001
    """Breaks a game off rather than dying at once, so that it closes its seats and ends its bots."""
    if not cancel_everything():
        sys.exit(1)
