"""The list of games with a real server: what goes on, what does not, filters, pages, series as one entry."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from websockets.sync.client import connect

from polyversi.gameplay.events import StartEvent
from polyversi.server.bots import BotFolder
from polyversi.server.messages import MoveMessage, RequestMessage
from polyversi.server.new_game import NewGame, NewSeat, prepare
from polyversi.storage.games import Store, StoredSeries
from tests.testing import http
from tests.testing.marks import slow
from tests.testing.page_server import Served
from tests.testing.timeout import TIMEOUT

SPECS = ("othello", "othello-6", "hex", "rolit", "xt:torus,players=2")
ROUNDS = 40


def fill(path: str, count: int) -> None:
    """Stores so many games that are over, every third one of people, and the rounds of a series."""
    seats = {"people": [NewSeat("me", name="Ann"), NewSeat("computer", "random")],
             "computers": [NewSeat("computer", "random")] * 2}
    prepared = {}
    for spec in SPECS:
        for who, two in seats.items():
            all_seats = [*two, *[NewSeat("computer", "random")] * 2] if spec == "rolit" else two
            prepared[spec, who] = prepare(NewGame(all_seats, spec), BotFolder(None)).stored
    series = {"wanted": {"spec": "othello", "players": ["greedy", "random"], "rounds": ROUNDS},
              "phase": "over", "delay": 0.0, "next_delay": None,
              "standing": {"round": ROUNDS, "rounds": ROUNDS, "wins": [30, 8], "draws": 2, "winner": 0}}
    store = Store.open(path)
    with store.transaction() as tx:
        tx.add_series(StoredSeries("tournament", 1.0, series, "", is_open=False))
        for number in range(count):
            stored = prepared[SPECS[number % 5], "computers" if number % 3 else "people"]
            tx.add_game(replace(stored, id=f"g{number:05}", phase="over", ended=1e6 + number // 2))
        for number in range(1, ROUNDS + 1):
            tx.add_game(replace(prepared["othello", "computers"], id=f"round{number}", phase="over",
                                ended=1e6 + 7 * number + 0.5, series="tournament", number=number))
    store.close()


def pages(server: Served, **query: str) -> Iterator[dict[str, Any]]:
    """Every game that is over and fits, page after page."""
    after = ""
    while True:
        page = server.get("/api/games?" + urlencode(query | {"after": after}))
        yield from page["recent"]
        after = page["after"]
        if not after:
            return


@pytest.mark.parametrize("count", [300, slow(10_000)])
def test_every_game_is_on_one_page_and_a_series_is_one_entry(tmp_path: Path, count: int) -> None:
    fill(str(tmp_path / "games.db"), count)
    with Served(tmp_path, "--keep-days", "0") as server:
        listed = list(pages(server))
        assert len(listed) == count + 1 == len({game["id"] for game in listed})
        assert [game["ended"] for game in listed] == sorted((game["ended"] for game in listed), reverse=True)
        (series,) = [game for game in listed if game["series"]]
        assert (series["id"], series["rounds"]["wins"], series["rounds"]["players"]) == (
            f"round{ROUNDS}", [30, 8], ["greedy", "random"])
        people = list(pages(server, who="people", variant="Othello"))
        assert len(people) == sum(not n % 3 for n in range(count) if n % 5 < 2)
        assert {game["variant"] for game in people} == {"Othello"}
        assert all("human" in game["kinds"] for game in people)
        assert len(list(pages(server, family="hexagon"))) == count // 5
        assert list(pages(server, state="running")) == []


def test_a_game_without_a_move_for_long_does_not_go_on_until_there_is_one(tmp_path: Path) -> None:
    seats = [NewSeat("me", name="Ann"), NewSeat("me", name="Bob")]
    prepared = prepare(NewGame(seats, "othello-4"), BotFolder(None))
    stored = replace(prepared.stored, created=time.time() - 7200)
    store = Store.open(str(tmp_path / "games.db"))
    with store.transaction() as tx:
        tx.add_game(stored)
        tx.append(stored.id, StartEvent(0, stored.spec, stored.start, ("Ann", "Bob"), stored.limits))
    store.close()
    with Served(tmp_path) as server:
        page = server.get("/api/games")
        assert (page["running"], page["count"], page["quiet"]) == ([], 0, 1)
        (quiet,) = server.get("/api/games?state=quiet")["running"]
        assert quiet["id"] == prepared.stored.id
        with server.visit(quiet["id"], prepared.token) as visitor:
            ask = visitor.hear(RequestMessage)
            visitor.say(MoveMessage(ask.number, ask.moves[0].text))
            visitor.hear(RequestMessage)
            (going,) = server.get("/api/games?state=running")["running"]
            assert (going["id"], going["plies"]) == (quiet["id"], 1)


def test_people_come_first_and_the_rounds_of_a_series_are_one_entry(tmp_path: Path) -> None:
    with Served(tmp_path) as server:
        people = server.new_game("othello-4", "me", "random")
        wanted = {"spec": "othello-4", "players": ["greedy", "random:seed=1"], "delay": 60, "rounds": 9}
        series = server.post("/api/arena", wanted)
        with connect(f"ws://127.0.0.1:{server.port}/api/arena/{series['arena']}/socket") as socket:
            def control(**what: Any) -> None:
                socket.send(json.dumps({"type": "control", "token": series["token"], **what}))

            control(do="start", delay=0, next_delay=60)
            while json.loads(socket.recv(TIMEOUT))["round"] != 2:
                continue
            page = server.get("/api/games")
            assert page["running"][0]["id"] == people["game"]
            (entry,) = [game for game in page["running"] if game["series"]]
            rounds = entry["rounds"]
            assert (rounds["round"], rounds["rounds"], entry["colours"]) == (2, 9, "red-blue")
            assert sum(rounds["wins"]) + rounds["draws"] == 1
            assert page["recent"] == []    # its first round belongs to the entry above
            assert server.get("/api/games?who=people")["count"] == 1
            control(do="stop")
            while json.loads(socket.recv(TIMEOUT))["phase"] != "stopped":
                continue
            (over,) = server.get("/api/games?who=computers")["recent"]
            assert (over["series"], over["rounds"]["phase"]) == (series["arena"], "stopped")


def test_bad_questions_are_told(tmp_path: Path) -> None:
    with Served(tmp_path) as server:
        for query, sentence in (("state=odd", "there is no state 'odd'"), ("who=x", "people, computers"),
                                ("after=then g1", "begin without it"), ("running=many", "begin without it")):
            answer = http.get(f"{server.address}/api/games?{query}")
            assert answer.status_code == 400
            assert sentence in answer.json()["problem"]
