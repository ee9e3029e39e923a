"""Guests: the connections of a house, each with its own reader and writer, so that none waits for another."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from msgspec import structs

from polyversi.server.messages import Bye, Have, Hello, Message, MessageError, Refusal, encode

if TYPE_CHECKING:
    from polyversi.gameplay.events import Event
    from polyversi.server.connection import Connection
    from polyversi.server.messages import Ask

HELLO_WITHIN = 10.0
"""Seconds that a newcomer has to say hello."""
CREDIT = 20
"""Messages that nobody asked for which a guest may send at once; answers cost nothing."""
CREDIT_PER_SECOND = 2.0
CREDIT_PER_ANSWER = 2.0
"""What an answer earns, so that one that is doubled on the way does no harm."""
FREE_HAVE = 1.0
"""Seconds after which a guest may say once more that it has the same, at no cost."""


@dataclass
class Table:
    """One game as its guests see it: its events so far, as lines to send."""

    number: int
    lines: list[bytes] = field(default_factory=list)

    def add(self, event: Event) -> None:
        """Keeps an event for all guests, those here and those to come."""
        self.lines.append(encode(event))


class House(Protocol):
    """What a guest needs of where it is: a host with games one after another, or a room with a single one.

    Whatever changes what a guest would be sent (an event at the table, another table, another question) is
    followed by `guest.wake()`.
    """

    table: Table
    """The game that is being played or about to be."""

    def admit(self, guest: Guest, hello: Hello) -> None:
        """Gives a newcomer its place; MessageError when there is none for it."""

    def welcome(self, guest: Guest) -> Message:
        """What a guest is told when it comes and when another game begins."""

    def question_number(self, guest: Guest) -> int:
        """The number of what is asked of a guest now, or 0; another question has another number.

        It stays 0 until all events before the question are at the table.
        """

    def question(self, guest: Guest) -> Ask:
        """What is asked of a guest now; the guest itself puts in how many events there have been."""

    def hear(self, guest: Guest, message: Message) -> bool:
        """Takes what a guest says, a bye included; whether that was what it was asked for.

        Everything else costs the guest a credit. MessageError sends it away.
        """

    def part(self, guest: Guest, fault: str | None) -> None:
        """A guest is gone, perhaps by its own fault; also one that was never admitted."""


class Guest:
    """One connection of a house: hears what it says, and sends it whatever it has not got yet.

    A guest that does not read has its messages wait for it in the game's list, not in memory of its own.
    """

    def __init__(self, house: House, connection: Connection) -> None:
        self.name = ""
        self.table = house.table
        self.sent = 0
        """How many events of its table it has got."""
        self._house = house
        self._connection = connection
        self._hello: Hello | None = None
        self._is_welcomed = False
        self._is_sending = False
        self._asked = 0
        self._notices: dict[type[Message], Message] = {}
        self._bye: Bye | None = None
        self._dismissal = ""
        self._news = asyncio.Event()
        self._credit = float(CREDIT)
        self._counted = asyncio.get_running_loop().time()
        self._next_free_have = 0.0
        self._had = 0

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

    def tell(self, notice: Message) -> None:
        """Sends a notice after the events; of several of a kind that wait, the newest is sent."""
        self._notices.pop(type(notice), None)
        self._notices[type(notice)] = notice
        self.wake()

    def dismiss(self, sentence: str) -> None:
        """Sends the guest away."""
        self._dismissal = self._dismissal or sentence
        self._end()

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
        self.name, self._hello = hello.name, hello
        self.table = self._house.table
        if hello.game == self.table.number:
            self.sent = min(hello.events, len(self.table.lines))

    async def _talk(self) -> bool:
        """Hears and speaks until there is nothing more to say; whether it is the guest that has left."""
        hearing = asyncio.create_task(self._hear())
        hearing.add_done_callback(lambda _: self._end())
        lost: OSError | None = None
        try:
            await self._speak(hearing)
        except OSError as error:
            lost = error
        finally:
            hearing.cancel()
            await asyncio.wait([hearing])
        if self._dismissal:
            raise MessageError(self._dismissal)
        if not hearing.cancelled():
            hearing.result()    # raises what was wrong
            return True
        if lost is not None:
            raise lost
        return False

    async def _speak(self, hearing: asyncio.Task[None]) -> None:
        """Sends the guest what it has not got, one thing after another, until only last words are left."""
        while not (hearing.done() or self._dismissal):
            self._news.clear()
            if message := self._next():
                self._is_sending = True
                await self._connection.send(message)
                self._is_sending = False
            elif self._bye is not None:
                return
            else:
                await self._news.wait()

    def _end(self) -> None:
        """Lets the speaker stop; a guest that does not even take what is being sent gets no last words."""
        if self._is_sending:
            self._connection.abort()
        self.wake()

    def _next(self) -> Message | bytes | None:
        if not self._is_welcomed:
            self._is_welcomed = True
            return self._house.welcome(self)
        if self.sent < len(self.table.lines):
            self.sent += 1
            return self.table.lines[self.sent - 1]
        if self.table is not self._house.table:    # another game: this one is over and all of it is sent
            self.table, self.sent, self._had = self._house.table, 0, 0
            return self._house.welcome(self)
        number = self._house.question_number(self)
        if number and number != self._asked:
            self._asked = number
            return structs.replace(self._house.question(self), events=len(self.table.lines))
        if self._notices:
            return self._notices.pop(next(iter(self._notices)))
        return None

    async def _hear(self) -> None:
        """Takes what the guest says until it leaves."""
        while True:
            message = await self._connection.receive()
            if isinstance(message, Have):
                self._send_again(message)
            elif isinstance(message, Hello):
                self._welcome_again(message)
            elif self._house.hear(self, message):
                self._credit = min(CREDIT, self._credit + CREDIT_PER_ANSWER)
            elif isinstance(message, Bye):
                return
            else:
                self._pay()

    def _send_again(self, have: Have) -> None:
        """Goes back to what the guest really has; what is on its way to it meanwhile it gets twice."""
        now = asyncio.get_running_loop().time()
        has = min(self.sent, have.events)
        if now < self._next_free_have and has <= self._had:
            self._pay()
        else:
            self._next_free_have = now + FREE_HAVE
        self._had = max(self._had, has)
        self.sent = has
        if have.request != self._asked:
            self._asked = 0
        self.wake()

    def _welcome_again(self, hello: Hello) -> None:
        """A guest that heard nothing says the same hello once more."""
        if hello != self._hello:
            raise MessageError("say hello once")
        self._pay()
        self._is_welcomed = False
        self.wake()

    def _pay(self) -> None:
        """Takes a credit for a message that answers nothing: a flood ends here."""
        now = asyncio.get_running_loop().time()
        self._credit = min(CREDIT, self._credit + (now - self._counted) * CREDIT_PER_SECOND) - 1
        self._counted = now
        if self._credit < 0:
            raise MessageError("these are too many messages that nobody asked for")
