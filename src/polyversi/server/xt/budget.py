"""Budgets: what a player is given of the time that a server allows, and when there must be an answer."""

from __future__ import annotations

from dataclasses import dataclass

from polyversi.players import Limit

MARGIN_SHARE, MIN_MARGIN, MAX_MARGIN = 0.1, 0.15, 0.5
"""Of the time for a move, what is kept back in case the machine is busy: a share of it, within these seconds.
It costs a player next to nothing, since what it does not use now is in the bank of its next move."""
GUARD_SHARE = 2 / 3
"""How much of what is kept back is left when the guard answers; before that, the player may be a bit late."""
MAX_LOST = 0.5
"""Seconds; a way or a delay that was longer than this once says nothing about the next one."""
UNTIMED_TIMEOUT = 300.0
"""Seconds after which a question without a limit on its time is answered all the same: half of what a referee
waits before it takes a silent seat to have stalled."""


@dataclass(frozen=True)
class Budget:
    """The time for one question, from the moment it arrived.

    The player is told of less than there is, and a guard answers for it well before the limit. Of a very
    short time, half is kept back.

    >>> budget = Budget(arrived=10.0, seconds=3.0, time_per_move=2.0, depth=None, lost=0.0)
    >>> str(budget.limit(10.0)), round(budget.answer_by, 3)
    ('bank=2.7,increment=2', 12.8)
    >>> short = Budget(arrived=0.0, seconds=0.03, time_per_move=0.03, depth=3, lost=0.0)
    >>> str(short.limit(0.0)), round(short.answer_by, 3)
    ('bank=0.015,increment=0.03,depth=3', 0.02)
    >>> str(Budget(0.0, None, None, 5, 0.0).limit(0.0))
    'depth=5'
    """

    arrived: float
    """When the question came, on the loop's clock."""
    seconds: float | None
    """What the server allows: the whole bank; None for as long as it takes."""
    time_per_move: float | None
    """What the bank grows by before each question."""
    depth: int | None
    """Plies that the player is to look ahead."""
    lost: float
    """Seconds that messages take to the server and back, and that this machine was late by of late."""

    def limit(self, now: float) -> Limit:
        """What the player may spend from now on."""
        if self.seconds is None:
            return Limit(depth=self.depth)
        left = max(0.0, self.arrived + self._here - self._margin - now)
        return Limit(bank=left, increment=self.time_per_move or 0.0, depth=self.depth)

    @property
    def answer_by(self) -> float:
        """When there must be an answer, on the loop's clock."""
        if self.seconds is None:
            return self.arrived + UNTIMED_TIMEOUT
        return self.arrived + self._here - GUARD_SHARE * self._margin

    def bank_after(self, spent: float) -> float | None:
        """What the next question will allow, after an answer that took so long.

        >>> Budget(0.0, 2.0, 2.0, None, 0.0).bank_after(0.5)
        3.5
        """
        return None if self.seconds is None else max(0.0, self.seconds - spent) + (self.time_per_move or 0.0)

    def describe(self, spent: float) -> str:
        """In words, how much of the time was gone.

        >>> Budget(0.0, 2.0, 2.0, None, 0.0).describe(1.9)
        'after 1.900 of 2.000 s'
        """
        return f"after {spent:.3f}" + (" s" if self.seconds is None else f" of {self.seconds:.3f} s")

    @property
    def _here(self) -> float:
        """The time there is on this side of the line: at least half of what the server allows."""
        assert self.seconds is not None
        return max(self.seconds / 2, self.seconds - min(self.lost, MAX_LOST))

    @property
    def _margin(self) -> float:
        return min(self._here / 2, max(MIN_MARGIN, min(MAX_MARGIN, MARGIN_SHARE * self._here)))
