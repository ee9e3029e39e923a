"""Solving: the exact value of a position by searching everything that can still happen."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from polyversi import _core
from polyversi.engines.making import EngineError, new_search, position_in
from polyversi.engines.openings import in_opening
from polyversi.games.tiles import EMPTY

if TYPE_CHECKING:
    from pathlib import Path

    from polyversi.engines.weights import Weights
    from polyversi.games.game import Game
    from polyversi.games.state import State

MEGABYTES, MORE_MEGABYTES = 64, 1024
"""What a solver remembers positions in, where nothing else is said, and what long searches gain from."""
LONG = 28
"""Empty cells from which on a search is long."""


@dataclass(frozen=True)
class Solution:
    """What perfect play leads to."""

    value: int
    """Stones of the seat to move less those of the other at the end; in games for the fewest stones the other
    way round, so that a positive value is always a win. Empty cells count for nobody."""
    line: tuple[_core.Move, ...]
    """Moves with which both sides reach it, to the end of the game."""
    is_winner_only: bool
    """Whether the value only says who wins: 1, 0 or -1."""
    nodes: int
    """Positions that were looked at."""
    seconds: float

    @property
    def best(self) -> _core.Move | None:
        """The first move of the line; None when the game is over."""
        return self.line[0] if self.line else None


class Solver:
    """Solves positions of one game; what it has learnt from one helps with the next.

    Weights only say where to look first: others take other time, and lead to the same values.

    >>> import polyversi as pv
    >>> solution = Solver(pv.game("othello-4")).solve(pv.game("othello-4").start())
    >>> solution.value, solution.best
    (-8, Move('b1'))
    >>> " ".join(map(str, solution.line))
    'b1 a1 a2 c1 d4 a3 d1 b4 a4 c4'
    """

    def __init__(
        self, game: Game, threads: int = 1, megabytes: int = MEGABYTES,
        weights: Weights | Path | str | None = None,
    ) -> None:
        self.game = game
        self._core = new_search(game, threads, megabytes, weights)

    @property
    def nodes(self) -> int:
        """Positions looked at so far; also while another thread solves."""
        return self._core.nodes

    def solve(self, state: State, *, winner_only: bool = False) -> Solution:
        """The value of a position, or only who wins, which is found sooner.

        >>> import polyversi as pv
        >>> state = pv.game("othello-5").start()
        >>> Solver(state.game).solve(state, winner_only=True).value
        1
        """
        state = position_in(self.game, state)
        check_opened(state)
        begin, before = time.perf_counter(), self._core.nodes
        furthest = 1 if winner_only else len(state.tiles)
        found = self._core.solve(state, -furthest, furthest)
        if found is None:
            raise EngineError("the solver was stopped")
        value, line = found
        seconds = time.perf_counter() - begin
        return Solution(value, tuple(line), winner_only, self._core.nodes - before, seconds)

    def stop(self) -> None:
        """Ends what another thread is solving with an error, and all that is asked later, until `go_on`."""
        self._core.stop()

    def go_on(self) -> None:
        """Lets it solve again after a stop."""
        self._core.go_on()


def usual_megabytes(state: State) -> int:
    """What a solver should remember positions in to solve this one.

    >>> import polyversi as pv
    >>> usual_megabytes(pv.game("othello-4").start()), usual_megabytes(pv.game("othello-6").start())
    (64, 1024)
    """
    return MEGABYTES if state.tiles.count(EMPTY) < LONG else MORE_MEGABYTES


def check_opened(state: State) -> None:
    """Raises an EngineError for a position in whose opening stones are still laid."""
    if in_opening(state):
        raise EngineError("a game is solved when its opening is over; play the first stones")
