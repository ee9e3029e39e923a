"""Budgets: how much of the server's time limit a player is given, and when an answer must be sent."""

from __future__ import annotations

from dataclasses import dataclass

from polyversi.players import Limit

MARGIN_SHARE, MIN_MARGIN, MAX_MARGIN = 0.1, 0.15, 0.5
"""The share of the time for a move that is reserved for a busy machine, and its bounds in seconds. It costs a
player almost nothing: what it does not use now is in the bank of its next move."""
GUARD_SHARE = 2 / 3
"""How much of the reserve is left when the guard answers; the rest is for a player that is a little late."""
MAX_LOST = 0.5
"""Seconds; a longer round trip or delay was an exception and says nothing about the next one."""
UNTIMED_TIMEOUT = 300.0
"""Seconds after which a question without a time limit is answered anyway: half of the time after which a
referee considers a silent seat stalled."""


@dataclass(frozen=True)
class Budget:
    """The time for one question, from the moment it arrived.

    The player is given less time than there is, and a guard answers for it well before the limit. Half of a
    very short time is held in reserve.

    >>> budget = Budget(arrived=10.0, seconds=3.0, time_per_move=2.0, depth=None, lost=0.0)
    >>> str(budget.limit(10.0)), round(budget.answer_by, 3)
    ('bank=2.7,increment=2', 12.8)
    >>> short = Budget(arrived=0.0, seconds=0.03, time_per_move=0.03, depth=1, lost=0.0)
    >>> str(short.limit(0.0)), round(short.answer_by, 3)
    ('bank=0.015,increment=0.03', 0.02)
    >>> str(Budget(0.0, None, None, 5, 0.0).limit(0.0))
    'depth=5'
    """

    arrived: float
    """When the question came, on the loop's clock."""
    seconds: float | None
    """What the server allows, which is the whole bank; None without a time limit."""
    time_per_move: float | None
    """What the bank grows by before each question."""
    depth: int | None
    """How many plies the player looks ahead, in games without a time limit.

    Servers of the courses send a depth of 1 with every timed request, and it means nothing there.
    """
    lost: float
    """Seconds lost to the round trip to the server and to recent delays of this machine."""

    def limit(self, now: float) -> Limit:
        """What the player may spend from now."""
        if self.seconds is None:
            return Limit(depth=self.depth)
        left = max(0.0, self.arrived + self._here - self._margin - now)
        return Limit(bank=left, increment=self.time_per_move or 0.0)

    @property
    def answer_by(self) -> float:
        """When an answer must be sent, on the loop's clock."""
        if self.seconds is None:
            return self.arrived + UNTIMED_TIMEOUT
        return self.arrived + self._here - GUARD_SHARE * self._margin

    def bank_after(self, spent: float) -> float | None:
        """The bank of the next question, after an answer that took `spent` seconds.

        >>> Budget(0.0, 2.0, 2.0, None, 0.0).bank_after(0.5)
        3.5
        """
        return None if self.seconds is None else max(0.0, self.seconds - spent) + (self.time_per_move or 0.0)

    def describe(self, spent: float) -> str:
        """How much of the time was used, in words.

        >>> Budget(0.0, 2.0, 2.0, None, 0.0).describe(1.9)
        'after 1.900 of 2.000 s'
        """
        return f"after {spent:.3f}" + (" s" if self.seconds is None else f" of {self.seconds:.3f} s")

    @property
    def _here(self) -> float:
        """The time that is left on this side of the network: at least half of what the server allows."""
        assert self.seconds is not None
        return max(self.seconds / 2, self.seconds - min(self.lost, MAX_LOST))

    @property
    def _margin(self) -> float:
        return min(self._here / 2, max(MIN_MARGIN, min(MAX_MARGIN, MARGIN_SHARE * self._here)))
