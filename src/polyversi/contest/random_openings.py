"""Openings: positions to begin from, so that players that always answer alike do not repeat one game."""

from __future__ import annotations

import random
from functools import lru_cache
from typing import TYPE_CHECKING

from polyversi.engines import Engine
from polyversi.games.errors import PlayerError
from polyversi.games.limit import Limit
from polyversi.games.state import State
from polyversi.players.random_player import stone_moves

if TYPE_CHECKING:
    from polyversi.games.game import Game

TRIES = 100
"""How many times a game that is over too soon is begun again."""
SETUPS = 10
"""How many set-ups are tried, where they are drawn."""
EVEN = 2
"""Stones by which a balanced opening may favour a side."""
JUDGED = Limit(depth=8)
"""How closely the engine looks at an opening."""
OPENINGS_JUDGED = 300
"""How many are looked at before the most even of them is taken."""


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


@lru_cache(maxsize=1024)
def balanced_opening(game: Game, plies: int, seed: int) -> State:
    """The same, but of random openings one that gives neither side more than a little, as the engine sees it.

    >>> import polyversi as pv
    >>> state = balanced_opening(pv.game("othello"), 8, seed=1)
    >>> abs(pv.engine("othello").think(state, pv.Limit(depth=8)).best.value) <= EVEN
    True
    """
    judged: list[tuple[int, State]] = []
    for attempt in range(OPENINGS_JUDGED):
        state = opening(game, plies, random.Random(f"{seed}/{attempt}").getrandbits(32))
        # A new engine each time: what one remembers of earlier positions would change its mind.
        lead = abs(Engine(game, megabytes=1).think(state, JUDGED).best.value)
        if lead <= EVEN:
            return state
        judged.append((lead, state))
    return min(judged, key=lambda one: one[0])[1]
