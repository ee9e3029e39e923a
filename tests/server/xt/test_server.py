"""The server with honest clients: seats in the order of connection, messages in theirs, game after game."""

from __future__ import annotations

import asyncio
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest

import polyversi as pv
from polyversi.gameplay import LocalSeat
from polyversi.games.errors import LimitError, MapError, PlayerError, VariantError
from polyversi.protocols.xt.frames import Answer, Ask, EndOfBuilding, EndOfGame, Frame, Map, Number, Played
from polyversi.records import jsonl
from polyversi.server.connection import NetworkError
from polyversi.server.xt.server import ServerMap, XtPlan, XtServer, limit_of, server_map
from tests.testing.clock import Clock, with_clock
from tests.testing.timeout import TIMEOUT
from tests.testing.xt_clients import LONG, PATIENT, Line, chart, house, run

THREE = chart("3 2 1 0\r\n3 4\r\n0 2 1 0  0 3 1 0  0 1 2 0\r\n")
TWO = chart("2 0 1 1  2 3  0 1 2  0 2 1", "two")


def plan(*charts: ServerMap, seconds: float = LONG, depth: int = 0, local: int = 0, games: int = 1,
         pause: float = 0.0, **more: Any) -> XtPlan:
    seats = [lambda: LocalSeat(pv.player("random", seed=1))] * local
    return XtPlan(charts or (THREE,), limit_of(seconds, depth), seats, games, pause, PATIENT, **more)


def test_a_game_of_three_clients() -> None:
    async def scene() -> None:
        async with house(plan()) as running:
            clients = [await running.client(group) for group in (7, 99, 0)]
            await asyncio.gather(*(client.play(Random(n)) for n, client in enumerate(clients)))
            (game,) = await running.evening
        assert [client.seat for client in clients] == [1, 2, 3]
        assert game.groups == (7, 99, 0) and game.finished.offences == ()
        assert game.finished.record.players == ("group 7", "group 99", "group 0")
        for number, client in enumerate(clients, 1):
            assert client.heard[:2] == [Map(THREE.text), Number(number)]
            assert client.heard[-1] == EndOfGame()
            assert client.heard.count(EndOfBuilding()) == 1
            assert client.state == game.finished.record.final
        heard = [[told for told in client.heard if not isinstance(told, (Ask, Number))] for client in clients]
        assert heard[0] == heard[1] == heard[2]    # movers hear their own moves too
        played = sum(isinstance(frame, Played) for frame in clients[0].heard)
        assert played == len(game.finished.record.moves) == sum(row.moves for row in game.seats)

    run(scene())


def test_the_bank_grows_by_the_time_of_a_move() -> None:
    async def scene() -> None:
        async with house(plan(TWO, seconds=LONG)) as running:
            clients = [await running.client(group) for group in (1, 2)]
            await asyncio.gather(*(client.play(Random(1)) for client in clients))
        for client in clients:
            assert client.banks[0] == 1000 * LONG
            assert all(before < later <= before + 1000 * LONG for before, later in pairwise(client.banks))

    run(scene())


@pytest.mark.parametrize(("seconds", "depth", "asked"), [
    (0, 4, Ask(0, 4)), (LONG, 4, Ask(round(1000 * LONG), 4)),
])
def test_a_depth_goes_with_every_request(seconds: float, depth: int, asked: Ask) -> None:
    async def scene() -> None:
        async with house(plan(TWO, seconds=seconds, depth=depth)) as running:
            first, _ = await running.line(1), await running.line(2)
            assert await first.until(Ask) == asked

    run(scene())


def test_there_is_a_pause_before_the_first_request() -> None:
    """The first request comes after the seat and not with it: what clients do in between is theirs."""
    async def scene() -> None:
        loop = asyncio.get_running_loop()
        async with house(plan(TWO, pause=0.2)) as running:
            first, _ = await running.line(1), await running.line(2)
            began = loop.time()
            await first.until(Number)
            early = loop.time() - began
            await first.until(Ask)
            assert loop.time() - began >= 0.19 > early

    run(scene())


def test_an_early_move_is_kept_for_its_request() -> None:
    async def scene() -> None:
        async with house(plan(TWO)) as running:
            first, second = await running.line(1), await running.client(2)
            first.send(Answer(0, 1, 0))
            assert await second.until(Played) == Played(0, 1, 0, 1)

    run(scene())


ORDERS: list[tuple[ServerMap, list[type[Frame]]]] = [
    (chart("2 0 0 0  1 3  0 1 2"), [Map, Number, Ask, Played, EndOfBuilding, EndOfGame]),
    (chart("2 0 1 0  1 3  0 1 1"), [Map, Number, EndOfBuilding, Played, Ask, Played, EndOfGame]),
    (chart("2 0 1 0  1 3  0 1 2"), [Map, Number, Ask, Played, EndOfBuilding, Played, Ask, Played, EndOfGame]),
]


@pytest.mark.parametrize(("where", "kinds"), ORDERS)
def test_the_order_of_messages(where: ServerMap, kinds: list[type[Frame]]) -> None:
    async def scene() -> None:
        async with house(plan(where)) as running:
            clients = [await running.client(group) for group in (1, 2)]
            await asyncio.gather(*(client.play(Random(1)) for client in clients))
        assert [type(frame) for frame in clients[1].heard] == kinds

    run(scene())


def test_players_of_this_machine_take_the_last_seats() -> None:
    async def scene() -> None:
        async with house(plan(THREE, local=2)) as running:
            client = await running.client(6)
            await client.play(Random(1))
            (game,) = await running.evening
        assert client.seat == 1
        assert game.groups == (6, None, None)
        assert [row.player for row in game.seats] == ["group 6", "random:seed=1", "random:seed=1"]

    run(scene())


def test_games_in_a_row_on_maps_in_turn() -> None:
    async def scene() -> None:
        async with house(plan(TWO, THREE, games=3)) as running:
            waiting = [await running.client(group) for group in range(7)]    # all for three games at once
            await asyncio.gather(*(client.play(Random(1)) for client in waiting))
            games = await running.evening
        assert [game.map for game in games] == ["two", "small", "two"]
        assert [game.groups for game in games] == [(0, 1), (2, 3, 4), (5, 6)]
        assert [game.number for game in games] == [1, 2, 3]
        for game in games:
            assert jsonl.parse(jsonl.write(game.record)) == game.record

    run(scene())


def test_whoever_comes_too_late_for_the_last_game_is_turned_away() -> None:
    async def scene() -> None:
        async with house(plan(TWO)) as running:
            await running.line(1)
            silent = await running.line()
            extra = [await running.line(3), await running.line(4)]
            silent.close()
            await running.log.until_said("group 4 came too late for the last game")
            assert await extra[1].hear() is None
            assert await extra[0].hear() == Map(TWO.text)
            with pytest.raises(ConnectionError):
                await Line.to(running.server)

    run(scene())


def test_a_place_is_free_again_before_the_game_begins() -> None:
    async def scene() -> None:
        async with house(plan(THREE)) as running:
            gone = await running.line(1)
            second = await running.line(2)
            gone.close()
            await running.log.until_said("group 1 left")
            third, fourth = await running.line(3), await running.line(4)
            for number, line in enumerate((second, third, fourth), 1):
                assert await line.until(Number) == Number(number)

    run(scene())


def test_the_number_of_a_silent_client_goes_to_the_next() -> None:
    async def scene(clock: Clock) -> None:
        async with house(plan(TWO)) as running:
            silent = await running.line()
            second, third = await running.line(2), await running.line(3)
            clock.advance(TIMEOUT)
            await running.log.until_said(f"it did not say its group within {TIMEOUT:g} s")
            assert await silent.hear() is None
            assert await second.until(Number) == Number(1)
            assert await third.until(Number) == Number(2)

    with_clock(scene)


def test_a_busy_port() -> None:
    async def scene() -> None:
        async with house(plan()) as running:
            with pytest.raises(NetworkError, match="cannot be opened: Address already in use"):
                await XtServer(plan()).open(port=running.server.port)

    run(scene())


def test_a_port_in_use_gives_way_to_the_next() -> None:
    async def scene() -> None:
        async with house(plan()) as running:
            second = XtServer(plan())
            await second.open(port=running.server.port, tries=50)
            assert running.server.port < second.port < running.server.port + 50
            await second.close()
            with pytest.raises(NetworkError, match="Address already in use"):
                await XtServer(plan()).open(port=running.server.port, tries=1)

    run(scene())


def test_not_all_clients_come_in_time() -> None:
    async def scene() -> None:
        async with house(plan(TWO, longest_wait=0.05)) as running:
            with pytest.raises(NetworkError, match=r"^0 of 2 clients had connected after 0\.05 s; the game"):
                await running.evening

    run(scene())


def test_clients_of_one_group_stay_apart() -> None:
    async def scene() -> None:
        names = {7: ["Ann", "Bob"], 8: ["Cid"]}
        async with house(plan(THREE, TWO, games=2, names=names)) as running:
            waiting = [await running.client(group) for group in (7, 7, 7, 5, 8)]
            await asyncio.gather(*(client.play(Random(1)) for client in waiting))
            first, second = await running.evening
        assert [row.player for row in first.seats] == ["Ann (group 7)", "Bob (group 7)", "group 7 #3"]
        assert [row.player for row in second.seats] == ["group 5", "Cid (group 8)"]
        assert first.groups == (7, 7, 7)

    run(scene())


def test_plans_that_cannot_be() -> None:
    with pytest.raises(PlayerError, match="leave no seat for a client"):
        plan(TWO, local=2)
    with pytest.raises(LimitError, match="needs a time or a depth"):
        limit_of(0, 0)
    with pytest.raises(LimitError, match="a depth of 256"):
        limit_of(1, 256)
    with pytest.raises(LimitError, match="pause"):
        plan(pause=float("nan"))
    with pytest.raises(VariantError, match="the most stones"):
        server_map("arena,goal=fewest")


@pytest.mark.parametrize("head", ["2 256 0 0", "2 0 300 0"])
def test_stocks_that_clients_cannot_count_are_refused(tmp_path: Path, head: str) -> None:
    path = tmp_path / "rich.map"
    path.write_text(f"{head} 1 3 0 1 2")
    with pytest.raises(VariantError, match="in a byte; a map for them has at most 255 of each"):
        server_map(str(path))
    assert pv.game(f"xt:{path}").start().moves    # but people can play on it, as ever



def test_a_map_on_which_nobody_could_play_is_not_hosted(tmp_path: Path) -> None:
    path = tmp_path / "dull.map"
    path.write_text("2 0 0 0  1 3  0 1 1")
    with pytest.raises(MapError, match=r"dull\.map: the map has neither a move nor a bomb"):
        server_map(str(path))


def test_a_file_goes_over_the_wire_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "odd,name.map"
    path.write_bytes(b"\n2   0\r\n\r\n0 0 1 3\t0 1 2 \n")
    read = server_map(str(path))
    assert read.text == path.read_bytes()
    assert (read.name, read.game.seats) == ("odd,name", 2)
    assert server_map(f"xt:{path}") == read
