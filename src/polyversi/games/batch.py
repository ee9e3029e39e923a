"""Batches: thousands of games of one variant stepped at once from NumPy arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from polyversi import _core
from polyversi.games.result import XT_POINTS
from polyversi.games.state import State
from polyversi.games.variants import game as find_game

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from polyversi.games.game import Game


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
        if game.definition.drawn:
            starts = [game.start(seed + number) for number in range(count)]
        else:
            starts = [game.start()] * count
        super().__init__(game, starts, seed)
        self.game = game

    def __getitem__(self, index: int) -> State:
        """The state of one game."""
        return self.state_of(State, index if index >= 0 else len(self) + index)

    @property
    def points(self) -> NDArray[np.float64]:
        """The points of each seat in every finished game, as `Result.points` has them; zero in the others."""
        scores = self.scores if self.game.definition.goal == "most" else -self.scores
        ranks = 1 + (scores[:, None, :] > scores[:, :, None]).sum(axis=2)
        points = np.zeros(ranks.shape)
        if self.game.is_xt:
            points += np.asarray(XT_POINTS)[ranks - 1]
        else:
            points += (ranks == 1) / (ranks == 1).sum(axis=1, keepdims=True)
        points[~self.done] = 0
        return points


def batch(game: Game | str, count: int, seed: int = 0) -> Batch:
    """Many games side by side, of a game or of the one that a specification names.

    >>> games = batch("hex", 3, seed=7)
    >>> games.legal.shape, games.turns.tolist()
    ((3, 62), [1, 1, 1])
    """
    return Batch(find_game(game) if isinstance(game, str) else game, count, seed)


def playouts(state: State, count: int, seed: int = 0) -> NDArray[np.int16]:
    """The final stones of each seat in so many random games from a state: shape (count, seats).

    >>> import polyversi as pv
    >>> playouts(pv.game("othello").start(), 100, seed=3).shape
    (100, 2)
    """
    return _core.playouts(state, count, seed)
