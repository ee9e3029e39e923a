"""Whole games against computers in each family of variants, set up and played by clicking."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.testing.browser import Window, check_accessible
from tests.testing.page_games import (
    await_position,
    begin,
    check_result,
    choose_variant,
    is_my_turn,
    play,
    play_to_the_end,
    possible,
    set_option,
    set_seat,
    wanted,
)
from tests.testing.page_server import Served

CHOICES = {
    "choice": ["Keep the stones as they are", "Swap stones with seat 2"],
    "bonus": ["Take a bomb", "Take an override stone"],
}
"""What special tiles offer to seat 1 of 2."""


def test_a_game_on_squares(window: Callable[..., Window], server: Served) -> None:
    page = window().open("/play")
    form = choose_variant(page, "Othello")
    set_option(form, "Size", "4")
    set_seat(form, "white", "Computer", "t77")
    form.get_by_label("Time").select_option("5 min")
    form.get_by_label("Your name").fill("Ann")
    game = begin(page)
    expect(page.get_by_role("region", name="black").get_by_text("Ann")).to_be_visible()
    expect(page.get_by_role("heading", level=1, name="Othello-4")).to_be_visible()
    play_to_the_end(page)
    info = check_result(page, server, game)
    assert (info["spec"], info["players"], info["limit"][0]) == ("othello-4", ["Ann", "t77"], "bank=300")


@pytest.mark.slow
def test_the_level_of_the_engine_is_seen_and_changed(window: Callable[..., Window], server: Served) -> None:
    page = window().open("/play")
    form = choose_variant(page, "Anti-Othello")
    expect(form.get_by_label("Player for white")).to_have_value("polyversi")
    level = form.get_by_role("slider", name="Level")
    expect(level).to_have_value("5")
    form.get_by_text("Options for this player").click()
    expect(form.get_by_role("spinbutton", name="seed")).to_be_visible()
    for costly in ("threads", "hash", "weights"):
        expect(form.get_by_label(costly)).to_have_count(0)
    level.fill("3")
    check_accessible(page)
    game = begin(page)
    assert server.get(f"/api/games/{game}")["players"] == ["Guest", "polyversi:level=3"]


def test_a_game_on_hexagons_with_a_pass(window: Callable[..., Window], server: Served) -> None:
    page = window().open("/play")
    form = choose_variant(page, "HexaReversi")
    set_option(form, "Side", "3")
    set_option(form, "Seed", "5")
    set_seat(form, "red", "Computer", "mobility")
    set_seat(form, "blue", "You")
    form.get_by_label(re.compile("^Time")).select_option("Custom clock for the game…")
    form.get_by_label("Minutes").fill("90.5")
    form.get_by_label("Seconds added per move").fill("60")
    game = begin(page)
    assert is_my_turn(page)
    page.get_by_role("button", name="Pass", exact=True).click()
    expect(page.get_by_role("button", name=re.compile(r"^Move \d+, blue:\s*pass")).first).to_be_visible()
    play_to_the_end(page)
    info = check_result(page, server, game)
    assert (info["spec"], info["players"]) == ("hex:side=3,seed=5", ["mobility", "Guest"])
    assert info["limit"][1] == "bank=5430,increment=60"


def test_a_clock_that_an_earlier_page_remembered_is_still_chosen(window: Callable[..., Window]) -> None:
    page = window().open("/play?variant=othello")
    time = '{"choice": "custom", "kind": "seconds", "minutes": 5, "increment": 3, "seconds": 7}'
    page.evaluate("time => localStorage.setItem('polyversi.time', time)", time)
    page.reload()
    expect(page.get_by_label("Seconds per move")).to_have_value("7")


@pytest.mark.slow
def test_a_game_of_four_colours(window: Callable[..., Window], server: Served) -> None:
    page = window().open("/play")
    form = choose_variant(page, "Rolit")
    form.get_by_label("Player for all computers").select_option("random")
    game = begin(page)
    assert is_my_turn(page)
    expect(page.get_by_role("group", name="Players").get_by_role("region")).to_have_count(4)
    play_to_the_end(page)
    check_result(page, server, game)


@pytest.mark.slow
def test_a_game_of_xt_with_special_tiles_and_bombs(window: Callable[..., Window], server: Served) -> None:
    page = window().open("/play")
    form = choose_variant(page, "XT Islands")
    set_option(form, "Players", "2")
    set_option(form, "Seed", "2")
    expect(form.get_by_role("group", name=re.compile("Who plays"))).to_have_count(2)
    set_seat(form, "seat 2", "Computer", "t77")
    game = begin(page)
    dialog = page.get_by_role("dialog", name=re.compile("Special tile"))
    special = page.get_by_role("gridcell", name=re.compile("(choice|bonus), legal"))
    asked = set()
    while is_my_turn(page):
        wanted(page)    # the board is up to date
        if page.get_by_text("Your move").is_visible() and special.count():
            kind = (special.first.get_attribute("aria-label") or "").split(", ")[1]
            special.first.click()
            for choice in CHOICES[kind]:
                expect(dialog.get_by_role("button", name=choice)).to_be_visible()
            if kind not in asked:
                check_accessible(page)
            asked.add(kind)
            page.keyboard.press("Escape")
            expect(dialog).to_be_hidden()
        play(page)
    assert asked == {"choice", "bonus"}
    info = check_result(page, server, game)
    expect(page.get_by_role("gridcell", name=re.compile(", bombed"))).not_to_have_count(0)
    assert info["result"]["reason"] == "bombs used"


def test_a_bomb_shows_what_it_would_reach(window: Callable[..., Window], server: Served) -> None:
    start = server.get("/api/board?spec=xt:islands,players=2,seed=2")["start"]
    new = server.new_game("xt:islands,players=2,seed=2", "me", "t77", position=f"{start} phase=bomb")
    page = window().open(f"/game/{new['game']}#{new['token']}")
    assert is_my_turn(page)
    expect(page.get_by_text("Throw a bomb")).to_be_visible()
    expect(page.locator(".board-reach")).to_have_count(0)
    possible(page).first.hover()
    expect(page.locator(".board-reach")).to_have_count(1)
    info = server.get(f"/api/games/{new['game']}")
    await_position(page, info)
