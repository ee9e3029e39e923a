"""Timing: the part of a limit that the engine spends on the next move."""

from __future__ import annotations

from typing import TYPE_CHECKING

from polyversi.games.tiles import EMPTY

if TYPE_CHECKING:
    from polyversi.games.limit import Limit
    from polyversi.games.state import State

LEAST_RESERVE, SHARE_IN_RESERVE = 0.008, 0.04
"""Seconds, and the part of a move's time, that are left for the way to the referee and back."""
LEAST_MOVES = 4
"""For which a bank must still last."""
SPENT_EARLIER = 1.6
"""How much more than an even share of a bank a move takes: the endings cost little once they are solved."""


def time_for_a_move(state: State, limit: Limit) -> float | None:
    """The seconds to spend on the next move: of a bank, a share that lets it last for the game.

    >>> import polyversi as pv
    >>> start = pv.game("othello").start()
    >>> time_for_a_move(start, pv.Limit(seconds=1)), time_for_a_move(start, pv.Limit(bank=60))
    (0.96, 3.2)
    """
    if limit.allowance is None:
        return None
    reserve = max(LEAST_RESERVE, SHARE_IN_RESERVE * limit.allowance)
    usable = limit.allowance - min(limit.allowance / 2, reserve)
    if limit.bank is None:
        return round(usable, 6)
    moves = max(LEAST_MOVES, state.tiles.count(EMPTY) / 2)
    return round(min(usable, SPENT_EARLIER * limit.bank / moves + limit.increment), 6)
