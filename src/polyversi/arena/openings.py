"""Openings: positions to begin from, so that players that always answer alike do not repeat one game."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from polyversi.games.errors import PlayerError
from polyversi.players.random_player import stone_moves

if TYPE_CHECKING:
    from polyversi.games.game import Game
    from polyversi.games.state import State

TRIES = 100
"""How many times a game that is over too soon is begun again."""
SETUPS = 10
"""How many set-ups are tried, where they are drawn."""


def opening(game: Game, plies: int, seed: int) -> State:
    """The state after so many random plies; the seed draws them and, where it is random, the set-up.

    >>> import polyversi as pv
    >>> state = opening(pv.game("othello"), 4, seed=1)
    >>> sum(state.scores), state == opening(pv.game("othello"), 4, seed=1)
    (8, True)
    """
    chance = random.Random(seed)
    # Now and then a set-up is drawn in which nobody can play for so long: then the next one is taken.
    for setup in range(seed, seed + (SETUPS if game.definition.drawn else 1)):
        for _ in range(TRIES):
            state = game.start(setup)
            for _ in range(plies):
                if state.is_over:
                    break
                state = state.play(chance.choice(stone_moves(state)))
            if not state.is_over:
                return state
    raise PlayerError(f"{game.spec} is over within {plies} random plies; choose a shorter opening")
