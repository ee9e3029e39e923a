"""Lines on which nobody says anything, and too many of them, at a real port of this machine."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
import uvicorn
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket
from websockets.asyncio.client import connect

from polyversi.server import limits
from polyversi.server.limits import LimitedProtocol
from polyversi.server.serve import open_port
from tests.testing.timeout import TIMEOUT

GET = b"GET / HTTP/1.1\r\nhost: localhost\r\n\r\n"


async def greet(websocket: WebSocket) -> None:
    await websocket.accept()
    await websocket.send_text(await websocket.receive_text())


@asynccontextmanager
async def serving() -> AsyncIterator[int]:
    """The port of a small application with limits on its connections."""
    listening = open_port("127.0.0.1", 0)
    app = Starlette(routes=[Route("/", lambda _: PlainTextResponse("here")), WebSocketRoute("/ws", greet)])
    config = uvicorn.Config(app, http=LimitedProtocol, ws="websockets-sansio", log_level="error")
    server = uvicorn.Server(config)
    running = asyncio.create_task(server.serve([listening]))
    try:
        async with asyncio.timeout(TIMEOUT):
            yield listening.getsockname()[1]
    finally:
        server.should_exit = True
        await running


async def is_dropped(reader: asyncio.StreamReader) -> bool:
    try:
        return await reader.read(1) == b""
    except ConnectionResetError:
        return True


def test_a_line_that_says_nothing_or_half_is_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "HEAD_TIMEOUT", 0.1)

    async def evening() -> None:
        async with serving() as port:
            for said in (b"", GET[:20]):
                reader, writer = await asyncio.open_connection("127.0.0.1", port)
                writer.write(said)
                assert await is_dropped(reader)
                writer.close()
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(GET)
            assert b"200 OK" in await reader.readuntil(b"\r\n")
            await reader.readuntil(b"here")
            writer.write(GET[:20])    # the second request is only begun
            assert await is_dropped(reader)
            writer.close()

    asyncio.run(evening())


def test_a_websocket_may_be_silent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "HEAD_TIMEOUT", 0.1)

    async def evening() -> None:
        async with serving() as port, connect(f"ws://127.0.0.1:{port}/ws") as silent:
            reader, _ = await asyncio.open_connection("127.0.0.1", port)
            assert await is_dropped(reader)    # one that came later
            await silent.send("still here")
            assert await silent.recv() == "still here"

    asyncio.run(evening())


def test_a_visitor_from_elsewhere_has_so_many_connections(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MAX_CONNECTIONS", 2)
    monkeypatch.setattr(limits, "is_local", lambda _: False)

    async def answers(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        try:
            writer.write(GET)
            return b"200 OK" in await reader.read(100)
        except ConnectionResetError:
            return False

    async def evening() -> None:
        async with serving() as port:
            first, second, third = [await asyncio.open_connection("127.0.0.1", port) for _ in range(3)]
            assert await answers(*first) and await answers(*second)
            assert not await answers(*third)
            first[1].close()
            while not await answers(*await asyncio.open_connection("127.0.0.1", port)):
                pass    # the server has not heard yet that the first one is gone

    asyncio.run(evening())


@pytest.mark.skipif(not hasattr(socket, "TCP_USER_TIMEOUT"), reason="a system without TCP_USER_TIMEOUT")
def test_what_waits_for_somebody_who_takes_nothing_does_not_wait_for_ever() -> None:
    with open_port("127.0.0.1", 0) as listening, socket.create_connection(listening.getsockname()):
        line, _ = listening.accept()
        with line:
            assert 0 < line.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT) <= 30_000
            assert line.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
