"""The WebSockets of the page: a guest's connection to a room, and a visitor's to a series."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from typing import TypeVar

import msgspec
from starlette.requests import HTTPConnection
from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from polyversi.games.errors import PolyversiError
from polyversi.server.guest import Guest
from polyversi.server.limits import MAX_CONNECTIONS, RateLimit, max_connections, visitor_of
from polyversi.server.lobby import Lobby
from polyversi.server.messages import ErrorMessage, encode
from polyversi.server.responses import DAMAGED, STORE_UNAVAILABLE
from polyversi.server.room import Room
from polyversi.server.series import Series, SeriesRegistry
from polyversi.server.series_messages import Control
from polyversi.server.websocket import WebSocketConnection
from polyversi.storage.games import DamagedError, StoreError

T = TypeVar("T")
MayPlay = Callable[[HTTPConnection], Awaitable[bool]]
"""Whether whoever connects may have a seat; otherwise they only watch."""
MIN_INTERVAL = 0.05
"""Seconds between two accounts of a series at least; what happens in between is told together."""


async def everybody(_: HTTPConnection) -> bool:
    """Where nobody has to sign in."""
    return True


class Sockets:
    """Hands each new connection to where it belongs."""

    def __init__(self, lobby: Lobby, series: SeriesRegistry, may_play: MayPlay = everybody) -> None:
        self._lobby = lobby
        self._may_play = may_play
        self._series = series
        self._rate = RateLimit(burst=MAX_CONNECTIONS, per_second=5)

    def live_routes(self) -> list[WebSocketRoute]:
        """Where the sockets of games are found."""
        serve = self._at("game", self._lobby.find, self._serve_room)
        return [WebSocketRoute("/api/games/{id}/socket", serve)]

    def routes(self) -> list[WebSocketRoute]:
        """Where all sockets are found."""
        return [
            *self.live_routes(),
            WebSocketRoute("/api/arena/{id}/socket", self._at("series", self._find_series, _serve_series)),
        ]

    async def _find_series(self, name: str, _: WebSocket) -> Series | None:
        return await self._series.find(name)

    async def _serve_room(self, socket: WebSocket, room: Room) -> None:
        """A guest of a game."""
        may_play = await self._may_play(socket)
        await Guest(room, WebSocketConnection(socket), may_play=may_play).serve()

    def _at(self, what: str, find: Callable[[str, WebSocket], Awaitable[T | None]],
            serve: Callable[[WebSocket, T], Awaitable[None]]) -> Callable[[WebSocket], Awaitable[None]]:
        """Lets a connection in, finds what it is about and serves it there."""
        async def come(socket: WebSocket) -> None:
            async with admitted(self._lobby, socket, self._rate) as is_in:
                if not is_in:
                    return
                try:
                    found = await find(socket.path_params["id"], socket)
                    if found is None:
                        await _refuse(socket, f"there is no such {what}")
                    else:
                        await serve(socket, found)
                except StoreError as error:
                    self._lobby.say(str(error))
                    await _refuse(socket, DAMAGED if isinstance(error, DamagedError) else STORE_UNAVAILABLE)

        return come


@asynccontextmanager
async def admitted(lobby: Lobby, socket: WebSocket, rate: RateLimit) -> AsyncIterator[bool]:
    """Accepts a connection, if its visitor has not too many; it counts until this is left."""
    visitor, connections = visitor_of(socket), lobby.connections
    if connections[visitor] >= max_connections(visitor) or not rate.take(visitor):
        await socket.close(1013)
        yield False
        return
    connections[visitor] += 1
    try:
        await socket.accept()
        yield True
    finally:
        connections[visitor] -= 1
        if not connections[visitor]:
            del connections[visitor]


async def _serve_series(socket: WebSocket, series: Series) -> None:
    """Somebody who watches a series, or controls it."""
    telling = asyncio.create_task(_send_statuses(socket, series))
    try:
        with series.attended():
            while True:
                control = msgspec.json.decode(await socket.receive_text(), type=Control)
                series.control(control)
                await asyncio.sleep(MIN_INTERVAL)    # nobody needs to press buttons faster than that
    except (WebSocketDisconnect, RuntimeError):
        pass
    except KeyError:
        await _refuse(socket, "a message must be text")
    except (msgspec.DecodeError, PolyversiError) as error:
        await _refuse(socket, str(error))
    finally:
        telling.cancel()
        await asyncio.gather(telling, return_exceptions=True)


async def _send_statuses(socket: WebSocket, series: Series) -> None:
    changed = series.watch()
    with suppress(WebSocketDisconnect, RuntimeError, OSError):
        while True:
            await changed.wait()
            changed.clear()
            await socket.send_text(msgspec.json.encode(series.status()).decode())
            await asyncio.sleep(MIN_INTERVAL)


async def _refuse(socket: WebSocket, sentence: str) -> None:
    with suppress(WebSocketDisconnect, RuntimeError, OSError):
        await socket.send_text(encode(ErrorMessage(sentence)).decode().rstrip())
        await socket.close(1008)
