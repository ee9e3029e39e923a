"""Marks for tests that go through a long list: a few of it at every run, the rest where there is time."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest


def slow_but(values: Iterable[Any], *quick: Any) -> list[Any]:
    """The values for `parametrize`, all marked slow but the quick ones.

    >>> [type(value).__name__ for value in slow_but(("othello", "hex"), "hex")]
    ['ParameterSet', 'str']
    """
    listed = list(values)
    assert set(quick) <= set(listed), set(quick) - set(listed)
    return [value if value in quick else slow(*(value if isinstance(value, tuple) else (value,)))
            for value in listed]


def slow(*value: Any, **more: Any) -> Any:
    """A value for `parametrize` that is marked slow."""
    return pytest.param(*value, marks=pytest.mark.slow, **more)
