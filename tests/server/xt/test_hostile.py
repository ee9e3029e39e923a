"""Clients that stall, flood, send half a message or far too much, or vanish: it costs them the game alone."""

from __future__ import annotations

import asyncio
import socket
import time
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from polyversi.protocols.xt.frames import (
    Answer,
    Ask,
    Disqualified,
    EndOfBuilding,
    EndOfGame,
    Group,
    Number,
    encode,
)
from polyversi.server.xt.results import XtGameResult
from polyversi.server.xt.server import XtPlan, limit_of
from tests.testing.clock import Clock, with_clock
from tests.testing.xt_clients import LONG, PATIENT, Client, Line, chart, house, run

THREE = chart("3 2 1 0  3 4  0 2 1 0  0 3 1 0  0 1 2 0")
PLAN = XtPlan([THREE], limit_of(LONG, 0), pause=0.0, client_limits=PATIENT)

SAID = {
    "a place that is taken": (encode(Answer(0, 3, 0)), "illegal move"),
    "a place off the board": (encode(Answer(65535, 65535, 0)), "illegal move"),
    "a special value where there is none": (encode(Answer(3, 1, 21)), "illegal move"),
    "4 GB": (bytes.fromhex("05 ffffffff") + b"x" * 200_000, "disqualified"),
    "an unknown message": (bytes.fromhex("63 00000000"), "disqualified"),
    "a message of the server": (bytes.fromhex("09 00000000"), "disqualified"),
    "a wrong length": (bytes.fromhex("05 00000006 000000000000"), "disqualified"),
    "its group again": (encode(Group(9)), "disqualified"),
    "a flood": (encode(Answer(0, 0, 0)) * 200_000, "disqualified"),
    "half a message": (bytes.fromhex("05 00000005 0003"), "stall"),
    "half a header": (b"\x05", "stall"),
}


def open_files() -> int:
    return sum(1 for _ in Path("/proc/self/fd").iterdir())


async def others_play_on(clients: list[Client], game: XtGameResult, offender: int, kind: str) -> None:
    """What everybody else must have heard, and what came of it."""
    (offence,) = game.finished.offences
    assert (offence.seat, offence.kind) == (offender, kind)
    assert game.seats[offender - 1].points == -50
    for client in clients:
        assert client.heard.count(Disqualified(offender)) == 1
        assert client.heard[-1] == EndOfGame()
        assert client.state == game.finished.record.final
        asked = sum(isinstance(frame, Ask) for frame in client.heard)
        assert asked == game.seats[client.seat - 1].moves    # nobody is asked twice for a move


@pytest.mark.parametrize(("seat", "what"), [
    *((1, what) for what in SAID),
    *((3, what) for what in SAID if "special" not in what),    # it may be asked for bombs, which have none
])
def test_what_a_client_should_not_say(seat: int, what: str) -> None:
    """Seat 1 says it when it is asked, seat 3 while seat 1 is thinking."""
    data, kind = SAID[what]

    async def scene() -> None:
        before = open_files()
        bounds = replace(PATIENT.bounds, message_timeout=0.1) if kind == "stall" else PATIENT.bounds
        limits = replace(PATIENT, bounds=bounds)
        async with house(replace(PLAN, client_limits=limits)) as running:
            lines = [await (running.line if number == seat else running.client)(number)
                     for number in (1, 2, 3)]
            hostile = lines[seat - 1]
            clients = [client for client in lines if isinstance(client, Client)]
            if seat == 1:
                await hostile.until(Ask)
            else:
                await hostile.until(Number)
            hostile.writer.write(data)
            playing = asyncio.gather(*(client.play(Random(1)) for client in clients))
            heard = await hostile.until(Disqualified)
            if heard is not None:    # not lost with what it has still to send
                assert heard == Disqualified(seat)
                assert await hostile.until(EndOfGame) is None
            hostile.close()
            await playing
            (game,) = await running.evening
        await others_play_on(clients, game, seat, kind)
        await asyncio.sleep(0)
        assert open_files() <= before

    run(scene())


@pytest.mark.parametrize("when", ["in the pause", "when it is asked", "while another thinks"])
@pytest.mark.parametrize("how", ["closes", "resets"])
def test_whoever_vanishes(when: str, how: str) -> None:
    seat = 3 if when == "while another thinks" else 1

    async def scene() -> None:
        plan = replace(PLAN, pause=0.2 if when == "in the pause" else 0.0)
        async with house(plan) as running:
            lines = [await (running.line if number == seat else running.client)(number)
                     for number in (1, 2, 3)]
            hostile = lines[seat - 1]
            clients = [client for client in lines if isinstance(client, Client)]
            await hostile.until(Number)
            if when == "when it is asked":
                await hostile.until(Ask)
            elif when == "while another thinks":
                await running.log.until(lambda: bool(running.log.events))
            if how == "resets":
                own = hostile.writer.get_extra_info("socket")
                own.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
            hostile.close()
            if when == "while another thinks":    # everybody hears of it before anybody has moved
                assert await clients[1].until(Disqualified) == Disqualified(3)
                clients[1].rewind()
            await asyncio.gather(*(client.play(Random(1)) for client in clients))
            (game,) = await running.evening
        await others_play_on(clients, game, seat, "disconnect")

    run(scene())


def test_whoever_offends_in_a_long_pause_hears_of_it() -> None:
    async def scene() -> None:
        hasty = replace(PATIENT, bounds=replace(PATIENT.bounds, linger=0.05))
        async with house(replace(PLAN, pause=0.2, client_limits=hasty)) as running:
            lines = [await running.line(number) for number in (1, 2, 3)]
            await lines[1].until(Number)
            lines[1].writer.write(bytes.fromhex("63 00000000"))
            assert await lines[1].until(Disqualified) == Disqualified(2)
            assert await lines[1].hear() is None

    run(scene())


def test_whoever_stalls_is_late_once(monkeypatch: pytest.MonkeyPatch) -> None:
    async def scene(clock: Clock) -> None:
        clock.stop_time()
        monkeypatch.setattr(time, "perf_counter", clock.time)    # with which the referee measures thinking
        async with house(replace(PLAN, limit=limit_of(3, 0))) as running:
            hostile = await running.line(1)
            clients = [await running.client(group) for group in (2, 3)]
            await hostile.until(Ask)
            clock.advance(4)
            await asyncio.gather(*(client.play(Random(1)) for client in clients))
            assert await hostile.until(Disqualified) == Disqualified(1)
            assert await hostile.hear() is None
            hostile.close()
            (game,) = await running.evening
        await others_play_on(clients, game, 1, "timeout")
        assert game.finished.offences[0].detail == "no answer within 3 s"

    with_clock(scene)


def test_one_that_is_left_wins_at_once() -> None:
    async def scene() -> None:
        async with house(PLAN) as running:
            lines = [await running.line(group) for group in (1, 2, 3)]
            await lines[0].until(Ask)
            lines[1].close()
            lines[2].close()
            assert await lines[0].until(EndOfGame) == EndOfGame()
            assert EndOfBuilding() not in lines[0].heard
            lines[0].close()
            (game,) = await running.evening
        assert game.finished.result.reason == "one seat left"
        assert game.finished.result.points == (25, -50, -50)

    run(scene())


def test_everybody_vanishes_and_the_next_game_goes_on() -> None:
    async def scene() -> None:
        async with house(replace(PLAN, games=2)) as running:
            lines = [await running.line(group) for group in (1, 2, 3)]
            await lines[0].until(Ask)
            for line in lines:
                line.close()
            clients = [await running.client(group) for group in (4, 5, 6)]
            await asyncio.gather(*(client.play(Random(1)) for client in clients))
            games = await running.evening
        assert games[0].finished.result.reason == "no seat left"
        assert games[0].finished.result.points == (-50, -50, -50)
        assert games[1].finished.offences == ()

    run(scene())


def test_a_silent_client_makes_room_and_a_full_room_does_not() -> None:
    async def scene() -> None:
        small = replace(PATIENT, max_waiting=2)
        async with house(replace(PLAN, client_limits=small)) as running:
            silent = await running.line()
            await running.line(1)
            await running.line(2)
            assert await silent.hear() is None
            turned_away = await Line.to(running.server, 3)
            assert await turned_away.hear() is None
            turned_away.close()

    run(scene())


def test_a_thousand_silent_clients_leave_nothing_behind() -> None:
    async def scene() -> None:
        before = open_files()
        async with house(PLAN) as running:
            for _ in range(10):
                lines = [await Line.to(running.server) for _ in range(100)]
                for line in lines:
                    line.close()
            clients = [await running.client(group) for group in (1, 2, 3)]
            await asyncio.gather(*(client.play(Random(1)) for client in clients))
            await running.evening
        await asyncio.sleep(0)
        assert open_files() <= before

    run(scene())
