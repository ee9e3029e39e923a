"""What a drawing marks on the board besides the stones: the last move and the stones it turned."""

from __future__ import annotations

from dataclasses import dataclass

from polyversi._core import Move
from polyversi.games.state import State


@dataclass(frozen=True, slots=True)
class Last:
    """The cell of the last move and the cells whose stones it turned.

    >>> Last(19, (27,))
    Last(cell=19, turned=(27,))
    """

    cell: int
    turned: tuple[int, ...] = ()

    @classmethod
    def of(cls, before: State, move: Move) -> Last | None:
        """The marks of a move made in the state before it, or None for a pass.

        >>> import polyversi as pv
        >>> state = pv.game("othello").start()
        >>> Last.of(state, state.moves[0])
        Last(cell=19, turned=(27,))
        """
        return None if move.is_pass else cls(move.cell, before.turned(move))


def marked_moves(state: State) -> frozenset[int]:
    """The cells to mark as legal; none while bombing, when every cell that is left is a target.

    >>> import polyversi as pv
    >>> sorted(marked_moves(pv.game("othello").start()))
    [19, 26, 37, 44]
    """
    if state.phase == "bomb":
        return frozenset()
    return frozenset(move.cell for move in state.moves if not move.is_pass)
