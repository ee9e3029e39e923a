"""The round robin: everybody plays everybody, in rounds; and the ten games of a course's page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from math import comb
from random import Random
from typing import ClassVar

import numpy as np

from polyversi.contest.formats.format import Format, at_the_start, numbered
from polyversi.contest.formats.grouping import improved
from polyversi.contest.model import Field, Meeting, SeatOrder
from polyversi.games.errors import PlayerError

MAX_GROUPS = 2000
"""The most groups; of more, a selection is drawn: 40 entrants and four seats would have 91,390."""
TRIES = 20
"""How often the groups of a round are drawn again if one of them has played already."""

Group = tuple[int, ...]


@dataclass(frozen=True)
class RoundRobin(Format):
    """Everybody plays everybody once: every pair, or with more than two seats every group.

    Fewer entrants than seats share the seats evenly. If there are more than 2,000 groups, the seed selects at
    most 2,000 of them, so that all play about equally often. A late entrant plays all the earlier ones.

    Variants with different numbers of seats have meetings of their own. Then the seed selects groups for as
    many rounds as there are entrants, about as many as pairs need, so that everybody plays equally often.

    >>> [meeting.entrants for meeting in RoundRobin().meetings(Field(3))]
    [(1, 2), (2, 0), (0, 1)]
    >>> [meeting.entrants for meeting in RoundRobin().meetings(Field(2, seats=(4,)))]
    [(0, 1, 0, 1)]
    >>> [meeting.entrants for meeting in RoundRobin().meetings(Field(3, seats=(2, 3)))]
    [(1, 2), (0, 1, 2), (2, 0), (0, 1)]
    """

    name: ClassVar[str] = "round-robin"
    label: ClassVar[str] = "Round robin"

    def meetings(self, field: Field) -> list[Meeting]:
        first = [group for seats in field.seats for group in _first(field, seats)]
        return numbered(field, [*first, *_later(field)])

    def check(self, field: Field) -> None:
        super().check(field)
        for seats in field.seats:
            if field.entrants < seats and seats % field.entrants:
                raise PlayerError(f"{field.entrants} entrants cannot share {seats} seats evenly")


@dataclass(frozen=True)
class TenGames(RoundRobin):
    """Every pair of entrants plays ten games and changes seats after five, as on the course's page.

    >>> TenGames().games_of(2), TenGames.seats
    (10, 'course')
    """

    name: ClassVar[str] = "ten-games"
    label: ClassVar[str] = "Ten games"
    seats: ClassVar[SeatOrder] = "course"
    is_for_pairs: ClassVar[bool] = True

    def games_of(self, seats: int) -> int:  # noqa: ARG002 there are always two
        return 10


def _first(field: Field, seats: int) -> list[tuple[int, Group]]:
    """The groups of the entrants of the first round, for the variants with so many seats."""
    first, _ = at_the_start(field)
    if seats == 2:
        return circle(first)
    if len(first) < seats:
        return [(1, group) for group in _shared(first, seats)]
    drawn = (groups if len(field.seats) == 1 else even_groups)(len(first), seats, field.seed)
    return [(round, tuple(first[place] for place in group)) for round, group in drawn]


def _later(field: Field) -> Iterator[tuple[int, Group]]:
    """The groups of late entrants, one a round for each of them and each number of seats."""
    there, late = at_the_start(field)
    for newcomer in late:
        for seats in field.seats:
            for turn, group in enumerate(_groups_of(newcomer, there, seats, field)):
                yield max(field.joined[newcomer] + turn, *(field.joined.get(one, 1) for one in group)), group
        there.append(newcomer)


def _groups_of(newcomer: int, there: list[int], seats: int, field: Field) -> Sequence[Group]:
    """The groups of a late entrant with those who were there before."""
    if seats == 2:
        return [seated(newcomer, other) for other in there]
    if len(there) + 1 < seats:
        return _shared([*there, newcomer], seats)
    number = len(there) if len(field.seats) > 1 else None
    return groups_with(newcomer, tuple(there), seats, field.seed, number)


def _shared(entrants: list[int], seats: int) -> list[Group]:
    """Fewer entrants than seats: each has several, or they do not meet if that is uneven."""
    if len(entrants) < 2 or seats % len(entrants):
        return []
    return [tuple(entrants) * (seats // len(entrants))]


def circle(entrants: list[int]) -> list[tuple[int, Group]]:
    """Every pair once, with its round, in as few rounds as possible.

    One entrant stays in its place and the others rotate around it. Who sits first follows from the numbers of
    the two, so that everybody sits first in half of its meetings.

    >>> circle([0, 1, 2, 3])
    [(1, (0, 3)), (1, (1, 2)), (2, (2, 0)), (2, (3, 1)), (3, (0, 1)), (3, (2, 3))]
    """
    places: list[int | None] = [*entrants, None] if len(entrants) % 2 else list(entrants)
    found = []
    for round in range(1, len(places)):
        half = len(places) // 2
        for one, other in zip(places[:half], reversed(places[half:]), strict=True):
            if one is not None and other is not None:
                found.append((round, seated(one, other)))
        places = [places[0], places[-1], *places[1:-1]]
    return found


def seated(one: int, other: int) -> Group:
    """Which of two sits first: the one with the smaller number if their sum is odd.

    >>> seated(1, 0), seated(0, 2)
    ((0, 1), (2, 0))
    """
    low, high = sorted((one, other))
    return (low, high) if (low + high) % 2 else (high, low)


@lru_cache(maxsize=64)
def groups(entrants: int, seats: int, seed: int) -> tuple[tuple[int, Group], ...]:
    """Every group of entrants once, with its round, or a fair selection if there are too many.

    Nobody plays twice in a round. Of more than 2,000 groups the seed selects at most 2,000, so that all play
    about equally often and meet the others about equally often.

    >>> len(groups(6, 3, seed=1)), groups(6, 3, seed=1)[:2]
    (20, ((1, (0, 1, 2)), (1, (3, 4, 5))))
    >>> len(groups(40, 4, seed=1))
    1998
    """
    if comb(entrants, seats) <= MAX_GROUPS:
        return tuple(_all_groups(entrants, seats))
    return tuple(_drawn_groups(entrants, seats, Random(f"groups {seed}")))


@lru_cache(maxsize=64)
def even_groups(entrants: int, seats: int, seed: int) -> tuple[tuple[int, Group], ...]:
    """Groups for as many rounds as entrants, each with its round; everybody plays equally often.

    Nobody plays twice in a round, and all meet the others about equally often. If there are fewer groups than
    that, each of them plays once; if it would be more than 2,000 groups, there are fewer rounds.

    >>> even_groups(4, 3, seed=1)
    ((1, (0, 1, 2)), (2, (0, 1, 3)), (3, (0, 2, 3)), (4, (1, 2, 3)))
    >>> set(Counter(one for _, group in even_groups(10, 4, seed=1) for one in group).values())
    {8}
    """
    if comb(entrants, seats) <= entrants * (entrants // seats):
        return tuple(_all_groups(entrants, seats))
    random, number = Random(f"groups {seed}"), entrants // seats
    played, met = Counter[int](), np.zeros((entrants, entrants), np.int64)
    found: list[tuple[int, Group]] = []
    seen: set[Group] = set()
    for round in range(1, min(entrants, MAX_GROUPS // number) + 1):
        for _ in range(TRIES):
            order = sorted(random.sample(range(entrants), entrants), key=lambda one: played[one])
            playing = np.array(order[: number * seats])
            start = np.arange(len(playing)).reshape(number, seats).tolist()
            drawn = [tuple(sorted(playing[group].tolist()))
                     for group in improved(start, met[np.ix_(playing, playing)])]
            if seen.isdisjoint(drawn):
                break
        played.update(order[: number * seats])
        seen.update(drawn)
        found += [(round, group) for group in drawn]
        for group in drawn:
            met[np.ix_(group, group)] += 1
        np.fill_diagonal(met, 0)
    return tuple(found)


def _all_groups(entrants: int, seats: int) -> Iterator[tuple[int, Group]]:
    waiting = [(group, sum(1 << one for one in group)) for group in combinations(range(entrants), seats)]
    played: Counter[int] = Counter()
    round = 0
    while waiting:
        round += 1
        busy, later = 0, []
        # Who has played less comes first; the sort is stable, so that nothing is left to chance.
        for group, members in sorted(waiting, key=lambda one: sum(played[member] for member in one[0])):
            if busy & members:
                later.append((group, members))
            else:
                busy |= members
                played.update(group)
                yield round, group
        waiting = later


def _drawn_groups(entrants: int, seats: int, random: Random) -> Iterator[tuple[int, Group]]:
    drawn: set[Group] = set()
    played: Counter[int] = Counter()
    met: Counter[Group] = Counter()
    for round in range(1, MAX_GROUPS * seats // entrants + 1):
        rest = random.sample(range(entrants), entrants)
        rest.sort(key=lambda one: played[one])
        while len(rest) >= seats:
            group = _least_met(rest, seats, met, drawn)
            rest = [one for one in rest if one not in group]
            if group not in drawn:
                drawn.add(group)
                played.update(group)
                met.update(combinations(group, 2))
                yield round, group


def _least_met(rest: list[int], seats: int, met: Counter[Group], drawn: set[Group]) -> Group:
    """The first of those that are left, with others that have met least; not drawn before, if possible."""
    group, others = [rest[0]], rest[1:]
    times = dict.fromkeys(others, 0)
    while len(group) < seats:
        for other in others:
            times[other] += met[min(group[-1], other), max(group[-1], other)]
        is_last = len(group) == seats - 1
        chosen = min(
            others, key=lambda one: (is_last and tuple(sorted([*group, one])) in drawn, times[one])
        )
        group.append(chosen)
        others.remove(chosen)
    return tuple(sorted(group))


@lru_cache(maxsize=64)
def groups_with(
    newcomer: int, others: Group, seats: int, seed: int, number: int | None = None
) -> tuple[Group, ...]:
    """The groups in which a late entrant meets the earlier ones, selected as in `groups`.

    >>> groups_with(3, (0, 1, 2), 3, seed=1)
    ((0, 1, 3), (0, 2, 3), (1, 2, 3))
    >>> groups_with(6, (0, 1, 2, 3, 4, 5), 3, seed=1, number=3)
    ((2, 5, 6), (3, 4, 6), (0, 1, 6))
    """
    possible, most = comb(len(others) + 1, seats), MAX_GROUPS
    if number is not None:
        possible, most = comb(len(others), seats - 1), number
    if possible <= most:
        return tuple((*group, newcomer) for group in combinations(others, seats - 1))
    random, drawn = Random(f"groups {seed} {newcomer}"), dict[Group, None]()
    deals = MAX_GROUPS * seats * (seats - 1) // len(others) ** 2 + 1
    while deals > 0 if number is None else len(drawn) < number:
        deals -= 1
        dealt = random.sample(others, len(others))
        for first in range(0, len(dealt) - seats + 2, seats - 1):
            drawn[(*sorted(dealt[first : first + seats - 1]), newcomer)] = None
    return tuple(drawn)[:number]
