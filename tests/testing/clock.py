"""An event loop whose clock can be put forward, so that no test waits for a deadline."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Coroutine
from typing import Any

from tests.testing.timeout import TIMEOUT


class Clock(asyncio.SelectorEventLoop):
    """An event loop whose time goes on as ever, and ahead when a test says so."""

    ahead = 0.0
    stopped_at: float | None = None

    def time(self) -> float:
        now = super().time() if self.stopped_at is None else self.stopped_at
        return now + self.ahead

    def stop_time(self) -> None:
        """From now on time passes only when a test says so, however long things take."""
        self.stopped_at = super().time()

    def advance(self, seconds: float) -> None:
        """Lets so much time pass at once."""
        self.ahead += seconds


def with_clock(evening: Callable[[Clock], Coroutine[Any, Any, None]]) -> None:
    """Runs a test in a loop with a clock of its own."""
    with asyncio.Runner(loop_factory=Clock) as runner:
        loop = runner.get_loop()
        assert isinstance(loop, Clock)
        runner.run(evening(loop))


async def until(fits: Callable[[], object]) -> None:
    """Lets everything else happen until something is so; that it never becomes so is an AssertionError."""
    give_up = time.monotonic() + TIMEOUT    # of the real clock, whatever the test's own says
    while not fits():
        assert time.monotonic() < give_up, "what the test waits for does not happen"
        await asyncio.sleep(0)
