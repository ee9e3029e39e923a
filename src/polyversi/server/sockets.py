"""The WebSockets of the page: a guest's connection to a room, and a visitor's to a series."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import TYPE_CHECKING, TypeVar

import msgspec
from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from polyversi.games.errors import PolyversiError
from polyversi.server.guest import Guest
from polyversi.server.limits import MAX_CONNECTIONS, RateLimit, is_local, visitor_of
from polyversi.server.messages import ErrorMessage, encode
from polyversi.server.responses import STORE_UNAVAILABLE
from polyversi.server.series import Control
from polyversi.server.websocket import WebSocketConnection
from polyversi.storage.games import StoreError

if TYPE_CHECKING:
    from polyversi.server.lobby import Lobby
    from polyversi.server.room import Room
    from polyversi.server.series import Series
    from polyversi.server.series_registry import SeriesRegistry

T = TypeVar("T")
MIN_INTERVAL = 0.05
"""Seconds between two accounts of a series at least; what happens in between is told together."""


class Sockets:
    """Hands each new connection to where it belongs."""

    def __init__(self, lobby: Lobby, series: SeriesRegistry) -> None:
        self._lobby = lobby
        self._series = series
        self._connections: dict[str, int] = {}
        self._rate = RateLimit(burst=MAX_CONNECTIONS, per_second=5)

    def live_routes(self) -> list[WebSocketRoute]:
        """Where the sockets of games are found."""
        return [WebSocketRoute("/api/games/{id}/socket", self._at("game", self._lobby.find, _serve_room))]

    def routes(self) -> list[WebSocketRoute]:
        """Where all sockets are found."""
        return [
            *self.live_routes(),
            WebSocketRoute("/api/arena/{id}/socket", self._at("series", self._series.find, _serve_series)),
        ]

    def _at(self, what: str, find: Callable[[str], Awaitable[T | None]],
            serve: Callable[[WebSocket, T], Awaitable[None]]) -> Callable[[WebSocket], Awaitable[None]]:
        """Lets a connection in, finds what it is about and serves it there."""
        async def come(socket: WebSocket) -> None:
            visitor = visitor_of(socket)
            if not self._admit(visitor):
                await socket.close(1013)
                return
            try:
                await socket.accept()
                found = await find(socket.path_params["id"])
                if found is None:
                    await _refuse(socket, f"there is no such {what}")
                else:
                    await serve(socket, found)
            except StoreError as error:
                self._lobby.say(str(error))
                await _refuse(socket, STORE_UNAVAILABLE)
            finally:
                self._release(visitor)

        return come

    def _admit(self, visitor: str) -> bool:
        if self._connections.get(visitor, 0) >= MAX_CONNECTIONS and not is_local(visitor):
            return False
        if not self._rate.take(visitor):
            return False
        self._connections[visitor] = self._connections.get(visitor, 0) + 1
        return True

    def _release(self, visitor: str) -> None:
        self._connections[visitor] -= 1
        if not self._connections[visitor]:
            del self._connections[visitor]


async def _serve_room(socket: WebSocket, room: Room) -> None:
    """A guest of a game."""
    await Guest(room, WebSocketConnection(socket)).serve()


async def _serve_series(socket: WebSocket, series: Series) -> None:
    """Somebody who watches a series, or controls it."""
    changed = series.watch()
    telling = asyncio.create_task(_tell(socket, series, changed))
    try:
        while True:
            control = msgspec.json.decode(await socket.receive_text(), type=Control)
            series.control(control)
            await asyncio.sleep(MIN_INTERVAL)    # nobody needs to press buttons faster than that
    except (WebSocketDisconnect, RuntimeError):
        pass
    except KeyError:
        await _refuse(socket, "a message is a text")
    except (msgspec.DecodeError, PolyversiError) as error:
        await _refuse(socket, str(error))
    finally:
        telling.cancel()
        series.unwatch(changed)
        await asyncio.gather(telling, return_exceptions=True)


async def _tell(socket: WebSocket, series: Series, changed: asyncio.Event) -> None:
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
