"""The queue of the engine workers: short slices of thought, fair by visitor, first looks before deep ones."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from polyversi.server.turns import Release, Turns

FIRST = 0.05
"""Seconds of the first slice of a position: enough for values, and little enough to wait for."""
MAX_SLICE = 2.0
"""Seconds of the longest slice; each is as long as all before it together, which doubles what was spent."""
ROUND = 5.0
"""Seconds in which everybody who waits should have had a slice; longer slices wait until fewer wait."""
LONG_SHARE = 0.2
"""The part of the time that long slices have however many wait, so that reviews and deep looks go on."""
TOLD = 1.0
"""Seconds of waiting above which a visitor is told how long it takes."""


def next_slice(spent: float, limit: float) -> float:
    """How long to think about a position next that has had so many seconds of at most so many.

    >>> [next_slice(spent, 10) for spent in (0, 0.05, 0.15, 0.4, 4, 9)], round(next_slice(9.99, 10), 2)
    ([0.05, 0.1, 0.15, 0.4, 2.0, 1], 0.1)
    """
    if spent < FIRST:
        return FIRST
    return max(2 * FIRST, min(MAX_SLICE, spent, limit - spent))


class Slices(Turns):
    """Turns at the workers: whoever has used the least first, but no long slice while many wait.

    What somebody has not used while others waited is not saved up: whoever looks at something new comes after
    all who have waited longer and used no more, and before those who have. So everybody gets values within a
    round. When few wait, somebody new need not wait until a long slice ends: `on_pressure` may end one.

    >>> slices = Slices(2)
    >>> slices.longest
    10.0
    """

    def __init__(self, workers: int, on_pressure: Callable[[], None] = lambda: None) -> None:
        super().__init__(workers, per_visitor=workers)
        self._max_long = workers    # a long slice can be ended: it needs to leave no place
        self._on_pressure = on_pressure
        self._credit = 0.0
        """Seconds that a long slice may have although others wait."""

    @property
    def crowd(self) -> int:
        """How many visitors are served or wait."""
        return len(self._waiting) + sum(visitor not in self._waiting for visitor in self._running)

    @property
    def has_newcomer(self) -> bool:
        """Whether somebody waits for a first slice, and is not one of many."""
        return len(self._waiting) <= self._limit and any(
            queue[0][0] <= FIRST for queue in self._waiting.values())

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
        if self._running.total() < self._limit:
            return None
        ahead = sum(queue[0][0] for queue in self._waiting.values() if self._rank(queue[0][0]) <= 0)
        told = ahead / self._limit + (ROUND if self._rank(seconds) > 0 else 0.0)
        return round(told, 1) if told >= TOLD else None

    def _is_active(self, visitor: str) -> bool:
        """Whether a visitor waits for a short slice; long ones are waited for, and end, by the way.

        A long slice that still runs when its visitor looks elsewhere has been charged whole: it must not
        keep the new look waiting until everybody else has had as much.
        """
        queue = self._waiting.get(visitor)
        return bool(queue and queue[0][0] <= self.longest)

    def _tally(self, used: float) -> float:
        """Nobody saves up time, and nobody who has had long slices waits for longer than a round for it."""
        return min(super()._tally(used), self._reached + FIRST)

    def _settle(self, visitor: str, charged: float, took: float) -> None:
        """A short slice costs everybody the same, however long it took.

        Otherwise whoever had a slow one would come after all who had quick ones, and wait for two rounds.
        What a long slice took does not count against a look that waits by now: that has its place already.
        """
        if charged > self.longest and not self._is_active(visitor):
            super()._settle(visitor, charged, took)

    def _rank(self, seconds: float) -> int:
        if seconds <= self.longest:
            return 0
        return -1 if seconds <= self._credit else 1

    def _let_in(self, seconds: float) -> None:
        if seconds > self.longest:
            self._credit = max(0.0, self._credit - seconds)
        else:
            self._credit = min(MAX_SLICE, self._credit + seconds * LONG_SHARE / (1 - LONG_SHARE))
