"""Lost connections: a server that is killed and started again, and a browser that is offline for a while."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.testing.browser import Window
from tests.testing.page_games import (
    await_ply,
    await_position,
    check_result,
    is_my_turn,
    play,
    play_to_the_end,
    played,
    wanted,
)
from tests.testing.page_server import Served

FAILED = "WebSocket connection to"
"""What Chromium itself writes of every connection that fails."""
ICON = "error: Failed to load resource: net::"
"""What it writes when it looks after the icon of the page, as it likes to, and there is no server."""


@pytest.fixture
def mortal(tmp_path: Path) -> Iterator[Served]:
    """A server that may be killed."""
    with Served(tmp_path) as served:
        yield served


@pytest.fixture
def patient(browser: Browser, mortal: Served) -> Iterator[Window]:
    """A window on it, which must be quiet but for failed connections."""
    window = Window(browser, mortal.address, may_complain=FAILED)
    yield window
    window.close()
    assert [complaint for complaint in window.complaints if ICON not in complaint] == []


@pytest.mark.slow
def test_a_killed_server_costs_no_move(mortal: Served, patient: Window) -> None:
    new = mortal.new_game("othello-4", "me", "t77", limit="bank=600")
    page = patient.open(f"/game/{new['game']}#{new['token']}")
    assert is_my_turn(page)
    play(page)
    assert is_my_turn(page)
    page.wait_for_load_state("networkidle")
    before = mortal.get(f"/api/games/{new['game']}")
    lost = page.get_by_role("status").get_by_text("Reconnecting…")
    expect(lost).to_have_count(0)
    mortal.kill()
    expect(lost).to_be_visible()
    await_position(page, before)
    wanted(page).click()    # played while nobody hears it: drawn at once, sent when somebody does
    expect(page.get_by_text("Sending your move…")).to_be_visible()
    mortal.start()
    await_ply(page, before["plies"] + 1)
    expect(lost).to_have_count(0)
    play_to_the_end(page)
    info = check_result(page, mortal, new["game"])
    stones = info["position"].split()[0].replace("-", "")
    assert len(stones) == 4 + sum(move != "pass" for move in played(page))


@pytest.mark.slow
def test_a_server_killed_at_the_moment_of_a_move_has_it_once(mortal: Served, patient: Window) -> None:
    new = mortal.new_game("othello-6", "me", "me")
    page = patient.open(f"/game/{new['game']}#{new['token']}")
    spectator = patient.another(f"/game/{new['game']}")
    for one in (page, spectator):
        one.wait_for_load_state("networkidle")
    for number in range(1, 4):
        assert is_my_turn(page)
        wanted(page).click()
        mortal.kill()
        mortal.start()
        await_ply(page, number)
        await_ply(spectator, number)
    assert is_my_turn(page)
    info = mortal.get(f"/api/games/{new['game']}")
    assert info["plies"] == len(played(page)) == len(played(spectator)) == 3
    for one in (page, spectator):
        await_position(one, info)


def test_a_browser_that_was_offline_catches_up(mortal: Served, patient: Window) -> None:
    new = mortal.new_game("othello-6", "me", "me")
    page = patient.open(f"/game/{new['game']}#{new['token']}")
    assert is_my_turn(page)
    page.wait_for_load_state("networkidle")
    page.context.set_offline(True)
    mortal.kill()    # an open WebSocket does not notice that its browser is offline; a new one does
    mortal.start()
    expect(page.get_by_text("Reconnecting…")).to_be_visible()
    wanted(page).click()
    expect(page.get_by_text("Sending your move…")).to_be_visible()
    assert mortal.get(f"/api/games/{new['game']}")["plies"] == 0
    page.context.set_offline(False)
    await_ply(page, 1)
    expect(page.get_by_text("Reconnecting…")).to_have_count(0)
    await_position(page, mortal.get(f"/api/games/{new['game']}"))
