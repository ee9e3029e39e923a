"""The analysis board: values, lines, variations, studies, reviews, proofs, and the ways to it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

import polyversi as pv
from tests.testing.browser import PHONE, Window, check_accessible, expect_announced
from tests.testing.page_games import cell, possible
from tests.testing.page_server import Served

SMALL = "/analysis?spec=othello-4"
"""A board on which every value is exact at once."""
REVIEWED = {"polyversi": 1, "game": "othello-4", "moves": ["b1", "c1", "d1", "a1"], "players": ["Ann", "Bob"]}
"""The second move costs 16 stones."""


def figures(page: Page) -> Locator:
    """The values on the board."""
    return page.locator(".board-figure")


def lines(page: Page) -> Locator:
    """The best lines."""
    return page.get_by_role("list", name="Best lines").get_by_role("listitem")


def current(page: Page) -> Locator:
    """The move that led to what is shown."""
    return page.get_by_role("region", name="Moves").locator("[aria-current=step]")


def stones(page: Page) -> int:
    """How many stones the board shows."""
    return page.locator(".analysis-board .board-disc").count()


def stored(server: Served, record: dict[str, object]) -> str:
    """The id of a finished game."""
    found: list[str] = server.post("/api/records", record)["games"]
    return found[0]


def test_every_move_has_a_value_and_can_be_tried(window: Callable[..., Window]) -> None:
    page = window().open(SMALL)
    expect(figures(page)).to_have_count(4)
    expect(page.locator(".board-figure path")).to_have_count(4)    # all of them are exact
    engine = page.get_by_role("region", name="Engine")
    expect(engine).to_contain_text("exact")
    expect(page.get_by_role("meter", name="Evaluation")).to_have_attribute("aria-valuetext", "white +8")
    expect(cell(page, "b1")).to_have_accessible_name("b1, empty, legal, value −8, exact")
    expect(lines(page)).to_have_count(3)
    engine.get_by_role("spinbutton", name="Lines").fill("1")
    engine.get_by_role("spinbutton", name="Lines").blur()
    expect(lines(page)).to_have_count(1)

    moves = lines(page).first.get_by_role("button")
    moves.nth(1).hover()
    expect(page.locator(".analysis-board.previewing")).to_be_visible()
    expect(page.locator(".analysis-board .board-disc")).to_have_count(6)
    expect(figures(page)).to_have_count(0)
    page.get_by_role("heading", level=1).hover()
    expect(page.locator(".analysis-board .board-disc")).to_have_count(4)
    moves.nth(2).focus()
    expect(page.locator(".analysis-board .board-disc")).to_have_count(7)
    page.keyboard.press("Enter")    # plays the line to there
    expect(current(page)).to_contain_text("Move 3")
    expect_announced(page, "Move 3")

    page.get_by_role("heading", level=1).click()
    page.keyboard.press("Home")
    expect(page.locator(".analysis-board .board-disc")).to_have_count(4)
    page.keyboard.press("ArrowRight")
    expect(current(page)).to_contain_text("Move 1")
    played = current(page).inner_text()
    page.keyboard.press("ArrowLeft")
    other = figures(page).nth(3)
    expect(other).to_be_visible()
    cell(page, "a2" if "b1" in played else "b1").click()
    expect(current(page)).to_contain_text("a2" if "b1" in played else "b1")
    page.keyboard.press("ArrowDown")
    expect(current(page)).to_have_text(re.compile(re.escape(played.split()[-1])))
    page.keyboard.press("ArrowUp")
    expect(current(page)).to_contain_text("a2" if "b1" in played else "b1")

    page.keyboard.press("e")
    expect(figures(page)).to_have_count(0)
    switch = page.get_by_role("switch", name="Engine")
    expect(switch).not_to_be_checked()
    switch.click()
    expect(figures(page).first).to_be_visible()
    page.keyboard.press("End")
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_contain_text("engine on or off")
    page.keyboard.press("Escape")

    plot = page.locator(".graph-plot .u-over")
    page.get_by_role("checkbox", name="Mobility").check()
    box = plot.bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + 2, box["y"] + box["height"] / 2)
    expect(page.locator(".analysis-board .board-disc")).to_have_count(4)    # the start
    check_accessible(page)


def test_keys_alone_are_enough(window: Callable[..., Window]) -> None:
    page = window(reduced_motion="reduce").open(SMALL)
    expect(figures(page)).to_have_count(4)
    page.keyboard.press("b")
    page.keyboard.press("Control+Home")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")    # b1
    expect(current(page)).to_contain_text("b1")
    page.keyboard.press("[")
    expect(current(page)).to_have_count(0)
    page.keyboard.press("]")
    page.keyboard.press("c")
    expect(page.get_by_role("textbox", name="Comment on b1")).to_be_focused()
    page.keyboard.type("Only this")
    page.keyboard.press("Control+Enter")
    expect(page.get_by_role("region", name="Moves")).to_contain_text("Only this")
    page.get_by_role("tab", name="Moves").focus()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("tab", name="Review")).to_be_focused()
    expect(page.get_by_role("tabpanel", name="Review")).to_be_visible()


def test_variations_are_kept_shared_and_saved(
        window: Callable[..., Window], server: Served, tmp_path: Path) -> None:
    one = window(accept_downloads=True)
    page = one.open("/analysis?spec=othello&moves=f5d6c3d3c4&ply=1")
    tree = page.get_by_role("region", name="Moves")
    expect(tree).to_contain_text("Tiger")
    expect(page.get_by_role("heading", level=1)).to_have_text("Othello")
    cell(page, "f6").click()
    expect(current(page)).to_contain_text("f6")
    expect(page.locator(".analysis-opening")).to_have_text("Diagonal Opening")
    page.get_by_role("button", name="Comment").click()
    page.get_by_role("textbox", name="Comment on f6").fill("the diagonal")
    page.get_by_role("button", name="Keep").click()
    expect(tree).to_contain_text("the diagonal")
    cell(page, "e6").click()
    expect(current(page)).to_contain_text("e6")
    page.get_by_role("button", name="Main line").click()
    expect(page.locator(".tree-variation")).to_contain_text("d6")
    page.get_by_role("button", name="File").click()
    page.get_by_role("button", name="Save as a study").click()
    expect(page.get_by_text("Saved. Changes are saved by themselves.")).to_be_visible()
    study = page.url.rpartition("/")[2]
    assert json.loads(server.get(f"/api/studies/{study}")["record"])["moves"] == ["f5", "f6", "e6"]
    with page.expect_download() as downloading:
        page.get_by_role("button", name="Record with variations").click()
    file = tmp_path / "mine.jsonl"
    downloading.value.save_as(file)
    with page.expect_download() as downloading:
        page.get_by_role("button", name="Main line (GGF)").click()
    assert "B[f5]" in downloading.value.path().read_text()
    page.keyboard.press("Escape")

    with page.expect_response(lambda answer: answer.request.method == "PUT"):
        page.get_by_role("button", name="Delete this move and what follows").click()
    assert json.loads(server.get(f"/api/studies/{study}")["record"])["moves"] == ["f5", "f6"]

    other = window().open(f"/analysis/{study}")
    expect(other.get_by_role("region", name="Moves")).to_contain_text("the diagonal")
    other.get_by_role("button", name=re.compile("Move 2, white: d6")).click()
    other.get_by_role("button", name="Delete this move and what follows").click()
    expect(other.locator(".tree-variation")).to_have_count(0)
    other.get_by_role("button", name="File").click()
    other.get_by_role("button", name="Save a copy").click()
    expect(other.get_by_text("Saved. Changes are saved by themselves.")).to_be_visible()
    assert other.url.rpartition("/")[2] != study
    assert json.loads(server.get(f"/api/studies/{study}")["record"])["variations"]
    expect(other.get_by_text("Your studies")).to_have_count(0)    # it has no other one

    page.goto(page.url.replace(f"/{study}", "?spec=hex"))
    page.get_by_role("button", name="File").click()
    page.get_by_text("Your studies").click()
    page.get_by_role("link", name=re.compile("Othello")).click()
    expect(page.get_by_role("region", name="Moves")).to_contain_text("the diagonal")
    assert page.url.endswith(study)

    page.get_by_role("button", name="File").click()
    with page.expect_file_chooser() as choosing:
        page.get_by_role("button", name="Open a file").click()
    choosing.value.set_files(file)
    expect(page).to_have_url(re.compile(r"/analysis\?from=here"))
    expect(page.get_by_role("region", name="Moves")).to_contain_text("the diagonal")
    expect(page.locator(".tree-variation")).to_contain_text("c4")
    page.reload()
    expect(page.locator(".tree-variation")).to_contain_text("c4")


def test_a_review_says_what_moves_cost_and_lets_one_try_again(
        window: Callable[..., Window], server: Served) -> None:
    game = stored(server, REVIEWED)
    page = window().open(f"/game/{game}")
    page.get_by_role("link", name="Analyse").click()
    expect(page.get_by_role("list", name="Players")).to_contain_text("Ann")
    page.get_by_role("button", name="Review").click()
    totals = page.get_by_role("table", name="Accuracy")
    expect(page.get_by_text("1 move is marked.")).to_be_visible()
    expect(totals.get_by_role("row", name=re.compile("Bob"))).to_contain_text("%")
    page.get_by_role("button", name="Next mistake").click()
    judgement = page.get_by_role("region", name="Judgement")
    expect(judgement).to_contain_text("c1?? Blunder: it loses 16; a1 is worth +8. exact")
    expect_announced(page, "c1")
    judgement.get_by_role("button", name="Why?").click()
    expect(judgement.get_by_role("listitem").first).to_contain_text("c")
    check_accessible(page)
    judgement.get_by_role("button", name="Try again here").click()
    expect(figures(page)).to_have_count(0)
    trial = page.get_by_role("region", name="Try again here")
    expect(trial).to_contain_text("Find a better move than c1")
    cell(page, "c1").click()
    expect(trial).to_contain_text("c1 loses 16. Try another one.")
    cell(page, "a1").click()
    expect(trial).to_contain_text("a1 is right: nothing is better.")
    expect(figures(page).first).to_be_visible()
    trial.get_by_role("button", name="Close").click()
    page.get_by_role("tab", name="Moves").click()
    expect(page.get_by_role("button", name=re.compile(r"Move 2, white: c1.*blunder.*loses"))).to_be_visible()

    again = window().open(f"/analysis?game={game}&ply=2")    # the review is there without being asked for
    expect(again.get_by_role("region", name="Judgement")).to_contain_text("it loses 16")
    again.get_by_role("button", name="Better line").click()
    expect(again.locator(".tree-variation")).to_contain_text("a1")


def test_a_review_can_be_stopped(window: Callable[..., Window], server: Served) -> None:
    state, player = pv.game("othello-10").start(), pv.player("random:seed=2")
    moves: list[str] = []
    while len(moves) < 60:
        moves.append(str(player.choose(state)))
        state = state.play(moves[-1])
    game = stored(server, {"polyversi": 1, "game": "othello-10", "moves": moves})
    page = window().open(f"/analysis?game={game}")
    page.get_by_role("button", name="Review").click()
    page.get_by_role("button", name="Stop the review").click()
    begin = page.get_by_role("button", name=re.compile("Review the game|Go on with the review"))
    expect(begin).to_be_visible()


@pytest.mark.slow
def test_what_is_proved_what_is_in_points_and_what_nothing_can_judge(window: Callable[..., Window]) -> None:
    page = window().open(SMALL)
    page.get_by_role("tab", name="Proof").click()
    page.get_by_role("button", name="Prove this position").click()
    expect(page.get_by_text("Proved: with best play white wins by 8.")).to_be_visible()
    expect(page.get_by_role("table", name="Bounds of each move").get_by_role("row")).to_have_count(2)
    expect(page.get_by_text(re.compile("nodes in"))).to_be_visible()
    check_accessible(page)
    page.get_by_label("Variant").select_option("rolit")
    points = page.get_by_role("table", name=re.compile("Expected rank points after"))
    expect(points.get_by_role("cell")).to_have_count(4)
    possible(page).last.hover()
    name = (possible(page).last.get_attribute("aria-label") or "").partition(",")[0]
    expect(points).to_contain_text(f"after {name}")
    check_accessible(page)
    page.goto(page.url.partition("?")[0] + "?spec=anti-10")
    expect(page.get_by_text(re.compile("Nothing can judge anti-10"))).to_be_visible()
    expect(figures(page)).to_have_count(0)
    cell(page, "e4").click()
    expect(current(page)).to_contain_text("e4")


def test_whoever_plays_is_not_helped(window: Callable[..., Window], server: Served) -> None:
    new = server.new_game("othello-6", "me", "random")
    page = window().open(f"/game/{new['game']}#{new['token']}")
    expect(page.get_by_role("button", name="Hint")).to_be_visible()
    expect(page.get_by_text("Analyse")).to_have_count(0)
    page.goto(f"{server.address}/analysis?game={new['game']}")
    expect(page.get_by_role("alert")).to_have_text(
        "This game is still being played. It can be analysed when it is over.")
    page.get_by_role("link", name="Analyse from the start").click()
    expect(figures(page)).to_have_count(4)


def test_many_ways_lead_there(window: Callable[..., Window], server: Served) -> None:
    stored(server, REVIEWED | {"players": ["Cleo", "Dan"]})
    page = window(size=PHONE).open("/watch")
    page.get_by_role("link", name="Analyse Cleo – Dan").click()
    expect(page.get_by_role("list", name="Players")).to_contain_text("Cleo")
    page.get_by_role("navigation", name="Main").get_by_role("link", name="Analysis").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Othello")
    page.goto(server.address + "/editor")
    page.get_by_role("button", name="Analyse").click()
    expect(figures(page)).to_have_count(4)
    page.evaluate("""() => {
      const data = new DataTransfer();
      data.setData('text/plain', 'f5d6c3');
      document.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data }));
    }""")
    expect(page.get_by_role("region", name="Moves")).to_contain_text("c3")
    assert "/analysis?game=" in page.url
