"""Judging by rank points: what every seat may expect after each move.

That is how Reversi XT, games of many seats and boards that are too large for the engine are judged.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

from polyversi._core import Move
from polyversi.engines.engine import Analysis, MoveValue, Reached, Unit
from polyversi.engines.search import DEFAULT_MEGABYTES, EngineError, in_opening, own_state
from polyversi.engines.time_management import SearchBudget
from polyversi.engines.xt import DEEPEST, new_search, table_bits
from polyversi.games.game import Game
from polyversi.games.limit import NO_LIMIT, Limit
from polyversi.games.result import DISQUALIFIED_POINTS, RANK_POINTS
from polyversi.games.state import State
from polyversi.games.tiles import BONUS, CHOICE, EMPTY, INVERSION

TREE_NODES = 256
"""Moves played in the tree after each move in the first iteration; each further one plays twice as many."""
ENDING = 12
"""With so many free cells and override stones left, or fewer, it tries to play all moves to the end."""
ENDING_NODES = 100
"""Moves that this may take in the first iteration, and twice as many in each further one."""
HUGE = 1000
"""Cells of a map from which on the first iteration may be broken off, too."""
DECIMALS = 2
"""Of points: more would be noise."""
SMALL_TABLE = 10
"""Bits of the transposition table where a tree is grown instead."""


@dataclass(frozen=True)
class _Expected:
    """What a search expects after a move."""

    points: tuple[float, ...]
    line: tuple[Move, ...]
    is_exact: bool = False
    is_final: bool = False
    """Whether a deeper search would find the same."""


class PointsJudge:
    """Judges the moves of one game by the rank points that every seat may expect after them.

    After each move it searches as the player `xt` does: two seats by alpha-beta, one ply deeper with each
    iteration, and more seats in a tree that plays twice as many moves with each. Endings are played to the
    end by the rules, every seat for its own points.

    >>> import polyversi as pv
    >>> rolit = pv.game("rolit")
    >>> *_, last = PointsJudge(rolit).analyse(rolit.start(), pv.Limit(depth=1))
    >>> len(last.moves) == len(rolit.start().moves), len(last.best.points), last.unit
    (True, 4, 'points')
    """

    unit: ClassVar[Unit] = "points"

    def __init__(self, game: Game, *, megabytes: int = DEFAULT_MEGABYTES) -> None:
        self.game = game
        bits = table_bits(megabytes) if game.seats == 2 else SMALL_TABLE
        self._core = new_search(game.start(), bits)
        self._nodes = 0

    @property
    def nodes(self) -> int:
        """Nodes searched so far; also while another thread searches."""
        return self._nodes

    def stop(self) -> None:
        """Stops the search that another thread runs, and every later one until `resume`."""
        self._core.stop()

    def resume(self) -> None:
        """Lets it search again after a stop."""
        self._core.resume()

    def analyse(
        self, state: State, limit: Limit = NO_LIMIT, *, beyond: Reached | None = None
    ) -> Iterator[Analysis]:
        """Every move with the points that are expected after it, surer with each iteration.

        >>> import polyversi as pv
        >>> state = pv.game("othello-10").start()
        >>> found = list(PointsJudge(state.game).analyse(state, pv.Limit(depth=3)))
        >>> [analysis.best.depth for analysis in found]
        [1, 2, 3]
        """
        state = own_state(self.game, state)
        if state.is_over:
            raise EngineError("the game is over; there is nothing to think about")
        return self._analyses(state, limit, beyond[0] if beyond else 0)

    def _analyses(self, state: State, limit: Limit, known: int) -> Iterator[Analysis]:
        budget, unlimited = SearchBudget(self, limit, limit.allowance), SearchBudget(self, NO_LIMIT, None)
        deepest = min(DEEPEST, DEEPEST if limit.depth is None else max(1, limit.depth))
        found: dict[Move, _Expected] = {}
        for depth in range(known + 1, deepest + 1):
            # However busy the machine is, there is a first answer; on huge maps it would take too long.
            is_limited = depth > 1 or self.game.board.size > HUGE
            for move in state.moves:
                if move in found and found[move].is_final:
                    continue
                if depth > known + 1 and budget.is_exhausted:
                    return
                expected = self._after(state, move, depth, budget if is_limited else unlimited)
                if self._core.is_stopped or (is_limited and _seconds(budget) == 0):
                    return
                found[move] = expected
            yield _analysis(state, found, depth, budget)
            if budget.is_exhausted or all(one.is_final for one in found.values()):
                return

    def _after(self, state: State, move: Move, depth: int, budget: SearchBudget) -> _Expected:
        """What is expected after a move, by a search of this iteration."""
        after, played = state.play(move), [move]
        while not after.is_over and after.must_pass:
            played.append(after.moves[0])
            after = after.play(after.moves[0])
        if after.is_over:
            return _Expected(final_points(after), tuple(played), is_exact=True, is_final=True)
        if in_opening(after):
            replies = (self._after(after, reply, 1, budget) for reply in after.moves)
            best = max(replies, key=lambda one: one.points[after.turn - 1])
            return _Expected(best.points, (*played, *best.line), is_final=True)
        found = (_is_ending(after) and self._solved(after, depth, budget)) or self._estimated(
            after, depth, budget)
        if not found.is_exact:
            found = _or_ended(after, found)
        points = _with_disqualified(after, found.points)
        return _Expected(points, (*played, *found.line), found.is_exact, found.is_final)

    def _solved(self, state: State, depth: int, budget: SearchBudget) -> _Expected | None:
        """The ending, if all its moves can be played within the limit of this iteration."""
        points, line, nodes = self._core.solve(state, _seconds(budget), ENDING_NODES << depth)
        self._nodes += nodes
        return _Expected(points, tuple(line), is_exact=True, is_final=True) if points else None

    def _estimated(self, state: State, depth: int, budget: SearchBudget) -> _Expected:
        nodes: int | None = TREE_NODES << (depth - 1)
        if self.game.seats == 2 and state.phase == "build":
            nodes = None
        points, line, used, _, is_final = self._core.expect(state, depth, _seconds(budget), nodes)
        self._nodes += used
        is_exact = is_final and state.phase == "bomb"
        return _Expected(points, _with_passes(state, line), is_exact, is_final)


def _seconds(budget: SearchBudget) -> float | None:
    """What is left of the time: 0 where it was not enough."""
    return None if budget.seconds_left is None else max(0.0, budget.seconds_left)


def _with_passes(state: State, line: Sequence[Move]) -> tuple[Move, ...]:
    """The line with the passes of seats that have no move: the search skips those."""
    played: list[Move] = []
    for move in line:
        while state.must_pass:
            played.append(state.moves[0])
            state = state.play(state.moves[0])
        played.append(move)
        state = state.play(move)
    return tuple(played)


def _or_ended(state: State, found: _Expected) -> _Expected:
    """What is expected, or the end of the game where the seat to move gets more by a pass that ends it.

    The search knows no passes of one's own will.
    """
    last = state.moves[-1]
    if not last.is_pass or not (ended := state.play(last)).is_over:
        return found
    points = final_points(ended)
    return _Expected(points, (last,)) if points[state.turn - 1] > found.points[state.turn - 1] else found


def _is_ending(state: State) -> bool:
    """Whether so few moves are left before the end of the game that it is worth trying all of them."""
    if state.phase == "bomb" or any(state.bombs):
        return False
    free = sum(map(state.tiles.count, (EMPTY, CHOICE, INVERSION, BONUS)))
    return free + sum(state.overrides) <= ENDING


def _with_disqualified(state: State, points: tuple[float, ...]) -> tuple[float, ...]:
    """The points with those of disqualified seats, which are known already."""
    return tuple(DISQUALIFIED_POINTS if seat in state.out else one for seat, one in enumerate(points, 1))


def _possible(points: float) -> float:
    """Points that a seat can get: searches add a little for a lead, even where the first rank is sure."""
    return points if points == DISQUALIFIED_POINTS else min(max(points, 0.0), RANK_POINTS[0])


def _analysis(state: State, found: dict[Move, _Expected], depth: int, budget: SearchBudget) -> Analysis:
    moves = []
    for move, expected in sorted(found.items(), key=lambda one: -one[1].points[state.turn - 1]):
        points = tuple(round(_possible(one), DECIMALS) for one in expected.points)
        selectivity = 100 if expected.is_exact else 0
        moves.append(MoveValue(
            move, points[state.turn - 1], depth, selectivity, expected.is_exact, expected.line, points))
    return Analysis(state, tuple(moves), budget.nodes, budget.elapsed, "points")


def final_points(state: State) -> tuple[float, ...]:
    """The rank points of a finished game as searches count them.

    Who ties counts as above the other with a probability: of two seats a half, of more a quarter, since a
    rival shares the rank. Disqualified seats have the points of the game.

    >>> import polyversi as pv
    >>> final_points(pv.game("othello").position("X" * 40 + "O" * 24 + " X"))
    (25.0, 11.0)
    >>> final_points(pv.game("othello").position("X" * 32 + "O" * 32 + " X"))
    (18.0, 18.0)
    """
    sign = 1 if state.game.definition.goal == "most" else -1
    scores = [sign * score for score in state.scores]
    tie = 0.5 if state.game.seats == 2 else 0.25
    found = []
    for seat, own in enumerate(scores, 1):
        ranks = [1.0] + [0.0] * (len(scores) - 1)    # the probability of each rank
        for other, their in enumerate(scores, 1):
            if other == seat or other in state.out:
                continue
            above = 1.0 if their > own else 0.0 if their < own else tie
            ranks = [ranks[number] * (1 - above) + (ranks[number - 1] * above if number else 0.0)
                     for number in range(len(ranks))]
        found.append(sum(map(float.__mul__, ranks, RANK_POINTS)))
    return _with_disqualified(state, tuple(found))
