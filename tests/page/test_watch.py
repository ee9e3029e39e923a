"""The watch view: games going on and recent ones, replays, links to a ply, downloads, record files."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from polyversi.players import PLAYERS
from tests.testing.browser import Window, check_accessible, take_picture
from tests.testing.page_games import await_position, events_of, game_of, is_my_turn, played
from tests.testing.page_scenes import begun
from tests.testing.page_server import Served

BEGINNINGS = {
    "Moves as text": b"", "Record (JSON Lines)": b"{", "Record (GGF)": b"(;GM[", "Picture (SVG)": b"<svg",
    "Picture (PNG)": b"\x89PNG", "Animation (GIF)": b"GIF89a",
}


@pytest.fixture(scope="session")
def over(server: Served) -> dict[str, Any]:
    """A game that two computers have played to its end."""
    return played_out(server, "t77", "mobility")


def played_out(server: Served, one: str, other: str) -> dict[str, Any]:
    """A game of Othello between two players, when it is over."""
    new = server.new_game("othello", one, other)
    with server.visit(new["game"]) as visitor:
        while getattr(visitor.hear(), "kind", "") != "end":
            continue
    info: dict[str, Any] = server.get(f"/api/games/{new['game']}")
    return info


def position_at(server: Served, game: str, ply: int) -> str:
    """The position line after so many moves."""
    return str(events_of(server, game)[ply]["position"])


@pytest.mark.slow
def test_games_going_on_and_recent_ones_are_listed(
    window: Callable[..., Window], server: Served, over: dict[str, Any]
) -> None:
    new = server.new_game("rolit", "me", "random", "random", "random")
    page = window().open("/watch")
    running = page.get_by_role("region", name=re.compile("Running games"))
    board = page.get_by_role("img", name="Board of a game of Rolit")
    card = running.get_by_role("link").filter(has=board).first
    expect(card.get_by_text("0 moves")).to_be_visible()
    rows = page.get_by_role("table", name="Recent games").get_by_role("row")
    row = rows.filter(has=page.locator(f"a[href='/game/{over['id']}']"))
    ended = sorted(zip(over["result"]["ranks"], over["result"]["scores"], over["players"], strict=True))
    score = "–".join(str(stones) for _, stones, _ in ended)
    winner = PLAYERS[ended[0][2]].label
    expect(row).to_contain_text(f"Draw, {score}" if ended[1][0] == 1 else f"{winner} won {score}")
    page.get_by_label("Variant").select_option("Rolit")
    expect(row).to_have_count(0)
    page.get_by_text("Computers", exact=True).click()
    expect(card).to_have_count(0)
    page.get_by_text("With people", exact=True).click()
    expect(card).to_be_visible()
    page.reload()    # the address has the filters
    expect(page.get_by_label("With people")).to_be_checked()
    player = window().open(f"/game/{new['game']}#{new['token']}")
    assert is_my_turn(player)
    player.get_by_role("gridcell", name=re.compile(", legal")).first.click()
    expect(card.get_by_text("4 moves")).to_be_visible()
    card.click()
    assert game_of(page) == new["game"]
    expect(player.get_by_text("1 watching")).to_be_visible()


def test_a_replay_with_a_slider(window: Callable[..., Window], server: Served, over: dict[str, Any]) -> None:
    page = window().open(f"/game/{over['id']}")
    await_position(page, over)
    replay = page.get_by_role("region", name="Replay")
    slider = replay.get_by_role("slider", name=re.compile("Position"))
    last = over["plies"]
    expect(slider).to_have_attribute("aria-valuetext", f"Move {last} of {last}")
    slider.fill("10")
    await_position(page, over, position_at(server, over["id"], 10))
    slider.focus()
    page.keyboard.press("ArrowRight")
    await_position(page, over, position_at(server, over["id"], 11))
    page.keyboard.press("Home")
    expect(slider).to_have_attribute("aria-valuetext", f"Start ({last} moves)")
    replay.get_by_label("Speed").select_option("Fast")
    replay.get_by_role("button", name="Play the moves").click()
    expect(slider).to_have_attribute("aria-valuetext", re.compile(rf"^Move \d+ of {last}$"))
    replay.get_by_role("button", name="Pause").click()
    check_accessible(page)


@pytest.mark.slow
def test_a_link_to_a_ply(window: Callable[..., Window], server: Served, over: dict[str, Any]) -> None:
    one = window(permissions=["clipboard-read", "clipboard-write"])
    page = one.open(f"/game/{over['id']}?ply=23")
    await_position(page, over, position_at(server, over["id"], 23))
    page.get_by_role("button", name="One move back").click()
    page.get_by_role("button", name="Share and save").click()
    menu = page.get_by_role("group", name="Share and save")
    check_accessible(page)
    menu.get_by_role("button", name="Copy a link to this position").click()
    expect(menu.get_by_role("button", name="Copied")).to_be_visible()
    link = page.evaluate("navigator.clipboard.readText()")
    assert link == f"{one.address}/game/{over['id']}?ply=22"
    other = window().open(link.removeprefix(one.address))
    await_position(other, over, position_at(server, over["id"], 22))


@pytest.mark.slow
def test_a_game_can_be_taken_away(window: Callable[..., Window], over: dict[str, Any]) -> None:
    page = window().open(f"/game/{over['id']}")
    await_position(page, over)
    for name, beginning in BEGINNINGS.items():
        page.get_by_role("button", name="Share and save").click()
        with page.expect_download() as coming:
            page.get_by_role("link", name=name).click()
        data = Path(coming.value.path()).read_bytes()
        assert data.startswith(beginning), name
        assert coming.value.suggested_filename.startswith(f"polyversi-{over['id']}.")
        if name == "Moves as text":
            assert all(move in data.decode() for move in played(page))
        page.keyboard.press("Escape")


def test_a_record_file_is_opened(
    window: Callable[..., Window], server: Served, over: dict[str, Any], tmp_path: Path
) -> None:
    page = window().open(f"/game/{over['id']}")
    page.get_by_role("button", name="Share and save").click()
    with page.expect_download() as coming:
        page.get_by_role("link", name="Record (JSON Lines)").click()
    record = tmp_path / "game.jsonl"
    coming.value.save_as(record)
    page.goto(server.address + "/watch")
    with page.expect_file_chooser() as choosing:
        page.get_by_role("button", name="Open a file").click()
    choosing.value.set_files(record)
    page.wait_for_url("**/game/*")
    assert game_of(page) != over["id"]
    await_position(page, over)
    expect(page.get_by_role("region", name="Replay")).to_be_visible()


def test_a_file_that_is_no_record_is_refused_in_a_sentence(
    window: Callable[..., Window], server: Served, tmp_path: Path
) -> None:
    bad = tmp_path / "bad.jsonl"
    bad.write_text("this is no record\n")
    page = window(may_complain="400").open("/watch")
    with page.expect_file_chooser() as choosing:
        page.get_by_role("button", name="Open a file").click()
    choosing.value.set_files(bad)
    expect(page.get_by_role("alert")).to_have_text(re.compile(r"\w+ \w+"))


@pytest.mark.slow
def test_several_games_at_once(browser: Browser, tmp_path: Path) -> None:
    with Served(tmp_path) as server:
        for one, other in (("t77", "mobility"), ("six-factor:level=1", "t34"), ("greedy", "t77")):
            played_out(server, one, other)
        begun(server, "octagon", ["Eve", "Finn"], 15)
        begun(server, "xt:torus,players=2", ["Cleo", "Dan"], 14)
        begun(server, "rolit", ["Ann", "Bob", "Cleo", "Dan"], 26)
        begun(server, "hex", ["Ann", "Bob"], 17, seed=3)    # from some starts both pass at once
        window = Window(browser, server.address)
        page = window.open("/watch")
        expect(page.get_by_role("img", name=re.compile("Board of a game"))).to_have_count(4)
        expect(page.get_by_role("table", name="Recent games").locator("tbody tr")).to_have_count(3)
        page.wait_for_load_state("networkidle")
        check_accessible(page)
        take_picture(page, "watch")
        window.close()
        assert window.complaints == []
