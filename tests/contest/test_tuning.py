"""Tuning: SPSA finds the top of known hills, and games tell the same whenever and however they are played."""

from __future__ import annotations

import math
import random
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import polyversi as pv
from polyversi.contest.tuning import Tuning, best_margin, save_tuned
from polyversi.games.errors import PlayerError, RecordError
from polyversi.players.weights import Weight, read_weights, weights_of
from polyversi.stats.spsa import PlayRound, Round, Values, averaged, spsa

KNOWN = {
    "mobility": Weight(0.0, low=-10.0, high=10.0, step=0.5),
    "corners": Weight(80.0, low=0.0, high=100.0, step=5.0),
    "useless": Weight(1.0, low=0.0, high=2.0, step=0.1),
}
START = {name: weight.value for name, weight in KNOWN.items()}
TOP = {"mobility": 4.0, "corners": 30.0}
SHORT = Tuning("t77", ("othello-6", "xt:arena,players=3"), rounds=4, games=4, seed=3)


def strength(weights: Values) -> float:
    """A hill: the further from its top, in steps, the weaker."""
    return -sum(((weights[name] - top) / KNOWN[name].step) ** 2 for name, top in TOP.items()) / 50


def played(games: int) -> PlayRound:
    """Rounds of so many games, each won with the chance that the strengths give."""

    def play(number: int, one: Values, other: Values) -> float:
        chance = random.Random(number)
        wins = 1 / (1 + math.exp(strength(other) - strength(one)))
        return sum(1 if chance.random() < wins else -1 for _ in range(games)) / games

    return play


def test_spsa_climbs_a_hill_that_it_sees_through_games() -> None:
    rounds = list(spsa(KNOWN, START, played(20), 600, rate=0.5))
    found = averaged(rounds)
    assert [done.number for done in rounds] == list(range(1, 601))
    assert found["mobility"] == pytest.approx(4.0, abs=0.5)
    assert found["corners"] == pytest.approx(30.0, abs=5.0)


def test_spsa_is_exact_where_there_is_no_chance() -> None:
    def play(number: int, one: Values, other: Values) -> float:
        return math.tanh(strength(one) - strength(other))

    *_, last = spsa(KNOWN, START, play, 2000, rate=2.0)
    assert last.weights["mobility"] == pytest.approx(4.0, abs=0.05)
    assert last.weights["corners"] == pytest.approx(30.0, abs=0.5)


def test_weights_stay_within_their_bounds() -> None:
    tried: list[Values] = []

    def play(number: int, one: Values, other: Values) -> float:
        tried.extend([one, other])
        return 1.0 if one["corners"] > other["corners"] else -1.0

    *_, last = spsa(KNOWN, START, play, 100, rate=1.0)
    assert last.weights["corners"] == 100.0
    assert all(KNOWN[name].within(value) == value for values in tried for name, value in values.items())


def test_what_spsa_tries_and_moves_in_the_last_round() -> None:
    sides: list[tuple[Values, Values]] = []

    def play(number: int, one: Values, other: Values) -> float:
        sides.append((one, other))
        return 1.0

    rounds = list(spsa(KNOWN, START, play, 10, rate=0.25))
    one, other = sides[-1]
    before, after = rounds[-2].weights, rounds[-1].weights
    for name, weight in KNOWN.items():
        assert abs(one[name] - other[name]) == pytest.approx(2 * weight.step)
        assert after[name] - before[name] == pytest.approx((one[name] - before[name]) / 4)


@pytest.mark.parametrize("break_at", [1, 57, 199])
def test_spsa_goes_on_as_if_there_had_been_no_break(break_at: int) -> None:
    whole = list(spsa(KNOWN, START, played(6), 200, rate=0.5, seed=4))
    begun = whole[:break_at]
    assert begun + list(spsa(KNOWN, START, played(6), 200, rate=0.5, seed=4, earlier=begun)) == whole
    assert list(spsa(KNOWN, START, played(6), 200, rate=0.5, seed=5)) != whole


def test_the_order_of_the_weights_does_not_matter() -> None:
    turned = dict(reversed(KNOWN.items()))
    one, other = (list(spsa(known, START, played(4), 9, rate=0.5)) for known in (KNOWN, turned))
    assert one == other


def test_a_tuning_comes_out_the_same_however_it_is_run(tmp_path: Path) -> None:
    told: list[tuple[int, int]] = []
    alone = SHORT.run(observer=lambda rounds, games: told.append((len(rounds), games)))
    assert told == [(done, game) for done in range(4) for game in range(5)] + [(4, 0)]
    assert alone == SHORT.run(jobs=2) == SHORT.run(out=tmp_path / "t77.jsonl")
    assert any(done.score for done in alone)


def test_a_tuning_finds_out_what_corners_are_worth() -> None:
    """From corners that are worth nothing, games alone move the weight up."""
    begun = Tuning("t77:weights=corner=0.5", ("othello-6",), rounds=12, games=20, rate=4.0)
    assert begun.start["corner"] == 0.5
    assert averaged(begun.run())["corner"] > 2


KILLED = """
import os, signal, sys
from pathlib import Path
from polyversi.contest.tuning import Tuning
def observer(rounds, games):
    if (len(rounds), games) == (2, 3):
        os.kill(os.getpid(), signal.SIGKILL)
Tuning("t77", ("othello-6", "xt:arena,players=3"), rounds=4, games=4, seed=3).run(
    out=Path(sys.argv[1]), observer=observer)
"""


def test_a_tuning_that_was_killed_goes_on(tmp_path: Path) -> None:
    out = tmp_path / "t77.jsonl"
    killed = subprocess.run([sys.executable, "-c", KILLED, str(out)], check=False)
    assert killed.returncode == -signal.SIGKILL
    assert len(out.read_bytes().splitlines()) == 3
    with out.open("ab") as stream:
        stream.write(b'{"polyversi":"round","number":3,"sco')    # killed in the middle of a line
    done = SHORT.run(out=out)
    assert done == SHORT.run()
    written = out.read_bytes()
    assert len(written.splitlines()) == 5
    assert SHORT.run(out=out) == done
    assert out.read_bytes() == written


def small(**changes: object) -> Tuning:
    """A tuning that is done at once."""
    settings: dict[str, object] = {"player": "t77", "variants": ("othello-4",), "rounds": 1, "games": 2}
    return Tuning(**{**settings, "openings": 2, **changes})  # type: ignore[arg-type]


@pytest.mark.parametrize(("change", "message"), [
    ({"rounds": 2}, "rounds 1, not 2"),
    ({"games": 4}, "games 2, not 4"),
    ({"seed": 1}, "seed 0, not 1"),
    ({"openings": 1}, "openings 2, not 1"),
    ({"openings": "balanced 1"}, "openings 2, not balanced 1"),
    ({"limit": pv.Limit(depth=2)}, "limit none, not depth=2"),
    ({"variants": ("othello-4", "hex")}, r"variants \['othello-4'\], not \['othello-4', 'hex'\]"),
    ({"player": "t77:weights=corner=3"}, "player t77, not t77:weights=corner=3"),
])
def test_the_file_of_another_tuning_is_not_added_to(
    tmp_path: Path, change: dict[str, object], message: str
) -> None:
    out = tmp_path / "t77.jsonl"
    small().run(out=out)
    written = out.read_bytes()
    with pytest.raises(RecordError, match=f"holds a tuning with {message}; choose another file"):
        small(**change).run(out=out)
    assert out.read_bytes() == written


def test_a_tuning_of_other_weights_is_named_without_all_their_numbers(tmp_path: Path) -> None:
    out = tmp_path / "t77.jsonl"
    small().run(out=out)
    out.write_text(out.read_text().replace('"weights":{"corner":[', '"weights":{"corners":[', 1))
    with pytest.raises(RecordError, match="holds a tuning with other weights; choose another file"):
        small().run(out=out)


ROUND = '{"polyversi":"round","number":1,"score":0.5,"weights":{"corner":9.0'


@pytest.mark.parametrize("line", [
    "Dear Ann,", "{}", '{"polyversi":"tuning"}', '{"polyversi":"round"}', "[" * 100_000, ROUND + "}}",
    '{"polyversi":"round","number":2,"score":0.5,"weights":{}}',
    '{"polyversi":"round","number":1,"score":NaN,"weights":{}}',
])
@pytest.mark.parametrize("place", [0, 1])
def test_a_file_of_something_else_is_left_as_it_is(tmp_path: Path, line: str, place: int) -> None:
    out = tmp_path / "t77.jsonl"
    small().run(out=out)
    lines = out.read_text().splitlines()
    lines[place] = line
    out.write_text("\n".join([*lines, ""]))
    written = out.read_bytes()
    with pytest.raises(RecordError, match="choose another file"):
        small().run(out=out)
    assert out.read_bytes() == written


@pytest.mark.parametrize(("tuning", "message"), [
    (small(games=3), "an even number of games"),
    (small(rate=0.0), "the rate cannot be 0"),
    (small(rate=math.nan), "the rate cannot be nan"),
    (small(player="random"), "random has no weights to tune"),
    (small(player="nobody"), "there is no player 'nobody'"),
    (small(player="bot:my.py"), "only the weights of built-in players"),
    (small(variants=()), "at least one game and one variant"),
])
def test_what_cannot_be_tuned_is_said(tuning: Tuning, message: str) -> None:
    with pytest.raises(PlayerError, match=message):
        tuning.run()


@pytest.mark.parametrize("seats", range(2, 9))
def test_both_sides_have_the_same_seats_and_the_best_is_one(seats: int) -> None:
    """All points of a pair of games to one side are what a round can bring at most."""
    game = pv.game(f"xt:arena,players={seats}")
    one, other = tuple(seat % 2 for seat in range(seats)), tuple((seat + 1) % 2 for seat in range(seats))
    assert best_margin(game, one) + best_margin(game, other) > 0
    if seats == 2:
        assert best_margin(game, one) == 14


def test_the_weights_are_saved_for_the_player(tmp_path: Path) -> None:
    known = weights_of(type(pv.player("t77")))
    rounds = [Round(1, 0.0, read_weights("corner=1", known)), Round(2, 0.0, read_weights("corner=3", known))]
    path = save_tuned(tmp_path / "t77.jsonl", rounds)
    assert path == tmp_path / "t77.weights.json"
    assert read_weights(str(path), known) == rounds[1].weights
    assert list(tmp_path.iterdir()) == [path]
    with pytest.raises(RecordError, match="cannot be written"):
        save_tuned(tmp_path / "nowhere" / "t77.jsonl", rounds)
