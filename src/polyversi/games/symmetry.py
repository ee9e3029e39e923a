"""Symmetries: the rotations, reflections and translations that leave a board as it is."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from polyversi._core import Move
from polyversi.games.board import HEXAGON_DIRECTIONS, SQUARE_DIRECTIONS, Board, shorten
from polyversi.games.errors import NotationError
from polyversi.games.tiles import HOLE

if TYPE_CHECKING:
    from polyversi.games.game import Game

MAX_CELLS_FOR_TRANSLATIONS = 256
"""On larger boards with joined edges, translations are left out: there would be too many to be of use."""


@dataclass(frozen=True)
class Symmetry:
    """A rotation, reflection or translation of a game's board that changes nothing in its rules.

    >>> import polyversi as pv
    >>> game = pv.game("othello")
    >>> [str(symmetry) for symmetry in game.symmetries[:3]]
    ['identity', 'rotation by 90°, a1 to h1', 'rotation by 180°, a1 to h8']
    >>> quarter = game.symmetries[1]
    >>> quarter.move("b1"), quarter.inverse.move(game.move("h2"))
    (Move('h2'), Move('b1'))
    """

    degrees: int = field(compare=False)
    """How far the board is turned clockwise, after it was mirrored if it is."""
    is_mirrored: bool = field(compare=False)
    """Whether the board is mirrored first, so that left becomes right."""
    cells: tuple[int, ...]
    """Where each cell goes, in board order."""
    moves: tuple[Move, ...] = field(compare=False, repr=False)
    """What each move of the game becomes, by its index."""

    def move(self, move: Move | str) -> Move:
        """The same move, given as a Move or as text, on the transformed board."""
        if isinstance(move, str):
            move = self._named(move)
        return self.moves[move.index]

    def _named(self, text: str) -> Move:
        wanted = text.strip().lower()
        found = next((move for move in self.moves if str(move) == wanted), None)
        if found is None:
            raise NotationError(f"'{shorten(text)}' is not a move on this board; write a move such as "
                                f"'{self.moves[0]}'")
        return found

    def apply(self, tiles: bytes) -> bytes:
        """What lies on each cell of the transformed board, from what lies on each cell of this one."""
        return bytes([tiles[cell] for cell in self._sources])

    @cached_property
    def _sources(self) -> tuple[int, ...]:
        """From where the content of each cell comes."""
        return tuple(sorted(range(len(self.cells)), key=self.cells.__getitem__))

    @property
    def inverse(self) -> Symmetry:
        """The symmetry that takes everything back to where it was."""
        by_index = sorted(self.moves, key=lambda move: move.index)
        sources = sorted(range(len(self.moves)), key=lambda index: self.moves[index].index)
        degrees = self.degrees if self.is_mirrored else -self.degrees % 360
        return Symmetry(degrees, self.is_mirrored, self._sources, tuple(by_index[index] for index in sources))

    def __str__(self) -> str:
        if self.cells == self._sources == tuple(range(len(self.cells))):
            return "identity"
        kind = ["mirror image"] if self.is_mirrored else [] if self.degrees else ["translation"]
        kind += [f"rotation by {self.degrees}°"] if self.degrees else []
        names = {move.cell: str(move).partition(":")[0] for move in self.moves}
        return f"{', '.join(kind)}, {names[0]} to {names[self.cells[0]]}"

    def __repr__(self) -> str:
        return f"<Symmetry {self}>"


def symmetries_of(game: Game) -> tuple[Symmetry, ...]:
    """All symmetries of a game's board, the identity first; special tiles and opening cells are respected.

    >>> import polyversi as pv
    >>> [len(symmetries_of(pv.game(spec))) for spec in ("othello", "hex", "othello:width=6", "torus")]
    [8, 12, 4, 512]
    """
    rules, all_moves = game.definition, [game.action(index) for index in range(game.actions)]
    specials = [tile if tile > HOLE else 0 for tile in rules.start]
    by_place = {(move.cell, move.special): move for move in all_moves}
    opening = set(rules.opening)
    found = []
    for degrees, is_mirrored, cells in board_symmetries(game.board):
        if {cells[cell] for cell in opening} != opening:
            continue
        if any(specials[to] != specials[cell] for cell, to in enumerate(cells)):
            continue
        moves = (move if move.is_pass else by_place[cells[move.cell], move.special] for move in all_moves)
        found.append(Symmetry(degrees, is_mirrored, cells, tuple(moves)))
    return tuple(found)


def board_symmetries(board: Board) -> Iterator[tuple[int, bool, tuple[int, ...]]]:
    """The symmetries of a board, each as degrees, whether it mirrors, and where each cell goes.

    A symmetry is a linear map of the coordinates, followed by a shift, after which every step leads where it
    should: the directions of lines are mapped along, also through links.
    """
    import numpy as np

    count = board.directions
    offsets = SQUARE_DIRECTIONS if board.layout == "square" else HEXAGON_DIRECTIONS
    quarter = count // 4 if board.layout == "square" else 1    # squares turn by 90°, hexagons by 60°
    mirror = 0 if board.layout == "square" else -1    # what a mirror makes of direction 0
    steps = np.array(board.steps).reshape(-1, count)
    places = np.array(board.coordinates).reshape(-1, 2)
    index = np.full((board.height, board.width), -1)
    index[places[:, 1], places[:, 0]] = np.arange(board.size)
    shifts = [(0, 0)]
    if board.links and board.size <= MAX_CELLS_FOR_TRANSLATIONS:
        shifts = [(x, y) for y in range(board.height) for x in range(board.width)]
    for is_mirrored in (False, True):
        for turn in range(0, count, quarter):
            directions = [((mirror - way if is_mirrored else way) + turn) % count for way in range(count)]
            right, down = (offsets[directions[offsets.index(way)]] for way in ((1, 0), (0, 1)))
            turned = places @ np.array([right, down])
            aligned = turned - turned.min(axis=0) + places.min(axis=0)
            if not board.links and (aligned >= (board.width, board.height)).any():
                continue
            for shift in shifts:
                columns, rows = ((aligned + shift) % (board.width, board.height)).T
                cells = index[rows, columns]
                if (cells < 0).any() or len(set(cells.tolist())) < board.size:
                    continue
                onward = cells[steps // count] * count + np.array(directions)[steps % count]
                if (steps[cells][:, directions] == np.where(steps < 0, -1, onward)).all():
                    yield turn * 360 // count, is_mirrored, tuple(cells.tolist())
