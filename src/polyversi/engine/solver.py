"""Solving: the exact value of a position by searching everything that can still happen."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from polyversi import _core
from polyversi.engine.weights import evaluation_for
from polyversi.games.errors import PolyversiError

if TYPE_CHECKING:
    from polyversi.games.game import Game
    from polyversi.games.state import State

MEGABYTES = 256
"""What a solver remembers positions in, where nothing else is said."""
MOST_THREADS = 256
MOST_MEGABYTES = 1 << 20


class CannotSolveError(PolyversiError):
    """The engine does not solve this game, or not with these options."""


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

    >>> import polyversi as pv
    >>> solution = Solver(pv.game("othello-4")).solve(pv.game("othello-4").start())
    >>> solution.value, solution.best
    (-8, Move('b1'))
    >>> " ".join(map(str, solution.line))
    'b1 a1 a2 c1 d4 a3 d1 b4 a4 c4'
    """

    def __init__(self, game: Game, threads: int = 1, megabytes: int = MEGABYTES) -> None:
        if not 1 <= threads <= MOST_THREADS:
            raise CannotSolveError(f"{threads} threads are not possible; 1 to {MOST_THREADS} are")
        if not 1 <= megabytes <= MOST_MEGABYTES:
            raise CannotSolveError(f"a table of {megabytes} MB is not possible; 1 to {MOST_MEGABYTES} are")
        self.game = game
        try:
            self._core = _core.Solver(game.start(), threads, megabytes, evaluation_for(game))
        except ValueError as error:
            raise CannotSolveError(f"{game.spec} cannot be solved: {error}") from None
        except MemoryError:
            raise CannotSolveError(f"there is no memory for a table of {megabytes} MB") from None
        except RuntimeError:
            raise CannotSolveError(f"this machine gives no {threads} threads") from None

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
        if state.game is not self.game:
            if state.game != self.game:
                raise CannotSolveError(f"this solver is for {self.game.spec}, not for {state.game.spec}")
            state = self.game.position(state.text)    # of an equal game, such as one from another process
        begin, before = time.perf_counter(), self._core.nodes
        furthest = 1 if winner_only else len(state.tiles)
        found = self._core.solve(state, -furthest, furthest)
        if found is None:
            raise CannotSolveError("the solver was stopped")
        value, line = found
        seconds = time.perf_counter() - begin
        return Solution(value, tuple(line), winner_only, self._core.nodes - before, seconds)

    def stop(self) -> None:
        """Ends what another thread is solving, which then raises an error; this solver solves no more."""
        self._core.stop()
