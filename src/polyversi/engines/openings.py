"""Openings: games in which players lay the first stones themselves, judged by what these lead to."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from polyversi import _core
from polyversi.games.tiles import EMPTY

if TYPE_CHECKING:
    from polyversi._core import Move
    from polyversi.games.state import State

PLIES_AFTER = 6
"""That are looked ahead when the opening is over, where the limit does not say fewer."""


def in_opening(state: State) -> bool:
    """Whether first stones are still being laid.

    >>> import polyversi as pv
    >>> in_opening(pv.game("reversi").start()), in_opening(pv.game("othello").start())
    (True, False)
    """
    return any(state.tiles[cell] == EMPTY for cell in state.game.definition.opening)


def opened(state: State, lots: Random) -> State:
    """The position after an opening whose stones are laid by lot.

    >>> import polyversi as pv
    >>> opened(pv.game("reversi").start(), Random(1)).scores
    (2, 2)
    """
    while in_opening(state):
        state = state.play(lots.choice(state.moves))
    return state


def opening_values(state: State, core: _core.Search, depth: int | None) -> list[tuple[Move, int]]:
    """The moves of an opening with what the best play of both seats makes of them, the best first."""
    known: dict[str, int] = {}
    plies = PLIES_AFTER if depth is None else max(1, min(depth, PLIES_AFTER))

    def value(after: State) -> int:
        """For the seat to move."""
        if after.text not in known:
            if in_opening(after):
                known[after.text] = max(-value(after.play(move)) for move in after.moves)
            else:
                found = core.best(after, plies, 0, None, None)
                known[after.text] = found[1] if found is not None else 0
        return known[after.text]

    return sorted(((move, -value(state.play(move))) for move in state.moves), key=lambda one: -one[1])
