"""The rehearsal of a course: it passes on a site that works, and finds what is wrong with others."""

from __future__ import annotations

import doctest
import io
from pathlib import Path
from types import ModuleType

import pytest
import sqlalchemy as sql
from rich.console import Console

from polyversi.site.opened import open_site
from polyversi.site.tables import MATCHES, RATINGS
from tests.soak.rehearsal import bots, kills
from tests.soak.rehearsal.__main__ import main, too_slow
from tests.soak.rehearsal.course import LADDER, new_course
from tests.soak.rehearsal.verification import Verification
from tests.soak.rehearsal.watching import Clock
from tests.testing.sandbox import needs_sandbox
from tests.testing.site import SiteServer


@pytest.mark.parametrize("module", [bots, kills])
def test_examples(module: ModuleType) -> None:
    failed, attempted = doctest.testmod(module)
    assert attempted and not failed


def test_what_is_wrong_is_found(tmp_path: Path) -> None:
    course = new_course(SiteServer(tmp_path), 1)
    course.matches["never"] = {}
    course.told["gone.1"] = {"result": {}, "bots": []}
    match = {"ladder": LADDER, "challenger": "a", "challenged": "b", "asked_by": "", "reason": "",
             "created": 1.0}
    rating = {"pool": f"ladder:{LADDER}", "player": "bot:a", "rating": 1700.0, "deviation": 50.0,
              "volatility": 0.06, "games": 2, "version": 1, "updated": 1.0}
    with open_site(course.site.path) as site:
        with site.store.writing() as connection:
            connection.execute(sql.insert(MATCHES).values(**match, id="short", phase="over"))
            connection.execute(sql.insert(RATINGS).values(**rating))
        faults = list(Verification(site, course).faults())
    assert [fault.partition(":")[0] for fault in faults] == [
        "the match short is over with the games []",
        "1 challenges were accepted and are not in the store",
        "the page has shown the game gone.1, and it is not in the store",
        "1 ratings of ladder",
    ]


def test_slow_pages_are_a_fault(tmp_path: Path) -> None:
    clock = Clock(0, tmp_path / "diary")
    quick, slow = "200 0.002000 /events\n" * 300, "200 0.400000 member:bot\n" * 4
    (tmp_path / "diary").write_text(quick + slow + "404 0.001 member:/api/site/lobby\n")
    times, refused = clock.stop()
    assert refused == ["member:/api/site/lobby was answered with 404, 1 times"]
    console = Console(file=io.StringIO())
    fault, = too_slow(console, times, 100.0)
    assert "within 400 ms; the slowest is member:bot with 400 ms; the goal is 100 ms" in fault
    assert too_slow(console, times, 500.0) == too_slow(console, times, 0.0) == []


@needs_sandbox
@pytest.mark.slow
def test_a_small_course_with_kills() -> None:
    words = "--minutes 0.2 --people 4 --watchers 3 --kills 1 --tournaments 1 --goal 0"
    assert main(words.split()) == 0
