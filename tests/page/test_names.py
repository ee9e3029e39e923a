"""Computer players have names for people on the page; records keep their specifications."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import expect

from tests.testing.browser import Window
from tests.testing.page_games import is_my_turn
from tests.testing.page_server import Served

NAMES = {
    "polyversi:level=3": "Polyversi, level 3",
    "polyversi:level=3,seed=7": "Polyversi, level 3",
    "polyversi": "Polyversi, level 20",
    "t77": "Tight grip",
    "matrix:gamma=0.5,depth=3": "Corner dodger (gamma=0.5, depth=3)",
    "Ann": "Ann", "Ann: the third": "Ann: the third", "xt: me": "xt: me", "t77:": "Tight grip",
    "constructor": "constructor", "gtp:edax -gtp": "gtp:edax -gtp", "": "",
}
"""What people read, by what records have."""


def test_computers_are_called_by_names_for_people(window: Callable[..., Window], server: Served) -> None:
    new = server.new_game("othello-6", "me", "polyversi:level=3")
    page = window().open(f"/game/{new['game']}#{new['token']}")
    assert is_my_turn(page)
    white = page.get_by_role("region", name="white")
    expect(white.get_by_text("Polyversi, level 3", exact=True)).to_be_visible()
    assert "Polyversi, level 3" in page.title()
    found = page.evaluate("""async (texts) => {
        const { playerName } = await import("/page/app/players.js");    // a copy without labels yet
        const { loadCatalogue } = await import("/page/app/api.js");
        playerName("");
        await loadCatalogue();
        await new Promise((done) => setTimeout(done));
        return texts.map(playerName);
    }""", list(NAMES))
    assert dict(zip(NAMES, found, strict=True)) == NAMES
    assert server.get(f"/api/games/{new['game']}")["players"][1] == "polyversi:level=3"
    page.goto(f"{server.address}/watch")
    card = page.locator(f"a[href='/game/{new['game']}']")
    expect(card.get_by_text("Polyversi, level 3", exact=True)).to_be_visible()
