"""Analysis within this process, with real engine workers, and a visitor at a server's analysis socket."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from types import TracebackType
from typing import Any

import msgspec
from websockets.sync.client import connect

from polyversi.games.state import State
from polyversi.server.analysis.cache import CanonicalPosition, Known
from polyversi.server.analysis.looks import Look, Update
from polyversi.server.analysis.messages import FROM_ANALYSIS, FromVisitor, Unable
from polyversi.server.analysis.policy import AnalysisPolicy
from polyversi.server.analysis.service import AnalysisService
from polyversi.server.bots import BotFolder
from polyversi.server.lobby import Lobby
from polyversi.server.messages import decode_any
from polyversi.storage.games import Store
from tests.testing.timeout import TIMEOUT


@asynccontextmanager
async def analysing(
    where: str, workers: int = 1, seconds: float = 3600.0, cluster: str = ""
) -> AsyncIterator[AnalysisService]:
    """The analysis of a server over the store in that place."""
    store = Store.open(where)
    lobby = Lobby(store, BotFolder(None), lambda _: None)
    service = AnalysisService(lobby, AnalysisPolicy(workers, seconds, cluster))
    await lobby.start()
    try:
        async with asyncio.timeout(TIMEOUT):
            yield service
    finally:
        await service.close()
        await lobby.close()
        store.close()


class Watching:
    """Somebody who looks at a position."""

    def __init__(self) -> None:
        self.heard: list[Update] = []
        self.problems: list[str] = []
        self._news = asyncio.Event()

    @classmethod
    async def at(cls, service: AnalysisService, state: State, visitor: str = "192.0.2.7") -> Watching:
        """Looks at a position."""
        watching = cls()
        look = Look(visitor, CanonicalPosition.of(state), watching._hear, watching._fail)
        watching.leave = await service.looks.begin(look)    # type: ignore[method-assign]
        return watching

    def leave(self) -> None:
        """Looks elsewhere."""

    async def until_done(self) -> Known:
        """What is known when nobody thinks any further."""
        return await self._until(lambda update: update.done)

    async def until_values(self) -> Known:
        """What is known as soon as anything is."""
        return await self._until(lambda update: bool(update.known.moves))

    async def _until(self, is_enough: Callable[[Update], bool]) -> Known:
        while True:
            assert not self.problems, self.problems
            for update in self.heard:
                if is_enough(update):
                    return update.known
            self._news.clear()
            await self._news.wait()

    def _hear(self, update: Update) -> None:
        self.heard.append(update)
        self._news.set()

    def _fail(self, problem: str) -> None:
        self.problems.append(problem)
        self._news.set()


class Analyst:
    """Somebody at the analysis socket of a running server, perhaps from another address behind a proxy."""

    def __init__(self, port: int, address: str = "") -> None:
        headers = {"X-Forwarded-For": address} if address else {}
        self.socket = connect(f"ws://127.0.0.1:{port}/api/analysis/socket", open_timeout=TIMEOUT,
                              max_size=None, legacy=True, additional_headers=headers)

    def __enter__(self) -> Analyst:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.socket.close()

    def say(self, message: FromVisitor) -> None:
        """Sends a message."""
        self.socket.send(msgspec.json.encode(message).decode())

    def hear(self, *kinds: type[Any], id: int | None = None) -> Any:
        """The next message of one of these kinds, about that question; others are passed over."""
        while True:
            message = decode_any(self.socket.recv(TIMEOUT), FROM_ANALYSIS)
            if id not in (None, getattr(message, "id", None)):
                continue
            if not kinds or isinstance(message, kinds):
                return message
            assert not isinstance(message, Unable), message    # nothing else will come
