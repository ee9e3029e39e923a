"""States: positions with their turn, stocks and phase, as immutable values."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from operator import index
from typing import TYPE_CHECKING, Any, TypeVar, cast

from polyversi import _core
from polyversi._core import Move
from polyversi.games import explain, notation
from polyversi.games.board import Board, shorten
from polyversi.games.errors import VariantError
from polyversi.games.result import Result, rank
from polyversi.games.symmetry import Symmetry
from polyversi.games.tiles import EMPTY

if TYPE_CHECKING:
    from numpy.typing import DTypeLike, NDArray

    from polyversi.drawing import Last
    from polyversi.games.game import Game

EXCHANGED = bytes.maketrans(b"\x01\x02", b"\x02\x01")
"""Of the tiles of two seats into each other's."""

Members = TypeVar("Members", bound=type)


def _given_to_the_core(cls: Members) -> Members:
    """Moves what a class adds to the core's states onto the core's own class, and gives that one back.

    Instances of a class made in Python are tracked by the garbage collector, which costs a third of the
    speed of `state.play(move)`; the core's own are not.
    """
    for name, member in vars(cls).items():
        if name not in ("__dict__", "__weakref__", "__slots__", "__annotations__"):
            setattr(_core.State, name, member)
    _core.State.__qualname__ = cls.__qualname__
    return cast("Members", _core.State)


@cache
def _digits_of(seat: int) -> bytes:
    """Of tiles into binary digits: 1 for the stones of a seat."""
    return bytes(b"01"[tile == seat] for tile in range(256))


@_given_to_the_core
class State(_core.State):
    """A position of a game with everything the rules need to go on from it.

    States never change: `play` gives a new one. They can be compared, hashed, pickled and printed, and a
    notebook draws them.

    >>> import polyversi as pv
    >>> state = pv.game("othello").start()
    >>> state = state.play("f5").play("d6")
    >>> state.turn, state.scores, state.result
    (1, (3, 3), None)
    >>> state == pv.game("othello").position(state.text)
    True
    """

    __slots__ = ()

    game: Game

    @property
    def board(self) -> Board:
        """The board of the game."""
        return self.game.board

    @property
    def must_pass(self) -> bool:
        """Whether a pass is the only move.

        >>> import polyversi as pv
        >>> pv.game("othello").start().must_pass
        False
        """
        moves = self.moves
        return len(moves) == 1 and moves[0].is_pass

    @property
    def result(self) -> Result | None:
        """Why and how the game ended, or None while it goes on.

        >>> import polyversi as pv
        >>> print(pv.game("othello").position("X" * 40 + "O" * 24 + " X").result)
        seat 1 wins, 40–24 (board full)
        """
        reason = self.ending
        if reason is None:
            return None
        ranks = rank(self.scores, self.game.definition.goal, self.out)
        return Result(reason, self.scores, ranks, self.game.definition.points(ranks, self.out))

    @property
    def credited_scores(self) -> tuple[int, ...]:
        """The scores if the game ended here, with the empty cells where they count for the winner.

        They are added to the larger score, also where the fewest stones win. `scores` and `result.scores` are
        stones alone.

        >>> import polyversi as pv
        >>> state = pv.game("othello").position("X" * 40 + "O" * 22 + "--" + " X")
        >>> state.scores, state.credited_scores
        ((40, 22), (42, 22))
        """
        scores, empty = self.scores, self.tiles.count(EMPTY)
        if self.game.definition.empties == "nobody" or len({*scores}) == 1:
            return scores
        return tuple(score + empty if score == max(scores) else score for score in scores)

    @property
    def text(self) -> str:
        """The position as one line that `game.position` reads.

        >>> import polyversi as pv
        >>> pv.game("othello-4").start().text
        '-----OX--XO----- X'
        """
        return notation.position_text(self)

    def __getitem__(self, cell: str | int | Move) -> int:
        """What lies on a cell, given by its name, its number in board order or a move on it.

        0 is an empty cell and 1 to 8 are the stones of the seats; the special tiles of Reversi XT are the
        larger numbers of `polyversi.games.tiles`.

        >>> import polyversi as pv
        >>> state = pv.game("othello").start()
        >>> state["e4"], state["d4"], state["a1"], state[28]
        (1, 2, 0, 1)
        """
        if isinstance(cell, str):
            return self.tiles[self.board.cell(cell)]
        number = cell.cell if isinstance(cell, Move) else index(cell)
        if not 0 <= number < self.board.size:
            what = "a pass has no cell" if isinstance(cell, Move) else f"there is no cell {number}"
            raise IndexError(f"{what}; the cells of this board are 0 to {self.board.size - 1}")
        return self.tiles[number]

    def __array__(self, dtype: DTypeLike | None = None, copy: bool | None = None) -> NDArray[Any]:
        """The board for NumPy: a row for each row, with what `state[cell]` gives, and -1 where no cell is.

        On hexagons `array[row, column]` goes by the cell's name too, from 0: the corners at the top right and
        the bottom left are -1.

        >>> import numpy as np
        >>> import polyversi as pv
        >>> np.asarray(pv.game("othello-4").start()).tolist()
        [[0, 0, 0, 0], [0, 2, 1, 0], [0, 1, 2, 0], [0, 0, 0, 0]]
        """
        import numpy as np

        if copy is False:
            raise ValueError("a state has no array of its own: NumPy must make a copy")
        board = self.board
        array = np.full((board.height, board.width), -1, np.int8 if dtype is None else dtype)
        columns, rows = zip(*board.coordinates, strict=True)
        array[rows, columns] = np.frombuffer(self.tiles, np.uint8)
        return array

    @property
    def bitboards(self) -> tuple[int, ...]:
        """The stones of each seat as a whole number: bit n is set for a stone on cell n, in board order.

        On 8×8 bit 0 is a1, bit 1 is b1 and bit 63 is h8. On boards of more than 64 cells the numbers are
        longer than 64 bits.

        >>> import polyversi as pv
        >>> [f"{stones:#018x}" for stones in pv.game("othello").start().bitboards]
        ['0x0000000810000000', '0x0000001008000000']
        """
        backwards = self.tiles[::-1]
        return tuple(int(backwards.translate(_digits_of(seat)), 2) for seat in range(1, self.game.seats + 1))

    def flip(self) -> State:
        """The same position with the two seats exchanged: the colour of every stone, and the turn.

        Stones stay where they are, and so the legal moves stay the same. Stocks change hands too.

        >>> import polyversi as pv
        >>> state = pv.game("othello").start().play("f5")
        >>> state.scores, state.flip().scores, state.flip().turn, state.flip().moves == state.moves
        ((4, 1), (1, 4), 1, True)
        """
        if self.game.seats != 2:
            raise VariantError(f"flip exchanges two seats; {self.game.spec} has {self.game.seats}")
        return notation.make_state(
            self.game, self.tiles.translate(EXCHANGED), 3 - self.next_seat, passes=self.passes,
            is_bombing=self.phase == "bomb", overrides=self.overrides[::-1], bombs=self.bombs[::-1],
            out=[3 - seat for seat in self.out], last=3 - self.last if self.last else 0)

    def transform(self, symmetry: Symmetry) -> State:
        """The position on the rotated, mirrored or shifted board; `symmetry.move` does the same to moves.

        >>> import polyversi as pv
        >>> state = pv.game("othello").start().play("f5")
        >>> half_turn = state.game.symmetries[2]
        >>> state.transform(half_turn) == pv.game("othello").start().play("c4")
        True
        """
        if not isinstance(symmetry, Symmetry):
            raise VariantError(f"{shorten(repr(symmetry))} is not a symmetry; choose one of game.symmetries")
        if len(symmetry.cells) != self.board.size:
            raise VariantError(f"the symmetry is of another board than that of {self.game.spec}")
        return notation.make_state(
            self.game, symmetry.apply(self.tiles), self.next_seat, passes=self.passes,
            is_bombing=self.phase == "bomb", overrides=self.overrides, bombs=self.bombs, out=self.out,
            last=self.last)

    @property
    def symmetries(self) -> tuple[Symmetry, ...]:
        """The symmetries of the game that leave this position as it is.

        >>> import polyversi as pv
        >>> start = pv.game("othello").start()
        >>> len(start.symmetries), len(start.play("f5").symmetries)
        (4, 1)
        """
        tiles = self.tiles
        return tuple(symmetry for symmetry in self.game.symmetries if symmetry.apply(tiles) == tiles)

    def canonical(self) -> tuple[State, Symmetry]:
        """The position that stands for all that are symmetric to this one, and the symmetry that leads there.

        >>> import polyversi as pv
        >>> start = pv.game("othello").start()
        >>> len({start.play(move).canonical()[0] for move in start.moves})
        1
        """
        tiles = self.tiles
        symmetry = min(self.game.symmetries, key=lambda symmetry: symmetry.apply(tiles))
        return self.transform(symmetry), symmetry

    def svg(self, *, last: Last | None = None, legal: bool = True, size: int | None = None) -> str:
        """The position as an SVG picture, `size` pixels along its longer side.

        The legal cells are marked and, if given, the last move and what it turned.

        >>> import polyversi as pv
        >>> pv.game("hex").start().svg().startswith("<svg")
        True
        """
        from polyversi.drawing import state_svg

        return state_svg(self, last=last, legal=legal, size=size)

    def png(self, *, last: Last | None = None, legal: bool = True, size: int | None = None) -> bytes:
        """The position as a PNG picture, `size` pixels along its longer side; needs the `server` extra.

        >>> import polyversi as pv
        >>> pv.game("hex").start().png(size=200)[1:4]
        b'PNG'
        """
        from polyversi.drawing import raster

        return raster.png(self.svg(last=last, legal=legal), size)

    def draw(self, *, color: bool = True, last: Last | None = None, legal: bool = True,
             width: int | None = None) -> str:
        """The position as text for a terminal, at most `width` columns wide where that is possible.

        >>> import polyversi as pv
        >>> print(pv.game("othello-4").start().draw(color=False))
          a b c d
        1 · + · ·
        2 + O X ·
        3 · X O +
        4 · · + ·
        X black 2   O white 2
        black to move
        """
        from polyversi.drawing import state_terminal

        return state_terminal(self, color=color, last=last, legal=legal, width=width)

    def _repr_svg_(self) -> str:
        return self.svg()

    def __str__(self) -> str:
        return self.draw(color=False)

    def __repr__(self) -> str:
        return f"{self.game!r}.position({self.text!r})"

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        return notation.read_position, (self.game, self.text)


_core.set_explainers(explain)
