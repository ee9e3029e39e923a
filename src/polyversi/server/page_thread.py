"""A page in a thread of its own, beside whatever plays the games that it shows."""

from __future__ import annotations

import asyncio
import socket
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import AbstractAsyncContextManager, ExitStack, closing, contextmanager
from typing import Generic, TypeVar

from starlette.types import ASGIApp

from polyversi.games.errors import PolyversiError
from polyversi.server.bots import BotFolder
from polyversi.server.lobby import Lobby
from polyversi.server.serve import uvicorn_server
from polyversi.storage.games import Store

DISMISS_TIMEOUT = 10.0
"""Seconds that visitors have to get the rest before the page ends."""
ENDED = "the server has ended"

T = TypeVar("T")
Say = Callable[[str], None]
Make = Callable[[Lobby, int], AbstractAsyncContextManager[tuple[T, ASGIApp]]]
"""Makes what shows games in a lobby at a port, and the application of its page."""


class PageThread(Generic[T]):
    """What the thread does: serves a page over a store that nobody else uses."""

    def __init__(self, listening: socket.socket, make: Make[T], store: str, say: Say) -> None:
        self.opened: Future[T] = Future()    # what shows games, once visitors can come; or why they never can
        self.stopping: Future[None] = Future()    # from any thread; visitors get what there is to tell before
        self._listening, self._make, self._store, self._say = listening, make, store, say
        self.opened.set_running_or_notify_cancel()    # whoever waits for it may stop waiting

    def run(self) -> None:
        """Serves until it is told to stop."""
        try:
            with self._listening, store_at(self._store) as store, store.reserved():
                asyncio.run(self._serve(store))
        except Exception as error:
            if not self.opened.done():
                self.opened.set_exception(error)
                return
            why = str(error) if isinstance(error, PolyversiError) else f"{type(error).__name__}: {error}"
            self._say(f"the page has stopped; the games continue without it: {why}")

    async def _serve(self, store: Store) -> None:
        lobby = Lobby(store, BotFolder(None), self._say, only_shows=True)
        await lobby.start()
        try:
            async with self._make(lobby, self._listening.getsockname()[1]) as (view, app):
                server = uvicorn_server(app, self._listening, lambda: self.opened.set_result(view))
                serving = asyncio.create_task(server.serve(sockets=[self._listening]))
                stopping = asyncio.wrap_future(self.stopping)
                await asyncio.wait([serving, stopping], return_when=asyncio.FIRST_COMPLETED)
                await lobby.dismiss_guests(ENDED, DISMISS_TIMEOUT)
                server.should_exit = True
                await serving
        finally:
            await lobby.close()


@contextmanager
def store_at(where: str) -> Iterator[Store]:
    """The store of that name, or one that is gone afterwards."""
    with ExitStack() as stack:
        if not where:
            folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="polyversi-page-"))
            where = f"{folder}/games.db"
        yield stack.enter_context(closing(Store.open(where)))
