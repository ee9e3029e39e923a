"""The rounds of the arena view with a real server: its delays, its buttons and its credits."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from websockets.sync.client import ClientConnection, connect

from tests.testing import http
from tests.testing.page_server import Served
from tests.testing.timeout import TIMEOUT


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with Served(tmp_path_factory.mktemp("served")) as served:
        yield served


class Arena:
    """A series and a connection to it."""

    def __init__(self, server: Served, **wanted: Any) -> None:
        usual = {"spec": "othello-4", "players": ["greedy", "random:seed=3"], "delay": 0, "next_delay": 0}
        new = server.post("/api/arena", usual | wanted)
        self.token = new["token"]
        self.url = f"ws://127.0.0.1:{server.port}/api/arena/{new['arena']}/socket"
        self.socket: ClientConnection = connect(self.url, legacy=True)

    def control(self, **what: Any) -> None:
        self.socket.send(json.dumps({"type": "control", "token": self.token} | what))

    def until(self, **wanted: Any) -> dict[str, Any]:
        """The first status that has these values."""
        while True:
            status: dict[str, Any] = json.loads(self.socket.recv(TIMEOUT))
            assert status["type"] == "rounds", status
            if all(status[name] == value for name, value in wanted.items()):
                return status


def test_ten_games_credit_players_not_seats(server: Served) -> None:
    arena = Arena(server, tournament=True)
    assert arena.until(phase="ready")["rounds"] == 10
    arena.control(do="start")
    over = arena.until(phase="over")
    wins, stones, draws = [0, 0], [0, 0], 0
    for number, name in enumerate(over["games"], 1):
        game = server.get(f"/api/games/{name}")
        first = 0 if number <= 5 else 1
        assert game["players"][first] == "greedy"
        for seat in (0, 1):
            stones[seat if first == 0 else 1 - seat] += game["scores"][seat]
        if 1 in game["result"]["ranks"] and game["result"]["ranks"].count(1) == 1:
            winner = game["result"]["ranks"].index(1)
            wins[winner if first == 0 else 1 - winner] += 1
        else:
            draws += 1
    assert (over["wins"], over["stones"], over["draws"]) == (wins, stones, draws)
    best = "draw" if wins[0] == wins[1] else wins.index(max(wins))
    assert over["winner"] == best


def test_rounds_are_red_and_blue_wherever_they_are_seen(server: Served) -> None:

    arena = Arena(server)
    arena.control(do="start")
    game = arena.until(phase="over")["game"]
    record = http.get(f"{server.address}/games/{game}.jsonl").content
    opened = http.post(f"{server.address}/api/records", content=record).json()["games"][0]
    for name in (game, opened):    # the game itself, and its record opened again
        info = server.get(f"/api/games/{name}")
        looks = [(seat["name"], seat["sign"]) for seat in info["description"]["plan"]["seats"]]
        assert (info["colours"], looks) == ("red-blue", [("red", "X"), ("blue", "Y")])
        picture = http.get(f"{server.address}/games/{name}.svg").text
        assert "#c81d3a" in picture and "blue" in picture and "black" not in picture
    other = server.new_game("othello-4", "greedy", "random")["game"]
    assert server.get(f"/api/games/{other}")["description"]["plan"]["seats"][0]["name"] == "black"


def test_the_delay_of_the_next_round_comes_with_the_next_round(server: Served) -> None:
    arena = Arena(server, rounds=3, delay=0.01, next_delay=0.02)
    arena.control(do="step")
    status = arena.until(phase="paused", round=1)
    assert (status["delay"], status["next_delay"]) == (0.01, 0.02)
    arena.control(next_delay=50.0)    # so long that the second round is seen
    assert arena.until(next_delay=50.0)["delay"] == 0.01
    arena.control(do="start")
    status = arena.until(round=2)
    assert (status["delay"], status["next_delay"]) == (50.0, None)
    arena.control(next_delay=60.0)
    arena.control(next_delay=None)    # taken back: the third round has what the second one has
    arena.control(delay=0.0)    # counts at once: nothing else ends the second round
    assert arena.until(phase="over")["delay"] == 0.0


def test_step_pause_and_stop(server: Served) -> None:
    arena = Arena(server, rounds=2)
    arena.control(do="step")
    status = arena.until(phase="paused", round=1)
    game = status["game"]
    for plies in (1, 2, 3):
        with server.visit(game) as eve:
            for _ in range(plies + 1):
                eve.hear()    # the welcome and the events so far come without waiting
        if plies < 3:
            arena.control(do="step")
            arena.until(phase="paused")
    arena.control(do="stop")
    assert arena.until(phase="stopped")["winner"] is None


def test_only_its_maker_controls_a_series(server: Served) -> None:
    arena = Arena(server)
    arena.token = "somebody else's"
    arena.control(do="start")
    while (message := json.loads(arena.socket.recv(TIMEOUT)))["type"] == "rounds":
        pass
    assert message == {"type": "error", "sentence": "only the person who created this series can control it"}


def test_bad_series_are_told(server: Served) -> None:

    for wanted, sentence in (
        ({"spec": "rolit", "players": ["random", "random"]}, "two seats"),
        ({"spec": "othello", "players": ["random", "nobody"]}, "there is no player"),
        ({"spec": "othello", "players": ["random"]}, "is not a valid request"),
        ({"spec": "othello", "players": ["random", "random"], "delay": 1e9}, "is not a valid request"),
    ):
        answer = http.post(f"{server.address}/api/arena", json=wanted)
        assert answer.status_code == 400
        assert sentence in answer.json()["problem"]
