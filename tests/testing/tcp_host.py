"""Helpers of the network tests: a host in this process, guests that say exactly what a test wants."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Sequence
from contextlib import asynccontextmanager, suppress
from typing import Any, TypeVar

import polyversi as pv
from polyversi.gameplay import Event, Finished, LocalSeat, MoveEvent, VerdictEvent
from polyversi.games.game import Game
from polyversi.server.client import Client, View
from polyversi.server.connection import Address
from polyversi.server.host import Host, HostPlan, MakeSeat
from tests.testing.timeout import TIMEOUT

T = TypeVar("T")


def run(coroutine: Coroutine[Any, Any, T]) -> T:
    """Runs a test's coroutine with a deadline."""
    return asyncio.run(asyncio.wait_for(coroutine, TIMEOUT))


def seat_of(seed: int) -> LocalSeat:
    return LocalSeat(pv.player("random", seed=seed))


def random_seat(seed: int) -> MakeSeat:
    return lambda: seat_of(seed)


class Log:
    """Keeps what a host says and tells, for tests to wait for."""

    def __init__(self) -> None:
        self.sentences: list[str] = []
        self.events: list[Event] = []
        self._news = asyncio.Event()

    def say(self, sentence: str) -> None:
        self.sentences.append(sentence)
        self._news.set()

    def take(self, event: Event) -> None:
        self.events.append(event)
        self._news.set()

    async def until(self, fits: Callable[[], bool]) -> None:
        while not fits():
            self._news.clear()
            await self._news.wait()

    async def until_said(self, words: str) -> None:
        await self.until(lambda: any(words in sentence for sentence in self.sentences))

    def moves(self) -> list[str]:
        return [event.move for event in self.events if isinstance(event, MoveEvent)]

    def verdicts(self) -> dict[int, str]:
        return {event.seat: event.verdict for event in self.events if isinstance(event, VerdictEvent)}


class Hosted:
    """A host that is playing."""

    def __init__(self, host: Host, log: Log) -> None:
        self.host = host
        self.log = log
        self.playing: asyncio.Task[list[Finished]] = asyncio.create_task(host.run())

    @property
    def port(self) -> int:
        return self.host.port

    @property
    def address(self) -> Address:
        return Address("127.0.0.1", self.port)

    async def finished(self) -> Finished:
        return (await self.playing)[-1]

    def client(self, seed: int, **options: Any) -> asyncio.Task[str]:
        """A whole client that plays by chance, running."""
        options.setdefault("name", f"client {seed}")
        return asyncio.create_task(Client(self.address, random_seat(seed), **options).run())

    def watcher(self, view: View | None = None) -> Client:
        return Client(self.address, None, name="watcher", view=view)


@asynccontextmanager
async def hosted(game: Game | str, seats: Sequence[MakeSeat | None], **rules: Any) -> AsyncIterator[Hosted]:
    log = Log()
    plan = HostPlan(pv.game(game) if isinstance(game, str) else game, seats, **rules)
    host = Host(plan, [log.take], log.say)
    await host.open(port=0)
    running = Hosted(host, log)
    try:
        yield running
    finally:
        running.playing.cancel()
        await asyncio.gather(running.playing, return_exceptions=True)
        await host.close("the test is over")


class Raw:
    """A connection that says exactly what it is told and checks nothing."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer
        self.welcome: dict[str, Any] = {}

    @classmethod
    async def connect(cls, port: int) -> Raw:
        return cls(*await asyncio.open_connection("127.0.0.1", port, limit=1 << 22))

    @classmethod
    async def join(cls, port: int, name: str = "raw", **hello: Any) -> Raw:
        """Says hello and takes the welcome."""
        raw = await cls.connect(port)
        raw.say(type="hello", version=1, name=name, **hello)
        raw.welcome = await raw.hear("welcome")
        return raw

    def say(self, **message: Any) -> None:
        self.send(json.dumps(message).encode() + b"\n")

    def send(self, data: bytes) -> None:
        self.writer.write(data)

    async def next(self) -> dict[str, Any]:
        """The next message; ConnectionResetError at the end."""
        line = await self.reader.readline()
        if not line:
            raise ConnectionResetError("the host closed the connection")
        message: dict[str, Any] = json.loads(line)
        if message["type"] in ("bye", "error") and not self.writer.is_closing():
            self.writer.write_eof()    # as clients do: the host need not wait for anything more
        return message

    async def hear(self, kind: str) -> dict[str, Any]:
        """The next message of that type; those before it are passed over."""
        while (message := await self.next())["type"] != kind:
            assert message["type"] != "error", message
        return message

    async def rest(self) -> list[dict[str, Any]]:
        """Everything up to the end of the connection."""
        heard = []
        try:
            while True:
                heard.append(await self.next())
        except ConnectionError:
            return heard

    async def play(self, game: Game, moves: int) -> None:
        """Answers that many requests with the first legal move."""
        for _ in range(moves):
            request, position = await self.asked()
            self.say(type="move", number=request["number"], move=str(game.position(position).moves[0]))

    async def play_on(self, game: Game) -> None:
        """Answers requests with the first legal move to the end."""
        with suppress(ConnectionResetError):
            await self.play(game, 1000)

    async def asked(self) -> tuple[dict[str, Any], str]:
        """The next request, and the position it is about."""
        position = ""
        while (message := await self.next())["type"] != "request":
            data = message.get("data", {})
            position = data.get("position") or data.get("start") or position
        return message, position

    def abort(self) -> None:
        self.writer.transport.abort()


class Cutter:
    """A proxy to the host that cuts each connection after this many lines in either direction."""

    def __init__(self, port: int, cuts: Sequence[int]) -> None:
        self.port = 0
        self.cut = 0
        self._to = port
        self._left = list(cuts)
        self._lines = 0
        self._server: asyncio.Server | None = None

    async def open(self) -> None:
        self._server = await asyncio.start_server(self._pass_on, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]

    def close(self) -> None:
        if self._server is not None:
            self._server.close()

    async def _pass_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            far_reader, far_writer = await asyncio.open_connection("127.0.0.1", self._to)
        except OSError:
            writer.close()
            return
        self._lines = 0

        async def forward(source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
            while line := await source.readline():
                self._lines += 1
                if self._left and self._lines > self._left[0]:
                    return    # this line is lost, and so is everything after it
                sink.write(line)

        ways: list[Awaitable[None]] = [forward(reader, far_writer), forward(far_reader, writer)]
        tasks = [asyncio.ensure_future(way) for way in ways]
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        if self._left and self._lines > self._left[0]:
            self._left.pop(0)
            self.cut += 1
            writer.transport.abort()
            far_writer.transport.abort()
        else:
            writer.close()
            far_writer.close()
