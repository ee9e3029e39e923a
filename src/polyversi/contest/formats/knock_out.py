"""The knock-out: the loser is out."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from dataclasses import field as data
from itertools import count
from typing import ClassVar

from polyversi.contest.formats.format import Format, at_the_start
from polyversi.contest.model import Field, Meeting, MeetingResult


@dataclass(frozen=True)
class KnockOut(Format):
    """The loser of a meeting is out. The first entrants of the list are seeded: they meet late and get byes.

    With equal points, more stones decide, then the earlier place in the list. An entrant whose opponent left,
    before the meeting or during it, goes on. When somebody joins later, the bracket of those still in the
    tournament is made again, with the new entrant as the last of the list.

    >>> [meeting.entrants for meeting in KnockOut().meetings(Field(3))]    # a bye for the first
    [(0,), (1, 2)]
    """

    name: ClassVar[str] = "knock-out"
    is_for_pairs: ClassVar[bool] = True

    def meetings(self, field: Field) -> list[Meeting]:
        return _played(field).meetings

    def ranking(self, field: Field) -> list[int]:
        """Those still in it, then the others, the last to go out first; ties in the order of the list."""
        bracket = _played(field)
        return sorted(range(field.entrants), key=lambda entrant: (-bracket.out.get(entrant, MANY), entrant))


MANY = 10**9


@dataclass
class _Bracket:
    """The bracket as far as it has been played."""

    meetings: list[Meeting] = data(default_factory=list)
    out: dict[int, int] = data(default_factory=dict)
    """The round in which an entrant went out."""
    places: list[int | None] = data(default_factory=list)
    """The places of the current round; neighbours meet."""


def _played(field: Field) -> _Bracket:
    bracket = _Bracket()
    newcomers, late = at_the_start(field)
    last = max((field.joined[entrant] for entrant in late), default=1)
    for round in count(1):
        if round > 1:
            newcomers = [entrant for entrant in late if field.joined[entrant] == round]
        if newcomers:
            there = sorted(one for one in bracket.places if one is not None)
            bracket.places = _drawn([*there, *newcomers])
        if len(bracket.places) > 1:
            if not _play_round(field, bracket, round):
                break
        elif round >= last:
            break
    return bracket


def _play_round(field: Field, bracket: _Bracket, round: int) -> bool:
    """Finds the meetings of a round and who goes on; returns whether all of them are finished."""
    onwards: list[int | None] = []
    is_over = True
    for place in range(len(bracket.places) // 2):
        two = [one for one in bracket.places[2 * place : 2 * place + 2] if one is not None]
        id = f"{round}.{place + 1}"
        if len(two) < 2 or id not in field.results:
            # An entrant that left matters only for meetings that were not played.
            there = [one for one in two if round < field.left.get(one, MANY)]
            bracket.out.update(dict.fromkeys(set(two) - set(there), round))
            two = there
        if two:
            bracket.meetings.append(Meeting(id, round, tuple(sorted(two))))
        if len(two) == 2 and id in field.results:
            # An entrant that was set aside on the way does not go on, whatever its score.
            two.sort(key=lambda one: (round + 1 < field.left.get(one, MANY), _value(field.results[id], one)),
                     reverse=True)
            bracket.out[two[1]] = round
        elif len(two) == 2:
            is_over = False
        onwards.append(two[0] if two else None)
    if is_over:
        bracket.places = onwards
    return is_over


def _value(result: MeetingResult, entrant: int) -> tuple[float, int, int]:
    return result.points.get(entrant, 0.0), result.stones.get(entrant, 0), -entrant


def _drawn(entrants: Iterable[int]) -> list[int | None]:
    """The places of a first round: the best two can meet only in the final."""
    there = list(entrants)
    order = [0]
    while len(order) < len(there):
        order = [place for one in order for place in (one, 2 * len(order) - 1 - one)]
    return [there[place] if place < len(there) else None for place in order]
