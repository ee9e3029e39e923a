"""The arena view: rounds between two players, their pace, their seats, and what they are credited with."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from polyversi.players import PLAYERS
from tests.testing.browser import Window, check_accessible, take_picture
from tests.testing.page_games import await_position, grid
from tests.testing.page_server import Served

RED, BLUE = "rgb(200, 29, 58)", "rgb(29, 88, 184)"


def set_up(
    page: Page, *, variant: str, options: dict[str, str], players: tuple[str, str], delay: int
) -> None:
    """Chooses what is played, by whom, how fast."""
    page.get_by_label("Variant").select_option(variant)
    page.get_by_text(f"Options for {variant}").click()
    for name, value in options.items():
        field = page.get_by_role("spinbutton", name=name.capitalize(), exact=True)
        field.fill(value)
        field.blur()
    for seat, player in zip(("X (red)", "Y (blue)"), players, strict=True):
        page.get_by_label(f"Player for {seat}").select_option(player)
    fill(page.get_by_label("Delay between moves (ms)"), delay)


def fill(field: Locator, value: int) -> None:
    """Writes a number and leaves the field."""
    field.fill(str(value))
    field.blur()


def press(page: Page, name: str) -> None:
    """Presses one of the buttons of the desk."""
    page.get_by_role("button", name=name, exact=True).click()


def credits_of(page: Page) -> dict[str, list[str]]:
    """The table of what the players have gathered."""
    rows = page.get_by_role("table", name="Standings").locator("tbody tr").all()
    return {row.get_by_role("rowheader").inner_text(): row.get_by_role("cell").all_inner_texts()
            for row in rows}


def moves(page: Page) -> Locator:
    """The moves of the running game."""
    return page.get_by_role("list", name="Moves").get_by_role("listitem")


def rounds_of(server: Served, page: Page) -> list[dict[str, Any]]:
    """The games of the rounds that are listed, the first one first, as the server has them."""
    links = page.get_by_role("table", name="Rounds played").get_by_role("link").all()
    games = [(link.get_attribute("href") or "").rpartition("/")[2] for link in reversed(links)]
    return [server.get(f"/api/games/{game}") for game in games]


@pytest.mark.slow
def test_step_pause_go_on_and_both_delays(window: Callable[..., Window], server: Served) -> None:
    page = window(size=(1280, 720)).open("/arena")
    set_up(page, variant="Othello", options={"size": "4"}, players=("t77", "mobility"), delay=60_000)
    fill(page.get_by_label("Number of rounds"), 3)
    delay = page.get_by_label("Delay between moves (ms)")
    following = page.get_by_label("Delay for the next round (ms)")
    sentence = page.get_by_role("group", name="Delays").get_by_role("paragraph")
    expect(sentence).to_have_text("60 s between moves, now and in every round to come.")
    fill(following, 50_000)
    expect(sentence).to_have_text("60 s between moves in round 1, 50 s from round 2 on.")
    expect(page.get_by_text("Nothing is running yet.")).to_be_visible()
    press(page, "Step")
    page.wait_for_url("**/arena/*")
    expect(moves(page)).to_have_count(1)
    expect(page.get_by_text("Paused.")).to_be_visible()
    expect(delay).to_have_value("60000")    # the first round has the first delay, whatever comes later
    expect(following).to_have_value("50000")
    for region in (page.get_by_role("region", name="The running game"),
                   page.get_by_role("region", name="Standings"), page.locator("dl")):
        expect(region).to_be_in_viewport(ratio=0.9)    # side by side, without scrolling
    press(page, "Resume")
    expect(page.get_by_text("Running.")).to_be_visible()
    press(page, "Pause")
    expect(page.get_by_text("Paused.")).to_be_visible()
    check_accessible(page)
    while page.get_by_text("Round 1 of 3").is_visible():
        before = moves(page).count()
        press(page, "Step")
        page.get_by_text("Round 2 of 3").or_(moves(page).nth(before)).first.wait_for()
    expect(delay).to_have_value("50000")    # taken over, and said
    expect(following).to_have_value("")
    expect(sentence).to_have_text("50 s between moves, now and in every round to come.")
    press(page, "Resume")
    fill(following, 60_000)
    fill(delay, 0)    # counts at once: the second round ends
    expect(page.get_by_text("Round 3 of 3")).to_be_visible()
    expect(delay).to_have_value("60000")
    expect(following).to_be_disabled()
    expect(sentence).to_have_text("60 s between moves in this round, the last one.")
    fill(delay, 0)
    expect(page.get_by_text("Finished.")).to_be_visible()
    assert [game["players"] for game in rounds_of(server, page)] == [["t77", "mobility"]] * 3


def test_ten_games_credit_players_after_they_change_seats(
    window: Callable[..., Window], server: Served
) -> None:
    page = window().open("/arena")
    set_up(page, variant="Othello", options={"size": "4"}, players=("greedy", "random"), delay=0)
    press(page, "Ten games")
    expect(page.get_by_text("Finished.")).to_be_visible()
    expect(page.get_by_role("table", name="Rounds played").get_by_role("link")).to_have_count(10)
    games = rounds_of(server, page)
    assert [game["players"] for game in games] == [["greedy", "random"]] * 5 + [["random", "greedy"]] * 5
    wins, stones, draws = {"greedy": 0, "random": 0}, {"greedy": 0, "random": 0}, 0
    for game in games:
        result = game["result"]
        for player, score in zip(game["players"], result["scores"], strict=True):
            stones[player] += score
        first = [player for player, rank in zip(game["players"], result["ranks"], strict=True) if rank == 1]
        if len(first) == 1:
            wins[first[0]] += 1
        else:
            draws += 1
    told = credits_of(page)
    assert told["Wins"] == [str(wins["greedy"]), str(wins["random"])]
    assert told["Stones in all"] == [str(stones["greedy"]), str(stones["random"])]
    best = PLAYERS[max(wins, key=lambda player: wins[player])].label if len({*wins.values()}) > 1 else "draw"
    expect(page.locator("dl")).to_have_text(re.compile(rf"Draws\s*{draws}\s*Winner\s*{best}"))
    expect(page.get_by_role("table", name="Standings").get_by_role("textbox")).to_have_count(0)


@pytest.mark.slow
def test_x_is_red_and_y_is_blue(window: Callable[..., Window], server: Served) -> None:
    page = window().open("/arena")
    set_up(page, variant="Othello", options={"size": "6"}, players=("t77", "random"), delay=60_000)
    press(page, "Step")
    expect(moves(page)).to_have_count(1)
    game = server.get("/api/arena")[0]["game"]
    info = server.get(f"/api/games/{game}")
    assert [seat["name"] for seat in info["description"]["plan"]["seats"]] == ["red", "blue"]
    await_position(page, info, title="The running game", empty="")
    stops = page.locator(".arena-board radialGradient").evaluate_all(
        "all => all.map((one) => getComputedStyle(one.children[1]).stopColor)")
    assert stops[1:] == [RED, BLUE]
    for seat in ("X (red)", "Y (blue)"):
        expect(page.get_by_role("cell", name=seat, exact=True)).to_be_visible()
    press(page, "Stop")
    expect(page.get_by_text("Stopped.")).to_be_visible()
    expect(page.get_by_text("aborted")).to_be_visible()
    page.get_by_role("link", name="Round 1").click()    # the record has the same colours
    grid(page).get_by_role("gridcell", name=re.compile(", red")).first.wait_for()


def test_who_has_not_set_it_up_has_no_controls(window: Callable[..., Window]) -> None:
    page = window().open("/arena")
    set_up(page, variant="Othello", options={"size": "6"}, players=("t77", "random"), delay=60_000)
    press(page, "Step")
    expect(moves(page)).to_have_count(1)
    visitor = window().open(page.url.partition(page.url.split("/arena")[0])[2])
    notice = "You are watching. Only the browser that started this series can control it."
    expect(visitor.get_by_text(notice)).to_be_visible()
    expect(moves(visitor)).to_have_count(1)
    for name in ("Start", "Resume", "Pause", "Step", "Stop", "Ten games"):
        expect(visitor.get_by_role("button", name=name, exact=True)).to_have_count(0)
    expect(visitor.get_by_label("Delay between moves (ms)")).to_have_count(0)
    press(page, "Step")
    expect(moves(visitor)).to_have_count(2)


@pytest.mark.slow
def test_ten_games_half_way(window: Callable[..., Window]) -> None:
    page = window(size=(1280, 1120)).open("/arena")
    set_up(page, variant="HexaReversi", options={"side": "5"}, players=("t77", "mobility"), delay=15)
    press(page, "Ten games")
    expect(page.get_by_text("seats swapped")).to_be_visible()
    press(page, "Pause")
    expect(page.get_by_text("Paused.")).to_be_visible()
    check_accessible(page)
    page.mouse.move(0, 0)
    take_picture(page, "arena")
    press(page, "Stop")
