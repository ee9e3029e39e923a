"""The stock player: the opponent that a course's Othello exercise came with."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from polyversi import _core
from polyversi.games.limit import NO_LIMIT, Limit
from polyversi.players.player import register
from polyversi.players.search import Level, Search, Searcher, check_level, look_ahead, needs_plain_board

if TYPE_CHECKING:
    from polyversi.games.game import Game
    from polyversi.games.state import State

SAFETY = _core.safety_evaluation()
"""The evaluation: my stones minus theirs in each of its terms,

- *safety*: for each stone 1, and 1 more for each of its four axes that is safe because on one side there is
  nothing but its own colour up to the edge;
- *corners*, times 64;
- *next to corners*, the cells diagonally beside a corner, times −32.
"""


@register("stock")
class StockPlayer(Searcher):
    """Alpha-beta on safe stones and corners: what a course's exercise on 6×6 set out to beat.

    The level is the number of plies it looks ahead; a limit of depth counts instead, and a limit of time can
    only make it stop earlier.

    >>> import polyversi as pv
    >>> state = pv.game("othello-6").start()
    >>> pv.player("stock", level=1).search(state)
    Search(move=Move('c2'), value=3.0, nodes=4, depth=1)
    >>> SAFETY.terms(state, 1)
    {'safety': 0.0, 'corners': 0.0, 'next to corners': 0.0}
    """

    strength: ClassVar[int] = 60

    level: Level = 4
    """Plies to look ahead, 4 the strongest."""

    def __post_init__(self) -> None:
        check_level(self.level)

    def search(self, state: State, limit: Limit = NO_LIMIT) -> Search:
        return look_ahead(state, SAFETY, limit, depth=self.level, order="rings")

    def unsuited(self, game: Game) -> str | None:
        if reason := needs_plain_board(game):
            return reason
        if game.definition.goal == "fewest":
            return "it plays for the most stones"
        return None
