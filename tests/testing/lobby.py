"""A lobby over a store of its own, and guests within this process."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from polyversi.gameplay.verdict import Verdict
from polyversi.server.bots import BotFolder
from polyversi.server.connection import LINGER
from polyversi.server.guest import Guest
from polyversi.server.lobby import Lobby
from polyversi.server.messages import FROM_HOST, Hello, Message, decode
from polyversi.server.room import Room
from polyversi.storage.games import Store
from tests.testing.timeout import TIMEOUT

said: list[str] = []
"""What the last lobby told its operator."""


class Wire:
    """A guest's line within this process."""

    def __init__(self) -> None:
        self._said: asyncio.Queue[Message | None] = asyncio.Queue()
        self._heard: asyncio.Queue[Message | bytes] = asyncio.Queue()
        self.task: asyncio.Task[None] | None = None

    def say(self, message: Message) -> None:
        self._said.put_nowait(message)

    def hang_up(self) -> None:
        self._said.put_nowait(None)

    async def hear(self, kind: type[Any]) -> Any:
        async with asyncio.timeout(TIMEOUT):
            while True:
                heard = await self._heard.get()
                message = decode(heard[:-1], FROM_HOST) if isinstance(heard, bytes) else heard
                if isinstance(message, kind):
                    return message

    # What the guest needs of its connection.

    async def receive(self) -> Message:
        message = await self._said.get()
        if message is None:
            raise ConnectionResetError("it hung up")
        return message

    async def send(self, message: Message | bytes) -> None:
        self._heard.put_nowait(message)

    async def close(self, last: Message, within: float = LINGER) -> None:
        self._heard.put_nowait(last)

    def abort(self) -> None:
        self.hang_up()


def visit(room: Room, token: str = "", name: str = "Ann") -> Wire:
    """Somebody comes, to the seat of a token or to watch."""
    wire = Wire()
    wire.say(Hello(name, token=token))
    wire.task = asyncio.create_task(Guest(room, wire).serve())
    return wire


def verdict_of(room: Room) -> Verdict:
    """How a game ended that is over."""
    result = room.summary().result
    assert result is not None
    return result.verdict


@asynccontextmanager
async def opened(path: Path, bots: BotFolder | None = None) -> AsyncIterator[Lobby]:
    """A lobby over the store in a folder, which goes on with the games that are there."""
    said.clear()
    store = Store.open(str(path / "games.db"))
    lobby = Lobby(store, bots or BotFolder(None), said.append)
    try:
        await lobby.start()
        async with asyncio.timeout(TIMEOUT):
            yield lobby
        await lobby.close()
    finally:
        store.close()
