"""Reviews: every move of a game analysed, with what it cost and which ones were mistakes."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from types import MappingProxyType
from typing import Any

import msgspec

from polyversi._core import Move
from polyversi.drawing.markup import table
from polyversi.engines.engine import Analysis, MoveValue, Unit
from polyversi.engines.judge import Judge, judge
from polyversi.engines.search import EngineError
from polyversi.games.limit import Limit
from polyversi.games.state import State
from polyversi.games.tiles import EMPTY
from polyversi.records import Record


@dataclass(frozen=True)
class Judgement:
    """A word for a bad move."""

    name: str
    mark: str
    """What players write after the move."""
    loss: int
    """How many stones, or points, such a move costs at least."""


JUDGEMENTS = (Judgement("inaccuracy", "?!", 3), Judgement("mistake", "?", 6), Judgement("blunder", "??", 12))
"""From the mildest to the worst. A difference of one stone is often only a matter of search depth."""
JUDGEMENTS_BY_POINTS = (
    Judgement("inaccuracy", "?!", 1), Judgement("mistake", "?", 2), Judgement("blunder", "??", 4))
"""The same for rank points, of which the first of two gets 14 more than the second."""
SOLVED = 12
"""Empty cells with which a position is solved, which takes a few hundredths of a second at most."""
JUDGEMENTS_OF: dict[Unit, tuple[Judgement, ...]] = {"stones": JUDGEMENTS, "points": JUDGEMENTS_BY_POINTS}


@dataclass(frozen=True)
class ReviewedMove:
    """A move of a game, and the analysis of the position in which it was played."""

    ply: int
    """The number of the move in the game, from 1."""
    move: Move
    analysis: Analysis

    @property
    def state(self) -> State:
        """The position in which it was played."""
        return self.analysis.state

    @property
    def seat(self) -> int:
        """Whose move it was."""
        return self.state.next_seat

    @property
    def played(self) -> MoveValue:
        """The move with its value for the seat that played it."""
        return next(scored for scored in self.analysis.moves if scored.move == self.move)

    @property
    def best(self) -> MoveValue:
        """The best move there: the one that was played where none is better."""
        return self.analysis.best if self.loss else self.played

    @property
    def loss(self) -> float:
        """The stones or points that the move costs, compared with the best one."""
        return round(self.analysis.best.value - self.played.value, 2)

    @property
    def is_exact(self) -> bool:
        """Whether the values, and so the loss, are proved."""
        return self.played.is_exact and self.best.is_exact

    @property
    def is_forced(self) -> bool:
        """Whether there was no other move."""
        return len(self.analysis.moves) == 1

    @property
    def judgement(self) -> Judgement | None:
        """What to call it if it is bad: the worst of `JUDGEMENTS_OF` that it deserves."""
        worst_first = JUDGEMENTS_OF[self.analysis.unit][::-1]
        return next((judgement for judgement in worst_first if self.loss >= judgement.loss), None)

    @property
    def is_turning_point(self) -> bool:
        """Whether the move changed who is expected to win: with the best move it would be somebody else.

        Unless the values are exact, it is one only if the move is an inaccuracy at least: a smaller change
        is often only a matter of search depth.
        """
        changed = _expected_winners(self.best) != _expected_winners(self.played)
        return changed and (self.is_exact or self.judgement is not None)


@dataclass(frozen=True)
class Total:
    """The moves of one seat in total."""

    seat: int
    choices: int
    """Moves that were not forced."""
    loss: float
    """How many stones or points they cost together."""
    counts: tuple[int, ...]
    """How many of them deserve each of `JUDGEMENTS`."""
    unit: Unit = "stones"

    @property
    def mean_loss(self) -> float:
        """How many stones or points a move cost on average, forced moves left out."""
        return self.loss / self.choices if self.choices else 0.0

    @property
    def accuracy(self) -> float:
        """In percent: 100 where nothing was lost, and half as much with each mean loss of a mistake.

        With stones it is 100 · 2^(-mean loss / 6), with points 100 · 2^(-mean loss / 2).

        >>> [round(Total(1, 10, loss, (0, 0, 0)).accuracy, 1) for loss in (0, 10, 60)]
        [100.0, 89.1, 50.0]
        """
        mistake = JUDGEMENTS_OF[self.unit][1].loss
        return 100 * math.exp2(-self.mean_loss / mistake)


@dataclass(frozen=True)
class Review:
    """A game with the values of its moves. A notebook draws it."""

    start: State
    plies: int
    """How many moves the game has."""
    moves: tuple[ReviewedMove, ...] = ()
    """The moves analysed so far, in the order of play: all of them once the review is done."""
    unit: Unit = "stones"
    """What its values are counted in."""

    @property
    def totals(self) -> tuple[Total, ...]:
        """What the moves of each seat come to."""
        found = []
        for seat in range(1, self.start.game.seats + 1):
            moves = [reviewed for reviewed in self.moves if reviewed.seat == seat and not reviewed.is_forced]
            judgements, loss = [one.judgement for one in moves], round(sum(one.loss for one in moves), 2)
            counts = tuple(map(judgements.count, JUDGEMENTS_OF[self.unit]))
            found.append(Total(seat, len(moves), loss, counts, self.unit))
        return tuple(found)

    @property
    def turning_points(self) -> tuple[int, ...]:
        """The plies of the moves that changed who is expected to win."""
        return tuple(reviewed.ply for reviewed in self.moves if reviewed.is_turning_point)

    def _repr_html_(self) -> str:
        heads = ("ply", "seat", "move", "", "value", "loss", "certainty", "better")
        rows = [
            (str(one.ply), str(one.seat), str(one.move), one.judgement.mark if one.judgement else "",
             one.played.value_text, str(one.loss or ""), one.played.certainty,
             " ".join(map(str, one.best.principal_variation)) if one.loss else "") for one in self.moves
        ]
        return table(heads, rows)

    @property
    def is_whole(self) -> bool:
        """Whether all moves have been analysed."""
        return len(self.moves) == self.plies

    @property
    def nodes(self) -> int:
        """Nodes of all searches."""
        return sum(reviewed.analysis.nodes for reviewed in self.moves)

    @property
    def seconds(self) -> float:
        """Seconds of all searches."""
        return sum(reviewed.analysis.seconds for reviewed in self.moves)


def review(
    game: Record | Iterable[State], limit: Limit, *, engine: Judge | None = None,
    observe: Callable[[Review], None] = lambda _: None,
) -> Review:
    """The value of every move of a game and what it cost, from a record or from the states of the game.

    The limit is for each move. The judge is the engine that is given, or what `judge` has for the game.
    `observe` gets the review so far after each of them; what it raises ends the
    review.

    >>> import polyversi as pv
    >>> from polyversi.records import Record
    >>> found = review(Record.of("othello-4", "b1c1d1a1"), pv.Limit(seconds=10))
    >>> [(str(reviewed.move), reviewed.played.value, reviewed.loss) for reviewed in found.moves]
    [('b1', -8, 0), ('c1', -8, 16), ('d1', 8, 0), ('a1', -8, 0)]
    >>> found.moves[1].judgement.name, found.moves[1].best.move, [total.mean_loss for total in found.totals]
    ('blunder', Move('a1'), [0.0, 8.0])
    """
    found = None
    for found in reviewing(game, limit, engine=engine):
        if found.moves:
            observe(found)
    assert found is not None
    return found


def reviewing(
    game: Record | Iterable[State], limit: Limit, *, engine: Judge | None = None,
    known: Mapping[int, Analysis] = MappingProxyType({}),
) -> Iterator[Review]:
    """The review of a game as it grows, from one without moves to the whole: what `review` does, in steps.

    What is `known` of some plies, from a review that was broken off, is taken as it is.

    >>> import polyversi as pv
    >>> from polyversi.records import Record
    >>> steps = reviewing(Record.of("othello-4", "b1c1"), pv.Limit(seconds=10))
    >>> [[(reviewed.ply, reviewed.loss) for reviewed in step.moves] for step in steps]
    [[], [(2, 16)], [(1, 0), (2, 16)]]
    """
    start, plies = _plies_of(game)
    engine = engine or judge(start.game)
    found = Review(start, len(plies), unit=engine.unit)
    yield found
    waiting = list(enumerate(plies, 1))
    is_from_the_end = True
    while waiting:
        # From the end as long as values are exact: what is known about it helps with what led to it. The rest
        # from the start: otherwise the table would know the played move one ply deeper than the others, and
        # where nothing is exact, values of odd and even depths do not compare.
        number, (state, move) = waiting.pop(-1 if is_from_the_end else 0)
        if (analysis := known.get(number)) is None:
            last = deque(engine.analyse(state, _limit_for(state, limit, engine)), maxlen=1)
            if not last:
                raise EngineError("the engine was stopped before it found anything")
            analysis = last[0]
        reviewed = ReviewedMove(number, move, analysis)
        is_from_the_end = is_from_the_end and analysis.is_exact
        found = replace(found, moves=tuple(sorted((*found.moves, reviewed), key=lambda one: one.ply)))
        yield found


def _limit_for(state: State, limit: Limit, engine: Judge) -> Limit:
    """The limit of a move; the last moves are solved even if a busy machine leaves the engine no time."""
    is_end = engine.unit == "stones" and state.tiles.count(EMPTY) <= SOLVED
    return Limit() if is_end and limit == Limit(seconds=limit.seconds) else limit


class ReviewedWorth(msgspec.Struct, frozen=True):
    """A move of a game with what it cost; values are for the seat that moved."""

    ply: int
    seat: int
    move: str
    value: float
    points: list[float] | None
    best: str
    best_value: float
    loss: float
    mark: str
    exact: bool
    depth: int
    selectivity: int
    line: list[str]
    """The best line."""

    @classmethod
    def of(cls, reviewed: ReviewedMove) -> ReviewedWorth:
        """A move that was reviewed."""
        played, best, judgement = reviewed.played, reviewed.best, reviewed.judgement
        return cls(
            reviewed.ply, reviewed.seat, str(reviewed.move), played.value,
            None if played.points is None else list(played.points), str(best.move), best.value, reviewed.loss,
            judgement.mark if judgement else "", reviewed.is_exact, played.depth, played.selectivity,
            list(map(str, best.principal_variation)))


class SeatTotal(msgspec.Struct, frozen=True):
    """The moves of a seat in total."""

    seat: int
    choices: int
    loss: float
    mean_loss: float
    accuracy: float
    counts: list[int]

    @classmethod
    def of(cls, total: Total) -> SeatTotal:
        """The total of a seat."""
        return cls(total.seat, total.choices, total.loss, round(total.mean_loss, 4), round(total.accuracy, 2),
                   list(total.counts))


class ReviewFinding(msgspec.Struct, frozen=True, kw_only=True):
    """A review as it is sent and stored, as far as it was made.

    >>> import polyversi as pv
    >>> from polyversi.records import Record
    >>> found = ReviewFinding.of(review(Record.of("othello-4", "b1c1d1a1"), pv.Limit(seconds=10)))
    >>> found.moves[1].move, found.moves[1].mark, found.moves[1].line[0]
    ('c1', '??', 'a1')
    >>> found.turning_points, found.thresholds, [total.accuracy for total in found.totals]
    ([2], [3, 6, 12], [100.0, 39.69])
    """

    plies: int
    done: int
    """How many moves have been analysed."""
    unit: Unit
    moves: list[ReviewedWorth]
    totals: list[SeatTotal]
    turning_points: list[int]
    thresholds: list[float]

    @classmethod
    def of(cls, review: Review) -> ReviewFinding:
        """What a review has found."""
        return cls(
            plies=review.plies, done=len(review.moves), unit=review.unit,
            moves=list(map(ReviewedWorth.of, review.moves)), totals=list(map(SeatTotal.of, review.totals)),
            turning_points=list(review.turning_points),
            thresholds=[judgement.loss for judgement in JUDGEMENTS_OF[review.unit]])

    @property
    def is_whole(self) -> bool:
        """Whether every move has been analysed."""
        return self.done == self.plies


def review_data(review: Review) -> dict[str, Any]:
    """A review as data for JSON: a `ReviewFinding`."""
    data: dict[str, Any] = msgspec.to_builtins(ReviewFinding.of(review))
    return data


def _expected_winners(scored: MoveValue) -> int | tuple[int, ...]:
    """Who is expected to win: the sign of the stones, or the seats with most points."""
    if scored.points is None:
        return (scored.value > 0) - (scored.value < 0)
    most = max(scored.points)
    return tuple(seat for seat, points in enumerate(scored.points, 1) if points == most)


def _plies_of(game: Record | Iterable[State]) -> tuple[State, list[tuple[State, Move]]]:
    """Where a game begins, and its moves with the positions in which they were played."""
    if isinstance(game, Record):
        return game.start, list(game)
    states = list(game)
    if not states:
        raise EngineError("a review needs the states of a game; give its start and all that follow")
    return states[0], [(before, _move_between(before, after)) for before, after in pairwise(states)]


def _move_between(before: State, after: State) -> Move:
    for move in before.moves:
        if before.play(move) == after:
            return move
    raise EngineError(f"no move leads from '{before.text}' to '{after.text}'; give every state")
