"""Knock-out and ladder: formats whose rounds wait for the results of the one before."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from math import ceil, log2
from random import Random

import pytest

from polyversi.contest.formats import Format, format_from
from polyversi.contest.model import Field, Meeting, MeetingResult
from tests.soak.swiss import due_in, run_through
from tests.testing.marks import slow

KNOCK_OUT: Format = format_from("knock-out", {})
LADDER: Format = format_from("ladder", {})


def won(winner: int, loser: int) -> MeetingResult:
    return MeetingResult({winner: 2.0, loser: 0.0}, {winner: 80, loser: 48})


def better_wins(meeting: Meeting) -> MeetingResult:
    return won(max(meeting.entrants), min(meeting.entrants))


def earlier_wins(meeting: Meeting) -> MeetingResult:
    return won(min(meeting.entrants), max(meeting.entrants))


def described(format: Format, field: Field) -> list[tuple[str, tuple[int, ...]]]:
    return [(meeting.id, meeting.entrants) for meeting in format.meetings(field)]


def with_results(field: Field, **results: MeetingResult) -> Field:
    """Results by their ids, with an underline for the point: `_1_2` is of meeting 1.2."""
    named = {name[1:].replace("_", "."): result for name, result in results.items()}
    return replace(field, results={**field.results, **named})


@pytest.mark.parametrize("entrants", range(2, 34))
def test_a_knock_out_of_any_size(entrants: int) -> None:
    now, found = run_through(KNOCK_OUT, Field(entrants), earlier_wins, Random(entrants))
    assert sum(len(meeting.entrants) == 2 for meeting in found) == entrants - 1
    assert found[-1].round == ceil(log2(entrants)) and found[-1].entrants == (0, 1)
    byes = [meeting.entrants[0] for meeting in found if len(meeting.entrants) == 1]
    assert sorted(byes) == list(range(2 ** ceil(log2(entrants)) - entrants))
    ranking = KNOCK_OUT.ranking(now)
    assert ranking is not None and ranking == list(range(entrants))


def test_the_best_wins_from_the_end_of_the_list() -> None:
    now, _ = run_through(KNOCK_OUT, Field(11), better_wins, Random(3))
    assert (KNOCK_OUT.ranking(now) or [])[0] == 10


def test_the_bracket() -> None:
    field = Field(6)
    assert described(KNOCK_OUT, field) == [("1.1", (0,)), ("1.2", (3, 4)), ("1.3", (1,)), ("1.4", (2, 5))]
    field = with_results(field, _1_2=won(4, 3))
    assert len(KNOCK_OUT.meetings(field)) == 4 and due_in(KNOCK_OUT, field)
    field = with_results(field, _1_4=won(5, 2))
    assert described(KNOCK_OUT, field)[4:] == [("2.1", (0, 4)), ("2.2", (1, 5))]
    assert KNOCK_OUT.ranking(field) == [0, 1, 4, 5, 2, 3]
    field = with_results(field, _2_1=won(4, 0), _2_2=won(5, 1), _3_1=won(5, 4))
    assert described(KNOCK_OUT, field)[6:] == [("3.1", (4, 5))] and not due_in(KNOCK_OUT, field)
    assert KNOCK_OUT.ranking(field) == [5, 4, 0, 1, 2, 3]


@pytest.mark.parametrize(("stones", "winner"), [((50, 78), 1), ((78, 50), 0), ((64, 64), 0)])
def test_equal_points_go_by_stones_then_by_the_list(stones: tuple[int, int], winner: int) -> None:
    result = MeetingResult({0: 1.0, 1: 1.0}, dict(enumerate(stones)))
    assert (KNOCK_OUT.ranking(Field(2, results={"1.1": result})) or [])[0] == winner


def test_against_one_who_left_one_goes_on() -> None:
    field = with_results(Field(4, left={0: 1}), _1_2=won(1, 2))
    assert described(KNOCK_OUT, field) == [("1.1", (3,)), ("1.2", (1, 2)), ("2.1", (1, 3))]
    winner_left = with_results(Field(4, left={0: 2}), _1_1=won(0, 3), _1_2=won(1, 2))
    assert described(KNOCK_OUT, winner_left)[2:] == [("2.1", (1, 3))]    # it was set aside on the way
    over = with_results(winner_left, _2_1=won(3, 1))
    assert not due_in(KNOCK_OUT, over) and KNOCK_OUT.ranking(over) == [3, 1, 0, 2]


def test_all_of_a_meeting_left() -> None:
    left = Field(8, left={0: 1, 7: 1, 3: 2, 4: 2})
    field = with_results(left, _1_2=won(3, 4), _1_3=won(1, 6), _1_4=won(2, 5))
    assert described(KNOCK_OUT, field)[3:] == [("2.2", (1, 2))]
    assert described(KNOCK_OUT, with_results(field, _2_2=won(2, 1)))[-1] == ("3.1", (2,))


def test_newcomers_are_drawn_into_the_next_round() -> None:
    field = with_results(Field(4), _1_1=won(0, 3), _1_2=won(2, 1))
    later = replace(field, entrants=5, joined={4: 2})
    assert described(KNOCK_OUT, later)[2:] == [("2.1", (0,)), ("2.2", (2, 4))]
    over = with_results(field, _2_1=won(2, 0))
    challenged = replace(over, entrants=5, joined={4: 3})
    assert described(KNOCK_OUT, challenged)[3:] == [("3.1", (2, 4))]
    assert KNOCK_OUT.ranking(with_results(challenged, _3_1=won(4, 2))) == [4, 2, 0, 1, 3]


def by_the_list(meeting: Meeting) -> MeetingResult:
    """The earlier in the list, the better."""
    order = sorted(meeting.entrants)
    return MeetingResult({one: 25.0 - place for place, one in enumerate(order)}, dict.fromkeys(order, 9))


def against_the_list(meeting: Meeting) -> MeetingResult:
    return MeetingResult({one: float(one) for one in meeting.entrants}, dict.fromkeys(meeting.entrants, 9))


@pytest.mark.parametrize("seats", [(3,), slow((4,)), slow((8,)), slow((2, 4)), (4, 3, 8)])
@pytest.mark.parametrize("outcome", [by_the_list, against_the_list])
def test_the_best_wins_a_knock_out_of_groups(
    seats: tuple[int, ...], outcome: Callable[[Meeting], MeetingResult]
) -> None:
    for entrants in range(max(seats), 26):
        now, found = run_through(KNOCK_OUT, Field(entrants, seats), outcome, Random(entrants))
        ranking, best = KNOCK_OUT.ranking(now) or [], 0 if outcome is by_the_list else entrants - 1
        assert ranking[0] == best and sorted(ranking) == list(range(entrants))
        rounds: dict[int, list[Meeting]] = {}
        for meeting in found:
            rounds.setdefault(meeting.round, []).append(meeting)
        for round, (meetings, following) in enumerate(pairwise([*rounds.values()]), 1):
            groups = [meeting.entrants for meeting in meetings if len(meeting.entrants) > 1]
            onwards = {one for meeting in following for one in meeting.entrants}
            assert {len(group) for group in groups} <= set(seats), round
            for group in groups:
                assert len(onwards & set(group)) >= len(group) // 2
        assert len(rounds[max(rounds)]) == 1 and len(rounds[max(rounds)][0].entrants) in seats


def test_groups_of_a_knock_out() -> None:
    field = Field(11, seats=(4,))
    assert described(KNOCK_OUT, field) == [
        ("1.1", (3, 6, 7, 10)), ("1.2", (4, 5, 8, 9)), ("1.3", (0,)), ("1.4", (1,)), ("1.5", (2,))]
    # Three of eight go out: both that are last, and of those in the third places the one with fewer points.
    field = with_results(
        field, _1_1=MeetingResult({10: 40.0, 3: 30.0, 6: 20.0, 7: 10.0}, {}),
        _1_2=MeetingResult({4: 40.0, 5: 30.0, 8: 21.0, 9: 9.0}, {}))
    assert described(KNOCK_OUT, field)[5:] == [("2.1", (0, 10, 4, 8)), ("2.2", (1, 2, 5, 3))]
    assert KNOCK_OUT.ranking(field) == [0, 1, 2, 3, 4, 5, 8, 10, 6, 7, 9]


def test_those_of_a_group_go_to_different_ones() -> None:
    field = Field(16, seats=(4,))
    first = KNOCK_OUT.meetings(field)
    field = replace(field, results={meeting.id: by_the_list(meeting) for meeting in first})
    for group in KNOCK_OUT.meetings(field)[4:]:
        assert all(len(set(group.entrants) & set(earlier.entrants)) == 1 for earlier in first)


def test_one_who_left_does_not_go_on_in_its_group() -> None:
    field = Field(8, seats=(4,))
    results = {meeting.id: by_the_list(meeting) for meeting in KNOCK_OUT.meetings(field)}
    assert described(KNOCK_OUT, field) == [("1.1", (0, 3, 4, 7)), ("1.2", (1, 2, 5, 6))]
    assert described(KNOCK_OUT, replace(field, results=results))[2:] == [("2.1", (0, 1, 2, 3))]
    without = replace(field, results=results, left={0: 2})
    assert described(KNOCK_OUT, without)[2:] == [("2.1", (3, 1, 2, 4))]
    assert KNOCK_OUT.ranking(without) == [1, 2, 3, 4, 5, 7, 6, 0]
    few = replace(field, results=results, left={0: 2, 3: 2, 4: 2, 7: 2, 1: 2})
    assert described(KNOCK_OUT, few)[2:] == [], "three are too few for four seats"
    assert (KNOCK_OUT.ranking(few) or [])[:3] == [2, 5, 6]


def test_newcomers_to_groups_come_last() -> None:
    field = Field(4, seats=(4,))
    over = replace(field, results={"1.1": by_the_list(KNOCK_OUT.meetings(field)[0])})
    assert KNOCK_OUT.ranking(over) == [0, 1, 2, 3]
    later = replace(over, entrants=7, joined={4: 2, 5: 2, 6: 2})
    assert described(KNOCK_OUT, later)[1:] == [("2.1", (0, 4, 5, 6))]


@pytest.mark.parametrize("seats", [(3,), (4,), (8,), (2, 4), (8, 3, 2)])
def test_a_ladder_of_groups_comes_to_be_in_order(seats: tuple[int, ...]) -> None:
    for entrants in (max(seats), max(seats) + 1, 10, 11):
        now, found = run_through(LADDER, Field(entrants, seats), against_the_list, Random(entrants))
        assert LADDER.ranking(now) == list(range(entrants))[::-1]
        assert {one for meeting in found for one in meeting.entrants} == set(range(entrants))


def test_neighbours_challenge_each_other() -> None:
    field = Field(8, seats=(4,))
    assert described(LADDER, field) == [("1.1", (3, 2, 1, 0)), ("1.2", (7, 6, 5, 4))]
    field = with_results(field, _1_1=MeetingResult({0: 10.0, 1: 30.0, 2: 10.0, 3: 11.0}, {}),
                         _1_2=MeetingResult({4: 5.0, 5: 5.0, 6: 6.0, 7: 5.0}, {}))
    assert LADDER.ranking(field) == [1, 3, 0, 2, 6, 4, 5, 7]
    assert described(LADDER, field)[2:] == [("2.1", (4, 6, 2, 0))]


@pytest.mark.parametrize("entrants", range(2, 12))
def test_the_ladder_is_in_order_after_as_many_rounds_as_entrants(entrants: int) -> None:
    now, found = run_through(LADDER, Field(entrants), better_wins, Random(entrants))
    assert found[-1].round in (entrants - 1, entrants)
    assert LADDER.ranking(now) == list(range(entrants))[::-1]


def test_challengers_take_the_place() -> None:
    field = Field(5)
    assert described(LADDER, field) == [("1.1", (1, 0)), ("1.2", (3, 2))]
    field = with_results(field, _1_1=won(1, 0), _1_2=MeetingResult({2: 1.0, 3: 1.0}, {2: 1, 3: 127}))
    assert LADDER.ranking(field) == [1, 0, 2, 3, 4]
    assert described(LADDER, field)[2:] == [("2.1", (2, 0)), ("2.2", (4, 3))]
    assert described(format_from("ladder", {"rounds": 1}), field) == [("1.1", (1, 0)), ("1.2", (3, 2))]


def test_the_ladder_closes_up_and_grows_at_its_foot() -> None:
    field = with_results(Field(4, left={1: 2}), _1_1=won(1, 0), _1_2=won(2, 3))
    field = replace(field, entrants=5, joined={4: 2})
    assert described(LADDER, field)[2:] == [("2.1", (3, 2))]
    assert LADDER.ranking(field) == [0, 2, 3, 4, 1]
    now, found = run_through(LADDER, field, better_wins, Random(5))
    assert LADDER.ranking(now) == [4, 3, 2, 0, 1]
    assert all(1 not in meeting.entrants for meeting in found if meeting.round > 1)


def test_who_comes_to_a_ladder_that_is_over_can_climb_it() -> None:
    over, _ = run_through(LADDER, Field(4), better_wins, Random(0))
    now, _ = run_through(LADDER, replace(over, entrants=5, joined={4: 5}), better_wins, Random(0))
    assert LADDER.ranking(now) == [4, 3, 2, 1, 0]
