"""A server that is killed and started again goes on with every game, on either kind of database."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed

from polyversi.gameplay.events import Event
from polyversi.server.messages import ErrorMessage, RequestMessage, Welcome
from polyversi.server.responses import DAMAGED
from tests.testing import http
from tests.testing.marks import slow
from tests.testing.page_server import Served, Visitor, first_answer
from tests.testing.terminal import polyversi


def test_games_go_on_after_a_kill(tmp_path: Path) -> None:
    with Served(tmp_path) as server:
        against = server.new_game("othello-6", "me", "random:seed=1", limit="bank=600,increment=1")
        waiting = server.new_game("othello-4", "me", "friend")
        events: list[Event] = []
        kills = 0
        while not events or events[-1].kind != "end":
            with server.visit(against["game"], against["token"], events=len(events)) as ann:
                ann.hear(Welcome)
                has_ended = _play_moves(ann, events, 5)
                if not has_ended:
                    server.kill()
                    with pytest.raises(ConnectionClosed):
                        while True:
                            events_or_ask = ann.hear(Event, RequestMessage)
                            if isinstance(events_or_ask, Event):
                                events.append(events_or_ask)
                    server.start()
                    kills += 1
        assert kills >= 2
        assert [event.number for event in events] == list(range(len(events)))
        with server.visit(against["game"]) as eve:
            assert [eve.hear(Event) for _ in events] == events
        token = waiting["links"]["2"].partition("#")[2]
        with (server.visit(waiting["game"], waiting["token"]) as ann,
              server.visit(waiting["game"], token, "Bob") as bob):
            ask = ann.hear(RequestMessage)
            ann.say(first_answer(ask))
            assert bob.hear(RequestMessage).number == ask.number + 1


def _play_moves(ann: Visitor, events: list[Event], moves: int) -> bool:
    """Answers so many questions; whether the game has ended."""
    while moves:
        message = ann.hear(Event, RequestMessage)
        if isinstance(message, RequestMessage):
            ann.say(first_answer(message))
            moves -= 1
        else:
            events.append(message)
            if message.kind == "end":
                return True
    return False


def test_an_answer_sent_twice_across_a_kill_counts_once(tmp_path: Path) -> None:
    with Served(tmp_path) as server:
        new = server.new_game("othello-4", "me", "friend")
        token = new["links"]["2"].partition("#")[2]
        with server.visit(new["game"], new["token"]) as ann, server.visit(new["game"], token, "Bob") as bob:
            ask = ann.hear(RequestMessage)
            answer = first_answer(ask)
            ann.say(answer)
            bob.hear(RequestMessage)    # so it is stored
            server.kill()
        server.start()
        with server.visit(new["game"], new["token"]) as ann, server.visit(new["game"], token, "Bob") as bob:
            ann.say(answer)
            ask = bob.hear(RequestMessage)
            assert ask.number == answer.number + 1
            assert server.get(f"/api/games/{new['game']}")["plies"] == 1


def test_a_series_goes_on_after_a_kill(tmp_path: Path) -> None:
    with Served(tmp_path) as server:
        wanted = {"spec": "othello-4", "players": ["random:seed=1", "random:seed=2"], "delay": 0,
                  "next_delay": 0, "tournament": True}
        new = server.post("/api/arena", wanted)
        server.kill()
        server.start()
        assert [series["id"] for series in server.get("/api/arena")] == [new["arena"]]


@pytest.mark.parametrize("new_store", ["sqlite", slow("postgresql")], indirect=True)
def test_two_servers_cannot_use_one_store(new_store: str, tmp_path: Path) -> None:
    with Served(tmp_path, store=new_store) as server:
        second = polyversi("run", "--port", "0", "--no-browser", "--store", new_store)
        assert second.returncode == 1
        assert "another Polyversi server uses" in second.stderr
        assert "stop that one" in second.stderr
        server.kill()
        server.start()    # what was reserved is free again


@pytest.mark.parametrize("new_store", ["postgresql", slow("sqlite")], indirect=True)
def test_a_game_goes_on_after_a_kill_on_either_database(new_store: str, tmp_path: Path) -> None:
    with Served(tmp_path, store=new_store) as server:
        new = server.new_game("othello-4", "me", "random:seed=1")
        with server.visit(new["game"], new["token"]) as ann:
            ann.say(first_answer(ann.hear(RequestMessage)))
            ask = ann.hear(RequestMessage)
        server.kill()
        server.start()
        with server.visit(new["game"], new["token"]) as ann:
            assert ann.hear(Welcome).events == ask.number
            assert ann.hear(RequestMessage).moves == ask.moves


def test_a_game_with_a_damaged_event_is_refused_alone(tmp_path: Path) -> None:
    """The server starts, though the game was going on, and everybody else plays on."""
    with Served(tmp_path) as server:
        games = [server.new_game("othello-4", "me", "random:seed=1")["game"] for _ in range(3)]
        for game in games:
            with server.visit(game) as eve:
                eve.hear(Event)
        server.stop()
        with closing(sqlite3.connect(server.store)) as store, store:
            store.execute("UPDATE events SET data = '{' WHERE game = ?", [games[0]])
            store.execute("UPDATE events SET number = 5 WHERE game = ?", [games[1]])
        server.start()
        assert [game["id"] for game in server.get("/api/games")["running"]] == [games[2]]
        for game in games[:2]:
            answer = http.get(f"{server.address}/api/games/{game}")
            assert (answer.status_code, answer.json()["problem"]) == (500, DAMAGED)
            with server.visit(game) as eve:
                assert eve.hear(ErrorMessage).sentence == DAMAGED
            assert f"the game {game} cannot continue" in server.log
        assert "Traceback" not in server.log
