"""A server whose disk is full: it says so at once, and goes on by itself when there is room again."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import pytest

from tests.testing import http
from tests.testing.files import small_disk
from tests.testing.page_server import Served

NEW_GAME = {"map": f"2 0 0 0  90 90  1 2 {'0 ' * 8098}", "seats": [{"kind": "me"}, {"kind": "friend"}]}


@pytest.mark.parametrize(("path", "new"), [
    ("/api/games", NEW_GAME),
    ("/api/records", {"polyversi": 1, "game": "xt:large", "map": NEW_GAME["map"], "moves": ["2,0"]}),
    ("/api/arena", {"spec": "othello-4", "players": ["random", "greedy"]}),
])
def test_a_full_disk_is_told_at_once(tmp_path: Path, path: str, new: object) -> None:
    disk = tmp_path / "disk"
    with small_disk(disk), Served(tmp_path, store=str(disk / "games.db")) as server:
        ballast = disk / "ballast"
        with suppress(OSError), ballast.open("wb", buffering=0) as file:
            while True:
                file.write(b"." * 4096)
        while (answer := http.post(server.address + path, json=new)).status_code == 201:
            pass    # what had room was stored
        assert answer.status_code == 503
        assert answer.json()["problem"].startswith("the server cannot store anything just now")
        assert "polyversi-store" in answer.headers and is_waiting(server)
        ballast.unlink()
        while is_waiting(server):
            pass
        assert http.post(server.address + path, json=new).status_code == 201


def is_waiting(server: Served) -> bool:
    """Whether an answer, whatever it is about, tells the page that nothing can be stored."""
    answer = http.get(f"{server.address}/api/variants")
    return bool(answer.headers.get("polyversi-store") == "waiting")
