"""The front door: a board that plays, games in one click, the gallery with its filters, and the set-up."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.testing.browser import DESKTOP, PHONE, Size, Window, check_accessible
from tests.testing.marks import slow
from tests.testing.page_games import (
    begin,
    choose_variant,
    game_of,
    is_my_turn,
    play,
    set_option,
    set_seat,
    wanted,
)
from tests.testing.page_server import Served

SIZES = {"laptop": (1280, 720), "wide": (1440, 900), "phone": PHONE, "lying-phone": (844, 390)}
STONES = "() => document.querySelector('.stage .board-stack')?.innerHTML"
"""What the board of the front page shows."""


def level(page: Page) -> Locator:
    """The slider for the strength of the computer."""
    return page.get_by_role("slider", name="Level")


def cards(page: Page) -> Locator:
    """The variants of the gallery."""
    return page.locator(".variant-card")


def test_the_front_door_plays_and_leads_to_games(window: Callable[..., Window], server: Served) -> None:
    one = window()
    page = one.open("/")
    expect(page.get_by_role("heading", level=1)).to_have_text("Every Reversi there is")
    expect(page.get_by_text("Othello: a game between computers")).to_be_visible()
    before = page.evaluate(STONES)
    page.wait_for_function(f"before => ({STONES})() !== before", arg=before)    # it plays by itself
    page.get_by_role("radio", name="HexaReversi").check(force=True)
    expect(page.get_by_text("HexaReversi: a game between computers")).to_be_visible()
    level(page).fill("2")
    expect(page.get_by_text("2 of 20")).to_be_visible()
    check_accessible(page)
    while True:
        page.get_by_role("button", name="Play the computer").click()
        page.wait_for_url("**/game/*")
        assert is_my_turn(page)
        if wanted(page).count():
            break
        page.goto(server.address)    # from one start in 300 nobody can place a stone, and passes end the game
        page.get_by_role("radio", name="HexaReversi").check(force=True)
    play(page)
    info = server.get(f"/api/games/{game_of(page)}")
    assert (info["spec"], info["players"][1], info["limit"]) == ("hex", "polyversi:level=2", ["none", "none"])
    page.goto(server.address)
    mine = page.get_by_role("region", name="Your unfinished games")
    expect(mine.get_by_role("link", name=re.compile("^.*HexaReversi"))).to_have_count(1)
    page.get_by_role("radio", name="HexaReversi").check(force=True)
    expect(level(page)).to_have_value("2")    # it is remembered
    page.get_by_role("button", name="Play a friend").click()
    expect(page.get_by_role("textbox", name="Link for blue")).to_be_visible()
    assert server.get(f"/api/games/{game_of(page)}")["phase"] == "waiting"
    watching = window().open("/")
    going = watching.get_by_role("region", name="Going on now")
    expect(going.get_by_role("link", name=re.compile("HexaReversi")).first).to_be_visible()


def test_less_motion_shows_a_board_that_stands_still(window: Callable[..., Window]) -> None:
    page = window(reduced_motion="reduce").open("/")
    expect(page.get_by_role("button", name="Let the board play")).to_be_visible()
    still = page.evaluate(STONES)
    page.get_by_role("button", name="Let the board play").click()
    page.wait_for_function(f"before => ({STONES})() !== before", arg=still)
    page.get_by_role("button", name="Pause the board").click()
    expect(page.get_by_role("button", name="Let the board play")).to_be_visible()


@pytest.mark.slow
def test_a_game_that_moves_takes_the_board(window: Callable[..., Window], server: Served) -> None:
    new = server.new_game("othello", "me", "random")
    page = window().open("/")
    player = window().open(f"/game/{new['game']}#{new['token']}")
    live = page.get_by_role("figure").get_by_role("link", name=re.compile("^Live"))
    while not live.is_visible():    # it looks for moves every few seconds, and may look between two
        assert is_my_turn(player)
        play(player)
        with page.expect_response("**/api/games?state=running"):
            pass
    expect(live).to_have_attribute("href", f"/game/{new['game']}")


def test_the_gallery_is_filtered(window: Callable[..., Window], server: Served) -> None:
    families = server.get("/api/variants")["families"]
    variants = [variant for family in families for variant in family["variants"]]
    labels = [variant["label"] for variant in variants]
    assert len(set(labels)) == len(labels)
    page = window().open("/play")
    expect(cards(page)).to_have_count(len(variants))
    page.get_by_role("group", name="Goal").get_by_text("Fewest stones").click()
    expect(cards(page)).to_have_count(1)
    expect(cards(page)).to_contain_text("Fewest stones win.")
    page.get_by_role("group", name="Goal").get_by_text("All").click()
    page.get_by_role("group", name="Players").get_by_text("3", exact=True).click()
    page.get_by_role("group", name="Board").get_by_text("On hexagons").click()
    expect(cards(page)).to_have_count(1)
    form = choose_variant(page, "HexaReversi")
    expect(form.get_by_role("group", name=re.compile("Who plays"))).to_have_count(3)
    check_accessible(page)
    form.get_by_role("button", name="Close").click()
    expect(form).to_be_hidden()
    expect(cards(page)).to_have_count(1)    # the gallery is as it was
    pictures = {page.request.get(f"{server.address}/api/picture.svg?spec={spec}&at=middle").text()
                for spec in ("othello", "anti", "reversi", "octagon", "blackhole", "cylinder", "torus")}
    assert len(pictures) == 7


@pytest.mark.parametrize("size", ["phone", slow("laptop"), slow("wide"), slow("lying-phone")])
@pytest.mark.parametrize("scheme", ["light", slow("dark")])
def test_play_is_always_on_screen_and_covers_nothing(
    window: Callable[..., Window], size: str, scheme: str
) -> None:
    one = window(size=PHONE if size == "phone" else DESKTOP, color_scheme=scheme)
    width, height = SIZES[size]
    one.page.set_viewport_size({"width": width, "height": height})
    page = one.open("/play?variant=hex")
    form = page.get_by_role("form", name="Your game")
    button = form.get_by_role("button", name="Play", exact=True)
    expect(button).to_be_enabled()
    form.get_by_text("Options for this variant").click()
    numbers = form.get_by_role("spinbutton").all()
    assert len(numbers) >= 3
    for field in [*numbers, form.get_by_label("Your name")]:
        field.scroll_into_view_if_needed()
        field.click()    # which fails where something else is on top of it
        expect(field).to_be_focused()
        expect(button).to_be_in_viewport(ratio=1)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    check_accessible(page)


def test_what_cannot_be_is_said_and_not_remembered(window: Callable[..., Window], server: Served) -> None:
    page = window().open("/play")
    form = choose_variant(page, "Othello")
    set_option(form, "Width", "999")
    expect(form.get_by_text("A whole number from 4 to 26.")).to_be_visible()
    form.get_by_role("button", name="Play", exact=True).click()
    assert "/play" in page.url
    page.reload()
    form = page.get_by_role("form", name="Your game")
    expect(form.get_by_role("button", name="Play", exact=True)).to_be_enabled()
    set_option(form, "Size", "4")
    set_seat(form, "white", "You")
    game = begin(page)
    assert server.get(f"/api/games/{game}")["spec"] == "othello-4"
    page.goto(f"{server.address}/play?variant=othello")
    expect(form.get_by_role("spinbutton", name="Size")).to_have_value("4")    # that one is
    page.evaluate("localStorage.setItem('polyversi.spec', '\"othello:width=999,start=sideways\"')")
    page.reload()
    expect(form.get_by_role("button", name="Play", exact=True)).to_be_enabled()
    expect(form.get_by_role("alert")).to_have_count(0)


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", SIZES.values(), ids=SIZES)
def test_the_front_door_fits(window: Callable[..., Window], size: Size, scheme: str) -> None:
    one = window(size=size, color_scheme=scheme)
    page = one.open("/")
    expect(page.get_by_role("button", name="Play the computer")).to_be_in_viewport(ratio=1)
    page.wait_for_load_state("networkidle")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    for name in ("Othello", "HexaReversi", "Reversi XT"):
        expect(page.locator(".home-board").filter(has_text=name)).to_be_in_viewport(ratio=1)
    check_accessible(page)
