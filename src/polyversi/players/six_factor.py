"""The six-factor player: a public heuristic for Othello that two course projects took up."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from polyversi import _core
from polyversi.games.limit import NO_LIMIT, Limit
from polyversi.players.player import register
from polyversi.players.search import Level, Search, Searcher, check_level, look_ahead, needs_plain_board

if TYPE_CHECKING:
    from polyversi.games.game import Game
    from polyversi.games.state import State

SIX_FACTOR = _core.six_factor_evaluation()
"""The evaluation: 10·p + 801.724·c + 382.026·l + 78.922·m + 74.396·f + 10·d, with the terms, in this order,

- *stones* p: 100·mine/(mine + theirs) when mine are more, −100·theirs/(mine + theirs) when they are fewer,
  and 0 when there are as many;
- *corners* c: 25·(mine − theirs);
- *next to corners* l: −12.5·(mine − theirs), over the three neighbours of each corner that is still empty;
- *mobility* m: as p, on the numbers of legal moves;
- *frontier* f: as p with the sign turned round, on the stones with at least one empty neighbour;
- *cells* d: the values of the cells under my stones minus those under theirs, from a table for 8×8 or 6×6.

Both seats' moves and stones are counted, whoever is to move. `SIX_FACTOR.terms(state, seat)` gives the terms.
"""


@register("six-factor")
class SixFactorPlayer(Searcher):
    """Alpha-beta on six factors: stones, corners, cells beside them, mobility, frontier and cell values.

    The heuristic is a public one that two course projects used, a client for 8×8 with levels 1 to 4 and an
    exercise on 6×6, each without some of its conditions; here it is whole. The level is the number of plies
    it looks ahead; a limit of depth counts instead, and a limit of time can only make it stop earlier.

    >>> import polyversi as pv
    >>> state = pv.game("othello").start().play("f5")
    >>> pv.player("six-factor", level=2).search(state)
    Search(move=Move('f4'), value=-621.7523809523818, nodes=15, depth=2)
    >>> {name: term for name, term in SIX_FACTOR.terms(state, 1).items() if term}
    {'stones': 80.0, 'frontier': -80.0, 'cells': -4.0}
    """

    strength: ClassVar[int] = 80

    level: Level = 4
    """Plies to look ahead, 4 the strongest."""

    def __post_init__(self) -> None:
        check_level(self.level)

    def search(self, state: State, limit: Limit = NO_LIMIT) -> Search:
        return look_ahead(state, SIX_FACTOR, limit, depth=self.level, order="rings")

    def unsuited(self, game: Game) -> str | None:
        if reason := needs_plain_board(game):
            return reason
        if (game.board.width, game.board.height) not in ((8, 8), (6, 6)):
            return "its cell values are known for boards of 8×8 and 6×6 only"
        if game.definition.goal == "fewest":
            return "it plays for the most stones"
        return None
