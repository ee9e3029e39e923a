"""States: positions with their turn, stocks and phase, as immutable values."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar, cast

from polyversi import _core
from polyversi.games import explain, notation
from polyversi.games.result import Result, rank

if TYPE_CHECKING:
    from polyversi.drawing import Last
    from polyversi.games.board import Board
    from polyversi.games.game import Game


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
    def text(self) -> str:
        """The position as one line that `game.position` reads.

        >>> import polyversi as pv
        >>> pv.game("othello-4").start().text
        '-----OX--XO----- X'
        """
        return notation.position_text(self)

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
        return f"pv.game({self.game.spec!r}).position({self.text!r})"

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        return notation.read_position, (self.game, self.text)


_core.set_explainers(explain)
