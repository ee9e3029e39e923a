"""Limits: reading, writing, and what is left after a move."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import polyversi as pv

LIMITS = ["none", "seconds=1", "bank=60,increment=1", "depth=4", "nodes=1000", "seconds=0.5,bank=30"]
WRONG = ["seconds", "seconds=", "seconds=-1", "seconds=nan", "seconds=1e9", "depth=1.5", "hours=1",
         "seconds=1,seconds=2", "increment=1", "bank=9999999999", "bank=1000000001"]


@pytest.mark.parametrize("text", LIMITS)
def test_text_round_trips(text: str) -> None:
    assert str(pv.Limit.parse(text)) == text
    assert pv.Limit.parse(str(pv.Limit.parse(text))) == pv.Limit.parse(text)


@pytest.mark.parametrize("text", WRONG)
def test_wrong_limits(text: str) -> None:
    with pytest.raises(pv.LimitError):
        pv.Limit.parse(text)


@pytest.mark.parametrize(("values", "message"), [
    ({"depth": 2.5}, "depth=2.5 is not a limit; write a whole number from 0 to 1000000000"),
    ({"depth": 4.0}, "depth=4.0 is not a limit; write a whole number"),
    ({"nodes": "1000"}, "nodes='1000' is not a limit; write a whole number"),
    ({"nodes": -1}, "nodes=-1 is not a limit"),
    ({"seconds": "1"}, "seconds='1' is not a limit; write a number from 0 to 1000000000"),
    ({"seconds": float("nan")}, "seconds=nan is not a limit"),
    ({"bank": 10**400}, "is not a limit; write a number"),
    ({"bank": 1, "increment": None}, "increment=None is not a limit; write a number"),
])
def test_values_that_are_no_limit(values: dict[str, Any], message: str) -> None:
    with pytest.raises(pv.LimitError, match=message):
        pv.Limit(**values)


def test_allowance() -> None:
    assert pv.Limit().allowance is None
    assert pv.Limit(depth=3).allowance is None
    assert pv.Limit(seconds=2, bank=9).allowance == 2
    assert pv.Limit(seconds=2, bank=1).allowance == 1
    assert pv.Limit(bank=5).bank_after(7) == 0
    assert pv.Limit(bank=5, increment=2).bank_after(3) == 4
    assert pv.Limit(seconds=5).bank_after(3) is None


@given(
    st.floats(0, 1e9) | st.none(), st.floats(0, 1e9) | st.none(), st.integers(0, 10**9) | st.none(),
    st.floats(0, 1e6),
)
def test_every_limit_round_trips(
    seconds: float | None, bank: float | None, depth: int | None, more: float
) -> None:
    def kept(value: float | None) -> float | None:
        return None if value is None else round(value, 6)

    limit = pv.Limit(kept(seconds), kept(bank), round(more, 6) if bank is not None else 0.0, depth)
    assert pv.Limit.parse(str(limit)) == limit
