"""The Reversi XT player: a search in the core that plays for rank points."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar, Literal

from polyversi import _core
from polyversi.games.errors import PlayerError
from polyversi.games.tiles import BONUS, CHOICE, EMPTY, INVERSION
from polyversi.players.limit import NO_LIMIT, Limit
from polyversi.players.player import register
from polyversi.players.search import Search, Searcher
from polyversi.players.weights import Weight, read_weights

if TYPE_CHECKING:
    from polyversi.games.game import Game
    from polyversi.games.state import State

Method = Literal["auto", "paranoid", "best-reply"]
"""How it takes the others in a game of many: all against it in turn, or only the strongest reply of all."""

PLIES_OF_LEVEL = (1, 2, 3, 4)
STRONGEST = len(PLIES_OF_LEVEL) + 1
DEEPEST = 60
USUAL_DEPTH = 4
"""Plies to look ahead where no limit says anything."""
TABLE_BITS = 19
LONGEST_RESERVE = 0.25
"""Seconds of a move's time that are always left for the way to the referee and back."""


@register("xt")
class XtPlayer(Searcher):
    """Plays Reversi XT for rank points: looks ahead by alpha-beta, and in the bombing phase plays games out.

    It values mobility, stones, stones that cannot be captured along their lines, good cells and stocks by how
    full the map is, sees whose stones it will own after the inversions that are left, and turns all that into
    the rank points it may expect. Levels 1 to 4 look so many plies ahead; level 5 as far as the limit allows.

    >>> import polyversi as pv
    >>> state = pv.game("xt:arena,players=2").start()
    >>> found = pv.player("xt").search(state, pv.Limit(depth=3))
    >>> found.move in state.moves, found.depth
    (True, 3)
    """

    level: int = STRONGEST
    """1 to 5, 5 the strongest."""
    method: Method = "auto"
    weights: str = ""
    """Other weights than the usual ones: a JSON file, or name=number/name=number."""

    WEIGHTS: ClassVar[Mapping[str, Weight]] = {
        "mobility_empty": Weight(0.5, 0, 3, 0.1),
        "mobility_half": Weight(0.5, 0, 3, 0.1),
        "mobility_full": Weight(0.1, 0, 3, 0.1),
        "stones_empty": Weight(0.0, -1, 3, 0.1),
        "stones_half": Weight(0.1, -1, 3, 0.1),
        "stones_full": Weight(1.0, -1, 3, 0.1),
        "safety_empty": Weight(0.2, 0, 3, 0.1),
        "safety_half": Weight(0.4, 0, 3, 0.1),
        "safety_full": Weight(0.3, 0, 3, 0.1),
        "place_empty": Weight(1.0, 0, 5, 0.2),
        "place_half": Weight(1.0, 0, 5, 0.2),
        "place_full": Weight(0.2, 0, 5, 0.2),
        "corner": Weight(4.0, 0, 10, 0.5),
        "edge": Weight(1.5, 0, 10, 0.3),
        "nook": Weight(0.5, 0, 5, 0.2),
        "beside_corner": Weight(2.0, 0, 10, 0.4),
        "beside_edge": Weight(0.5, 0, 5, 0.2),
        "override": Weight(1.5, 0, 6, 0.3),
        "bomb": Weight(0.5, 0, 3, 0.15),
        "inverted": Weight(0.9, 0, 1, 0.1),
        "chosen": Weight(0.5, 0, 1, 0.1),
        "doubt_empty": Weight(0.5, 0.02, 3, 0.1),
        "doubt_full": Weight(0.1, 0.005, 1, 0.03),
        "lead": Weight(5.0, 0, 30, 1.5),
    }

    def __post_init__(self) -> None:
        if not 1 <= self.level <= STRONGEST:
            raise PlayerError(f"level={self.level} is not possible; levels are 1 to {STRONGEST}")
        given = read_weights(self.weights, self.WEIGHTS)
        self._numbers = [given[name] for name in _core.XT_WEIGHTS]
        self._engine: tuple[Game, _core.XtEngine] | None = None

    def unsuited(self, game: Game) -> str | None:
        if not game.is_xt:
            return "it plays Reversi XT only, such as xt:starfish"
        return "it wants the most stones" if game.definition.goal == "fewest" else None

    def search(self, state: State, limit: Limit = NO_LIMIT) -> Search:
        depth = DEEPEST if self.level == STRONGEST else PLIES_OF_LEVEL[self.level - 1]
        if limit.depth is not None:
            depth = min(depth, max(1, limit.depth))
        elif not limit.is_timed and limit.nodes is None:
            depth = min(depth, USUAL_DEPTH)
        deadline, deepening = time_for_a_move(state, limit)
        return Search(*self._engine_for(state).think(state, depth, deadline, deepening, limit.nodes))

    def _engine_for(self, state: State) -> _core.XtEngine:
        """What the last moves of the same game have taught it, or an engine that knows nothing yet."""
        if self._engine is None or self._engine[0] is not state.game:
            method = self.method
            if method == "auto":
                method = "paranoid"
            self._engine = state.game, _core.XtEngine(state, self._numbers, method, TABLE_BITS)
        return self._engine[1]


def time_for_a_move(state: State, limit: Limit) -> tuple[float | None, float | None]:
    """The seconds after which the search is broken off, and those after which it goes no deeper.

    Of a bank that grows, a move takes what it grows by and a share of what was saved.

    >>> import polyversi as pv
    >>> time_for_a_move(pv.game("xt:arena,players=2").start(), Limit(seconds=2))
    (1.9, 1.14)
    """
    if limit.allowance is None:
        return None, None
    usable = max(limit.allowance * 0.5, limit.allowance - min(LONGEST_RESERVE, max(0.05, limit.allowance * 0.05)))
    seconds = usable
    if limit.bank is not None:
        free = sum(map(state.tiles.count, (EMPTY, CHOICE, INVERSION, BONUS)))
        moves_left = max(6.0, free / state.game.seats / 2)
        seconds = min(usable, limit.increment * 0.95 + max(0.0, limit.bank - limit.increment) / moves_left)
        if not limit.increment:
            seconds = min(usable, limit.bank / (2 * moves_left))
    return round(min(usable, seconds * 1.5) if limit.bank is not None else usable, 6), round(seconds * 0.6, 6)
