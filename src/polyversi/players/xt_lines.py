"""The straight paths of an XT map and what lies how near to what, transitions followed, as NumPy arrays."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from polyversi.games.board import Board

AXES = 4
"""Horizontal, vertical and the two diagonals: direction d of a step lies on axis d % 4."""


@dataclass(frozen=True)
class Paths:
    """The straight paths of a board. Every cell lies on four, one an axis; cell · 4 + axis is a *place*.

    A transition may turn a path, so one path can lie on different axes of different cells.
    """

    number: NDArray[np.int32]
    """Which path runs through a cell on an axis: shape (cells, 4)."""
    from_ends: NDArray[np.int32]
    """The places of each path from both its ends, at holes or the rim, filled up with -1: a column an end."""


@lru_cache(maxsize=16)
def paths(board: Board) -> Paths:
    """The straight paths of a board of squares; those that run in a circle have no ends.

    >>> from polyversi.games.board import rectangle
    >>> found = paths(rectangle(3, 2))
    >>> len(set(found.number.flat))    # two rows, three columns, and four diagonals each way
    13
    >>> (found.from_ends.T[:2] // 4).tolist()    # from the first cell: its diagonal up, and its row
    [[0, -1, -1], [0, 1, 2]]
    """
    walks = []
    number = np.full((board.size, AXES), -1, dtype=np.int32)
    for start in range(board.size * 8):
        cell, direction = divmod(start, 8)
        is_end = board.steps[cell * 8 + (direction + AXES) % 8] < 0
        if is_end or number[cell, direction % AXES] < 0:
            walk = _walk(board, start)
            number[walk // AXES, walk % AXES] = start
            walks += [walk] if is_end else []
    from_ends = np.full((max(map(len, walks), default=0), len(walks)), -1, dtype=np.int32)
    for column, walk in enumerate(walks):
        from_ends[: len(walk), column] = walk
    return Paths(number, from_ends)


def _walk(board: Board, start: int) -> NDArray[np.int32]:
    """The places on the way from a cell in a direction, until it ends or comes back to its beginning."""
    places: list[int] = []
    step = start
    while step >= 0 and (not places or step != start):
        places.append(step // 8 * AXES + step % AXES)
        step = board.steps[step]
    return np.array(places, dtype=np.int32)


@lru_cache(maxsize=16)
def near(board: Board, reach: int) -> NDArray[np.int32]:
    """The other cells within so many steps of each cell, as a bomb spreads: a row a cell, filled up with -1.

    >>> from polyversi.games.board import rectangle
    >>> near(rectangle(4, 1), 2).tolist()
    [[1, 2, -1], [0, 2, 3], [0, 1, 3], [1, 2, -1]]
    """
    around = [{to // 8 for to in board.steps[cell * 8 : cell * 8 + 8] if to >= 0}
              for cell in range(board.size)]
    reached = [1 << cell for cell in range(board.size)]    # the cells as bits
    for _ in range(reach):
        wider = list(reached)
        for cell, cells in enumerate(around):
            for other in cells:
                wider[cell] |= reached[other]
        if wider == reached:
            break
        reached = wider
    rows = [[at for at, bit in enumerate(f"{bits:b}"[::-1]) if bit == "1" and at != cell]
            for cell, bits in enumerate(reached)]
    longest = max(map(len, rows))
    return np.array([row + [-1] * (longest - len(row)) for row in rows], dtype=np.int32)
