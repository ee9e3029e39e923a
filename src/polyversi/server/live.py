"""The live view: a page on which games are watched that are run elsewhere, such as by the XT server."""

from __future__ import annotations

import asyncio
import socket
import tempfile
import threading
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import ExitStack, asynccontextmanager, closing, contextmanager, suppress
from functools import partial
from typing import Any

from msgspec import structs

from polyversi.gameplay.events import Event, StartEvent
from polyversi.gameplay.referee import Finished, Referee
from polyversi.games.errors import PolyversiError
from polyversi.server.app import make_live_app
from polyversi.server.bots import BotFolder
from polyversi.server.lobby import Lobby
from polyversi.server.new_game import new_stored_game
from polyversi.server.reporting import report
from polyversi.server.room import Room
from polyversi.server.security import own_names
from polyversi.server.serve import open_port, uvicorn_server
from polyversi.storage.games import Store, StoredSeat, StoreError, Transaction

MAX_WAITING = 20_000
"""Writes that may wait for a store; while more do, further games are played without being shown."""
DISMISS_TIMEOUT = 10.0
"""Seconds that visitors have to get the rest before the page ends."""
STOPPED = "it was aborted where it was played"
ENDED = "the server has ended"

Say = Callable[[str], None]


class LiveView:
    """Plays games for whoever has the seats, and lets everybody watch them on a page.

    The page has a thread and an event loop of its own. Games only hand their events over to it, so that none
    waits for its visitors or its store, and whatever becomes of those, the game is played.
    """

    def __init__(self, lobby: Lobby, port: int) -> None:
        self.port = port
        """Where the page is."""
        self._lobby = lobby
        self._loop = asyncio.get_running_loop()
        self._last: Room | None = None

    async def play(self, referee: Referee) -> Finished:
        """Has a referee run its game in front of everybody."""
        shown = [StoredSeat("remote", "", seat.name, "") for seat in referee.seats]
        room = Room(new_stored_game(referee.state, shown, referee.log.limits), (), self._lobby)
        referee.observers.append(partial(self._post, self._take, room))
        self._post(self._open, room, referee)
        try:
            return await referee.run()
        finally:
            self._post(self._close, room)

    def _post(self, do: Callable[..., None], *what: Any) -> None:
        with suppress(RuntimeError):    # the page has ended; the game goes on
            self._loop.call_soon_threadsafe(do, *what)

    # In the thread of the page.

    def _open(self, room: Room, referee: Referee) -> None:
        queue = self._lobby.write_queue
        if queue.waiting > MAX_WAITING:
            self._lobby.say(f"a game is not shown on the page: {queue.waiting} writes wait for the store")
            return
        before, self._last = self._last, room
        stored = room.stored

        def job(transaction: Transaction) -> None:
            transaction.add_game(stored)
            if before is not None:
                transaction.change_game(before.id, following=stored.id)

        room.mirror(referee)
        self._lobby.rooms[room.id] = room
        queue.submit(job, lambda: None if before is None else before.follow(room.id))

    def _take(self, room: Room, event: Event) -> None:
        if room.id not in self._lobby.rooms:
            return    # it is not shown
        if isinstance(event, StartEvent):    # whoever watches needs no name of a file on this machine
            event = structs.replace(event, game=room.game.spec)
        with suppress(StoreError):    # the page is ending
            room.take(event)

    def _close(self, room: Room) -> None:
        if room.id in self._lobby.rooms:
            room.break_off(STOPPED)    # unless it has ended
            self._lobby.open(room)


@asynccontextmanager
async def live_view(address: str, port: int, store: str = "",
                    say: Say | None = None) -> AsyncIterator[LiveView]:
    """Serves a live view until the block is left; port 0 takes a free one.

    The games stay in the store that is named, a file or a URL; without one nothing is left of them. `say`
    gets a sentence when something goes wrong, in the event loop of whoever calls this.

    >>> import polyversi as pv
    >>> from polyversi.gameplay.seat import LocalSeat
    >>> async def evening():
    ...     seats = [LocalSeat(pv.player("random", seed=seed), f"group {seed}") for seed in (1, 2)]
    ...     async with live_view("127.0.0.1", 0) as view:
    ...         return await view.play(Referee(pv.game("xt:torus,players=2").start(), seats))
    >>> asyncio.run(evening()).verdict.kind
    'win'
    """
    listening = open_port(address, port)
    page = _Page(listening, [address, *own_names(address)], store, _in_this_loop(say) if say else report)
    thread = threading.Thread(target=page.run, name="page", daemon=True)
    thread.start()
    try:
        yield await asyncio.wrap_future(page.opened)
    finally:
        page.stopping.set_result(None)
        await asyncio.to_thread(thread.join)


def _in_this_loop(say: Say) -> Say:
    """Has something said in the event loop of this thread, from any other."""
    loop = asyncio.get_running_loop()

    def pass_on(sentence: str) -> None:
        with suppress(RuntimeError):    # nobody listens any more
            loop.call_soon_threadsafe(say, sentence)

    return pass_on


class _Page:
    """The thread of the page."""

    def __init__(self, listening: socket.socket, names: Sequence[str], store: str, say: Say) -> None:
        self.opened: Future[LiveView] = Future()    # the view, once visitors can come; or why they never can
        self.stopping: Future[None] = Future()    # from any thread; visitors get what there is to tell before
        self._listening, self._names, self._store, self._say = listening, names, store, say
        self.opened.set_running_or_notify_cancel()    # whoever waits for it may stop waiting

    def run(self) -> None:
        try:
            with self._listening, _store_at(self._store) as store, store.reserved():
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
            view = LiveView(lobby, self._listening.getsockname()[1])
            app = make_live_app(lobby, self._names)
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
def _store_at(where: str) -> Iterator[Store]:
    """The store of that name, or one that is gone afterwards."""
    with ExitStack() as stack:
        if not where:
            folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="polyversi-page-"))
            where = f"{folder}/games.db"
        yield stack.enter_context(closing(Store.open(where)))
