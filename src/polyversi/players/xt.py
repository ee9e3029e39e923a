"""The Reversi XT player: a search in the core that plays for rank points."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Annotated, ClassVar, Final, Literal

from polyversi import _core
from polyversi.engines.xt import DEEPEST, WEIGHTS_OF_MANY, WEIGHTS_OF_TWO, Method, new_search
from polyversi.games.game import Game
from polyversi.games.limit import NO_LIMIT, Limit
from polyversi.games.state import State
from polyversi.games.tiles import BONUS, CHOICE, EMPTY, INVERSION
from polyversi.players.minimax import PLIES_IN_WORDS
from polyversi.players.options import NAMES_FILE
from polyversi.players.player import register_player
from polyversi.players.search import Search, Searcher, needs_xt
from polyversi.players.weights import Weight, read_weights

STRONGEST: Final = 5
DEFAULT_DEPTH = 4
"""Plies to look ahead where no limit says anything."""
TABLE_BITS = 19
"""Two to this power positions are remembered."""
MIN_RESERVE, SHARE_IN_RESERVE = 0.06, 0.08
"""Seconds, and the part of a move's time, that are left for the way to the referee and back."""
SHARE_OF_INCREMENT = 0.85
"""What a move takes of the time by which a bank grows."""
SPENT_EARLIER = 1.5
"""How much more than an even share of the saved time a move takes: the middle of a game decides it."""
OVERRUN, DEEPENING = 1.4, 0.6
"""A depth is begun within this part of a move's time, and broken off when it takes so many times as long."""
BOUNDS: Mapping[str, tuple[float, float, float]] = {
    "mobility_empty": (0, 3, 0.08), "mobility_half": (0, 3, 0.08), "mobility_full": (0, 3, 0.06),
    "stones_empty": (-1, 3, 0.05), "stones_half": (-1, 3, 0.05), "stones_full": (0, 3, 0.06),
    "place_empty": (0, 5, 0.2), "place_half": (0, 5, 0.2), "place_full": (0, 5, 0.05),
    "corner": (0, 10, 0.2), "edge": (-1, 3, 0.05), "nook": (-1, 3, 0.03),
    "beside_corner": (-1, 3, 0.06), "beside_edge": (-1, 3, 0.03), "override_empty": (0, 6, 0.2),
    "override_full": (0, 6, 0.2), "override_share": (0, 3, 0.1), "danger": (0, 20, 0.4),
    "bomb": (0, 2, 0.1), "blast_focus": (0, 1, 0.08), "inverted": (0, 1, 0.1), "chosen": (0, 1, 0.1),
    "doubt_empty": (0.02, 3, 0.05), "doubt_full": (0.01, 3, 0.02), "doubt_seats": (-2, 2, 0.1),
    "lead": (0, 30, 0.8), "last_word": (0, 3, 0.1), "turned": (0.1, 3, 0.1),
    "in_sight": (0.05, 5, 0.2), "overridden": (0, 1, 0.1), "doubt_end": (0.01, 3, 0.02),
}
"""What a tuning may make of each weight: from where to where, and in which steps."""


@register_player("xt")
class XtPlayer(Searcher):
    """Plays Reversi XT for rank points: looks ahead by alpha-beta, and in games of many in a tree.

    It values mobility, stones, cells that no line can capture and stocks by how full the map is, sees whose
    stones it will own after the inversions that are left, and turns all that into the rank points it may
    expect. Bombs count by what they will leave of the map. The bombing phase is solved when few bombs are
    left, and searched in a tree before that. Levels 1 to 4 look so many plies ahead by alpha-beta;
    level 5 as far as the limit allows.

    >>> import polyversi as pv
    >>> state = pv.game("xt:arena,players=2").start()
    >>> found = pv.player("xt").search(state, pv.Limit(depth=3))
    >>> found.move in state.moves, found.depth
    (True, 3)
    """

    label: ClassVar[str] = "XT expert"
    sentence: ClassVar[str] = ("Looks ahead on any map, and knows what bombs, override stones and "
                               "special tiles are worth.")
    strength: ClassVar[int] = 95
    offered: ClassVar[Mapping[str, object]] = {"level": 2}
    levels: ClassVar[Sequence[str]] = (*PLIES_IN_WORDS, "All it can do: as far ahead as the time allows.")

    level: Literal[1, 2, 3, 4, 5] = STRONGEST
    """How strong it plays; the highest is the strongest."""
    method: Method = "tree"
    """With more than two seats: each for itself, the strongest reply of all others, or all against it."""
    weights: Annotated[str, NAMES_FILE] = ""
    """Other weights than the defaults: a JSON file, or name=number/name=number."""

    WEIGHTS: ClassVar[Mapping[str, Weight]] = {
        name: Weight(value, *BOUNDS[name]) for name, value in WEIGHTS_OF_TWO.items()
    }

    def __post_init__(self) -> None:
        self._of_two = read_weights(self.weights, self.WEIGHTS)
        self._of_many = read_weights(self.weights, self.weights_for(many=True))
        self._engine: tuple[Game, _core.XtEngine] | None = None

    @classmethod
    def weights_for(cls, *, many: bool) -> Mapping[str, Weight]:
        """The weights with their values for two seats, or for more."""
        values = WEIGHTS_OF_MANY if many else WEIGHTS_OF_TWO
        return {name: replace(weight, value=values[name]) for name, weight in cls.WEIGHTS.items()}

    def unsuited(self, game: Game) -> str | None:
        return needs_xt(game)

    def search(self, state: State, limit: Limit = NO_LIMIT) -> Search:
        depth = DEEPEST if self.level == STRONGEST else self.level
        if limit.depth is not None:
            depth = min(depth, max(1, limit.depth))
        elif not limit.is_timed and limit.nodes is None:
            depth = min(depth, DEFAULT_DEPTH)
        deadline, deepening = time_for_a_move(state, limit)
        return Search(*self._engine_for(state).think(state, depth, deadline, deepening, limit.nodes))

    def _engine_for(self, state: State) -> _core.XtEngine:
        """The engine of this game, with its transposition table, or a new one."""
        kept = self._engine    # another thread may play another game with this player
        if kept is None or kept[0] is not state.game:
            weights = self._of_many if state.game.seats > 2 else self._of_two
            kept = self._engine = state.game, new_search(state, TABLE_BITS, weights, self.method)
        return kept[1]

    def forget(self) -> None:
        self._engine = None

    def __getstate__(self) -> dict[str, object]:
        """Without the engine, which is of no use in another process."""
        return self.__dict__ | {"_engine": None}


def time_for_a_move(state: State, limit: Limit) -> tuple[float | None, float | None]:
    """The seconds after which the search is broken off, and those after which it goes no deeper.

    Of a bank that grows, a move takes most of what it grows by and a share of what was saved; the rest stays
    in the bank, so that a machine that is busy for a moment costs nothing.

    >>> import polyversi as pv
    >>> start = pv.game("xt:arena,players=2").start()
    >>> time_for_a_move(start, Limit(seconds=2)), time_for_a_move(start, Limit(bank=2, increment=2))
    ((1.84, 1.104), (1.84, 1.02))
    """
    if limit.allowance is None:
        return None, None
    reserve = max(MIN_RESERVE, limit.allowance * SHARE_IN_RESERVE)
    usable = limit.allowance - min(limit.allowance / 2, reserve)
    seconds = usable
    if limit.bank is not None:
        moves_left: float = state.bombs[state.turn - 1]
        if state.phase == "build":
            free = sum(map(state.tiles.count, (EMPTY, CHOICE, INVERSION, BONUS)))
            moves_left = max(8.0, free / state.game.seats)
        saved = max(0.0, limit.bank - 1.5 * limit.increment)
        seconds = min(usable, SHARE_OF_INCREMENT * limit.increment + saved / moves_left * SPENT_EARLIER)
    return round(min(usable, OVERRUN * seconds), 6), round(DEEPENING * seconds, 6)
