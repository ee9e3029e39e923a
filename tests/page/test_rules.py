"""The rules on the page: beside a board, on a page of their own, as a legend, and in a first game."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

import polyversi as pv
from tests.testing.browser import PHONE, Window, check_accessible
from tests.testing.page_games import await_ply, cell, game_of, grid, is_my_turn, play
from tests.testing.page_server import Served
from tests.testing.small_map import SMALL_MAP

LAPTOP = (1280, 720)


def new_game(server: Served, seats: int = 2, **what: Any) -> str:
    """The address of a game against computers in which the visitor has the first seat."""
    computers = [{"kind": "computer", "player": "random:seed=1"}] * (seats - 1)
    new = server.post("/api/games", {"seats": [{"kind": "me", "name": "Ann"}, *computers], **what})
    return f"/game/{new['game']}#{new['token']}"


def await_step(example: Locator, step: int) -> None:
    expect(example).to_have_attribute("data-step", str(step))


def fits(page: Page) -> bool:
    """Whether nothing sticks out at the side."""
    return bool(page.evaluate("document.documentElement.scrollWidth <= innerWidth"))


@pytest.mark.slow
def test_rules_and_legend_beside_the_board(window: Callable[..., Window], server: Served) -> None:
    page = window(size=LAPTOP, color_scheme="dark").open(new_game(server, 4, map=SMALL_MAP))
    grid(page).wait_for()
    expect(page.get_by_text("Most stones win; ranks give points.")).to_be_visible()
    button = page.get_by_role("button", name="Rules", exact=True)
    button.click()
    dialog = page.get_by_role("dialog", name="Rules")
    expect(dialog.get_by_role("heading", level=1, name=re.compile("^Rules of "))).to_be_visible()
    for title in ("Goal", "Set-up", "A move", "Passing", "The end", "Phases", "Special tiles"):
        expect(dialog.get_by_role("heading", level=2, name=title, exact=True)).to_be_attached()
    expect(dialog.get_by_text("4 players take turns")).to_be_visible()
    example = dialog.locator("[data-example=transition]")
    example.scroll_into_view_if_needed()
    for step in (1, 2, 0):    # by itself: the coming move, the position after it, and again
        await_step(example, step)
    example.get_by_role("button", name="Pause").click()
    expect(example.get_by_role("button", name="Play the moves", exact=True)).to_be_visible()
    example.get_by_role("button", name="Next step").click()
    check_accessible(page)
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    expect(button).to_be_focused()

    page.get_by_role("button", name="Legend").click()
    legend = page.get_by_role("dialog", name="Legend")
    for term in ("Building", "Bombing", "Choice", "Inversion", "Bonus", "Expansion stone", "Bombed hole",
                 "Override stones", "Bombs"):
        expect(legend.get_by_role("term").get_by_text(term, exact=True)).to_be_attached()
    expect(legend.get_by_role("heading", name="Passing")).to_have_count(0)
    legend.get_by_role("button", name="Close").click()
    expect(legend).to_have_count(0)
    assert is_my_turn(page)
    cell(page, "0,0").click()    # a choice tile where nothing can be enclosed yet
    expect(legend.locator(".wanted")).to_contain_text("swaps all stones with that player")
    page.keyboard.press("Escape")
    play(page)


def test_rules_have_pages_of_their_own(window: Callable[..., Window], server: Served) -> None:
    page = window(size=PHONE, reduced_motion="reduce").open("/rules")
    assert fits(page)
    page.get_by_role("link", name=re.compile("^HexaReversi")).click()
    page.wait_for_url("**/rules/hex")
    expect(page.get_by_role("heading", level=1, name="Rules of HexaReversi")).to_be_visible()
    expect(page.get_by_text("You may pass at any time")).to_be_visible()
    example = page.locator("[data-example=capture]")
    example.scroll_into_view_if_needed()
    await_step(example, 2)    # nothing moves: it shows how it ends
    expect(example.get_by_role("button", name="Play the moves", exact=True)).to_be_visible()
    rules = server.get("/api/rules?spec=hex")
    shown = next(one for one in rules["examples"] if one["name"] == "capture")
    text = shown["sentences"][0]
    expect(example.get_by_role("img")).to_have_accessible_name(text["text"].format(**text["values"]))
    assert fits(page)
    check_accessible(page)
    example.get_by_role("button", name="Next step").click()
    await_step(example, 0)
    page.goto(server.address + "/rules/anti-torus-6")
    expect(page.get_by_text("Fewest stones win.", exact=True)).to_be_visible()
    expect(page.get_by_text("Opposite edges are joined")).to_be_visible()


def test_rules_of_nothing(window: Callable[..., Window]) -> None:
    page = window(may_complain="status of 40").open("/rules/otello")
    expect(page.get_by_role("alert")).to_contain_text("There is no variant 'otello'")
    page.get_by_role("link", name="All rules").click()
    expect(page.get_by_role("link", name=re.compile("^Othello"))).to_be_visible()


def test_a_first_game_is_coached(window: Callable[..., Window], server: Served) -> None:
    first = window(size=LAPTOP)
    page = first.open(new_game(server, spec="othello-6"))
    tip = page.get_by_role("region", name="Tip")
    expect(tip).to_contain_text("The dots show where you can play. Each of these moves encloses")
    check_accessible(page)
    tip.get_by_role("button", name="Got it").click()
    expect(tip).to_contain_text("Point at a dot")
    play(page, "c2")    # whoever plays on needs no button
    await_ply(page, 2)
    expect(tip).to_contain_text("Your stone on c2 enclosed 1 stone")
    page.reload()
    expect(tip).to_contain_text("What you play for: Most stones win.")    # each is given once
    tip.get_by_role("button", name="Skip all tips").click()
    expect(tip).to_have_count(0)
    assert is_my_turn(page)
    play(page)
    page.goto(server.address + new_game(server, spec="othello-6"))
    assert is_my_turn(page)
    expect(tip).to_have_count(0)
    page.goto(server.address + "/rules/hex")    # whoever asks for it is coached again
    page.get_by_role("button", name="Learn by playing").click()
    page.wait_for_url("**/game/*")
    expect(tip).to_contain_text("The dots show where you can play")
    assert server.get(f"/api/games/{game_of(page)}")["players"] == ["Guest", "polyversi:level=1"]


def test_corners_and_passes_are_explained(window: Callable[..., Window], server: Served) -> None:
    position = "-OX---" + "------" * 4 + "XO---- X"
    state = pv.game("othello-6").position(position)
    assert [str(move) for move in state.moves] == ["a1", "c6"] and state.play("a1").must_pass
    page = window().open(new_game(server, spec="othello-6", position=position))
    tip = page.get_by_role("region", name="Tip")
    for text in ("The dots show", "Point at a dot", "a1 is a corner: no line runs across it"):
        expect(tip).to_contain_text(text)
        tip.get_by_role("button", name="Got it").click()
    play(page, "a1")
    expect(tip).to_contain_text(re.compile("Your stone on a1|had no legal move and passed"))
    tip.get_by_role("button", name="Got it").click()
    expect(tip).to_contain_text(re.compile("Your stone on a1|had no legal move and passed"))
    play(page, "c6")
    expect(tip).to_contain_text("The game is over.")
    tip.get_by_role("button", name="No more tips").click()
    expect(tip).to_have_count(0)
