"""The engine: what the moves of a position are worth, ever better the longer it thinks."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from polyversi import _core
from polyversi.engines.levels import LEVELS, STRONGEST, Level, mistaken
from polyversi.engines.making import EngineError, is_whole, new_search, position_in
from polyversi.engines.openings import in_opening, opening_values
from polyversi.engines.time_management import time_for_a_move
from polyversi.games.game import Game
from polyversi.games.limit import NO_LIMIT, Limit
from polyversi.games.tiles import EMPTY
from polyversi.games.variants import game as game_of

if TYPE_CHECKING:
    from pathlib import Path

    from polyversi._core import Move
    from polyversi.engines.weights import Weights
    from polyversi.games.state import State

MEGABYTES = 64
EXACT = len(_core.TRUST) - 1
"""The trust with which nothing is left out."""
LEFT_TO_THE_END = 10
"""With so many plies or fewer between the depth reached and the end of the game, it looks to the end."""
ENDING_TRUSTS = (0, 2, 3, EXACT)
"""With which endings are looked at in turn."""
LAST_BEGIN = 0.6
"""The part of a move's time within which a deeper look is begun, where what is left can be saved."""
PLIES_FOR_THE_ONLY_MOVE = 4
FREE_DEPTH, FREE_EXACT = 16, 22
"""How far the strongest level looks where nothing limits it: plies, and empty cells before the end."""
NODES_FOR_A_LINE = 1_000_000
"""Positions that may be looked at to show how an exact value is reached."""


@dataclass(frozen=True)
class Valued:
    """A move and what it is worth."""

    move: Move
    value: int
    """Stones of the seat to move less those of the other at the end, as far as the search sees; in games for
    the fewest stones the other way round, so that a positive value is always good."""
    depth: int
    """The plies that were looked ahead."""
    trust: int
    """How far to trust it, in percent: below 100 something was left out that looked hopeless."""
    is_exact: bool
    """Whether it was looked at to the end of the game with nothing left out."""
    line: tuple[Move, ...]
    """The move and the best play that follows, as far as it is remembered."""


@dataclass(frozen=True)
class Analysis:
    """What the engine thinks of a position so far."""

    state: State
    moves: tuple[Valued, ...]
    """Every legal move, the best first."""
    nodes: int
    """Positions that were looked at."""
    seconds: float

    @property
    def best(self) -> Valued:
        """The best move."""
        return self.moves[0]

    @property
    def is_exact(self) -> bool:
        """Whether every value is exact."""
        return all(valued.is_exact for valued in self.moves)

    @property
    def speed(self) -> float:
        """Positions a second."""
        return self.nodes / max(self.seconds, 1e-9)


class Engine:
    """Thinks about positions of one game; what it learns from one helps with the next.

    With one thread and limits other than time, the same questions get the same answers.

    >>> import polyversi as pv
    >>> engine = pv.engine("othello-4")
    >>> engine.choose(pv.game("othello-4").start())
    Move('b1')
    """

    def __init__(
        self, game: Game | str, level: int = STRONGEST, *, threads: int = 1, megabytes: int = MEGABYTES,
        seed: int = 0, weights: Weights | Path | str | None = None,
    ) -> None:
        self.game = game_of(game) if isinstance(game, str) else game
        if not is_whole(level, 1, STRONGEST):
            raise EngineError(f"level {level!r} is not possible; levels are 1 to {STRONGEST}")
        self.level: Level = LEVELS[level]
        self._seed = seed
        self._core = new_search(self.game, threads, megabytes, weights)

    @property
    def nodes(self) -> int:
        """Positions looked at so far; also while another thread thinks."""
        return self._core.nodes

    def stop(self) -> None:
        """Ends what another thread is thinking about, at once; it answers with what it has.

        What is asked later is not thought about either, until `go_on`: so a stop that comes a moment before
        the question is not lost.
        """
        self._core.stop()

    def go_on(self) -> None:
        """Lets it think again after a stop."""
        self._core.go_on()

    def analyse(self, state: State, limit: Limit = NO_LIMIT) -> Iterator[Analysis]:
        """What every move is worth, ever better until the limit, until all is exact, or until `stop`.

        Who stops it before it found anything gets nothing.

        >>> import polyversi as pv
        >>> state = pv.game("othello-6").start().play("c2")
        >>> *_, last = pv.engine(state.game).analyse(state, pv.Limit(depth=4))
        >>> sorted(str(valued.move) for valued in last.moves)
        ['b2', 'b4', 'd2']
        """
        return self._analyses(self._own(state), limit)

    def _analyses(self, state: State, limit: Limit) -> Iterator[Analysis]:
        thinking = _Thinking(self._core, limit, limit.allowance)
        if in_opening(state):
            values = opening_values(state, self._core, limit.depth)
            found = [(move, value, [move]) for move, value in values]
            yield thinking.analysis(state, found, 1, 0, is_exact=False)
            return
        empties = state.tiles.count(EMPTY)
        deepest = _most_plies(limit, empties)
        for depth, trust in steps(empties, deepest, deepest):
            choices = self._core.all(state, depth, trust, thinking.seconds_left, thinking.nodes_left)
            found = [choice for choice in choices if choice is not None]
            if len(found) < len(choices):
                return
            exact = depth >= empties and trust == EXACT
            yield thinking.analysis(state, found, depth, trust, is_exact=exact)
            if thinking.is_over:
                return

    def choose(self, state: State, limit: Limit = NO_LIMIT) -> Move:
        """The move that it plays at its level."""
        return self.think(state, limit).best.move

    def think(self, state: State, limit: Limit = NO_LIMIT) -> Analysis:
        """The move that it plays at its level, as the only one of an analysis."""
        state = self._own(state)
        thinking = _Thinking(self._core, limit, time_for_a_move(state, limit))
        moves = state.moves
        if in_opening(state):
            move, value = opening_values(state, self._core, limit.depth)[0]
            return thinking.analysis(state, [(move, value, [move])], 1, 0, is_exact=False)
        if len(moves) == 1 and (found := self._core.best(state, PLIES_FOR_THE_ONLY_MOVE, 0, None, None)):
            return thinking.analysis(state, [found], PLIES_FOR_THE_ONLY_MOVE, 0, is_exact=False)
        if self.level.wobble:
            return self._with_mistakes(state, limit, thinking)
        return self._strong(state, limit, thinking)

    def _with_mistakes(self, state: State, limit: Limit, thinking: _Thinking) -> Analysis:
        """The choice of a level that misjudges positions, as people do."""
        empties = state.tiles.count(EMPTY)
        depth, exact = self._reach(limit, empties)
        if empties <= exact:
            depth = empties
        found = self._core.all(state, depth, EXACT, thinking.seconds_left, thinking.nodes_left)
        known = [choice for choice in found if choice is not None]
        if not known:    # stopped before anything was found
            return thinking.analysis(state, [(state.moves[0], 0, [state.moves[0]])], 0, 0, is_exact=False)
        chosen = mistaken(state, [(move, value) for move, value, _ in known], self.level, self._seed)
        return thinking.analysis(
            state, [choice for choice in known if choice[0] == chosen], depth, EXACT, is_exact=False)

    def _strong(self, state: State, limit: Limit, thinking: _Thinking) -> Analysis:
        """The best move that is found within the limits of the level and of the move."""
        empties = state.tiles.count(EMPTY)
        best: Analysis | None = None
        reached = 0, 0
        for depth, trust in steps(empties, *self._reach(limit, empties)):
            found = self._core.best(state, depth, trust, thinking.seconds_left, thinking.nodes_left)
            if not self._core.was_broken_off:    # otherwise the move is new, but not looked at that far
                reached = depth, trust
            if found is not None:
                is_exact = reached[0] >= empties and reached[1] == EXACT
                best = thinking.analysis(state, [found], *reached, is_exact=is_exact)
            if found is None or thinking.is_late:
                break
        if best is None:    # no time at all
            best = thinking.analysis(state, [(state.moves[0], 0, [state.moves[0]])], 0, 0, is_exact=False)
        return best

    def _reach(self, limit: Limit, empties: int) -> tuple[int, int]:
        """How many plies to look ahead, and with how many empty cells to the end of the game."""
        if self.level.depth:
            plies, exact = self.level.depth, self.level.exact
        elif limit == NO_LIMIT:
            plies, exact = FREE_DEPTH, FREE_EXACT
        else:
            plies = exact = empties
        most = _most_plies(limit, empties)
        return min(plies, most), min(exact, most)

    def _own(self, state: State) -> State:
        """The position as one of this engine's game; of an equal game, such as one from another process."""
        if state.is_over:
            raise EngineError("the game is over; there is nothing to think about")
        return position_in(self.game, state)


def _most_plies(limit: Limit, empties: int) -> int:
    return empties if limit.depth is None else max(1, limit.depth)


def steps(empties: int, deepest: int, exact: int) -> Iterator[tuple[int, int]]:
    """How deep to look and with how much trust, in turn: ever deeper, then to the end with ever more trust.

    With `exact` or fewer empty cells it looks to the end of the game as soon as that is near.

    >>> list(steps(empties=13, deepest=5, exact=10))
    [(1, 0), (2, 0), (3, 0), (4, 0), (5, 0)]
    >>> list(steps(empties=13, deepest=5, exact=13))
    [(1, 0), (2, 0), (3, 0), (13, 0), (13, 2), (13, 3), (13, 5)]
    """
    goes_to_the_end = empties <= max(exact, deepest)
    for depth in range(1, min(deepest, empties - 1) + 1):
        if goes_to_the_end and depth > max(2, empties - LEFT_TO_THE_END):
            break
        yield depth, 0
    if goes_to_the_end:
        for trust in ENDING_TRUSTS:
            yield max(1, empties), trust


class _Thinking:
    """One answer in the making: what it has cost so far."""

    def __init__(self, core: _core.Search, limit: Limit, seconds: float | None) -> None:
        self._core, self._seconds, self._nodes = core, seconds, limit.nodes
        self._last_begin = 1.0 if limit.bank is None else LAST_BEGIN
        self._begin, self._before = time.perf_counter(), core.nodes

    @property
    def spent(self) -> float:
        return time.perf_counter() - self._begin

    @property
    def seconds_left(self) -> float | None:
        return None if self._seconds is None else self._seconds - self.spent

    @property
    def nodes_left(self) -> int | None:
        return None if self._nodes is None else max(1, self._nodes - (self._core.nodes - self._before))

    @property
    def is_over(self) -> bool:
        """Whether nothing is left of what it may cost."""
        return (self._seconds is not None and self.spent >= self._seconds) or (
            self._nodes is not None and self._core.nodes - self._before >= self._nodes)

    @property
    def is_late(self) -> bool:
        """Whether a deeper look would hardly come to an end."""
        return self.is_over or (self._seconds is not None and self.spent > self._last_begin * self._seconds)

    def analysis(
        self, state: State, found: list[_core.Choice], depth: int, trust: int, *, is_exact: bool
    ) -> Analysis:
        percent = _core.TRUST[trust]
        lines = [self._proved(state, *choice) if is_exact else choice[2] for choice in found]
        moves = tuple(
            Valued(move, value, depth, percent, is_exact, tuple(line) or (move,))
            for (move, value, _), line in zip(found, lines, strict=True)
        )
        return Analysis(state, moves, self._core.nodes - self._before, self.spent)

    def _proved(self, state: State, move: Move, value: int, remembered: list[Move]) -> list[Move]:
        """A move and how it reaches its exact value: the table does not know the last plies.

        Where no time is left for that, as much as is remembered.
        """
        after = state.play(move)
        nodes = NODES_FOR_A_LINE if self.nodes_left is None else min(NODES_FOR_A_LINE, self.nodes_left)
        rest = [] if after.is_over else self._core.line(after, -value, self.seconds_left, nodes)
        return max([move, *rest], remembered, key=len)


def engine(
    game: Game | str, level: int = STRONGEST, *, threads: int = 1, megabytes: int = MEGABYTES, seed: int = 0,
    weights: Weights | Path | str | None = None,
) -> Engine:
    """An engine for a game, with the weights that come with the package, or others or a file of others.

    >>> import polyversi as pv
    >>> *_, last = pv.engine("othello-4").analyse(pv.game("othello-4").start())
    >>> last.is_exact, last.best.move, last.best.value
    (True, Move('b1'), -8)
    """
    return Engine(game, level, threads=threads, megabytes=megabytes, seed=seed, weights=weights)
