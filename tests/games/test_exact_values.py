"""Exact values of whole small games: wrong rules would hardly give all of these."""

from __future__ import annotations

import pytest

import polyversi as pv
from tests.testing.marks import slow_but
from tests.testing.reference_search import Plain, plain_value, seen_by_mover

VALUES = {
    "othello-4": -8,
    "othello-4:start=parallel": -3,
    "othello:width=5,height=4": 16,
    "othello:width=6,height=4": 16,
    "othello-5": 13,
    "anti-4": 3,
    "anti-4:start=parallel": 0,
    "anti:width=5,height=4": 4,
    "anti:width=6,height=4": 0,
    "anti-5": 1,
    "hex:side=3,start=ring": -4,
    "hex:side=3,start=ring,goal=fewest": -2,
    "hex:side=4,start=ring": -19,
    "hex:side=4,start=ring,goal=fewest": -4,
    "hex:side=3,start=ring,passing=free": 0,
    "hex:side=3,start=ring,passing=free,goal=fewest": 0,
    "hex:side=4,start=ring,passing=free": 0,
}
"""For the seat that begins. Where one may pass, nobody need lose from an even start that both see alike; side
4 for the fewest stones is 0 too, but takes minutes to prove."""


LONGEST = "hex:side=4,start=ring,passing=free"


@pytest.mark.parametrize(("spec", "value"), slow_but(
    VALUES.items(), *(one for one in VALUES.items() if one[0] != LONGEST)))
def test_exact_value(spec: str, value: int) -> None:
    assert pv.game(spec).start().solve() == value


SMALLEST = ("othello-4", "anti-4", *(spec for spec in VALUES if spec.startswith("hex:side=3")))


@pytest.mark.parametrize("spec", SMALLEST)
def test_plain_minimax_agrees(spec: str) -> None:
    assert plain_value(pv.game(spec).start(), {}) == VALUES[spec]


@pytest.mark.parametrize("spec", SMALLEST)
def test_the_second_implementation_agrees(spec: str) -> None:
    """Plain search over the boards of the reference, which share nothing with the core."""
    start = pv.game(spec).start()
    assert Plain(start.game).value(*seen_by_mover(start)) == VALUES[spec]


def test_what_cannot_be_solved_says_so() -> None:
    for spec in ("hex:side=6", "othello-10", "rolit", "reversi"):
        with pytest.raises(ValueError, match="can be solved"):
            pv.game(spec).start().solve()
