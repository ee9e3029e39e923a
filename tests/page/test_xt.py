"""A large XT map with eight seats: zoom and pan, transitions to follow, stocks, bombs, looking back."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.testing.browser import Window, check_accessible, take_picture
from tests.testing.page_games import (
    await_position,
    begin,
    cell,
    choose_variant,
    grid,
    is_my_turn,
    play,
    played,
    possible,
)
from tests.testing.page_server import Served


def place(page: Page, name: str) -> tuple[float, float, float]:
    """Where a cell is on the screen, and how wide."""
    box = cell(page, name).bounding_box()
    assert box
    return box["x"], box["y"], box["width"]


@pytest.mark.slow
def test_eight_seats_on_a_starfish(window: Callable[..., Window], server: Served) -> None:
    page = window(color_scheme="dark").open("/play")
    form = choose_variant(page, "XT Starfish")
    form.get_by_label("Player for all computers").select_option("greedy")
    game = begin(page)
    seats = page.get_by_role("group", name="Players").get_by_role("region")
    expect(seats).to_have_count(8)
    for turn in range(3):
        assert is_my_turn(page)
        assert len(played(page)) == 8 * turn
        play(page)
    assert is_my_turn(page)
    info = server.get(f"/api/games/{game}")
    assert info["kinds"] == ["human"] + ["computer"] * 7
    await_position(page, info)
    facts = dict(fact.split("=") for fact in info["position"].split()[2:])
    for number, seat in enumerate(seats.all()):
        for stock, words in (("overrides", "override stones?"), ("bombs", "bombs?")):
            count = facts[stock].split("/")[number]
            expect(seat.get_by_text(re.compile(rf"^{count} {words}$"))).to_be_attached()
    check_accessible(page)
    take_picture(page, "xt")
    page.get_by_role("heading", level=1).click()
    page.keyboard.press("Home")
    expect(page.get_by_text("You are looking at the start")).to_be_visible()
    await_position(page, info, info["description"]["start"])
    page.keyboard.press("End")
    await_position(page, info)


@pytest.mark.slow
def test_a_large_map_is_zoomed_and_moved(window: Callable[..., Window], server: Served) -> None:
    new = server.new_game("xt:starfish", "me", *["random"] * 7)
    page = window().open(f"/game/{new['game']}#{new['token']}")
    assert is_my_turn(page)
    zoom = page.get_by_role("group", name="Zoom")
    name = (possible(page).first.get_attribute("aria-label") or "").split(", ")[0]
    whole = place(page, name)
    expect(zoom.get_by_role("button", name="Zoom out")).to_be_disabled()
    zoom.get_by_role("button", name="Zoom in").click()
    page.wait_for_function(
        "([name, width]) => [...document.querySelectorAll('[role=gridcell]')]"
        ".find((one) => one.ariaLabel.startsWith(name + ',')).getBoundingClientRect().width > 1.2 * width",
        arg=[name, whole[2]])
    box = grid(page).locator("xpath=../..").bounding_box()
    assert box
    middle = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(*middle)
    page.mouse.wheel(0, -600)
    before = place(page, name)
    page.mouse.down()
    page.mouse.move(middle[0] + 40, middle[1] + 30, steps=4)
    page.mouse.up()
    after = place(page, name)
    assert (round(after[0] - before[0]), round(after[1] - before[1])) == (40, 30)
    assert server.get(f"/api/games/{new['game']}")["plies"] == 0    # dragging is no move
    zoom.get_by_role("button", name="Show the whole board").click()
    expect(zoom.get_by_role("button", name="Zoom out")).to_be_disabled()
    assert place(page, name) == whole
    grid(page).focus()
    page.keyboard.press("+")
    expect(zoom.get_by_role("button", name="Zoom out")).to_be_enabled()


@pytest.mark.slow
def test_transitions_can_be_followed(window: Callable[..., Window], server: Served) -> None:
    new = server.new_game("xt:starfish", "me", *["random"] * 7)
    page = window().open(f"/game/{new['game']}#{new['token']}")
    assert is_my_turn(page)
    plan = server.get(f"/api/games/{new['game']}")["description"]["plan"]
    link = plan["links"][0]
    name = plan["names"][link["ends"][0][0]]
    own = [one for one in plan["links"] if link["ends"][0][0] in [end[0] for end in one["ends"]]]
    followed = page.locator(".board-followed .board-link")
    expect(followed).to_have_count(0)
    cell(page, name).hover()
    expect(followed).to_have_count(len(own))
    expect(followed.get_by_text(link["title"])).to_be_attached()
    assert link["title"] in (cell(page, name).get_attribute("aria-description") or "")


def test_the_reach_of_a_bomb_is_shown(window: Callable[..., Window], server: Served) -> None:
    start = server.get("/api/board?spec=xt:starfish")["start"]
    new = server.new_game("xt:starfish", "me", *["random"] * 7, position=f"{start} phase=bomb")
    page = window().open(f"/game/{new['game']}#{new['token']}")
    assert is_my_turn(page)
    expect(page.get_by_text("Throw a bomb")).to_be_visible()
    reach = page.locator(".board-reach")
    expect(reach).to_have_count(0)
    target = possible(page).first
    name = (target.get_attribute("aria-label") or "").split(", ")[0]
    target.hover()
    cells = server.get(f"/api/games/{new['game']}/turned?move={name}")["cells"]
    assert cells
    page.wait_for_function(
        "(count) => document.querySelector('.board-reach')?.getAttribute('d').split('M').length > count",
        arg=len(cells))
    play(page, name)
    expect(cell(page, name)).to_have_accessible_name(re.compile(f"^{name}, bombed"))
