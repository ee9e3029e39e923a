"""What a cell is worth by where it lies: the tables of the HexaReversi course, for every board."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Literal

from polyversi.games.board import Board

Kind = Literal["corner", "beside corner", "edge", "inside corner", "towards corner", "inside edge", "inner"]

T97_VALUES: Mapping[Kind, int] = {
    "corner": 9, "beside corner": 3, "edge": 6, "inside corner": 1, "towards corner": 3, "inside edge": 2,
    "inner": 3,
}
"""The table of t97. On the course's board this is the course's table, number for number."""
T77_VALUES: Mapping[Kind, int] = {**T97_VALUES, "beside corner": 2, "towards corner": 4}
"""The table of t77: worse beside a corner, better where the way to a corner begins."""


@lru_cache(maxsize=64)
def kinds(board: Board) -> tuple[Kind, ...]:
    """What each cell is, by the lines on which it can be enclosed, from both of its ends.

    A corner has no such line, an edge one. Beside a corner lie the edge cells next to it, inside it the other
    cells next to it, towards it the cell behind those in a straight line; inside an edge lie the cells next
    to one. All others are inner cells: on a torus there is nothing else.

    >>> from polyversi.games.board import rectangle
    >>> board = rectangle(8, 8)
    >>> [kinds(board)[board.cell(name)] for name in ("a1", "b1", "c1", "b2", "c2", "c3", "d4")]
    ['corner', 'beside corner', 'edge', 'inside corner', 'inside edge', 'towards corner', 'inner']
    """
    lines = [enclosing_lines(board, cell) for cell in range(board.size)]
    corners = [cell for cell in range(board.size) if lines[cell] == 0]
    beside = {to // board.directions for corner in corners for to in _steps(board, corner)}
    edges = {cell for cell in range(board.size) if lines[cell] == 1}
    inside_edge = {to // board.directions for edge in edges for to in _steps(board, edge)}
    towards = {
        board.steps[to] // board.directions
        for corner in corners
        for to in _steps(board, corner)
        if lines[to // board.directions] > 1 and board.steps[to] >= 0
    }

    def kind(cell: int) -> Kind:
        if lines[cell] == 0:
            return "corner"
        if lines[cell] == 1:
            return "beside corner" if cell in beside else "edge"
        if cell in beside:
            return "inside corner"
        if cell in inside_edge:
            return "inside edge"
        return "towards corner" if cell in towards else "inner"

    return tuple(kind(cell) for cell in range(board.size))


def enclosing_lines(board: Board, cell: int) -> int:
    """How many lines go on at both sides of a cell, so that its stone can be enclosed on them.

    >>> from polyversi.games.board import hexagon
    >>> board = hexagon(5)
    >>> [enclosing_lines(board, board.cell(name)) for name in ("11", "12", "22")]
    [0, 1, 3]
    """
    count = board.directions
    here = board.steps[cell * count : (cell + 1) * count]
    return sum(one >= 0 and other >= 0 for one, other in zip(here, here[count // 2 :], strict=False))


def _steps(board: Board, cell: int) -> list[int]:
    """Where the steps from a cell lead, as entries of `board.steps`."""
    count = board.directions
    return [to for to in board.steps[cell * count : (cell + 1) * count] if to >= 0]
