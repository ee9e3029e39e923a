"""Positions of random games and what lies in their patterns, found plainly."""

from __future__ import annotations

from random import Random

import numpy as np
from numpy.typing import NDArray

import polyversi as pv
from polyversi import _core
from polyversi.engines.weights import Tables


def positions(game: pv.Game, count: int) -> list[pv.State]:
    """Positions of random games."""
    rng = Random(game.spec)
    found: list[pv.State] = []
    while len(found) < count:
        state = game.start()
        while not state.is_over:
            found.append(state)
            state = state.play(rng.choice(state.moves))
    return rng.sample(found, count)


def digits(state: pv.State) -> list[int]:
    """What lies on each cell, seen by the seat to move: nothing, an own stone, another's."""
    return [0 if tile == 0 else 1 if tile == state.next_seat else 2 for tile in state.tiles]


def words(state: pv.State) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    """The stones of the seat to move and of the other one, as the core has them."""
    lies, bits = digits(state), _core.cell_bits(state.game)
    own, other = (sum(1 << bits[cell] for cell in range(len(bits)) if lies[cell] == seat) for seat in (1, 2))
    return np.array([own], np.uint64), np.array([other], np.uint64)


def plain_contents(state: pv.State, tables: Tables) -> list[int]:
    """For each pattern the number of what lies in it."""
    stones = digits(state)
    return [first + sum(stones[cell] * 3**place for place, cell in enumerate(cells))
            for cells, first in tables.patterns]
