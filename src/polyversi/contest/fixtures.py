"""Fixtures: who meets whom in a match, who has which seat, and which games share an opening."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, count, cycle, islice, permutations

from polyversi.contest.model import Fixture, Meeting, SeatOrder
from polyversi.games.errors import PlayerError

Group = tuple[int, ...]
"""Entrants that meet, by their index; one that takes several seats is named as often."""


def groups_of(players: int, seats: int, against: int = 0) -> list[Group]:
    """Who meets whom.

    As many players as seats meet each other, fewer share the seats evenly, and of more every group meets. The
    opponents `against` come after the players: each player meets each of them, and nobody else.

    >>> groups_of(2, 2), groups_of(3, 2), groups_of(2, 4)
    ([(0, 1)], [(0, 1), (0, 2), (1, 2)], [(0, 1, 0, 1)])
    >>> groups_of(2, 2, against=2), groups_of(1, 4, against=1)
    ([(0, 2), (0, 3), (1, 2), (1, 3)], [(0, 1, 1, 1)])
    """
    if against:
        opponents = range(players, players + against)
        return [(player, *[opponent] * (seats - 1)) for player in range(players) for opponent in opponents]
    if players < 2:
        raise PlayerError("a match needs at least two players")
    if players >= seats:
        return list(combinations(range(players), seats))
    if seats % players:
        raise PlayerError(f"{players} players cannot share {seats} seats evenly")
    return [tuple(range(players)) * (seats // players)]


def seat_orders(group: Group) -> Iterator[tuple[tuple[int, ...], ...]]:
    """Every seating of a group, in subgroups in which everybody has every seat once.

    >>> list(seat_orders((0, 1, 2)))
    [((0, 1, 2), (1, 2, 0), (2, 0, 1)), ((0, 2, 1), (2, 1, 0), (1, 0, 2))]

    Exchanging two seats of the same player is not another seating.

    >>> list(seat_orders((0, 1, 0, 1)))
    [((0, 1, 0, 1), (1, 0, 1, 0)), ((0, 1, 1, 0), (1, 1, 0, 0), (1, 0, 0, 1), (0, 0, 1, 1))]
    """
    seats, seen = len(group), set[tuple[int, ...]]()
    for others in permutations(group[1:]):
        circle = (group[0], *others)
        if circle not in seen:
            turned = tuple(dict.fromkeys(circle[first:] + circle[:first] for first in range(seats)))
            seen.update(turned)
            yield turned


def match_fixtures(groups: Sequence[Sequence[Group]], games: int, order: SeatOrder) -> list[Fixture]:
    """So many games of each group on each variant, numbered from 1.

    The first game of every group on every variant comes first, then the second of every group, and so on.

    >>> [fixture.seating for fixture in match_fixtures([[(0, 1)]], 4, "course")]
    [(0, 1), (0, 1), (1, 0), (1, 0)]
    >>> [(fixture.id, fixture.variant) for fixture in match_fixtures([[(0, 1)], [(0, 1)]], 2, "course")]
    [('1', 0), ('2', 1), ('3', 0), ('4', 1)]
    """
    known = dict.fromkeys(group for found in groups for group in found)
    meetings = {group: Meeting(f"1.{place}", 1, group) for place, group in enumerate(known, 1)}
    return _numbered([[meetings[group] for group in found] for found in groups], games, order)


def meeting_fixtures(
    meeting: Meeting, seats: Sequence[int], games: int, order: SeatOrder
) -> list[Fixture]:
    """All games of a meeting, with changed seats: so many on each variant that has seats for all of them.

    The numbers of seats are those of all variants. A bye has no games.

    >>> games = meeting_fixtures(Meeting("1.1", 1, (4, 7)), [2, 4], 2, "alternate")
    >>> [(game.id, game.variant, game.seating) for game in games]
    [('1.1/1', 0, (4, 7)), ('1.1/2', 0, (7, 4))]
    """
    played = [[meeting] if number == len(meeting.entrants) else [] for number in seats]
    return _numbered(played, games, order, f"{meeting.id}/")


def _numbered(
    meetings: Sequence[Sequence[Meeting]], games: int, order: SeatOrder, prefix: str = ""
) -> list[Fixture]:
    numbers = count(1)
    seats = [[list(_seatings(meeting.entrants, games, order)) for meeting in found] for found in meetings]
    return [
        Fixture(f"{prefix}{next(numbers)}", meeting, variant, *seatings[game])
        for game in range(games)
        for variant, found in enumerate(meetings)
        for meeting, seatings in zip(found, seats[variant], strict=True)
    ]


def _seatings(group: Group, games: int, order: SeatOrder) -> Iterator[tuple[int, Group]]:
    """The opening and the seating of each game of a group."""
    if order == "fixed":
        return ((game, group) for game in range(games))
    if len(group) == 2 and order == "course":
        half = games - games // 2
        return ((game % half, group if game < half else group[::-1]) for game in range(games))
    turns = enumerate(cycle(seat_orders(group)))
    return islice(((opening, seating) for opening, turn in turns for seating in turn), games)
