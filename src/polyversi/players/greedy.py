"""The greedy player, t98 of the HexaReversi course."""

from __future__ import annotations

import random
from dataclasses import field
from typing import TYPE_CHECKING, ClassVar

from polyversi.games.limit import NO_LIMIT, Limit
from polyversi.players.player import Player, register
from polyversi.players.random_player import stone_moves

if TYPE_CHECKING:
    from polyversi._core import Move
    from polyversi.games.state import State


def loot(state: State, move: Move) -> int:
    """The stones a move turns; for a bomb, how many more stones of others than of one's own it destroys.

    Where the fewest stones win, a bomb is counted the other way round.

    >>> import polyversi as pv
    >>> state = pv.game("othello").start()
    >>> loot(state, state.moves[0])
    1
    """
    cells = state.turned(move)
    if state.phase == "build":
        return len(cells)
    tiles, own = state.tiles, state.turn
    stones = [tiles[cell] for cell in cells if 1 <= tiles[cell] <= state.game.seats]
    others = len(stones) - 2 * stones.count(own)
    return others if state.game.definition.goal == "most" else -others


@register("greedy")
class GreedyPlayer(Player):
    """Plays a move as often as it turns stones, and passes only without one (t98 of the HexaReversi course).

    The probability of a move is in proportion to the stones it turns; where the fewest stones win, to
    1 / (stones turned + 1). Moves that all turn nothing are equally likely. A bomb counts as many stones as
    it destroys more of others than of its own.
    """

    strength: ClassVar[int] = 20

    seed: int | None = None
    """Makes its choices repeatable."""
    _random: random.Random = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        self._random = random.Random(self.seed)

    def choose(self, state: State, limit: Limit = NO_LIMIT) -> Move:  # noqa: ARG002
        return self.draw(state, stone_moves(state))

    def draw(self, state: State, moves: list[Move]) -> Move:
        """One of the moves, the more likely the better it is in stones."""
        loots = [max(0, loot(state, move)) for move in moves]
        weights: list[float] = [*loots]
        if state.game.definition.goal == "fewest" and state.phase == "build":
            weights = [1 / (stones + 1) for stones in loots]
        return self._random.choices(moves, weights if any(weights) else None)[0]
