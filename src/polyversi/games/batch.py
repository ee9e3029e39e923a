"""Batches: thousands of games of one variant stepped at once from NumPy arrays."""

from __future__ import annotations

from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import NDArray

from polyversi import _core
from polyversi.games.errors import IllegalMoveError, VariantError
from polyversi.games.game import Game
from polyversi.games.result import RANK_POINTS
from polyversi.games.state import State
from polyversi.games.variants import game as find_game

MAX_GAMES = 100_000_000


class Batch(_core.Batch):
    """Games of one variant side by side; every step plays one move in each that is not over.

    >>> import polyversi as pv
    >>> games = pv.batch("othello", 1000, seed=1)
    >>> while not games.done.all():
    ...     games.play(games.random_actions())
    >>> games.scores.shape, float(games.points.sum())
    ((1000, 2), 1000.0)
    """

    game: Game

    def __init__(self, game: Game, count: int, seed: int = 0) -> None:
        """`count` games; where the set-up is random, game n starts from the set-up of seed + n."""
        _check(count, seed)
        drawn = game.definition.random_cells
        starts = [game.start(seed + number) for number in range(count)] if drawn else [game.start()] * count
        super().__init__(game, starts, seed)
        self.game = game

    def play(self, actions: NDArray[np.integer[Any]]) -> None:
        """Plays one move in every game, by action number; what is given for a finished game is ignored."""
        given = np.asarray(actions)
        if given.dtype.kind not in "iu":
            raise TypeError(f"actions are whole numbers, not {given.dtype}")
        if given.dtype != np.int32:
            fitting = given.astype(np.int32)
            wrapped = fitting != given    # into fewer bits: no such number is an action
            if wrapped.shape == (len(self),) and (wrapped & ~self.done).any():
                number = int((wrapped & ~self.done).argmax())
                raise IllegalMoveError(f"game {number} of the batch: {given[number]} is not an action; "
                                       f"the actions of {self.game.spec} are 0 to {self.game.actions - 1}")
            given = fitting
        super().play(given)

    def __getitem__(self, index: int) -> State:
        """The state of one game."""
        if not -len(self) <= index < len(self):
            raise IndexError(f"there is no game {index}; the batch has {len(self)} games")
        return self.state_of(State, index % len(self))

    @property
    def points(self) -> NDArray[np.float64]:
        """The points of each seat in every finished game, as `Result.points` has them; zero in the others."""
        scores = self.scores if self.game.definition.goal == "most" else -self.scores
        ranks = 1 + (scores[:, None, :] > scores[:, :, None]).sum(axis=2)
        if self.game.definition.scoring == "ranks":
            points: NDArray[np.float64] = np.asarray(RANK_POINTS)[ranks - 1]
        else:
            points = (ranks == 1) / (ranks == 1).sum(axis=1, keepdims=True)
        points[~self.done] = 0
        return points


def batch(game: Game | str, count: int, seed: int = 0) -> Batch:
    """Many games side by side, of a game or of the one that a specification names.

    >>> games = batch("hex", 3, seed=7)
    >>> games.legal.shape, games.turns.tolist()
    ((3, 62), [1, 1, 1])
    """
    return Batch(game if isinstance(game, Game) else find_game(game), count, seed)


def playouts(state: State, count: int, seed: int = 0) -> NDArray[np.int32]:
    """The final stones of each seat in so many random games from a state: shape (count, seats).

    >>> import polyversi as pv
    >>> playouts(pv.game("othello").start(), 100, seed=3).shape
    (100, 2)
    """
    _check(count, seed)
    return _core.playouts(state, count, seed)


def _check(count: int, seed: int) -> None:
    is_possible = all(isinstance(number, Integral) for number in (count, seed))
    if not is_possible or not 0 <= count <= MAX_GAMES or seed < 0:
        raise VariantError(f"{count!r} games from seed {seed!r} are not possible: "
                           f"a batch has 0 to {MAX_GAMES:,} games, and a seed is 0 or more")
