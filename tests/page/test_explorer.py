"""The explorer of the analysis view: moves with their games, tried by pointing, played by clicking."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Route, expect

from polyversi.contest.book_growth import Growth
from polyversi.records import Record
from polyversi.records.record import Outcome
from polyversi.storage.explorer import Explorer
from tests.testing.browser import Window, check_accessible
from tests.testing.page_server import Served
from tests.testing.waiting import until


@pytest.mark.slow
def test_games_of_a_database_and_of_the_server(browser: Browser, tmp_path: Path) -> None:
    with closing(Explorer.open(str(tmp_path / "openings.db"))) as explorer:
        explorer.add(Record.of("othello", moves).with_values(
            players=(who, "Bob"), tags=(("event", "Cup"), ("date", "2019")), outcome=Outcome(margin=margin))
            for moves, who, margin in (("f5d6c3", "Ann", 4), ("f5d6c4", "Zoë", 0), ("d3c3e6", "Eve", -6)))
    Growth.begin("othello", "depth=2").run(12, path=tmp_path / "own.book")
    options = "--explorer", str(tmp_path / "openings.db"), "--book", str(tmp_path / "own.book")
    with Served(tmp_path, *options) as server:
        window = Window(browser, server.address)
        page = window.open("/analysis?spec=othello")
        page.get_by_role("tab", name="Explorer").click()
        rows, examples = page.locator(".explored tbody tr"), page.locator(".examples li")
        expect(page.get_by_text("3 games went on from here")).to_be_visible()
        expect(rows).to_have_count(1)
        expect(rows.first).to_contain_text("f5= e6 d3 c4")
        expect(examples).to_have_count(3)
        expect(examples.first).to_contain_text("Eve – Bob")
        told = "Black won 1, drew 1 and lost 1"
        expect(rows.first.get_by_role("img")).to_have_attribute("aria-label", told)

        rows.first.hover()    # the move is shown, and gone again
        expect(page.locator(".analysis-board.previewing")).to_be_visible()
        page.mouse.move(5, 5)
        expect(page.locator(".analysis-board.previewing")).to_have_count(0)
        rows.first.get_by_role("button").click()
        expect(page.get_by_text("3 games went on from here")).to_be_visible()
        expect(rows.nth(0)).to_contain_text("d6")
        expect(rows.nth(0)).to_contain_text("67%")
        expect(rows.nth(0)).to_contain_text("−2")
        expect(rows).to_have_count(3)    # the third is in the book, and nobody has played it
        expect(rows.nth(2)).to_contain_text("f4")
        held: list[Route] = []    # until the next answer is there, the moves of the last one do nothing
        page.route("**/api/explorer", lambda route: held.append(route))
        with page.expect_request("**/api/explorer"):
            rows.nth(0).get_by_role("button").click()
        expect(page.locator(".explorer.waiting")).to_be_visible()
        rows.nth(2).hover()
        rows.nth(0).get_by_role("button").click()
        held[0].continue_()
        page.unroute("**/api/explorer")
        expect(page.locator(".explorer.waiting")).to_have_count(0)
        expect(page.locator(".analysis-opening")).to_have_text("Perpendicular Opening")
        check_accessible(page)

        id = server.new_game("othello-4", "random", "random")["game"]
        until(lambda: server.get("/api/explorer?spec=othello-4")["games"])
        page = window.open("/analysis?spec=othello-4")
        page.get_by_role("tab", name="Explorer").click()
        examples.get_by_role("link").click()
        expect(page).to_have_url(f"{server.address}/game/{id}")
        assert window.complaints == []
        window.close()
