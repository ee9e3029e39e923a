"""The groups of a round with more than two seats: who plays together, as few as possible again."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from polyversi.contest.formats.swiss_pairing import Card, Group, at_their_tables, in_quarters, rematches


@lru_cache(maxsize=1024)
def group_tables(
    cards: tuple[Card, ...], seats: int, begun: tuple[tuple[int, Group], ...] = ()
) -> tuple[Group, ...]:
    """Who plays together in a round of a Swiss tournament, and last, one by one, who rests.

    The cards are in the order of the standings. Those who have played most with so many seats rest, the last
    of them first. The others play with their neighbours in the standings, but as few as possible meet again;
    while all are equal the best of the list are in different groups. Meetings that have `begun` stay as they
    are, each at its table, counted from 0.

    >>> group_tables(tuple(Card(entrant) for entrant in range(7)), 3)
    ((0, 2, 4), (1, 3, 5), (6,))
    >>> group_tables(tuple(Card(entrant, points=9000 * (entrant < 3)) for entrant in range(6)), 3)
    ((0, 1, 2), (3, 4, 5))
    """
    resting, playing = _rest(cards, seats)
    groups = _groups(playing, seats)
    drawn = {frozenset(group) for group in groups}
    if any(frozenset(group) not in drawn for _, group in begun):
        # Another version drew this round. Neighbours stay the same whichever of them begin first.
        placed = {entrant for _, group in begun for entrant in group}
        resting, playing = _rest([card for card in cards if card.entrant not in placed], seats)
        free = [card.entrant for card in playing]
        groups = [tuple(free[first : first + seats]) for first in range(0, len(free), seats)]
        groups += [group for _, group in begun]
    return (*at_their_tables(groups, dict(begun)), *((card.entrant,) for card in resting))


def _rest(cards: Sequence[Card], seats: int) -> tuple[list[Card], list[Card]]:
    """Those for whom there is no group, and the others."""
    last_first = cards[::-1]
    resting = sorted(last_first, key=lambda card: -card.seats.count(seats))[: len(cards) % seats]
    return resting, [card for card in cards if card not in resting]


def _groups(cards: Sequence[Card], seats: int) -> list[Group]:
    if not cards:
        return []
    number, places = len(cards) // seats, list(range(len(cards)))
    if len({card.points for card in cards}) == 1:
        start = [places[first::number] for first in range(number)]
    else:
        start = [places[first : first + seats] for first in range(0, len(places), seats)]
    points = in_quarters(cards)
    apart: NDArray[np.int64] = np.minimum(np.abs(points[:, None] - points), 40) ** 2
    # One who meets again costs more than any distance of all groups together.
    again = rematches(cards, seats) * (len(cards) * seats * (int(apart.max()) + 1))
    return [tuple(cards[place].entrant for place in group) for group in improved(start, apart + again)]


def improved(groups: Sequence[Sequence[int]], costs: NDArray[np.int64]) -> list[list[int]]:
    """Groups of the vertices, with two of them exchanged as long as that is cheaper.

    Each vertex in turn is exchanged with the one with which that saves most. The cost of a group is that of
    all its pairs. The groups are in order, and so are their vertices.

    >>> improved([[0, 1], [2, 3]], np.array([[0, 9, 1, 5], [9, 0, 5, 1], [1, 5, 0, 9], [5, 1, 9, 0]]))
    [[0, 2], [1, 3]]
    """
    everybody, found = np.arange(len(costs)), np.zeros(len(costs), np.int64)
    sums = np.zeros((len(costs), len(groups)), np.int64)    # the cost of each vertex with each group
    for number, group in enumerate(groups):
        found[list(group)] = number
        sums[:, number] = costs[:, list(group)].sum(axis=1)
    is_better = True
    while is_better:
        is_better = False
        for one in range(len(costs)):
            here = found[one]
            change = (sums[one, found] - sums[one, here] + sums[:, here] - sums[everybody, found]
                      - 2 * costs[one])
            change[found == here] = 0
            other = int(change.argmin())
            if change[other] < 0:
                there, moved = found[other], costs[:, other] - costs[:, one]
                sums[:, here] += moved
                sums[:, there] -= moved
                found[one], found[other] = there, here
                is_better = True
    return sorted(np.flatnonzero(found == number).tolist() for number in range(len(groups)))
