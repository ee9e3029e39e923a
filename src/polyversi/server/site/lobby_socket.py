"""The lobby by WebSocket: whoever is signed in hears at once of what concerns them, wherever on the page."""

from __future__ import annotations

import asyncio
from contextlib import suppress

import msgspec
from msgspec import structs
from starlette.websockets import WebSocket, WebSocketDisconnect

from polyversi.server.messages import ErrorMessage, encode
from polyversi.server.site.access import SIGN_IN, Guard
from polyversi.server.site.lobby_list import LobbyList, LobbyMessage
from polyversi.site.roles import Person
from polyversi.storage.errors import StoreError

MIN_INTERVAL = 0.2
"""Seconds between two messages at least; what happens in between is told together."""
CHECK_INTERVAL = 60.0
"""Seconds after which it is looked whether somebody is still signed in."""
SEND_TIMEOUT = 30.0
"""Seconds after which somebody who takes nothing is given up."""


class LobbySocket:
    """Serves the connections of people to the lobby."""

    def __init__(self, guard: Guard, listed: LobbyList) -> None:
        self._guard = guard
        self._list = listed

    async def serve(self, socket: WebSocket) -> None:
        """One window of a person, until it is closed or the session ends; it has nothing to say."""
        person = await self._guard.person(socket)
        if person is None:
            await socket.accept()
            await socket.send_text(encode(ErrorMessage(SIGN_IN)).decode().rstrip())
            await socket.close(1008)
            return
        with self._list.open_window(person) as is_in:
            if not is_in:
                await socket.close(1013)
                return
            await socket.accept()
            telling = asyncio.create_task(self._tell(socket, person))
            hearing = asyncio.create_task(socket.receive())
            try:
                await asyncio.wait([telling, hearing], return_when=asyncio.FIRST_COMPLETED)
            finally:
                for task in (telling, hearing):
                    task.cancel()
                await asyncio.gather(telling, hearing, return_exceptions=True)
            with suppress(WebSocketDisconnect, RuntimeError, OSError):
                await socket.close(1000)

    async def _tell(self, socket: WebSocket, person: Person) -> None:
        """Sends the lobby now and whenever it is another one, as long as somebody is signed in."""
        sent = b""
        asked: Person | None = person
        while asked is not None:
            seen = self._list.version
            lobby = msgspec.json.encode(LobbyMessage(*structs.astuple(self._list.of(asked))))
            if lobby != sent:
                async with asyncio.timeout(SEND_TIMEOUT):
                    await socket.send_text(lobby.decode())
                sent = lobby
            await asyncio.sleep(MIN_INTERVAL)
            try:
                async with asyncio.timeout(CHECK_INTERVAL):
                    await self._list.later_than(seen)
            except TimeoutError:
                with suppress(StoreError):
                    asked = await self._guard.person(socket)
