"""A house of the tests' own over WebSockets: one game, with seats that guests share or have several of."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket

from polyversi.gameplay import Event, Finished, Referee, Request, Resign, Seat
from polyversi.games.game import Game
from polyversi.server.guest import Guest, Table
from polyversi.server.messages import (
    LONGEST_FROM_GUEST,
    Answer,
    Ask,
    Bye,
    Hello,
    Message,
    MessageError,
    Welcome,
)
from polyversi.server.socket import Link, WebSocketConnection

PATIENCE = 30.0


class Chair(Seat):
    """A seat that waits for one of the guests to answer."""

    def __init__(self, name: str, wake: Any) -> None:
        self.name = name
        self.request: Request | None = None
        self._answer: asyncio.Future[Any] | None = None
        self._wake = wake

    async def answer(self, request: Request) -> Any:
        self.request, self._answer = request, asyncio.get_running_loop().create_future()
        self._wake()
        try:
            return await self._answer
        finally:
            self.request = None

    def reply(self, answer: Any) -> bool:
        if self.request is None or self._answer is None or self._answer.done():
            return False
        self._answer.set_result(answer)
        return True


class Parlour:
    """One game; whoever has a token plays the seats it is for, and anybody may watch."""

    def __init__(self, game: Game, tokens: Mapping[str, tuple[int, ...]]) -> None:
        self.table = Table(1)
        self.guests: dict[Guest, tuple[int, ...]] = {}
        self.heard: list[Message] = []
        self.faults: list[str | None] = []
        self.link = Link("", "parlour")
        self.game = game
        self._tokens = tokens
        self._told = 0
        self._chairs = {seat: Chair(f"seat {seat}", self._wake) for seat in range(1, game.seats + 1)}
        self._change = asyncio.Event()

    async def play(self) -> Finished:
        return await Referee(self.game.start(), list(self._chairs.values()), observers=[self._take]).run()

    def at(self, token: str = "") -> Link:
        return Link(self.link.origin, "parlour", token)

    async def until(self, fits: Any) -> None:
        while not fits():
            self._change.clear()
            await self._change.wait()

    def _take(self, event: Event) -> None:
        """An event is at the table only a little later, as if it had to be stored first."""
        self._told += 1
        asyncio.get_running_loop().call_soon(self._store, event)

    def _store(self, event: Event) -> None:
        self.table.add(event)
        self._wake()

    def _wake(self) -> None:
        self._change.set()
        for guest in self.guests:
            guest.wake()

    def _asked(self, guest: Guest) -> int:
        return next((seat for seat in self.guests[guest] if self._chairs[seat].request), 0)

    # What the guests need of their house.

    def admit(self, guest: Guest, hello: Hello) -> None:
        if hello.token and hello.token not in self._tokens:
            raise MessageError("this link belongs to no seat of this game")
        self.guests[guest] = self._tokens.get(hello.token, ())
        self._change.set()

    def welcome(self, guest: Guest) -> Welcome:
        seats = list(self.guests[guest])
        first = seats[0] if seats else 0
        return Welcome(self.game.spec, 1, 1, first, len(self.table.lines), 5.0, seats=seats)

    def question_number(self, guest: Guest) -> int:
        return self._told if self._asked(guest) and self._told == len(self.table.lines) else 0

    def question(self, guest: Guest) -> Ask:
        request = self._chairs[self._asked(guest)].request
        assert request is not None
        return Ask(self._told, request.limit, PATIENCE, self._asked(guest))

    def hear(self, guest: Guest, message: Message) -> bool:
        self.heard.append(message)
        self._change.set()
        if isinstance(message, Bye):
            return False
        if not self.guests[guest]:
            raise MessageError("whoever watches has no move")
        if isinstance(message, Answer):
            return (message.number == self.question_number(guest)
                    and self._chairs[self._asked(guest)].reply(message.move))
        if isinstance(message, Resign):
            self._chairs[self._asked(guest)].reply(message)
        return False

    def part(self, guest: Guest, fault: str | None) -> None:
        self.guests.pop(guest, None)
        self.faults.append(fault)
        self._change.set()


@asynccontextmanager
async def parlour(game: Game, tokens: Mapping[str, tuple[int, ...]]) -> AsyncIterator[Parlour]:
    """Serves it on a free port of this machine."""
    house = Parlour(game, tokens)

    async def visit(websocket: WebSocket) -> None:
        await websocket.accept()
        await Guest(house, WebSocketConnection(websocket)).serve()

    listening = socket.create_server(("127.0.0.1", 0))
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)    # asyncio does so only for its own
    house.link = Link(f"http://127.0.0.1:{listening.getsockname()[1]}", "parlour")
    app = Starlette(routes=[WebSocketRoute("/api/games/parlour/socket", visit)])
    server = uvicorn.Server(uvicorn.Config(
        app, ws="websockets-sansio", ws_max_size=4 * LONGEST_FROM_GUEST, ws_per_message_deflate=False,
        lifespan="off", log_level="critical"))
    serving = asyncio.create_task(server.serve(sockets=[listening]))
    playing = asyncio.create_task(house.play())
    try:
        yield house
    finally:
        playing.cancel()
        server.should_exit = True
        await asyncio.gather(serving, playing, return_exceptions=True)
