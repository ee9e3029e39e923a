"""The search of Reversi XT: its weights, and how it is made for a game.

It also searches other games of many seats and on boards that are too large for the engine.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from polyversi import _core
from polyversi.games.game import Game
from polyversi.games.state import State

Method = Literal["tree", "best-reply", "paranoid"]

DEEPEST = 60
"""Plies that it looks ahead at most."""
ENTRY_BYTES = 16
"""Bytes of an entry of the transposition table."""
MIN_TABLE_BITS, MAX_TABLE_BITS = 10, 28

WEIGHTS_OF_TWO: Mapping[str, float] = {
    "mobility_empty": 0.191, "mobility_half": 0.565, "mobility_full": 0.121, "stones_empty": -0.027,
    "stones_half": -0.29, "stones_full": 0.139, "place_empty": 1.228, "place_half": 1.068,
    "place_full": 0.16, "corner": 1.327, "edge": 0.029, "nook": 0.015, "beside_corner": 0.375,
    "beside_edge": 0.023, "override_empty": 2.511, "override_full": 3.088, "override_share": 0,
    "danger": 2, "bomb": 0.8, "blast_focus": 0.5, "inverted": 0.899, "chosen": 0.635,
    "doubt_empty": 0.237, "doubt_full": 0.128, "doubt_seats": 0, "lead": 6.027,
    "last_word": 0, "turned": 1, "in_sight": 1, "overridden": 1, "doubt_end": 0.1,
}
"""Tuned by games of two."""
WEIGHTS_OF_MANY: Mapping[str, float] = {
    "mobility_empty": 0.276, "mobility_half": 0.199, "mobility_full": 0.236, "stones_empty": -0.007,
    "stones_half": -0.041, "stones_full": 0.276, "place_empty": 0.936, "place_half": 0.843,
    "place_full": 0.212, "corner": 1.479, "edge": 0.309, "nook": 0.063, "beside_corner": 0.102,
    "beside_edge": -0.106, "override_empty": 2.206, "override_full": 3.484, "override_share": 0.231,
    "danger": 1.037, "bomb": 0.284, "blast_focus": 0.616, "inverted": 1, "chosen": 0.516,
    "doubt_empty": 0.872, "doubt_full": 0.108, "doubt_seats": 0.739, "lead": 6.027,
    "last_word": 0.73, "turned": 0.93, "in_sight": 1.64, "overridden": 0.61, "doubt_end": 0.05,
}
"""Fitted to games of three to eight (tests/soak/xt_fit.py)."""


def new_search(
    state: State, table_bits: int, weights: Mapping[str, float] | None = None, method: Method = "tree"
) -> _core.XtEngine:
    """The core's search for the game of a state, with two to the power of `table_bits` entries.

    >>> import polyversi as pv
    >>> state = pv.game("xt:arena,players=2").start()
    >>> new_search(state, 10).think(state, 2, None, None, None)[0] in state.moves
    True
    """
    if weights is None:
        weights = default_weights(state.game)
    return _core.XtEngine(state, [weights[name] for name in _core.XT_WEIGHTS], method, table_bits)


def default_weights(game: Game) -> Mapping[str, float]:
    """The weights for the seats of a game."""
    return WEIGHTS_OF_MANY if game.seats > 2 else WEIGHTS_OF_TWO


def table_bits(megabytes: int) -> int:
    """How many entries fit into a transposition table, as a power of two.

    >>> table_bits(64)
    22
    """
    entries = (megabytes << 20) // ENTRY_BYTES
    return max(MIN_TABLE_BITS, min(MAX_TABLE_BITS, entries.bit_length() - 1))
