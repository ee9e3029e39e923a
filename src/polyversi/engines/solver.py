"""The solver: the exact value of a position and its principal variation."""

from __future__ import annotations

import time
from dataclasses import dataclass

from polyversi import _core
from polyversi.engines.search import DEFAULT_MEGABYTES, EngineError, GameSearch, in_opening
from polyversi.games.state import State
from polyversi.games.tiles import EMPTY

LARGE_MEGABYTES = 1024
"""The size of the transposition table for long searches."""
LONG = 28
"""The number of empty cells from which a search is long."""


@dataclass(frozen=True)
class Solution:
    """The result of perfect play."""

    value: int
    """By how many stones the seat to move wins, negative if it loses; in games for the fewest stones, by how
    many it has fewer. Cells that stay empty count as the game says: see `Definition.empties`."""
    principal_variation: tuple[_core.Move, ...]
    """Best play of both sides to the end of the game."""
    is_winner_only: bool
    """Whether the value only says who wins: 1, 0 or -1."""
    nodes: int
    seconds: float

    @property
    def best(self) -> _core.Move | None:
        """The best move; None when the game is over."""
        return self.principal_variation[0] if self.principal_variation else None


class Solver(GameSearch):
    """Solves positions of one game; its transposition table is kept from one to the next.

    Weights guide the search: other weights change the time it takes, but never the values.

    >>> import polyversi as pv
    >>> solution = Solver(pv.game("othello-4")).solve(pv.game("othello-4").start())
    >>> solution.value, solution.best
    (-8, Move('b1'))
    >>> " ".join(map(str, solution.principal_variation))
    'b1 a1 a2 c1 d4 a3 d1 b4 a4 c4'
    """

    def solve(self, state: State, *, winner_only: bool = False) -> Solution:
        """The value of a position, or only who wins, which is faster.

        >>> import polyversi as pv
        >>> state = pv.game("othello-5").start()
        >>> Solver(state.game).solve(state, winner_only=True).value
        1
        """
        state = self._own(state)
        check_opened(state)
        begin, before = time.perf_counter(), self._core.nodes
        bound = 1 if winner_only else len(state.tiles)
        found = self._core.solve(state, -bound, bound)
        if found is None:
            raise EngineError("the solver was stopped")
        seconds = time.perf_counter() - begin
        return Solution(found[0], tuple(found[1]), winner_only, self._core.nodes - before, seconds)


def default_megabytes(state: State) -> int:
    """The size of the transposition table to solve a position with.

    >>> import polyversi as pv
    >>> default_megabytes(pv.game("othello-4").start()), default_megabytes(pv.game("othello-6").start())
    (64, 1024)
    """
    return DEFAULT_MEGABYTES if state.tiles.count(EMPTY) < LONG else LARGE_MEGABYTES


def check_opened(state: State) -> None:
    """Raises an EngineError for a position of the placing phase."""
    if in_opening(state):
        raise EngineError("a game can be solved once its first stones are placed; play those first")
