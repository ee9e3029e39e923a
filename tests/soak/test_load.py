"""The parts of the load programs do what their examples show."""

from __future__ import annotations

import doctest
from types import ModuleType

import pytest

from tests.soak.load import checks, evening, measuring, mischief, proxy, punctual


@pytest.mark.parametrize("module", [checks, evening, measuring, mischief, proxy, punctual])
def test_examples(module: ModuleType) -> None:
    failed, attempted = doctest.testmod(module)
    assert attempted
    assert not failed
