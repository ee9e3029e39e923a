"""The live view: a page on which games are watched that are run elsewhere, such as by the XT server."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from functools import partial
from typing import Any

from starlette.types import ASGIApp

from polyversi.gameplay.events import Event
from polyversi.gameplay.referee import Finished, Referee
from polyversi.server.app import make_live_app
from polyversi.server.lobby import Lobby
from polyversi.server.new_game import new_stored_game
from polyversi.server.page_thread import PageThread, Say
from polyversi.server.reporting import report
from polyversi.server.room import Room
from polyversi.server.security import own_names
from polyversi.server.serve import open_port
from polyversi.server.shown import close_shown, take_shown
from polyversi.storage.games import StoredSeat, Transaction

MAX_WAITING = 20_000
"""Writes that may wait for a store; while more do, further games are played without being shown."""
STOPPED = "it was aborted where it was played"


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

        room.mirror(lambda: referee.asked)
        self._lobby.rooms[room.id] = room
        queue.submit(job, lambda: None if before is None else before.follow(room.id))

    def _take(self, room: Room, event: Event) -> None:
        take_shown(self._lobby, room, event)

    def _close(self, room: Room) -> None:
        close_shown(self._lobby, room, STOPPED)


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
    make = partial(_live, [address, *own_names(address)])
    page = PageThread(listening, make, store, _in_this_loop(say) if say else report)
    thread = threading.Thread(target=page.run, name="page", daemon=True)
    thread.start()
    try:
        yield await asyncio.wrap_future(page.opened)
    finally:
        page.stopping.set_result(None)
        await asyncio.to_thread(thread.join)


@asynccontextmanager
async def _live(names: Sequence[str], lobby: Lobby, port: int) -> AsyncIterator[tuple[LiveView, ASGIApp]]:
    yield LiveView(lobby, port), make_live_app(lobby, names)


def _in_this_loop(say: Say) -> Say:
    """Has something said in the event loop of this thread, from any other."""
    loop = asyncio.get_running_loop()

    def pass_on(sentence: str) -> None:
        with suppress(RuntimeError):    # nobody listens any more
            loop.call_soon_threadsafe(say, sentence)

    return pass_on
