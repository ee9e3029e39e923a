"""What the page tells of the server's store: when it cannot be written, and how large it is."""

from __future__ import annotations

import re
import resource
import time
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from polyversi.storage.games import Store, StoredGame, StoredSeat
from tests.testing import http
from tests.testing.browser import Window
from tests.testing.page_server import Served

DAY = 86_400.0
NOTICE = re.compile("The server cannot store anything just now")
WANTED = {"spec": "othello-4", "seats": [{"kind": "me"}, {"kind": "friend"}]}


@pytest.mark.slow
def test_a_store_that_cannot_be_written_is_told_on_every_view(browser: Browser, tmp_path: Path) -> None:
    with Served(tmp_path) as server:
        new = server.new_game("othello-4", "me", "friend")
        before = resource.prlimit(server.pid, resource.RLIMIT_FSIZE)
        resource.prlimit(server.pid, resource.RLIMIT_FSIZE, (1024, before[1]))    # as if the disk were full
        answer = http.post(f"{server.address}/api/games", json=WANTED)
        assert answer.status_code == 503
        window = Window(browser, server.address)
        for view in ("/play", "/arena", "/watch", f"/game/{new['game']}"):
            expect(window.open(view).get_by_role("alert").filter(has_text=NOTICE)).to_be_visible()
        resource.prlimit(server.pid, resource.RLIMIT_FSIZE, before)
        expect(window.page.get_by_role("alert").filter(has_text=NOTICE)).to_have_count(0)    # by itself
        window.close()


def test_the_operator_sees_sizes_and_what_goes_next(browser: Browser, tmp_path: Path) -> None:
    person = StoredSeat("human", name="Ann", token="a" * 64)
    computer = StoredSeat("computer", "random", "random")
    now = time.time()
    of_people = StoredGame("people", "othello", "", "", (person, computer), ("none",) * 2, now - 40 * DAY,
                           phase="over", ended=now - 40 * DAY)
    with closing(Store.open(str(tmp_path / "games.db"))) as store, store.transaction() as tx:
        tx.add_game(of_people)
        for days in (3, 1):
            ended = now - days * DAY
            tx.add_game(replace(of_people, id=f"computers{days}", seats=(computer,) * 2, ended=ended))
    with Served(tmp_path, "--keep-days", "5") as server:
        window = Window(browser, server.address)
        page = window.open("/store")
        sizes = page.get_by_role("table", name="Sizes").get_by_role("row")
        expect(sizes.filter(has_text="Games of people")).to_contain_text("1")
        expect(sizes.filter(has_text="Games of computers alone")).to_contain_text("2")
        expect(page.get_by_text("Games without people are removed 5 days after their end.")).to_be_visible()
        links = page.get_by_role("table", name="What goes next").get_by_role("link")
        expect(links).to_have_count(2)
        found = [links.nth(at).get_attribute("href") for at in (0, 1)]
        assert found == ["/game/computers3", "/game/computers1"]
        assert window.complaints == []
        window.close()
        elsewhere = http.get(f"{server.address}/api/store", headers={"x-forwarded-for": "192.0.2.7"})
        assert elsewhere.status_code == 403
        assert elsewhere.json() == {"problem": "only the machine of the server can see this"}
