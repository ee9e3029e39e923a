"""Swiss: its promises in simulated events, its standings, and the matching beneath it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from functools import partial
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from polyversi.contest.formats import format_from
from polyversi.contest.formats.swiss_pairing import cheapest_pairs
from polyversi.contest.model import Field, Meeting, MeetingResult
from tests.soak.swiss import (
    Seen,
    can_be_paired,
    due_in,
    is_regular,
    played,
    run_through,
    simulate,
    simulate_groups,
)
from tests.testing.marks import slow_but

SWISS = format_from("swiss", {})


def result(first: int, second: int, points: float) -> MeetingResult:
    return MeetingResult({first: points, second: 2 - points}, {first: 64, second: 64})


def earlier_wins(meeting: Meeting) -> MeetingResult:
    return result(min(meeting.entrants), max(meeting.entrants), 2.0)


@pytest.mark.parametrize("first", slow_but(range(0, 200, 50), 0))
def test_simulated_events_keep_the_promises(first: int) -> None:
    seen = Seen()
    for seed in range(first, first + 50):
        simulate(seed, seen)
    assert seen.broken == []
    assert seen.events == 50 and seen.rematches > 0 and seen.went > 0 and seen.came > 0 and seen.balance == 2


@pytest.mark.parametrize("first", slow_but(range(0, 200, 50), 0))
def test_simulated_events_in_groups_keep_the_promises(first: int) -> None:
    seen = Seen()
    for seed in range(first, first + 25):
        simulate_groups(seed, seen)
    assert seen.broken == []
    assert seen.events == 25 and seen.groups > 250 and seen.went > 0 and seen.came > 0


@pytest.mark.parametrize(("entrants", "rounds"), [(2, 2), (3, 3), (4, 3), (5, 4), (8, 4), (9, 5), (40, 7)])
def test_the_usual_number_of_rounds(entrants: int, rounds: int) -> None:
    _, found = run_through(SWISS, Field(entrants), earlier_wins, Random(entrants))
    assert found[-1].round == rounds


@pytest.mark.parametrize("entrants", [8, 13, 16, 31])
def test_the_best_wins(entrants: int) -> None:
    now, _ = run_through(SWISS, Field(entrants), earlier_wins, Random(entrants))
    assert (SWISS.ranking(now) or [])[0] == 0


def test_winners_meet_winners() -> None:
    field = Field(8)
    first = SWISS.meetings(field)
    assert [meeting.entrants for meeting in first] == [(0, 4), (5, 1), (2, 6), (7, 3)]
    field = replace(field, results={meeting.id: earlier_wins(meeting) for meeting in first})
    second = [frozenset(meeting.entrants) for meeting in SWISS.meetings(field)[4:]]
    assert [len(pair & {0, 1, 2, 3}) for pair in second] == [2, 2, 0, 0]


def standings(field: Field, found: list[Meeting], ties: int) -> list[int]:
    """By points, and so many of Buchholz and Sonneborn-Berger, worked out anew from the meetings."""
    points = [Fraction(0)] * field.entrants
    had: list[list[tuple[int, Fraction]]] = [[] for _ in points]
    for meeting in found:
        for entrant in meeting.entrants:
            if len(meeting.entrants) == 1:
                had[entrant].append((entrant, Fraction(1)))
            else:
                other = sum(meeting.entrants) - entrant
                had[entrant].append((other, Fraction(field.results[meeting.id].points[entrant]) / 2))
            points[entrant] += had[entrant][-1][1]

    def value(entrant: int) -> list[Fraction]:
        buchholz = sum((points[other] for other, _ in had[entrant]), Fraction(0))
        berger = sum((points[other] * share for other, share in had[entrant]), Fraction(0))
        return [points[entrant], buchholz, berger][: 1 + ties]

    return sorted(range(field.entrants), key=value, reverse=True)    # stable: then the order of the list


def test_standings_by_points_then_buchholz_then_sonneborn_berger() -> None:
    decided = [0, 0, 0]
    for seed in range(30):
        random = Random(seed)
        outcome = partial(played, strengths=[0.0] * 12, random=random)
        now, found = run_through(SWISS, Field(random.randint(5, 12)), outcome, random)
        orders = [standings(now, found, ties) for ties in range(3)]
        assert SWISS.ranking(now) == orders[2], seed
        decided = [count + (order != orders[2]) for count, order in zip(decided, orders, strict=True)]
    assert decided[0] > decided[1] > 0, "both ties were needed"


def test_the_standings_are_those_of_the_rounds_that_are_over() -> None:
    assert SWISS.ranking(Field(4, results={"1.1": result(0, 2, 0.0)})) == [0, 1, 2, 3]


def test_a_bye_counts_as_a_won_meeting_and_comes_once() -> None:
    swiss = format_from("swiss", {"rounds": 5})
    now, found = run_through(swiss, Field(3), earlier_wins, Random(0))
    byes = [meeting for meeting in found if len(meeting.entrants) == 1]
    assert [(meeting.round, meeting.entrants) for meeting in byes] == [(1, (2,)), (2, (1,)), (3, (0,))]
    assert found[-1].round == 3, "a fourth round would be a second bye for somebody"
    assert swiss.ranking(now) == [0, 1, 2]
    after = swiss.ranking(Field(3, results={"1.1": result(0, 1, 1.0)}))
    assert after == [2, 0, 1], "one point for the bye, a half for each of the others"


def test_points_are_shares_of_a_meeting() -> None:
    """So Reversi XT's 25 points for a win weigh as much as another game's one."""
    results = {"1.1": MeetingResult({0: 36.0, 2: 36.0}, {}), "1.2": MeetingResult({3: 0.0, 1: 2.0}, {})}
    assert format_from("swiss", {"rounds": 1}).ranking(Field(4, results=results)) == [1, 0, 2, 3]


def test_one_who_was_disqualified_has_nothing_to_share() -> None:
    """Reversi XT takes 50 points away, but a share of the points of both is never less than nothing."""
    results = {"1.1": MeetingResult({0: 50.0, 2: -100.0}, {}), "1.2": MeetingResult({3: 22.0, 1: 50.0}, {})}
    assert format_from("swiss", {"rounds": 1}).ranking(Field(4, results=results)) == [0, 1, 3, 2]


# Groups.


def by_rank(*order: int) -> MeetingResult:
    return MeetingResult(dict(zip(order, (25.0, 11.0, 5.0, 2.0), strict=False)), dict.fromkeys(order, 9))


def test_groups_by_the_standings() -> None:
    field = Field(9, seats=(3,))
    assert [one.entrants for one in SWISS.meetings(field)] == [(0, 3, 6), (1, 4, 7), (2, 5, 8)]
    results = {"1.1": by_rank(0, 3, 6), "1.2": by_rank(7, 1, 4), "1.3": by_rank(2, 8, 5)}
    field = replace(field, results=results)
    assert SWISS.ranking(field) == [0, 2, 7, 1, 3, 8, 4, 5, 6]
    assert [set(one.entrants) for one in SWISS.meetings(field)[3:]] == [{0, 2, 7}, {1, 3, 8}, {4, 5, 6}]


def test_any_two_of_a_group_share_a_point() -> None:
    """For 25, 11, 5: the shares are 25/36 and 25/30 for the first, 11/36 and 11/16 for the second."""
    field = Field(4, seats=(3,), results={"1.1": by_rank(2, 0, 1)})
    swiss = format_from("swiss", {"rounds": 1})
    assert [one.entrants for one in swiss.meetings(field)] == [(0, 1, 2), (3,)]
    assert swiss.ranking(field) == [2, 3, 0, 1], "to rest is worth half a point: 0.76, 0.50, 0.50, 0.24"


def test_different_seats_take_turns() -> None:
    field = Field(8, seats=(4, 2))
    _, found = run_through(SWISS, field, lambda one: by_rank(*sorted(one.entrants)), Random(1))
    assert [one.round for one in found if len(one.entrants) == 4] == [1, 1, 3, 3]
    assert [one.round for one in found if len(one.entrants) == 2] == [2] * 4 + [4] * 4
    assert SWISS.rounds_of(Field(8, seats=(4, 2, 3))) == 6


def test_a_round_for_which_too_few_are_left_has_fewer_seats() -> None:
    field = Field(4, seats=(4, 2), left={0: 1})
    assert [len(one.entrants) for one in SWISS.meetings(field)] == [2, 1]
    assert SWISS.meetings(Field(4, seats=(4,), left={0: 1})) == []


def test_groups_that_have_begun_stay_whatever_is_drawn_now() -> None:
    """So a store that another version began can be resumed."""
    for seed in range(20):
        random = Random(seed)
        entrants = random.randint(8, 20)
        shuffled = random.sample(range(entrants), entrants)
        drawn = [tuple(shuffled[place : place + 4]) for place in range(0, entrants - 3, 4)]
        places = random.sample(range(len(drawn)), random.randint(1, len(drawn)))
        field = Field(entrants, (4,), begun={f"1.{place + 1}": drawn[place] for place in places})
        found = SWISS.meetings(field)
        assert {one.id: one.entrants for one in found if one.id in field.begun} == field.begun
        assert sorted(entrant for meeting in found for entrant in meeting.entrants) == list(range(entrants))
        for meeting in random.sample(found, len(found)):    # the others stay as they are when they begin
            if len(meeting.entrants) > 1:
                field = replace(field, begun={**field.begun, meeting.id: meeting.entrants})
                assert SWISS.meetings(field) == found


def test_a_meeting_without_points_is_drawn() -> None:
    results = {"1.1": MeetingResult({0: 0.0, 2: 0.0}, {}), "1.2": MeetingResult({3: 0.0, 1: 2.0}, {})}
    assert format_from("swiss", {"rounds": 1}).ranking(Field(4, results=results)) == [1, 0, 2, 3]


def test_nothing_changes_for_rounds_that_were_played_when_somebody_comes() -> None:
    """One more entrant makes one more round, which must not show in the rounds before."""
    random = Random(7)
    start = Field(4)
    first = SWISS.meetings(start)
    now = replace(start, results={one.id: played(one, [0.0] * 9, random) for one in first})
    later = replace(now, entrants=9, joined=dict.fromkeys(range(4, 9), 2))
    assert SWISS.meetings(later)[:2] == first
    over, found = run_through(SWISS, later, lambda one: played(one, [0.0] * 9, random), random)
    assert found[-1].round == 5 and len({one for meeting in found for one in meeting.entrants}) == 9
    assert not due_in(SWISS, over)


def test_two_alone_meet_again_with_changed_seats() -> None:
    _, found = run_through(format_from("swiss", {"rounds": 4}), Field(2), earlier_wins, Random(0))
    assert [meeting.entrants for meeting in found] == [(0, 1), (1, 0), (0, 1), (1, 0)]


@pytest.mark.parametrize("seed", range(20))
def test_meetings_that_have_begun_stay_whatever_the_pairing_says_now(seed: int) -> None:
    """So a store that another version began can be resumed: of equally good pairings it drew others."""
    random = Random(seed)
    entrants = random.randint(4, 15)
    shuffled = random.sample(range(entrants), entrants)
    drawn = [tuple(shuffled[place : place + 2]) for place in range(0, entrants - 1, 2)]
    places = random.sample(range(len(drawn)), random.randint(1, len(drawn)))
    field = Field(entrants, begun={f"1.{place + 1}": drawn[place] for place in places})
    found = SWISS.meetings(field)
    assert {one.id: one.entrants for one in found if one.id in field.begun} == field.begun
    assert sorted(entrant for meeting in found for entrant in meeting.entrants) == list(range(entrants))
    assert [meeting.id for meeting in found] == [f"1.{place + 1}" for place in range(len(found))]
    for meeting in random.sample(found, len(found)):    # the others stay as they are when they begin
        if len(meeting.entrants) == 2:
            field = replace(field, begun={**field.begun, meeting.id: meeting.entrants})
            assert SWISS.meetings(field) == found


# The matching.


def pairings(vertices: list[int]) -> Iterator[list[tuple[int, int]]]:
    """All ways to pair an even number."""
    if not vertices:
        yield []
        return
    first, *others = vertices
    for other in others:
        for rest in pairings([one for one in others if one != other]):
            yield [(first, other), *rest]


@settings(max_examples=150, deadline=None)
@given(half=st.integers(0, 4), most=st.sampled_from([1, 2, 5, 100, 10**14]), seed=st.integers(0, 10**6))
def test_no_pairs_are_cheaper(half: int, most: int, seed: int) -> None:
    drawn = np.random.default_rng(seed).integers(0, most, (2 * half, 2 * half), endpoint=True)
    costs = drawn + drawn.T
    found = cheapest_pairs(costs)
    assert sorted(vertex for pair in found for vertex in pair) == list(range(2 * half))
    cheapest = min(sum(int(costs[pair]) for pair in pairs) for pairs in pairings(list(range(2 * half))))
    assert sum(int(costs[pair]) for pair in found) == cheapest
    assert cheapest_pairs(costs, found[::2]) == found, "of equally cheap ones it is always the same"


@pytest.mark.parametrize("seed", range(40))
def test_large_matchings_find_pairs_where_there_are_some(seed: int) -> None:
    """Few edges, so that blossoms within blossoms are needed; told by determinants whether it can be done."""
    random = Random(seed)
    number = 2 * random.randint(5, 20)
    edges = {frozenset(random.sample(range(number), 2)) for _ in range(random.randint(number, 2 * number))}
    costs = np.ones((number, number), np.int64)
    for one, other in map(tuple, edges):
        costs[one, other] = costs[other, one] = 0
    total = sum(int(costs[pair]) for pair in cheapest_pairs(costs))
    assert (total == 0) == can_be_paired(list(range(number)), list(edges))


def test_the_check_of_the_check() -> None:
    assert is_regular([[0, 1], [5, 0]]) and not is_regular([[1, 2], [2, 4]])
    triangles = [frozenset(pair) for pair in [(0, 1), (1, 2), (0, 2), (3, 4), (4, 5), (3, 5)]]
    assert not can_be_paired(list(range(6)), triangles)
    ring = [frozenset((one, (one + 1) % 10)) for one in range(10)]
    assert can_be_paired(list(range(10)), ring) and not can_be_paired(list(range(10)), ring[:8])
