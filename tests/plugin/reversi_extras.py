"""Games on a plus, a sieve, a corridor and a diagonal, and a player that likes corners."""

from __future__ import annotations

from typing import Annotated

from polyversi import Definition, Game, Limit, Move, State
from polyversi.games.board import centre_cells, rectangle
from polyversi.games.families import GOAL, SQUARE
from polyversi.games.family import Family, Number, Values, Variant
from polyversi.players import HARMLESS, NAMES_FILE, Resource


def define_plus(values: Values) -> Definition:
    """A square without its corners, each `cut` cells wide."""
    cut, size = int(values["cut"]), 10
    far = range(size - cut, size)
    holes = [(x, y) for x in (*range(cut), *far) for y in (*range(cut), *far)]
    board = rectangle(size, size, holes)
    stones = {board.at(x, y): seat for (x, y), seat in zip(centre_cells(board), (2, 1, 1, 2), strict=True)}
    start = tuple(stones.get(cell, 0) for cell in range(board.size))
    return Definition(board, start, goal="fewest" if values["goal"] == "fewest" else "most")


PLUS = Family(
    "plus", "On a plus", {"cut": Number(1, 3, default=2, label="Corners cut off"), "goal": GOAL}, define_plus,
    number="cut",
)

VARIANTS = [
    Variant("plus", "A board in the shape of a plus.", PLUS),
    Variant("sieve", "Othello with a hole in each quarter.", SQUARE, {"holes": "c3+f3+c6+f6"}),
]


def _start(columns: int, rows: int) -> Definition:
    board = rectangle(columns, rows)
    stones = dict(zip(centre_cells(board), (2, 1, 1, 2), strict=True))
    return Definition(board, tuple(stones.get(place, 0) for place in board.coordinates))


CORRIDOR = _start(12, 2)
DIAGONAL = Game("diagonal", _start(7, 7))


class Corners:
    """Plays in a corner if it can, otherwise the first or the last legal move."""

    last: bool = False
    """Whether it is the last legal move."""
    skip: Annotated[int, Number(0, 3), HARMLESS] = 0
    """How many corners it leaves out."""
    threads: Annotated[int, Number(1, 64), Resource(1)] = 1
    """Threads of its search, if it had one."""
    notes: Annotated[str, NAMES_FILE] = ""
    """A file of corners, if it read one."""

    def choose(self, state: State, limit: Limit) -> Move:
        """The move to play."""
        board = state.board
        corners = [move for move in state.moves if not move.is_pass
                   and sum(step >= 0 for step in board.steps[move.cell * 8 : move.cell * 8 + 8]) == 3]
        corners = corners[self.skip:]
        return (corners or [state.moves[-1 if self.last else 0]])[0]
