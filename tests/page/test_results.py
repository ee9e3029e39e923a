"""The end of a game in words for whoever looks at it, and what comes after it."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.testing import http
from tests.testing.browser import PHONE, Size, Window, check_accessible
from tests.testing.marks import slow
from tests.testing.page_games import (
    await_position,
    begin,
    check_result,
    events_of,
    game_of,
    is_my_turn,
    play,
    play_to_the_end,
)
from tests.testing.page_scenes import middle_game
from tests.testing.page_server import Served

NOTEBOOK, ACROSS = (1280, 720), (844, 390)
LONG = "Wolfeschlegelsteinhausenbergerdorff Esq."
OVERLAPS = """(names) => {
  const seen = (one) => {
    const box = one.getBoundingClientRect();
    const side = one.closest('.game-side')?.getBoundingClientRect() ?? box;
    return { left: box.left, right: box.right, top: Math.max(box.top, side.top),
      bottom: Math.min(box.bottom, Math.max(side.top, side.bottom)) };
  };
  const boxes = names.flatMap((name) => [...document.querySelectorAll(name)]
    .map((one) => [name, seen(one)]));
  const apart = ([, one], [, other]) => one.right <= other.left + 1 || other.right <= one.left + 1
    || one.bottom <= other.top + 1 || other.bottom <= one.top + 1;
  return boxes.flatMap((one, at) => boxes.slice(at + 1).filter((other) => !apart(one, other))
    .map((other) => `${one[0]} and ${other[0]}`));
}"""
PARTS = [".seat-card", ".game-board", ".outcome", ".moves", ".status", ".steps", ".actions", ".replay"]


def check_layout(page: Page, size: Size) -> None:
    """Nothing covers anything else or is wider than the window; on wide screens the controls are in sight."""
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    if size != PHONE:    # whose controls stay at the bottom while the rest scrolls below them
        assert page.evaluate(OVERLAPS, PARTS) == []
        for part in (".board", ".steps", ".actions.always", ".seat-card >> nth=0", ".seat-card >> nth=1"):
            box = page.locator(part).bounding_box()
            assert box and box["y"] >= 0 and box["y"] + box["height"] <= size[1] + 0.5, part


@pytest.mark.parametrize(("size", "scheme"), [
    (NOTEBOOK, "light"), slow((1440, 900), "dark"), slow(ACROSS, "light"), slow(PHONE, "dark"),
])
def test_time_runs_out(window: Callable[..., Window], server: Served, size: Size, scheme: str) -> None:
    seats = [{"kind": "me", "name": LONG}, {"kind": "friend"}]
    new = server.post("/api/games", {"spec": "anti-6", "seats": seats, "limit": "bank=3"})
    bob = window(size=size, color_scheme=scheme).open(new["links"]["2"])
    bob.get_by_label("Your name").fill("Bob")
    bob.get_by_role("button", name="Play", exact=True).click()
    watcher = window(size=size, color_scheme=scheme).open(f"/game/{new['game']}")
    ann = window(size=size, color_scheme=scheme).open(f"/game/{new['game']}#{new['token']}")
    for page, title in ((ann, "You lost on time"), (bob, "You won on time"), (watcher, "Bob won on time")):
        expect(page.get_by_role("heading", level=2, name=title, exact=True)).to_be_visible()
        expect(page.get_by_role("region", name="black").get_by_role("timer")).to_have_text("0:00")
        expect(page.get_by_text("The score was 2–2.", exact=True)).to_be_visible()
        check_layout(page, size)
    check_accessible(bob)


@pytest.mark.slow
def test_a_stronger_opponent_after_a_game(window: Callable[..., Window], server: Served) -> None:
    new = server.new_game("anti-6", "me", "polyversi:level=5", limit="bank=600")
    page = window(size=NOTEBOOK).open(f"/game/{new['game']}#{new['token']}")
    assert is_my_turn(page)
    play_to_the_end(page)
    check_result(page, server, new["game"])
    expect(page.locator(".outcome")).to_contain_text("Fewest stones win.")
    check_layout(page, NOTEBOOK)
    expect(page.get_by_role("button", name="Play from here")).to_be_disabled()    # nothing is left to play
    page.get_by_role("button", name=re.compile("^Level 6")).click()
    page.wait_for_url(lambda url: "/game/" in url and new["game"] not in url)
    assert is_my_turn(page)
    info = server.get(f"/api/games/{game_of(page)}")
    assert info["players"][1].startswith("polyversi:level=6")
    assert info["limit"][0] == "bank=600"
    assert info["spec"] == "anti-6"


def test_another_opponent_begins_at_the_same_position(window: Callable[..., Window], server: Served) -> None:
    start = middle_game("othello-4", 4)
    new = server.new_game("othello-4", "me", "polyversi:level=5", position=start)
    page = window().open(f"/game/{new['game']}#{new['token']}")
    play_to_the_end(page)
    page.get_by_role("button", name=re.compile("^Level 6")).click()
    page.wait_for_url(lambda url: "/game/" in url and new["game"] not in url)
    record = http.get(f"{server.address}/games/{game_of(page)}.jsonl").json()
    assert record["start"] == start


@pytest.mark.parametrize("spec", ["othello", slow("hex"), slow("xt:torus,players=2")])
def test_any_position_is_played_from_or_edited(
    window: Callable[..., Window], server: Served, spec: str
) -> None:
    new = server.new_game(spec, "me", "me", position=middle_game(spec, 8))
    page = window().open(f"/game/{new['game']}#{new['token']}")
    for _ in range(3):
        assert is_my_turn(page)
        play(page)
    page.get_by_role("button", name="One move back").click()
    expect(page.get_by_text("You are looking at move 2 of 3.")).to_be_visible()
    line = events_of(server, new["game"])[2]["position"]
    page.locator(".notices").get_by_role("button", name="Play from here").click()
    page.wait_for_url("**/play?from=editor")
    game = begin(page)
    assert events_of(server, game)[0]["start"] == line
    page.goto(f"{server.address}/game/{new['game']}?ply=2")
    page.get_by_role("button", name="Edit position").click()
    page.wait_for_url("**/editor?from=game")
    info = server.get(f"/api/games/{new['game']}")
    await_position(page, info, line, title="Position being set up")
