"""Events on the page: set up in the form, started, watched and reported; and a tournament of the terminal."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sql
from playwright.sync_api import Browser, Dialog, Page, expect
from sqlalchemy.engine import Connection

from polyversi.server.site.access import COOKIE
from polyversi.server.xt.joining import Joined
from polyversi.site.roles import Role
from polyversi.site.store import SiteStore
from polyversi.site.tables import EVENTS, VERSIONS
from tests.testing.browser import DESKTOP, PHONE, Size, Window, check_accessible, take_picture
from tests.testing.command import Forked
from tests.testing.conducted import connected
from tests.testing.layout import misplaced
from tests.testing.marks import slow
from tests.testing.sandbox import needs_sandbox
from tests.testing.site import Member, SiteServer
from tests.testing.timeout import TIMEOUT
from tests.testing.uploads import HELD, release

PAIR = "2 0 0 0  1 6  0 0 1 2 0 0"
"""A map on which both seats move a little."""
XT_CLIENT = (f"{sys.executable} -m polyversi.cli.main xt-client -s {{host}} -p {{port}} --player random "
             "--plain")
QUESTION = "1 version still waits for its check, and would not take part. Start all the same?"
QUICK = {"variants": ["othello-4"], "players": ["random", "greedy", "mobility"], "limit": "depth=1"}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SiteServer]:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    settings = f'jobs = 2\nxt_port = {port}\nxt_host = "127.0.0.1"\n'
    settings += f'[[ladders]]\nid = "othello"\nlimit = "seconds={TIMEOUT:g}"\n'
    with SiteServer(tmp_path_factory.mktemp("site"), settings) as server:
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
        take_picture(page, "event")
        at = page.url.removeprefix(site.address)
    with window_of(browser, site, size=PHONE) as window:
        page = window.open(at)
        expect(page.get_by_role("rowheader", name="greedy")).to_be_visible()
        expect(page.get_by_role("columnheader", name="Rounds survived")).to_be_visible()
        expect(page.locator(".event-table tbody tr > :nth-child(3)")).to_have_text(["2", "1", "0"])
        check_accessible(page)
        take_picture(page, "event-phone")
        assert page.get_by_role("group", name="Organise").count() == 0
        page.get_by_role("link", name="Bracket").click()
        expect(page.get_by_role("heading", name="Final", exact=True)).to_be_visible()
        page.get_by_role("link", name="Game 2.1/1").click()
        expect(page.get_by_role("region").filter(has_text="greedy").first).to_be_visible()


@pytest.mark.slow
@needs_sandbox
def test_a_start_with_checks_to_come_is_asked_about(
        browser: Browser, site: SiteServer, organiser: Member) -> None:
    held = held_bot(site, "Ann", "hour")
    settings = {**QUICK, "ladder": "othello", "deadline": time.time() + 3600}
    scheduled = organiser.post("/api/site/events", {"title": "Course", "settings": settings})["id"]
    organiser.post(f"/api/site/events/{scheduled}/start", {})
    with closing(SiteStore.open(site.store)) as store, store.writing() as connection:
        passed = {**event_settings(connection, scheduled), "deadline": time.time() - 60}
        connection.execute(sql.update(EVENTS).where(EVENTS.c.id == scheduled).values(settings=passed))
        connection.execute(sql.update(VERSIONS).values(created=time.time() - 120))
    now = {"title": "Now", "settings": {**QUICK, "ladder": "othello"}}
    draft = organiser.post("/api/site/events", now)["id"]
    with window_of(browser, site, site.join("Ben"), PHONE) as window:
        page = window.open(f"/events/{scheduled}")
        expect(page.get_by_role("status").filter(has_text="1 check is to come")).to_be_visible()
        assert page.get_by_role("button", name="Start now").count() == 0
    with window_of(browser, site, organiser) as window:
        page = window.open(f"/events/{scheduled}")
        expect(page.get_by_role("button", name="Start now")).to_be_visible()
        expect(page.get_by_text("starts by itself")).to_be_visible()
        check_accessible(page)
        page = window.open(f"/events/{draft}")
        asked: list[str] = []
        answers = iter([False, True])

        def answer(dialog: Dialog) -> None:
            asked.append(dialog.message)
            if next(answers):
                dialog.accept()
            else:
                dialog.dismiss()

        page.on("dialog", answer)
        page.get_by_role("button", name="Start").click()
        expect(page.get_by_role("button", name="Start")).to_be_enabled()
        expect(page.get_by_text("It has not started yet.")).to_be_visible()
        page.get_by_role("button", name="Start").click()
        expect(page.get_by_text("finished")).to_be_visible()
        assert asked == [QUESTION] * 2
    release(site.file, held)


def held_bot(site: SiteServer, owner: str, title: str) -> str:
    """A bot whose check goes on until it is released."""
    member = site.join(owner)
    bot = member.post("/api/site/bots", {"name": title, "ladder": "othello"})["id"]
    answer = member.ask("POST", f"/api/site/bots/{bot}/versions", params={"file": "main.py"}, content=HELD,
                        headers={"x-polyversi": "1"})
    assert answer.status_code == 201, answer.text
    return str(bot)


def event_settings(connection: Connection, id: str) -> dict[str, Any]:
    return dict(connection.execute(sql.select(EVENTS.c.settings).where(EVENTS.c.id == id)).scalar_one())


@pytest.mark.slow
def test_groups_are_seen_as_they_connect(browser: Browser, site: SiteServer, organiser: Member) -> None:
    wanted = {"maps": [{"name": "pair", "text": PAIR}],
              "groups": ["Group 1", "Gruppe <b>zwei"], "limit": "bank=20"}
    event = organiser.post("/api/site/events", {"title": "XT", "settings": wanted})["id"]
    tokens = organiser.post(f"/api/site/events/{event}/tokens", {})
    with window_of(browser, site, organiser) as window:
        page = window.open(f"/events/{event}")
        groups = page.locator(".event-groups li")
        expect(page.get_by_text("Connected: 0 of 2 groups.")).to_be_visible()
        expect(groups.filter(has_text="not connected")).to_have_count(2)
        with connected(tokens["port"]) as client:
            client.sendall(f"{tokens['tokens'][1]['token']}\n".encode())
            expect(page.get_by_text("Connected: 1 of 2 groups.")).to_be_visible()
            expect(groups.filter(has_text="<b>zwei")).to_contain_text("connected")
            expect(groups.filter(has_text="not connected")).to_have_count(1)
            check_accessible(page)
        expect(page.get_by_text("Connected: 0 of 2 groups.")).to_be_visible()


@pytest.mark.parametrize("size", [DESKTOP, slow(PHONE)])
def test_the_form_of_an_event_has_everything_in_its_place(
        browser: Browser, site: SiteServer, organiser: Member, size: Size) -> None:
    with window_of(browser, site, organiser, size) as window:
        page = window.open("/events/new")
        page.get_by_label("From a ladder").select_option("othello")
        expect(page.get_by_label("By (or when it starts)")).to_be_visible()
        for kind in ("none", "random", "balanced"):
            page.get_by_label("Openings").select_option(kind)
            expect(page.get_by_label("Moves of an opening")).to_have_count(0 if kind == "none" else 1)
            assert misplaced(page) == []


@pytest.mark.slow
def test_groups_play_an_event_on_maps_that_is_set_up_in_the_form(
        browser: Browser, site: SiteServer, organiser: Member, tmp_path: Path) -> None:
    def add_map(page: Page, name: str, text: str) -> None:
        (tmp_path / name).write_text(text)
        page.get_by_label("Add a map of Reversi XT").set_input_files(tmp_path / name)

    with window_of(browser, site, organiser) as window, ThreadPoolExecutor() as threads:
        page = window.open("/events/new")
        page.get_by_label("Title").fill("Maps")
        page.get_by_role("button", name="Remove Othello").click()
        page.get_by_label("Time limit").fill(f"bank={TIMEOUT:g}")
        page.get_by_label("Groups that connect").fill("Group <b>1\n\n Group 2 \n")
        add_map(page, "broken.map", "2 0 0 0  1 6  0 0 1")
        add_map(page, "huge.map", "0 " * 100_001)
        expect(page.get_by_role("alert")).to_have_text("This map is too large.")
        page.get_by_role("button", name="Save").click()
        expect(page.get_by_role("alert").filter(has_text="The map 'broken': line 1")).to_be_visible()
        page.get_by_role("button", name="Remove broken").click()
        add_map(page, "first <map>.map", PAIR)
        add_map(page, "second.map", PAIR.replace("1 2", "2 1"))
        expect(page.get_by_role("alert").filter(has_text="too large")).to_have_count(0)
        check_accessible(page)
        page.get_by_role("button", name="Save").click()
        expect(page.get_by_text("Connected: 0 of 2 groups.")).to_be_visible()
        page.get_by_role("button", name="Make tokens").click()
        told = page.locator(".event-tokens li")
        expect(told).to_have_count(2)
        expect(told.first).to_contain_text("Group <b>1")
        commands = [told.nth(at).locator("code").inner_text().split() for at in range(2)]
        assert commands[0][:2] == ["polyversi", "xt-join"] and commands[0][3] != commands[1][3]
        check_accessible(page)
        clients = []
        for _, _, place, token, *_ in commands:
            host, _, port = place.partition(":")
            clients.append(Joined(host, int(port), token, XT_CLIENT, print))
        playing = [threads.submit(asyncio.run, client.play(4)) for client in clients]
        expect(page.get_by_text("Connected: 2 of 2 groups.")).to_be_visible()
        page.get_by_role("button", name="Start", exact=True).click()
        expect(page.get_by_text("finished", exact=True)).to_be_visible()
        assert [one.result() for one in playing] == [None, None]
        page.get_by_role("link", name="Each variant").click()
        for name in ("first map", "second"):
            expect(page.get_by_role("heading", name=name)).to_be_visible()
        expect(page.get_by_role("rowheader", name="Group <b>1")).to_have_count(2)
        expect(page.get_by_role("columnheader", name="Points per game")).to_have_count(2)
        check_accessible(page)
        at = page.url.removeprefix(site.address)
    with window_of(browser, site, size=PHONE) as window:
        page = window.open(at)
        expect(page.get_by_role("heading", name="second")).to_be_visible()
        assert misplaced(page) == []
        for absent in (page.get_by_role("button", name="Make tokens"), page.locator(".event-tokens")):
            expect(absent).to_have_count(0)


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
