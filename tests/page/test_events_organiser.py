"""What organisers do with events on the page: set them up, run them, and read what is hidden from others."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from polyversi.server.site.access import COOKIE
from polyversi.site.roles import Role
from tests.testing.browser import DESKTOP, Size, Window, check_accessible
from tests.testing.ladders import LAST_MOVE, Rungs
from tests.testing.sandbox import needs_sandbox
from tests.testing.site import Member, SiteServer
from tests.testing.uploads import FIRST_MOVE

pytestmark = needs_sandbox
SITE = """
jobs = 2
[[ladders]]
id = "small"
title = "Small Othello"
variant = "othello-4"
limit = "seconds=3,bank=90"
memory = 512
games = 0
"""
SAYS = "import sys\nprint('<b>thought</b> of {name}', file=sys.stderr, flush=True)\n"
SLOW = {"variants": ["othello-4"], "players": ["polyversi", "polyversi"], "limit": "seconds=20", "games": 40}


class Course(SiteServer):
    """A site with an organiser, and a ladder with the bots of Ann and Bob."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder, SITE)
        rungs = Rungs(folder, more=SITE)
        self.bots = {}
        self.people = {}
        for name, source in (("Ann", FIRST_MOVE), ("Bob", LAST_MOVE)):
            self.people[name], bot = rungs.climb(name, SAYS.format(name=name) + source)
            self.bots[name] = bot.id
        rungs.store.close()


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Course]:
    with Course(tmp_path_factory.mktemp("course")) as served:
        yield served


@pytest.fixture(scope="module")
def organiser(course: Course) -> Member:
    return course.join("Olga", Role.ORGANISER)


def signed_in(course: Course, name: str) -> Member:
    """One of those whose bots are on the ladder."""
    return course.session_of(course.people[name])


@contextmanager
def window_of(browser: Browser, course: SiteServer, member: Member | None = None, size: Size = DESKTOP,
              may_complain: str = "status of 40") -> Iterator[Page]:
    """A window of somebody, which must have been quiet at the end."""
    window = Window(browser, course.address, size=size, may_complain=may_complain)
    if member is not None:
        window.page.context.add_cookies([{"name": COOKIE, "value": member.token, "url": course.address}])
    try:
        yield window.open("/events")
        assert window.complaints == []
    finally:
        print(window.seen())    # which is shown when the test failed
        window.close()


def new_event(organiser: Member, title: str, **settings: Any) -> str:
    wanted = {"title": title, "settings": {"variants": ["othello-4"], "limit": "seconds=5", **settings}}
    return str(organiser.post("/api/site/events", wanted)["id"])


def begun(organiser: Member, title: str, **settings: Any) -> str:
    event = new_event(organiser, title, **settings)
    organiser.post(f"/api/site/events/{event}/start", {})
    return event


def phase(organiser: Member, event: str) -> str:
    return str(organiser.get(f"/api/site/events/{event}")["phase"])


def test_a_ladder_brings_its_games_and_without_it_there_is_no_deadline(
        browser: Browser, course: Course, organiser: Member) -> None:
    with window_of(browser, course, organiser) as page:
        page.get_by_role("link", name="New event").click()
        page.get_by_label("Title").fill("Final")
        page.get_by_label("From a ladder").select_option(label="all who pass on Small Othello")
        games = page.get_by_role("region", name="Games")
        expect(games.get_by_role("button", name=re.compile("^Remove "))).to_have_count(1)
        expect(page.get_by_label("Time limit")).to_have_value("seconds=3,bank=90")
        expect(page.get_by_label("Memory of a bot (MiB)")).to_have_value("512")
        page.get_by_label("By (or when it starts)").fill("2099-01-01T12:00")
        check_accessible(page)
        page.get_by_label("From a ladder").select_option("")
        page.get_by_role("checkbox", name="Ann's by Ann").check()
        page.get_by_role("checkbox", name="Bob's by Bob").check()
        page.get_by_role("button", name="Save").click()
        expect(page.get_by_text("It has not started yet.")).to_be_visible()
        event = page.url.rpartition("/")[2]
        settings = organiser.get(f"/api/site/events/{event}")["settings"]
        assert (settings["ladder"], settings["deadline"], settings["variants"], settings["memory"]) == (
            "", None, ["othello-4"], 512)
        page.get_by_role("button", name="Start").click()
        expect(page.get_by_text("finished")).to_be_visible()
        expect(page.get_by_role("rowheader", name="Ann's")).to_be_visible()


def test_whoever_hands_in_knows_the_next_deadline_and_what_would_play(
        browser: Browser, course: Course, organiser: Member) -> None:
    event = new_event(organiser, "Grand <i>final", ladder="small", deadline=time.time() + 86_400)
    with window_of(browser, course, signed_in(course, "Ann")) as page:
        page.goto(f"{course.address}/bots/{course.bots['Ann']}")
        expect(page.get_by_role("heading", name="Hand in a version")).to_be_visible()
        assert page.get_by_text("Events to come").count() == 0, "a draft is for organisers"
        organiser.post(f"/api/site/events/{event}/start", {})
        page.reload()
        coming = page.get_by_role("region", name="Events to come")
        expect(coming.get_by_role("link", name="Grand <i>final")).to_be_visible()
        expect(coming.get_by_text("Hand in until")).to_be_visible()
        expect(coming.get_by_text("As it looks now, version 1 takes part.")).to_be_visible()
        check_accessible(page)
    organiser.post(f"/api/site/events/{event}/pause", {})
    organiser.post(f"/api/site/events/{event}/delete", {})
