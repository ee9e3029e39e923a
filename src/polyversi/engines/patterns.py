"""Patterns: the sets of cells whose contents the evaluation looks up, from a board's lines and symmetry."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice, product

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
    """For each way to turn or mirror the board onto itself, where each cell goes.

    >>> from polyversi.games.board import hexagon, rectangle
    >>> [len(symmetries(board)) for board in (rectangle(6, 6), rectangle(6, 5), hexagon(3))]
    [8, 4, 12]
    """
    vectors = SQUARE_DIRECTIONS if board.layout == "square" else HEXAGON_DIRECTIONS
    offsets = set(vectors)
    places = {place: cell for cell, place in enumerate(board.coordinates)}
    # Columns and rows of the matrix: where (1, 0) and (0, 1) go. It must carry every direction into another.
    found = []
    for (a, c), (b, d) in product(vectors, repeat=2):
        if {(a * x + b * y, c * x + d * y) for x, y in vectors} != offsets:
            continue
        turned = [(a * x + b * y, c * x + d * y) for x, y in board.coordinates]
        left, top = min(x for x, _ in turned), min(y for _, y in turned)
        to = [places.get((x - left, y - top)) for x, y in turned]
        if None not in to:
            found.append(tuple(cell for cell in to if cell is not None))
    return found


def lines(board: Board) -> list[Cells]:
    """Every line of the board from one end to the other; a long one in pieces."""
    axes = board.directions // 2
    found = []
    for direction, cell in product(range(axes), range(board.size)):
        if stepped(board, cell, direction + axes) is None:
            line = tuple(walk(board, cell, direction))
            found += [line[at : at + MAX_CELLS] for at in range(0, len(line), MAX_CELLS)]
    return found


def edges(board: Board) -> list[Cells]:
    """Every edge from corner to corner, once with the cells inside of the corners, once of its middle."""
    at_corner = set(corner_cells(board))
    found = []
    for cell, direction in product(sorted(at_corner), range(board.directions)):
        line = tuple(walk(board, cell, direction))
        if line[-1] in at_corner and 2 < len(line) <= MAX_CELLS - 2 and is_edge(board, line):
            inner = [innermost(board, end) for end in (line[0], line[-1])]
            found.append((inner[0], *line, inner[1]))
            found += [(line[0], *middle, line[-1], *behind) for middle, behind in _middles(board, line)]
    return found


def _middles(board: Board, edge: Cells) -> Iterable[tuple[Cells, Cells]]:
    """The middle of an edge, two cells from its corners on, and the row of cells inside of it."""
    middle = edge[2:-2]
    for inwards in sides_of(board, edge[0]):
        behind = tuple(cell for at in middle if (cell := stepped(board, at, inwards)) is not None)
        if len(middle) > 1 and len(behind) == len(middle) and not set(behind) & set(edge):
            yield middle, behind


def corners(board: Board) -> list[Cells]:
    """Around every corner: the cells that are near, a triangle, a strip two cells wide along each edge."""
    found = []
    for corner in corner_cells(board):
        distance = distances(board, corner)
        near = sorted((steps, cell) for cell, steps in distance.items() if steps <= CORNER_RADIUS)
        found.append(tuple(cell for _, cell in near[:MAX_CELLS]))
        sides = sides_of(board, corner)
        if len(sides) > 1:
            found.append(tuple(triangle(board, corner, sides[0], sides[1])))
        for along, inwards in product(sides, sides):
            if along != inwards:
                edge = list(walk(board, corner, along))[:ALONG_EDGE]
                behind = [stepped(board, cell, inwards) for cell in edge]
                found.append((*edge, *(cell for cell in behind if cell is not None)))
    return found


def sides_of(board: Board, corner: int) -> list[int]:
    """The directions in which edges leave a corner."""
    return [direction for direction in range(board.directions)
            if is_edge(board, tuple(walk(board, corner, direction)))]


def triangle(board: Board, corner: int, one: int, other: int) -> Iterable[int]:
    """The cells that are few steps from a corner when one walks along two directions only."""
    for place, first in enumerate(islice(walk(board, corner, one), TRIANGLE)):
        yield from islice(walk(board, first, other), TRIANGLE - place)


def corner_cells(board: Board) -> list[int]:
    """The cells that lie at the end of every line through them."""
    axes = board.directions // 2
    return [
        cell for cell in range(board.size)
        if all(None in (stepped(board, cell, axis), stepped(board, cell, axis + axes))
               for axis in range(axes))
        and sum(stepped(board, cell, direction) is not None for direction in range(board.directions)) > 1
    ]


def innermost(board: Board, corner: int) -> int:
    """The neighbour of a corner that has most neighbours itself."""
    neighbours = [cell for direction in range(board.directions)
                  if (cell := stepped(board, corner, direction)) is not None]
    return max(neighbours, key=lambda cell: sum(
        stepped(board, cell, direction) is not None for direction in range(board.directions)))


def is_edge(board: Board, line: Sequence[int]) -> bool:
    """Whether a line of some length lies along the border: on every cell something is missing beside it."""
    return len(line) > 2 and all(
        any(stepped(board, cell, direction) is None for direction in range(board.directions))
        for cell in line)


def stepped(board: Board, cell: int, direction: int) -> int | None:
    """The next cell in a direction."""
    to = board.steps[cell * board.directions + direction]
    return None if to < 0 else to // board.directions


def walk(board: Board, cell: int, direction: int) -> Iterable[int]:
    """The cells of a line from a cell on."""
    at: int | None = cell
    while at is not None:
        yield at
        at = stepped(board, at, direction)


def distances(board: Board, cell: int) -> dict[int, int]:
    """How many steps each cell is away."""
    found, border = {cell: 0}, [cell]
    while border:
        near = border.pop(0)
        for direction in range(board.directions):
            to = stepped(board, near, direction)
            if to is not None and to not in found:
                found[to] = found[near] + 1
                border.append(to)
    return found
