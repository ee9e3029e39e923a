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
from tests.testing.waiting import until

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


@pytest.mark.slow
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


@pytest.mark.slow
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


@pytest.mark.slow
def test_whose_bots_take_part_and_what_they_wrote(
        browser: Browser, course: Course, organiser: Member) -> None:
    event = begun(organiser, "Cup", bots=[*course.bots.values()], players=["random"])
    until(lambda: phase(organiser, event) == "over")
    with window_of(browser, course, signed_in(course, "Ann")) as page:
        page.goto(f"{course.address}/events/{event}")
        row = page.get_by_role("rowheader", name="Bob's")
        expect(row.get_by_role("link", name="Bob's")).to_have_attribute("href", f"/bots/{course.bots['Bob']}")
        expect(row.get_by_text("Bob", exact=True)).to_be_visible()
        expect(page.get_by_role("rowheader", name="random").get_by_role("link")).to_have_count(0)
        check_accessible(page)
        page.get_by_role("link", name="Output of your bots").click()
        written = page.get_by_role("group").filter(has_text="Ann's")
        expect(written).to_have_count(4)
        written.first.locator("summary").click()
        expect(written.first.get_by_text("<b>thought</b> of Ann")).to_be_visible()
        assert page.get_by_text("thought</b> of Bob").count() == 0
    with window_of(browser, course) as page:
        page.goto(f"{course.address}/events/{event}")
        row = page.get_by_role("rowheader", name="Bob's")
        expect(row).to_be_visible()
        expect(row.get_by_role("link")).to_have_count(0)
        expect(row.get_by_text("Bob", exact=True)).to_have_count(0)
        expect(page.get_by_role("link", name="Output of your bots")).to_have_count(0)


@pytest.mark.slow
def test_an_organiser_pauses_goes_on_cancels_and_replays_what_is_hidden(
        browser: Browser, course: Course, organiser: Member) -> None:
    event = begun(organiser, "Long", variants=["othello"], players=["random", "greedy"], limit="depth=1",
                  games=1000)
    until(lambda: organiser.get(f"/api/site/events/{event}/part/table")["played"] > 0)
    with window_of(browser, course, organiser) as page:
        page.on("dialog", lambda dialog: dialog.accept())
        page.goto(f"{course.address}/events/{event}")
        page.get_by_role("button", name="Pause").click()
        expect(page.get_by_text("paused", exact=True)).to_be_visible()
        page.get_by_role("button", name="Go on").click()
        expect(page.get_by_text("running", exact=True)).to_be_visible()
        page.get_by_role("button", name="Cancel the event").click()
        expect(page.get_by_text("cancelled", exact=True)).to_be_visible()
        page.get_by_role("button", name="Hide results").click()
        expect(page.get_by_role("button", name="Release results")).to_be_visible()
        page.get_by_role("link", name="Rounds").click()
        page.get_by_role("link", name="Game 1.1/1", exact=True).click()
        expect(page.get_by_role("region").filter(has_text="greedy").first).to_be_visible()
        replay = page.url
    with window_of(browser, course, signed_in(course, "Ann")) as page:
        page.goto(f"{course.address}/events/{event}")
        expect(page.get_by_text("The results are shown when the organiser releases them.")).to_be_visible()
        page.goto(replay)
        expect(page.get_by_role("region").filter(has_text="greedy")).to_have_count(0)


@pytest.mark.slow
def test_an_organiser_changes_schedules_and_deletes_a_draft(
        browser: Browser, course: Course, organiser: Member) -> None:
    event = new_event(organiser, "Drfat", ladder="small", deadline=time.time() + 86_400, players=["random"])
    with window_of(browser, course, organiser) as page:
        page.on("dialog", lambda dialog: dialog.accept())
        page.goto(f"{course.address}/events/{event}")
        page.get_by_role("link", name="Change").click()
        page.get_by_label("Title").fill("Draft")
        page.get_by_role("button", name="Save").click()
        expect(page.get_by_role("heading", name="Draft", level=1)).to_be_visible()
        page.get_by_role("button", name="Start").click()
        expect(page.get_by_text("starts by itself", exact=True)).to_be_visible()
        page.get_by_role("button", name="Do not start by itself").click()
        expect(page.get_by_text("not started", exact=True)).to_be_visible()
        page.get_by_role("button", name="Delete").click()
        expect(page.get_by_role("link", name="New event")).to_be_visible()
        expect(page.get_by_text("Draft")).to_have_count(0)
    with window_of(browser, course, signed_in(course, "Bob")) as page:
        expect(page.get_by_role("link", name="New event")).to_have_count(0)
