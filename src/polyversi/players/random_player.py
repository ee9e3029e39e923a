"""The random player, t99 of the HexaReversi course."""

from __future__ import annotations

import random
from dataclasses import field
from typing import TYPE_CHECKING

from polyversi.games.limit import NO_LIMIT, Limit
from polyversi.players.player import Player, register

if TYPE_CHECKING:
    from polyversi._core import Move
    from polyversi.games.state import State


def stone_moves(state: State) -> list[Move]:
    """The legal moves but the pass, or the pass alone where there is nothing else.

    >>> import polyversi as pv
    >>> any(move.is_pass for move in stone_moves(pv.game("hex").start()))
    False
    """
    moves = [move for move in state.moves if not move.is_pass]
    return moves or list(state.moves)


@register("random")
class RandomPlayer(Player):
    """Plays any legal move, each as likely as the others; passes only without one (t99)."""

    seed: int | None = None
    """Makes its choices repeatable."""
    _random: random.Random = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        self._random = random.Random(self.seed)

    def choose(self, state: State, limit: Limit = NO_LIMIT) -> Move:  # noqa: ARG002
        return self._random.choice(stone_moves(state))
