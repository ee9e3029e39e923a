"""Schedules: who meets whom in a match, in which seats, and which games begin alike."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
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


def seat_orders(seats: int) -> Iterator[tuple[int, ...]]:
    """Every order in which so many players can sit; in each run of as many, all have sat in every seat.

    >>> list(seat_orders(3))
    [(0, 1, 2), (1, 2, 0), (2, 0, 1), (0, 2, 1), (2, 1, 0), (1, 0, 2)]
    """
    for others in permutations(range(1, seats)):
        circle = (0, *others)
        for first in range(seats):
            yield circle[first:] + circle[:first]


def schedule(found: list[Meeting], games: int, order: SeatOrder = "course") -> list[Fixture]:
    """So many games of each meeting; the first of every meeting, then the second of every meeting, and so on.

    >>> [fixture.seating for fixture in schedule([(0, 1)], 4)]
    [(0, 1), (0, 1), (1, 0), (1, 0)]
    >>> [(fixture.seating, fixture.opening) for fixture in schedule([(0, 1)], 4, "alternate")]
    [((0, 1), 0), ((1, 0), 0), ((0, 1), 1), ((1, 0), 1)]
    """
    seats, half = len(found[0]), games - games // 2
    rounds: Iterator[tuple[int, tuple[int, ...]]]
    if seats == 2 and order == "course":
        rounds = ((game % half, (0, 1) if game < half else (1, 0)) for game in range(games))
    else:
        orders = islice(cycle(seat_orders(seats)), games)
        rounds = ((game // seats, places) for game, places in enumerate(orders))
    numbers = count(1)
    return [
        Fixture(next(numbers), meeting, opening, tuple(meeting[place] for place in places))
        for opening, places in rounds
        for meeting in found
    ]
