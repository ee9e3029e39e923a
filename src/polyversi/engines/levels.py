"""Levels: search depth and evaluation noise, from beginner to full strength."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from polyversi._core import ScoredMove
    from polyversi.games.state import State


@dataclass(frozen=True)
class Level:
    """How strong the engine plays; a depth of 0 leaves that to the limit of a move."""

    number: int
    depth: int
    """Plies of the search."""
    exact: int
    """Empty cells from which on it solves the endgame."""
    noise: float = 0.0
    """Standard deviation of the noise added to every value, in stones."""


STRONGEST = 20
LEVELS = {
    level.number: level
    for level in (
        Level(1, 1, 1, 10.0), Level(2, 1, 2, 7.0), Level(3, 1, 3, 5.0), Level(4, 2, 4, 4.0),
        Level(5, 2, 5, 3.0), Level(6, 2, 6, 2.0), Level(7, 3, 7, 1.5), Level(8, 3, 8, 1.0),
        Level(9, 4, 9, 0.5), Level(10, 4, 10), Level(11, 5, 11), Level(12, 6, 12), Level(13, 7, 14),
        Level(14, 8, 16), Level(15, 10, 18), Level(16, 12, 20), Level(17, 13, 21), Level(18, 14, 21),
        Level(19, 15, 22), Level(STRONGEST, 0, 0),
    )
}
"""Every level by its number; the strongest searches as deep as the limit of a move allows."""


def noisy_choice(state: State, moves: Sequence[ScoredMove], level: Level, seed: int) -> ScoredMove:
    """The best move after noise is added to every value; the same position and seed give the same noise.

    >>> import polyversi as pv
    >>> state = pv.game("othello").start().play("f5")
    >>> moves = [(move, value, [move]) for move, value in zip(state.moves, (0, -2, -30))]
    >>> sorted({str(noisy_choice(state, moves, LEVELS[3], seed)[0]) for seed in range(100)})
    ['d6', 'f4']
    """
    random = Random(f"{seed} {state.text}")
    return max(moves, key=lambda scored: scored[1] + random.gauss(0, level.noise))
