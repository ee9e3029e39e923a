"""The board module alone in Chromium: what it draws, what it tells, and that everybody can use it."""

from __future__ import annotations

import http.server
import threading
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

import polyversi as pv
from polyversi.drawing.layout import board_layout
from polyversi.games.board import SQUARE_DIRECTIONS
from polyversi.games.xt import xt_game
from polyversi.games.xtmap import XtMap
from tests.testing.browser import PHONE, Window, check_accessible
from tests.testing.marks import slow

HERE = Path(__file__).parent
PAGE = Path(pv.__file__).parent / "page"
SIZE = (700, 700)
OTHELLO, HEX = pv.game("othello"), pv.game("hex")
STARFISH = pv.game("xt:starfish")
LINKED = xt_game(XtMap.parse("2 0 1 1  3 4  0 1 2 0  0 2 1 -  b c i x  0 0 6 <-> 3 0 2  0 2 4 <-> 2 2 4"))


class Files(http.server.SimpleHTTPRequestHandler):
    """The page's files under /page/, and this folder's beside them."""

    def translate_path(self, path: str) -> str:
        wanted = path.split("?")[0].lstrip("/")
        folder = PAGE if wanted.startswith("page/") else HERE
        return str(folder / wanted.removeprefix("page/"))

    def log_message(self, format: str, *args: Any) -> None:
        """A test says nothing."""


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), partial(Files, directory=str(HERE))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


class Shown:
    """A board on a page."""

    def __init__(self, page: Page, game: pv.Game, **config: Any) -> None:
        self.page, self.plan = page, board_layout(game)
        self.session = page.context.new_cdp_session(page)
        given = {"tiles": list(game.start().tiles), "animate": False, **config}
        page.evaluate("([plan, config]) => show(plan, config)", [self.plan, given])

    def set(self, **config: Any) -> None:
        self.page.evaluate("config => { board.set(config); return frames(); }", config)

    def calls(self, name: str) -> list[Any]:
        """What a callback was given so far, without its name."""
        heard = self.page.evaluate("calls.splice(0)")
        return [call[1] if len(call) == 2 else call[1:] for call in heard if call[0] == name]

    def cell(self, name: str) -> Locator:
        return self.page.locator(f"[role=gridcell][aria-label^='{name}']").first

    def middle(self, cell: int) -> tuple[float, float]:
        box = self.page.evaluate("cell => board.place(cell).toJSON()", cell)
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def attribute(self, selector: str, name: str) -> str:
        return self.page.locator(selector).first.get_attribute(name) or ""

    def in_view(self, cell: int) -> bool:
        x, y = self.middle(cell)
        box = self.page.evaluate("document.querySelector('.board').getBoundingClientRect().toJSON()")
        return bool(box["left"] < x < box["right"] and box["top"] < y < box["bottom"])

    def count(self, selector: str) -> int:
        return self.page.locator(selector).count()

    def cursor(self) -> str:
        """The words of the cell that the keyboard is on."""
        return str(self.page.evaluate(
            "document.getElementById(document.activeElement.getAttribute('aria-activedescendant'))"
            ".getAttribute('aria-label')"
        ))


Opener = Callable[..., Shown]


@pytest.fixture
def board(browser: Browser, address: str) -> Iterator[Opener]:
    """Opens boards; whatever the browser complains about fails the test."""
    windows: list[Window] = []

    def opened(game: pv.Game = OTHELLO, window: dict[str, Any] | None = None, **config: Any) -> Shown:
        windows.append(Window(browser, address, **{"size": SIZE, **(window or {})}))
        page = windows[-1].open("/board.html")
        page.wait_for_function("Boolean(window.show)")
        return Shown(page, game, **config)

    yield opened
    complaints = [complaint for window in windows for complaint in window.complaints]
    for window in windows:
        window.close()
    assert complaints == []


@pytest.mark.parametrize("spec", ["othello", "hex", slow("rolit"), slow("torus"), "xt:starfish"])
def test_every_cell_and_stone_is_there(board: Opener, spec: str) -> None:
    game = pv.game(spec)
    shown = board(game)
    tiles = list(game.start().tiles)
    assert shown.count("[role=grid]") == 1
    assert shown.count("[role=grid] [role=row]") == len(shown.plan["rows"])
    assert shown.count("[role=row] > [role=gridcell]") == game.board.size
    assert shown.count(".board-stones .board-stone") == sum(1 <= tile <= 8 or tile == 13 for tile in tiles)
    assert shown.count(".board-link") == len(shown.plan["links"])


def test_cells_are_read_out_with_the_words_they_are_given(board: Opener) -> None:
    shown = board()
    assert shown.count("[aria-label='d4, white']") == 1
    shown.page.evaluate("board.set({ label: (cell, tile) => `cell ${cell} has ${tile}` }), frames()")
    shown.set(tiles=[1] + [0] * 63)
    assert shown.count("[aria-label='cell 0 has 1']") == 1
    assert shown.count("[aria-label='cell 27 has 0']") == 1
    shown.set(title="Othello")
    assert shown.page.get_by_role("grid", name="Othello").count() == 1
    linked = board(LINKED)
    assert "0,0 left to 3,0 right" in linked.attribute("[aria-label='0,0']", "aria-description")


def test_calls_of_one_frame_are_drawn_once_and_touch_only_what_changed(board: Opener) -> None:
    shown = board()
    expect(shown.page.locator(".board-moving")).to_have_count(0)    # it has come to rest after its opening
    changed = shown.page.evaluate("""async () => {
        const touched = [];
        const watch = new MutationObserver((all) => touched.push(...all));
        watch.observe(document.querySelector(".board"), { subtree: true, childList: true, attributes: true });
        const tiles = Array(64).fill(0).with(27, 2).with(28, 1).with(35, 1).with(36, 2);
        board.set({ tiles: tiles.with(36, 1) });
        board.set({ tiles: tiles.with(19, 1).with(27, 1) });
        await frames();
        watch.disconnect();
        return touched.map((one) => one.type + (one.attributeName ?? "")).sort();
    }""")
    assert changed == ["attributesaria-label"] * 2 + ["childList"] * 3


def test_a_click_selects_and_hovering_is_told(board: Opener) -> None:
    shown = board(selectable=True, legal=[19, 26, 37, 44], turn=1)
    shown.cell("f5").click()
    assert shown.calls("onSelect") == [37]
    shown.page.mouse.move(*shown.middle(19))
    shown.page.mouse.move(1, 699)
    assert shown.calls("onHover") == [19, None]
    shown.set(selectable=False)
    shown.cell("f5").click()
    assert shown.calls("onSelect") == []


def test_marks_come_and_go(board: Opener) -> None:
    shown = board(legal=[19, 27], turn=1, last=27, turned=[28, 35], hint=19)
    assert shown.attribute(".board-below .board-dots-inner", "d") == "M168 128h0"
    assert shown.attribute(".board-above .board-dots-inner", "d") == "M180.5 155.5h0"
    assert shown.attribute(".board-legal", "stroke") == shown.plan["seats"][0]["fill"]
    assert shown.attribute(".board-last", "visibility") == "visible"
    assert shown.attribute(".board-turned", "d").count("M") == 2
    assert shown.attribute(".board-hint", "visibility") == "visible"
    shown.set(preview={"cell": 19, "seat": 1, "turned": [27]})
    assert shown.count(".board-ghost .board-stone") == shown.count(".board-would") == 1
    shown.set(preview={"cell": 19, "seat": 1, "turned": [27, 28], "bomb": True})
    assert shown.attribute(".board-reach", "d").count("M") == 3
    shown.set(legal=[], last=None, turned=[], hint=None, preview=None)
    assert shown.attribute(".board-below .board-dots-inner", "d") == ""
    assert shown.count(".board-preview *") == 0


def test_the_keyboard_reaches_and_chooses_every_cell_of_a_square_board(board: Opener) -> None:
    shown = board(selectable=True)
    keys = shown.page.keyboard
    keys.press("Tab")
    for key, name in [
        ("Control+Home", "a1"), ("End", "h1"), ("ArrowDown", "h2"), ("ArrowLeft", "g2"), ("Home", "a2"),
        ("PageUp", "b1"), ("Control+End", "h8"), ("ArrowRight", "h8"), ("ArrowUp", "h7"),
        ("Shift+PageUp", "g6"),
    ]:
        keys.press(key)
        assert shown.cursor() == name
    shown.calls("onSelect")
    keys.press("Enter")
    keys.press("Space")
    assert shown.calls("onSelect") == [OTHELLO.board.cell("g6")] * 2
    assert shown.attribute(".board-cursor", "visibility") == "visible"


def test_all_six_directions_of_hexagons_have_keys_and_up_and_down_run_straight(board: Opener) -> None:
    shown = board(HEX)
    keys, middle = shown.page.keyboard, HEX.board.cell("e5")
    keys.press("Tab")
    assert shown.cursor().split(",")[0] == "e5"
    names = []
    for key, back in [
        ("PageUp", "Shift+PageDown"), ("ArrowRight", "ArrowLeft"), ("PageDown", "Shift+PageUp"),
        ("Shift+PageDown", "PageUp"), ("ArrowLeft", "ArrowRight"), ("Shift+PageUp", "PageDown"),
    ]:
        keys.press(key)
        names.append(shown.cursor().split(",")[0])
        keys.press(back)
    steps = HEX.board.steps[middle * 6 : middle * 6 + 6]
    assert names == [HEX.board.name(step // 6) for step in steps]
    for _ in range(4):
        keys.press("ArrowUp")
    assert shown.cursor() == "c1"
    for _ in range(4):
        keys.press("ArrowDown")
    assert shown.cursor().split(",")[0] == "e5"


def test_arrows_cross_the_gaps_of_maps(board: Opener) -> None:
    shown = board(STARFISH)
    keys = shown.page.keyboard
    keys.press("Tab")
    keys.press("Control+Home")
    seen = [shown.cursor().split(",")[1]]
    for _ in range(32):
        keys.press("ArrowDown")
        seen.append(shown.cursor().split(",")[1])
    assert seen == [str(row) for row in range(33)]


def test_following_a_cell_or_a_port_lifts_its_transition(board: Opener) -> None:
    shown = board(LINKED)
    assert shown.count(".board-links .board-link") == 2
    shown.page.mouse.move(*shown.middle(0))
    assert shown.count(".board-followed .board-link") == 1
    assert shown.count(".board-followed .board-end") == 2
    assert shown.count(".board-links.board-dimmed") == 1
    shown.page.locator(".board-links .board-link circle").first.hover()
    assert shown.page.locator(".board-followed title").text_content() == shown.plan["links"][1]["title"]
    shown.page.mouse.move(1, 699)
    assert shown.count(".board-followed *") == 0
    shown.set(tiles=[9] + [0] * 10)
    assert shown.count(".board-link.board-gone") == 1


def test_stones_flip_and_the_board_is_right_meanwhile(board: Opener) -> None:
    shown = board(animate=True)
    tiles = list(OTHELLO.start().play("f5").tiles)
    shown.page.evaluate("tiles => { board.set({ tiles, last: 37 }); return frames(); }", tiles)
    assert shown.count(".board-stones .board-stone") == 5
    assert shown.count("[aria-label='e5, black']") == 1
    shown.page.wait_for_function("document.getAnimations().length === 0")
    assert shown.count(".board-stone") == 5


@pytest.mark.parametrize("how", ["by system", slow("by option")])
def test_motion_can_be_switched_off(board: Opener, how: str) -> None:
    calm = {"reduced_motion": "reduce"} if how == "by system" else None
    shown = board(window=calm, animate=how == "by system")
    moving = shown.page.evaluate("""async () => {
        board.set({ tiles: Array(64).fill(1), last: 0 });
        await new Promise(requestAnimationFrame);
        return document.getAnimations().length;
    }""")
    assert moving == 0


def test_patterns_and_other_paints_dress_all_stones_anew(board: Opener) -> None:
    shown = board(pv.game("rolit"), tiles=[1, 2, 3, 4] + [0] * 60)
    assert shown.count(".board-pattern") == 0
    shown.set(patterns=True)
    drawn = [shown.page.locator(".board-pattern").nth(at).get_attribute("d") for at in range(3)]
    assert len(set(drawn)) == 3
    shown.set(paints=[{"name": "red", "fill": "#c00000", "ink": "#ffffff", "sign": "X"}])
    assert shown.count("[aria-label='a1, red']") == 1
    assert shown.count(".board-stone") == 4


def test_large_maps_zoom_within_limits_and_small_boards_do_not(board: Opener) -> None:
    small = board()
    small.page.mouse.move(300, 300)
    small.page.mouse.wheel(0, -300)
    assert small.page.evaluate("getComputedStyle(document.querySelector('.board-stack')).transform") == "none"
    shown = board(STARFISH)
    before = shown.middle(330)
    shown.page.mouse.move(*before)
    shown.page.mouse.wheel(0, -300)
    shown.page.wait_for_function("calls.some(([name, scale]) => name === 'onZoom' && scale > 1)")
    assert shown.middle(330) == pytest.approx(before, abs=1)
    shown.calls("onZoom")
    shown.page.evaluate("board.zoomBy(100)")
    [[scale, most]] = shown.calls("onZoom")
    assert scale == most > 2
    corner = shown.page.evaluate("board.zoomTo('fit'), board.place(0).x")
    shown.page.evaluate("board.zoomTo(4, 0)")
    assert shown.in_view(0)
    assert shown.page.evaluate("board.zoomTo('fit'), board.place(0).x") == pytest.approx(corner)


def test_dragging_an_enlarged_map_moves_it_and_selects_nothing(board: Opener) -> None:
    shown = board(STARFISH, selectable=True)
    shown.page.evaluate("board.zoomTo(4)")
    before = shown.middle(330)
    mouse = shown.page.mouse
    mouse.move(350, 350)
    mouse.down()
    mouse.move(380, 330, steps=4)
    mouse.up()
    after = shown.middle(330)
    assert (after[0] - before[0], after[1] - before[1]) == pytest.approx((30, -20), abs=1)
    assert shown.calls("onSelect") == []


def test_the_keyboard_zooms_and_takes_the_view_along(board: Opener) -> None:
    shown = board(STARFISH)
    keys = shown.page.keyboard
    for key in ("Tab", "+", "+", "Control+Home"):
        keys.press(key)
    assert shown.in_view(0)
    keys.press("0")
    assert shown.page.evaluate("document.querySelector('.board-zoomed')") is None


def touch(shown: Shown, kind: str, *places: tuple[float, float]) -> None:
    points = [{"x": x, "y": y, "id": number} for number, (x, y) in enumerate(places)]
    shown.session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})


def test_a_tap_selects_a_long_tap_previews_and_two_fingers_enlarge(board: Opener) -> None:
    shown = board(STARFISH, window={"size": PHONE}, selectable=True)
    x, y = shown.middle(330)
    shown.page.touchscreen.tap(x, y)
    assert shown.calls("onSelect") == [330]
    touch(shown, "touchStart", (x, y))
    shown.page.wait_for_function("calls.some(([name, cell]) => name === 'onHover' && cell === 330)")
    touch(shown, "touchEnd")
    shown.page.wait_for_function("calls.at(-1)[0] === 'onHover' && calls.at(-1)[1] === null")
    assert shown.calls("onSelect") == []
    touch(shown, "touchStart", (x - 20, y), (x + 20, y))
    touch(shown, "touchMove", (x - 60, y), (x + 60, y))
    touch(shown, "touchEnd")
    shown.page.wait_for_function("document.querySelector('.board-zoomed')")
    assert shown.middle(330) == pytest.approx((x, y), abs=2)
    assert shown.calls("onSelect") == []


def test_pages_with_small_boards_scroll_under_a_finger(board: Opener) -> None:
    def allowed(shown: Shown) -> str:
        return str(shown.page.evaluate("getComputedStyle(document.querySelector('.board')).touchAction"))

    assert allowed(board()) == "manipulation"
    shown = board(STARFISH)
    assert allowed(shown) == "pan-x pan-y"
    shown.page.evaluate("board.zoomTo(3)")
    assert allowed(shown) == "none"


def test_painting_selects_every_cell_on_the_way(board: Opener) -> None:
    shown = board(selectable=True, paint=True)
    mouse = shown.page.mouse
    mouse.move(*shown.middle(8))
    mouse.down()
    mouse.move(*shown.middle(15))
    mouse.up()
    painted = shown.calls("onSelect")
    assert list(dict.fromkeys(painted)) == list(range(8, 16))
    shown.cell("a1").click()
    assert shown.calls("onSelect") == [0]


def test_sides_of_cells_are_chosen_by_pointer_and_keys(board: Opener) -> None:
    shown = board(selectable=True, edges=True)
    x, y = shown.middle(9)
    unit = shown.page.evaluate("board.place(9).width") / 40
    for direction, (dx, dy) in enumerate(SQUARE_DIRECTIONS):
        shown.page.mouse.click(x + dx * 15 * unit, y + dy * 15 * unit)
        assert shown.calls("onEdge") == [[9, direction]]
    shown.page.mouse.click(x, y)
    assert shown.calls("onSelect") == [9]
    shown.page.keyboard.press("4")
    shown.page.keyboard.press("Shift+ArrowLeft")
    assert shown.calls("onEdge") == [[9, 3], [9, 6]]
    shown.set(edge={"cell": 9, "direction": 2})
    assert shown.attribute(".board-side-chosen", "visibility") == "visible"


def test_the_cursor_can_be_handed_from_one_board_to_another(board: Opener) -> None:
    shown = board(STARFISH)
    assert shown.page.evaluate("board.moveTo(12), board.zoomTo(2), [board.cursor, board.scale]") == [12, 2]
    shown.page.evaluate("board.focus()")
    assert shown.cursor().startswith(STARFISH.board.name(12))


def test_a_board_leaves_nothing_behind(board: Opener) -> None:
    shown = board()
    shown.page.evaluate("board.destroy()")
    assert shown.count("#board > *") == 0


@pytest.mark.parametrize("scheme", ["light", slow("dark")])
@pytest.mark.parametrize("game", [OTHELLO, HEX, LINKED], ids=["othello", "hex", "linked"])
def test_axe_finds_nothing(board: Opener, game: pv.Game, scheme: str) -> None:
    marks = {"legal": [0, 1], "turn": 1, "hint": 0, "last": 1}
    shown = board(game, window={"color_scheme": scheme}, selectable=True, **marks)
    check_accessible(shown.page)
