"""The lines of a move: which stones it encloses in which direction, and which cells no line can cross."""

from __future__ import annotations

from dataclasses import dataclass

from polyversi._core import Move
from polyversi.games.board import HEXAGON_DIRECTIONS, SQUARE_DIRECTIONS, Board
from polyversi.games.state import State
from polyversi.games.tiles import EXPANSION


@dataclass(frozen=True)
class EnclosedLine:
    """Stones in a row that a move encloses, and the stone at the far end."""

    cells: tuple[int, ...]
    far: int
    is_joined: bool
    """Whether it crosses a joined edge or a transition."""


def enclosed_lines(state: State, move: Move) -> list[EnclosedLine]:
    """The lines on which a stone encloses others, clockwise from the top.

    >>> import polyversi as pv
    >>> state = pv.game("othello").start().play("f5").play("d6")
    >>> lines = enclosed_lines(state, state.as_move("c5"))
    >>> [[state.board.name(cell) for cell in line.cells] for line in lines]
    [['d5']]
    """
    board, lines = state.board, []
    for direction in range(board.directions):
        cells: list[int] = []
        here, is_joined = move.cell * board.directions + direction, False
        while (there := board.steps[here]) >= 0 and there // board.directions != move.cell:
            is_joined = is_joined or not _is_straight(board, here, there)
            here, cell = there, there // board.directions
            if state.tiles[cell] == state.turn:
                if cells:
                    lines.append(EnclosedLine(tuple(cells), cell, is_joined))
                break
            if not (1 <= state.tiles[cell] <= state.game.seats or state.tiles[cell] == EXPANSION):
                break
            cells.append(cell)
    return lines


def _is_straight(board: Board, here: int, there: int) -> bool:
    """Whether a step leads to the neighbour that one sees."""
    offsets = SQUARE_DIRECTIONS if board.layout == "square" else HEXAGON_DIRECTIONS
    (x, y), (dx, dy) = board.coordinates[here // board.directions], offsets[here % board.directions]
    return board.at(x + dx, y + dy) == there // board.directions


def secure_cells(board: Board) -> tuple[int, ...]:
    """The cells on which a stone can never be enclosed, such as corners: no line runs across them.

    >>> import polyversi as pv
    >>> [pv.game("othello").board.name(cell) for cell in secure_cells(pv.game("othello").board)]
    ['a1', 'h1', 'a8', 'h8']
    >>> secure_cells(pv.game("torus").board)
    ()
    """
    count, half = board.directions, board.directions // 2

    def is_crossed(cell: int) -> bool:
        steps = board.steps[cell * count:(cell + 1) * count]
        return any(one >= 0 and other >= 0 for one, other in zip(steps[:half], steps[half:], strict=True))

    return tuple(cell for cell in range(board.size) if not is_crossed(cell))


def neighbours(board: Board, cell: int) -> tuple[int, ...]:
    """The cells one step away.

    >>> import polyversi as pv
    >>> [pv.game("othello").board.name(cell) for cell in neighbours(pv.game("othello").board, 0)]
    ['b1', 'b2', 'a2']
    """
    steps = board.steps[cell * board.directions:(cell + 1) * board.directions]
    return tuple(dict.fromkeys(step // board.directions for step in steps if step >= 0))
