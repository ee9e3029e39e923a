"""The programs that attack a server and that spend a day with it: what they find out, they tell."""

from __future__ import annotations

import doctest
import math
from dataclasses import replace

import pytest

from tests.soak.attack.__main__ import QUIET, all_attacks, run
from tests.soak.attack.registry import Attack, hold
from tests.soak.attack.site import Site
from tests.soak.day import watching


def test_examples() -> None:
    failed, attempted = doctest.testmod(watching)
    assert attempted and not failed


async def _win(_: Site) -> str:
    hold(False, "the server gave everything away")
    return ""


@pytest.mark.slow
def test_an_attack_is_held_or_failed_by_what_it_does_and_what_it_costs() -> None:
    attacks = {attack.name: attack for attack in all_attacks()}
    assert len(attacks) == len(all_attacks()) > 20
    verdict, why, figures = run(attacks["paths out of the folder"], latency=math.inf)
    assert (verdict, why) == ("held", "17 led nowhere") and len(figures) == 7
    assert run(replace(QUIET, memory=-1), latency=math.inf)[0] == "failed"
    verdict, why, _ = run(Attack("one that succeeds", _win), latency=math.inf)
    assert (verdict, why) == ("failed", "the server gave everything away")
