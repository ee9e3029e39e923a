"""Guests that mean no good: they cost themselves the game and nobody else anything."""

from __future__ import annotations

import asyncio
import gc
import os
from collections.abc import Callable
from pathlib import Path

import pytest

import polyversi as pv
from polyversi.server import connection, guest, host
from tests.testing.tcp_host import Hosted, Raw, hosted, random_seat, run

GAME = pv.game("othello-6")
Attack = Callable[[Raw], None]


def garbage(raw: Raw) -> None:
    raw.send(os.urandom(200).replace(b"\n", b"") + b"\n")


def no_object(raw: Raw) -> None:
    raw.send(b"[1,2,3]\n")


def deep(raw: Raw) -> None:
    raw.send(b"[" * 8000 + b"\n")


def empty_lines(raw: Raw) -> None:
    raw.send(b"\n" * 1000)


def unknown(raw: Raw) -> None:
    raw.say(type="dance")


def second_hello(raw: Raw) -> None:
    raw.say(type="hello", version=1, name="again")


def second_chance(raw: Raw) -> None:
    raw.say(type="undo")


def flood_of_haves(raw: Raw) -> None:
    for _ in range(5000):
        raw.say(type="have", events=0)


def long_line(raw: Raw) -> None:
    raw.send(b'{"type":"move","move":"' + b"x" * 10_000 + b'"}\n')


def flood(raw: Raw) -> None:
    for _ in range(5000):
        raw.say(type="move", number=0, move="a1")


def answers_to_no_question(raw: Raw) -> None:
    for _ in range(500):
        raw.say(type="move", number=2**31 - 1, move="a1")


ATTACKS = [garbage, no_object, deep, empty_lines, unknown, second_hello, second_chance, long_line, flood,
           flood_of_haves, answers_to_no_question]


@pytest.mark.parametrize("attack", ATTACKS, ids=[attack.__name__ for attack in ATTACKS])
def test_an_attack_costs_the_attacker_the_game(attack: Attack) -> None:
    async def evening() -> None:
        async with hosted(GAME, [None, None]) as house:
            bad, good = await Raw.join(house.port, "bad"), await Raw.join(house.port, "good")
            await bad.asked()
            attack(bad)
            last = (await bad.rest())[-1]
            assert last["type"] == "error" and last["sentence"]
            assert (await good.rest())[-1]["type"] == "bye"
            finished = await house.finished()
            assert (finished.verdict.kind, finished.verdict.seat) == ("disconnect", 1)
            assert finished.verdict.detail == last["sentence"]
            with pytest.raises((AssertionError, OSError)):
                await Raw.join(house.port, "bad", token=bad.welcome["token"])

    run(evening())


@pytest.mark.slow
def test_an_attacker_cannot_take_its_seat_up_again() -> None:
    async def evening() -> None:
        async with hosted("xt:arena,players=3", [None, None, random_seat(1)]) as house:
            good, bad = await Raw.join(house.port, "good"), await Raw.join(house.port, "bad")
            await good.asked()
            bad.send(b"nonsense\n")
            await house.log.until_said("bad left seat 2: this is not a message")
            again = await Raw.connect(house.port)
            again.say(type="hello", version=1, name="bad", token=bad.welcome["token"])
            assert "seat 2 has lost this game" in (await again.next())["sentence"]
            await bad.rest()
            await house.log.until(lambda: house.log.verdicts() == {2: "disconnect"})
            assert not house.playing.done(), "the others play on"

    run(evening())


async def pour(raw: Raw, most: int) -> int:
    """Sends a line without an end until nobody takes any more of it; how much was taken."""
    sent, chunk = 0, b"x" * 65536
    try:
        while sent < most:
            raw.send(chunk)
            await raw.writer.drain()
            sent += len(chunk)
    except OSError:
        pass
    return sent


@pytest.mark.parametrize("has_seat", [True, False])
def test_a_line_of_four_gigabytes_is_not_taken(has_seat: bool) -> None:
    async def evening() -> None:
        async with hosted(GAME, [None, None]) as house:
            good = await Raw.join(house.port, "good")
            bad = await (Raw.join(house.port, "bad") if has_seat else Raw.connect(house.port))
            taken = await pour(bad, 4 << 30)
            assert taken < 64 << 20, "what the system's own buffers hold, and what is thrown away"
            if has_seat:
                await good.play_on(GAME)
                assert (await house.finished()).verdict.seat == 2
            good.abort()

    run(evening())


def test_half_a_line_has_to_end_some_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "LINE_TIMEOUT", 0.05)

    async def evening() -> None:
        async with hosted(GAME, [None, random_seat(1)]) as house:
            raw = await Raw.join(house.port)
            await raw.asked()
            raw.send(b'{"type": "move", ')
            assert "did not end within 0.05 s" in (await raw.next())["sentence"]
            raw.abort()
            assert (await house.finished()).verdict.kind == "disconnect"

    run(evening())


def test_half_a_line_before_the_connection_breaks_is_no_answer() -> None:
    async def evening() -> None:
        async with hosted(GAME, [None, random_seat(1)]) as house:
            raw = await Raw.join(house.port)
            request, _ = await raw.asked()
            raw.send(b'{"type": "move", "number": %d, "move": "a1"' % request["number"])
            await raw.writer.drain()
            raw.abort()
            await house.log.until_said("raw lost the connection")
            again = await Raw.join(house.port, token=raw.welcome["token"])
            await again.play(GAME, 1)
            await house.log.until(lambda: len(house.log.moves()) > 0)
            again.say(type="bye")
            assert (await house.finished()).verdict.detail == "it left"

    run(evening())


def test_a_guest_that_stalls_loses_on_time() -> None:
    async def evening() -> None:
        for rules, kind in (({"limit": pv.Limit(seconds=0.1)}, "timeout"), ({"move_timeout": 0.1}, "stall")):
            async with hosted(GAME, [None, random_seat(1)], **rules) as house:
                raw = await Raw.join(house.port)
                request, _ = await raw.asked()
                assert list(request["limit"]) == (["seconds"] if kind == "timeout" else [])
                assert 0 <= request["seconds"] <= 0.1
                await raw.rest()
                finished = await house.finished()
                assert (finished.verdict.kind, finished.verdict.seat) == (kind, 1)

    run(evening())


def test_strangers_who_say_nothing_are_sent_away(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guest, "HELLO_TIMEOUT", 0.05)

    async def evening() -> None:
        async with hosted(GAME, [None, None]) as house:
            silent = await Raw.connect(house.port)
            assert await silent.rest() == [{"type": "error", "sentence": "no 'hello' came within 0.05 s"}]
            silent.abort()

    run(evening())


def test_a_crowd_of_strangers_keeps_nobody_out() -> None:
    async def evening() -> None:
        async with hosted(GAME, [None, None]) as house:
            crowd = [await Raw.connect(house.port) for _ in range(3 * host.MAX_STRANGERS)]
            clients = [house.client(1), house.client(2)]
            assert (await house.finished()).verdict.kind in ("win", "draw")
            await asyncio.gather(*clients)
            for stranger in crowd:
                stranger.abort()

    run(evening())


def test_there_is_room_for_so_many_spectators(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(host, "MAX_SPECTATORS", 3)

    async def evening() -> None:
        async with hosted(GAME, [None, None]) as house:
            crowd = [await Raw.join(house.port, seat=0) for _ in range(3)]
            late = await Raw.connect(house.port)
            late.say(type="hello", version=1, name="late", seat=0)
            assert "its maximum of 3 spectators" in (await late.next())["sentence"]
            crowd[0].abort()
            await house.log.until_said("raw stopped watching")
            crowd[0] = await Raw.join(house.port, seat=0)
            for spectator in (late, *crowd):
                spectator.abort()

    run(evening())


async def wait_for_error(house: Hosted, line: bytes) -> str:
    raw = await Raw.connect(house.port)
    raw.send(line)
    heard = await raw.rest()
    raw.abort()
    assert [message["type"] for message in heard] == ["error"]
    return str(heard[0]["sentence"])


def test_strangers_are_refused_in_a_sentence() -> None:
    async def evening() -> None:
        async with hosted(GAME, [None, random_seat(1)]) as house:
            old = await wait_for_error(house, b'{"type": "hello", "version": 2, "name": "Ann", "new": {}}\n')
            assert old == ("this is version 1 of the messages, not 2; "
                           "host and guest need the same version of Polyversi")
            web = await wait_for_error(house, b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
            assert web == ("this is not a message: 'GET / HTTP/1.1?'; "
                           'a message is a JSON object with a "type"')
            early = await wait_for_error(house, b'{"type": "move", "number": 1, "move": "a1"}\n')
            assert early == "the first message must be a 'hello'"
            watcher = await Raw.join(house.port, "watcher", seat=0)
            watcher.say(type="resign")
            assert (await watcher.rest())[-1]["sentence"] == "spectators cannot move"

    run(evening())


def test_a_spectator_that_never_reads_holds_nobody_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(host, "CATCH_UP", 0.2)

    async def evening() -> None:
        game = pv.game("xt:starfish")
        async with hosted(game, [random_seat(seed) for seed in range(7)] + [None], games=2) as house:
            reader, writer = await asyncio.open_connection("127.0.0.1", house.port, limit=1)
            deaf = Raw(reader, writer)
            deaf.say(type="hello", version=1, name="deaf", seat=0)
            await house.log.until_said("deaf watches")
            client = house.client(8)
            games = await house.playing
            assert await client == "all games are played"
            assert all(game.verdict.kind in ("win", "draw") for game in games)
            deaf.abort()

    run(evening())


def test_an_illegal_move_costs_what_the_variant_says() -> None:
    async def evening() -> None:
        for spec, kind in (("othello-6", "illegal move"), ("hex", "resigned")):
            async with hosted(spec, [None, random_seat(1)]) as house:
                raw = await Raw.join(house.port)
                request, _ = await raw.asked()
                raw.say(type="move", number=request["number"], move="z99")
                raw.say(type="resign")
                await raw.rest()
                finished = await house.finished()
                assert (finished.verdict.kind, finished.verdict.seat) == (kind, 1)
                assert house.log.verdicts() == {1: "illegal move"}

    run(evening())


def left() -> tuple[int, int]:
    """How many descriptors are open and how many tasks run."""
    return len(list(Path("/proc/self/fd").iterdir())), len(asyncio.all_tasks())


def test_nothing_is_left_open() -> None:
    """Neither descriptors nor tasks, whatever the guests did."""

    async def evening() -> None:
        gc.collect()    # what other tests left
        before = left()
        attacks: list[Attack] = [*ATTACKS, Raw.abort, lambda raw: raw.say(type="bye")]
        for attack in attacks:
            async with hosted(GAME, [None, random_seat(1)], grace=0.0) as house:
                bad, watcher = await Raw.join(house.port), await Raw.join(house.port, seat=0)
                await bad.asked()
                attack(bad)
                await asyncio.gather(bad.rest(), watcher.rest())
                await house.finished()
                for raw in (bad, watcher):
                    raw.abort()
        while left() != before:
            await asyncio.sleep(0)    # sockets are closed in the next turns of the loop

    run(evening())
