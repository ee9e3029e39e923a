"""Texts are pasted anywhere: games, positions and maps are recognised, anything else gets a sentence."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import Page, expect

import polyversi as pv
from tests.testing.browser import Window, check_accessible
from tests.testing.page_games import await_position, game_of, grid, played
from tests.testing.page_server import Served

MAP = "2\n1\n0 1\n3 4\n0 1 2 0\n0 2 1 0\n0 0 - 0\n"
GGF = f"(;GM[Othello]PB[Ann]PW[Bob]TY[8]BO[8 {27 * '-'}O*------*O{27 * '-'} *]B[f5]W[d6];)"


def press_paste(page: Page, text: str) -> None:
    """Ctrl-V with this text in the clipboard, on the page itself."""
    page.evaluate("(text) => navigator.clipboard.writeText(text)", text)
    page.get_by_role("heading", level=1).click()
    page.keyboard.press("Control+V")


def test_ctrl_v_opens_what_was_copied(window: Callable[..., Window], server: Served) -> None:
    one = window(permissions=["clipboard-read", "clipboard-write"], may_complain="400")
    page = one.open("/watch")
    page.get_by_role("heading", level=1).wait_for()
    press_paste(page, "F5 d6 C3")
    page.wait_for_url("**/game/*")
    grid(page).wait_for()
    assert played(page) == ["f5", "d6", "c3"]
    # A position of the game that is shown, not of Othello with as many cells.
    new = server.new_game("anti", "me", "me")
    page.goto(f"{server.address}/game/{new['game']}")
    grid(page).wait_for()
    state = pv.game("anti").start().play("d3")
    press_paste(page, state.text)
    page.wait_for_url("**/editor?from=game")
    info = server.get(f"/api/games/{new['game']}")
    await_position(page, info, state.text, title="Position being set up")
    expect(page.get_by_role("combobox", name=re.compile("^(Game|Variant)"))).to_have_value("anti")
    # In the editor again: another game, and a map.
    other = pv.game("hex").start(3)
    press_paste(page, other.text)
    await_position(page, {"description": server.get("/api/board?spec=hex"), "position": other.text},
                   title="Position being set up")
    press_paste(page, MAP)
    page.wait_for_url("**/editor?mode=map*")
    expect(page.get_by_role("textbox", name="Text of the map")).to_have_value(re.compile("3 4"))
    # What is in a field stays there.
    page.get_by_role("textbox", name="Text of the map").focus()
    page.keyboard.press("Control+V")
    page.goto(f"{server.address}/play")
    page.get_by_role("heading", level=1).wait_for()
    press_paste(page, "hello world")
    dialog = page.get_by_role("dialog")
    neither = re.compile("^This is neither a game, a position nor a map; .*f5d6c3")
    expect(dialog.get_by_role("alert")).to_have_text(neither)
    check_accessible(page)
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    press_paste(page, "f5d6z9")
    expect(dialog.get_by_role("alert")).to_have_text(re.compile("z9.*not on this board"))


def test_the_paste_button(window: Callable[..., Window], server: Served) -> None:
    page = window(may_complain="400").open("/watch")
    page.get_by_role("button", name="Paste").click()
    dialog = page.get_by_role("dialog")
    text = dialog.get_by_role("textbox")
    expect(text).to_be_focused()
    text.fill("x" * 100_000)
    dialog.get_by_role("button", name="Open").click()
    expect(dialog.get_by_role("alert")).to_have_text(re.compile(r"^This is neither [^`$]+\.$"))
    text.fill("f5d6c3\nf5f6e6")
    dialog.get_by_role("button", name="Open").click()
    expect(dialog.get_by_role("link")).to_have_count(2)
    text.fill(GGF)
    dialog.get_by_role("button", name="Open").click()
    page.wait_for_url("**/game/*")
    assert server.get(f"/api/games/{game_of(page)}")["players"] == ["Ann", "Bob"]
    expect(page.get_by_role("region", name="black")).to_contain_text("Ann")
    expect(dialog).to_have_count(0)


def test_a_position_that_is_too_long_is_told_in_a_sentence(window: Callable[..., Window]) -> None:
    page = window(may_complain="400").open("/editor")
    field = page.get_by_role("textbox", name=re.compile("[Pp]osition"))
    field.fill("-" * 100_000)
    field.blur()
    expect(page.get_by_text("The position is too long; it may have at most 16,384")).to_be_visible()


def test_ways_out_of_an_unknown_game(window: Callable[..., Window], server: Served) -> None:
    one = window(may_complain="404")
    for name in ("%ff", "nothing"):
        answer = one.page.goto(f"{server.address}/game/{name}")
        assert answer is not None and answer.status == 404
        expect(one.page.get_by_role("heading", name="There is no game at this address")).to_be_visible()
    check_accessible(one.page)
    one.page.get_by_role("link", name="Watch games").click()
    expect(one.page.get_by_role("heading", level=1, name="Watch")).to_be_visible()
