"""What visitors can make of our players: how they play, never what they cost; and how long one waits."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, ClassVar, Literal

import pytest

import polyversi as pv
from polyversi.gameplay.verdict import Verdict
from polyversi.games.family import Number
from polyversi.games.limit import NO_LIMIT
from polyversi.players import (
    HARMLESS,
    NAMES_FILE,
    PLAYERS,
    Limit,
    Player,
    Resource,
    check_visitor_options,
    options_of,
    visitor_options,
)
from polyversi.server.bots import BotFolder
from polyversi.server.lobby import Lobby
from polyversi.server.new_game import NewGame, NewSeat, prepare
from polyversi.server.players import visitor_player
from polyversi.server.policy import RoomPolicy
from polyversi.server.room import Room
from polyversi.storage.games import Store
from tests.testing import http
from tests.testing.clock import Clock, until, with_clock
from tests.testing.lobby import verdict_of
from tests.testing.page_server import Served
from tests.testing.timeout import TIMEOUT

OF_OUR_PLAYERS = {"book", "depth", "gamma", "level", "matrix", "method", "pruning", "seed"}
"""What visitors may set: it costs nothing beyond the time of a move."""
COSTLY = [
    "polyversi:threads=256,hash=16384", "polyversi:threads=64,hash=1024", "polyversi:threads=1",
    " polyversi:level=3,hash=64", "polyversi:weights=/etc/passwd", "xt:weights=/etc/passwd",
]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with Served(tmp_path_factory.mktemp("served")) as served:
        yield served


@pytest.mark.parametrize("spec", COSTLY)
def test_what_costs_the_server_is_refused_wherever_players_are_named(server: Served, spec: str) -> None:
    game = "xt:arena,players=2" if spec.startswith("xt") else "othello"
    seats = [{"kind": "me"}, {"kind": "computer", "player": spec}]
    for path, wanted in (
        ("games", {"spec": game, "seats": seats}),
        ("arena", {"spec": game, "players": ["random", spec]}),
    ):
        answer = http.post(f"{server.address}/api/{path}", json=wanted)
        assert answer.status_code == 400
        assert "is for the command line only" in answer.json()["problem"]


def test_the_form_has_what_visitors_may_choose(server: Served) -> None:
    offered = {player["name"]: player["options"] for player in server.get("/api/players?spec=othello")}
    assert set(offered) == set(PLAYERS)
    assert {option["name"] for options in offered.values() for option in options} == OF_OUR_PLAYERS
    level, seed, _ = offered["polyversi"]
    assert (level["name"], level["kind"], level["low"], level["high"]) == ("level", "number", 1, 20)
    assert (seed["name"], "low" in seed) == ("seed", False)


@pytest.mark.parametrize("name", PLAYERS)
def test_every_option_is_either_offered_or_refused(name: str) -> None:
    for option in options_of(PLAYERS[name]):
        spec = f"{name}:{option.name}={option.default}"
        if option.name in OF_OUR_PLAYERS:
            check_visitor_options(spec)
        else:
            with pytest.raises(pv.PlayerError, match=f"the option '{option.name}' of {name} is for the "):
                check_visitor_options(spec)


@dataclass
class Hungry(Player):
    """A player to come, whose option nobody here has heard of."""

    name = "hungry"
    gigabytes: int = 1
    bounded: Annotated[int, Number(1, 500)] = 1
    words: list[Literal["a", "b"]] = field(default_factory=list)
    file: Path | None = None
    table: str = "small"
    gpu: Annotated[bool, Resource(share=False)] = True
    log: Annotated[Literal["", "/tmp/log"], NAMES_FILE] = ""
    threads: Annotated[int, Resource(2)] = 64
    quickly: bool = False
    style: Literal["wild", "calm"] | None = None
    opening: Literal["c4", "d3"] = "c4"
    greed: Annotated[float, HARMLESS] = 0.5

    def choose(self, state: pv.State, limit: Limit = NO_LIMIT) -> pv.Move:
        return state.moves[0]


@pytest.mark.parametrize("given", [
    "gigabytes=500", "bounded=500", "words=a", "file=/etc/passwd", "table=/etc/passwd", "gpu=yes",
    "log=/tmp/log", "threads=64", "quickly=yes,gigabytes=2", "greed=1,threads=3", "style=wild",
])
def test_options_of_players_to_come_are_refused_until_they_are_marked(
        monkeypatch: pytest.MonkeyPatch, given: str) -> None:
    monkeypatch.setitem(PLAYERS, "hungry", Hungry)
    seats = [NewSeat("me"), NewSeat("computer", f"hungry:{given}")]
    with pytest.raises(pv.PlayerError, match=r"the option '[a-z]+' of hungry is for the command line only"):
        prepare(NewGame(seats, "othello"), BotFolder(None))


def test_flags_choices_and_harmless_options_of_players_to_come_are_offered(
        monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(PLAYERS, "hungry", Hungry)
    assert [option.name for option in visitor_options(Hungry)] == ["quickly", "opening", "greed"]
    seats = [NewSeat("me"), NewSeat("computer", "hungry:quickly=yes,opening=d3,greed=1")]
    stored = prepare(NewGame(seats, "othello"), BotFolder(None)).stored
    made = visitor_player(stored.seats[1].player)
    assert made == Hungry(quickly=True, opening="d3", greed=1, threads=2, gpu=False)


def test_the_engine_has_one_thread_and_a_small_table() -> None:
    assert visitor_player("polyversi:level=7") == pv.player("polyversi", level=7, threads=1, hash=16)


def played(folder: Path, player: str, seats: list[NewSeat], limit: str, move_timeout: float = 20.0,
           stalls: threading.Event | None = None) -> Room:
    """A game as a lobby lets it be played to its end, in which the last seat is this player's.

    Where it stalls, no time passes until it does, as the event tells.
    """
    rooms = list[Room]()

    async def evening(clock: Clock) -> None:
        if stalls is not None:
            clock.stop_time()
        store = Store.open(str(folder / "games.db"))
        lobby = Lobby(store, BotFolder(None), print)
        lobby.policy = RoomPolicy(move_timeout=move_timeout)
        await lobby.start()
        stored = prepare(NewGame(seats, "othello-4", limit=limit), BotFolder(None)).stored
        seated = stored.seats[0], replace(stored.seats[1], player=player)
        room = Room(replace(stored, seats=seated), (), lobby)
        over = asyncio.Event()
        room.on_end = over.set
        await lobby.store_game(room.stored)
        lobby.open(room)
        if stalls is not None:
            await until(stalls.is_set)
            clock.advance(move_timeout + 1)
        async with asyncio.timeout(TIMEOUT):
            await over.wait()
        await lobby.close()
        store.close()
        rooms.append(room)

    with_clock(evening)
    return rooms[0]


def test_a_stored_game_cannot_bring_them_either(tmp_path: Path) -> None:
    seats = [NewSeat("me", name="Ann"), NewSeat("computer", "random")]
    room = played(tmp_path, "polyversi:threads=256,hash=16384", seats, "none")
    verdict = verdict_of(room)
    assert verdict.kind == "aborted"
    assert verdict.detail.startswith("the option 'threads' of polyversi is for the command line only")


@dataclass
class Noting(Player):
    """Notes what it is told to spend."""

    name = "noting"
    told: ClassVar[list[Limit]]

    def choose(self, state: pv.State, limit: Limit = NO_LIMIT) -> pv.Move:
        self.told.append(limit)
        return state.moves[0]


@pytest.mark.parametrize(("limit", "told"), [
    ("none", Limit(seconds=1)), ("depth=3", Limit(seconds=1, depth=3)), ("seconds=5", Limit(seconds=5)),
    ("seconds=30", Limit(seconds=20)),
])
def test_without_a_clock_a_computer_is_to_answer_soon(
        tmp_path: Path, monkeypatch: pytest.MonkeyPatch, limit: str, told: Limit) -> None:
    Noting.told = []
    monkeypatch.setitem(PLAYERS, "noting", Noting)
    room = played(tmp_path, "noting", [NewSeat("computer", "random")] * 2, limit)
    assert verdict_of(room).kind in ("win", "draw")
    assert len(Noting.told) > 2
    assert all(one == told for one in Noting.told)


@dataclass
class Stubborn(Player):
    """Takes no notice of limits: it answers when it may."""

    name = "stubborn"
    is_asked: ClassVar[threading.Event]
    may_answer: ClassVar[threading.Event]

    def choose(self, state: pv.State, limit: Limit = NO_LIMIT) -> pv.Move:
        self.is_asked.set()
        self.may_answer.wait(TIMEOUT)
        return state.moves[0]


def test_whoever_takes_no_notice_of_that_stalls_in_the_end(
        tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Stubborn.is_asked, Stubborn.may_answer = threading.Event(), threading.Event()
    monkeypatch.setitem(PLAYERS, "stubborn", Stubborn)
    room = played(tmp_path, "stubborn", [NewSeat("computer", "random")] * 2, "none", move_timeout=0.1,
                  stalls=Stubborn.is_asked)
    Stubborn.may_answer.set()
    assert verdict_of(room) == Verdict("stall", 2, "no answer within 0.1 s")
