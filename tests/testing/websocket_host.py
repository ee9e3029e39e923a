"""A room on a server of its own, without a store, for tests of guests over WebSockets."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager

import uvicorn
from starlette.applications import Starlette
from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket

from polyversi.gameplay.seat import Seat
from polyversi.games.game import Game
from polyversi.server.guest import Guest
from polyversi.server.messages import MAX_FROM_GUEST, Message
from polyversi.server.policy import NoStore, RoomPolicy
from polyversi.server.room import Room
from polyversi.server.tokens import hash_token
from polyversi.server.websocket import Link, WebSocketConnection
from polyversi.storage.stored import StoredGame, StoredSeat
from tests.testing.timeout import TIMEOUT


class Watched(Room):
    """A room that keeps what guests say and why they are gone, for tests to wait for."""

    def __init__(self, game: Game, tokens: Mapping[str, tuple[int, ...]], owner: WebSocketHost) -> None:
        names = {seat: token for token, seats in tokens.items() for seat in seats}
        seats = (StoredSeat("human", "", f"seat {seat}", hash_token(names[seat]))
                 for seat in range(1, game.seats + 1))
        start = game.start()
        stored = StoredGame("room", game.spec, "", start.text, tuple(seats), ("none",) * game.seats, 0.0)
        super().__init__(stored, (), owner, start=start)
        self.heard: list[Message] = []
        self.faults: list[str | None] = []
        self._news = asyncio.Event()

    async def until(self, fits: Callable[[], object]) -> None:
        while not fits():
            self._news.clear()
            await self._news.wait()

    def handle(self, guest: Guest, message: Message) -> bool:
        self.heard.append(message)
        self._news.set()
        return super().handle(guest, message)

    def wake(self, number: int) -> None:
        super().wake(number)
        self._news.set()

    def welcome(self, guest: Guest) -> Message:  # type: ignore[override]
        self._news.set()
        return super().welcome(guest)

    def leave(self, guest: Guest, fault: str | None) -> None:
        super().leave(guest, fault)
        self.faults.append(fault)
        self._news.set()


class LateStore(NoStore):
    """Events are told only a little later, as if they had to be written first."""

    def __init__(self) -> None:
        self._waiting = 0
        self._written = asyncio.Event()

    def submit(self, job: object, then: Callable[[], None]) -> None:
        self._waiting += 1

        def write() -> None:
            then()
            self._waiting -= 1
            self._written.set()

        asyncio.get_running_loop().call_soon(write)

    async def drain(self) -> None:
        while self._waiting:
            self._written.clear()
            await self._written.wait()


class WebSocketHost:
    """Where the room is: whoever has a token plays the seats it is for, and anybody may watch."""

    def __init__(
        self, game: Game, tokens: Mapping[str, tuple[int, ...]], origin: str, *, for_people: bool
    ) -> None:
        self.policy = RoomPolicy(grace=TIMEOUT, for_people=for_people)
        self.write_queue = LateStore()
        self.link = Link(origin, "room")
        self.room = Watched(game, tokens, self)

    def at(self, token: str = "") -> Link:
        return Link(self.link.origin, "room", token)

    def player(self, room: Room, number: int) -> Seat:
        raise AssertionError(f"seat {number} of {room.id} is a guest's")

    def rematch(self, room: Room) -> None:
        raise AssertionError(f"{room.id} is played once")


@asynccontextmanager
async def websocket_host(
    game: Game, tokens: Mapping[str, tuple[int, ...]], *, for_people: bool = True
) -> AsyncIterator[WebSocketHost]:
    """Serves the room on a free port of this machine; who is present is reported only to people."""
    listening = socket.create_server(("127.0.0.1", 0))
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)    # asyncio does so only for its own
    origin = f"http://127.0.0.1:{listening.getsockname()[1]}"
    house = WebSocketHost(game, tokens, origin, for_people=for_people)

    async def visit(websocket: WebSocket) -> None:
        await websocket.accept()
        await Guest(house.room, WebSocketConnection(websocket)).serve()

    app = Starlette(routes=[WebSocketRoute("/api/games/room/socket", visit)])
    server = uvicorn.Server(uvicorn.Config(
        app, ws="websockets-sansio", ws_max_size=4 * MAX_FROM_GUEST, ws_per_message_deflate=False,
        lifespan="off", log_level="critical"))
    serving = asyncio.create_task(server.serve(sockets=[listening]))
    playing = asyncio.create_task(house.room.play())
    try:
        yield house
    finally:
        playing.cancel()
        server.should_exit = True
        await asyncio.gather(serving, playing, return_exceptions=True)
