"""Boards: cells with coordinates and names, and the table that says where a step from each cell leads."""

from __future__ import annotations

import re
import string
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

from polyversi.games.errors import NotationError, VariantError

Layout = Literal["square", "hexagon"]
Notation = Literal["letters", "pairs"]

SQUARE_DIRECTIONS = ((0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1))
"""(dx, dy) of the eight directions, clockwise from up."""
HEXAGON_DIRECTIONS = ((0, -1), (1, 0), (1, 1), (0, 1), (-1, 0), (-1, -1))
"""(dx, dy) of the six directions, clockwise from up-right."""

LETTER_NAME = re.compile(r"([a-z])([1-9][0-9]?)", re.ASCII)
PAIR_NAME = re.compile(r"(0|[1-9][0-9]{0,2}),(0|[1-9][0-9]{0,2})", re.ASCII)
COURSE_NUMBER = re.compile(r"([1-9])([1-9])", re.ASCII)


@dataclass(frozen=True, slots=True)
class Link:
    """A step that leads elsewhere than to the neighbouring cell, and back again the same way.

    Leaving `cell` through `direction` arrives at `to` travelling away from its side `entry`; leaving
    `to` through `entry` arrives at `cell` travelling away from its side `direction`.

    >>> Link(7, 2, 0, 6)    # leaving h1 to the right leads to a1, entered from its left side
    Link(cell=7, direction=2, to=0, entry=6)
    """

    cell: int
    direction: int
    to: int
    entry: int


@dataclass(frozen=True)
class Board:
    """Cells and lines: where stones can lie and which cell follows which in every direction.

    >>> board = rectangle(8, 8)
    >>> board.size, board.name(37), board.cell("f5")
    (64, 'f5', 37)
    >>> hexagon(5).cell("e5") == hexagon(5).cell("55")    # the course's numbers are read as well
    True
    """

    layout: Layout
    width: int
    """The number of columns that the coordinates span."""
    height: int
    """The number of rows that the coordinates span."""
    coordinates: tuple[tuple[int, int], ...]
    """Column and row of each cell, from 0, in board order: row by row from the top, left to right."""
    links: tuple[Link, ...] = ()
    """Steps that lead elsewhere: the transitions of maps, the joined edges of cylinder and torus."""
    notation: Notation = "letters"
    """How cells are named: `f5`, or `x,y` on XT maps."""

    def __post_init__(self) -> None:
        if not self.coordinates:
            raise VariantError("a board needs at least one cell")
        if any(not (0 <= x < self.width and 0 <= y < self.height) for x, y in self.coordinates):
            raise VariantError(f"a cell lies outside the {self.width} columns and {self.height} rows")
        if len(set(self.coordinates)) < len(self.coordinates):
            raise VariantError("two cells lie in the same place")
        if self.notation == "letters" and self.width > len(string.ascii_lowercase):
            raise VariantError("a board whose columns are letters has at most 26 columns")
        for link in self.links:
            if not (0 <= link.cell < self.size and 0 <= link.to < self.size
                    and 0 <= link.direction < self.directions and 0 <= link.entry < self.directions):
                raise VariantError(f"{link} has a cell or a direction that the board does not have")

    def __hash__(self) -> int:
        # Boards are keys of caches: a hash over thousands of coordinates would cost more than what is kept.
        return hash((self.layout, self.width, self.height, self.size, self.links[:4]))

    @property
    def size(self) -> int:
        """The number of cells."""
        return len(self.coordinates)

    @property
    def directions(self) -> int:
        """8 on squares, 6 on hexagons; the opposite of d is (d + directions // 2) % directions."""
        return 8 if self.layout == "square" else 6

    @cached_property
    def _index(self) -> dict[tuple[int, int], int]:
        return {place: cell for cell, place in enumerate(self.coordinates)}

    def at(self, x: int, y: int) -> int | None:
        """The cell in column x and row y, or None if no cell is there.

        >>> hexagon(3).at(0, 0), hexagon(3).at(4, 0)
        (0, None)
        """
        return self._index.get((x, y))

    @cached_property
    def steps(self) -> tuple[int, ...]:
        """Where a step leads: `steps[cell * directions + d]` is `cell2 * directions + d2`, or -1 at an edge.

        >>> rectangle(3, 3).steps[4 * 8 + 2] == 5 * 8 + 2    # one step right of the centre, still going right
        True
        """
        count = self.directions
        offsets = SQUARE_DIRECTIONS if self.layout == "square" else HEXAGON_DIRECTIONS
        table = [-1] * (self.size * count)
        cell_at = self._index.get    # called hundreds of thousands of times on the largest maps
        for cell, (x, y) in enumerate(self.coordinates):
            for direction, (dx, dy) in enumerate(offsets):
                if (neighbour := cell_at((x + dx, y + dy))) is not None:
                    table[cell * count + direction] = neighbour * count + direction
        half = count // 2
        for link in self.links:
            table[link.cell * count + link.direction] = link.to * count + (link.entry + half) % count
            table[link.to * count + link.entry] = link.cell * count + (link.direction + half) % count
        return tuple(table)

    @cached_property
    def _names(self) -> tuple[str, ...]:
        if self.notation == "pairs":
            return tuple(f"{x},{y}" for x, y in self.coordinates)
        return tuple(f"{string.ascii_lowercase[x]}{y + 1}" for x, y in self.coordinates)

    def name(self, cell: int) -> str:
        """The name of a cell: `f5`, or `x,y` on XT maps."""
        return self._names[cell]

    def number(self, cell: int) -> int:
        """The number the HexaReversi course gives a cell: ten times its row plus its column, from 1.

        >>> hexagon(5).number(hexagon(5).cell("e5"))
        55
        """
        x, y = self.coordinates[cell]
        return 10 * (y + 1) + x + 1

    @property
    def has_numbers(self) -> bool:
        """Whether the course's two-digit numbers name the cells of this board too."""
        return self.layout == "hexagon" and self.width <= 9

    def cell(self, name: str) -> int:
        """The cell of that name; a NotationError says what would be right."""
        place = self._place(name.strip().lower())
        if place is None:
            how = "column letter and row number"
            if self.notation == "pairs":
                how = "column and row, from 0 at the top left"
            example = self.name(self.size // 2)
            raise NotationError(f"'{shorten(name)}' is not a cell; write cells as '{example}' ({how})")
        if place not in self._index:
            cells = f"{self.name(0)} to {self.name(self.size - 1)}"
            raise NotationError(f"'{shorten(name)}' is not on this board; its cells run from {cells}")
        return self._index[place]

    def _place(self, name: str) -> tuple[int, int] | None:
        if self.notation == "pairs":
            return (int(match[1]), int(match[2])) if (match := PAIR_NAME.fullmatch(name)) else None
        if match := LETTER_NAME.fullmatch(name):
            return string.ascii_lowercase.index(match[1]), int(match[2]) - 1
        if self.has_numbers and (match := COURSE_NUMBER.fullmatch(name)):
            return int(match[2]) - 1, int(match[1]) - 1
        return None

    def __repr__(self) -> str:
        joined = f", {len(self.links)} links" if self.links else ""
        return f"<Board {self.layout} {self.width}×{self.height}, {self.size} cells{joined}>"


def shorten(text: str, limit: int = 40) -> str:
    """The text, cut where it would make an error message unreadable."""
    return text if len(text) <= limit else text[: limit - 1] + "…"


def printable(text: str) -> str:
    """The text without what could play tricks on a terminal.

    >>> printable("Ann\\x1b[2J\\n")
    'Ann?[2J?'
    """
    return "".join(character if character.isprintable() else "?" for character in text)


def rectangle(width: int, height: int, holes: Iterable[tuple[int, int]] = ()) -> Board:
    """A board of squares, without the cells named as holes.

    >>> rectangle(4, 4, holes=[(0, 0)]).size
    15
    """
    missing = frozenset(holes)
    for x, y in missing:
        if not (0 <= x < width and 0 <= y < height):
            raise VariantError(f"the hole ({x}, {y}) lies outside the columns 0 to {width - 1} "
                               f"and the rows 0 to {height - 1}")
    cells = tuple((x, y) for y in range(height) for x in range(width) if (x, y) not in missing)
    return Board("square", width, height, cells)


def octagon(size: int) -> Board:
    """A square board without the three cells at each corner.

    >>> octagon(8).size, octagon(10).size
    (52, 88)
    """
    corner = [(0, 0), (1, 0), (0, 1)]
    return rectangle(size, size, {(abs(left - x), abs(top - y)) for x, y in corner
                                  for left in (0, size - 1) for top in (0, size - 1)})


def hexagon(side: int) -> Board:
    """A hexagon with `side` cells along each edge.

    >>> [hexagon(side).size for side in (3, 4, 5)]
    [19, 37, 61]
    """
    span = 2 * side - 1
    cells = tuple((x, y) for y in range(span) for x in range(span) if abs(x - y) < side)
    return Board("hexagon", span, span, cells)


def joined(board: Board, *, columns: bool, rows: bool) -> Board:
    """The board with its left and right edges joined (`columns`), its top and bottom edges (`rows`), or both.

    >>> torus = joined(rectangle(8, 8), columns=True, rows=True)
    >>> torus.name(torus.steps[torus.cell("h1") * 8 + 1] // 8)    # one step up and right of h1
    'a8'
    """
    links = []
    for cell, (x, y) in enumerate(board.coordinates):
        for direction, (dx, dy) in enumerate(SQUARE_DIRECTIONS[:4]):
            column, row = x + dx, y + dy
            to = board.at(column % board.width if columns else column, row % board.height if rows else row)
            if board.at(column, row) is None and to is not None:
                links.append(Link(cell, direction, to, direction + 4))
    return replace(board, links=tuple(links))


def centre_cells(board: Board) -> Sequence[tuple[int, int]]:
    """The four places in the middle: top left, top right, bottom left, bottom right.

    >>> centre_cells(rectangle(8, 8))
    ((3, 3), (4, 3), (3, 4), (4, 4))
    """
    x, y = (board.width - 2) // 2, (board.height - 2) // 2
    return ((x, y), (x + 1, y), (x, y + 1), (x + 1, y + 1))
