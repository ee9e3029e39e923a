"""The clocks of a game in GTP: a time for the game, then periods for so many moves each."""

from __future__ import annotations

from polyversi.games.limit import NO_LIMIT, Limit


class Clock:
    """What a seat may still spend: seconds of the game, then of periods with some moves in each.

    A period without moves says that nobody counts; a game without any time can mean nothing else.

    >>> clock = Clock(game=60, period=10, moves=5)
    >>> clock.limit
    Limit(seconds=None, bank=62.0, increment=2.0, depth=None, nodes=None)
    >>> clock.spend(63)
    >>> clock.left, clock.moves_left, clock.limit.seconds
    (7, 4, 1.75)
    >>> Clock(game=0, period=1, moves=0).limit.is_timed
    False
    """

    def __init__(self, game: float = 0, period: float = 0, moves: int = 0) -> None:
        self._period, self._moves = period, moves
        self._is_counted = bool(moves) if period else bool(game)
        self.left = game
        """Seconds of the game or of the period."""
        self.moves_left = 0
        """Moves to make in this period; 0 before the first."""
        if not game:
            self._begin_period()

    @property
    def limit(self) -> Limit:
        """What the next move may take."""
        if not self._is_counted:
            return NO_LIMIT
        if self.moves_left:
            return Limit(seconds=self.left / self.moves_left)
        more = self._period / self._moves if self._moves else 0.0
        return Limit(bank=self.left + more, increment=more)

    def spend(self, seconds: float) -> None:
        """Takes what a move has cost."""
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
        """What is left by another count, of a period for so many moves or of the game before the first."""
        self.left, self.moves_left, self._is_counted = seconds, moves, True

    def _begin_period(self) -> None:
        self.left, self.moves_left = self._period, self._moves
