"""The editor: positions and XT maps, painted and checked, with pointer and keyboard, and played from."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.testing.browser import Window, check_accessible, take_picture
from tests.testing.page_games import await_position, begin, grid, is_my_turn, play_to_the_end
from tests.testing.page_server import Served


def desk(page: Page, title: str = "Position being set up") -> Locator:
    """The board that is edited."""
    return page.get_by_role("grid", name=title)


def spot(page: Page, name: str, title: str = "Position being set up") -> Locator:
    """A cell of it."""
    return desk(page, title).get_by_role("gridcell", name=re.compile(rf"^{name}(, |$)"))


def take(page: Page, tile: str) -> None:
    """Takes a tile in hand."""
    tiles = page.get_by_role("group", name=re.compile("Tile"))
    tiles.locator("label").filter(has=page.get_by_role("radio", name=tile, exact=True)).click()


def click_side(page: Page, name: str, down: float) -> None:
    """Clicks near the upper (-1) or lower (1) side of a tile of the map."""
    tile = spot(page, name, "Map being drawn")
    box = tile.bounding_box()
    assert box
    tile.click(position={"x": box["width"] / 2, "y": box["height"] * (0.5 + 0.38 * down)})


@pytest.mark.slow
def test_a_position_is_painted_checked_and_played(window: Callable[..., Window], server: Served) -> None:
    page = window().open("/editor")
    expect(page.get_by_text("This can be played. Black has 4 legal moves.")).to_be_visible()
    page.get_by_role("button", name="Empty board").click()
    play = page.get_by_role("button", name="Play from here")
    expect(play).to_be_disabled()
    for tile, cells in (("black", ("a1", "h8")), ("white", ("b1", "c1", "g8"))):
        take(page, tile)
        for name in cells:
            spot(page, name).click()
            expect(spot(page, name)).to_have_accessible_name(f"{name}, {tile}")
    expect(page.get_by_text("This can be played. Black has 2 legal moves.")).to_be_visible()
    expect(page.get_by_text("white: 3")).to_be_visible()
    page.get_by_role("button", name="Undo").click()
    expect(spot(page, "g8")).to_have_accessible_name("g8, empty")
    page.get_by_role("button", name="Redo").click()
    check_accessible(page)
    line = page.get_by_label("Position line").input_value()
    expect(play).to_be_enabled()
    play.click()
    game = begin(page)
    assert is_my_turn(page)
    info = server.get(f"/api/games/{game}")
    assert info["position"] == line
    await_position(page, info)
    play_to_the_end(page)


def test_a_position_that_is_none_is_told_in_a_sentence(window: Callable[..., Window]) -> None:
    page = window().open("/editor")
    expect(page.get_by_text("This can be played.")).to_be_visible()
    field = page.get_by_label("Position line")
    field.fill("XO")
    said = page.get_by_role("status").filter(has_text="64")
    expect(said).to_be_visible()
    field.fill("-" * 27 + "OX------XO" + "-" * 27 + " O")
    expect(page.get_by_text("This can be played. White has 4 legal moves.")).to_be_visible()
    expect(page.get_by_label("To move")).to_have_value("2")
    field.fill("hello world")
    expect(page.get_by_role("button", name="Play from here")).to_be_disabled()


def test_keys_and_strokes_paint(window: Callable[..., Window]) -> None:
    page = window().open("/editor")
    expect(page.get_by_text("This can be played.")).to_be_visible()
    desk(page).focus()
    page.keyboard.press("Control+Home")
    page.keyboard.press("1")
    page.keyboard.press("Enter")
    expect(spot(page, "a1")).to_have_accessible_name("a1, black")
    page.keyboard.press("Control+z")
    expect(spot(page, "a1")).to_have_accessible_name("a1, empty")
    page.keyboard.press("2")
    start, end = spot(page, "a1").bounding_box(), spot(page, "d1").bounding_box()
    assert start and end
    page.mouse.move(start["x"] + start["width"] / 2, start["y"] + start["height"] / 2)
    page.mouse.down()
    page.mouse.move(end["x"] + end["width"] / 2, end["y"] + end["height"] / 2, steps=12)
    page.mouse.up()
    for name in ("a1", "b1", "c1", "d1"):
        expect(spot(page, name)).to_have_accessible_name(f"{name}, white")
    page.keyboard.press("Control+z")    # one stroke is one step
    for name in ("a1", "b1", "c1", "d1"):
        expect(spot(page, name)).to_have_accessible_name(f"{name}, empty")


def test_a_map_is_drawn_with_a_transition_and_played(window: Callable[..., Window], server: Served) -> None:
    page = window().open("/editor?mode=map")
    expect(page.get_by_text("This can be played.")).to_be_visible()
    for name, tile in (("0,0", "hole"), ("2,1", "choice"), ("7,6", "bonus")):
        take(page, tile)
        spot(page, name, "Map being drawn").click()
        expect(spot(page, name, "Map being drawn")).to_have_accessible_name(f"{name}, {tile}")
    page.get_by_role("group", name="Tool").get_by_text("Join sides").click()
    click_side(page, "4,0", -1)
    expect(page.get_by_text("From 4,0 up: now pick the second side.").first).to_be_visible()
    click_side(page, "5,7", 1)
    transitions = page.get_by_role("list", name=re.compile("Transitions"))
    expect(transitions.get_by_role("listitem")).to_have_count(1)
    expect(transitions).to_contain_text("4,0 up – 5,7 down")
    text = page.get_by_label("Text of the map")
    expect(text).to_have_value(re.compile("4 0 0 <-> 5 7 4"))
    expect(page.get_by_text("This can be played.")).to_be_visible()
    check_accessible(page)
    drawn = text.input_value()
    page.get_by_role("button", name="Play from here").click()
    game = begin(page)
    assert is_my_turn(page)
    info = server.get(f"/api/games/{game}")
    assert info["description"]["map"].split() == drawn.split()
    assert len(info["description"]["plan"]["links"]) == 1
    expect(grid(page).get_by_role("gridcell", name=re.compile("choice"))).to_have_count(1)


def test_a_mistake_in_the_text_is_shown_at_its_place(window: Callable[..., Window]) -> None:
    page = window().open("/editor?mode=map")
    expect(page.get_by_text("This can be played.")).to_be_visible()
    text = page.get_by_label("Text of the map")
    lines = text.input_value().split("\n")
    lines[6] = lines[6].replace("0 0 0", "0 q 0", 1)
    text.fill("\n".join(lines))
    expect(page.get_by_role("status").filter(has_text="line 7, column 3")).to_be_visible()
    expect(page.get_by_role("button", name="Play from here")).to_be_disabled()
    page.get_by_role("button", name="Go to line 7, column 3").click()
    expect(text).to_be_focused()
    assert text.evaluate("field => field.value.slice(field.selectionStart, field.selectionEnd)") == "q"
    page.keyboard.type("c")
    expect(page.get_by_text("This can be played.")).to_be_visible()
    expect(spot(page, "1,2", "Map being drawn")).to_have_accessible_name("1,2, choice")


@pytest.mark.slow
def test_a_map_as_large_as_a_page_takes_with_a_side_joined_with_itself(window: Callable[..., Window]) -> None:
    page = window().open("/editor?mode=map")
    text = page.get_by_label("Text of the map")
    rows = [["0"] * 125 for _ in range(80)]
    rows[40][60:64] = ["1", "2", "2", "1"]
    chart = "\n".join(["2", "+1", "1 255", "80 125", *map(" ".join, rows)])
    text.fill(f"{chart}\n22 0 0 <-> 22 0 0\n")
    expect(page.get_by_text("This can be played.")).to_be_visible()
    expect(page.get_by_role("list", name=re.compile("Transitions"))).to_contain_text("22,0 up – 22,0 up")
    expect(spot(page, "60,40", "Map being drawn")).to_have_accessible_name("60,40, seat 1")
    expect(page.get_by_label("Width")).to_have_attribute("max", "125")
    text.fill(chart.replace("80 125", "81 125") + "\n" + "0 " * 125)
    expect(page.get_by_role("status").filter(has_text="10,125 tiles; at most 10,000")).to_be_visible()


@pytest.mark.slow
def test_a_map_with_the_keyboard_alone(window: Callable[..., Window]) -> None:
    page = window().open("/editor?mode=map")
    expect(page.get_by_text("This can be played.")).to_be_visible()
    desk(page, "Map being drawn").focus()
    page.keyboard.press("Control+Home")
    page.keyboard.press("b")
    page.keyboard.press("Enter")
    expect(spot(page, "0,0", "Map being drawn")).to_have_accessible_name("0,0, bonus")
    tool = page.get_by_role("radio", name="Paint")
    tool.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("radio", name="Join sides")).to_be_checked()
    desk(page, "Map being drawn").focus()
    page.keyboard.press("Control+Home")
    page.keyboard.press("Shift+ArrowLeft")
    page.keyboard.press("End")
    page.keyboard.press("Shift+ArrowRight")
    transitions = page.get_by_role("list", name=re.compile("Transitions"))
    expect(transitions).to_contain_text("0,0 left – 9,0 right")
    page.get_by_text("Join by coordinates").click()
    page.get_by_role("group", name="From", exact=True).get_by_label("Row").fill("1")
    page.get_by_role("group", name="To", exact=True).get_by_label("Row").fill("1")
    page.get_by_role("button", name="Join these two").click()
    expect(transitions.get_by_role("listitem")).to_have_count(2)
    page.get_by_role("button", name="Remove transition 1").click()
    expect(transitions.get_by_role("listitem")).to_have_count(1)


@pytest.mark.slow
def test_a_map_of_ours_is_opened_in_the_editor(window: Callable[..., Window]) -> None:
    page = window().open("/editor?mode=map")
    page.get_by_label("Start from").select_option("XT Starfish")
    expect(page.get_by_text("This can be played.")).to_be_visible()
    transitions = page.get_by_role("list", name=re.compile("Transitions"))
    expect(transitions.get_by_role("listitem")).not_to_have_count(0)
    page.get_by_role("button", name="Half turn").click()
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_text("This can be played.")).to_be_visible()
    check_accessible(page)
    page.mouse.move(0, 0)
    take_picture(page, "editor")
    page.get_by_role("button", name="Set up a position on it").click()
    expect(page.get_by_role("table", name="What each seat has left")).to_be_visible()
    expect(page.get_by_text("This can be played.")).to_be_visible()
