"""The crowd of the load program: players and spectators as light as can be, so that the server is measured.

Nobody here knows any rules: a player answers with one of the legal moves that it is sent. The guests of a
game share one list of its events; each compares what it receives with the list, so a difference is noticed.
"""

from __future__ import annotations

import asyncio
import random
import time
from dataclasses import dataclass, field

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from polyversi.server.messages import (
    FROM_HOST,
    Hello,
    Message,
    MoveMessage,
    Next,
    Offer,
    Rematch,
    Reply,
    RequestMessage,
    encode,
)
from tests.soak.load.measuring import Times

EVENT, REQUEST = b'{"type":"event"', b'{"type":"request"'
OTHERS = (b'{"type":"offer"', b'{"type":"next"', b'{"type":"error"')
END = b'"kind":"end"'


@dataclass(eq=False)
class Table:
    """One game as all its guests have received it."""

    game: str
    lines: list[bytes] = field(default_factory=list)
    """Its events, as they came to whoever was first."""
    sent: dict[int, tuple[str, str, float]] = field(default_factory=dict)
    """By the number of its event, each move that was sent: whose it is, the move, and when."""
    acknowledged: dict[int, str] = field(default_factory=dict)
    """The moves whose event came back to whoever had sent them."""

    @property
    def is_quiet(self) -> bool:
        """Whether everything that was sent has come back."""
        return bool(self.lines) and all(number in self.acknowledged for number in self.sent)


@dataclass
class Crowd:
    """What all guests have in common."""

    port: int
    mean_thought: float
    """Seconds that a player thinks, on average."""
    rng: random.Random
    may_play: asyncio.Event = field(default_factory=asyncio.Event)
    """Set while players answer."""
    is_closing: bool = False
    """Set when nobody should start anything new."""
    opponents: Times = field(default_factory=Times)
    """Seconds from sending a move to its arrival at a player of another seat."""
    spectators: Times = field(default_factory=Times)
    tables: dict[str, Table] = field(default_factory=dict)
    """Every game there has been, by its id."""
    faults: list[str] = field(default_factory=list)
    messages: int = 0
    """The number of messages that all guests have received."""

    def table(self, game: str) -> Table:
        """The game of that id."""
        return self.tables.setdefault(game, Table(game))

    def think(self) -> float:
        """Seconds for the next thought: mostly short, sometimes long."""
        return self.rng.expovariate(1 / self.mean_thought)


class Guest:
    """A guest at a game, a player if it has a token; it follows every rematch."""

    def __init__(self, crowd: Crowd, game: str, name: str, token: str = "", *,
                 asks_again: bool = False) -> None:
        self.table = crowd.table(game)
        self.received = 0
        """How many events it has of its game."""
        self.is_connected = False
        self._crowd = crowd
        self._name = name
        self._token = token
        self._asks_again = asks_again

    @property
    def is_up_to_date(self) -> bool:
        """Whether it has received everything that anybody at its game has."""
        return self.is_connected and self.received == len(self.table.lines)

    async def run(self) -> None:
        """Attends game after game until it is cancelled."""
        try:
            while True:
                following = await self._attend()
                self.table, self.received = self._crowd.table(following), 0
        except (OSError, ConnectionClosed) as error:
            self._crowd.faults.append(f"{self._name} lost its connection to {self.table.game}: {error}")
        finally:
            self.is_connected = False

    async def _attend(self) -> str:
        """Plays or watches one game; the id of the next."""
        url = f"ws://127.0.0.1:{self._crowd.port}/api/games/{self.table.game}/socket"
        async with connect(url, compression=None, ping_interval=None, open_timeout=60, proxy=None,
                           user_agent_header=None) as line:
            await _say(line, Hello(self._name, token=self._token, seat=None if self._token else 0))
            self.is_connected = True
            while True:
                following = await self._take(line, await line.recv(decode=False))
                if following:
                    self.is_connected = False
                    return following

    async def _take(self, line: ClientConnection, data: bytes) -> str:
        """Does what a message asks for; the id of the next game, if that is what it is about."""
        self._crowd.messages += 1
        if data.startswith(EVENT):
            self._receive(data)
            if self._asks_again and END in data and not self._crowd.is_closing:
                await _say(line, Rematch())
        elif data.startswith(REQUEST):
            await self._answer(line, FROM_HOST.decoder.decode(data))
        elif data.startswith(OTHERS):
            message = FROM_HOST.decoder.decode(data)
            if isinstance(message, Next):
                return message.game
            if not isinstance(message, Offer):
                self._crowd.faults.append(f"{self._name} was refused at {self.table.game}: {message}")
            elif self._token and not self._asks_again:
                await _say(line, Reply(message.number, yes=True))
        return ""

    def _receive(self, data: bytes) -> None:
        now = time.perf_counter()
        table, number = self.table, self.received
        self.received += 1
        if number == len(table.lines):
            table.lines.append(data)
        elif data != table.lines[number]:
            self._crowd.faults.append(f"{self._name} received something else as event {number} of "
                                      f"{table.game}: {data!r}, others {table.lines[number]!r}")
        if (sent := table.sent.get(number)) is None:
            return
        token, move, since = sent
        if token == self._token:
            table.acknowledged[number] = move
        else:
            (self._crowd.opponents if self._token else self._crowd.spectators).add(now - since)

    async def _answer(self, line: ClientConnection, ask: RequestMessage) -> None:
        """Thinks and moves; nothing that matters can arrive in the meantime."""
        await self._crowd.may_play.wait()    # before the thought, so that not all games begin as one
        await asyncio.sleep(self._crowd.think())
        await self._crowd.may_play.wait()
        assert ask.moves
        move = self._crowd.rng.choice(ask.moves).text
        self.table.sent[ask.number] = self._token, move, time.perf_counter()
        await _say(line, MoveMessage(ask.number, move))


async def _say(line: ClientConnection, message: Message) -> None:
    await line.send(encode(message)[:-1], text=True)
