"""Games that workers play, shown on a page while they are played: the receiving end of the live feed."""

from __future__ import annotations

import asyncio
import hmac
import secrets
import time
from asyncio import StreamReader, StreamWriter
from collections import deque
from typing import NoReturn

import msgspec

from polyversi.contest.live_feed import MAX_LINE, LiveAddress, Shown
from polyversi.gameplay.events import AnyEvent, StartEvent
from polyversi.gameplay.referee import Asked
from polyversi.gameplay.seat import Seat
from polyversi.games.errors import PolyversiError
from polyversi.records.maps import named_game
from polyversi.server.lobby import Lobby
from polyversi.server.new_game import MAX_TILES
from polyversi.server.policy import NoStore
from polyversi.server.room import Room
from polyversi.server.shown import close_shown, take_shown
from polyversi.storage.stored import StoredGame, StoredSeat

MAX_FEEDS = 256
"""Games that are shown at the same time; more are played, but not shown."""
HELLO_TIMEOUT = 10.0
"""Seconds in which a feed must say which game it is."""
REMEMBERED = 64
"""Games that are over and still shown, for those who come before they are found in the store."""
LOST = "the process that played it was lost; it is played again"


class _Elsewhere:
    """The owner of rooms whose games are run elsewhere: nothing is stored here, and nobody plays."""

    def __init__(self, lobby: Lobby) -> None:
        self.policy = lobby.policy
        self.write_queue = NoStore()

    def player(self, room: Room, number: int) -> Seat:  # noqa: ARG002
        """Is never asked for."""
        self.rematch(room)

    def rematch(self, room: Room) -> NoReturn:  # noqa: ARG002
        """There is none."""
        raise PolyversiError("this game is played elsewhere")


class Feeds:
    """Listens to workers, and opens a room in a lobby for each of their games."""

    def __init__(self, lobby: Lobby) -> None:
        self._lobby = lobby
        self._token = secrets.token_urlsafe(24)
        self._owner = _Elsewhere(lobby)
        self._feeds: set[asyncio.Task[None]] = set()
        self._recent: deque[Room] = deque(maxlen=REMEMBERED)
        self._server: asyncio.Server | None = None

    async def open(self, host: str = "127.0.0.1") -> LiveAddress:
        """Begins to listen at a free port, for those who are told this address."""
        self._server = await asyncio.start_server(self._accept, host, 0, limit=MAX_LINE)
        return LiveAddress(host, self._server.sockets[0].getsockname()[1], self._token)

    async def close(self) -> None:
        """Listens no longer."""
        if self._server is not None:
            self._server.close()
            for feed in self._feeds:
                feed.cancel()
            await asyncio.gather(*self._feeds, return_exceptions=True)

    def _accept(self, reader: StreamReader, writer: StreamWriter) -> None:
        if len(self._feeds) >= MAX_FEEDS:
            writer.transport.abort()
            return
        feed = asyncio.create_task(self._follow(reader, writer))
        self._feeds.add(feed)
        feed.add_done_callback(self._feeds.discard)

    async def _follow(self, reader: StreamReader, writer: StreamWriter) -> None:
        """Shows the game of one feed, which may be of anybody until it has named the token."""
        room = None
        try:
            async with asyncio.timeout(HELLO_TIMEOUT):
                shown = msgspec.json.decode(await reader.readline(), type=Shown)
                if not hmac.compare_digest(shown.token.encode(), self._token.encode()):
                    return
                line = await reader.readline()
            start = msgspec.json.decode(line, type=StartEvent)
            room = await asyncio.to_thread(_room_of, shown, start, self._owner)
            self._open(room)
            await self._take_all(room, reader, line)
        except (ValueError, TimeoutError, OSError, PolyversiError):
            pass    # it is no feed of ours, or it sent invalid data: its game goes on unseen
        finally:
            writer.transport.abort()
            if room is not None:
                close_shown(self._lobby, room, LOST)

    def _open(self, room: Room) -> None:
        """Opens a room; if the worker of the same game was lost before, those who watched it go on here."""
        lobby = self._lobby
        room.number = 1 + secrets.randbelow(1 << 30)    # whoever saw it begin before gets all of it again
        if before := lobby.opened(room.id):
            close_shown(lobby, before, LOST)
            before.lead_to(room)
        lobby.add_shown(room)
        self._recent.append(room)

    async def _take_all(self, room: Room, reader: StreamReader, line: bytes) -> None:
        decoder, since = msgspec.json.Decoder(AnyEvent), time.perf_counter()
        room.mirror(lambda: Asked(room.state.turn, since))
        while line:
            is_shown = take_shown(self._lobby, room, decoder.decode(line))
            since = time.perf_counter()
            if room.has_ended or not is_shown:    # if it is hidden, its worker comes again
                return
            await asyncio.sleep(0)    # others wait, too
            line = await reader.readline()


def _room_of(shown: Shown, start: StartEvent, owner: _Elsewhere) -> Room:
    """The room of a game that begins elsewhere."""
    game = named_game(shown.spec, shown.map, max_tiles=MAX_TILES if shown.map else None)
    seats = tuple(StoredSeat("remote", "", name, "") for name in start.players)
    stored = StoredGame(shown.game, shown.spec, shown.map, shown.start, seats, start.limits, time.time(),
                        "running")
    return Room(stored, (), owner, start=game.position(shown.start))
