"""What one sees and can do within a game: marks, clocks, passes, hint, undo, looking back, sound, rematch."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.testing.browser import Window, expect_announced
from tests.testing.page_games import (
    await_ply,
    await_position,
    cell,
    check_result,
    events_of,
    is_my_turn,
    play,
    play_to_the_end,
    played,
    possible,
)
from tests.testing.page_server import Served

LISTENS = """() => {
  window.heard = 0;
  const start = OscillatorNode.prototype.start;
  OscillatorNode.prototype.start = function (...when) { window.heard += 1; return start.apply(this, when); };
}"""


def opened(
    window: Callable[..., Window], server: Served, spec: str, *seats: str, **more: Any
) -> tuple[Page, str]:
    """A game of one's own, opened by its link and waiting for one's move; its id."""
    new = server.new_game(spec, *(seats or ("me", "t77")), **more)
    page = window().open(f"/game/{new['game']}#{new['token']}")
    assert is_my_turn(page)
    return page, new["game"]


def test_marks_show_what_is_possible_what_it_would_turn_and_what_was_done(
    window: Callable[..., Window], server: Served
) -> None:
    page, game = opened(window, server, "othello")
    dots = page.locator(".board-dots-inner").first
    expect(possible(page)).to_have_count(4)
    assert (dots.get_attribute("d") or "").count("M") == 4
    expect(page.locator(".board-ghost")).to_have_count(0)
    cell(page, "d3").hover()
    expect(page.locator(".board-ghost")).to_have_count(1)
    expect(page.locator(".board-would")).to_have_count(1)
    cell(page, "a1").hover()
    expect(page.locator(".board-ghost")).to_have_count(0)
    play(page, "d3")
    assert is_my_turn(page)
    answer = played(page)[1]
    expect(page.get_by_role("gridcell", name=re.compile(", last move"))).to_have_count(1)
    expect(cell(page, answer)).to_have_accessible_name(re.compile(f"^{answer}, white, last move"))
    expect(page.locator(".board-last")).to_be_visible()
    assert (page.locator(".board-turned").get_attribute("d") or "").count("M") == 1
    await_position(page, server.get(f"/api/games/{game}"))


def test_clocks_run_as_the_server_says(window: Callable[..., Window], server: Served) -> None:
    page, game = opened(window, server, "othello-4", limit="bank=300")
    clock = page.get_by_role("region", name="black").get_by_role("timer")
    before = clock.inner_text()
    page.wait_for_function(
        "(before) => document.querySelector('.clock.running').textContent < before", arg=before)
    play_to_the_end(page)
    ends = [event for event in events_of(server, game) if "clocks" in event]
    for seat, left in zip(("black", "white"), ends[-1]["clocks"], strict=True):
        whole = -int(-left // 1)
        told = page.get_by_role("region", name=seat).get_by_role("timer")
        expect(told).to_have_text(f"{whole // 60}:{whole % 60:02}")


@pytest.mark.parametrize(("position", "move", "banner"), [
    ("XOOOOOXO-OOOOOOXOO-OXXXOOOOOOOOOOO-- X", "c2", "White has no legal move and passes."),
    ("O-OXXXOOOXXXOOOXOXOOXXXOOX-XOO--XOOO X", "b1", "You have no legal move, so you pass."),
], ids=["theirs", "ours"])
def test_a_forced_pass_is_told(
    window: Callable[..., Window], server: Served, position: str, move: str, banner: str
) -> None:
    page, game = opened(window, server, "othello-6", position=position)
    expect(page.get_by_role("button", name="Pass", exact=True)).to_have_count(0)
    play(page, move)
    expect(page.get_by_text(banner)).to_be_visible()
    assert "pass" in played(page)
    play_to_the_end(page)
    check_result(page, server, game)


def test_hint_and_undo(window: Callable[..., Window], server: Served) -> None:
    page, game = opened(window, server, "othello-6")
    mark = page.locator(".board-hint")
    expect(mark).to_be_hidden()
    expect(page.get_by_role("button", name="Take back")).to_be_disabled()
    page.get_by_role("button", name="Hint").click()
    expect(mark).to_be_visible()
    expect_announced(page, re.compile(r"Hint: [a-f][1-6], value ([+−]\d+|0)\."))
    expect(page.locator(".board-figures")).to_have_text(re.compile(r"^([+−]\d+|0)$"))
    play(page)
    assert is_my_turn(page)
    expect(mark).to_be_hidden()
    expect(page.locator(".board-figures")).to_have_text("")
    page.get_by_role("button", name="Take back").click()
    expect(page.get_by_text("No moves yet.")).to_be_visible()
    assert is_my_turn(page)
    assert server.get(f"/api/games/{game}")["plies"] == 0
    await_position(page, server.get(f"/api/games/{game}"))
    play(page)
    await_ply(page, 2)


def test_looking_back_does_not_disturb_the_game(window: Callable[..., Window], server: Served) -> None:
    page, game = opened(window, server, "othello-6")
    for _ in range(2):
        play(page)
        assert is_my_turn(page)
    info = server.get(f"/api/games/{game}")
    lines = [event.get("start") or event["position"] for event in events_of(server, game)]
    page.get_by_role("heading", level=1).click()
    page.keyboard.press("ArrowLeft")
    expect(page.get_by_text("You are looking at move 3 of 4")).to_be_visible()
    await_position(page, info, lines[3])
    expect(possible(page)).to_have_count(0)
    page.keyboard.press("Home")
    expect(page.get_by_text("You are looking at the start")).to_be_visible()
    await_position(page, info, lines[0])
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("button", name=re.compile("^Move 1,"))).to_have_attribute("aria-current", "step")
    page.get_by_role("button", name=re.compile("^Move 2,")).click()
    await_position(page, info, lines[2])
    page.keyboard.press("End")
    expect(page.get_by_text("You are looking")).to_have_count(0)
    await_position(page, info, lines[4])
    assert server.get(f"/api/games/{game}")["plies"] == 4
    page.keyboard.press("Home")
    page.get_by_role("button", name="Back to the game").click()
    play(page)


def test_resign_and_rematch_with_seats_changed(window: Callable[..., Window], server: Served) -> None:
    page, game = opened(window, server, "othello-6")
    page.get_by_role("button", name="Resign").click()
    sure = page.get_by_role("group", name="Resign the game?")
    sure.get_by_role("button", name="No").click()
    page.get_by_role("button", name="Resign").click()
    sure.get_by_role("button", name="Resign").click()
    expect(page.get_by_role("heading", name="You resigned", exact=True)).to_be_visible()
    expect(page.get_by_text("The score was 2–2.", exact=True)).to_be_visible()
    assert server.get(f"/api/games/{game}")["result"]["verdict"]["kind"] == "resigned"
    page.get_by_role("button", name="Rematch").click()
    page.wait_for_url(lambda url: "/game/" in url and game not in url)
    expect(page.get_by_role("region", name="white").get_by_text("you", exact=True)).to_be_visible()
    assert is_my_turn(page)
    assert len(played(page)) == 1


@pytest.mark.slow
def test_moves_are_heard_until_the_sound_is_off(window: Callable[..., Window], server: Served) -> None:
    page, _ = opened(window, server, "othello-6")
    page.evaluate(LISTENS)
    play(page)
    assert is_my_turn(page)
    assert page.evaluate("heard") > 0
    page.get_by_role("button", name="Sound off").click()
    expect(page.get_by_role("button", name="Sound on")).to_be_visible()
    before = page.evaluate("heard")
    play(page)
    assert is_my_turn(page)
    assert page.evaluate("heard") == before
    page.reload()
    expect(page.get_by_role("button", name="Sound on")).to_be_visible()


@pytest.mark.slow
def test_patterns_and_coordinates_are_settings(window: Callable[..., Window], server: Served) -> None:
    page, game = opened(window, server, "othello-6")
    expect(page.locator(".board-pattern")).to_have_count(0)
    page.get_by_role("link", name="Settings").click()
    page.get_by_label("Patterns on stones").check()
    page.get_by_role("group", name="Names of columns and rows").get_by_label("None").check()
    page.go_back()
    assert is_my_turn(page)
    white = [tile for tile in server.get(f"/api/games/{game}")["position"].split()[0] if tile == "O"]
    expect(page.locator(".board-pattern")).to_have_count(len(white))
    expect(page.get_by_text("a", exact=True).first).to_be_hidden()
