"""Invitations say who can come, newcomers are asked for a name once, and computers move at a pace."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.testing.browser import Window, check_accessible
from tests.testing.page_games import await_ply, begin, choose_variant, is_my_turn, played, possible, set_seat
from tests.testing.page_server import Served

SAVES = "([id, game]) => localStorage.setItem('polyversi.game.' + id, JSON.stringify(game))"
"""Makes a browser the one that has set a game up."""


def invite(page: Page, name: str) -> None:
    """Sets up a game of Othello with a friend."""
    form = choose_variant(page, "Othello")
    set_seat(form, "white", "A friend")
    form.get_by_label("Your name").fill(name)
    begin(page, "Play with friends")


@pytest.mark.slow
def test_an_invitation_says_who_can_come(
    browser: Browser, window: Callable[..., Window], tmp_path: Path
) -> None:
    page = window().open("/play")
    invite(page, "Ann")
    expect(page.get_by_text("This link works on this machine only.")).to_be_visible()
    expect(page.get_by_role("button", name="QR code")).to_have_count(0)
    with Served(tmp_path, "--host", "0.0.0.0") as server:
        asked: list[str] = []
        one = Window(browser, f"http://127.0.0.1:{server.port}")
        one.page.on("request", lambda request: asked.append(request.url))
        page = one.open("/play")
        invite(page, "Ann")
        link = page.get_by_role("textbox", name="Link for white")
        token = link.input_value().partition("#")[2]
        reach = server.get("/api/reach")
        assert reach["is_open"]
        if reach["addresses"]:    # a machine without a network has none
            expect(link).to_have_value(re.compile(f"^{re.escape(reach['addresses'][0])}/game/"))
            expect(page.get_by_text(re.compile("^Works for everybody who can reach"))).to_be_visible()
            page.get_by_role("button", name="QR code").click()
            code = page.get_by_role("img", name="QR code of the link").locator("path").last
            expect(code).to_have_attribute("d", re.compile("(M[0-9]+ [0-9]+h1v1h-1z){200,}"))
            check_accessible(page)
        assert token and not any(token in url for url in asked)
        one.close()
        assert one.complaints == []


def test_whoever_comes_is_asked_for_a_name_once(window: Callable[..., Window], server: Served) -> None:
    seats = [{"kind": "me"}, {"kind": "friend"}, {"kind": "friend"}, {"kind": "friend"}]
    new = server.post("/api/games", {"spec": "rolit", "seats": seats})
    mine = window()
    mine.open("/settings").evaluate(SAVES, [new["game"], {"token": new["token"], "links": new["links"]}])
    host = mine.open(f"/game/{new['game']}")
    players = host.get_by_role("group", name="Players")
    expect(players).to_contain_text("Guest")
    bob = window()
    page = bob.open(new["links"]["2"])
    expect(page.get_by_role("heading", name="Guest invites you to a game of Rolit")).to_be_visible()
    check_accessible(page)
    page.get_by_label("Your name").fill("Bob")
    page.get_by_role("button", name="Play", exact=True).click()
    expect(players).to_contain_text("Bob")
    page.reload()
    expect(page.get_by_role("heading", name="Waiting for the others")).to_be_visible()
    other = window().open(new["links"]["3"])
    other.get_by_role("button", name="Play as a guest").click()
    expect(players).to_contain_text("Guest 2")
    other.reload()
    expect(other.get_by_role("heading", name="Waiting for the others")).to_be_visible()
    assert server.get(f"/api/games/{new['game']}")["players"] == ["Guest", "Bob", "Guest 2", ""]


def test_computers_move_one_after_the_other(window: Callable[..., Window], server: Served) -> None:
    new = server.new_game("rolit", "me", "random", "random", "random")
    one = window(pace="calm")
    one.page.clock.install()
    page = one.open(f"/game/{new['game']}#{new['token']}")
    assert is_my_turn(page)
    with server.visit(new["game"]) as visitor:
        page.clock.pause_at(page.evaluate("Date.now()") / 1000 + 1)
        page.clock.run_for(100)
        possible(page).first.click()
        while getattr(visitor.hear(), "seat", 0) != 4:    # the game itself does not wait
            continue
    for shown in (1, 2, 3, 4):
        await_ply(page, shown)
        assert len(played(page)) == shown
        page.clock.run_for(700)
    page.clock.resume()
    assert is_my_turn(page)
    expect(page.locator(".board-trail .board-changed")).to_have_count(2)    # the last move has its own marks
    page.get_by_role("button", name="Step through 3 moves since yours").click()
    expect(page.get_by_text("You are looking at move 1 of 4.")).to_be_visible()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_text("You are looking at move 2 of 4.")).to_be_visible()
    page.get_by_role("button", name="Back to the game").click()
    assert is_my_turn(page)
