"""Guests: the connections of a host, each with its own reader and writer, so that none waits for another."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from polyversi.arena.seat import Resign
from polyversi.server.messages import Answer, Bye, Hello, Message, MessageError, Refusal, encode, printable

if TYPE_CHECKING:
    from polyversi.arena.events import Event
    from polyversi.server.connection import Connection
    from polyversi.server.remote import RemoteSeat

HELLO_WITHIN = 10.0
"""Seconds that a newcomer has to say hello."""
CREDIT = 20
"""Messages that nobody asked for which a guest may send at once; answers cost nothing."""
CREDIT_PER_SECOND = 2.0


@dataclass
class Table:
    """One game as its guests see it: its events so far, as lines to send."""

    number: int
    lines: list[bytes] = field(default_factory=list)

    def add(self, event: Event) -> None:
        """Keeps an event for all guests, those here and those to come."""
        self.lines.append(encode(event))


class House(Protocol):
    """What a guest needs of its host."""

    table: Table
    """The game that is being played or about to be."""

    def admit(self, guest: Guest, hello: Hello) -> None:
        """Gives a newcomer its place; MessageError when there is none for it."""

    def welcome(self, guest: Guest) -> Message:
        """What a guest is told when it comes and when another game begins."""

    def part(self, guest: Guest, fault: str | None) -> None:
        """A guest is gone, perhaps by its own fault."""


class Guest:
    """One connection of a host: hears what it says, and sends it whatever it has not got yet.

    A guest that does not read has its messages wait for it in the game's list, not in memory of its own.
    """

    def __init__(self, house: House, connection: Connection) -> None:
        self.seat: RemoteSeat | None = None
        self.token = ""
        self.name = ""
        self.table = house.table
        self.sent = 0
        """How many events of its table it has got."""
        self._house = house
        self._connection = connection
        self._is_welcomed = False
        self._asked = 0
        self._bye: Bye | None = None
        self._news = asyncio.Event()
        self._dismissed: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self._credit = float(CREDIT)
        self._counted = asyncio.get_running_loop().time()

    async def serve(self) -> None:
        """Talks with the guest until either side has enough."""
        try:
            if last_words := await self._meet():
                await self._connection.close(last_words)
        finally:
            self._connection.abort()

    def wake(self) -> None:
        """There is something new to send."""
        self._news.set()

    def dismiss(self, sentence: str) -> None:
        """Sends the guest away."""
        if not self._dismissed.done():
            self._dismissed.set_result(sentence)

    def say_bye(self, reason: str) -> None:
        """Lets the guest go once it has got everything."""
        self._bye = Bye(reason)
        self.wake()

    def abort(self) -> None:
        """Drops the connection at once."""
        self._connection.abort()

    async def _meet(self) -> Refusal | Bye | None:
        """Everything up to the last words, if there is anybody left to hear them."""
        fault: str | None = None
        try:
            await self._introduce()
            has_left = await self._talk()
        except MessageError as error:
            fault = str(error)
            return Refusal(fault)
        except OSError:
            return None
        finally:
            self._house.part(self, fault)
        return None if has_left else self._bye

    async def _introduce(self) -> None:
        try:
            async with asyncio.timeout(HELLO_WITHIN):
                hello = await self._connection.receive()
        except TimeoutError:
            raise MessageError(f"say hello within {HELLO_WITHIN:g} s") from None
        if not isinstance(hello, Hello):
            raise MessageError("the first message is a 'hello'")
        self._house.admit(self, hello)
        self.name = hello.name
        self.table = self._house.table
        if hello.game == self.table.number:
            self.sent = min(hello.events, len(self.table.lines))

    async def _talk(self) -> bool:
        """Hears and speaks until there is nothing more to say; whether it is the guest that has left."""
        hearing, speaking = asyncio.create_task(self._hear()), asyncio.create_task(self._speak())
        tasks: list[asyncio.Future[None] | asyncio.Future[str]] = [hearing, speaking, self._dismissed]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            if self._dismissed.done():
                raise MessageError(self._dismissed.result())
            for task in (hearing, speaking):
                if task.done():
                    task.result()
            return hearing.done()
        finally:
            hearing.cancel()
            speaking.cancel()
            await asyncio.gather(hearing, speaking, return_exceptions=True)

    async def _hear(self) -> None:
        """Takes what the guest says until it leaves."""
        while True:
            message = await self._connection.receive()
            if isinstance(message, Bye):
                if self.seat is not None:
                    self.seat.leave(self, printable(message.reason))
                return
            if isinstance(message, Hello):
                raise MessageError("say hello once")
            if self.seat is None:
                raise MessageError("whoever watches has no move")
            if isinstance(message, Answer) and self.seat.reply(message.number, message.move):
                continue
            self._pay()
            if isinstance(message, Resign):
                self.seat.resign()

    def _pay(self) -> None:
        """Takes a credit for a message that answers nothing: a flood ends here."""
        now = asyncio.get_running_loop().time()
        self._credit = min(CREDIT, self._credit + (now - self._counted) * CREDIT_PER_SECOND) - 1
        self._counted = now
        if self._credit < 0:
            raise MessageError("these are too many messages that nobody asked for")

    async def _speak(self) -> None:
        """Sends the guest what it has not got, one thing after another, until only the bye is left."""
        while True:
            self._news.clear()
            message = self._next()
            if message is not None:
                await self._connection.send(message)
            elif self._bye is not None:
                return
            else:
                await self._news.wait()

    def _next(self) -> Message | bytes | None:
        if not self._is_welcomed:
            self._is_welcomed = True
            return self._house.welcome(self)
        if self.sent < len(self.table.lines):
            self.sent += 1
            return self.table.lines[self.sent - 1]
        if self.table is not self._house.table:    # another game: this one is over and all of it is sent
            self.table, self.sent = self._house.table, 0
            return self._house.welcome(self)
        if self.seat is not None and self.seat.question_number > self._asked:
            self._asked = self.seat.question_number
            return self.seat.question
        return None
