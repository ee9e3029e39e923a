"""An event loop whose clock can be put forward, so that no test waits for a deadline."""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

T = TypeVar("T")


class Clock(asyncio.SelectorEventLoop):
    """An event loop whose time goes on as ever, and ahead when a test says so."""

    ahead = 0.0

    def time(self) -> float:
        return super().time() + self.ahead

    def advance(self, seconds: float) -> None:
        """Lets so much time pass at once."""
        self.ahead += seconds


def with_clock(evening: Callable[[Clock], Coroutine[Any, Any, None]]) -> None:
    """Runs a test in a loop with a clock of its own."""
    with asyncio.Runner(loop_factory=Clock) as runner:
        loop = runner.get_loop()
        assert isinstance(loop, Clock)
        runner.run(evening(loop))


class _Jump(selectors.SelectSelector):
    """Waits for nothing: what is waited for is reached at once."""

    def __init__(self) -> None:
        super().__init__()
        self.now = 0.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        self.now += timeout or 0.0
        return []


class SimulatedTime(asyncio.SelectorEventLoop):
    """An event loop in which every pause is over at once and takes exactly as long as it says."""

    def __init__(self) -> None:
        self._jump = _Jump()
        super().__init__(self._jump)

    def time(self) -> float:
        return self._jump.now


def simulated(evening: Coroutine[Any, Any, T]) -> T:
    """Runs something that only waits for pauses and for itself, as fast as it can be computed.

    >>> simulated(asyncio.sleep(3600, "an hour later"))
    'an hour later'
    """
    with asyncio.Runner(loop_factory=SimulatedTime) as runner:
        return runner.run(evening)


async def until(fits: Callable[[], object]) -> None:
    """Lets everything else happen until something is so."""
    while not fits():
        await asyncio.sleep(0)
