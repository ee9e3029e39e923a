"""The stock opponent: its terms computed by hand, and games against random."""

from __future__ import annotations

import pytest

import polyversi as pv
from polyversi.players.minimax import SAFETY
from tests.soak.strength import points_against_random
from tests.testing.marks import slow_but
from tests.testing.reference_evaluations import safety_terms, some_states

PLAYED = ("othello", "othello-4", "othello-6", "othello-7", "othello-10", "othello:width=5,height=4",
          "othello:start=parallel", "reversi", "reversi-6")

DRAWING = """
    X X O - - -
    X O - - - -
    - - X O - -
    - - O X - -
    - - - - O -
    - - - - - -
"""


def test_terms_by_hand() -> None:
    state = pv.game("othello-6").position("".join(DRAWING.split()) + " X")
    terms = {
        # Axes in the order column, rising diagonal, row, falling diagonal.
        # Mine: a1, b1 and a2 are safe on all four (a row or column of mine, or the edge itself), c3 and d4 on
        # none (d4 – c3 ends at b2, which is theirs): 5 + 5 + 5 + 1 + 1.
        # Theirs: c1 touches the edge on three axes, its row is held by b1; b2 – c1 reaches the edge; d3, c4
        # and e5 are safe on none: 4 + 2 + 1 + 1 + 1.
        "safety": 17 - 9,
        "corners": 1,             # a1 is mine
        "next to corners": -2,    # b2 and e5 are theirs
    }
    assert SAFETY.terms(state, 1) == terms
    assert SAFETY.terms(state, 2) == {name: -term for name, term in terms.items()}
    assert SAFETY(state, 1) == 8 + 64 * 1 - 32 * -2
    assert SAFETY(state, 2) == -136


@pytest.mark.parametrize("spec", PLAYED)
def test_terms_equal_those_of_the_plain_implementation(spec: str) -> None:
    for state in some_states(spec, 40):
        for seat in (1, 2):
            assert SAFETY.terms(state, seat) == safety_terms(state, seat)


def test_levels_are_depths() -> None:
    state = pv.game("othello-6").start().play("c2")
    for level in (1, 2, 3, 4):
        assert pv.player(f"stock:level={level}").search(state).depth == level    # type: ignore[attr-defined]
    with pytest.raises(pv.PlayerError, match=r"write level=1\|2\|3\|4"):
        pv.player("stock", level=7)


def test_what_it_plays() -> None:
    player = pv.player("stock")
    for spec in (*PLAYED, "othello-26"):
        assert player.unsuited(pv.game(spec)) is None
    for spec in ("anti", "anti-6", "octagon", "blackhole", "torus", "hex", "rolit", "xt:starfish"):
        assert player.unsuited(pv.game(spec))


@pytest.mark.parametrize("spec", slow_but(PLAYED, "othello-6"))
def test_200_games_against_random(spec: str) -> None:
    small = pv.game(spec).board.size < 36    # chance decides more of a short game
    assert points_against_random(spec, "stock:level=1", games=200) > (110 if small else 140)
