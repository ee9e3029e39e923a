"""Levels: how far the engine looks and how much it misjudges what it sees, beginner to full strength."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from polyversi._core import Move
    from polyversi.games.state import State


@dataclass(frozen=True)
class Level:
    """What the engine may do; 0 where nothing but the limit of a move counts."""

    number: int
    depth: int
    """Plies that it looks ahead."""
    exact: int
    """Empty cells from which on it looks to the end of the game."""
    wobble: float = 0.0
    """Stones by which it misjudges each move, as a standard deviation."""


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
"""Every level by its number; the strongest looks as far as the limit of a move allows."""


def mistaken(state: State, values: Sequence[tuple[Move, int]], level: Level, seed: int) -> Move:
    """The move that seems best when every value is misjudged a little: the worse a move, the rarer it is.

    The same position is always misjudged alike.

    >>> import polyversi as pv
    >>> state = pv.game("othello").start().play("f5")
    >>> values = [(move, value) for move, value in zip(state.moves, (0, -2, -30))]
    >>> sorted({str(mistaken(state, values, LEVELS[3], seed)) for seed in range(100)})
    ['d6', 'f4']
    """
    lots = Random(f"{seed} {state.text}")
    return max(values, key=lambda valued: valued[1] + lots.gauss(0, level.wobble))[0]
