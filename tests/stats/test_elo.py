"""Elo: exact values from the formula, and bounds that can be worked out by hand."""

from __future__ import annotations

import math

import pytest

from polyversi.stats.elo import SPREAD, Elo, difference, expected, measure


@pytest.mark.parametrize(("score", "elo"), [
    (0.5, 0.0),
    (0.75, 190.848502), (10 / 11, 400.0), (1 / 11, -400.0), (0.64, 99.950989), (0.24, -200.240940),
])
def test_differences(score: float, elo: float) -> None:
    assert difference(score) == pytest.approx(elo, abs=1e-5)
    assert expected(elo) == pytest.approx(score, abs=1e-8)


def test_all_or_nothing_is_infinite() -> None:
    assert (difference(1.0), difference(0.0), difference(1.2), difference(-0.1)) == (
        math.inf, -math.inf, math.inf, -math.inf)


def test_bounds_come_from_the_spread() -> None:
    # Mean 0.6, sample variance (6·0.16 + 4·0.36)/9 = 4/15, standard error √(4/150) = 0.163299.
    elo = measure([1.0] * 6 + [0.0] * 4)
    error = SPREAD * math.sqrt(4 / 150)
    assert elo.difference == pytest.approx(70.436504, abs=1e-5)
    assert elo.low == pytest.approx(difference(0.6 - error))
    assert elo.high == pytest.approx(difference(0.6 + error))


def test_pairs_that_cancel_luck_have_a_smaller_error() -> None:
    games = [1.0, 0.0] * 9 + [1.0, 1.0]
    pairs = [0.5] * 9 + [1.0]
    assert measure(pairs).difference == measure(games).difference == pytest.approx(difference(0.55))
    assert measure(pairs).high - measure(pairs).low < measure(games).high - measure(games).low


def test_scores_without_a_spread_are_not_certain() -> None:
    won = measure([1.0] * 20)
    assert won.difference == won.high == math.inf
    assert expected(won.low) == pytest.approx(0.025 ** (1 / 20))
    level = measure([0.5] * 20)
    assert level.difference == 0
    assert level.high == pytest.approx(-level.low)
    assert expected(level.high) == pytest.approx(0.5 + 0.5 * (1 - 0.025 ** (1 / 20)))


def test_a_single_game_says_little() -> None:
    assert measure([1.0]).low < -600


@pytest.mark.parametrize(("elo", "text"), [
    (Elo(35.4, 10.0, 61.0), "+35 ± 26"),
    (Elo(-35.4, -61.0, -10.0), "-35 ± 26"),
    (Elo(math.inf, 212.0, math.inf), "over +212"),
    (Elo(-math.inf, -math.inf, -212.0), "under -212"),
    (Elo(math.inf, -154.0, math.inf), "too few games"),
    (Elo(-math.inf, -math.inf, 154.0), "too few games"),
    (Elo(191.0, -182.0, math.inf), "too few games"),
    (Elo(300.0, 120.0, math.inf), "+300, over +120"),
    (Elo(-300.0, -math.inf, -120.0), "-300, under -120"),
])
def test_words(elo: Elo, text: str) -> None:
    assert str(elo) == text
