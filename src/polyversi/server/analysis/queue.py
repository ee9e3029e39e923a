"""The queue of the engine workers: short slices of thought, fair by visitor, first looks before deep ones."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from polyversi.server.turns import Release, Turns

FIRST = 0.05
"""Seconds of the first slice of a position: enough for values, and little enough to wait for."""
MAX_SLICE = 2.0
"""Seconds of the longest slice; each is as long as all before it together, which doubles what was spent."""
ROUND = 10.0
"""Seconds in which everybody who waits should have had a slice; longer slices wait until fewer wait."""
TOLD = 1.0
"""Seconds of waiting above which a visitor is told how long it takes."""


def next_slice(spent: float, limit: float) -> float:
    """How long to think about a position next that has had so many seconds of at most so many.

    >>> [next_slice(spent, 10) for spent in (0, 0.05, 0.1, 0.4, 4, 9)], round(next_slice(9.99, 10), 2)
    ([0.05, 0.05, 0.1, 0.4, 2.0, 1], 0.05)
    """
    return max(FIRST, min(MAX_SLICE, spent, limit - spent))


class Slices(Turns):
    """Turns at the workers: whoever has used the least first, but no long slice while many wait.

    Somebody who is new is not to wait until a long slice ends: `on_pressure` is called, which may end one.

    >>> slices = Slices(2)
    >>> slices.longest
    20.0
    """

    def __init__(self, workers: int, on_pressure: Callable[[], None] = lambda: None) -> None:
        super().__init__(workers, per_visitor=workers)
        self._max_long = workers    # a long slice can be ended: it needs to leave no place
        self._on_pressure = on_pressure

    @property
    def crowd(self) -> int:
        """How many visitors are served or wait."""
        return len(self._waiting) + sum(visitor not in self._waiting for visitor in self._running)

    @property
    def has_newcomer(self) -> bool:
        """Whether somebody waits for a first slice."""
        return any(queue[0][0] <= FIRST for queue in self._waiting.values())

    @property
    def longest(self) -> float:
        """Seconds of a slice that everybody may have in one round."""
        return max(FIRST, ROUND * self._limit / max(1, self.crowd))

    async def take(self, visitor: str, seconds: float) -> Release:
        """Waits for a turn like any other; what is short has others make room for it."""
        if seconds <= FIRST and self._running.total() >= self._limit:
            asyncio.get_running_loop().call_soon(self._on_pressure)
        return await super().take(visitor, seconds)

    def wait(self, seconds: float) -> float | None:
        """About how long a slice of that length waits that is asked for now; None where that is not long."""
        ahead = sum(queue[0][0] for queue in self._waiting.values() if self._rank(queue[0][0]) == 0)
        told = (ahead + self._rank(seconds) * ROUND) / self._limit
        return round(told, 1) if told >= TOLD else None

    def _rank(self, seconds: float) -> int:
        return int(seconds > self.longest)
