"""Games over a network that loses and doubles messages end as they should; `make chaos` plays many more."""

from __future__ import annotations

from pathlib import Path

import pytest

from polyversi.server.client import RetryTimes
from tests.soak.load.chaos import Trouble, endure
from tests.soak.load.proxy import Rates


@pytest.mark.slow
def test_no_game_is_harmed_by_a_bad_network_and_a_killed_server(tmp_path: Path) -> None:
    trouble = Trouble(games=20, at_once=20, kills=1, rates=Rates(cut=0.02), longest=0.05,
                      retry_times=RetryTimes(have=1.0, again=0.1))
    outcome = endure(trouble, tmp_path)
    assert outcome.faults == []
    assert outcome.counts["games"] == 20
    assert all(outcome.counts[name] for name in ("drop", "double", "delay", "reorder", "cut", "kill"))
