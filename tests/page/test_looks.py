"""How the page looks to different eyes: on a phone, dark, with high contrast, with less motion."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.testing.browser import DESKTOP, PHONE, Window, check_accessible, take_picture
from tests.testing.marks import slow
from tests.testing.page_games import cell, grid, is_my_turn, play, play_to_the_end, possible, wanted
from tests.testing.page_scenes import good_move, middle_game
from tests.testing.page_server import Served

COUNTS = """() => {
  window.most = 0;
  const look = () => {
    const moving = document.getAnimations().filter((one) => one.effect.target.closest('.board'));
    window.most = Math.max(window.most, moving.length);
    requestAnimationFrame(look);
  };
  look();
}"""
"""Counts from now on how many stones move at the same time at most."""


def check_fits(page: Page) -> None:
    """Nothing makes the page wider than its window."""
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize("scheme", ["light", slow("dark")])
def test_a_game_on_a_phone(window: Callable[..., Window], server: Served, scheme: str) -> None:
    new = server.new_game("othello", "me", "mobility", position=middle_game("othello", 20))
    page = window(size=PHONE, color_scheme=scheme).open(f"/game/{new['game']}#{new['token']}")
    assert is_my_turn(page)
    check_fits(page)
    box = grid(page).bounding_box()
    assert box and box["width"] > 0.85 * PHONE[0]
    possible(page).first.tap()
    expect(page.get_by_role("button", name=re.compile("^Move 2,"))).to_be_attached()
    assert is_my_turn(page)
    for name in ("Hint", "Take back", "Resign", "Play from here", "Share and save", "One move back"):
        expect(page.get_by_role("button", name=name, exact=True)).to_be_in_viewport()
    check_accessible(page)
    if scheme == "light":
        take_picture(page, "phone")
    page.get_by_role("button", name="Resign").tap()
    page.get_by_role("group", name="Resign the game?").get_by_role("button", name="Resign").tap()
    expect(page.get_by_role("heading", name="You resigned")).to_be_visible()
    check_fits(page)
    check_accessible(page)


@pytest.mark.slow
def test_views_fit_small_phones(window: Callable[..., Window]) -> None:
    one = window(size=PHONE)
    one.page.set_viewport_size({"width": 360, "height": 640})
    for view in ("/", "/play", "/watch", "/arena", "/editor", "/editor?mode=map", "/settings"):
        page = one.open(view)
        page.get_by_role("heading", level=1).wait_for()
        page.wait_for_load_state("networkidle")
        check_fits(page)
        last = page.get_by_role("main").get_by_role("button").last
        if last.count():
            last.scroll_into_view_if_needed()
            expect(last).to_be_in_viewport()
        for name in ("Play", "Watch", "Arena", "Editor"):
            expect(page.get_by_role("navigation").get_by_role("link", name=name)).to_be_visible()


@pytest.mark.slow
def test_an_arena_on_a_phone(window: Callable[..., Window]) -> None:
    page = window(size=PHONE).open("/arena")
    page.get_by_label("Delay between moves (ms)").fill("60000")
    page.get_by_role("button", name="Step", exact=True).tap()
    page.wait_for_url("**/arena/*")
    expect(page.get_by_role("list", name="Moves").get_by_role("listitem")).not_to_have_count(0)
    check_fits(page)
    check_accessible(page)
    page.get_by_role("button", name="Stop", exact=True).tap()


@pytest.mark.parametrize("theme", ["High contrast", slow("Light"), slow("Dark")])
def test_themes_are_chosen_and_kept(window: Callable[..., Window], server: Served, theme: str) -> None:
    page = window().open("/settings")
    page.get_by_label(theme, exact=True).check()
    check_accessible(page)
    new = server.new_game("othello", "me", "mobility", position=middle_game("othello", 48))
    page.goto(f"{server.address}/game/{new['game']}#{new['token']}")
    assert is_my_turn(page)
    colour = page.evaluate("getComputedStyle(document.body).backgroundColor")
    light = sum(map(int, re.findall(r"\d+", colour)[:3])) > 3 * 128
    assert light == (theme == "Light")
    play(page)
    check_accessible(page)
    play_to_the_end(page)
    check_accessible(page)


@pytest.mark.slow
def test_less_motion_means_none(window: Callable[..., Window], server: Served) -> None:
    for motion, moves in (("no-preference", True), ("reduce", False)):
        new = server.new_game("othello", "me", "me")
        page = window(reduced_motion=motion).open(f"/game/{new['game']}#{new['token']}")
        assert is_my_turn(page)
        page.evaluate(COUNTS)
        play(page, "d3")
        expect(cell(page, "d4")).to_have_accessible_name(re.compile("^d4, black"))
        page.wait_for_function("() => !document.getAnimations().length")
        assert (page.evaluate("most") > 0) is moves


@pytest.mark.slow
def test_patterns_tell_all_seats_apart(window: Callable[..., Window], server: Served) -> None:
    one = window()
    one.open("/settings").get_by_label("Patterns on stones").check()
    new = server.new_game("rolit", "me", "random", "random", "random")
    page = one.open(f"/game/{new['game']}#{new['token']}")
    assert is_my_turn(page)
    expect(page.locator(".board-pattern")).to_have_count(3)    # the first seat's stones are plain
    shapes = page.locator(".board-pattern").evaluate_all("all => all.map((one) => one.getAttribute('d'))")
    assert len(set(shapes)) == 3
    check_accessible(page)


@pytest.mark.parametrize(("name", "spec", "plies", "player", "scheme"), [
    ("game", "othello", 16, "six-factor", "light"), slow("game-dark", "hex", 16, "t77", "dark"),
])
def test_a_game_on_a_desk(
    window: Callable[..., Window], server: Served, name: str, spec: str, plies: int, player: str, scheme: str
) -> None:
    seats = [{"kind": "me", "name": "Ann"}, {"kind": "computer", "player": player}]
    new = server.post("/api/games", {"spec": spec, "seats": seats, "position": middle_game(spec, plies),
                                     "limit": "bank=600,increment=5"})
    page = window(size=DESKTOP, color_scheme=scheme).open(f"/game/{new['game']}#{new['token']}")
    for _ in range(4):
        assert is_my_turn(page)
        wanted(page)
        play(page, good_move(spec, server.get(f"/api/games/{new['game']}")["position"]))
    assert is_my_turn(page)
    check_fits(page)
    check_accessible(page)
    cell(page, good_move(spec, server.get(f"/api/games/{new['game']}")["position"])).hover()
    expect(page.locator(".board-ghost")).to_be_visible()
    take_picture(page, name)
