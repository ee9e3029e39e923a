"""The knock-out: the loser is out, or with more than two seats the worse half of a group."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from dataclasses import field as data
from itertools import combinations, count
from typing import ClassVar

import numpy as np

from polyversi.contest.formats.format import Format, at_the_start, seats_in_round
from polyversi.contest.formats.grouping import improved
from polyversi.contest.model import Field, Meeting, MeetingResult


@dataclass(frozen=True)
class KnockOut(Format):
    """The loser of a meeting is out. The first entrants of the list are seeded: they meet late and get byes.

    With equal points, more stones decide, then the earlier place in the list. An entrant whose opponent left,
    before the meeting or during it, goes on. When somebody joins later, the bracket of those still in the
    tournament is made again, with the new entrant as the last of the list.

    With more than two seats entrants play in groups, of which the better half goes on. The last group is the
    final. So that it is full, and so are all groups of the rounds before it, some have byes in the first
    rounds, nobody twice if that can be avoided, or of those who were third in their groups only the best go
    on. Different numbers of seats take turns, round by round, the largest first; the final has the smallest.

    >>> [meeting.entrants for meeting in KnockOut().meetings(Field(3))]    # a bye for the first
    [(0,), (1, 2)]
    >>> [meeting.entrants for meeting in KnockOut().meetings(Field(9, seats=(4,)))]    # one of four is out
    [(5, 6, 7, 8), (0,), (1,), (2,), (3,), (4,)]
    """

    name: ClassVar[str] = "knock-out"
    label: ClassVar[str] = "Knock-out"
    is_bracket: ClassVar[bool] = True
    scored_by: ClassVar[str] = "Rounds survived"
    fills_seats: ClassVar[bool] = True

    def meetings(self, field: Field) -> list[Meeting]:
        return _played(field).meetings

    def ranking(self, field: Field) -> list[int]:
        """Those still in it, then the others: the last to go out first, then by the place in their group."""
        out = _played(field).out
        return sorted(range(field.entrants), key=lambda one: (*out.get(one, (-MANY, 0)), one))

    def scores(self, field: Field) -> list[float]:
        """For each the round before the one in which it went out, or the last one that is over."""
        rounds = _played(field)
        return [-rounds.out[one][0] - 1 if one in rounds.out else rounds.finished
                for one in range(field.entrants)]


MANY = 10**9


@dataclass
class _Rounds:
    """The rounds as far as they have been played."""

    meetings: list[Meeting] = data(default_factory=list)
    finished: int = 0
    """How many rounds are over."""
    out: dict[int, tuple[int, int]] = data(default_factory=dict)
    """For those who went out the round, negative, and the place in its group."""
    places: list[int | None] = data(default_factory=list)
    """The places of the current round; in a bracket neighbours meet, otherwise the best come first."""
    met: Counter[tuple[int, int]] = data(default_factory=Counter)
    """How often each two have been in a group, the smaller number first."""
    byes: Counter[int] = data(default_factory=Counter)
    """How often each has had a bye in rounds with groups."""


def _played(field: Field) -> _Rounds:
    rounds, is_bracket = _Rounds(), field.seats == (2,)
    # There will be too few entrants for many seats in later rounds.
    field = replace(field, seats=tuple(sorted(field.seats, reverse=True)))
    newcomers, late = at_the_start(field)
    last = max((field.joined[entrant] for entrant in late), default=1)
    for round in count(1):
        if round > 1:
            newcomers = [entrant for entrant in late if field.joined[entrant] == round]
        if newcomers and is_bracket:
            there = sorted(one for one in rounds.places if one is not None)
            rounds.places = _drawn([*there, *newcomers])
        elif newcomers:
            rounds.places += newcomers
        if len(rounds.places) > 1:
            if not (_play_bracket if is_bracket else _play_groups)(field, rounds, round):
                break
            rounds.finished = round
        elif round >= last:
            break
    return rounds


# Two seats: a bracket, in which everybody has a place.


def _play_bracket(field: Field, rounds: _Rounds, round: int) -> bool:
    """Finds the meetings of a round and who goes on; returns whether all of them are finished."""
    onwards: list[int | None] = []
    is_over = True
    for place in range(len(rounds.places) // 2):
        two = [one for one in rounds.places[2 * place : 2 * place + 2] if one is not None]
        id = f"{round}.{place + 1}"
        if len(two) < 2 or id not in field.results:
            # An entrant that left matters only for meetings that were not played.
            there = [one for one in two if round < field.left.get(one, MANY)]
            rounds.out.update(dict.fromkeys(set(two) - set(there), (-round, 1)))
            two = there
        if two:
            rounds.meetings.append(Meeting(id, round, tuple(sorted(two))))
        if len(two) == 2 and id in field.results:
            two = _by_result(field, round, two, field.results[id])
            rounds.out[two[1]] = -round, 1
        elif len(two) == 2:
            is_over = False
        onwards.append(two[0] if two else None)
    if is_over:
        rounds.places = onwards
    return is_over


def _drawn(entrants: Iterable[int]) -> list[int | None]:
    """The places of a first round: the best two can meet only in the final."""
    there = list(entrants)
    order = [0]
    while len(order) < len(there):
        order = [place for one in order for place in (one, 2 * len(order) - 1 - one)]
    return [there[place] if place < len(there) else None for place in order]


# More seats: groups, drawn anew in each round.


def _play_groups(field: Field, rounds: _Rounds, round: int) -> bool:
    """Finds the groups of a round and who goes on; returns whether all of them are finished."""
    places = [one for one in rounds.places if one is not None]
    there = [one for one in places if round < field.left.get(one, MANY)]
    rounds.out.update(dict.fromkeys(set(places) - set(there), (-round, MANY)))
    rounds.places = [*there]
    seats = seats_in_round(field, round, len(there))
    if seats is None:
        return len(there) < 2
    number, leaving = _numbers(len(there), seats, min(field.seats))
    first = sorted(there, key=lambda one: rounds.byes[one])    # stable: the best of those with fewest byes
    byes = first[: len(there) - number * seats]
    groups = _groups([one for one in there if one not in byes], number, rounds.met)
    drawn = enumerate((*groups, *((one,) for one in byes)), 1)
    due = [Meeting(f"{round}.{place}", round, group) for place, group in drawn]
    rounds.meetings += due
    if any(meeting.id not in field.results for meeting in due[:number]):
        return False
    rounds.byes.update(byes)
    rounds.met.update(pair for group in groups for pair in combinations(sorted(group), 2))
    seeds = {one: seed for seed, one in enumerate(there)}
    order = sorted(finish for meeting in due[:number] for finish in _finished(field, meeting, seeds))
    onwards = [finish for finish in order[: len(order) - leaving] if finish.rank < MANY]
    rounds.out.update({finish.entrant: (-round, finish.rank) for finish in order[len(onwards) :]})
    seeds = {one: seeds[one] for one in byes} | {finish.entrant: finish.seed for finish in onwards}
    rounds.places = [*sorted(seeds, key=seeds.__getitem__)]
    return True


@dataclass(frozen=True, order=True)
class _Finished:
    """How somebody ended in its group; the best of all groups come first in their order."""

    rank: int
    """From 0, but far behind for one that left."""
    worth: tuple[float, ...]
    """Its points, stones and place in the list, each the smaller the better."""
    entrant: int
    seed: int
    """Its place in the draw of the next round: who is best in a group gets the best place of the group."""


def _finished(field: Field, meeting: Meeting, seeds: Mapping[int, int]) -> Iterator[_Finished]:
    result = field.results[meeting.id]
    ranked = _by_result(field, meeting.round, meeting.entrants, result)
    for rank, (one, seed) in enumerate(zip(ranked, sorted(seeds[one] for one in ranked), strict=True)):
        has_left = meeting.round + 1 >= field.left.get(one, MANY)
        worth = tuple(-value for value in _value(result, one))
        yield _Finished(rank + MANY * has_left, worth, one, seed)


def _numbers(entrants: int, seats: int, least: int) -> tuple[int, int]:
    """The number of groups in a round, and of those who go out; the final has the least number of seats.

    So many are left that the groups of all further rounds are full, and only their better halves go on, if
    that is possible without more than half of a group going out now: 4, 8 or 16 for four seats.

    >>> [_numbers(entrants, 4, 4) for entrants in (4, 5, 8, 11, 16)]
    [(1, 3), (1, 1), (2, 4), (2, 3), (4, 8)]
    >>> [_numbers(entrants, 8, 8) for entrants in (11, 15)]
    [(1, 3), (1, 4)]
    >>> [_numbers(entrants, 3, 3) for entrants in (6, 9)]
    [(2, 3), (3, 6)]
    >>> _numbers(4, 4, 2)    # two of them play the final
    (1, 2)
    """
    if entrants == least:
        return 1, least - 1
    if entrants == seats:
        return 1, min(seats - seats // 2, seats - least)
    wanted, more = seats, seats // (seats // 2)
    while wanted * more < entrants:
        wanted *= more
    half = seats - seats // 2
    leaving = min(entrants - wanted, entrants // seats * half)
    return -(-leaving // half), leaving


def _groups(playing: Sequence[int], number: int, met: Mapping[tuple[int, int], int]) -> list[tuple[int, ...]]:
    """Groups with one each of the best, of the next best and so on, who have not met if possible.

    >>> _groups([0, 1, 2, 3, 4, 5], 2, {})
    [(0, 3, 4), (1, 2, 5)]
    >>> _groups([0, 1, 2, 3, 4, 5], 2, {(0, 3): 1})
    [(0, 2, 5), (1, 3, 4)]
    """
    rows = [list(range(first, first + number)) for first in range(0, len(playing), number)]
    start = zip(*(row[::-1] if turn % 2 else row for turn, row in enumerate(rows)), strict=True)
    costs = np.zeros((len(playing), len(playing)), np.int64)
    for one, other in combinations(range(len(playing)), 2):
        pair = min(playing[one], playing[other]), max(playing[one], playing[other])
        same_row = one // number == other // number
        costs[one, other] = costs[other, one] = MANY if same_row else met.get(pair, 0) ** 2
    return [tuple(playing[place] for place in group) for group in improved([*start], costs)]


# Results.


def _by_result(field: Field, round: int, group: Sequence[int], result: MeetingResult) -> list[int]:
    """The best first; one that was set aside on the way does not go on, whatever its score."""
    return sorted(group, reverse=True, key=lambda one: (
        round + 1 < field.left.get(one, MANY), _value(result, one)))


def _value(result: MeetingResult, entrant: int) -> tuple[float, int, int]:
    return result.points.get(entrant, 0.0), result.stones.get(entrant, 0), -entrant
