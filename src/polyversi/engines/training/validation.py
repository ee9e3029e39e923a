"""Validation match: whether new weights win more games than others, from balanced openings."""

from __future__ import annotations

from collections.abc import Generator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from random import Random
from threading import Event

from polyversi import _core
from polyversi._core import Move
from polyversi.engines.engine import deepening_schedule
from polyversi.engines.search import balanced_opening, random_opening
from polyversi.engines.weights import Weights
from polyversi.games.game import Game
from polyversi.games.state import State
from polyversi.games.tiles import EMPTY

NODES = 10_000
"""Nodes per move, for both sides: enough for some plies, and quickly done."""
MEGABYTES = 4
MIN_RANDOM_PLIES = 8
"""The length of an opening; on larger boards a sixth of the cells. With fewer plies too many openings on 6×6
were symmetric to each other, and repeated games make the error look smaller than it is."""
OPENING_DEPTH = 6
"""Plies of the searches that judge an opening."""
MAX_OPENINGS = 50
"""Openings that are tried before the most balanced of them is taken."""


@dataclass(frozen=True)
class ValidationMatch:
    """A match of new weights against a baseline: pairs of games with the same opening and seats changed.

    Both sides search the same number of nodes per move. A pair depends only on its number, the seed and the
    weights, so the number of threads does not change the result.
    """

    pairs: int
    baseline: Weights | None = None
    """None for the heuristic of mobility and corners."""
    seed: int = 0
    """The seed of the openings."""

    @property
    def against(self) -> str:
        """The baseline, in words."""
        if self.baseline is None:
            return "no weights"
        return f"the weights of {self.baseline.header.date} from `{self.baseline.header.command}`"

    def scores(
        self, game: Game, weights: Weights, first: int = 0, *, threads: int = 1
    ) -> Generator[float, None, None]:
        """The score of each pair from `first` on, from 0 to 1."""
        old = None if self.baseline is None else self.baseline.evaluation(game)
        stopping = Event()
        play = partial(_play_pair, game, weights.evaluation(game), old, self.seed, stopping)
        pool = ThreadPoolExecutor(threads)
        try:
            yield from pool.map(play, range(first, self.pairs))
        finally:
            stopping.set()
            pool.shutdown(cancel_futures=True)


def _play_pair(
    game: Game, new: _core.PatternEvaluation, old: _core.PatternEvaluation | None, seed: int, stopping: Event,
    number: int,
) -> float:
    """The score of the new weights in a pair of games."""
    opening = _balanced_opening(game, new, old, Random(f"proof {seed} {number}"))
    points = 0.0
    for seat in (1, 2):
        # New searches for each game: old table entries would change their moves.
        searches = {seat: _search(game, new), 3 - seat: _search(game, old)}
        state = opening
        while not state.is_over and not stopping.is_set():
            state = state.play(_chosen(searches[state.turn], state))
        if state.result is not None:
            points += state.result.points[seat - 1]
    return points / 2


def _balanced_opening(
    game: Game, new: _core.PatternEvaluation, old: _core.PatternEvaluation | None, random: Random
) -> State:
    """A position after some random plies that is about even, averaged over both evaluations."""
    searches = [_search(game, evaluation) for evaluation in (new, old)]

    def lead(state: State) -> float:
        found = [search.best_move(state, OPENING_DEPTH, 0, None, None) for search in searches]
        return sum(choice[1] for choice in found if choice is not None) / len(found)

    return balanced_opening((_random_position(game, random) for _ in range(MAX_OPENINGS)), lead)


def _random_position(game: Game, random: Random) -> State:
    """A position after some random plies, or after fewer if the game were over."""
    state = random_opening(game.start(random.getrandbits(32)), random)
    for _ in range(max(MIN_RANDOM_PLIES, game.board.size // 6)):
        after = state.play(random.choice(state.moves))
        if after.is_over:
            break
        state = after
    return state


def _search(game: Game, evaluation: _core.PatternEvaluation | None) -> _core.Search:
    return _core.Search(game.start(), 1, MEGABYTES, evaluation)


def _chosen(search: _core.Search, state: State) -> Move:
    """The move of a search by nodes, with the schedule of the engine."""
    move, empties, end = state.moves[0], state.tiles.count(EMPTY), search.nodes + NODES
    if len(state.moves) == 1:
        return move
    for depth, selectivity in deepening_schedule(empties, empties, empties):
        if search.nodes >= end:
            break
        if (found := search.best_move(state, depth, selectivity, None, end - search.nodes)) is None:
            break
        move = found[0]
    return move
