"""The page with the keyboard alone, from its address to the end of a game, and what a screen reader hears."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.testing.browser import Window, check_accessible, expect_announced
from tests.testing.page_games import await_ply, check_result, game_of, grid, is_my_turn, played, wanted
from tests.testing.page_server import Served

FOCUS = "() => getComputedStyle(document.activeElement).outlineStyle !== 'none'"
"""Whether whatever has the focus shows it."""


def tab_to(page: Page, wanted: Locator) -> None:
    """Presses Tab until something has the focus."""
    for _ in range(80):
        if wanted.evaluate("one => one === document.activeElement"):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"{wanted} cannot be reached with the Tab key")


def walk_to(page: Page, target: Locator) -> None:
    """Walks to a cell with the arrow keys, up and down first."""
    wanted = target.bounding_box()
    assert wanted
    for _ in range(40):
        at = page.locator(f"[id='{grid(page).get_attribute('aria-activedescendant')}']").bounding_box()
        assert at
        down, right = round(wanted["y"] - at["y"]), round(wanted["x"] - at["x"])
        if abs(down) > 2:
            page.keyboard.press("ArrowDown" if down > 0 else "ArrowUp")
        elif abs(right) > 2:
            page.keyboard.press("ArrowRight" if right > 0 else "ArrowLeft")
        else:
            return
    raise AssertionError(f"{target} cannot be reached with the arrow keys")


@pytest.mark.slow
def test_a_game_with_the_keyboard_alone(window: Callable[..., Window], server: Served) -> None:
    page = window().open("/play")
    card = page.get_by_role("link", name=re.compile("^Othello"))
    card.wait_for()
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the content")).to_be_focused()
    page.keyboard.press("Enter")
    tab_to(page, card)
    assert page.evaluate(FOCUS)
    page.keyboard.press("Enter")
    form = page.get_by_role("form", name="Your game")
    tab_to(page, form.get_by_label("Player for white"))
    page.keyboard.type("tight grip")
    tab_to(page, form.get_by_text("Options for this variant"))
    page.keyboard.press("Enter")
    tab_to(page, form.get_by_role("spinbutton", name="size"))
    page.keyboard.type("4")
    tab_to(page, form.get_by_role("button", name="Play", exact=True))
    assert page.evaluate(FOCUS)
    page.keyboard.press("Enter")
    page.wait_for_url("**/game/*")
    said = page.locator("#announcer")
    while is_my_turn(page):
        tab_to(page, grid(page))
        expect(page.locator(".board-cursor")).to_be_visible()
        number = len(played(page)) + 1
        walk_to(page, wanted(page))
        page.keyboard.press("Enter")
        await_ply(page, number)
        told = r"(black|white) ([a-d][1-4]|has no legal move)|won|lost|draw"
        expect(said).to_have_text(re.compile(told, re.IGNORECASE))
    expect(said).to_have_text(re.compile(r"(won|lost|draw,) \d+–\d+\.", re.IGNORECASE))
    info = check_result(page, server, game_of(page))
    assert (info["spec"], info["players"][1]) == ("othello-4", "t77")


def test_cells_have_names_and_states(window: Callable[..., Window], server: Served) -> None:
    new = server.new_game("othello", "me", "t77")
    page = window().open(f"/game/{new['game']}#{new['token']}")
    assert is_my_turn(page)
    expect(grid(page).get_by_role("row")).to_have_count(8)
    expect(grid(page).get_by_role("gridcell")).to_have_count(64)
    for name in ("d3, empty, legal, turns 1", "d4, white", "e4, black", "a1, empty"):
        expect(grid(page).get_by_role("gridcell", name=name, exact=True)).to_have_count(1)


def test_keys_of_a_game(window: Callable[..., Window], server: Served) -> None:
    new = server.new_game("hex:side=3", "me", "t77", position="-O--XO--OXX-XOOX--- X")
    page = window().open(f"/game/{new['game']}#{new['token']}")
    assert is_my_turn(page)
    page.keyboard.press("b")
    expect(grid(page)).to_be_focused()
    page.keyboard.press("Control+Home")
    first = grid(page).get_attribute("aria-activedescendant")
    page.keyboard.press("End")
    assert grid(page).get_attribute("aria-activedescendant") != first
    page.keyboard.press("h")
    expect_announced(page, "Hint:")
    page.keyboard.press("p")
    await_ply(page, 1)
    assert is_my_turn(page)
    page.keyboard.press("[")
    expect(page.get_by_text("You are looking at")).to_be_visible()
    page.keyboard.press("]")
    page.keyboard.press("u")
    expect(page.get_by_text("No moves yet.")).to_be_visible()
    page.keyboard.press("m")
    expect(page.get_by_role("button", name="Sound on")).to_be_visible()
    page.keyboard.press("?")
    shortcuts = page.get_by_role("dialog", name="Keyboard shortcuts")
    expect(shortcuts).to_be_visible()
    check_accessible(page)
    page.keyboard.press("Escape")
    expect(shortcuts).to_be_hidden()
