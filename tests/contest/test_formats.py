"""Formats: what every one of them keeps to, and who meets whom where no round waits for another."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import combinations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from polyversi.contest import formats
from polyversi.contest.formats import FORMATS, Format, FormatChoice, format_from
from polyversi.contest.formats.round_robin import MAX_GROUPS, even_groups
from polyversi.contest.model import Field, Meeting
from polyversi.games.errors import PlayerError
from tests.soak.swiss import due_in, played, run_through

STRENGTHS = [0.0] * 60
SEATS = st.sampled_from([(2,), (2,), (3,), (4,), (4, 2), (2, 3, 5)])


def a_field(format: Format, entrants: int, seats: tuple[int, ...]) -> Field:
    """With seats that the format takes, and as many entrants as they need."""
    seats = (2,) if format.is_for_pairs else seats
    return Field(max(entrants, *seats), seats)


def entrants_of(found: list[Meeting]) -> list[tuple[int, ...]]:
    return [meeting.entrants for meeting in found]


def groups_of(found: list[Meeting]) -> Counter[frozenset[int]]:
    return Counter(frozenset(meeting.entrants) for meeting in found)


# What every format keeps to.


@pytest.mark.parametrize("told", formats.choices(), ids=lambda told: str(told.name))
def test_a_form_has_what_a_format_takes(told: FormatChoice) -> None:
    assert told.label and all(option.label for option in told.options)
    for bound in ("default", "low", "high"):
        format_from(told.name, {option.name: getattr(option, bound) for option in told.options})
    for option in told.options:
        for beyond in (option.low - 1, option.high + 1):
            with pytest.raises(PlayerError, match="must be a whole number"):
                format_from(told.name, {option.name: beyond})
    assert formats.summary(told.name)["format_label"] == told.label


@pytest.mark.parametrize("name", FORMATS)
@settings(max_examples=30, deadline=None)
@given(entrants=st.integers(2, 9), seats=SEATS, seed=st.integers(0, 10**6))
def test_meetings_stay_in_whatever_order_results_come(
    name: str, entrants: int, seats: tuple[int, ...], seed: int
) -> None:
    random = Random(seed)
    format = format_from(name, {})
    start = a_field(format, entrants, seats)
    format.check(start)
    now, fixed = run_through(format, start, lambda one: played(one, STRENGTHS, random), random)
    assert len({meeting.id for meeting in fixed}) == len(fixed)
    assert {entrant for meeting in fixed for entrant in meeting.entrants} == set(range(start.entrants))
    assert [meeting.round for meeting in fixed] == sorted(meeting.round for meeting in fixed)
    assert {len(meeting.entrants) for meeting in fixed} <= {1, *start.seats}
    ranking = format.ranking(now)
    assert ranking is None or sorted(ranking) == list(range(start.entrants))


@pytest.mark.parametrize("name", FORMATS)
@settings(max_examples=40, deadline=None)
@given(entrants=st.integers(2, 8), seats=SEATS, seed=st.integers(0, 10**6))
def test_some_come_and_some_leave(name: str, entrants: int, seats: tuple[int, ...], seed: int) -> None:
    """As a runner tells it: who comes does so after all begun rounds, who leaves after its last meeting."""
    random = Random(seed)
    format = format_from(name, {})
    now = a_field(format, entrants, seats)
    over: dict[str, Meeting] = {}
    while due := due_in(format, now):
        meeting = random.choice(due)
        over[meeting.id] = meeting
        now = replace(now, results={**now.results, meeting.id: played(meeting, STRENGTHS, random)})
        if random.random() < 0.1 and now.entrants < 12:
            last = max(one.round for one in over.values())
            now = replace(now, entrants=now.entrants + 1, joined={**now.joined, now.entrants: last + 1})
        if random.random() < 0.1 and len(now.left) < now.entrants - 2:
            gone = random.choice(meeting.entrants)
            now = replace(now, left={**now.left, gone: meeting.round + 1})
        fixed = {one.id: one for one in format.meetings(now)}
        assert over.items() <= fixed.items(), "a meeting that is over has changed"
        for one in due_in(format, now):
            for entrant in one.entrants:
                assert one.round < now.left.get(entrant, 10**6)
                assert one.round >= now.joined.get(entrant, 1)
    ranking = format.ranking(now)
    assert ranking is None or sorted(ranking) == list(range(now.entrants))


def test_every_format_says_what_it_is_in_a_line() -> None:
    for name, cls in FORMATS.items():
        assert cls.name == name
        first = (cls.__doc__ or "").splitlines()[0]
        assert first.endswith("."), f"{name}: {first}"


# Mistakes.


@pytest.mark.parametrize(("name", "options", "sentence"), [
    ("swis", {}, "there is no format 'swis'; did you mean 'swiss'?"),
    ("league", {},
     "there is no format 'league'; there are round-robin, gauntlet, swiss, knock-out, ladder, ten-games"),
    ("swiss", {"round": 3}, "'round' is not an option of swiss; did you mean 'rounds'?"),
    ("gauntlet", {"x": 3}, "'x' is not an option of gauntlet; there is challengers"),
    ("round-robin", {"rounds": 3}, "'rounds' is not an option of round-robin; it has no options"),
    ("swiss", {"rounds": -1}, "rounds of swiss must be a whole number from 0 to 1000"),
    ("ladder", {"rounds": 1001},
     "rounds of ladder must be a whole number from 0 to 1000"),
    ("gauntlet", {"challengers": 0},
     "challengers of gauntlet must be a whole number from 1 to 1000"),
    ("swiss", {"rounds": True},
     "rounds of swiss must be a whole number from 0 to 1000"),
    ("swiss", {"rounds": "5"}, "rounds of swiss must be a whole number from 0 to 1000"),
])
def test_mistakes_are_told_in_a_sentence(name: str, options: dict[str, int], sentence: str) -> None:
    with pytest.raises(PlayerError) as caught:
        format_from(name, options)
    assert str(caught.value) == sentence


@pytest.mark.parametrize(("format", "field", "sentence"), [
    ("round-robin", Field(1), "a tournament needs at least two entrants, not 1"),
    ("round-robin", Field(3, seats=(4,)), "3 entrants cannot share 4 seats evenly"),
    ("gauntlet", Field(1), "a tournament needs at least two entrants, not 1"),
    ("round-robin", Field(3, seats=(3, 4)), "3 entrants cannot share 4 seats evenly"),
    ("ten-games", Field(8, seats=(3,)),
     "ten-games is for games with two seats, and this one has 3; use another format"),
    ("ten-games", Field(8, seats=(2, 4)),
     "ten-games is for games with two seats, and this one has 4; use another format"),
    ("swiss", Field(3, seats=(2, 4)), "3 entrants are too few for swiss with 4 seats"),
    ("knock-out", Field(7, seats=(8,)), "7 entrants are too few for knock-out with 8 seats"),
    ("ladder", Field(2, seats=(3,)), "2 entrants are too few for ladder with 3 seats"),
])
def test_what_cannot_be_played(format: str, field: Field, sentence: str) -> None:
    with pytest.raises(PlayerError) as caught:
        format_from(format, {}).check(field)
    assert str(caught.value) == sentence


def test_challengers_need_others() -> None:
    sentence = "3 challengers need opponents; there are only 3 entrants"
    with pytest.raises(PlayerError, match=sentence):
        format_from("gauntlet", {"challengers": 3}).check(Field(3))


def test_what_a_format_says_of_its_games() -> None:
    says = {name: (cls().games_of(2), cls().games_of(4), cls.seats) for name, cls in FORMATS.items()}
    assert says.pop("ladder") == (2, 4, "alternate")
    assert says.pop("ten-games") == (10, 10, "course")
    assert set(says.values()) == {(None, None, "alternate")}


# The round robin.

ROUND_ROBIN: Format = format_from("round-robin", {})


@pytest.mark.parametrize("name", ["round-robin", "ten-games"])
@pytest.mark.parametrize("entrants", range(2, 14))
def test_every_pair_meets_once_in_as_few_rounds_as_can_be(name: str, entrants: int) -> None:
    found = format_from(name, {}).meetings(Field(entrants))
    assert groups_of(found) == Counter(map(frozenset, combinations(range(entrants), 2)))
    assert found[-1].round == entrants - 1 + entrants % 2
    for round in range(1, found[-1].round + 1):
        playing = Counter(one for meeting in found if meeting.round == round for one in meeting.entrants)
        assert set(playing.values()) == {1} and len(playing) >= entrants - 1
    balance = Counter(meeting.entrants[0] for meeting in found)
    balance.subtract(meeting.entrants[1] for meeting in found)
    assert max(map(abs, balance.values())) <= 1


@pytest.mark.parametrize(("entrants", "seats"), [(3, 3), (5, 3), (9, 3), (7, 4), (12, 4), (9, 8)])
def test_every_group_meets_once_where_there_are_more_seats(entrants: int, seats: int) -> None:
    found = ROUND_ROBIN.meetings(Field(entrants, (seats,)))
    assert groups_of(found) == Counter(map(frozenset, combinations(range(entrants), seats)))
    for round in {meeting.round for meeting in found}:
        playing = Counter(one for meeting in found if meeting.round == round for one in meeting.entrants)
        assert set(playing.values()) == {1}
    early = Counter(dict.fromkeys(range(entrants), 0))
    early.update(one for meeting in found[: len(found) // 2] for one in meeting.entrants)
    assert max(early.values()) - min(early.values()) <= 2


def test_few_share_the_seats() -> None:
    assert entrants_of(ROUND_ROBIN.meetings(Field(2, seats=(6,)))) == [(0, 1, 0, 1, 0, 1)]


@pytest.mark.parametrize(("entrants", "seats"), [(40, 4), (41, 4), (25, 8)])
def test_of_very_many_groups_a_fair_choice_is_drawn(entrants: int, seats: int) -> None:
    found = ROUND_ROBIN.meetings(Field(entrants, (seats,), seed=1))
    assert MAX_GROUPS * 0.95 < len(found) <= MAX_GROUPS
    assert max(groups_of(found).values()) == 1
    times = Counter(one for meeting in found for one in meeting.entrants)
    assert max(times.values()) - min(times.values()) <= 1
    each = Counter(pair for meeting in found for pair in combinations(sorted(meeting.entrants), 2))
    assert len(each) == entrants * (entrants - 1) // 2
    assert max(each.values()) - min(each.values()) <= 5
    assert found == ROUND_ROBIN.meetings(Field(entrants, (seats,), seed=1))
    assert found != ROUND_ROBIN.meetings(Field(entrants, (seats,), seed=2))


def test_who_comes_later_meets_everybody() -> None:
    early = ROUND_ROBIN.meetings(Field(4))
    found = ROUND_ROBIN.meetings(Field(6, joined={4: 3, 5: 9}))
    assert groups_of(found) == Counter(map(frozenset, combinations(range(6), 2)))
    assert set(early) <= set(found)
    assert min(meeting.round for meeting in found if 5 in meeting.entrants) == 9


def test_who_comes_later_meets_everybody_at_more_seats() -> None:
    found = ROUND_ROBIN.meetings(Field(6, seats=(3,), joined={5: 2}))
    assert groups_of(found) == Counter(map(frozenset, combinations(range(6), 3)))
    shared = ROUND_ROBIN.meetings(Field(4, seats=(4,), joined={2: 2, 3: 2}))
    assert entrants_of(shared) == [(0, 1, 0, 1), (0, 1, 2, 3)]


def test_who_comes_later_to_very_many_plays_about_as_often() -> None:
    found = ROUND_ROBIN.meetings(Field(41, seats=(4,), joined={40: 7}))
    times = Counter(one for meeting in found for one in meeting.entrants)
    assert 190 <= times[40] <= 215 and min(meeting.round for meeting in found if 40 in meeting.entrants) == 7


def test_the_further_meetings_of_one_who_left_vanish() -> None:
    random, start = Random(1), Field(4)
    first = ROUND_ROBIN.meetings(start)[:2]
    results = {meeting.id: played(meeting, STRENGTHS, random) for meeting in first}
    left = ROUND_ROBIN.meetings(replace(start, results=results, left={0: 2}))
    assert left[:2] == first
    assert groups_of(left[2:]) == Counter(map(frozenset, [(1, 3), (2, 3)]))


@pytest.mark.parametrize(("entrants", "seats"), [(3, (2, 3)), (6, (2, 3)), (9, (4, 2)), (10, (2, 8, 4))])
def test_with_different_seats_all_play_equally_often_on_each(entrants: int, seats: tuple[int, ...]) -> None:
    found = ROUND_ROBIN.meetings(Field(entrants, seats))
    for number in seats:
        own = [meeting for meeting in found if len(meeting.entrants) == number]
        times = Counter(one for meeting in own for one in meeting.entrants)
        assert times == dict.fromkeys(range(entrants), times[0]) and max(groups_of(own).values()) == 1
        assert times[0] <= entrants and own[-1].round <= entrants
        for round in range(1, own[-1].round + 1):
            playing = Counter(one for meeting in own if meeting.round == round for one in meeting.entrants)
            assert set(playing.values()) <= {1}
    assert groups_of([one for one in found if len(one.entrants) == 2]) == Counter(
        map(frozenset, combinations(range(entrants), 2)))


@pytest.mark.parametrize("seats", [3, 4, 8])
def test_a_choice_of_groups_is_even(seats: int) -> None:
    found = [group for _, group in even_groups(20, seats, seed=2)]
    assert len(found) == 20 * (20 // seats) and len(set(found)) == len(found)
    assert set(Counter(one for group in found for one in group).values()) == {20 // seats * seats}
    met = Counter(pair for group in found for pair in combinations(group, 2))
    assert len(met) == 190 and max(met.values()) - min(met.values()) <= 4


def test_a_choice_of_very_many_groups_has_fewer_rounds() -> None:
    found = even_groups(150, 4, seed=2)
    assert len(found) == MAX_GROUPS // (150 // 4) * (150 // 4)
    times = Counter(one for _, group in found for one in group)
    assert max(times.values()) - min(times.values()) == 1


def test_who_comes_later_plays_on_all_seats() -> None:
    early = ROUND_ROBIN.meetings(Field(8, (2, 4)))
    found = ROUND_ROBIN.meetings(Field(9, (2, 4), joined={8: 3}))
    assert set(early) <= set(found)
    late = [meeting for meeting in found if 8 in meeting.entrants]
    assert Counter(len(meeting.entrants) for meeting in late) == {2: 8, 4: 8}
    assert min(meeting.round for meeting in late) == 3


# The gauntlet.


@pytest.mark.parametrize(("challengers", "entrants"), [(1, 2), (1, 7), (2, 9), (3, 5), (5, 8), (4, 5)])
def test_challengers_meet_all_others(challengers: int, entrants: int) -> None:
    found = format_from("gauntlet", {"challengers": challengers}).meetings(Field(entrants))
    pairs = [{one, other} for one in range(challengers) for other in range(challengers, entrants)]
    assert groups_of(found) == Counter(map(frozenset, pairs))
    assert found[-1].round == max(challengers, entrants - challengers)
    for round in range(1, found[-1].round + 1):
        playing = Counter(one for meeting in found if meeting.round == round for one in meeting.entrants)
        assert set(playing.values()) == {1}


def test_challengers_meet_who_comes_later() -> None:
    found = format_from("gauntlet", {"challengers": 2}).meetings(Field(5, joined={4: 3}, left={3: 2}))
    assert [(one.id, one.entrants) for one in found] == [
        ("1.1", (0, 2)), ("2.2", (1, 2)), ("3.1", (0, 4)), ("4.1", (1, 4)),
    ]


def test_a_challenger_has_one_of_several_seats() -> None:
    found = format_from("gauntlet", {}).meetings(Field(3, seats=(4,)))
    assert entrants_of(found) == [(0, 1, 1, 1), (0, 2, 2, 2)]
    mixed = format_from("gauntlet", {}).meetings(Field(3, seats=(2, 3)))
    assert entrants_of(mixed) == [(0, 1), (0, 1, 1), (0, 2), (0, 2, 2)]
