"""The client of Reversi XT at scripted servers: whole games, players that fail, servers that mean no good."""

from __future__ import annotations

import asyncio
import socket
import sys
from collections.abc import Coroutine
from pathlib import Path
from typing import Any, TypeVar

import pytest

from polyversi.gameplay import MoveEvent
from polyversi.gameplay.seat import Request, Seat
from polyversi.games.errors import PolyversiError
from polyversi.games.mapkinds import generate
from polyversi.players import Limit
from polyversi.protocols.spec import bot_from
from polyversi.protocols.xt.frames import (
    Answer,
    Ask,
    Disqualified,
    EndOfBuilding,
    EndOfGame,
    Frame,
    Map,
    Number,
    Played,
    encode,
)
from polyversi.records import jsonl
from polyversi.server.connection import NetworkError
from polyversi.server.xt.client import XtClient
from polyversi.server.xt.player_process import PlayerProcessSeat
from tests.testing.marks import slow
from tests.testing.processes import ZOO
from tests.testing.scripted_xt_server import CALM, Door, Script, Told, frames, saying, visit

T = TypeVar("T")

STRANGE = (sys.executable, str(Path(__file__).parents[2] / "testing" / "misbehaving_xt_players.py"))
SMALL = "2 1 1 0\n1 5\n1 2 0 b 0\n"
"""Seat 1 can move, then seat 2 nothing but override; there are bombs."""
ARENA = {seats: generate("arena", players=seats).text for seats in (2, 3, 4)}
QUICK = 400
"""Milliseconds for a move in which a process can answer, or fail to."""


def run(steps: Coroutine[Any, Any, T]) -> T:
    return asyncio.run(steps)


class Chooses(Seat):
    """Plays the first move at once, and keeps what it is asked."""

    name = "first"

    def __init__(self) -> None:
        self.limits: list[Limit] = []

    async def answer(self, request: Request) -> Any:
        self.limits.append(request.limit)
        return request.state.moves[0]


@pytest.mark.parametrize(("seats", "seat"), [(2, 1), slow(2, 2), (3, 2), slow(4, 4)])
def test_whole_games(seats: int, seat: int) -> None:
    async def script(door: Door) -> None:
        games.append(await door.play(ARENA[seats], seat))

    games: list[Any] = []
    view = Told()
    ended, door = run(visit(script, PlayerProcessSeat("random:seed=1"), view))
    assert not ended.fault and ended.seat == view.seat == seat
    assert ended.record.final == games[0].state and ended.result == games[0].state.result
    last = view.events[-2]
    assert isinstance(last, MoveEvent) and last.position == ended.record.final.text
    assert [event.kind for event in (view.events[0], view.events[-1])] == ["start", "end"]
    assert [event.number for event in view.events] == list(range(len(view.events)))
    assert len(door.answers) > 10 and not view.sentences
    assert jsonl.parse(jsonl.write(ended.record)) == ended.record


@pytest.mark.parametrize("name", ["starfish", slow("compressedSquare")])
def test_eight_seats_on_large_maps(name: str) -> None:
    chart = generate(name).text
    ended, door = run(visit(lambda door: door.play(chart, 8), PlayerProcessSeat("random:seed=1")))
    assert not ended.fault and ended.record.final.phase == "bomb"
    assert len(door.answers) > 20


def test_the_bank_is_the_players_to_share_out() -> None:
    banks = [2000, 3500, 60_000]
    seat = Chooses()
    run(visit(lambda door: door.play(ARENA[2], 1, lambda turn: Ask(banks[min(turn, 2)], turn % 2)), seat))
    first, second, third = seat.limits[:3]
    assert (first.increment, second.increment, third.increment) == (2.0, 2.0, 2.0)
    assert {limit.depth for limit in seat.limits} == {None}, "a depth beside a time is for nobody"
    assert all(limit.bank is not None and 0.5 * bank / 1000 < limit.bank < bank / 1000
               for limit, bank in zip(seat.limits, banks, strict=False))


def test_a_game_by_depth_alone() -> None:
    seat = Chooses()
    ended, _ = run(visit(lambda door: door.play(ARENA[3], 1, lambda turn: Ask(0, 4)), seat))
    assert not ended.fault and set(seat.limits) == {Limit(depth=4)}


def test_a_game_without_any_limit() -> None:
    seat = Chooses()
    run(visit(lambda door: door.play(ARENA[2], 1, lambda turn: Ask(0, 0), moves=5), seat))
    assert set(seat.limits) == {Limit()}


# Players that do not do what they should.


@pytest.mark.parametrize("name", ["sleeps", "spins", "holds", "late"])
def test_there_is_an_answer_in_time_whatever_the_player_does(name: str) -> None:
    view = Told()
    ended, door = run(visit(
        lambda door: door.play(ARENA[2], 1, lambda turn: Ask(QUICK, 0), moves=6), strange(name), view))
    assert len(door.answers) == len(view.sentences) == 3
    assert all("(it takes too long)" in sentence for sentence in view.sentences)
    assert "closed the connection before the end" in ended.fault


@pytest.mark.parametrize(
    ("name", "reason"),
    [("raises", "KeyError: 'nothing here'"), slow("nonsense", "the best one"),
     ("dies", "ended with status 3"), slow("loses", "no such luck")],
)
def test_there_is_an_answer_at_once_when_the_player_fails(name: str, reason: str) -> None:
    view = Told()
    _, door = run(visit(lambda door: door.play(ARENA[2], 1, moves=6), strange(name), view))
    assert len(door.answers) == len(view.sentences) == 3
    assert all(reason in sentence and "is played instead" in sentence for sentence in view.sentences)


def strange(name: str) -> PlayerProcessSeat:
    return PlayerProcessSeat(name, STRANGE)


def test_a_player_that_is_late_once_is_asked_again() -> None:
    """It came back from a question that was broken off, in the same process, and answers the next one."""
    view = Told()
    _, door = run(visit(
        lambda door: door.play(ARENA[2], 1, lambda turn: Ask(QUICK if turn == 0 else CALM, 0), moves=6),
        strange("late-if-short"), view))
    assert len(door.answers) == 3 and len(view.sentences) == 1


def test_what_a_player_prints_is_no_answer() -> None:
    view = Told()
    ended, _ = run(visit(lambda door: door.play(ARENA[2], 2), strange("prints"), view))
    assert not ended.fault and not view.sentences


@pytest.mark.parametrize("milliseconds", [1, 20])
def test_tiny_limits(milliseconds: int) -> None:
    seat = PlayerProcessSeat("group6")
    asks = lambda turn: Ask(milliseconds, 0)  # noqa: E731
    _, door = run(visit(lambda door: door.play(ARENA[2], 1, asks, moves=20), seat))
    assert len(door.answers) == 10


@pytest.mark.parametrize(("flag", "milliseconds"), [("--sleep", QUICK), ("--not-json", CALM)])
def test_bots_that_do_not_answer(flag: str, milliseconds: int) -> None:
    view, bot = Told(), bot_from(f"bot:{sys.executable} {ZOO} {flag}")
    _, door = run(visit(
        lambda door: door.play(ARENA[2], 1, lambda turn: Ask(milliseconds, 0), moves=4), bot, view))
    assert len(door.answers) == len(view.sentences) == 2


def test_bots_that_do() -> None:
    view, bot = Told(), bot_from(f"bot:{sys.executable} {ZOO} --well-behaved")
    ended, _ = run(visit(lambda door: door.play(ARENA[2], 2), bot, view))
    assert not ended.fault and not view.sentences


def test_a_question_without_a_clock_is_answered_after_a_failure() -> None:
    _, door = run(visit(
        lambda door: door.play(ARENA[2], 1, lambda turn: Ask(0, 3), moves=4), strange("raises")))
    assert len(door.answers) == 2


# Maps that we would not host.

DOUBTFUL = (SMALL.replace("2 1 1 0", "2 257 1 -256")
            + "0 0 0 <-> 4 0 0\n0 0 2 <-> 3 0 0\n2 0 4 <-> 2 0 4\n9 9 9 <->")
"""One good transition among numbers, transitions and a rest that are not quite right."""


def test_a_doubtful_map_is_played() -> None:
    view = Told()
    ended, _ = run(visit(saying_and_asking(DOUBTFUL), Chooses(), view))
    assert not ended.fault and [str(move) for move in ended.record.moves] == ["2,0"]
    assert (ended.record.start.overrides, ended.record.game.definition.radius) == ((1, 1), 0)
    assert len(ended.record.game.board.links) == 1
    [sentence] = view.sentences
    assert sentence.startswith("the map is doubtful: line 1, column 3: the number of override stones is ")
    assert "line 5, column 1: the transition's end 0 0 2 leads to the neighbour 1 0 already" in sentence
    assert sentence.endswith("; and 1 more")


def saying_and_asking(chart: str) -> Script:
    async def script(door: Door) -> None:
        await door.welcome(chart, 1)
        answer = await door.ask(Ask(CALM, 0))
        door.say(Played(answer.x, answer.y, answer.special, 1), Disqualified(2), EndOfGame())

    return script


def test_a_map_on_which_nobody_can_do_anything_is_played_to_its_end() -> None:
    told = frames("2 0 0 0\n1 3\n0 1 1", 1, EndOfBuilding(), EndOfGame())
    ended, door = run(visit(saying(*told), Chooses()))
    assert not ended.fault and not door.answers
    assert ended.result.scores == (2, 0) and ended.result.ranks == (1, 2)
    assert jsonl.parse(jsonl.write(ended.record)) == ended.record


def test_a_map_larger_than_any_course_has() -> None:
    rows = [["0"] * 120 for _ in range(90)]
    rows[80][110:113] = ["1", "2", "0"]
    chart = "2 1 1 1\n90 120\n" + "\n".join(map(" ".join, rows))
    ended, door = run(visit(saying_and_asking(chart), PlayerProcessSeat("xt:level=1")))
    assert not ended.fault and door.answers == [Answer(112, 80, 0)]
    assert ended.record.final.scores == (3, 0)


# Servers that are malicious, or that are not XT servers.

MOVED = Played(2, 0, 0, 1)
GARBAGE = b"HTTP/1.1 400 Bad Request\r\n\r\n"
BEFORE: dict[str, tuple[tuple[Frame | bytes, ...], str]] = {
    "another service": ((GARBAGE,), "the server sent a message of type 72"),
    "a huge frame": ((b"\x02\xff\xff\xff\xff",), "with 4294967295 bytes"),
    "no map": ((Map(b"hello"), Number(1)), "a map that cannot be read: line 1, column 1"),
    "a map of control characters": ((Map(b"\x1b[2J 0 0 0 1 3 0 1 2"), Number(1)), r"'\\x1b\[2J'"),
    "seat 0": (frames(SMALL, 0), "assigned seat 0 on a map for 2 players"),
    "seat 9": (frames(SMALL, 9), "assigned seat 9 on a map for 2 players"),
    "a seat before the map": ((Number(1),), "assigned a seat before the map"),
    "two maps": ((Map(SMALL.encode()), Map(SMALL.encode())), "a second map"),
    "a question before the map": ((Ask(CALM, 0),), "a message of type 4 before the map"),
    "a client's message": ((Answer(0, 0, 0),), "a message of type 5"),
}
DURING: dict[str, tuple[tuple[Frame | bytes, ...], str]] = {
    "an illegal move": ((Played(4, 0, 0, 1),), "seat 1 played 4,0:0, but 4,0 is not legal"),
    "a move off the board": ((Played(400, 65535, 0, 1),), "400,65535"),
    "a move that was not asked for": ((Played(2, 0, 0, 2),), "before the seat had answered"),
    "a move out of turn": ((Played(2, 0, 0, 3),), "seat 3 played 2,0:0, but it is the turn of seat 1"),
    "a move of seat 0": ((Played(2, 0, 0, 0),), "but it is the turn of seat 1"),
    "a special value": ((Played(2, 0, 9, 1),), "2,0:9"),
    "a question out of turn": ((Ask(CALM, 0),), "asked seat 2 for a move, but it is the turn of seat 1"),
    "a second seat": ((Number(2),), "a seat a second time"),
    "the end": ((EndOfGame(),), "ended the game, but it is the turn of seat 1"),
    "the end of the building": ((EndOfBuilding(),), "ended the building phase, but seat 1 has a move"),
    "a stranger is out": ((Disqualified(3),), "disqualified seat 3, which does not exist"),
    "garbage": ((GARBAGE,), "a message of type 72"),
    "a long frame": ((b"\x06\x00\x00\x00\x07",), "a message of type 6 with 7 bytes; it must have 6"),
}


@pytest.mark.parametrize("name", BEFORE)
def test_servers_without_a_game(name: str) -> None:
    told, sentence = BEFORE[name]
    with pytest.raises(PolyversiError, match=sentence):
        run(visit(saying(*told), Chooses()))


@pytest.mark.parametrize("name", DURING)
def test_servers_that_break_the_rules(name: str) -> None:
    told, sentence = DURING[name]
    ended, _ = run(visit(saying(*frames(SMALL, 2, *told)), Chooses()))
    assert sentence in ended.fault
    assert not ended.record.moves


@pytest.mark.parametrize("told", [
    (Ask(CALM, 0), Ask(CALM, 0)), (MOVED,), (Ask(CALM, 0), MOVED)], ids=["twice", "unasked", "unanswered"])
def test_servers_that_do_not_wait_for_answers(told: tuple[Frame, ...]) -> None:
    ended, _ = run(visit(saying(*frames(SMALL, 1, b"".join(map(encode, told)))), Chooses()))
    assert "asked for another move" in ended.fault or "before the seat had answered" in ended.fault


@pytest.mark.parametrize("told", [(), (Map(SMALL.encode()),)])
def test_a_server_that_closes_before_there_is_a_game(told: tuple[Frame, ...]) -> None:
    async def script(door: Door) -> None:
        await door.hear()
        door.say(*told)

    with pytest.raises(NetworkError, match="closed the connection before the game began"):
        run(visit(script, Chooses()))


def test_a_server_that_dies_in_the_game() -> None:
    async def script(door: Door) -> None:
        await door.play(ARENA[2], 1, moves=6)
        door.writer.transport.abort()

    ended, _ = run(visit(script, Chooses()))
    assert "closed the connection before the end of the game" in ended.fault
    assert len(ended.record.moves) == 6


def test_messages_in_pieces() -> None:
    async def script(door: Door) -> None:
        await door.hear()
        for byte in b"".join(frame if isinstance(frame, bytes) else encode(frame)
                             for frame in frames(SMALL, 2, MOVED, Disqualified(1), EndOfGame())):
            door.writer.write(bytes([byte]))
            await door.writer.drain()

    ended, _ = run(visit(script, Chooses()))
    assert not ended.fault and ended.record.disqualified == ((1, 1),)
    assert ended.result.points == (-50.0, 25.0)


def test_nobody_there() -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        port = unused.getsockname()[1]
        with pytest.raises(NetworkError, match=f"cannot connect to 127.0.0.1:{port}"):
            run(XtClient("127.0.0.1", port, Chooses()).play())


def test_a_server_that_comes_later() -> None:
    async def scene() -> None:
        view = Told()
        with socket.socket() as unused:
            unused.bind(("127.0.0.1", 0))
            port = unused.getsockname()[1]
        client = XtClient("127.0.0.1", port, Chooses(), retry=60, report=view.take)
        playing = asyncio.create_task(client.play())
        while not view.sentences:
            await asyncio.sleep(0)

        async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await Door(reader, writer).play(ARENA[2], 1)

        server = await asyncio.start_server(serve, "127.0.0.1", port)
        assert not (await playing).fault
        assert "trying again for 60 s" in view.sentences[0]
        server.close()

    run(scene())


# Disqualified, and why.


def disqualifying(after: Script) -> Script:
    async def script(door: Door) -> None:
        await after(door)
        door.say(Disqualified(1))

    return script


async def asked(door: Door) -> None:
    await door.welcome(SMALL, 1)
    await door.ask(Ask(CALM, 0))


async def not_asked(door: Door) -> None:
    await door.welcome(SMALL, 1)


@pytest.mark.parametrize(
    ("after", "why"),
    [(asked, "its answer 2,0 was sent after 0."), (not_asked, "it had not been asked for a move")],
)
def test_a_client_that_is_disqualified_says_why(after: Script, why: str) -> None:
    ended, _ = run(visit(disqualifying(after), Chooses()))
    assert ended.fault.startswith("the server has disqualified this seat; ")
    assert why in ended.fault
    assert ended.result.points == (-50.0, 25.0)


def test_somebody_else_is_disqualified() -> None:
    async def script(door: Door) -> None:
        told = await door.play(ARENA[3], 1, moves=3)
        door.say(*told.disqualify(2))
        assert told.state.turn == 1
        answer = await door.ask(Ask(CALM, 0))
        door.say(*told.play(told.state.game.move(f"{answer.x},{answer.y}:{answer.special}")))
        door.say(*told.disqualify(3), EndOfGame())

    ended, _ = run(visit(script, Chooses()))
    assert not ended.fault and ended.result.reason == "one seat left"
    assert ended.result.points == (25.0, -50.0, -50.0)


def test_maps_that_begin_with_bombs() -> None:
    ended, _ = run(visit(lambda door: door.play("2 0 3 1\n2 3\n1 0 0\n0 0 0\n", 2), Chooses()))
    assert not ended.fault and ended.result.reason == "no tiles left"
