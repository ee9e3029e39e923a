"""Turns to think: how the games of all visitors share the processors, and which of them stand still."""

from __future__ import annotations

import asyncio
import os
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from heapq import heapify, heappop, heappush

MAX_THINKING = max(2, os.cpu_count() or 2)
"""Players that think at the same time."""
MAX_THINKING_PER_VISITOR = 2
"""Players that think at the same time for one visitor."""
LONG = 2.0
"""Seconds above which a thought is a long one; these leave a place to the others."""
MIN_COST = 0.01
"""Seconds that a thought costs its visitor at least."""
MAX_REMEMBERED = 10_000
"""Visitors whose use of the processors is remembered."""

Release = Callable[[], None]


@dataclass(eq=False)
class _Waiting:
    visitor: str
    seconds: float
    granted: asyncio.Future[None] = field(default_factory=lambda: asyncio.get_running_loop().create_future())


class Turns:
    """Lets so many think at the same time, whoever has used the least first, and quick thoughts before long.

    Each visitor has a tally of the seconds thought for it; a newcomer begins with what the last one had who
    was let in, and so never stands behind all that somebody else waits for.

    >>> async def evening():
    ...     turns = Turns(1)
    ...     leave = await turns.take("Ann", 20)
    ...     waiting = [asyncio.create_task(turns.take(name, 1)) for name in ("Ann", "Ann", "Bob")]
    ...     await asyncio.sleep(0)
    ...     leave()
    ...     await asyncio.sleep(0)
    ...     return [one.done() for one in waiting]
    >>> asyncio.run(evening())
    [False, False, True]
    """

    def __init__(self, limit: int = MAX_THINKING, per_visitor: int = MAX_THINKING_PER_VISITOR) -> None:
        self._limit = limit
        self._per_visitor = per_visitor
        self._max_long = max(1, limit - 1)
        self._running: Counter[str] = Counter()
        self._long = 0
        # What waits for each visitor, the shortest first.
        self._waiting: dict[str, list[tuple[float, int, _Waiting]]] = {}
        self._used: dict[str, float] = {}
        self._reached = 0.0    # what the last one who was let in had used before
        self._asked = 0

    async def take(self, visitor: str, seconds: float) -> Release:
        """Waits for a turn to think for at most so many seconds; what is returned ends the turn."""
        if not self._is_active(visitor):
            self._used[visitor] = self._tally(self._used.pop(visitor, 0.0))
            if len(self._used) > MAX_REMEMBERED:
                del self._used[next(iter(self._used))]
        self._asked += 1
        waiting = _Waiting(visitor, seconds)
        entry = seconds, self._asked, waiting
        heappush(self._waiting.setdefault(visitor, []), entry)
        self._grant()
        try:
            await waiting.granted
        except asyncio.CancelledError:
            if waiting.granted.cancelled():
                self._withdraw(entry)
            else:    # it was let in at the same moment
                self._release(waiting, 0.0)
            raise
        loop = asyncio.get_running_loop()
        began, is_over = loop.time(), False

        def release() -> None:
            nonlocal is_over
            if not is_over:
                is_over = True
                self._release(waiting, loop.time() - began)

        return release

    def _is_active(self, visitor: str) -> bool:
        return self._running[visitor] > 0 or visitor in self._waiting

    def _grant(self) -> None:
        """Lets in whoever may come now."""
        while self._running.total() < self._limit:
            able = [(self._rank(queue[0][0]), self._used.get(visitor, 0.0), *queue[0])
                    for visitor, queue in self._waiting.items() if self._may(visitor, queue[0][0])]
            if not able:
                return
            rank, used, seconds, _, chosen = min(able)
            queue = self._waiting[chosen.visitor]
            heappop(queue)
            if not queue:
                del self._waiting[chosen.visitor]
            if chosen.granted.done():
                continue    # it is being called off
            if rank >= 0:    # others may have used less than one who is let in before them
                self._reached = max(self._reached, used)
            self._used[chosen.visitor] = used + max(MIN_COST, seconds)
            self._running[chosen.visitor] += 1
            self._long += seconds > LONG
            self._let_in(seconds)
            chosen.granted.set_result(None)

    def _let_in(self, seconds: float) -> None:
        """Somebody begins to think for so many seconds."""

    def _tally(self, used: float) -> float:
        """What a visitor counts as having used who comes back: nobody saves up time."""
        return max(used, self._reached)

    def _withdraw(self, entry: tuple[float, int, _Waiting]) -> None:
        """Takes something out of the queue that was called off."""
        queue = self._waiting.get(entry[2].visitor, [])
        if entry in queue:
            queue.remove(entry)
            heapify(queue)
            if not queue:
                del self._waiting[entry[2].visitor]

    def _rank(self, seconds: float) -> int:    # noqa: ARG002
        """Of thoughts of so many seconds: those of a higher rank wait for all of a lower one."""
        return 0

    def _may(self, visitor: str, seconds: float) -> bool:
        is_one_too_many = seconds > LONG and self._long >= self._max_long
        return self._running[visitor] < self._per_visitor and not is_one_too_many

    def _release(self, one: _Waiting, took: float) -> None:
        self._running[one.visitor] -= 1
        if not self._running[one.visitor]:
            del self._running[one.visitor]
        self._long -= one.seconds > LONG
        if one.visitor in self._used:
            self._settle(one.visitor, max(MIN_COST, one.seconds), max(MIN_COST, took))
        self._grant()

    def _settle(self, visitor: str, charged: float, took: float) -> None:
        """Charges a visitor what a turn has taken instead of what it was let in for."""
        self._used[visitor] += took - charged


class Attendance:
    """Whether anybody is at a game, or was until a short time ago: where nobody is, no computer thinks."""

    def __init__(self, grace: float) -> None:
        self.is_on = asyncio.Event()
        """Set while somebody attends."""
        self.is_on.set()
        self.on_end: list[Callable[[], None]] = []
        """What is called when nobody does any more."""
        self._grace = grace
        self._ending: asyncio.TimerHandle | None = None

    def begin(self) -> None:
        """Somebody is here."""
        if self._ending is not None:
            self._ending.cancel()
            self._ending = None
        self.is_on.set()

    def end_soon(self) -> None:
        """Nobody is here; it ends if nobody comes within the grace time."""
        if self._ending is None and self.is_on.is_set():
            self._ending = asyncio.get_running_loop().call_later(self._grace, self.end)

    def end(self) -> None:
        """Nobody is expected."""
        self.begin()
        self.is_on.clear()
        for end in self.on_end:
            end()
