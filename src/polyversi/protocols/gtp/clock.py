"""Time in GTP: main time, then overtime periods of so many moves each."""

from __future__ import annotations

import math

from polyversi.games.limit import NO_LIMIT, Limit


def time_settings(limit: Limit) -> str:
    """A limit as the arguments of `time_settings`: main time, seconds of overtime, and its moves.

    >>> time_settings(Limit(seconds=0.5)), time_settings(Limit(bank=60, increment=1))
    ('0 1 1', '60 0 0')
    """
    if limit.seconds is not None:
        return f"0 {max(1, math.floor(limit.seconds))} 1"
    return f"{math.floor(limit.bank or 0)} 0 0"


class Clock:
    """The clock of a seat: main time, then overtime.

    An overtime without moves means no time limit; so do a main time and an overtime of 0.

    >>> clock = Clock(main=60, overtime=10, moves=5)
    >>> clock.limit
    Limit(seconds=None, bank=62.0, increment=2.0, depth=None, nodes=None)
    >>> clock.spend(63)
    >>> clock.left, clock.moves_left, clock.limit.seconds
    (7, 4, 1.75)
    >>> Clock(main=0, overtime=1, moves=0).limit.is_timed
    False
    """

    def __init__(self, main: float = 0, overtime: float = 0, moves: int = 0) -> None:
        self._overtime, self._moves = overtime, moves
        self._is_timed = bool(moves) if overtime else bool(main)
        self.left = main
        """Seconds of main time or of the overtime period."""
        self.moves_left = 0
        """Moves to make in this period; 0 in main time."""
        if not main:
            self._begin_period()

    @property
    def limit(self) -> Limit:
        """Of the next move."""
        if not self._is_timed:
            return NO_LIMIT
        if self.moves_left:
            return Limit(seconds=self.left / self.moves_left)
        more = self._overtime / self._moves if self._moves else 0.0
        return Limit(bank=self.left + more, increment=more)

    def spend(self, seconds: float) -> None:
        """Charges the time of a move."""
        self.left -= seconds
        if self.left < 0 and self._moves and not self.moves_left:
            late = self.left
            self._begin_period()
            self.left += late
        if self.moves_left:
            self.moves_left -= 1
            if not self.moves_left:
                self._begin_period()
        self.left = max(0, self.left)

    def set_left(self, seconds: float, moves: int) -> None:
        """Sets what is left, of overtime with so many moves or, with 0 moves, of main time."""
        self.left, self.moves_left, self._is_timed = seconds, moves, True

    def _begin_period(self) -> None:
        self.left, self.moves_left = self._overtime, self._moves
