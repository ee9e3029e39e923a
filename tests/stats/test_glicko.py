"""Glicko-2 against its author's example, and what ratings of many seats must do."""

from __future__ import annotations

import random

import pytest

from polyversi.stats.glicko import (
    DAY,
    LEAST_DEVIATION,
    MOST_DEVIATION,
    PERIOD,
    UNKNOWN,
    Strength,
    after_results,
    aged,
    expected,
    rated,
)


def test_the_example_of_its_author() -> None:
    met = [(Strength(1400, 30), 1.0), (Strength(1550, 100), 0.0), (Strength(1700, 300), 0.0)]
    after = after_results(aged(Strength(1500, 200, 0.06), PERIOD * DAY), met)
    assert after.rating == pytest.approx(1464.06, abs=0.1)
    assert after.deviation == pytest.approx(151.52, abs=0.1)
    assert after.volatility == pytest.approx(0.05999, abs=1e-5)


@pytest.mark.parametrize("seats", [2, 3, 8])
def test_the_better_one_gains_and_all_become_surer(seats: int) -> None:
    after = rated([UNKNOWN] * seats, range(1, seats + 1))
    ratings = [strength.rating for strength in after]
    assert ratings == sorted(ratings, reverse=True) and ratings[0] > 1500 > ratings[-1]
    assert all(strength.deviation < MOST_DEVIATION for strength in after)
    assert sum(ratings) == pytest.approx(1500 * seats)


def test_a_draw_of_equals_changes_no_rating() -> None:
    assert [strength.rating for strength in rated([UNKNOWN, UNKNOWN], [1, 1])] == [1500, 1500]


def test_ratings_find_strengths_and_stay_within_bounds() -> None:
    chance, strengths = random.Random(3), [UNKNOWN, UNKNOWN]
    for _ in range(400):
        ranks = [1, 2] if chance.random() < 0.76 else [2, 1]    # a difference of 200
        strengths = rated([aged(strength, DAY / 24) for strength in strengths], ranks)
        assert all(LEAST_DEVIATION <= strength.deviation <= MOST_DEVIATION for strength in strengths)
    assert expected(*strengths) == pytest.approx(0.76, abs=0.08)


@pytest.mark.parametrize("rank", [1, 2])
def test_the_most_unlikely_results_are_finite(rank: int) -> None:
    strengths = [Strength(3500, LEAST_DEVIATION), Strength(-500, MOST_DEVIATION, 0.3)]
    for _ in range(200):
        strengths = rated(strengths, [rank, 3 - rank])
    assert all(abs(strength.rating) < 1e5 and 0 < strength.volatility < 10 for strength in strengths)


def test_nobody_is_less_known_than_somebody_new() -> None:
    assert aged(Strength(1800, 40), 1e9).deviation == MOST_DEVIATION
    assert aged(Strength(1800, 40), -5) == Strength(1800, 40)
