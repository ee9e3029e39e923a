"""The engine: what positions and moves are worth, and which move to play."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Literal

from polyversi import _core
from polyversi._core import Move
from polyversi.drawing import state_svg
from polyversi.drawing.markup import element, figure, table, text
from polyversi.engines.book import Book, book_for, cached
from polyversi.engines.levels import LEVELS, STRONGEST, Level, noisy_choice
from polyversi.engines.search import (
    DEFAULT_MEGABYTES,
    EXACT,
    EngineError,
    GameSearch,
    check_integer,
    final_value,
    in_opening,
    search_opening,
)
from polyversi.engines.time_management import SearchBudget, move_time
from polyversi.engines.weights import Weights
from polyversi.games.files import StrPath
from polyversi.games.game import Game
from polyversi.games.limit import NO_LIMIT, Limit
from polyversi.games.state import State
from polyversi.games.tiles import EMPTY
from polyversi.games.variants import game as game_of

SELECTIVITIES: tuple[int, ...] = tuple(_core.SELECTIVITY)
"""In percent, from the fastest search to one without shortcuts."""
ENDGAME_MARGIN = 10
"""With this many plies or fewer left below the depth reached, it searches to the end of the game."""
ENDGAME_SELECTIVITIES = (0, 2, 3, EXACT)
"""The selectivities of the searches to the end, one after another."""
FORCED_MOVE_DEPTH = 4
DEFAULT_DEPTH, DEFAULT_EXACT = 16, 22
"""Of the strongest level without a limit: plies, and the empty cells at which it solves the endgame."""
PV_NODES = 1_000_000
"""Nodes that may be spent to complete the principal variation of an exact value."""
SIZE = 420
"""The longer side of a drawing in a notebook, in pixels."""
QUICK = Limit(depth=8)
"""The limit of an evaluation, unless another is given: some milliseconds."""

Unit = Literal["stones", "points"]
"""What values are counted in: stones by which a seat of two wins, or rank points that a seat expects."""
Reached = tuple[int, int]
"""How far an analysis has come: the depth and the selectivity, in percent, of its last iteration."""


@dataclass(frozen=True)
class MoveValue:
    """A move with its value, and how that was found."""

    move: Move
    value: float
    """By how many stones the seat to move will win, as far as the search sees; negative if it will lose.
    In games of many seats and in Reversi XT, the rank points that it expects.

    Cells that stay empty count as the game says: see `Definition.empties`."""
    depth: int
    """Plies searched; of a tree that grows, the number of the iteration."""
    selectivity: int
    """How sure the value is, in percent. At 73, lines that a shorter search found clearly good or bad were
    not searched further, and such a shortcut is right about 73 times in 100. At 100 there were none. At 0
    the value is an estimate, and nobody has measured how sure it is."""
    is_exact: bool
    """Whether it was searched to the end of the game without shortcuts: then the value is proved."""
    principal_variation: tuple[Move, ...]
    """The move and the best play that follows, as far as it is known."""
    points: tuple[float, ...] | None = None
    """The rank points that each seat expects after the move; None where values are stones."""

    @property
    def certainty(self) -> str:
        """How sure the value is, as tables show it: `exact`, the selectivity, or `estimate`."""
        return "exact" if self.is_exact else f"{self.selectivity} %" if self.selectivity else "estimate"

    @property
    def value_text(self) -> str:
        """The value as tables show it: stones with a sign, points with one decimal."""
        return f"{self.value:+}" if self.points is None else f"{self.value:.1f}"


@dataclass(frozen=True)
class Analysis:
    """What a search has found so far: the moves of a position with their values. A notebook draws it.

    Values are for the seat to move, in stones or in points. Unless a value is exact, its selectivity says how
    sure it is: see `MoveValue.selectivity`.

    >>> import polyversi as pv
    >>> *_, analysis = pv.engine("othello-4").analyse(pv.game("othello-4").start().play("b1"))
    >>> [(str(scored.move), scored.value) for scored in analysis.moves]
    [('a1', 8), ('c1', -8), ('a3', -9)]
    """

    state: State
    moves: tuple[MoveValue, ...]
    """Every legal move, the best first."""
    nodes: int
    seconds: float
    unit: Unit = "stones"
    """What the values are counted in."""

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

    def _repr_html_(self) -> str:
        values = {one.move.cell: one.value_text for one in self.moves[::-1] if not one.move.is_pass}
        rows = [
            (str(one.move), one.value_text, str(one.depth), one.certainty,
             " ".join(map(str, one.principal_variation))) for one in self.moves
        ]
        heads = ("move", "value", "depth", "selectivity", "principal variation")
        below = [table(heads, rows)]
        if not self.is_exact and self.best.selectivity:
            below.append(element("p", text(selectivity_words(self.best.selectivity))))
        return figure(state_svg(self.state, legal=False, words=values, size=SIZE), *below)


class Engine(GameSearch):
    """Searches positions of one game; its transposition table is kept from one to the next.

    With one thread and limits other than time, the same calls give the same results.

    >>> import polyversi as pv
    >>> engine = pv.engine("othello-4")
    >>> engine.choose(pv.game("othello-4").start())
    Move('b1')
    """

    unit: ClassVar[Unit] = "stones"

    def __init__(
        self, game: Game | str, level: int = STRONGEST, *, threads: int = 1,
        megabytes: int = DEFAULT_MEGABYTES, seed: int = 0, weights: Weights | StrPath | None = None,
        selectivity: int = SELECTIVITIES[0], book: Book | StrPath | bool = False,
    ) -> None:
        """With a higher selectivity, in percent, values are surer and take longer.

        With a book, or the one that comes with the package (True), levels without mistakes play from it as
        long as it has the position; the seed chooses among moves that are nearly equal.
        """
        check_integer("level", level, STRONGEST)
        if selectivity not in SELECTIVITIES:
            known = ", ".join(map(str, SELECTIVITIES))
            raise EngineError(f"selectivity={selectivity!r} is not possible; give one of {known}")
        super().__init__(game if isinstance(game, Game) else game_of(game), threads, megabytes, weights)
        self.level: Level = LEVELS[level]
        self._seed, self._selectivity = seed, SELECTIVITIES.index(selectivity)
        self._book = self._book_of(book)

    def _book_of(self, given: Book | StrPath | bool) -> Book | None:
        """The book to play from, if there is one; an EngineError if it is of another game."""
        if isinstance(given, bool):
            return book_for(self.game) if given else None
        book = given if isinstance(given, Book) else cached(Path(given))
        if book.game != self.game:
            raise EngineError(f"the book is of {book.header.spec}, and of no use for {self.game.spec}")
        return book

    def evaluate(self, state: State, limit: Limit = QUICK) -> int:
        """By how many stones the seat to move will win, as far as a search sees; negative if it will lose.

        The default limit is 8 plies, which takes some milliseconds. Levels below the strongest search no
        deeper than they do when they play; their noise is left out. In a finished game it is the result, for
        the seat whose turn it would be (`state.next_seat`).

        >>> import polyversi as pv
        >>> engine, state = pv.engine("othello-4"), pv.game("othello-4").start()
        >>> engine.evaluate(state), engine.evaluate(state, pv.Limit(depth=12))
        (2, -8)
        """
        state = self._own(state)
        if state.is_over:
            return final_value(state)
        budget = SearchBudget(self._core, limit, limit.allowance)
        if in_opening(state):
            return search_opening(state, self._core, limit.depth)[0][1]
        best = self._full_strength(state, limit, budget).best
        if not best.depth:
            raise EngineError("the engine was stopped before it found a value")
        return int(best.value)

    def analyse(
        self, state: State, limit: Limit = NO_LIMIT, *, beyond: Reached | None = None
    ) -> Iterator[Analysis]:
        """Every move with its value, searched deeper with each iteration.

        It ends at the limit, when all values are exact, or after `stop`. An engine that is stopped during the
        first iteration gives nothing. With `beyond`, the depth and selectivity that are known already, only
        iterations that go further are searched.

        >>> import polyversi as pv
        >>> state = pv.game("othello-6").start().play("c2")
        >>> *_, last = pv.engine(state.game).analyse(state, pv.Limit(depth=4))
        >>> sorted(str(scored.move) for scored in last.moves)
        ['b2', 'b4', 'd2']
        >>> further = pv.engine(state.game).analyse(state, pv.Limit(depth=4), beyond=(2, 73))
        >>> [found.best.depth for found in further]
        [3, 4]
        """
        return self._analyses(self._unfinished(state), limit, beyond or (0, 0))

    def _analyses(self, state: State, limit: Limit, beyond: Reached) -> Iterator[Analysis]:
        budget = SearchBudget(self._core, limit, limit.allowance)
        if in_opening(state):
            if beyond < (1, SELECTIVITIES[0]):
                yield self._result(state, search_opening(state, self._core, limit.depth), budget, 1, 0)
            return
        empties = state.tiles.count(EMPTY)
        deepest = _max_depth(limit, empties)
        is_first = beyond == (0, 0)
        for depth, selectivity in deepening_schedule(empties, deepest, deepest, self._selectivity):
            if (depth, SELECTIVITIES[selectivity]) <= beyond:
                continue
            # However busy the machine is, there is a first answer.
            seconds, is_first = None if is_first else budget.seconds_left, False
            scored = self._core.multi_pv(state, depth, selectivity, seconds, budget.nodes_left)
            known = [one for one in scored if one is not None]
            if len(known) < len(scored):
                return
            is_exact = depth >= empties and selectivity == EXACT
            yield self._result(state, known, budget, depth, selectivity, is_exact=is_exact)
            if budget.is_exhausted:
                return

    def choose(self, state: State, limit: Limit = NO_LIMIT) -> Move:
        """The move that it plays at its level.

        >>> import polyversi as pv
        >>> state = pv.game("othello-4").start()
        >>> pv.engine("othello-4", level=3, seed=1).choose(state) in state.moves
        True
        """
        return self.think(state, limit).best.move

    def think(self, state: State, limit: Limit = NO_LIMIT) -> Analysis:
        """The move that it plays at its level, as an analysis with this one move.

        >>> import polyversi as pv
        >>> pv.engine("othello-4").think(pv.game("othello-4").start()).best.value
        -8
        """
        state = self._unfinished(state)
        budget = SearchBudget(self._core, limit, move_time(state, limit))
        if in_opening(state):
            return self._result(state, search_opening(state, self._core, limit.depth)[:1], budget, 1, 0)
        if len(state.moves) == 1 and (found := self._core.best_move(state, FORCED_MOVE_DEPTH, 0, None, None)):
            return self._result(state, [found], budget, FORCED_MOVE_DEPTH, 0)
        if self.level.noise:
            return self._with_noise(state, limit, budget)
        if self._book and (played := self._from_book(state, self._book, budget)):
            return played
        return self._full_strength(state, limit, budget)

    def _from_book(self, state: State, book: Book, budget: SearchBudget) -> Analysis | None:
        """What the book plays, if it has the position."""
        move = book.choose(state, self._seed)
        if move is None:
            return None
        value = MoveValue(move, book.values(state)[move], book.depth, SELECTIVITIES[0], False, (move,))
        return Analysis(state, (value,), 0, budget.elapsed)

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
        depths = self._depths(limit, empties)
        for depth, selectivity in deepening_schedule(empties, *depths, self._selectivity):
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
        """How many plies to search, and at how many empty cells to solve the endgame."""
        deepest = _max_depth(limit, empties)
        if self.level.depth:
            return min(self.level.depth, deepest), min(self.level.exact, deepest)
        if limit == NO_LIMIT:
            return min(DEFAULT_DEPTH, deepest), min(DEFAULT_EXACT, deepest)
        return deepest, deepest

    def _unfinished(self, state: State) -> State:
        state = self._own(state)
        if state.is_over:
            raise EngineError("the game is over; there is nothing to think about")
        return state

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


def selectivity_words(percent: int) -> str:
    """What a selectivity means, in a sentence.

    >>> selectivity_words(100)
    'selectivity 100 %: no line was cut short'
    """
    if percent == 100:
        return "selectivity 100 %: no line was cut short"
    return (f"selectivity {percent} %: lines that a shorter search finds clearly good or bad are cut short, "
            f"which is right about {percent} times in 100; exact values are proved")


def _max_depth(limit: Limit, empties: int) -> int:
    return empties if limit.depth is None else max(1, limit.depth)


def deepening_schedule(
    empties: int, deepest: int, exact: int, selectivity: int = 0
) -> Iterator[tuple[int, int]]:
    """The depth and selectivity of each iteration: ever deeper, then to the end with ever less pruning.

    With `exact` or fewer empty cells it searches to the end of the game as soon as that is near.
    Selectivities are numbers of `SELECTIVITIES`, none below the given one.

    >>> list(deepening_schedule(empties=13, deepest=5, exact=10))
    [(1, 0), (2, 0), (3, 0), (4, 0), (5, 0)]
    >>> list(deepening_schedule(empties=13, deepest=5, exact=13))
    [(1, 0), (2, 0), (3, 0), (13, 0), (13, 2), (13, 3), (13, 5)]
    >>> list(deepening_schedule(empties=13, deepest=5, exact=13, selectivity=3))
    [(1, 3), (2, 3), (3, 3), (13, 3), (13, 5)]
    """
    to_the_end = empties <= max(exact, deepest)
    for depth in range(1, min(deepest, empties - 1) + 1):
        if to_the_end and depth > max(2, empties - ENDGAME_MARGIN):
            break
        yield depth, selectivity
    if to_the_end:
        for number in ENDGAME_SELECTIVITIES:
            if number >= selectivity:
                yield max(1, empties), number


def engine(
    game: Game | str, level: int = STRONGEST, *, threads: int = 1, megabytes: int = DEFAULT_MEGABYTES,
    seed: int = 0, weights: Weights | StrPath | None = None, selectivity: int = SELECTIVITIES[0],
    book: Book | StrPath | bool = False,
) -> Engine:
    """An engine for a game, with the weights that come with the package or with those that are given.

    The selectivity, 73, 87, 95, 98, 99 or 100 percent, says how sure the shortcuts of its searches are. With
    a book it plays the first moves from that: True is the one that comes with the package.

    >>> import polyversi as pv
    >>> *_, last = pv.engine("othello-4").analyse(pv.game("othello-4").start())
    >>> last.is_exact, last.best.move, last.best.value
    (True, Move('b1'), -8)
    """
    return Engine(
        game, level, threads=threads, megabytes=megabytes, seed=seed, weights=weights,
        selectivity=selectivity, book=book)
