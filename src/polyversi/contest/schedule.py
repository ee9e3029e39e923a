"""Schedules: who meets whom in a match, in which seats, and which games begin alike."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, count, cycle, islice, permutations
from typing import Literal

from polyversi.games.errors import PlayerError

SeatOrder = Literal["course", "alternate"]
"""When two players change seats: after half of the games, as a course's tournament does, or after each."""

Meeting = tuple[int, ...]
"""Players that meet, by their index; one that takes several seats is named as often."""


@dataclass(frozen=True)
class Fixture:
    """A game to be played."""

    number: int
    """From 1, in the order in which they are begun."""
    meeting: Meeting
    opening: int
    """Games of a meeting with the same number here begin with the same position."""
    seating: tuple[int, ...]
    """The index of the player in each seat."""
    variant: int = 0
    """The index of what is played, in a match of several variants."""


def meetings(players: int, seats: int, against: int = 0) -> list[Meeting]:
    """Who meets whom.

    As many players as there are seats meet each other, fewer share the seats evenly, and of more every group
    meets. Players `against` which the others are to be measured are counted after them: each of the others
    meets each of them, and they do not meet among themselves.

    >>> meetings(2, 2), meetings(3, 2), meetings(2, 4)
    ([(0, 1)], [(0, 1), (0, 2), (1, 2)], [(0, 1, 0, 1)])
    >>> meetings(2, 2, against=2), meetings(1, 4, against=1)
    ([(0, 2), (0, 3), (1, 2), (1, 3)], [(0, 1, 1, 1)])
    """
    if against:
        opponents = range(players, players + against)
        return [(player, *[opponent] * (seats - 1)) for player in range(players) for opponent in opponents]
    if players < 2:
        raise PlayerError("a match needs two players or more")
    if players >= seats:
        return list(combinations(range(players), seats))
    if seats % players:
        raise PlayerError(f"{players} players cannot share {seats} seats evenly")
    return [tuple(range(players)) * (seats // players)]


def seat_orders(meeting: Meeting) -> Iterator[tuple[tuple[int, ...], ...]]:
    """Every order in which those of a meeting can sit, as groups in which all have sat in every seat.

    >>> list(seat_orders((0, 1, 2)))
    [((0, 1, 2), (1, 2, 0), (2, 0, 1)), ((0, 2, 1), (2, 1, 0), (1, 0, 2))]

    Players with several seats can change those among themselves, which makes no other order.

    >>> list(seat_orders((0, 1, 0, 1)))
    [((0, 1, 0, 1), (1, 0, 1, 0)), ((0, 1, 1, 0), (1, 1, 0, 0), (1, 0, 0, 1), (0, 0, 1, 1))]
    """
    seats, seen = len(meeting), set[tuple[int, ...]]()
    for others in permutations(meeting[1:]):
        circle = (meeting[0], *others)
        if circle not in seen:
            turned = tuple(dict.fromkeys(circle[first:] + circle[:first] for first in range(seats)))
            seen.update(turned)
            yield turned


def schedule(found: list[Meeting], games: int, order: SeatOrder = "course") -> list[Fixture]:
    """So many games of each meeting; the first of every meeting, then the second of every meeting, and so on.

    >>> [fixture.seating for fixture in schedule([(0, 1)], 4)]
    [(0, 1), (0, 1), (1, 0), (1, 0)]
    >>> [(fixture.seating, fixture.opening) for fixture in schedule([(0, 1)], 4, "alternate")]
    [((0, 1), 0), ((1, 0), 0), ((0, 1), 1), ((1, 0), 1)]
    """
    half, numbers = games - games // 2, count(1)

    def rounds(meeting: Meeting) -> Iterator[tuple[int, tuple[int, ...]]]:
        if len(meeting) == 2 and order == "course":
            return ((game % half, meeting if game < half else meeting[::-1]) for game in range(games))
        groups = enumerate(cycle(seat_orders(meeting)))
        return islice(((opening, seating) for opening, group in groups for seating in group), games)

    return [
        Fixture(next(numbers), meeting, opening, seating)
        for together in zip(*map(rounds, found), strict=True)
        for meeting, (opening, seating) in zip(found, together, strict=True)
    ]


def schedule_in_turn(
    found: Sequence[list[Meeting]], games: int, order: SeatOrder = "course"
) -> list[Fixture]:
    """So many games of each meeting on each of several variants, one variant after the other in every round.

    >>> [(fixture.number, fixture.variant) for fixture in schedule_in_turn([[(0, 1)], [(0, 1)]], 2)]
    [(1, 0), (2, 1), (3, 0), (4, 1)]
    """
    numbers = count(1)
    schedules = [schedule(meetings, games, order) for meetings in found]
    return [
        replace(fixture, number=next(numbers), variant=variant)
        for game in range(games)
        for variant, (fixtures, size) in enumerate(zip(schedules, map(len, found), strict=True))
        for fixture in fixtures[game * size : (game + 1) * size]
    ]
