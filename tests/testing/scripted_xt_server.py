"""A test server that follows a script with each client, and knows the rules itself."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from random import Random
from typing import Any

from polyversi.gameplay.events import Event
from polyversi.gameplay.seat import Seat
from polyversi.games.xt import xt_game
from polyversi.games.xtmap import XtMap
from polyversi.protocols.xt.announcer import Announcer
from polyversi.protocols.xt.frames import (
    FROM_CLIENT,
    Answer,
    Ask,
    Decoder,
    EndOfGame,
    Frame,
    Group,
    Map,
    Number,
    encode,
)
from polyversi.server.xt.client import Began, Ended, Said, XtClient
from tests.testing.timeout import TIMEOUT

CALM = 60_000
"""Milliseconds that no question of the tests takes."""


class Door:
    """The server's end of a connection, with the game that is played over it."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer
        self.asked: list[Ask] = []
        self.answers: list[Answer] = []
        self._decoder = Decoder(FROM_CLIENT)

    def say(self, *told: Frame | bytes) -> None:
        self.writer.write(b"".join(frame if isinstance(frame, bytes) else encode(frame) for frame in told))

    async def hear(self) -> Frame:
        """The next message of the client."""
        while True:
            data = await asyncio.wait_for(self.reader.read(1), TIMEOUT)
            if not data:
                raise ConnectionResetError("the client has left")
            for frame in self._decoder.feed(data):
                return frame

    async def welcome(self, chart: str, seat: int) -> None:
        """What comes before a game."""
        group = await self.hear()
        assert isinstance(group, Group)
        self.say(Map(chart.encode()), Number(seat))

    async def ask(self, ask: Ask) -> Answer:
        """A question and its answer."""
        self.asked.append(ask)
        self.say(ask)
        answer = await self.hear()
        assert isinstance(answer, Answer)
        self.answers.append(answer)
        return answer

    async def play(self, chart: str, seat: int, asks: Callable[[int], Ask] = lambda turn: Ask(CALM, 0),
                   moves: int | None = None) -> Announcer:
        """A whole game, or so many moves of it, in which all other seats move by chance."""
        await self.welcome(chart, seat)
        told, chance, turn, played = Announcer(xt_game(XtMap.parse(chart)).start()), Random(seat), 0, 0
        self.say(*told.begin())
        while not told.state.is_over and played != moves:
            move = chance.choice(told.state.moves)
            if told.state.turn == seat:
                answer = await self.ask(asks(turn))
                special = f":{answer.special}" if told.state.phase == "build" else ""
                move = told.state.game.move(f"{answer.x},{answer.y}{special}")
                assert told.state.is_legal(move), f"{move} is disqualified"
                turn += 1
            self.say(*told.play(move))
            played += 1
        if told.state.is_over:
            self.say(EndOfGame())
        return told


Script = Callable[[Door], Awaitable[Any]]


class Told:
    """Keeps what a client reports."""

    def __init__(self) -> None:
        self.sentences: list[str] = []
        self.events: list[Event] = []
        self.seat = 0

    def take(self, news: Began | Said | Event) -> None:
        match news:
            case Began(seat=seat):
                self.seat = seat
            case Said(sentence=sentence):
                self.sentences.append(sentence)
            case Event():
                self.events.append(news)


@asynccontextmanager
async def serving(script: Script, doors: list[Door] | None = None) -> AsyncIterator[int]:
    """A server that does with each client as scripted, on the port given; what fails is raised at the end."""
    faults: list[BaseException] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        door = Door(reader, writer)
        if doors is not None:
            doors.append(door)
        try:
            await script(door)
        except ConnectionError:
            pass    # the client had enough
        except BaseException as fault:
            faults.append(fault)
        finally:
            writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        server.close()
    if faults:
        raise faults[0]


async def visit(script: Script, seat: Seat, view: Told | None = None) -> tuple[Ended, Door]:
    """What comes of a client at a server that does as scripted."""
    doors: list[Door] = []
    report = (view or Told()).take
    async with serving(script, doors) as port:
        try:
            async with asyncio.timeout(TIMEOUT):
                ended = await XtClient("127.0.0.1", port, seat, group=7, report=report).play()
        finally:
            await seat.close()
    return ended, doors[0]


def saying(*told: Frame | bytes) -> Script:
    """A server that says this after the group, and then listens to the end."""

    async def script(door: Door) -> None:
        await door.hear()
        door.say(*told)
        while await door.reader.read(1000):
            pass

    return script


def frames(chart: str, seat: int, *told: Frame | bytes) -> tuple[Frame | bytes, ...]:
    """What a server says that begins as it should."""
    return Map(chart.encode()), Number(seat), *told

