"""Where things lie in a drawing: centres and outlines of cells, labels, joined edges, arcs of transitions.

A point is a complex number: its real part runs right and its imaginary part runs down.
"""

from __future__ import annotations

import cmath
import math
import string
from typing import NamedTuple

from polyversi.games.board import SQUARE_DIRECTIONS, Board, Link

UNIT = 40.0
"""The distance between the centres of neighbouring cells."""
ROW = UNIT * math.sqrt(3) / 2
"""The distance between two rows of hexagons."""
PORT = 6.5
"""The radius of the coloured port at either end of a transition."""


class Joined(NamedTuple):
    """Which edges of a board are joined along their whole length."""

    columns: bool
    """Left and right."""
    rows: bool
    """Top and bottom."""


class Layout:
    """Where everything lies in the drawing of a board.

    >>> from polyversi.games.board import hexagon, rectangle
    >>> layout = Layout(rectangle(8, 8))
    >>> layout.width, layout.centre(0), layout.centre(1)
    (376.0, (48+48j), (88+48j))
    >>> hexes = Layout(hexagon(5))
    >>> step = hexes.centre(5) - hexes.centre(0)    # from cell 11 down-left to cell 21
    >>> round(step.real), round(step.imag)
    (-20, 35)
    """

    def __init__(self, board: Board) -> None:
        self.board = board
        self.hexagonal = board.layout == "hexagon"
        self.transitions = transitions(board)
        self.margin = UNIT * (1.15 if self.transitions else 0.7)
        self._origin = 0j
        columns, rows = float(board.width), board.height * UNIT
        if self.hexagonal:
            places = [x - y / 2 for x, y in board.coordinates]
            self._origin = complex(-min(places) * UNIT, ROW * 2 / 3 - UNIT / 2)
            columns, rows = max(places) - min(places) + 1, (board.height + 1 / 3) * ROW
        self.width = columns * UNIT + 2 * self.margin
        """The width of the drawing, labels included."""
        # Under a hexagon there are no labels.
        self.height = rows + self.margin * (1.3 if self.hexagonal else 2)
        """The height of the drawing, labels included."""

    def place(self, x: float, y: float) -> complex:
        """The middle of column x and row y, whether a cell is there or not."""
        at = complex((x - y / 2) * UNIT, y * ROW) if self.hexagonal else complex(x, y) * UNIT
        return at + self._origin + (self.margin + UNIT / 2) * (1 + 1j)

    def centre(self, cell: int) -> complex:
        """The middle of a cell."""
        return self.place(*self.board.coordinates[cell])

    @property
    def outline(self) -> tuple[complex, ...]:
        """The corners of any cell, seen from its middle."""
        if self.hexagonal:
            radius = UNIT / math.sqrt(3)
            return tuple(cmath.rect(radius, math.radians(angle)) for angle in range(-90, 270, 60))
        return tuple(corner * UNIT / 2 for corner in (-1 - 1j, 1 - 1j, 1 + 1j, -1 + 1j))

    def side(self, direction: int) -> complex:
        """The way from a cell's middle to the edge or the corner through which a step leaves it."""
        if self.hexagonal:
            return cmath.rect(UNIT / 2, math.radians(60 * direction - 60))
        return complex(*SQUARE_DIRECTIONS[direction]) * UNIT / 2

    def labels(self) -> list[tuple[complex, str]]:
        """The names of columns and rows round the board."""
        columns, rows = axis_names(self.board)
        if self.hexagonal:
            # A column runs from the upper right to the lower left: its letter stands beyond its upper end.
            top = {x: self.place(x, y) for x, y in reversed(self.board.coordinates)}
            left = {y: self.place(x, y) for x, y in reversed(self.board.coordinates)}
            beyond, before = self.side(0) * 1.65, self.side(4) * 1.65
            return [*((top[x] + beyond, name) for x, name in enumerate(columns)),
                    *((left[y] + before, name) for y, name in enumerate(rows))]
        gap = 0.5 + self.margin / UNIT * (0.76 if self.transitions else 0.5)
        right, bottom = self.board.width - 1 + gap, self.board.height - 1 + gap
        return [(self.place(x, y), name) for x, name in enumerate(columns) for y in (-gap, bottom)] + [
            (self.place(x, y), name) for y, name in enumerate(rows) for x in (-gap, right)
        ]

    def port(self, cell: int, direction: int) -> complex:
        """The middle of the coloured port just outside a cell, where a transition begins."""
        side = self.side(direction)
        return self.centre(cell) + side + side / abs(side) * PORT

    def dots(self) -> list[complex]:
        """The dots of a wooden Othello board, two cells from each corner; there are none on other boards."""
        board = self.board
        if (board.layout, board.notation, board.width, board.height) != ("square", "letters", 8, 8):
            return []
        return [self.place(x, y) for y in (1.5, 5.5) for x in (1.5, 5.5)]

    def joined(self) -> list[tuple[complex, complex]]:
        """The lines along the edges that are joined along their whole length."""
        edges, near = joined_edges(self.board), self.margin * (1 + 1j)
        across, down = self.width - 2 * self.margin, (self.height - 2 * self.margin) * 1j
        lines = [(start, start + down) for start in (near, near + across) if edges.columns]
        return lines + [(start, start + across) for start in (near, near + down) if edges.rows]

    def stub(self, cell: int, direction: int) -> complex:
        """Where a transition begins within its cell."""
        return self.centre(cell) + self.side(direction) * 0.8

    def arc(self, link: Link) -> tuple[complex, complex, complex, complex]:
        """The Bézier curve of a transition: out along the one direction, in along the other."""
        start, end = self.port(link.cell, link.direction), self.port(link.to, link.entry)
        out, back = (side / abs(side) for side in (self.side(link.direction), self.side(link.entry)))
        chord = end - start
        reach = min(max(abs(chord) * 0.4, UNIT), 6 * UNIT)
        bow = 0j
        if _parallel(out, chord) and _parallel(back, chord) and _dot(out, chord) < 0:
            # The straight way would lie upon the cells of the line itself: swing round them.
            across = out * 1j
            inward = 1 if _dot(across, complex(self.width, self.height) / 2 - start) >= 0 else -1
            bow = across * inward * reach * 0.8
        return start, self._inside(start + out * reach + bow), self._inside(end + back * reach + bow), end

    def _inside(self, point: complex) -> complex:
        """The nearest point within the drawing; a curve stays within the hull of its points."""
        return complex(min(max(point.real, 2), self.width - 2), min(max(point.imag, 2), self.height - 2))


def axis_names(board: Board) -> tuple[list[str], list[str]]:
    """The names of a board's columns and rows: letters and numbers from 1, on XT maps numbers from 0.

    >>> from polyversi.games.board import rectangle
    >>> axis_names(rectangle(3, 2))
    (['a', 'b', 'c'], ['1', '2'])
    """
    if board.notation == "letters":
        return list(string.ascii_lowercase[: board.width]), [str(y + 1) for y in range(board.height)]
    return [str(x) for x in range(board.width)], [str(y) for y in range(board.height)]


def _dot(one: complex, other: complex) -> float:
    return (one * other.conjugate()).real


def _parallel(one: complex, other: complex) -> bool:
    return abs((one * other.conjugate()).imag) < 1e-6


def _crossing(board: Board, link: Link) -> Joined | None:
    """The edges that a straight step over the border crosses, or None when the link does not run on."""
    if board.layout != "square" or link.entry != (link.direction + 4) % 8:
        return None
    (x, y), (dx, dy) = board.coordinates[link.cell], SQUARE_DIRECTIONS[link.direction]
    if board.coordinates[link.to] != ((x + dx) % board.width, (y + dy) % board.height):
        return None
    return Joined(not 0 <= x + dx < board.width, not 0 <= y + dy < board.height)


def joined_edges(board: Board) -> Joined:
    """Which edges are joined along their whole length, as on a cylinder or a torus.

    >>> from polyversi.games.board import joined, rectangle
    >>> joined_edges(joined(rectangle(8, 8), columns=True, rows=False))
    Joined(columns=True, rows=False)
    """
    straight = [_crossing(board, link) for link in board.links if link.direction % 2 == 0]
    columns, rows = straight.count(Joined(True, False)), straight.count(Joined(False, True))
    return Joined(columns == board.height, rows == board.width)


def transitions(board: Board) -> tuple[Link, ...]:
    """The links that need an arc of their own: those that joined edges do not already show.

    >>> from polyversi.games.board import joined, rectangle
    >>> transitions(joined(rectangle(8, 8), columns=True, rows=False))
    ()
    """
    columns, rows = joined_edges(board)
    return tuple(link for link in board.links if not (crossing := _crossing(board, link))
                 or crossing.columns > columns or crossing.rows > rows)
