"""Interrupting: Ctrl-C and a request to end break a game off at its next move, with every seat closed."""

from __future__ import annotations

import asyncio
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


def cancel_everything() -> bool:
    """Cancels what the loop of this thread is at, for signal handlers; False when no loop runs.

    All its tasks, since one that only waits for another may take the end of that one for an answer.

    >>> cancel_everything()
    False
    """
    try:
        loop = asyncio.get_running_loop()
    except RuntimeError:
        return False
    for task in asyncio.all_tasks(loop):
        task.cancel()
    loop.call_soon_threadsafe(bool)    # wakes a loop that waits for something to happen
    return True


@contextmanager
def interruptible() -> Iterator[None]:
    """Within this, Ctrl-C ends games of this thread and raises KeyboardInterrupt when they have ended.

    `asyncio.run` alone loses a Ctrl-C that comes while a player thinks in the same thread.

    >>> with interruptible():
    ...     asyncio.run(asyncio.sleep(0))
    """
    ours = threading.current_thread() is threading.main_thread()
    if not ours or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield
        return
    interrupted = False

    def interrupt(number: int, frame: FrameType | None) -> None:  # noqa: ARG001
        nonlocal interrupted
        interrupted = True
        if not cancel_everything():
            raise KeyboardInterrupt

    signal.signal(signal.SIGINT, interrupt)
    try:
        yield
    except asyncio.CancelledError:
        if not interrupted:
            raise
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if interrupted:
        raise KeyboardInterrupt
