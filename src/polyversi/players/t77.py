"""The player of HexaReversi's group t77: mobility divided by what the cell is worth."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar

from polyversi.players.cell_values import T77_VALUES, kinds
from polyversi.players.mobility import MobilityPlayer, replies
from polyversi.players.player import register
from polyversi.players.weights import Weight, read_weights

if TYPE_CHECKING:
    from polyversi._core import Move
    from polyversi.games.state import State


@register("t77")
class T77Player(MobilityPlayer):
    """Plays where (moves it leaves the next opponent) / (worth of the cell) is least.

    The player that group t77 of the HexaReversi course handed in. It passes only without a move. A corner is
    worth 9, an edge 6 and beside a corner 2; inside, a cell next to a corner is worth 1, next to an edge 2,
    on the way to a corner 4 and any other 3: the group's table on the course's board, and its reasoning on
    every other. Among equals it takes the first in board order. Where the fewest stones win it plays where
    the fraction is greatest. It throws bombs as mobility does. Weights of one's own replace what the kinds of
    cells are worth: t77:weights=corner=20/edge=8.
    """

    strength: ClassVar[int] = 45

    WEIGHTS: ClassVar[Mapping[str, Weight]] = {
        kind: Weight(float(value), low=0.5, high=30.0, step=1.0) for kind, value in T77_VALUES.items()
    }
    """What a cell is worth, by its kind."""

    weights: str = ""
    """What the kinds of cells are worth: a JSON file, or name=number/name=number."""

    def __post_init__(self) -> None:
        self._worth = read_weights(self.weights, self.WEIGHTS)

    def freedom(self, state: State, move: Move) -> float:
        """The fraction that the group's document minimises."""
        if move.is_pass:
            return 0
        return replies(state, move) / self._worth[kinds(state.board)[move.cell]]
