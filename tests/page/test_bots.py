"""Bots of the server on the page: chosen by their names, which are shown as text and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.testing.browser import Window
from tests.testing.page_games import (
    begin,
    check_result,
    choose_variant,
    play_to_the_end,
    set_option,
    set_seat,
)
from tests.testing.page_server import Served

BOT = """
import json, sys
for line in sys.stdin:
    print(json.dumps({"move": json.loads(line)["moves"][0]}), flush=True)
"""


@pytest.mark.slow
def test_a_game_against_a_bot_of_the_server(browser: Browser, tmp_path: Path) -> None:
    name = "<b>x & y.py"
    (tmp_path / "bots" / "ann").mkdir(parents=True)
    for file in (name, "ann/main.py"):
        (tmp_path / "bots" / file).write_text(BOT)
    with Served(tmp_path, "--bots", str(tmp_path / "bots"), "--trust") as server:
        window = Window(browser, server.address)
        page = window.open("/play")
        form = choose_variant(page, "Othello")
        set_option(form, "Size", "4")
        set_seat(form, "white", "Computer", "bot:ann")
        set_seat(form, "white", "Computer", f"bot:{name}")
        game = begin(page)
        expect(page.get_by_role("region", name="white").get_by_text(name, exact=True)).to_be_visible()
        play_to_the_end(page)
        assert check_result(page, server, game)["players"][1] == f"bot:{name}"
        complaints = window.complaints
        window.close()
    assert complaints == []
