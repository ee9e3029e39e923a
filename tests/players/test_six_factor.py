"""The six-factor player: its terms computed by hand, and the strength of its levels."""

from __future__ import annotations

import pytest

import polyversi as pv
from polyversi.players.minimax import SIX_FACTOR
from tests.soak.strength import duel, points_against_random
from tests.testing.marks import slow, slow_but
from tests.testing.reference_evaluations import six_factor_terms, some_states

PLAYED = ("othello", "othello-6", "othello:start=parallel", "othello-6:start=parallel",
          "reversi", "reversi-6")


def position(spec: str, drawing: str, turn: str = "X") -> pv.State:
    return pv.game(spec).position(f"{''.join(drawing.split())} {turn}")


SMALL = """
    X O - - - X
    - X - - X -
    - - O X - -
    - - X O - -
    - O - - - -
    - - - - - O
"""


def test_terms_on_6x6_by_hand() -> None:
    terms = {
        # Mine a1 f1 b2 e2 d3 c4, theirs b1 c3 d4 b5 f6.
        "stones": 100 * 6 / 11,
        # Mine a1 f1, theirs f6.
        "corners": 25 * (2 - 1),
        # Only a6 is empty, and beside it lies b5, theirs; b1, b2 and e2 lie beside corners that are taken.
        "next to corners": -12.5 * (0 - 1),
        # Mine c1 c2 b3 e4 d5 e5 a6, theirs d2 b3 e3 b4 c5.
        "mobility": 100 * 7 / 12,
        # Every stone has an empty neighbour.
        "frontier": -100 * 6 / 11,
        # Mine 20 + 20 − 7 − 7 + 2 + 2, theirs −3 + 2 + 2 − 7 + 20.
        "cells": 30 - 14,
    }
    for turn in "XO":
        state = position("othello-6", SMALL, turn)
        assert SIX_FACTOR.terms(state, 1) == pytest.approx(terms)
        assert SIX_FACTOR.terms(state, 2) == pytest.approx({name: -term for name, term in terms.items()})
        # 545.4545 + 20043.1 + 4775.325 + 4603.7833 − 4057.9636 + 160
        assert SIX_FACTOR(state, 1) == pytest.approx(26069.6992, abs=1e-3)
        assert SIX_FACTOR(state, 2) == -SIX_FACTOR(state, 1)


LARGE = """
    - O - - - - - -
    - - - - - - - -
    - - O O O - - -
    - - O X O - - -
    - - O O O - X -
    - - - - - - - -
    X X - - - - X -
    - - - - - - - X
"""


def test_terms_on_8x8_by_hand() -> None:
    state = position("othello", LARGE)
    assert SIX_FACTOR.terms(state, 1) == pytest.approx({
        # Mine d4 g5 a7 b7 g7 h8, theirs b1 and the eight round d4.
        "stones": -100 * 9 / 15,
        # Mine h8.
        "corners": 25 * 1,
        # a7 and b7 beside a8 are mine, b1 beside a1 is theirs; g7 lies beside h8, which is taken.
        "next to corners": -12.5 * (2 - 1),
        # Mine b2 d2 f2 b4 f4 b6 d6 f6; they have none.
        "mobility": 100 * 8 / 8,
        # Of mine, d4 has no empty neighbour: 5 against 9.
        "frontier": 100 * 9 / 14,
        # Mine −3 + 1 − 3 − 7 − 7 + 20 = 1; theirs −3 + 2 + 2 + 2 + 2 − 3 + 2 − 3 − 3 = −2.
        "cells": 1 + 2,
    })
    # −600 + 20043.1 − 4775.325 + 7892.2 + 4782.6 + 30
    assert SIX_FACTOR(state, 1) == pytest.approx(27372.575)


def test_what_is_equal_counts_nothing() -> None:
    for spec in ("othello", "othello-6", "reversi"):
        assert set(SIX_FACTOR.terms(pv.game(spec).start(), 1).values()) == {0.0}


@pytest.mark.parametrize("spec", PLAYED)
def test_terms_equal_those_of_the_plain_implementation(spec: str) -> None:
    for state in some_states(spec, 40):
        for seat in (1, 2):
            assert SIX_FACTOR.terms(state, seat) == pytest.approx(six_factor_terms(state, seat))


def test_levels_are_depths() -> None:
    state = pv.game("othello").start().play("f5")
    for level in (1, 2, 3, 4):
        player = pv.player(f"six-factor:level={level}")
        assert player.search(state).depth == level    # type: ignore[attr-defined]
        assert player.choose(state, pv.Limit(depth=2)) == pv.player("six-factor", level=2).choose(state)
    assert pv.player("six-factor") == pv.player("six-factor", level=4)
    assert pv.player("six-factor:level=3").spec() == "six-factor:level=3"
    for wrong in (0, 5):
        with pytest.raises(pv.PlayerError, match=f"cannot take level={wrong}"):
            pv.player("six-factor", level=wrong)
        with pytest.raises(pv.PlayerError, match=f"cannot take level={wrong}"):
            pv.player(f"six-factor:level={wrong}")


def test_what_it_plays() -> None:
    player = pv.player("six-factor")
    assert [player.unsuited(pv.game(spec)) for spec in PLAYED] == [None] * len(PLAYED)
    for spec, reason in {
        "othello-10": "8×8 and 6×6 only",
        "othello:width=8,height=6": "8×8 and 6×6 only",
        "anti": "for the most stones",
        "octagon": "corners and edges",
        "blackhole": "corners and edges",
        "torus": "corners and edges",
        "cylinder-6": "corners and edges",
        "hex": "corners and edges",
        "rolit": "two seats",
        "xt:arena,players=2": "two seats",
    }.items():
        assert reason in (player.unsuited(pv.game(spec)) or "")


@pytest.mark.parametrize("spec", slow_but(PLAYED, "othello-6"))
def test_200_games_against_random(spec: str) -> None:
    assert points_against_random(spec, "six-factor:level=1", games=200) > 160


@pytest.mark.parametrize("spec", ["othello", "othello-6"])
@pytest.mark.parametrize("level", [2, slow(3)])
def test_a_level_beats_the_one_below(spec: str, level: int) -> None:
    stronger, weaker = pv.player("six-factor", level=level), pv.player("six-factor", level=level - 1)
    won, drawn, lost = duel(spec, stronger, weaker, games=100, seed=1000)
    assert won + drawn + lost == 100
    assert won > 1.3 * lost


@pytest.mark.parametrize("level", [1, 2, 3])
def test_it_beats_the_stock_opponent(level: int) -> None:
    six_factor, stock = pv.player("six-factor", level=level), pv.player("stock", level=level)
    won, _, lost = duel("othello-6", six_factor, stock, games=100)
    assert won > 1.4 * lost
