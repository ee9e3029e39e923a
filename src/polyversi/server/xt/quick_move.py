"""The answer if the player gives none: a legal move that is found within milliseconds."""

from __future__ import annotations

import time
from itertools import takewhile

from polyversi._core import Move
from polyversi.games.state import State
from polyversi.games.tiles import BONUS, CHOICE, EXPANSION

SECONDS = 0.002
"""Seconds to search; then the best move so far is taken."""
STRIDE = 7
"""Every seventh move is looked at first, so that moves all over the board are seen if time runs out."""
OVERRIDE_STONE = 21
"""The special value that takes one more override stone on a bonus tile."""


def quick_move(state: State, seconds: float = SECONDS) -> Move:
    """A reasonable legal move: it saves override stones, takes bonuses, and turns or bombs many cells.

    It takes about `seconds`, however large the board is. The game must not be over.

    >>> import polyversi as pv
    >>> state = pv.game("xt:torus").start()
    >>> state.is_legal(quick_move(state))
    True
    """
    end = time.perf_counter() + seconds
    moves = state.moves
    all_over_the_board = (move for first in range(STRIDE) for move in moves[first::STRIDE])
    in_time = takewhile(lambda _: time.perf_counter() < end, all_over_the_board)
    return max(in_time, key=lambda move: _worth(state, move), default=moves[0])


def _worth(state: State, move: Move) -> tuple[int, int, int]:
    """The criteria by which moves are compared, the most important first."""
    turned = state.turned(move)
    if state.phase == "bomb":
        tiles, own = state.tiles, state.turn
        hit = [tiles[cell] for cell in turned]
        leader = max(range(1, state.game.seats + 1), key=lambda seat: (seat != own, state.scores[seat - 1]))
        return -hit.count(own), hit.count(leader), len(hit)
    tile, special = state.tiles[move.cell], 0
    is_override = 1 <= tile <= 8 or tile == EXPANSION
    if tile == BONUS:
        special = 1 + (move.special == OVERRIDE_STONE)
    elif tile == CHOICE:
        special = state.scores[move.special - 1] - state.scores[state.turn - 1]
    return -is_override, special, len(turned)
