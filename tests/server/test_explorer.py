"""The explorer of a real server: its own games as they end, databases and books of the operator."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import polyversi as pv
from polyversi.contest.book_growth import Growth
from polyversi.records import Record
from polyversi.storage.explorer import Explorer
from tests.testing import http
from tests.testing.command import polyversi
from tests.testing.page_server import Served
from tests.testing.waiting import until


def asked(server: Served, **query: str) -> Any:
    return server.get("/api/explorer?" + urlencode(query))


def test_games_of_the_server_and_of_a_database(tmp_path: Path) -> None:
    brought = str(tmp_path / "openings.db")
    games = [Record.of("othello", moves).with_values(players=("Ann", "Bob"), tags=(("event", "Cup"),))
             for moves in ("f5d6c3", "f5f6e6f4", "d3c5")]
    with closing(Explorer.open(brought)) as explorer:
        explorer.add(games)
    Growth.begin("othello", "depth=2").run(12, path=tmp_path / "own.book")
    with Served(tmp_path, "--explorer", brought, "--book", str(tmp_path / "own.book")) as server:
        start = asked(server, spec="othello")
        assert (start["games"], start["opening"]) == (3, None)
        [only] = start["moves"]
        assert (only["move"], only["same"]) == ("f5", ["e6", "d3", "c4"])
        assert (only["games"], only["mean"]) == (3, None)
        second = asked(server, spec="othello", position=pv.Line("othello", "c4").state.text)
        played = {move["move"]: move["games"] for move in second["moves"] if move["games"]}
        assert played == {"e3": 2, "c3": 1}
        assert second["examples"][0] == {"players": ["Ann", "Bob"], "year": None, "scores": [3, 3],
                                         "event": "Cup", "move": "e3", "id": None}
        named = asked(server, spec="othello", position=pv.Line("othello", "f5d6").state.text)
        assert named["opening"] == "Perpendicular Opening"
        values = {move["move"]: move["book"] for move in named["moves"]}
        assert values["c3"] is not None
        assert set(values) >= {"c3", "c4", "c5"}, "what nobody has played is there too"

        id = server.new_game("othello-4", "random", "random")["game"]
        until(lambda: asked(server, spec="othello-4")["games"])
        own = asked(server, spec="othello-4")
        assert own["games"] == 1 and [example["id"] for example in own["examples"]] == [id]
        [move] = own["moves"]
        assert move["wins"] + move["draws"] + move["losses"] == 1 and move["mean"] is not None
        server.kill()
        server.start()
        assert asked(server, spec="othello-4")["games"] == 1, "after a power cut it is there once"
        assert asked(server, spec="xt:starfish")["games"] == 0
        for query, told in (({"spec": "nothing"}, "nothing"), ({}, "name a variant"),
                            ({"spec": "othello", "position": "XO"}, "position"),
                            ({"spec": "x" * 300}, "200")):
            answer = http.get(f"{server.address}/api/explorer", params=query)
            assert answer.status_code == 400 and told in answer.json()["problem"]
        large = server.post("/api/explorer", {"map": "2 0 0 0  1 3  0 1 2", "spec": "xt:mine"})
        assert large["moves"] == []
    (tmp_path / "games.explorer.db").unlink()
    assert "has 1 game" in polyversi("explorer", "rebuild", server.store).stdout
    shown = polyversi("explorer", "show", "othello-4", "--db", str(tmp_path / "games.explorer.db"))
    assert "othello-4, 1 game" in shown.stdout
