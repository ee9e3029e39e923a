"""Connections that say nothing, never end or are too many, at a real port of this machine."""

from __future__ import annotations

import asyncio
import gc
import logging
import os
import resource
import socket
from collections.abc import AsyncIterator
from contextlib import ExitStack, asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any, cast

import pytest
import uvicorn
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket
from websockets.asyncio.client import connect

from polyversi.server import front, limits
from polyversi.server.app import application
from polyversi.server.front import HEAD_TIMEOUT, Front, Line, max_lines
from polyversi.server.limits import MAX_CONNECTIONS, MAX_OF_PERSON
from polyversi.server.reporting import Throttle, ThrottledLog
from polyversi.server.responses import (
    BODY_TIMEOUT,
    LEAST_RATE,
    MAX_BODY,
    HttpError,
    expect_large,
    read_body,
    unless_gone,
)
from polyversi.server.serve import open_port
from tests.testing import http
from tests.testing.clock import Clock, until, with_clock
from tests.testing.page_server import Served
from tests.testing.timeout import TIMEOUT

HEAD = b" HTTP/1.1\r\nhost: localhost\r\n"
GET = b"GET /here" + HEAD + b"\r\n"
LONG = b"content-length: 1000000\r\n\r\nx"
CHUNKED = b"transfer-encoding: chunked\r\n\r\n1\r\nx\r\n"
MANY = 1000
"""More frames, connections or seconds than anything may take."""
taken: list[int] = []
"""What has come of a large file, in bytes."""


async def here(_: Request) -> Response:
    return PlainTextResponse("here")


async def read(request: Request) -> Response:
    return PlainTextResponse(f"{len(await read_body(request))} bytes")


async def take(request: Request) -> Response:
    expect_large(request)
    async for chunk in request.stream():
        taken.append(len(chunk))
    return PlainTextResponse("taken")


async def refuse(_: Request) -> Response:
    raise HttpError(429, "too many requests at once; wait a little")


async def greet(websocket: WebSocket) -> None:
    await websocket.accept()
    await websocket.send_text(await websocket.receive_text())


@asynccontextmanager
async def serving(gate: Front | None = None, address: str = "127.0.0.1") -> AsyncIterator[int]:
    """The port of a small application behind the front."""
    listening = open_port(address, 0)
    app = application([], [
        Route("/here", here, methods=["GET", "POST"]), Route("/read", read, methods=["POST"]),
        Route("/take", take, methods=["POST"]),
        Route("/refuse", refuse, methods=["GET", "POST"]), WebSocketRoute("/ws", greet)])
    line = cast("type[asyncio.Protocol]", (gate or Front()).line)
    server = uvicorn.Server(uvicorn.Config(app, http=line, ws="websockets-sansio", log_level="critical"))
    running = asyncio.create_task(server.serve([listening]))
    try:
        yield listening.getsockname()[1]
    finally:
        server.should_exit = True
        await running


async def rest(reader: asyncio.StreamReader) -> bytes:
    """What comes up to the end of a connection."""
    heard = b""
    try:
        while said := await reader.read(1 << 16):
            heard += said
    except ConnectionResetError:
        pass
    return heard


async def open_line(port: int) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    return await asyncio.open_connection("127.0.0.1", port)


async def advance_until_dropped(clock: Clock, reader: asyncio.StreamReader, seconds: float) -> bytes:
    """What comes on a connection that is closed within so many seconds of the server's time."""
    reading = asyncio.create_task(rest(reader))
    for _ in range(100):    # what was sent is on its way: it must be there before the time is over
        await asyncio.sleep(0)
    while not reading.done():
        clock.advance(seconds)
        await asyncio.wait([reading], timeout=seconds)
    return await reading


@pytest.mark.parametrize("said", [b"", GET[:20], GET[:-2] + b"x: " + b"y" * 1000])
def test_a_line_that_says_nothing_or_half_is_dropped(said: bytes) -> None:
    async def evening(clock: Clock) -> None:
        async with serving() as port:
            reader, writer = await open_line(port)
            writer.write(said)
            assert await advance_until_dropped(clock, reader, HEAD_TIMEOUT) == b""
            writer.close()

    with_clock(evening)


def test_a_second_request_must_come_to_its_end_too() -> None:
    async def evening(clock: Clock) -> None:
        async with serving() as port:
            reader, writer = await open_line(port)
            writer.write(GET)
            assert b"200 OK" in await reader.readuntil(b"\r\n\r\nhere")
            writer.write(GET[:20])
            assert await advance_until_dropped(clock, reader, HEAD_TIMEOUT) == b""
            writer.close()

    with_clock(evening)


@pytest.mark.parametrize(("said", "status"), [
    (b"POST /read" + HEAD + LONG, b"408"),
    (b"POST /read" + HEAD + CHUNKED, b"408"),
    (b"POST /read" + HEAD + b"expect: 100-continue\r\n" + LONG[:-1], b"100"),
    (b"POST /here" + HEAD + LONG, b"200"),
    (b"GET /here" + HEAD + LONG, b"200"),
    (b"POST /here" + HEAD + CHUNKED, b"200"),
    (b"GET /nowhere" + HEAD + LONG, b"404"),
    (b"POST /refuse" + HEAD + LONG, b"429"),
    (b"GET /refuse" + HEAD + b"\r\n", b"429"),
    (b"POST /here" + HEAD + b"origin: http://elsewhere\r\n" + LONG, b"403"),
    (b"\x16\x03\x01" + b"?" * 100 + b"\r\n\r\n", b"400"),
])
def test_a_request_that_never_ends_is_answered_and_closed(said: bytes, status: bytes) -> None:
    gate = Front()

    async def evening(clock: Clock) -> None:
        async with serving(gate) as port:
            reader, writer = await open_line(port)
            writer.write(said)
            heard = await advance_until_dropped(clock, reader, BODY_TIMEOUT)
            assert heard.startswith(b"HTTP/1.1 " + status) and b"\r\nconnection: close\r\n" in heard.lower()
            while gate.lines:    # though we never close our end
                clock.advance(TIMEOUT)
                await asyncio.sleep(0)
            writer.close()

    with_clock(evening)


def has_come(rounds: int, answer: asyncio.Task[bytes]) -> bool:
    """Whether more has come than so many rounds bring, or nothing more is wanted."""
    return sum(taken) > rounds * LEAST_RATE or answer.done()


@pytest.mark.parametrize("seconds", [1.5, 3.5])
def test_a_large_file_may_take_as_long_as_its_bytes_need(seconds: float) -> None:
    """A second's worth of bytes comes in each round."""
    async def evening(clock: Clock) -> None:
        async with serving() as port:
            reader, writer = await open_line(port)
            rounds = 40
            writer.write(b"POST /take" + HEAD + b"content-length: %d\r\n\r\n" % (rounds * LEAST_RATE))
            answer = asyncio.create_task(reader.readuntil(b"\r\n"))
            taken.clear()
            for number in range(rounds):
                writer.write(b"x" * LEAST_RATE)
                await until(partial(has_come, number, answer))
                clock.advance(seconds)
            assert (await answer).startswith(b"HTTP/1.1 200" if seconds < 1.75 else b"HTTP/1.1 408")
            writer.close()

    with_clock(evening)


def test_whoever_sends_too_much_can_read_that() -> None:
    async def evening(clock: Clock) -> None:
        async with serving() as port:
            reader, writer = await open_line(port)
            size = 3 * MAX_BODY
            writer.write(b"POST /read" + HEAD + b"content-length: %d\r\n\r\n" % size + b"x" * size)
            await writer.drain()
            heard = await rest(reader)
            assert heard.startswith(b"HTTP/1.1 413") and b"this is too large; the limit is 1 MiB" in heard
            writer.close()

    with_clock(evening)


def test_a_connection_is_kept_for_requests_that_came_whole() -> None:
    async def evening(clock: Clock) -> None:
        async with serving() as port:
            reader, writer = await open_line(port)
            for _ in range(3):
                writer.write(GET + b"POST /read" + HEAD + b"content-length: 3\r\n\r\nxyz")
                assert b"connection" not in await reader.readuntil(b"here")
                assert b"connection" not in await reader.readuntil(b"3 bytes")
            writer.close()

    with_clock(evening)


def test_whoever_takes_nothing_of_an_answer_is_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    gate = Front()

    async def large(_: Request) -> Response:
        return PlainTextResponse("x" * 50_000_000)

    monkeypatch.setitem(globals(), "here", large)

    async def evening(clock: Clock) -> None:
        async with serving(gate) as port:
            reader, writer = await open_line(port)
            cast("asyncio.ReadTransport", writer.transport).pause_reading()
            writer.write(GET)
            await until(lambda: gate.lines)
            (line,) = gate.lines
            await until(lambda: line.is_stalled)
            while gate.lines:
                clock.advance(front.SEND_TIMEOUT)
                await asyncio.sleep(0)
            del reader
            writer.close()

    with_clock(evening)


def test_whoever_takes_nothing_from_a_websocket_is_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    gate, sent = Front(), 0

    async def chatter(websocket: WebSocket) -> None:
        nonlocal sent
        await websocket.accept()
        await websocket.receive_text()
        while True:
            await websocket.send_text("x" * 10_000)
            sent += 10_000
            await asyncio.sleep(0)

    monkeypatch.setitem(globals(), "greet", chatter)

    async def evening(clock: Clock) -> None:
        async with (
            serving(gate) as port,
            connect(f"ws://127.0.0.1:{port}/ws", ping_interval=None, compression=None) as slow,
        ):
            slow.transport.pause_reading()
            await slow.send("talk to me")
            (line,) = gate.lines
            await until(lambda: line.is_stalled)
            before = sent
            for _ in range(100):
                await asyncio.sleep(0)
            assert sent == before    # it waits, and nothing more is kept for this one
            assert line.unsent < 200_000
            while gate.lines:
                clock.advance(front.SEND_TIMEOUT)
                await asyncio.sleep(0)
            slow.transport.abort()

    with_clock(evening)


def test_nothing_is_kept_of_connections_that_are_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(front, "SEND_TIMEOUT", TIMEOUT)

    def has_lines() -> bool:
        gc.collect()
        return any(isinstance(one, Line) for one in gc.get_objects())

    async def evening(clock: Clock) -> None:
        async with serving() as port:
            closing = GET[:-2] + b"connection: close\r\n\r\n"
            for said in (GET, closing, b"POST /refuse" + HEAD + LONG, b"no HTTP\r\n\r\n"):
                _, writer = await open_line(port)
                writer.write(said)
                writer.write_eof()
                writer.close()
            async with connect(f"ws://127.0.0.1:{port}/ws") as socket:
                await socket.send("here")
                await socket.recv()
            await until(lambda: not has_lines())

    with_clock(evening)


def test_a_websocket_may_be_silent() -> None:
    async def evening(clock: Clock) -> None:
        async with serving() as port, connect(f"ws://127.0.0.1:{port}/ws", ping_interval=None) as silent:
            clock.advance(HEAD_TIMEOUT)
            reader, writer = await open_line(port)
            await advance_until_dropped(clock, reader, HEAD_TIMEOUT)    # one that came later
            writer.close()
            await silent.send("still here")
            assert await silent.recv() == "still here"

    with_clock(evening)


def test_a_visitor_from_elsewhere_has_so_many_connections(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(front, "max_connections", lambda _: 2)

    async def answers(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        try:
            writer.write(GET)
            return b"200 OK" in await reader.read(100)
        except ConnectionResetError:
            return False

    async def evening(clock: Clock) -> None:
        async with serving() as port:
            first, second, third = [await open_line(port) for _ in range(3)]
            assert await answers(*first) and await answers(*second)
            assert not await answers(*third)
            first[1].close()
            while not await answers(*await open_line(port)):
                pass    # the server has not heard yet that the first one is gone

    with_clock(evening)


def test_work_for_somebody_who_has_left_is_called_off(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[str] = []

    async def endless() -> None:
        told.append("begun")
        try:
            await asyncio.Event().wait()
        finally:
            told.append("called off")

    async def work(request: Request) -> Response:
        await unless_gone(request, endless())
        return PlainTextResponse("never")

    monkeypatch.setitem(globals(), "here", work)

    async def evening(clock: Clock) -> None:
        async with serving() as port:
            _, writer = await open_line(port)
            writer.write(GET)
            await until(lambda: told == ["begun"])
            writer.close()
            await until(lambda: told == ["begun", "called off"])

    with_clock(evening)


class FarAway(asyncio.Transport):
    """A connection from an address that this machine does not have."""

    def __init__(self, address: str) -> None:
        super().__init__({"peername": (address, 4711, 0, 0), "sockname": ("2001:db8::1", 80, 0, 0)})
        self.is_dropped = False

    def abort(self) -> None:
        self.is_dropped = True

    def is_closing(self) -> bool:
        return self.is_dropped


def test_a_household_is_one_visitor_with_all_its_addresses() -> None:
    gate = Front()

    async def evening(clock: Clock) -> None:
        config = uvicorn.Config(application([], []))
        state = uvicorn.Server(config).server_state

        def come(address: str) -> bool:
            far = FarAway(address)
            line = gate.line(config=config, server_state=state, app_state={})
            assert isinstance(line, Line)
            line.connection_made(far)
            return not far.is_dropped

        assert [come(f"2001:db8:0:1::{number:x}") for number in range(MAX_CONNECTIONS)].count(True) == 200
        assert not come("2001:db8:0:1:ffff::1")
        assert come("2001:db8:0:2::1")
        assert all(come(address) for _ in range(100) for address in ("192.0.2.7", "::ffff:192.0.2.7"))
        assert not come("::ffff:192.0.2.7") and not come("192.0.2.7")

    with_clock(evening)


def test_a_connection_counts_for_the_person_whose_session_it_brings() -> None:
    gate = Front()

    async def evening(clock: Clock) -> None:
        config = uvicorn.Config(application([], []))
        state = uvicorn.Server(config).server_state

        def come(address: str, person: str = "") -> FarAway:
            far = FarAway(address)
            line = gate.line(config=config, server_state=state, app_state={})
            line.connection_made(far)
            if person:
                line.belongs_to(person)
                line.belongs_to(person)    # with its second request
            return far

        people = [come("192.0.2.7", f"person:{number}") for number in range(5) for _ in range(MAX_OF_PERSON)]
        assert not any(far.is_dropped for far in people), "more than one address may have"
        assert come("192.0.2.7", "person:1").is_dropped
        assert come("2001:db8::7", "person:1").is_dropped
        assert not any(come("192.0.2.7").is_dropped for _ in range(MAX_CONNECTIONS))
        assert come("192.0.2.7").is_dropped
        proxied = [come("127.0.0.1", "person:1") for _ in range(MAX_CONNECTIONS + 1)]
        assert not any(far.is_dropped for far in proxied), "a proxy brings the requests of many"

    with_clock(evening)


def test_when_there_are_too_many_those_on_which_nothing_was_asked_go_first() -> None:
    async def evening(clock: Clock) -> None:
        async with serving(Front(max_lines=3)) as port, connect(f"ws://127.0.0.1:{port}/ws") as playing:
            silent = [await open_line(port) for _ in range(2)]
            for _ in range(5):    # newcomers are answered all the same
                reader, writer = await open_line(port)
                writer.write(GET)
                assert b"200 OK" in await reader.readline()
                writer.close()
            assert await rest(silent[0][0]) == b""
            await playing.send("still here")
            assert await playing.recv() == "still here"
            for _, writer in silent:
                writer.close()

    with_clock(evening)


@pytest.mark.parametrize(("files", "lines"), [(64, 32), (1000, 744)])
def test_the_number_of_connections_leaves_files_for_the_rest(files: int, lines: int) -> None:
    child = os.fork()
    if child == 0:    # the limit cannot be taken back
        resource.setrlimit(resource.RLIMIT_NOFILE, (files - 10, files))
        os._exit(max_lines() != lines or resource.getrlimit(resource.RLIMIT_NOFILE) != (files, files))
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def test_without_open_files_the_log_stays_small_and_everybody_gets_in_later(tmp_path: Path) -> None:
    with Served(tmp_path) as server, ExitStack() as stack:
        assert http.get(server.address).status_code == 200
        used = max(int(file.name) for file in Path(f"/proc/{server.pid}/fd").iterdir())
        before = resource.prlimit(server.pid, resource.RLIMIT_NOFILE)
        resource.prlimit(server.pid, resource.RLIMIT_NOFILE, (used + 4, before[1]))
        for _ in range(100):
            stack.enter_context(socket.create_connection(("127.0.0.1", server.port)))
        while "out of system resource" not in server.log:
            pass
        resource.prlimit(server.pid, resource.RLIMIT_NOFILE, before)
        assert http.get(server.address).status_code == 200
        assert len(server.log) < 200_000


def ping(data: bytes = b"") -> bytes:
    """The frame of a ping."""
    return bytes([0x89, 0x80 | len(data), 0, 0, 0, 0]) + data


@pytest.mark.parametrize("frames", [
    MANY * ping(b"x" * 125), MANY * ping(), MANY * bytes([0x8A, 0x80, 0, 0, 0, 0]),
    bytes([0x01, 0x80, 0, 0, 0, 0]) + MANY * bytes([0x00, 0x80, 0, 0, 0, 0]),
])
def test_a_flood_of_frames_that_are_no_messages_ends_a_websocket(frames: bytes) -> None:
    async def evening(clock: Clock) -> None:
        async with serving() as port, connect(f"ws://127.0.0.1:{port}/ws", ping_interval=None) as flooding:
            flooding.transport.write(frames)
            await flooding.wait_closed()
            with pytest.raises(Exception, match="no close frame received or sent"):
                await flooding.recv()

    with_clock(evening)


def test_a_websocket_may_ask_whether_we_are_there_now_and_then() -> None:
    async def evening(clock: Clock) -> None:
        async with serving() as port, connect(f"ws://127.0.0.1:{port}/ws", ping_interval=None) as asking:
            for _ in range(200):
                await (await asking.ping())
                clock.advance(1)
            await asking.send("still here")
            assert await asking.recv() == "still here"

    with_clock(evening)


def test_logs_are_bounded_and_say_so() -> None:
    now = 0.0
    throttle = Throttle(burst=3, per_second=1.0, clock=lambda: now)
    log = ThrottledLog(throttle)
    records: list[Any] = [logging.LogRecord("x", 30, "", 0, "no %s", ("files",), None) for _ in range(1001)]
    assert [log.filter(record) for record in records[:1000]].count(True) == 3
    now = 1.0
    assert log.filter(records[1000])
    assert records[1000].getMessage() == "997 messages were left out; no files"


@pytest.mark.skipif(not hasattr(socket, "TCP_USER_TIMEOUT"), reason="a system without TCP_USER_TIMEOUT")
def test_what_waits_for_somebody_who_takes_nothing_does_not_wait_for_ever() -> None:
    with open_port("127.0.0.1", 0) as listening, socket.create_connection(listening.getsockname()):
        line, _ = listening.accept()
        with line:
            assert 0 < line.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT) <= 30_000
            assert line.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


def test_an_address_of_this_machine_is_local_however_it_is_written() -> None:
    assert all(map(limits.is_local, ("127.0.0.1", "::1", "::ffff:127.0.0.1", "127.8.8.8")))
