"""Ratings: values that can be worked out by hand, the hard cases, and intervals that hold the truth."""

from __future__ import annotations

import math
import tracemalloc
from itertools import combinations, permutations

import numpy as np
import pytest

from polyversi.stats.elo import difference
from polyversi.stats.ratings import ELO, Rating, Sample, bradley_terry, sample_of
from tests.soak.rating_coverage import USUAL, Gathering, Tournament, binomial_error, pair


def values(samples: list[Sample], players: int, anchors: dict[int, float] | None = None) -> list[float]:
    """The ratings alone, of players that all have some."""
    ratings = bradley_terry(samples, players, anchors or {}, has_bounds=False)
    found = [rating.value for rating in ratings if rating is not None]
    assert len(found) == players
    return found


def test_two_players_are_as_far_apart_as_their_score_says() -> None:
    # 15 of 20 points; the virtual draws hold both back alike, so that the odds x against the average player
    # solve 15 + ½ = 20·x²/(1 + x²) + x/(1 + x).
    strong, weak = values([pair(0, 1, (1.0, 0.5))] * 10, 2)
    odds = math.exp(strong * math.log(10) / 400)
    assert weak == pytest.approx(-strong)
    assert 20 * odds**2 / (1 + odds**2) + odds / (1 + odds) == pytest.approx(15.5, abs=1e-6)
    assert 0.9 * difference(0.75) < strong - weak < difference(0.75)


def test_the_virtual_draws_fade_away() -> None:
    strong, weak = values([pair(0, 1, (1.0, 0.5))] * 10_000, 2)
    assert strong - weak == pytest.approx(difference(0.75), abs=0.1)


def test_expected_points_are_the_ones_that_were_had() -> None:
    """What makes them the likeliest ratings: each score, with the virtual draw, is what one expects."""
    chance = np.random.default_rng(3)
    samples = [
        pair(first, second, chance.choice([0.0, 0.5, 1.0], 2).tolist())
        for first, second in [*combinations(range(6), 2)] * 3
    ]
    odds = np.exp(np.array(values(samples, 6)) * math.log(10) / 400)
    points, games = np.zeros(6), np.zeros((6, 6))
    for first, second, won, lost in (entry for sample in samples for entry in sample):
        points[first] += won
        points[second] += lost
        games[first, second] += 2
        games[second, first] += 2
    expected = (games * odds[:, None] / (odds[:, None] + odds)).sum(axis=1)
    average = 1.0    # found from its own equation: six virtual draws are three points
    for _ in range(200):
        average *= 3 / (average / (average + odds)).sum()
    assert points + 0.5 == pytest.approx(expected + odds / (odds + average), abs=1e-4)


def test_draws_and_halves_and_the_order_of_names_do_not_matter() -> None:
    both, single = pair(0, 1, (1.0, 0.5)), [pair(0, 1, (1.0,)), pair(0, 1, (0.5,))]
    won, drawn = ((0, 1), (1, 2)), ((1, 0), (1, 1))
    assert sample_of([won, drawn]) == sample_of([drawn, won]) == both
    assert sample_of([((1, 0), (2, 1))]) == sample_of([won]) == single[0]
    assert values([both] * 5, 2) == pytest.approx(values([pair(1, 0, (0.0, 0.5))] * 5, 2))
    assert values([both] * 5, 2) == pytest.approx(values(single * 5, 2))


def test_the_mean_is_0_or_what_anchors_say() -> None:
    samples = [pair(0, 1, (1.0, 0.5)), pair(1, 2, (1.0, 0.5)), pair(0, 2, (1.0, 1.0))] * 10
    free = values(samples, 3)
    assert sum(free) == pytest.approx(0)
    one = values(samples, 3, {2: 1000.0})
    assert one[2] == 1000
    assert np.diff(one) == pytest.approx(np.diff(free))
    several = values(samples, 3, {0: 2000.0, 2: 1000.0})
    assert several[0] + several[2] == pytest.approx(3000)    # as far above the one as below the other
    assert np.diff(several) == pytest.approx(np.diff(free))
    [_, _, anchored] = bradley_terry(samples, 3, {2: 1000.0})
    assert anchored == Rating(1000.0, 1000.0, 1000.0)


def test_without_games_there_is_no_rating() -> None:
    assert bradley_terry([], 2) == [None, None]
    ratings = bradley_terry([pair(0, 3, (1.0, 0.0))], 4, {1: 700.0})
    assert [rating is None for rating in ratings] == [False, True, True, False]


@pytest.mark.parametrize("number", [1, 10, 1000])
def test_all_won_is_much_but_not_without_end(number: int) -> None:
    best, worst = bradley_terry([pair(0, 1, (1.0, 1.0))] * number, 2)
    assert best is not None and worst is not None
    assert best.low < best.value < best.high < 5000
    assert worst.value == pytest.approx(-best.value)
    if number > 1:    # the score that would be seen all the time with a chance of 2.5 %
        assert 0 < best.low < difference(0.025 ** (1 / (2 * number))) / 2


def test_more_victories_are_worth_more() -> None:
    bests = [values([pair(0, 1, (1.0, 1.0))] * number, 2)[0] for number in (1, 3, 10, 100)]
    assert bests == sorted(bests)


def test_groups_that_never_met_are_equal_in_the_mean_and_that_is_doubtful() -> None:
    group = [pair(0, 1, (1.0, 0.5)), pair(0, 1, (1.0, 0.0))] * 20
    other = [pair(2, 3, (1.0, 0.5)), pair(2, 3, (1.0, 0.0))] * 20
    together, apart = bradley_terry(group, 2), bradley_terry(group + other, 4)
    assert [rating and rating.value for rating in apart] == pytest.approx(
        2 * [rating and rating.value for rating in together], abs=1e-3)
    for alone, beside in zip(together, apart, strict=False):
        assert alone is not None and beside is not None
        assert beside.high - beside.low > 3 * (alone.high - alone.low)


def test_luck_that_a_pair_shares_is_not_counted_twice() -> None:
    """Openings that decide both games: as pairs these are level, as single games they seem to differ."""
    games = [(1.0, 0.0), (0.0, 1.0)] * 10 + [(1.0, 0.5)]
    pairs = [pair(0, 1, scores) for scores in games]
    singles = [pair(0, 1, (score,)) for scores in games for score in scores]
    [paired, _], [single, _] = bradley_terry(pairs, 2), bradley_terry(singles, 2)
    assert paired is not None and single is not None
    assert paired.value == pytest.approx(single.value)
    assert paired.high - paired.low < 0.6 * (single.high - single.low)


def test_the_same_samples_have_the_same_ratings() -> None:
    _, samples = Tournament(5, 3, 100, USUAL).play(np.random.default_rng(1))
    assert bradley_terry(samples, 5, seed=4) == bradley_terry(samples[::-1], 5, seed=4)
    assert bradley_terry(samples, 5, seed=4) != bradley_terry(samples, 5, seed=5)
    for bounded, alone in zip(
        bradley_terry(samples, 5), bradley_terry(samples, 5, has_bounds=False), strict=True
    ):
        assert bounded is not None and alone is not None
        assert alone == Rating(bounded.value, bounded.value, bounded.value)


@pytest.mark.slow
def test_intervals_hold_the_truth() -> None:
    """The full measurement is `make ratings`; here as many tournaments as take seconds."""
    tournaments = 150
    held = Tournament(4, 10, 150, USUAL).held(tournaments, seed=1)
    assert abs(held - 0.95) < 0.02 + binomial_error(0.95, tournaments)


@pytest.mark.parametrize(("rating", "text"), [
    (Rating(120.4, 75.0, 165.0), "+120 ± 45"),
    (Rating(-120.4, -165.0, -75.0), "-120 ± 45"),
    (Rating(0.0, 0.0, 0.0), "+0 ± 0"),
    (Rating(600.0, 300.0, 1500.0), "+600 (+300 to +1500)"),
    (Rating(-600.0, -1500.0, -300.0), "-600 (-1500 to -300)"),
])
def test_words(rating: Rating, text: str) -> None:
    assert str(rating) == text


def many(*games: tuple[tuple[int, ...], tuple[int, ...]]) -> list[Sample]:
    """A sample for every game."""
    return [sample_of([game]) for game in games]


def test_expected_places_are_the_ones_that_were_had() -> None:
    """Each is expected to be ahead of as many others as it was, and so are ratings of two seats."""
    games = many(*[((0, 1, 2), ranks) for ranks in ((2, 3, 1), (1, 3, 2), (1, 2, 3), (2, 1, 3))])
    odds = np.exp(np.array(values(games * 10_000, 3)) / ELO)
    ahead = odds[:, None] / (odds[:, None] + odds)
    assert ahead.sum(axis=1) - 0.5 == pytest.approx([0.75 + 0.75, 0.25 + 0.5, 0.25 + 0.5], abs=1e-3)


def test_many_seats() -> None:
    """What players were drawn by comes back, whoever they met."""
    truth, samples = Gathering(6, 4, 4000, 200).play(np.random.default_rng(7))
    ratings = bradley_terry(samples, 7)
    assert ratings[6] is None
    for strength, rating in zip(truth, ratings, strict=False):
        assert rating is not None
        assert abs(rating.value - strength) < 20
        assert 10 < rating.high - rating.low < 30


def test_ties_and_several_seats_of_one_player() -> None:
    assert values(many(((0, 1, 2, 3), (1, 1, 1, 1))) * 5, 4) == pytest.approx([0] * 4)
    [level] = many(((0, 1, 2), (1, 2, 2)))
    assert level == tuple((*two, *points) for two, points in (
        ((0, 1), (2 / 3, 0.0)), ((0, 2), (2 / 3, 0.0)), ((1, 2), (1 / 3, 1 / 3))))
    shared = many(((0, 1, 0, 1), (1, 3, 2, 4)), ((1, 0, 1, 0), (2, 1, 4, 3)))
    assert shared == [((0, 1, 2.0, 0.0),), ((0, 1, 1.5, 0.5),)]
    assert sample_of([((0, 0, 0), (1, 2, 3))]) == ()
    assert bradley_terry(many(((0, 0, 0), (1, 2, 3))), 1) == [None]


def test_the_games_of_a_sample_are_taken_in_any_order() -> None:
    games = [((0, 1, 2), (1, 2, 3)), ((1, 2, 0), (1, 1, 3)), ((2, 0, 1), (2, 3, 1))]
    assert len({sample_of(order) for order in permutations(games)}) == 1


def test_comparisons_of_one_game_are_no_games_of_their_own() -> None:
    """Eight that always end in the one order or in the other: as games of two they would be many."""
    games = [(tuple(range(8)), tuple(range(1, 9))), (tuple(range(8)), tuple(range(8, 0, -1)))] * 10
    together = bradley_terry(many(*games), 8)[0]
    singly = bradley_terry([
        pair(one, other, (float(ranks[one] < ranks[other]),))
        for _, ranks in games for one, other in combinations(range(8), 2)
    ], 8)[0]
    assert together is not None and singly is not None
    assert together.value == pytest.approx(0, abs=0.1) and singly.value == pytest.approx(0, abs=0.1)
    assert together.high - together.low > 2 * (singly.high - singly.low)


def test_many_seats_have_anchors_too() -> None:
    _, samples = Gathering(4, 3, 20, 100).play(np.random.default_rng(5))
    free, anchored = values(samples, 4), values(samples, 4, {2: 1200.0})
    assert anchored[2] == 1200 and np.diff(anchored) == pytest.approx(np.diff(free))


@pytest.mark.slow
def test_intervals_hold_the_truth_with_many_seats() -> None:
    events = 100
    held = Gathering(8, 4, 30, 150).held(events, seed=1)
    assert abs(held - 0.95) < 0.02 + binomial_error(0.95, events)


def test_a_rating_of_nearly_nothing_has_no_minus() -> None:
    assert str(Rating(-0.3, -100.0, 99.4)) == "+0 ± 100"


@pytest.mark.slow
def test_many_players_are_not_much_to_remember() -> None:
    """Every two of 150 have met, so there are 11,175 kinds of samples, and each tells of two players."""
    samples = [sample_of([((one, other), (1, 2))]) for one in range(150) for other in range(one)]
    bradley_terry(samples[:1], 150, has_bounds=False)    # loads what reckons
    tracemalloc.start()
    bradley_terry(samples, 150, has_bounds=False)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 10_000_000
