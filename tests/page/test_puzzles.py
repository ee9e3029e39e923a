"""Puzzles on the page: a move is tried and judged, the solution is played, and what was solved is kept."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import httpx
import msgspec
from playwright.sync_api import Locator, Page, expect

import polyversi as pv
from polyversi.engines.puzzles import GRADES, KINDS, Puzzle, daily
from polyversi.games.state import State
from polyversi.server.catalogue import description
from tests.testing import http
from tests.testing.browser import PHONE, Window, check_accessible, expect_announced
from tests.testing.page_games import await_position, cell
from tests.testing.page_server import Served


def verdict(page: Page) -> Locator:
    return page.locator(".puzzle-verdict")


def await_state(page: Page, state: State) -> None:
    """Waits until the board shows a position."""
    told = msgspec.to_builtins(description(state.game))
    await_position(page, {"description": told, "position": state.text})


def signed(value: int) -> str:
    """A value as the page writes it."""
    return f"{value:+}".replace("-", "−").replace("+0", "0")


def figure(page: Page, name: str) -> Locator:
    """What is counted under a heading."""
    return page.locator(".puzzle-figures div").filter(has_text=name).locator("dd")


def long_puzzle() -> Puzzle:
    """A puzzle with a wrong move that is answered, and with a second move to be found."""
    found = (one for one in pv.puzzles("othello", kind="win")
             if len(one.steps) == 2 and one.steps[0].answers[1].reply is not None)
    return next(one for one in found if one.line[1] == one.steps[0].solution.reply)


def test_a_puzzle_is_solved_move_by_move(window: Callable[..., Window], server: Served) -> None:
    puzzle = long_puzzle()
    first, second = puzzle.steps
    wrong = first.answers[1]
    page = window().open(f"/puzzles/{puzzle.id}")
    seat = ("Black", "White")[puzzle.state.next_seat - 1]
    expect(page.get_by_text(f"Find the only move with which {seat} wins.")).to_be_visible()
    await_state(page, puzzle.state)
    assert page.locator(".board-figure").count() == 0    # nothing is given away
    cell(page, str(wrong.move)).click()
    expect(verdict(page)).to_contain_text(f"{wrong.move} does not win. ")
    expect(verdict(page)).to_contain_text(f"The best reply is {wrong.reply}.")
    assert wrong.reply is not None
    await_state(page, puzzle.state.play(wrong.move).play(wrong.reply))
    expect(page.locator(".board-figure")).to_have_text(signed(wrong.value))
    expect_announced(page, "does not win")
    check_accessible(page)
    page.keyboard.press("r")    # takes it back, and goes to the board
    await_state(page, puzzle.state)
    expect(page.get_by_role("grid", name="Board")).to_be_focused()
    cell(page, str(first.solution.move)).click()
    expect(verdict(page)).to_contain_text(re.compile(r"^Right! .* How does it go on\?$"))
    await_state(page, second.state)
    page.keyboard.press("b")
    cell(page, str(second.solution.move)).click()
    expect(verdict(page)).to_contain_text(f"Solved! {seat} wins by {puzzle.value} stone")
    values = page.get_by_role("region", name="Exact values").get_by_role("listitem")
    expect(values).to_have_text([f"{one.move} {signed(one.value)}" for one in second.answers])
    expect(page.locator(".board-figure")).to_have_count(len(second.answers))
    page.get_by_role("button", name="To the start").click()
    await_state(page, puzzle.state)
    expect(values).to_have_count(len(first.answers))
    expect(figure(page, "Solved")).to_have_text("1 of 60")
    expect(figure(page, "Right in a row")).to_have_text("0")
    analyse = page.get_by_role("link", name="Analyse")
    assert f"position={puzzle.state.text.split()[0]}" in (analyse.get_attribute("href") or "")

    page.get_by_label("Kind").select_option("Best move")    # goes to one of that kind
    expect(page.get_by_text("Find the best move of")).to_be_visible()
    name = page.url.rpartition("/")[2]
    best = next(one for one in pv.puzzles("othello", kind="best") if one.id == name)
    for step in best.steps:
        await_state(page, step.state)
        cell(page, str(step.solution.move)).click()
    expect(verdict(page)).to_contain_text("Solved!")
    expect(figure(page, "Right in a row")).to_have_text("1")
    page.reload()
    expect(figure(page, "Solved")).to_have_text("2 of 60")
    page.keyboard.press("n")
    page.wait_for_url(lambda url: not url.endswith(name))    # to another one of that kind
    following = next(one for one in pv.puzzles("othello") if page.url.endswith(one.id))
    assert following.kind == "best"
    await_state(page, following.state)


def test_the_puzzle_of_the_day_and_other_boards(window: Callable[..., Window], server: Served) -> None:
    today = daily(pv.puzzles("othello"), datetime.now(UTC).date())
    page = window(size=PHONE, reduced_motion="reduce").open("/")
    page.get_by_role("link", name="Puzzle of the day").click()
    expect(page.get_by_role("heading", level=1, name="Puzzle of the day")).to_be_visible()
    await_state(page, today.state)
    page.get_by_role("button", name="Show the solution").click()
    expect(verdict(page)).to_contain_text(f"The solution: {today.solution}")
    await_state(page, today.states[-1])    # played to the end of the game
    expect(figure(page, "Days in a row")).to_have_text("0")
    page.reload()
    for step in today.steps:
        await_state(page, step.state)
        cell(page, str(step.solution.move)).click()
    expect(figure(page, "Days in a row")).to_have_text("1")

    page.get_by_label("Variant").select_option("hex")    # which has a puzzle of the day of its own
    await_state(page, daily(pv.puzzles("hex"), datetime.now(UTC).date()).state)
    page.get_by_role("button", name="Pass", exact=True).click()    # where one may pass at any time
    expect(verdict(page)).to_contain_text(re.compile("^(Pass does not win|There is a better move than Pass)"))
    check_accessible(page)
    page.get_by_label("Variant").select_option("anti")
    page.get_by_label("Kind").select_option("Wipe-out")
    expect(page.get_by_text("No puzzle here is of this kind and grade.")).to_be_visible()
    page = window(may_complain="404").open("/puzzles/0123456789")
    expect(page.get_by_role("alert")).to_contain_text("There is no such puzzle.")
    page.get_by_role("link", name="Puzzle of the day").click()
    expect(page.get_by_role("heading", name="Puzzle of the day")).to_be_visible()


def asked(server: Served, path: str) -> httpx.Response:
    return http.get(server.address + path)


def test_what_the_server_tells_of_puzzles(server: Served) -> None:
    listed = server.get("/api/puzzles?spec=anti&kind=win")
    wins = pv.puzzles("anti", kind="win")
    assert [one["id"] for one in listed["puzzles"]] == [one.id for one in wins] and listed["next"] is None
    after = server.get(f"/api/puzzles?spec=anti&kind=win&after={wins[2].id}")
    assert [one["id"] for one in after["puzzles"]] == [one.id for one in wins[3:]]
    assert after["total"] == len(wins)
    assert [one["name"] for one in listed["kinds"]] == list(KINDS) and listed["grades"] == list(GRADES)
    graded = server.get("/api/puzzles?grade=5")["puzzles"]
    assert {one["grade"] for one in graded} == {5} and len(graded) == len(pv.puzzles("othello", grade=5))
    daily_one = server.get("/api/puzzles/daily?spec=hex")
    assert daily_one["id"] == daily(pv.puzzles("hex"), datetime.fromisoformat(daily_one["date"]).date()).id
    for spec in ("hex", "reversi"):
        puzzle = pv.puzzles(spec)[0]
        told = server.get(f"/api/puzzles/{puzzle.id}")
        states = puzzle.states
        for before, move in zip(states, told["line"], strict=False):
            check_move(before, move)
        for step in told["steps"]:
            state = states[step["ply"]]
            assert step["position"] == state.text
            assert {one["move"] for one in step["answers"]} == {*map(str, state.moves)}
            for one in step["answers"]:
                check_move(state, one)
                if one["reply"]:
                    check_move(state.play(one["move"]), one["reply"])
    for path, status, words in (
        ("?spec=rolit", 400, "there are no puzzles of rolit"), ("?spec=xt:/etc/passwd", 400, "there is no"),
        ("?kind=mate", 400, "there is no kind"), ("?grade=6", 400, "a number from 1 to 5"),
        ("?after=x", 404, "no such puzzle"), ("/nothing", 404, "no such puzzle"),
        ("/daily?spec=x", 400, "no variant"),
        ("?spec=" + 5000 * "x", 400, "a game is named by a variant"),
    ):
        answer = asked(server, f"/api/puzzles{path}")
        assert answer.status_code == status and words in answer.json()["problem"]


def check_move(state: State, told: dict[str, Any]) -> None:
    """What is told of a move is what the rules say of it."""
    move = state.game.move(told["move"])
    assert state.play(move).text == told["position"]
    assert told["turned"] == ([] if move.is_pass else list(state.turned(move)))
    assert told["cell"] == (-1 if move.is_pass else move.cell)
