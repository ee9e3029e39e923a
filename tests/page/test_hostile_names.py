"""Names that visitors choose are shown as text: no markup, no script."""

from __future__ import annotations

import json
from collections.abc import Callable

from playwright.sync_api import expect

from tests.testing import http
from tests.testing.browser import Window
from tests.testing.page_server import Served

PICTURE, SCRIPT = "<img src=x onerror=owned=1>", "<script>owned=1</script>"


def test_scripts_in_names_are_shown_and_never_run(window: Callable[..., Window], server: Served) -> None:
    record = {"polyversi": 1, "game": "othello", "players": [PICTURE, SCRIPT], "moves": ["f5"]}
    uploaded = http.post(f"{server.address}/api/records", content=json.dumps(record))
    seats = [{"kind": "me", "name": PICTURE}, {"kind": "computer", "player": "random"}]
    new = server.post("/api/games", {"spec": "othello-4", "seats": seats})
    for path in ("/watch", f"/game/{uploaded.json()['games'][0]}", f"/game/{new['game']}"):
        page = window().open(path)
        expect(page.get_by_text(PICTURE).first).to_be_visible()
        assert page.evaluate("typeof owned") == "undefined"
        expect(page.locator("img[src=x]")).to_have_count(0)
