"""The pairing of a round of a Swiss tournament: who meets whom, and who sits first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from polyversi.games.errors import PlayerError

Group = tuple[int, ...]

WHOLE = 5040
"""The points of a meeting: divisible among two to ten games without rounding."""
FINE = 1024
"""The cost of a pair with a quarter of a point between them; it grows with the square of the distance."""
SAME_SEAT = 16 * FINE
"""The cost of a pair in which both should have the same seat: that of a whole point between them."""
CROWDED = 100
"""How many times more that costs in an event in which most entrants meet most others."""
TIE_BITS = 40
"""Bits of the random numbers that decide between pairings of equal cost."""


@dataclass(frozen=True)
class Card:
    """The results of one entrant."""

    entrant: int
    points: int = 0
    """Its share of the points of each meeting; a bye counts as a whole meeting."""
    met: Group = ()
    """Its opponents, in order; a meeting with more than two seats has several."""
    seats: Group = ()
    """For each of these opponents the number of seats of their meeting."""
    shares: Group = ()
    """Its points against each of these opponents."""
    firsts: Group = ()
    """For each meeting of two 1 if it sat first, else -1."""
    had_bye: bool = False
    """Whether it had no opponent in a round with two seats."""
    rests: Group = ()
    """For each other round in which it did not play the number of seats."""

    @property
    def balance(self) -> int:
        """How many more times it sat first than second.

        >>> Card(0, firsts=(1, -1, 1)).balance
        1
        """
        return sum(self.firsts)


@lru_cache(maxsize=1024)
def tables(
    cards: tuple[Card, ...], is_crowded: bool = False, begun: tuple[tuple[int, Group], ...] = ()
) -> tuple[Group, ...]:
    """Who meets whom, the first seat first and the bye last; the cards are in the order of the standings.

    The result is empty if a bye is needed and everybody has had one. In order of importance: nobody has two
    byes, nobody has one seat three times more often than the other, nobody meets an opponent again, and the
    points of a pair are close. Among equals the better half meets the other half. In a crowded event, in
    which most meet most others, balanced seats come before close points. Meetings that have `begun` stay as
    they are, each at its table, counted from 0.

    >>> cards = tuple(Card(entrant) for entrant in range(5))
    >>> tables(cards)
    ((0, 2), (3, 1), (4,))
    >>> tables(cards, begun=((1, (2, 1)),))
    ((0, 3), (2, 1), (4,))
    """
    number = len(cards)
    if number % 2 and all(card.had_bye for card in cards):
        return ()
    places = {card.entrant: place for place, card in enumerate(cards)}
    fixed = [(places[one], places[other]) for _, (one, other) in begun]
    found = cheapest_pairs(_costs(cards, is_crowded), fixed)
    pairs = [(cards[one], cards[other]) for one, other in found if other < number]
    byes = [(cards[one].entrant,) for one, other in found if other == number]
    return (*at_their_tables(_seated(pairs), dict(begun)), *byes)


def cheapest_pairs(costs: NDArray[np.int64], fixed: Sequence[tuple[int, int]] = ()) -> list[tuple[int, int]]:
    """The cheapest pairing of an even number of vertices that contains the fixed pairs.

    Random numbers, always the same, decide between equal costs. So the answer is unique, whatever the library
    does, and stays the same when some of its pairs are fixed.

    >>> cheapest_pairs(np.array([[0, 1, 4, 9], [1, 0, 1, 9], [4, 1, 0, 1], [9, 9, 1, 0]]))
    [(0, 1), (2, 3)]
    """
    try:
        import rustworkx
    except ImportError as error:
        raise PlayerError("Swiss pairing needs rustworkx: pip install 'polyversi[arena]'") from error

    random, number = Random(0), len(costs)
    ties = {pair: random.getrandbits(TIE_BITS) for pair in combinations(range(number), 2)}
    mates = dict(fixed) | {other: one for one, other in fixed}
    graph = rustworkx.PyGraph[None, int](multigraph=False)
    graph.add_nodes_from([None] * number)
    graph.add_edges_from([
        (one, other, -((int(costs[one, other]) << TIE_BITS + number.bit_length()) + tie))
        for (one, other), tie in ties.items()
        if mates.get(one, other) == other and mates.get(other, one) == one
    ])
    found = rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=int)
    return sorted((min(pair), max(pair)) for pair in found)


def at_their_tables(groups: Sequence[Group], begun: Mapping[int, Group]) -> list[Group]:
    """Leaves meetings that have begun at their tables, and puts the others at the free ones.

    >>> at_their_tables([(0, 3), (1, 2)], {0: (2, 1)})
    [(2, 1), (0, 3)]
    """
    playing = {entrant for group in begun.values() for entrant in group}
    others = iter([group for group in groups if group[0] not in playing])
    return [begun[table] if table in begun else next(others) for table in range(len(groups))]


def _seated(pairs: list[tuple[Card, Card]]) -> list[Group]:
    """Who sits first in each pair; pairs with different balances are decided first."""
    seated: dict[int, Group] = {}
    apart: list[tuple[Card, int]] = []
    for table, pair in sorted(enumerate(pairs), key=lambda one: one[1][0].balance == one[1][1].balance):
        either = (pair, pair[::-1]) if table % 2 == 0 else (pair[::-1], pair)
        first, second = min(either, key=lambda seats: _seat_costs(seats, apart))
        seated[table] = first.entrant, second.entrant
        apart.extend(_apart(first, second))
    return [seated[table] for table in range(len(pairs))]


def _seat_costs(seats: tuple[Card, Card], apart: list[tuple[Card, int]]) -> tuple[int, int, int]:
    """The one that sat first less often sits first, then the one that did not when their seats last differed.

    If both have had the same seat more often, one of them gets a balance of two. That should not be one that
    may meet another with the same balance later, since these two could not be seated.
    """
    first, second = seats
    clashes = sum(
        balance == other and card.entrant not in who.met
        for who, balance in _apart(first, second)
        for card, other in apart
    )
    past = zip(reversed(first.firsts), reversed(second.firsts), strict=False)
    last = next((here - there for here, there in past if here != there), 0)
    return first.balance - second.balance, clashes, last


def _apart(first: Card, second: Card) -> list[tuple[Card, int]]:
    """Which of two would have a balance of two after this meeting, with that balance."""
    after = ((first, first.balance + 1), (second, second.balance - 1))
    return [(card, balance) for card, balance in after if abs(balance) == 2]


def _costs(cards: Sequence[Card], is_crowded: bool) -> NDArray[np.int64]:
    """The cost of each pair; with an odd number of cards the last vertex is the bye."""
    number = len(cards)
    balances = np.array([card.balance for card in cards])
    same_seat = SAME_SEAT * CROWDED if is_crowded else SAME_SEAT
    soft = _distances(cards) + same_seat * (np.outer(balances, balances) > 0)
    # Each level costs more than all pairs of the lower levels together.
    again = rematches(cards, 2)
    level = number * (int(soft.max()) + 1)
    costs = soft + level * again
    level *= number * (int(again.max()) + 1)
    costs += level * (np.outer(balances, balances) >= 4)
    if number % 2 == 0:
        return costs
    level *= number
    byes = _bye_costs(cards) + level * np.array([card.had_bye for card in cards], np.int64)
    return np.block([[costs, byes[:, None]], [byes[None, :], np.zeros((1, 1), np.int64)]])


def rematches(cards: Sequence[Card], seats: int) -> NDArray[np.int64]:
    """The squared number of meetings of a pair with so many seats: second meetings come before third ones.

    >>> rematches([Card(0, met=(1, 1, 1), seats=(2, 4, 4)), Card(1)], 4).tolist()
    [[0, 4], [0, 0]]
    """
    places = {card.entrant: place for place, card in enumerate(cards)}
    times = np.zeros((len(cards), len(cards)), np.int64)
    for place, card in enumerate(cards):
        for other, number in zip(card.met, card.seats, strict=True):
            if other in places and number == seats:
                times[place, places[other]] += 1
    return np.minimum(times, 9) ** 2


def _distances(cards: Sequence[Card]) -> NDArray[np.int64]:
    """How far a pair is from the ideal one."""
    number = len(cards)
    quarters = in_quarters(cards)
    apart: NDArray[np.int64] = np.minimum(np.abs(quarters[:, None] - quarters), 40) ** 2
    places = np.arange(number)
    distance = np.abs(places[:, None] - places)
    sizes = np.array([(quarters == own).sum() for own in quarters])
    ideal = np.where(apart == 0, sizes[:, None] // 2, 0)    # with different points neighbours meet
    scale = np.where(apart == 0, sizes[:, None], number)
    found: NDArray[np.int64] = FINE * apart + FINE * (distance - ideal) ** 2 // (2 * scale**2)
    return found


def _bye_costs(cards: Sequence[Card]) -> NDArray[np.int64]:
    """The bye goes to the last of the standings."""
    quarters = in_quarters(cards)
    apart: NDArray[Any] = np.minimum(quarters - quarters.min(), 40) ** 2
    return FINE * apart + np.arange(len(cards) - 1, -1, -1)


def in_quarters(cards: Sequence[Card]) -> NDArray[np.int64]:
    """The points of each, in quarters of a meeting.

    >>> in_quarters([Card(0, points=WHOLE), Card(1, points=WHOLE // 2)]).tolist()
    [4, 2]
    """
    return np.array([round(4 * card.points / WHOLE) for card in cards], np.int64)
