"""Absences: the seats of a game whose guests have gone, and how long they may still come back."""

from __future__ import annotations

import asyncio
from collections.abc import Callable


class Absences:
    """Who is away from a game, who has been for too long, and who has lost it by that."""

    def __init__(self, grace: float, overdue: Callable[[int], None]) -> None:
        self.forfeits: dict[int, str] = {}
        """The seats that have lost by their guests' fault, and why."""
        self._grace = grace
        self._on_overdue = overdue
        self._away: dict[int, asyncio.TimerHandle] = {}
        self._overdue: set[int] = set()

    def begin(self, seat: int) -> None:
        """Nobody is on a seat any more; after the grace time the room is told."""
        self.end(seat)
        self._away[seat] = asyncio.get_running_loop().call_later(self._grace, self._grace_is_over, seat)

    def end(self, seat: int) -> None:
        """Somebody is on a seat again, or need not come back."""
        self._overdue.discard(seat)
        if (waiting := self._away.pop(seat, None)) is not None:
            waiting.cancel()

    def forfeit(self, seat: int, why: str) -> None:
        """A seat has lost, so that nobody is waited for."""
        self.forfeits[seat] = why
        self.end(seat)

    @property
    def any_in_time(self) -> bool:
        """Whether anybody is away who may still come back in time."""
        return bool(self._away)

    def is_in_time(self, seat: int) -> bool:
        """Whether a seat's guest is away and may still come back in time."""
        return seat in self._away

    def is_overdue(self, seat: int) -> bool:
        """Whether a seat's guest has been away for longer than the grace time."""
        return seat in self._overdue

    def _grace_is_over(self, seat: int) -> None:
        del self._away[seat]
        self._overdue.add(seat)
        self._on_overdue(seat)
