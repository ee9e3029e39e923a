"""The value player, t97 of the HexaReversi course."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from polyversi.games.limit import NO_LIMIT, Limit
from polyversi.players.cell_values import T97_VALUES, kinds
from polyversi.players.greedy import GreedyPlayer
from polyversi.players.player import register
from polyversi.players.random_player import stone_moves

if TYPE_CHECKING:
    from polyversi._core import Move
    from polyversi.games.state import State


@register("value")
class ValuePlayer(GreedyPlayer):
    """Plays on the cell that is worth most, and among equals as greedy does (t97 of the HexaReversi course).

    A corner is worth 9, an edge 6 and beside a corner 3; inside, a cell next to a corner is worth 1, next to
    an edge 2, and any other 3: the course's table on its own board, and its reasoning on every other. Where
    the fewest stones win it takes the cell that is worth least. It throws bombs as greedy does. On a torus
    all cells are equal, and it plays as greedy does.
    """

    strength: ClassVar[int] = 30

    def choose(self, state: State, limit: Limit = NO_LIMIT) -> Move:  # noqa: ARG002
        moves = stone_moves(state)
        if state.phase == "build" and not moves[0].is_pass:
            kind = kinds(state.board)
            worth = {move: T97_VALUES[kind[move.cell]] for move in moves}
            best = max if state.game.definition.goal == "most" else min
            wanted = best(worth.values())
            moves = [move for move in moves if worth[move] == wanted]
        return self.draw(state, moves)
