"""Running a game to its end, in a notebook too, or until Ctrl-C breaks it off with every seat closed."""

from __future__ import annotations

import asyncio
import signal
import threading
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from types import FrameType
from typing import Any, TypeVar

T = TypeVar("T")


def run(main: Coroutine[Any, Any, T]) -> T:
    """Runs a game as `asyncio.run` does; in a thread of its own where a loop runs already, as in a notebook.

    >>> async def cell() -> str:
    ...     return run(asyncio.sleep(0, "done"))
    >>> asyncio.run(cell())
    'done'
    """
    if not is_loop_running():
        return asyncio.run(main)
    tasks: list[asyncio.Task[Any]] = []

    async def noted() -> T:
        tasks.extend(asyncio.all_tasks())
        return await main

    with ThreadPoolExecutor(1, "game") as thread:
        running = thread.submit(asyncio.run, noted())
        try:
            return running.result()
        except KeyboardInterrupt:
            for task in tasks:
                with suppress(RuntimeError):    # the loop may have closed by itself meanwhile
                    task.get_loop().call_soon_threadsafe(task.cancel)
            raise


def is_loop_running() -> bool:
    """Whether this thread is running an event loop.

    >>> is_loop_running()
    False
    """
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


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


def may_hear_ctrl_c() -> bool:
    """Whether Ctrl-C is for this thread to hear: the main one, where nobody else hears it already.

    >>> before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    >>> may_hear_ctrl_c()
    False
    >>> _ = signal.signal(signal.SIGINT, before)
    """
    is_main = threading.current_thread() is threading.main_thread()
    return is_main and signal.getsignal(signal.SIGINT) is signal.default_int_handler


def run_interruptibly(main: Coroutine[Any, Any, T]) -> T:
    """Runs a game as `asyncio.run` does; Ctrl-C ends it and raises KeyboardInterrupt when it has ended.

    `asyncio.run` alone loses a Ctrl-C that comes while a player thinks in the same thread, and an exception
    while a loop is being made or closed leaves half a loop behind: here it waits for a good moment.

    >>> run_interruptibly(asyncio.sleep(0, "done"))
    'done'
    """
    if is_loop_running() or not may_hear_ctrl_c():
        return run(main)
    interrupted = False

    def interrupt(number: int, frame: FrameType | None) -> None:  # noqa: ARG001
        nonlocal interrupted
        interrupted = True
        cancel_everything()

    async def guarded() -> T:
        if interrupted:    # before there was anything to cancel
            raise asyncio.CancelledError
        return await main

    signal.signal(signal.SIGINT, interrupt)
    try:
        result = asyncio.run(guarded())
    except asyncio.CancelledError:
        if not interrupted:
            raise
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        main.close()    # it may never have begun
    if interrupted:
        raise KeyboardInterrupt
    return result
