"""Proof: whether new weights win more games than those before, from even openings with changed seats."""

from __future__ import annotations

from collections.abc import Generator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from random import Random
from threading import Event
from typing import TYPE_CHECKING

from polyversi import _core
from polyversi.engines.engine import steps
from polyversi.engines.openings import opened
from polyversi.engines.weights import Weights
from polyversi.games.tiles import EMPTY

if TYPE_CHECKING:
    from polyversi._core import Move
    from polyversi.games.game import Game
    from polyversi.games.state import State

NODES = 10_000
"""Positions that either side looks at before each move: enough to see some plies, and soon over."""
MEGABYTES = 4
LEAST_RANDOM = 8
"""Plies of an opening, at least; on larger boards a sixth of the cells. With fewer, too many openings on 6×6
were the same but for a mirror, and repeated games make the error look smaller than it is."""
EVEN = 2
"""Stones by which an opening may favour a seat, in the mean of what both sides think of it."""
PLIES_JUDGED = 6
"""That both sides look ahead to judge an opening."""
OPENINGS_JUDGED = 50
"""How many are looked at before the most even of them is taken."""


@dataclass(frozen=True)
class Trial:
    """A match of new weights against those before: pairs of games with one opening and changed seats.

    Both sides look at as many positions a move. A pair depends on nothing but its number, the seed and the
    weights, so that the same pairs come out whatever the number of threads.

    >>> import polyversi as pv
    >>> from polyversi.engines.training.training import Plan, learn
    >>> game = pv.game("othello-4")
    >>> list(Trial(pairs=2).scores(game, learn(game, Plan(generations=1, games=100))))
    [0.5, 0.5]
    """

    pairs: int
    before: Weights | None = None
    """None where there are none: that side goes by freedom to move and corners."""
    seed: int = 0
    """Draws the openings."""

    @property
    def against(self) -> str:
        """What the other side goes by."""
        header = None if self.before is None else self.before.header
        return "no weights" if header is None else f"the weights of {header.date} from `{header.command}`"

    def check(self, game: Game) -> None:
        """Raises a RecordError when the weights before are of another game."""
        if self.before is not None:
            self.before.evaluation(game)

    def scores(
        self, game: Game, weights: Weights, first: int = 0, *, threads: int = 1
    ) -> Generator[float, None, None]:
        """What the new weights have of each pair, from 0 to 1, one after the other from the first one on."""
        old = None if self.before is None else self.before.evaluation(game)
        stopping = Event()
        play = partial(_pair, game, weights.evaluation(game), old, self.seed, stopping)
        pool = ThreadPoolExecutor(threads)
        try:
            yield from pool.map(play, range(first, self.pairs))
        finally:
            stopping.set()
            pool.shutdown(cancel_futures=True)


def _pair(
    game: Game, new: _core.LearnedEvaluation, old: _core.LearnedEvaluation | None, seed: int, stopping: Event,
    number: int,
) -> float:
    """What the new weights have of a pair of games."""
    opening = _even_opening(game, new, old, Random(f"proof {seed} {number}"))
    points = 0.0
    for seat in (1, 2):
        # New searches for each game: what they remember of another one would change their minds.
        searches = {seat: _search(game, new), 3 - seat: _search(game, old)}
        state = opening
        while not state.is_over and not stopping.is_set():
            state = state.play(_chosen(searches[state.turn], state))
        if state.result is not None:
            points += state.result.points[seat - 1]
    return points / 2


def _even_opening(
    game: Game, new: _core.LearnedEvaluation, old: _core.LearnedEvaluation | None, lots: Random
) -> State:
    """A position after some plies by lot, in which both seats have about as good a chance."""
    searches = [_search(game, evaluation) for evaluation in (new, old)]
    judged: list[tuple[float, State]] = []
    for _ in range(OPENINGS_JUDGED):
        state = _opening(game, lots)
        found = [search.best(state, PLIES_JUDGED, 0, None, None) for search in searches]
        lead = abs(sum(choice[1] for choice in found if choice is not None)) / len(found)
        if lead <= EVEN:
            return state
        judged.append((lead, state))
    return min(judged, key=lambda one: one[0])[1]


def _opening(game: Game, lots: Random) -> State:
    """A position after some plies by lot, or after fewer if the game were over."""
    state = opened(game.start(lots.getrandbits(32)), lots)
    for _ in range(max(LEAST_RANDOM, game.board.size // 6)):
        after = state.play(lots.choice(state.moves))
        if after.is_over:
            break
        state = after
    return state


def _search(game: Game, evaluation: _core.LearnedEvaluation | None) -> _core.Search:
    return _core.Search(game.start(), 1, MEGABYTES, evaluation)


def _chosen(search: _core.Search, state: State) -> Move:
    """The move that is found by looking at so many positions, as the engine finds its own."""
    move, empties, end = state.moves[0], state.tiles.count(EMPTY), search.nodes + NODES
    if len(state.moves) == 1:
        return move
    for depth, trust in steps(empties, empties, empties):
        if search.nodes >= end:
            break
        if (found := search.best(state, depth, trust, None, end - search.nodes)) is None:
            break
        move = found[0]
    return move
