"""The mobility player, the first version of the player of HexaReversi's group t77."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from polyversi.games.limit import NO_LIMIT, Limit
from polyversi.players.greedy import loot
from polyversi.players.player import Player, register
from polyversi.players.random_player import stone_moves

if TYPE_CHECKING:
    from polyversi._core import Move
    from polyversi.games.state import State


def replies(state: State, move: Move) -> int:
    """On how many cells the next opponent can play after a move; none when it has to pass.

    >>> import polyversi as pv
    >>> replies(pv.game("othello").start(), pv.game("othello").move("f5"))
    3
    """
    after = state.play(move)
    if after.turn in (0, state.turn):
        return 0
    return len({reply.cell for reply in after.moves if not reply.is_pass})


@register("mobility")
class MobilityPlayer(Player):
    """Leaves the next opponent the fewest moves, and passes only without a move of its own.

    The first version of t77, of the HexaReversi course. Where the fewest stones win it leaves the most: there
    every move takes stones, and who passes takes none. Among equals it takes the first in board order. In the
    bombing phase of XT, where nobody lacks moves, it destroys as many more stones of others than of its own
    as it can.
    """

    strength: ClassVar[int] = 40

    def choose(self, state: State, limit: Limit = NO_LIMIT) -> Move:  # noqa: ARG002
        if state.phase == "bomb":
            return max(state.moves, key=lambda move: loot(state, move))
        best = min if state.game.definition.goal == "most" else max
        return best(stone_moves(state), key=lambda move: self.freedom(state, move))

    def freedom(self, state: State, move: Move) -> float:
        """What a move leaves the next opponent."""
        return replies(state, move)
