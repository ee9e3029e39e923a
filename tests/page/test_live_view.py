"""Games of an XT server watched on its page: found at once, followed live, one after another."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from polyversi.protocols.xt.frames import Ask, Disqualified
from tests.testing.browser import DESKTOP, PHONE, Size, Window, check_accessible, take_picture
from tests.testing.marks import slow
from tests.testing.page_games import await_ply, played
from tests.testing.small_map import SMALL_MAP
from tests.testing.xt_page_server import XtServed, play

OUT = "Group 8 was disqualified: it sent a message of type 9, but only 1 or 5 is expected here"
SOON = 1000
"""More moves than there are."""


def card_of(page: Page, number: int) -> Locator:
    """The card of a seat."""
    return page.get_by_role("group", name="Players").get_by_role("region").nth(number - 1)


@pytest.mark.parametrize(("theme", "size"), [("light", PHONE), slow("dark", DESKTOP)])
def test_games_are_watched_live(browser: Browser, tmp_path: Path, theme: str, size: Size) -> None:
    (tmp_path / "small.map").write_text(SMALL_MAP)
    chart = str(tmp_path / "small.map")
    with XtServed(tmp_path, "--map", chart, "--time", "600", "--games", "2") as server:
        window = Window(browser, server.address, color_scheme=theme, size=size, reduced_motion="reduce")
        page = window.open("/")
        expect(page.get_by_text("No game is running. The next one appears here by itself.")).to_be_visible()
        for absent in ("Play", "Arena", "Editor", "Open a file", "Paste"):
            expect(page.get_by_text(absent, exact=True)).to_have_count(0)

        clients = [server.client(group) for group in (7, 8, 9, 10)]
        game = page.get_by_role("link", name=re.compile("group 7"))
        expect(game.get_by_text("group 10")).to_be_visible()
        check_accessible(page)
        game.click()
        expect(card_of(page, 1)).to_contain_text("group 7")
        expect(page.get_by_text("600 s a move, unused time is saved")).to_be_visible()
        expect(page.get_by_text("group 7 to move")).to_be_visible()
        play(clients, 9)
        await_ply(page, 9)
        for seat, stocks in ((1, "override"), (2, "bomb")):
            expect(card_of(page, seat)).to_contain_text(stocks)
            expect(card_of(page, seat).get_by_role("timer")).to_be_visible()
        assert page.get_by_role("button", name=re.compile("Resign|Take back|Hint")).count() == 0
        page.get_by_role("button", name="One move back").click()
        expect(page.get_by_text("You are looking at move 8 of 9")).to_be_visible()
        page.get_by_role("button", name="Back to the game").click()

        clients[1].until(Ask)
        clients[1].send(bytes.fromhex("09 00 00 00 00"))
        for client in clients:
            client.until(Disqualified)
        expect(page.locator(".banner")).to_have_text(OUT)
        expect(page.get_by_role("row", name=OUT)).to_be_visible()
        expect(card_of(page, 2).get_by_title(OUT)).to_have_text("out")
        expect(card_of(page, 2).get_by_role("timer")).to_have_count(0)
        check_accessible(page)
        if size == DESKTOP:
            take_picture(page, "live")
        play([clients[0], clients[2], clients[3]], SOON)
        expect(page.get_by_role("heading", level=2, name=re.compile(" won$"))).to_be_visible()
        outcome = page.locator(".outcome")
        expect(outcome).to_contain_text(OUT)
        expect(outcome).to_contain_text("-50 points")
        assert len(played(page)) == len(clients[0].moves)
        check_accessible(page)

        others = [server.client(group) for group in (9, 10, 7, 11)]
        page.get_by_role("link", name="Go to the next game").click()
        expect(card_of(page, 4)).to_contain_text("group 11")
        play(others, 2)
        await_ply(page, 2)
        page.get_by_role("link", name="Watch").click()
        expect(page.get_by_role("link", name=re.compile("group 11"))).to_be_visible()
        expect(page.get_by_role("row", name=re.compile("group 7 – group 8"))).to_be_visible()
        window.close()
        assert window.complaints == []


@pytest.mark.slow
def test_a_page_that_ends_has_told_everything(browser: Browser, tmp_path: Path) -> None:
    with XtServed(tmp_path, "--map", "torus,players=2", "--time", "600") as server:
        window = Window(browser, server.address)
        page = window.open("/")
        clients = [server.client(group) for group in (3, 4)]
        page.get_by_role("link", name=re.compile("group 3")).click()
        # The turn is known before the page is connected, the way through the moves only after that.
        expect(page.get_by_role("button", name="One move back")).to_be_visible()
        play(clients, SOON)
        assert server.wait() == 0
        expect(page.get_by_role("heading", level=2, name=re.compile(" won |^Draw"))).to_be_visible()
        expect(page.get_by_text("Reconnecting")).to_have_count(0)
        assert len(played(page)) == len(clients[0].moves)
        window.close()
        assert window.complaints == []
