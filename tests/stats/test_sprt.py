"""SPRT: its ratio against values worked out otherwise, its error rates, and matches that stop."""

from __future__ import annotations

import math
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from dataclasses import replace
from itertools import count
from pathlib import Path

import numpy as np
import pytest

from polyversi.contest.match import Match
from polyversi.contest.standings import Pairs
from polyversi.contest.workers import Workers, local_workers
from polyversi.games.errors import PlayerError
from polyversi.records import Record, read
from polyversi.stats.elo import difference
from polyversi.stats.sprt import Sprt, SprtError
from tests.soak.rating_coverage import DECISIVE, DRAWISH, ROUGH, USUAL, World, binomial_error, errors


def test_words() -> None:
    assert Sprt.parse("elo0=0,elo1=5") == Sprt(0, 5, 0.05, 0.05)
    assert Sprt.parse(" elo1 = 2.5 , elo0=-2.5,beta=0.1,alpha=0.01") == Sprt(-2.5, 2.5, 0.01, 0.1)
    assert str(Sprt(-2.5, 2.5, 0.01, 0.1)) == "elo0=-2.5,elo1=2.5,alpha=0.01,beta=0.1"
    assert Sprt.parse(str(Sprt(1, 9, 0.2, 0.3))) == Sprt(1, 9, 0.2, 0.3)


@pytest.mark.parametrize(("text", "message"), [
    ("", "'' is not a test; write elo0=0,elo1=5, optionally with alpha and beta"),
    ("elo0=0,elo2=5", "'elo0=0,elo2=5' is not a test"),
    ("elo0=0,elo1=", "'elo0=0,elo1=' is not a test; write elo0=0,elo1=5"),
    ("elo0=0,elo1=five", "'elo0=0,elo1=five' is not a test; write elo0=0,elo1=5"),
    ("elo0=0,elo1=nan", "'elo0=0,elo1=nan' is not a test; write elo0=0,elo1=5"),
    ("elo0=0,elo1=1e3", "'elo0=0,elo1=1e3' is not a test; write elo0=0,elo1=5"),
    ("elo0=0,elo0=5", "'elo0=0,elo0=5' is not a test; write elo0=0,elo1=5"),
    ("elo1=5", "'elo1=5' is not a test; write elo0=0,elo1=5"),
    ("elo0=5", "'elo0=5' is not a test; write elo0=0,elo1=5"),
    ("elo0=5,elo1=5", "elo0=5,elo1=5 is not possible; elo0 must be smaller than elo1"),
    ("elo0=5,elo1=0", "elo0 must be smaller"),
    ("elo0=0,elo1=1001", "both must be from -1000 to 1000"),
    ("elo0=0,elo1=5,alpha=0", "alpha=0 is not an error rate; give one between 0 and 0.5"),
    ("elo0=0,elo1=5,beta=0.5", "beta=0.5 is not an error rate"),
])
def test_mistakes_are_sentences(text: str, message: str) -> None:
    with pytest.raises(SprtError) as raised:
        Sprt.parse(text)
    assert message in str(raised.value)


def test_bounds_hold_both_error_rates() -> None:
    assert Sprt(0, 5).bounds == pytest.approx((-math.log(20), math.log(20)))
    assert Sprt(0, 5, alpha=0.1, beta=0.02).bounds == pytest.approx((-math.log(50), math.log(10)))


def test_pairs_that_are_won_or_lost_as_one_are_coins() -> None:
    """With two outcomes a mean says everything of their chances: the ratio is the plain binomial one."""
    test, won, lost = Sprt(0, 100), 30_000, 20_000
    score = 1 / (1 + 10 ** (-100 / 400))
    plain = won * math.log(score / 0.5) + lost * math.log((1 - score) / 0.5)
    assert test.llr([lost, 0, 0, 0, won]) == pytest.approx(plain, rel=0.001)    # the unseen count too


@pytest.mark.parametrize(("counts", "llr"), [    # from scipy's SLSQP, which knows nothing of how we find them
    ([20, 60, 130, 150, 70], 14.1370801), ([1, 5, 9, 4, 2], -0.0242029), ([100, 3, 40, 7, 90], -1.0699605),
    ([0, 0, 3, 0, 1], 0.1805527),
])
def test_the_likeliest_chances_are_found(counts: list[int], llr: float) -> None:
    assert Sprt(0, 20).llr(counts) == pytest.approx(llr, abs=1e-6)


def test_many_pairs_are_as_the_normal_distribution_says() -> None:
    counts = [900, 2400, 3500, 2600, 1000]
    scores, total = np.repeat([0.0, 0.25, 0.5, 0.75, 1.0], counts), sum(counts)
    low, high = 1 / (1 + 10 ** (-2 / 400)), 1 / (1 + 10 ** (-8 / 400))
    normal = total * (high - low) * (2 * scores.mean() - low - high) / (2 * scores.var())
    assert Sprt(2, 8).llr(counts) == pytest.approx(normal, rel=0.01)


def test_sides_can_be_changed() -> None:
    counts = [3, 9, 20, 14, 8]
    assert Sprt(-30, 10).llr(counts) == pytest.approx(-Sprt(-10, 30).llr(counts[::-1]))


def test_a_verdict_needs_evidence() -> None:
    test = Sprt(0, 10)
    assert test.verdict([0] * 5) is None and test.verdict([0, 0, 0, 0, 1]) is None
    assert test.verdict([5, 50, 1000, 150, 40]) == "accepted H1"
    assert test.verdict([40, 150, 1000, 50, 5]) == "accepted H0"


def test_pairs_without_any_difference_are_no_reason_to_go_on_for_ever() -> None:
    level = next(pairs for pairs in count(1) if Sprt(0, 10).verdict([0, 0, pairs, 0, 0]))
    assert Sprt(0, 10).verdict([0, 0, level, 0, 0]) == "accepted H0"
    assert 50 < level < 200


def test_extreme_results_and_differences() -> None:
    for test in (Sprt(-1000, 1000), Sprt(999, 1000), Sprt(-1000, -999), Sprt(0, 0.1)):
        for counts in ([100_000, 0, 0, 0, 0], [0, 0, 0, 0, 100_000], [1, 0, 0, 0, 100_000], [9] * 5):
            assert math.isfinite(test.llr(counts))


def test_many_matches_are_looked_at_as_each_alone_would_be() -> None:
    counts = np.maximum(np.random.default_rng(1).integers(-20, 40, (5, 50)), 0)
    counts[:, 0] = 0
    for test in (Sprt(0, 10), Sprt(-200, 400)):
        alone = [test.llr(column) for column in counts.T.tolist()]
        assert test.llrs(counts.astype(float)) == pytest.approx(alone)


@pytest.mark.parametrize(("test", "world"), [
    (Sprt(0, 100), USUAL), (Sprt(0, 60), ROUGH), (Sprt(0, 60), DECISIVE), (Sprt(0, 300), DRAWISH),
])
def test_error_rates(test: Sprt, world: World) -> None:
    """The full measurement is `make ratings`; here as many matches as take seconds."""
    false_h1, false_h0, _ = errors(test, world, matches := 1500, seed=2)
    assert false_h1 < 0.05 + binomial_error(0.05, matches)
    assert false_h0 < 0.05 + binomial_error(0.05, matches)


MATCH = Match(("t77", "random"), "hex:side=3", games=200, seats="alternate", openings=2, seed=4)
TEST = Sprt(0, 100)


def watched(
    match: Match, test: Sprt, out: Path | None = None, workers: Workers | None = None
) -> tuple[Pairs, list[int]]:
    """Runs a match with a test; what its pairs were, and the numbers of its games as they were counted."""
    contest = replace(match, sprt=test).contest(out, workers)
    standings = contest.run()
    assert standings.games == len(contest.played)
    return contest.pairs, list(map(int, contest.played))


def moves_of(path: Path) -> list[tuple[int, list[str]]]:
    """The numbers and moves of the games in a file, in its order."""
    games = [item for item in read(path) if isinstance(item, Record)]
    return [(int(record.tag("round")), [str(move) for move in record.moves]) for record in games]


def test_a_match_stops_when_it_knows() -> None:
    pairs, numbers = watched(MATCH, TEST)
    assert TEST.verdict(pairs.counts) == "accepted H1"
    assert numbers == list(range(1, 2 * sum(pairs.counts) + 1)) and 2 < len(numbers) < 200
    points = sum(twice * count for twice, count in enumerate(pairs.counts)) / 2
    assert difference(points / len(numbers)) > 50


def test_the_verdict_is_the_same_whatever_plays_the_games(tmp_path: Path) -> None:
    one, many, other = (tmp_path / name for name in ("one.jsonl", "many.jsonl", "other.jsonl"))
    alone = watched(MATCH, TEST, out=one)
    with ThreadPoolExecutor(4) as executor:
        together = watched(MATCH, TEST, many, Workers(4, lambda: nullcontext(executor)))
    processes = watched(MATCH, TEST, other, local_workers(2))
    assert alone[0].counts == together[0].counts == processes[0].counts
    assert alone[1] == together[1] == processes[1]
    assert moves_of(one) == moves_of(many) == moves_of(other)


def test_it_goes_on_from_a_file(tmp_path: Path) -> None:
    whole, broken = tmp_path / "whole.jsonl", tmp_path / "broken.jsonl"
    found = watched(MATCH, TEST, out=whole)
    lines = whole.read_bytes().splitlines(keepends=True)
    broken.write_bytes(b"".join(lines[5:2:-1] + lines[:2]))    # some games, in no order, without the third
    again = watched(MATCH, TEST, out=broken)
    assert again[0].counts == found[0].counts and again[1] == found[1]
    assert sorted(moves_of(broken)) == moves_of(whole)
    assert watched(MATCH, TEST, out=whole)[1] == found[1]
    assert whole.read_bytes() == b"".join(lines)    # it was known already


def test_a_stricter_test_plays_on_where_another_has_stopped(tmp_path: Path) -> None:
    out = tmp_path / "games.jsonl"
    first, _ = watched(MATCH, TEST, out=out)
    stricter, numbers = watched(MATCH, Sprt(0, 100, 0.001, 0.001), out=out)
    assert sum(stricter.counts) > sum(first.counts)
    assert watched(MATCH, TEST, out=out)[0].counts == first.counts    # what came later does not count for it
    assert len(out.read_bytes().splitlines()) == len(numbers)


def test_games_that_run_out_leave_it_undecided() -> None:
    pairs, numbers = watched(Match(("random", "random"), "othello-4", games=5, seats="alternate"), Sprt(0, 5))
    assert Sprt(0, 5).verdict(pairs.counts) is None
    assert sum(pairs.counts) == 2 and numbers == [1, 2, 3, 4, 5]


@pytest.mark.parametrize(("match", "message"), [
    (Match(("random", "random")), "seats must change after each"),
    (Match(("random", "greedy", "t77"), seats="alternate"), "an SPRT compares two players"),
    (Match(("random", "greedy"), "rolit", seats="alternate"), "in games of two seats"),
])
def test_what_cannot_be_tested_is_said(match: Match, message: str) -> None:
    with pytest.raises(PlayerError, match=message):
        replace(match, sprt=Sprt(0, 5)).run()
