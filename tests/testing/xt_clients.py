"""Test clients written from the specification alone: honest ones, and any that a test needs."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager, suppress
from random import Random
from typing import Any, Protocol, Self, TypeVar

from polyversi.gameplay.events import Event
from polyversi.games.state import State
from polyversi.games.xt import xt_game
from polyversi.games.xtmap import XtMap, check_playable
from polyversi.protocols.xt.frames import (
    FROM_SERVER,
    Answer,
    Ask,
    Decoder,
    Disqualified,
    EndOfGame,
    Frame,
    Group,
    Map,
    Number,
    Played,
    encode,
)
from polyversi.protocols.xt.seat import Bounds
from polyversi.server.xt.clients import ClientLimits
from polyversi.server.xt.results import XtGameResult
from polyversi.server.xt.server import ServerMap, ServerObserver, XtPlan, XtServer
from tests.testing import tcp_host
from tests.testing.timeout import TIMEOUT

T = TypeVar("T")
LONG = TIMEOUT
"""Seconds per move where no clock may run out."""
PATIENT = ClientLimits(group_timeout=TIMEOUT, bounds=Bounds(message_timeout=TIMEOUT, linger=TIMEOUT))
"""Nobody is given up for being slow; a test of somebody who is says which limit is short."""


def run(coroutine: Coroutine[Any, Any, T]) -> T:
    """Runs a test's coroutine with a deadline."""
    return asyncio.run(asyncio.wait_for(coroutine, TIMEOUT))


def chart(text: str, name: str = "small") -> ServerMap:
    game = xt_game(XtMap.parse(text), f"xt:{name}")
    check_playable(game)
    return ServerMap(name, game, text.encode())


class HasPort(Protocol):
    """Something that clients can connect to on this machine."""

    port: int


class Line:
    """A connection to a server, for a client that says what it likes."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer
        self.heard: list[Frame] = []
        """Everything so far."""
        self._decoder = Decoder(FROM_SERVER)
        self._taken = 0

    @classmethod
    async def to(cls, server: HasPort, group: int | None = None) -> Self:
        line = cls(*await asyncio.open_connection("127.0.0.1", server.port))
        if group is not None:
            line.send(Group(group))
        return line

    def send(self, *frames: Frame) -> None:
        self.writer.write(b"".join(map(encode, frames)))

    async def hear(self) -> Frame | None:
        """The next message, or None when the server has closed the connection."""
        while len(self.heard) == self._taken:
            data = b""
            with suppress(ConnectionError):
                data = await self.reader.read(1 << 16)
            if not data:
                return None
            self.heard += self._decoder.feed(data)
        self._taken += 1
        return self.heard[self._taken - 1]

    async def until(self, kind: type[Frame]) -> Frame | None:
        """Hears on until a message of that kind."""
        while (frame := await self.hear()) is not None and not isinstance(frame, kind):
            pass
        return frame

    def rewind(self) -> None:
        """What was heard so far is heard again."""
        self._taken = 0

    def close(self) -> None:
        self.writer.transport.abort()


class Client(Line):
    """Follows the game by what it is told, and plays anything legal."""

    state: State
    seat = 0
    banks: list[int]
    """The milliseconds of each request."""

    async def play(self, chance: Random) -> Client:
        """Plays to the end, or until the server closes the connection."""
        self.banks = []
        while (frame := await self.hear()) is not None:
            self.follow(frame)
            if isinstance(frame, Ask):
                self.banks.append(frame.milliseconds)
                self.send(self.choice(chance))
            elif isinstance(frame, EndOfGame):
                break
        self.close()
        return self

    def follow(self, frame: Frame) -> None:
        """Takes in what happened."""
        if isinstance(frame, Map):
            self.state = xt_game(XtMap.parse(frame.text)).start()
        elif isinstance(frame, Number):
            self.seat = frame.seat
        elif isinstance(frame, Played):
            assert frame.seat == self.state.turn
            special = f":{frame.special}" if frame.special else ""
            self.state = self.state.play(f"{frame.x},{frame.y}{special}")
        elif isinstance(frame, Disqualified):
            self.state = self.state.disqualify(frame.seat)

    def choice(self, chance: Random) -> Answer:
        """A legal move."""
        assert self.state.turn == self.seat
        move = chance.choice(self.state.moves)
        return Answer(*self.state.board.coordinates[move.cell], move.special)


class Log(tcp_host.Log, ServerObserver):
    """Keeps what a server says and tells, for tests to wait for."""

    def __init__(self) -> None:
        super().__init__()
        self.finished: list[XtGameResult] = []

    def hear(self, event: Event) -> None:
        self.take(event)

    def finish(self, game: XtGameResult) -> None:
        self.finished.append(game)
        self._news.set()


class House:
    """A server that is running, with what it says."""

    def __init__(self, server: XtServer, log: Log) -> None:
        self.server = server
        self.log = log
        self.evening = asyncio.create_task(self._run())
        self.lines: list[Line] = []

    async def _run(self) -> list[XtGameResult]:
        await self.server.run()
        return self.log.finished

    async def line(self, group: int | None = None) -> Line:
        """A client that a test speaks for; with a group, it is waited for."""
        line = await Line.to(self.server, group)
        self.lines.append(line)
        if group is not None:
            await self.log.until_said(f"group {group} connected")
        return line

    async def client(self, group: int) -> Client:
        """An honest client, that is still to be played."""
        client = await Client.to(self.server, group)
        self.lines.append(client)
        await self.log.until_said(f"group {group} connected")
        return client


@asynccontextmanager
async def house(plan: XtPlan) -> AsyncIterator[House]:
    """A server on a free port; afterwards no task of it must be left."""
    before = asyncio.all_tasks()
    log = Log()
    server = XtServer(plan, observer=log)
    await server.open(port=0)
    running = House(server, log)
    try:
        yield running
    finally:
        for line in running.lines:
            line.close()
        if not running.evening.done():
            running.evening.cancel()
            await asyncio.wait([running.evening])
    for _ in range(3):
        await asyncio.sleep(0)    # tasks that are done leave the list
    assert asyncio.all_tasks() <= before
