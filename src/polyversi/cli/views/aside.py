"""Showing things in a thread of its own, so that a terminal that stands still holds nobody up."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from contextlib import suppress
from queue import SimpleQueue

from polyversi.cli.main import give_up_output


class Aside:
    """Does one thing after the other, and whoever hands them over goes on.

    What cannot be written is not shown, and neither is anything after it; `fault` tells why.

    >>> aside = Aside()
    >>> aside.do(lambda: print("shown"))
    >>> aside.close()
    shown
    """

    def __init__(self) -> None:
        self.fault: Exception | None = None
        """What went wrong first."""
        self._left: SimpleQueue[Callable[[], object] | None] = SimpleQueue()
        self._thread = threading.Thread(target=self._work, name="terminal", daemon=True)
        self._thread.start()

    def do(self, job: Callable[[], object]) -> None:
        """Has something done after what was handed over before."""
        self._left.put(job)

    @property
    def is_behind(self) -> bool:
        """Whether there is more to do than what is being done."""
        return not self._left.empty()

    async def caught_up(self) -> None:
        """Waits until all that was handed over so far is done."""
        loop = asyncio.get_running_loop()
        done = loop.create_future()

        def settle() -> None:
            if not done.done():
                done.set_result(None)

        def tell() -> None:
            with suppress(RuntimeError):    # nobody waits for it any more
                loop.call_soon_threadsafe(settle)

        self.do(tell)
        await done

    def close(self) -> None:
        """Waits until everything is done."""
        self._left.put(None)
        self._thread.join()

    def _work(self) -> None:
        while (job := self._left.get()) is not None:
            try:
                job()
            except Exception as error:
                self.fault = self.fault or error
                if isinstance(error, OSError):
                    give_up_output()
