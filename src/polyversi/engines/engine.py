"""The engine: iterative deepening over the core's search, with levels and time management."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from polyversi import _core
from polyversi._core import Move
from polyversi.engines.levels import LEVELS, STRONGEST, Level, noisy_choice
from polyversi.engines.search import (
    DEFAULT_MEGABYTES,
    EXACT,
    EngineError,
    GameSearch,
    check_integer,
    in_opening,
    search_opening,
)
from polyversi.engines.time_management import SearchBudget, move_time
from polyversi.engines.weights import Weights
from polyversi.games.game import Game
from polyversi.games.limit import NO_LIMIT, Limit
from polyversi.games.state import State
from polyversi.games.tiles import EMPTY
from polyversi.games.variants import game as game_of

ENDGAME_MARGIN = 10
"""With so many plies or fewer left below the depth reached, it searches to the end of the game."""
ENDGAME_SELECTIVITIES = (0, 2, 3, EXACT)
"""Of the searches to the end, one after the other."""
FORCED_MOVE_DEPTH = 4
DEFAULT_DEPTH, DEFAULT_EXACT = 16, 22
"""Of the strongest level without a limit: plies, and empty cells from which on it solves the endgame."""
PV_NODES = 1_000_000
"""Nodes that may be spent to complete the principal variation of an exact value."""


@dataclass(frozen=True)
class MoveValue:
    """A move with its value and how that was found."""

    move: Move
    value: int
    """Stones of the seat to move less those of the other at the end, as far as the search sees; in games for
    the fewest stones the other way round, so that a positive value is always good."""
    depth: int
    """Plies searched."""
    selectivity: int
    """How likely the pruning by ProbCut was right, in percent: 100 where nothing was pruned."""
    is_exact: bool
    """Whether it was searched to the end of the game with nothing pruned."""
    principal_variation: tuple[Move, ...]
    """The move and the best play that follows, as far as it is known."""


@dataclass(frozen=True)
class Analysis:
    """The result of a search so far."""

    state: State
    moves: tuple[MoveValue, ...]
    """Every legal move, the best first."""
    nodes: int
    seconds: float

    @property
    def best(self) -> MoveValue:
        """The best move."""
        return self.moves[0]

    @property
    def is_exact(self) -> bool:
        """Whether every value is exact."""
        return all(scored.is_exact for scored in self.moves)

    @property
    def speed(self) -> float:
        """Nodes a second."""
        return self.nodes / max(self.seconds, 1e-9)


class Engine(GameSearch):
    """Searches positions of one game; its transposition table is kept from one to the next.

    With one thread and limits other than time, the same questions get the same answers.

    >>> import polyversi as pv
    >>> engine = pv.engine("othello-4")
    >>> engine.choose(pv.game("othello-4").start())
    Move('b1')
    """

    def __init__(
        self, game: Game | str, level: int = STRONGEST, *, threads: int = 1,
        megabytes: int = DEFAULT_MEGABYTES, seed: int = 0, weights: Weights | Path | str | None = None,
    ) -> None:
        check_integer("level", level, STRONGEST)
        super().__init__(game_of(game) if isinstance(game, str) else game, threads, megabytes, weights)
        self.level: Level = LEVELS[level]
        self._seed = seed

    def analyse(self, state: State, limit: Limit = NO_LIMIT) -> Iterator[Analysis]:
        """Every move with its value, iteration by iteration until the limit, until all is exact, or `stop`.

        There is nothing when it is stopped during the first iteration.

        >>> import polyversi as pv
        >>> state = pv.game("othello-6").start().play("c2")
        >>> *_, last = pv.engine(state.game).analyse(state, pv.Limit(depth=4))
        >>> sorted(str(scored.move) for scored in last.moves)
        ['b2', 'b4', 'd2']
        """
        return self._analyses(self._unfinished(state), limit)

    def _analyses(self, state: State, limit: Limit) -> Iterator[Analysis]:
        budget = SearchBudget(self._core, limit, limit.allowance)
        if in_opening(state):
            yield self._result(state, search_opening(state, self._core, limit.depth), budget, 1, 0)
            return
        empties = state.tiles.count(EMPTY)
        deepest = _max_depth(limit, empties)
        for depth, selectivity in deepening_schedule(empties, deepest, deepest):
            scored = self._core.multi_pv(state, depth, selectivity, budget.seconds_left, budget.nodes_left)
            known = [one for one in scored if one is not None]
            if len(known) < len(scored):
                return
            is_exact = depth >= empties and selectivity == EXACT
            yield self._result(state, known, budget, depth, selectivity, is_exact=is_exact)
            if budget.is_exhausted:
                return

    def choose(self, state: State, limit: Limit = NO_LIMIT) -> Move:
        """The move that it plays at its level."""
        return self.think(state, limit).best.move

    def think(self, state: State, limit: Limit = NO_LIMIT) -> Analysis:
        """The move that it plays at its level, as the only one of an analysis."""
        state = self._unfinished(state)
        budget = SearchBudget(self._core, limit, move_time(state, limit))
        if in_opening(state):
            return self._result(state, search_opening(state, self._core, limit.depth)[:1], budget, 1, 0)
        if len(state.moves) == 1 and (found := self._core.best_move(state, FORCED_MOVE_DEPTH, 0, None, None)):
            return self._result(state, [found], budget, FORCED_MOVE_DEPTH, 0)
        if self.level.noise:
            return self._with_noise(state, limit, budget)
        return self._full_strength(state, limit, budget)

    def _with_noise(self, state: State, limit: Limit, budget: SearchBudget) -> Analysis:
        """The choice of a level that misjudges positions, as people do."""
        empties = state.tiles.count(EMPTY)
        depth, exact = self._depths(limit, empties)
        depth = empties if empties <= exact else depth
        scored = self._core.multi_pv(state, depth, EXACT, budget.seconds_left, budget.nodes_left)
        known = [one for one in scored if one is not None]
        if not known:
            return self._unsearched(state, budget)
        chosen = noisy_choice(state, known, self.level, self._seed)
        return self._result(state, [chosen], budget, depth, EXACT)

    def _full_strength(self, state: State, limit: Limit, budget: SearchBudget) -> Analysis:
        """The best move within the limits of the level and of the move."""
        empties = state.tiles.count(EMPTY)
        best: Analysis | None = None
        reached = 0, 0
        for depth, selectivity in deepening_schedule(empties, *self._depths(limit, empties)):
            found = self._core.best_move(state, depth, selectivity, budget.seconds_left, budget.nodes_left)
            if not self._core.was_interrupted:    # otherwise the move is new, but not searched that deep
                reached = depth, selectivity
            if found is not None:
                is_exact = reached[0] >= empties and reached[1] == EXACT
                best = self._result(state, [found], budget, *reached, is_exact=is_exact)
            if found is None or not budget.allows_iteration:
                break
        return best or self._unsearched(state, budget)

    def _depths(self, limit: Limit, empties: int) -> tuple[int, int]:
        """How many plies to search, and from how many empty cells on to solve the endgame."""
        deepest = _max_depth(limit, empties)
        if self.level.depth:
            return min(self.level.depth, deepest), min(self.level.exact, deepest)
        if limit == NO_LIMIT:
            return min(DEFAULT_DEPTH, deepest), min(DEFAULT_EXACT, deepest)
        return deepest, deepest

    def _unfinished(self, state: State) -> State:
        if state.is_over:
            raise EngineError("the game is over; there is nothing to think about")
        return self._own(state)

    def _unsearched(self, state: State, budget: SearchBudget) -> Analysis:
        """The first legal move: there was no time for anything else."""
        return self._result(state, [(state.moves[0], 0, [state.moves[0]])], budget, 0, 0)

    def _result(
        self, state: State, scored: list[_core.ScoredMove], budget: SearchBudget, depth: int,
        selectivity: int, *, is_exact: bool = False,
    ) -> Analysis:
        variations = [self._exact_pv(state, *one, budget) if is_exact else one[2] for one in scored]
        percent = _core.SELECTIVITY[selectivity]
        moves = tuple(
            MoveValue(move, value, depth, percent, is_exact, tuple(variation) or (move,))
            for (move, value, _), variation in zip(scored, variations, strict=True)
        )
        return Analysis(state, moves, budget.nodes, budget.elapsed)

    def _exact_pv(
        self, state: State, move: Move, value: int, known: list[Move], budget: SearchBudget
    ) -> list[Move]:
        """The principal variation to the end of the game, as far as the budget allows."""
        after = state.play(move)
        nodes = PV_NODES if budget.nodes_left is None else min(PV_NODES, budget.nodes_left)
        rest = [] if after.is_over else self._core.exact_pv(after, -value, budget.seconds_left, nodes)
        return max([move, *rest], known, key=len)


def _max_depth(limit: Limit, empties: int) -> int:
    return empties if limit.depth is None else max(1, limit.depth)


def deepening_schedule(empties: int, deepest: int, exact: int) -> Iterator[tuple[int, int]]:
    """The depth and selectivity of each iteration: ever deeper, then to the end with ever less pruning.

    With `exact` or fewer empty cells it searches to the end of the game as soon as that is near.

    >>> list(deepening_schedule(empties=13, deepest=5, exact=10))
    [(1, 0), (2, 0), (3, 0), (4, 0), (5, 0)]
    >>> list(deepening_schedule(empties=13, deepest=5, exact=13))
    [(1, 0), (2, 0), (3, 0), (13, 0), (13, 2), (13, 3), (13, 5)]
    """
    to_the_end = empties <= max(exact, deepest)
    for depth in range(1, min(deepest, empties - 1) + 1):
        if to_the_end and depth > max(2, empties - ENDGAME_MARGIN):
            break
        yield depth, 0
    if to_the_end:
        for selectivity in ENDGAME_SELECTIVITIES:
            yield max(1, empties), selectivity


def engine(
    game: Game | str, level: int = STRONGEST, *, threads: int = 1, megabytes: int = DEFAULT_MEGABYTES,
    seed: int = 0, weights: Weights | Path | str | None = None,
) -> Engine:
    """An engine for a game, with the weights that come with the package, or others or a file of others.

    >>> import polyversi as pv
    >>> *_, last = pv.engine("othello-4").analyse(pv.game("othello-4").start())
    >>> last.is_exact, last.best.move, last.best.value
    (True, Move('b1'), -8)
    """
    return Engine(game, level, threads=threads, megabytes=megabytes, seed=seed, weights=weights)
