"""The player of HexaReversi's group t34: it counts the replies that leave it better off."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar

from polyversi.games.limit import NO_LIMIT, Limit
from polyversi.players.cell_values import Kind, kinds
from polyversi.players.player import Player, register
from polyversi.players.random_player import stone_moves

if TYPE_CHECKING:
    from polyversi._core import Move
    from polyversi.games.game import Game
    from polyversi.games.state import State

CORNER = 9999
BONUS: Mapping[Kind, int] = {
    "corner": CORNER, "beside corner": -60, "edge": 60, "inside corner": -120, "towards corner": 0,
    "inside edge": 0, "inner": 0,
}
"""What a cell adds to the count of a move; with a corner nothing else counts."""
TOO_BAD = -10
"""Who is ahead rather passes than plays a move that counts less."""


@register("t34")
class T34Player(Player):
    """Plays the move after which most replies leave it better off than it is now, with an eye on corners.

    The player of group t34 of the HexaReversi course. A move counts 1, and 1 more for every reply after which
    it has a move and leads by more than now, 1 less where it leads by less; 2 more where it leads and the
    opponent has no reply. A corner counts 9999 whatever follows, another cell on an edge 60 more but beside a
    corner 60 less, inside a corner 120 less. Where passing is free it passes when it is ahead and no move
    counts -10 or more. Among equals it takes the first in board order. Where the fewest stones win, leading
    means having fewer, and what the cells add is turned round.
    """

    strength: ClassVar[int] = 50

    def unsuited(self, game: Game) -> str | None:
        if game.definition.has_stocks:
            return "it knows nothing of bombs and override stones"
        return "it thinks of one opponent only" if game.seats > 2 else None

    def choose(self, state: State, limit: Limit = NO_LIMIT) -> Move:  # noqa: ARG002
        counts = {move: self.count(state, move) for move in stone_moves(state)}
        best = max(counts, key=lambda move: counts[move])
        passes = [move for move in state.moves if move.is_pass]
        if passes and counts[best] < TOO_BAD and lead(state, state.turn) > 0:
            return passes[0]
        return best

    def count(self, state: State, move: Move) -> int:
        """The net number of replies that leave it better off, and what the cell adds."""
        if move.is_pass:
            return 0
        bonus = BONUS[kinds(state.board)[move.cell]]
        if state.game.definition.goal == "fewest":
            bonus = -bonus
        return bonus if abs(bonus) == CORNER else bonus + outlook(state, move)


def outlook(state: State, move: Move) -> int:
    """1 for the move and for each reply that leaves the mover better off than now, -1 for each that does not.

    >>> import polyversi as pv
    >>> outlook(pv.game("othello").start(), pv.game("othello").move("f5"))
    1
    """
    seat, now = state.turn, lead(state, state.turn)
    after = state.play(move)
    replies = [reply for reply in after.moves if not reply.is_pass] if after.turn != seat else []
    if not replies:
        return 3 if lead(after, seat) > 0 else 1
    count = 1
    for reply in replies:
        then = after.play(reply)
        if any(not move.is_pass for move in then.moves):
            gained = lead(then, seat) - now
            count += (gained > 0) - (gained < 0)
    return count


def lead(state: State, seat: int) -> int:
    """How many stones a seat is ahead of the other; how many fewer it has where the fewest win."""
    ahead = state.scores[seat - 1] - state.scores[2 - seat]
    return ahead if state.game.definition.goal == "most" else -ahead
