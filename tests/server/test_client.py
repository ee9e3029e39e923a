"""Clients at hosts that mean no good, or that are no hosts at all: they end by themselves with a sentence."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

import polyversi as pv
from polyversi.gameplay import Request, Resign, Seat, SeatFailure
from polyversi.server.client import Client, RetryTimes
from polyversi.server.connection import Address, NetworkError, parse_address
from tests.testing.tcp_host import hosted, random_seat, run
from tests.testing.timeout import TIMEOUT

WELCOME = {"type": "welcome", "version": 1, "spec": "othello-4", "number": 1, "games": 1, "seat": 1,
           "events": 0, "grace": 0.1, "token": "abc"}
START = {"type": "event", "number": 0, "kind": "start", "data": {
    "game": "othello-4", "start": pv.game("othello-4").start().text, "players": ["A", "B"],
    "limits": ["none", "none"]}}
ASK = {"type": "request", "number": 1, "limit": {}, "seconds": 600}

Script = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


def lines(*messages: dict[str, Any] | bytes) -> bytes:
    return b"".join(
        said if isinstance(said, bytes) else json.dumps(said).encode() + b"\n" for said in messages
    )


async def visit(script: Script, **options: Any) -> str:
    """What comes of a client at a host that does as scripted with every connection."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await script(reader, writer)
        finally:
            writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    options.setdefault("make_seat", random_seat(1))
    options.setdefault("retry_times", RetryTimes(have=0.02, again=0.02, welcome=TIMEOUT, missing=0.1))
    try:
        return await Client(Address("127.0.0.1", port), name="Ann", **options).run()
    finally:
        server.close()


def saying(*messages: dict[str, Any] | bytes) -> Script:
    """A host that says this after the hello, and then listens to the end."""

    async def script(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readline()
        writer.write(lines(*messages))
        while await reader.read(1000):
            pass

    return script


BAD_HOSTS: dict[str, tuple[tuple[dict[str, Any] | bytes, ...], str]] = {
    "refusal": (({"type": "error", "sentence": "go\x1b[2J away"},), "the host refused: go?[2J away"),
    "another version": ((WELCOME | {"version": 9},), "version 1 of the messages, not 9"),
    "garbage": ((b"HTTP/1.1 400 Bad Request\r\n",), "this is not a message: 'HTTP/1.1 400"),
    "no welcome": ((START,), "did not answer as a host"),
    "unknown game": ((WELCOME | {"spec": "chess"},), "chess"),
    "a file of ours": ((WELCOME | {"spec": "xt:/etc/passwd"},), "passwd"),
    "a bad map": ((WELCOME | {"spec": "xt:x", "map": "nonsense"},), "nonsense"),
    "no such seat": ((WELCOME | {"seat": 5},), "othello-4 has no seat 5"),
    "a missing event": ((WELCOME, START | {"number": 3}), "event 0 is missing"),
    "a false start": ((WELCOME, START | {"data": {}}), "not a valid 'start'"),
    "out of turn": ((WELCOME | {"seat": 2}, START, ASK), "out of turn"),
    "an endless line": ((b"x" * (3 << 20),), "a message has at most 2097152 bytes"),
}


@pytest.mark.parametrize("name", list(BAD_HOSTS))
def test_a_bad_host_is_left_with_a_sentence(name: str) -> None:
    messages, words = BAD_HOSTS[name]
    welcome = 0.2 if name == "no welcome" else TIMEOUT
    times = RetryTimes(have=0.02, again=0.02, welcome=welcome, missing=0.1)
    with pytest.raises(pv.PolyversiError) as caught:
        run(visit(saying(*messages), retry_times=times))
    assert words in str(caught.value) and str(caught.value).isprintable()


def test_types_of_later_versions_are_passed_over() -> None:
    chat, bye = {"type": "chat", "text": "hi"}, {"type": "bye", "reason": "x\x07"}
    said = saying({"type": "advert"}, WELCOME, chat, START, bye)
    assert run(visit(said)) == "x?"


def test_a_host_that_is_silent_is_none() -> None:
    with pytest.raises(NetworkError, match="did not answer as a host"):
        run(visit(saying(), retry_times=RetryTimes(welcome=0.2)))


def test_a_host_that_drops_everybody_again_and_again_is_given_up() -> None:
    visits = 0

    async def script(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal visits
        visits += 1
        hello = json.loads(await reader.readline())
        assert hello["token"] == ("" if visits == 1 else "abc")
        writer.write(lines(WELCOME | {"grace": 3.0}, START))    # far more than it takes to come back once

    with pytest.raises(NetworkError, match=r"could not be reached again within 3 s"):
        run(visit(script))
    assert visits > 1


def test_nobody_at_home() -> None:
    async def evening() -> None:
        async with hosted("othello-4", [None, None]) as house:
            port = house.port
        with pytest.raises(NetworkError, match=rf"to 127\.0\.0\.1:{port}: Connection refused"):
            await Client(Address("127.0.0.1", port), None, name="Ann").run()

    run(evening())


@pytest.mark.parametrize("name", ["no.such.host.invalid", "a" * 70 + ".org", "x..y"])
def test_a_name_that_leads_nowhere(name: str) -> None:
    with pytest.raises(NetworkError, match="cannot connect to"):
        run(Client(Address(name, 7778), None, name="Ann").run())


@pytest.mark.parametrize("text", ["a b", "h:", "h:0", "h:70000", "h:x", "::1", "[::1", "a:1:2", "\x1b"])
def test_what_is_no_address(text: str) -> None:
    with pytest.raises(NetworkError, match="is not an address"):
        parse_address(text)


class Doing(Seat):
    """Does something else than to move."""

    name = "doing"

    def __init__(self, deed: Any) -> None:
        self.deed = deed
        self.is_closed = False

    async def answer(self, request: Request) -> Any:
        if isinstance(self.deed, Exception):
            raise self.deed
        return self.deed

    async def close(self) -> None:
        self.is_closed = True


def test_a_seat_that_fails_leaves_at_once() -> None:
    async def evening() -> None:
        seat = Doing(SeatFailure("crash", "it broke"))
        async with hosted("othello-4", [None, random_seat(1)]) as house:
            with pytest.raises(pv.PlayerError, match="doing gave up: it broke"):
                await Client(Address("127.0.0.1", house.port), lambda: seat, name="Ann").run()
            finished = await house.finished()
            assert finished.verdict.kind == "disconnect"
            assert finished.verdict.detail == "it left: doing gave up: it broke"
            assert seat.is_closed

    run(evening())


def test_a_seat_may_resign() -> None:
    async def evening() -> None:
        seat = Doing(Resign())
        async with hosted("othello-4", [None, random_seat(1)]) as house:
            await Client(Address("127.0.0.1", house.port), lambda: seat, name="Ann").run()
            assert (await house.finished()).verdict.kind == "resigned"
            assert seat.is_closed

    run(evening())


def test_a_client_that_is_stopped_says_good_bye() -> None:
    async def evening() -> None:
        async with hosted("othello-4", [None, None]) as house:
            one = house.client(1)
            await house.log.until_said("client 1 takes seat 1")
            one.cancel()
            await asyncio.gather(one, return_exceptions=True)
            await house.log.until_said("client 1 left seat 1")

    run(evening())
