"""The parts of the load programs do what their examples show."""

from __future__ import annotations

import doctest
from pathlib import Path
from types import ModuleType

import pytest

from tests.soak.load import analysis, checks, evening, measuring, mischief, proxy, punctual


@pytest.mark.parametrize("module", [analysis, checks, evening, measuring, mischief, proxy, punctual])
def test_examples(module: ModuleType) -> None:
    failed, attempted = doctest.testmod(module)
    assert attempted
    assert not failed


@pytest.mark.slow
def test_visitors_analyse_while_games_are_played(tmp_path: Path) -> None:
    figures, faults = analysis.spend(analysis.Plan(20, 2, 10, 1, seed=1), tmp_path, lambda _: None)
    assert faults == []
    assert figures["looks"] >= 20
    assert figures["moves"]["count"]
