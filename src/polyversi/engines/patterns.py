"""Patterns: the sets of cells whose contents the evaluation looks up, from a board's lines and symmetry."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, permutations, product

import numpy as np
from numpy.typing import NDArray

from polyversi.games.board import HEXAGON_DIRECTIONS, SQUARE_DIRECTIONS, Board

Cells = tuple[int, ...]
MAX_CELLS = 10
"""Of one pattern: it has three to this power configurations."""
MAX_PATTERNS = 64
"""Of one board, as many as the core takes."""
MIN_LINE = 4
"""Cells of the shortest line that is a pattern."""
CORNER_RADIUS = 2
"""Steps from a corner to the cells of its pattern."""
ALONG_EDGE = 5
"""Cells of the strip along an edge from its corner."""
TRIANGLE = 4
"""Cells along each side of the triangle in a corner."""


@dataclass(frozen=True)
class PatternClass:
    """Patterns that are images of each other under the symmetry of the board, and share their weights."""

    patterns: tuple[Cells, ...]
    symmetric_orders: tuple[tuple[int, ...], ...]
    """Other orders of the cells of a pattern that are equivalent."""

    @property
    def cells(self) -> int:
        """How many cells a pattern has."""
        return len(self.patterns[0])

    @property
    def configurations(self) -> int:
        """How many there are: each cell is empty, own or other."""
        return int(3**self.cells)

    @cached_property
    def canonical(self) -> NDArray[np.int32]:
        """For each configuration the first equivalent one."""
        configurations = np.arange(self.configurations)
        digits = np.stack([configurations // 3**place % 3 for place in range(self.cells)])
        first = configurations
        for order in self.symmetric_orders:
            mirrored = sum(digits[at] * 3**place for place, at in enumerate(order))
            first = np.minimum(first, mirrored)
        return first.astype(np.int32)


def pattern_classes(board: Board) -> tuple[PatternClass, ...]:
    """The patterns of a board: its edges with what lies inside of the corners, the corners, and its lines.

    >>> from polyversi.games.board import hexagon, rectangle
    >>> [(group.cells, len(group.patterns)) for group in pattern_classes(rectangle(8, 8))]
    [(10, 4), (10, 4), (9, 4), (10, 4), (10, 8), (8, 4), (8, 4), (8, 4), (5, 4), (6, 4), (7, 4), (8, 2)]
    >>> [(group.cells, len(group.patterns)) for group in pattern_classes(hexagon(4))]
    [(6, 6), (9, 6), (10, 6), (8, 12), (5, 6), (6, 6), (7, 3)]
    """
    found = _as_many_as_fit(board, (*edges(board), *corners(board), *lines(board)))
    if len({cell for group in found for cells in group.patterns for cell in cells}) < board.size:
        found = _as_many_as_fit(board, (*edges(board), *lines(board), *corners(board)))    # many corners
    return found


def _as_many_as_fit(board: Board, proposed: Iterable[Cells]) -> tuple[PatternClass, ...]:
    """Proposed patterns with all their images, each once, until there are enough."""
    moved = symmetries(board)
    found: list[PatternClass] = []
    known: list[set[int]] = []
    for repeated in proposed:
        cells = tuple(dict.fromkeys(repeated))    # beside a hole the cells inside of corners lie on the edge
        if len(cells) >= MIN_LINE and not any(set(cells) <= pattern for pattern in known):
            group = orbit(cells, moved)
            if len(known) + len(group.patterns) <= MAX_PATTERNS:
                known += [set(pattern) for pattern in group.patterns]
                found.append(group)
    return tuple(found)


def orbit(cells: Cells, moved: Iterable[Cells]) -> PatternClass:
    """A pattern with all its images under the symmetries of the board."""
    images: dict[frozenset[int], Cells] = {}
    symmetric_orders: set[tuple[int, ...]] = set()
    for to in moved:
        image = tuple(to[cell] for cell in cells)
        first = images.setdefault(frozenset(image), image)
        if first != image:
            symmetric_orders.add(tuple(first.index(cell) for cell in image))
    return PatternClass(tuple(images.values()), tuple(sorted(symmetric_orders)))


def symmetries(board: Board) -> list[Cells]:
    """For each way to turn or mirror the board onto itself, where each cell goes."""
    vectors = SQUARE_DIRECTIONS if board.layout == "square" else HEXAGON_DIRECTIONS
    offsets = set(vectors)
    # Columns and rows of the matrix: where (1, 0) and (0, 1) go. It must carry every direction into another.
    found = []
    for (a, c), (b, d) in product(vectors, repeat=2):
        if {(a * x + b * y, c * x + d * y) for x, y in vectors} != offsets:
            continue
        turned = [(a * x + b * y, c * x + d * y) for x, y in board.coordinates]
        left, top = min(x for x, _ in turned), min(y for _, y in turned)
        to = tuple(cell for x, y in turned if (cell := board.at(x - left, y - top)) is not None)
        if len(to) == board.size:
            found.append(to)
    return found


def lines(board: Board) -> list[Cells]:
    """Every line of the board from one end to the other; a long one in pieces."""
    axes = board.directions // 2
    found = []
    for direction, cell in product(range(axes), range(board.size)):
        if stepped(board, cell, direction + axes) is None:
            line = walk(board, cell, direction)
            found += [line[at : at + MAX_CELLS] for at in range(0, len(line), MAX_CELLS)]
    return found


def edges(board: Board) -> list[Cells]:
    """Every edge from corner to corner, with the cells inside its corners and with the row inside it."""
    at_corner = corner_cells(board)
    found: list[Cells] = []
    for corner, direction in product(at_corner, range(board.directions)):
        line = walk(board, corner, direction)
        if line[-1] in at_corner and len(line) <= MAX_CELLS - 2 and is_edge(board, line):
            found.append((innermost(board, corner), *line, innermost(board, line[-1])))
            middle = line[2:-2]
            for inwards in sides_of(board, corner):
                row = beside(board, middle, inwards)
                if 1 < len(middle) == len(row) and not set(row) & set(line):
                    found.append((corner, *middle, line[-1], *row))
    return found


def corners(board: Board) -> list[Cells]:
    """Around every corner: the cells that are near, a triangle, a strip two cells wide along each edge."""
    found: list[Cells] = []
    for corner in corner_cells(board):
        found.append(near(board, corner)[:MAX_CELLS])
        sides = sides_of(board, corner)
        if len(sides) > 1:
            firsts = walk(board, corner, sides[0])[:TRIANGLE]
            rows = [walk(board, first, sides[1])[: TRIANGLE - at] for at, first in enumerate(firsts)]
            found.append(tuple(chain.from_iterable(rows)))
        for along, inwards in permutations(sides, 2):
            edge = walk(board, corner, along)[:ALONG_EDGE]
            found.append((*edge, *beside(board, edge, inwards)))
    return found


def sides_of(board: Board, corner: int) -> list[int]:
    """The directions in which edges leave a corner."""
    return [direction for direction in range(board.directions)
            if is_edge(board, walk(board, corner, direction))]


def corner_cells(board: Board) -> list[int]:
    """The cells that lie at the end of every line through them."""
    axes, found = board.directions // 2, []
    for cell in range(board.size):
        around = neighbours(board, cell)
        is_end = all(None in ends for ends in zip(around[:axes], around[axes:], strict=True))
        if is_end and around.count(None) < board.directions - 1:
            found.append(cell)
    return found


def innermost(board: Board, corner: int) -> int:
    """The neighbour of a corner that has most neighbours itself."""
    around = [cell for cell in neighbours(board, corner) if cell is not None]
    return min(around, key=lambda cell: neighbours(board, cell).count(None))


def is_edge(board: Board, line: Cells) -> bool:
    """Whether a line of some length lies along the border: on every cell something is missing beside it."""
    return len(line) > 2 and all(None in neighbours(board, cell) for cell in line)


def near(board: Board, corner: int) -> Cells:
    """The cells within a few steps of a corner, the nearest first."""
    found = [corner]
    for _ in range(CORNER_RADIUS):
        around = {to for cell in found for to in neighbours(board, cell) if to is not None}
        found += sorted(around.difference(found))
    return tuple(found)


def beside(board: Board, cells: Cells, direction: int) -> Cells:
    """The next cells of some in a direction, where there are any."""
    return tuple(to for cell in cells if (to := stepped(board, cell, direction)) is not None)


def neighbours(board: Board, cell: int) -> list[int | None]:
    """The next cell in each direction."""
    return [stepped(board, cell, direction) for direction in range(board.directions)]


def stepped(board: Board, cell: int, direction: int) -> int | None:
    """The next cell in a direction."""
    to = board.steps[cell * board.directions + direction]
    return None if to < 0 else to // board.directions


def walk(board: Board, cell: int, direction: int) -> Cells:
    """The cells of a line from a cell on."""
    found = [cell]
    while (to := stepped(board, found[-1], direction)) is not None:
        found.append(to)
    return tuple(found)
