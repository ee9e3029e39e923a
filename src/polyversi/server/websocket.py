"""WebSockets: the messages of a game on the page, one a text frame, for both ends of the connection."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import ClassVar, TypeVar
from urllib.parse import urlsplit

from starlette.websockets import WebSocket, WebSocketDisconnect
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus, WebSocketException
from websockets.typing import Origin

from polyversi.games.board import printable, shorten
from polyversi.server.connection import (
    CONNECT_TIMEOUT,
    LINGER,
    Connection,
    NetworkError,
    keep_alive,
    reaching,
)
from polyversi.server.messages import FROM_GUEST, FROM_HOST, Message, MessageError, decode, encode

T = TypeVar("T")
SEND_TIMEOUT = 30.0
"""Seconds after which a guest that takes nothing of what it is sent is given up."""
GAME = re.compile(r"/(?:game|api/games)/(?P<game>[\w-]{1,64})(?:/socket)?/?")
SCHEMES = {"http": "ws", "ws": "ws", "https": "wss", "wss": "wss"}
"""What a link may begin with, and the WebSocket's scheme for it."""


class WebSocketConnection:
    """The server's end, over a WebSocket that has been accepted."""

    def __init__(self, websocket: WebSocket) -> None:
        self._websocket = websocket
        self._waits: set[asyncio.Timeout] = set()
        self._is_aborted = False

    async def receive(self) -> Message:
        received = await self._wait(self._websocket.receive)
        if received["type"] == "websocket.disconnect":
            raise ConnectionResetError("the other side closed the connection")
        if received.get("text") is None:
            raise MessageError("a message must be a text frame, not a binary one")
        return decode(received["text"].encode(), FROM_GUEST)

    async def send(self, message: Message | bytes) -> None:
        frame = {"type": "websocket.send", "text": _frame(message)}
        await self._wait(lambda: self._websocket.send(frame), SEND_TIMEOUT)

    async def close(self, last: Message, within: float = LINGER) -> None:
        with suppress(OSError):
            async with asyncio.timeout(within):
                await self.send(last)
                await self._wait(lambda: self._websocket.close(1000))
        self.abort()

    def abort(self) -> None:
        """Drops the connection: what waits for it ends, and with it the server's own task closes the line."""
        self._is_aborted = True
        for wait in self._waits:
            if not wait.expired():
                wait.reschedule(0)

    async def _wait(self, begin: Callable[[], Awaitable[T]], seconds: float | None = None) -> T:
        """Waits for the line until that is dropped."""
        if self._is_aborted:
            raise ConnectionAbortedError("the connection was dropped")
        wait = asyncio.timeout(seconds)
        self._waits.add(wait)
        try:
            async with wait:
                return await begin()
        except (TimeoutError, RuntimeError, WebSocketDisconnect):
            raise ConnectionAbortedError("the connection was dropped") from None
        finally:
            self._waits.discard(wait)


@dataclass(frozen=True)
class Link:
    """A game on a page, as its link names it."""

    origin: str
    """The page, such as http://127.0.0.1:8777."""
    game: str
    token: str = ""
    """What stands behind the #: good for a seat of the game, or empty to watch."""
    ends_with_the_game: ClassVar[bool] = True

    def __str__(self) -> str:
        return f"{self.origin}/game/{self.game}"

    @property
    def socket(self) -> str:
        """Where the WebSocket of the game is."""
        scheme, _, rest = self.origin.partition("://")
        return f"{SCHEMES[scheme]}://{rest}/api/games/{self.game}/socket"

    async def connect(self) -> Connection:
        """Connects to the page."""
        with reaching(self.origin, "polyversi run"):
            try:
                line = await connect(
                    self.socket, origin=Origin(self.origin), max_size=FROM_HOST.max_bytes, compression=None,
                    proxy=None, open_timeout=CONNECT_TIMEOUT, ping_interval=None, user_agent_header=None)
            except InvalidStatus as error:
                raise NetworkError(f"{self} was refused with HTTP status {error.response.status_code}; "
                                   "is it the right link?") from None
            except WebSocketException as error:
                raise NetworkError(f"{self.origin} is not a page of Polyversi: "
                                   f"{shorten(printable(str(error)), 100)}") from None
        keep_alive(line.transport.get_extra_info("socket"))
        return _ToPage(line)


def parse_link(text: str) -> Link:
    """Reads the link to a game on a page.

    >>> parse_link("http://127.0.0.1:8777/game/k3J9#sesame")
    Link(origin='http://127.0.0.1:8777', game='k3J9', token='sesame')
    """
    with suppress(ValueError):    # an invalid port or an open bracket
        parts = urlsplit(text.strip())
        game, is_place = GAME.fullmatch(parts.path), parts.hostname and parts.port != 0
        if parts.scheme in SCHEMES and is_place and "@" not in parts.netloc and game:
            scheme = "https" if SCHEMES[parts.scheme] == "wss" else "http"
            return Link(f"{scheme}://{parts.netloc}", game["game"], parts.fragment)
    raise NetworkError(f"'{shorten(printable(text), 80)}' is not a link to a game; "
                       "write one such as http://127.0.0.1:8777/game/ID#TOKEN")


class _ToPage:
    """The client's end."""

    def __init__(self, line: ClientConnection) -> None:
        self._line = line

    async def receive(self) -> Message:
        try:
            text = await self._line.recv()
        except ConnectionClosed as error:
            raise ConnectionResetError(str(error)) from None
        if isinstance(text, bytes):
            raise MessageError("a message must be a text frame, not a binary one")
        return decode(text, FROM_HOST)

    async def send(self, message: Message | bytes) -> None:
        try:
            await self._line.send(_frame(message))
        except ConnectionClosed as error:
            raise ConnectionResetError(str(error)) from None

    async def close(self, last: Message, within: float = LINGER) -> None:
        with suppress(OSError):
            async with asyncio.timeout(within):
                await self.send(last)
                await self._line.close()
        self.abort()

    def abort(self) -> None:
        self._line.transport.abort()


def _frame(message: Message | bytes) -> str:
    """A message as the text of a frame, without the end of the line."""
    line = message if isinstance(message, bytes) else encode(message)
    return line[:-1].decode()
