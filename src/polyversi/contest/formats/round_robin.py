"""The round robin: all against all; and the ten games of the course's page."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from polyversi.contest.formats.circle import Group, circle, groups, groups_with, seated
from polyversi.contest.formats.format import Format, at_the_start, numbered
from polyversi.contest.model import Field, Meeting, SeatOrder
from polyversi.games.errors import PlayerError


@dataclass(frozen=True)
class RoundRobin(Format):
    """All entrants meet each other once: every pair, or every group of as many as there are seats.

    Fewer entrants than seats share the seats evenly. Where there are more than 2,000 groups, at most 2,000 of
    them are drawn from the seed, so that all play about equally often. Who comes later meets all that were
    there before.

    >>> [meeting.entrants for meeting in RoundRobin().meetings(Field(3))]
    [(1, 2), (2, 0), (0, 1)]
    >>> [meeting.entrants for meeting in RoundRobin().meetings(Field(2, seats=4))]
    [(0, 1, 0, 1)]
    """

    name: ClassVar[str] = "round-robin"

    def meetings(self, field: Field) -> list[Meeting]:
        return numbered(field, [*_first(field), *_later(field)])

    def check(self, field: Field) -> None:
        super().check(field)
        if field.entrants < field.seats and field.seats % field.entrants:
            raise PlayerError(f"{field.entrants} entrants cannot share {field.seats} seats evenly")


@dataclass(frozen=True)
class TenGames(RoundRobin):
    """Every pair of entrants plays ten games and changes seats after five, as on the course's page.

    >>> TenGames.games, TenGames.seats
    (10, 'course')
    """

    name: ClassVar[str] = "ten-games"
    games: ClassVar[int | None] = 10
    seats: ClassVar[SeatOrder] = "course"
    is_for_pairs: ClassVar[bool] = True


def _first(field: Field) -> list[tuple[int, Group]]:
    """The groups of those that are there from the first round on."""
    first, _ = at_the_start(field)
    if field.seats == 2:
        return circle(first)
    if len(first) < field.seats:
        return [(1, group) for group in _shared(first, field.seats)]
    drawn = groups(len(first), field.seats, field.seed)
    return [(round, tuple(first[place] for place in group)) for round, group in drawn]


def _later(field: Field) -> Iterator[tuple[int, Group]]:
    """The groups of those that came later, one a round for each of them."""
    there, late = at_the_start(field)
    for newcomer in late:
        if field.seats == 2:
            found = [seated(newcomer, other) for other in there]
        elif len(there) + 1 < field.seats:
            found = _shared([*there, newcomer], field.seats)
        else:
            found = list(groups_with(newcomer, tuple(there), field.seats, field.seed))
        for turn, group in enumerate(found):
            yield max(field.joined[newcomer] + turn, *(field.joined.get(one, 1) for one in group)), group
        there.append(newcomer)


def _shared(entrants: list[int], seats: int) -> list[Group]:
    """Fewer than there are seats, who have several each, or do not meet where that is not even."""
    if len(entrants) < 2 or seats % len(entrants):
        return []
    return [tuple(entrants) * (seats // len(entrants))]
