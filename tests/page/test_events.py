"""Events on the page: set up in the form, started, watched and reported; and a tournament of the terminal."""

from __future__ import annotations

import os
import re
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from polyversi.server.site.access import COOKIE
from polyversi.site.roles import Role
from tests.testing.browser import DESKTOP, PHONE, Size, Window, check_accessible, take_picture
from tests.testing.command import Forked
from tests.testing.marks import slow
from tests.testing.site import Member, SiteServer
from tests.testing.timeout import TIMEOUT

QUICK = {"variants": ["othello-4"], "players": ["random", "greedy", "mobility"], "limit": "depth=1"}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SiteServer]:
    with SiteServer(tmp_path_factory.mktemp("site"), "jobs = 1\n") as server:
        assert isinstance(server, SiteServer)
        yield server


@pytest.fixture(scope="module")
def organiser(site: SiteServer) -> Member:
    return site.join("Olga", Role.ORGANISER)


@contextmanager
def window_of(browser: Browser, site: SiteServer, member: Member | None = None,
              size: Size = DESKTOP) -> Iterator[Window]:
    """A window of somebody, which must have been quiet at the end."""
    window = Window(browser, site.address, size=size, may_complain="status of 400")
    if member is not None:
        window.page.context.add_cookies([{"name": COOKIE, "value": member.token, "url": site.address}])
    try:
        yield window
        assert window.complaints == []
    finally:
        print(window.seen())    # which is shown when the test failed
        window.close()


def add_player(page: Page, name: str) -> None:
    page.get_by_label("Add a computer player").select_option(label=name)


def test_an_organiser_sets_an_event_up_and_everybody_watches_it(
        browser: Browser, site: SiteServer, organiser: Member) -> None:
    with window_of(browser, site, organiser) as window:
        page = window.open("/events")
        page.get_by_role("link", name="New event").click()
        page.get_by_label("Title").fill("Spring <b>cup")
        for name in ("Greedy", "Random mover", "Move counter"):
            add_player(page, name)
        page.get_by_label("Time limit").fill("soon")
        check_accessible(page)
        page.get_by_role("button", name="Save").click()
        expect(page.get_by_role("alert")).to_contain_text("soon")
        page.get_by_label("Time limit").fill("depth=1")
        page.get_by_label("Format").select_option("knock-out")
        page.get_by_role("button", name="Save").click()
        expect(page.get_by_text("It has not started yet.")).to_be_visible()
        page.get_by_role("button", name="Start").click()
        expect(page.get_by_text("finished")).to_be_visible()
        expect(page.get_by_role("heading", level=1)).to_have_text("Spring <b>cup")
        at = page.url.removeprefix(site.address)
    with window_of(browser, site, size=PHONE) as window:
        page = window.open(at)
        expect(page.get_by_role("rowheader", name="greedy")).to_be_visible()
        check_accessible(page)
        take_picture(page, "event-phone")
        assert page.get_by_role("group", name="Organise").count() == 0
        page.get_by_role("link", name="Bracket").click()
        expect(page.get_by_role("heading", name="Final", exact=True)).to_be_visible()
        page.get_by_role("link", name="Game 2.1/1").click()
        expect(page.get_by_role("region").filter(has_text="greedy").first).to_be_visible()


@pytest.mark.parametrize("part", ["Rounds", "Cross table", slow("Ratings")])
@pytest.mark.slow
def test_its_parts_can_be_read_by_everybody(
        browser: Browser, site: SiteServer, organiser: Member, part: str) -> None:
    event = organiser.post("/api/site/events", {"title": "Cup", "settings": QUICK})
    organiser.post(f"/api/site/events/{event['id']}/start", {})
    with window_of(browser, site) as window:
        page = window.open(f"/events/{event['id']}")
        expect(page.get_by_text("finished")).to_be_visible()
        page.get_by_role("link", name=part).click()
        expect(page.get_by_text("mobility").first).to_be_visible()
        check_accessible(page)


@pytest.mark.slow
def test_hidden_results_are_told_from_missing_ones(
        browser: Browser, site: SiteServer, organiser: Member) -> None:
    event = organiser.post("/api/site/events", {"title": "Secret", "settings": QUICK, "is_released": False})
    organiser.post(f"/api/site/events/{event['id']}/start", {})
    with window_of(browser, site, site.join("Mia")) as window:
        page = window.open(f"/events/{event['id']}")
        expect(page.get_by_text("The results are shown when the organiser releases them.")).to_be_visible()
    with window_of(browser, site, organiser) as window:
        page = window.open(f"/events/{event['id']}")
        expect(page.get_by_text("finished")).to_be_visible()
        page.get_by_role("button", name="Release results").click()
        expect(page.get_by_role("button", name="Hide results")).to_be_visible()


@pytest.mark.slow
def test_a_tournament_of_the_terminal_is_watched(browser: Browser, tmp_path: Path) -> None:
    """Its games are so long that they go on as long as the test."""
    (tmp_path / "cup.toml").write_text(
        'name = "Cup / bowl"\nentrants = ["Ann=polyversi", "Bob=polyversi"]\nlimit = "seconds=20"\n')
    process = Forked("tournament", "new", str(tmp_path / "cup.toml"), "--page", "0", "--jobs", "2",
                     stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                     environment=os.environ | {"PYTHONUNBUFFERED": "1"})
    assert process.stdout is not None
    told = process.stdout.readline().decode()
    found = re.search(r"http://\S+", told)
    assert found, told
    window = Window(browser, found[0].rstrip("/"))
    try:
        page = window.open("/")
        expect(page.get_by_role("heading", name="Cup / bowl")).to_be_visible()
        for absent in ("Sign in", "Play", "Lobby"):
            expect(page.get_by_text(absent, exact=True)).to_have_count(0)
        card = page.get_by_role("link", name=re.compile("Ann")).first
        expect(card).to_be_visible()
        check_accessible(page)
        card.click()
        expect(page.get_by_role("region").filter(has_text="Bob").first).to_be_visible()
        assert window.complaints == []
    finally:
        window.close()
        process.send_signal(signal.SIGINT)
        assert process.wait(TIMEOUT) == 130
