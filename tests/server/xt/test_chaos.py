"""Games among hostile clients end as they should and leave nothing; `make xt-chaos` plays many more."""

from __future__ import annotations

import asyncio

import pytest

from tests.soak.load.xt import Trouble, endure


@pytest.mark.slow
def test_nobody_is_harmed_by_hostile_clients_and_fuzzed_frames() -> None:
    outcome = asyncio.run(endure(Trouble(games=10, row=2, at_once=5, frames=1000, seconds=1)))
    assert outcome.faults == []
    assert outcome.counts["games"] == outcome.counts["records replayed by the reference"] == 10
    assert outcome.counts["games among fuzzed frames"]
