"""Guests: the connections of a room, each with its own reader and writer, so that none waits for another."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from msgspec import structs

from polyversi.server.connection import Connection
from polyversi.server.messages import Bye, ErrorMessage, Have, Hello, Message, MessageError

if TYPE_CHECKING:
    from polyversi.server.room import Room

SIGN_IN_TO_PLAY = "only people of this site play here; sign in first"
HELLO_TIMEOUT = 10.0
"""Seconds that a newcomer has to say hello."""
CREDIT = 20
"""Messages that nobody asked for which a guest may send at once; answers cost nothing."""
CREDIT_PER_SECOND = 2.0
CREDIT_PER_ANSWER = 2.0
"""What an answer earns, so that one that is doubled on the way does no harm."""
FREE_HAVE = 1.0
"""Seconds after which a guest may say once more that it has the same, at no cost."""


class Guest:
    """One connection to a room, over any transport: takes its messages and sends what it has not got yet.

    A guest that does not read has its messages wait for it in the list of the game, not in memory of its own.
    Whatever changes what it would be sent (an event, a question, another game) is followed by `wake`.
    """

    def __init__(self, room: Room, connection: Connection, *, may_play: bool = True) -> None:
        self.name = ""
        self.room = room
        """Where it is."""
        self.reading = room
        """The game whose events it gets: the one before until it has all of that."""
        self.sent = 0
        """How many of these events it has got."""
        self._connection = connection
        self._may_play = may_play
        self._hello: Hello | None = None
        self._is_welcomed = False
        self._is_sending = False
        self._is_aborted = False
        self._asked = 0
        self._notices: dict[type[Message], Message] = {}
        self._bye: Bye | None = None
        self._dismissal = ""
        self._wakeup = asyncio.Event()
        self._credit = float(CREDIT)
        self._counted = asyncio.get_running_loop().time()
        self._next_free_have = 0.0
        self._had = 0

    @property
    def is_stranger(self) -> bool:
        """Whether it is here and has not said hello."""
        return self._hello is None and not self._is_aborted

    async def serve(self) -> None:
        """Talks with the guest until either side ends it."""
        try:
            if last := await self._converse():
                await self._connection.close(last)
        finally:
            self._connection.abort()

    def wake(self) -> None:
        """There is something new to send."""
        self._wakeup.set()

    def enter(self, room: Room) -> None:
        """Goes on to another room on the same connection, once it has all events of this one."""
        self.room = room
        self.wake()

    def notify(self, notice: Message) -> None:
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
        self._is_aborted = True
        self._connection.abort()

    async def _converse(self) -> ErrorMessage | Bye | None:
        """Everything up to the last message, which is returned if anybody is left to get it."""
        fault: str | None = None
        try:
            await self._introduce()
            has_left = await self._talk()
        except MessageError as error:
            fault = str(error)
            return ErrorMessage(fault)
        except OSError:
            return None
        finally:
            self.room.leave(self, fault)
        return None if has_left else self._bye

    async def _introduce(self) -> None:
        try:
            async with asyncio.timeout(HELLO_TIMEOUT):
                hello = await self._connection.receive()
        except TimeoutError:
            raise MessageError(f"no 'hello' came within {HELLO_TIMEOUT:g} s") from None
        if not isinstance(hello, Hello):
            raise MessageError("the first message must be a 'hello'")
        if hello.token and not self._may_play:
            raise MessageError(SIGN_IN_TO_PLAY)
        self.room.admit(self, hello)
        self.name, self._hello, self.reading = hello.name, hello, self.room
        if hello.game == self.room.number:
            self.sent = min(hello.events, len(self.room.lines))

    async def _talk(self) -> bool:
        """Receives and sends until there is nothing more to send; whether it is the guest that has left."""
        receiving = asyncio.create_task(self._receive())
        receiving.add_done_callback(lambda _: self._end())
        lost: OSError | None = None
        try:
            await self._send(receiving)
        except OSError as error:
            lost = error
        finally:
            receiving.cancel()
            await asyncio.wait([receiving])
        if self._dismissal:
            raise MessageError(self._dismissal)
        if not receiving.cancelled():
            receiving.result()    # raises what was wrong
            return True
        if lost is not None:
            raise lost
        return False

    async def _send(self, receiving: asyncio.Task[None]) -> None:
        """Sends the guest what it has not got, one message after another, until only the last is left."""
        while not (receiving.done() or self._dismissal):
            self._wakeup.clear()
            if message := self._next():
                self._is_sending = True
                await self._connection.send(message)
                self._is_sending = False
            elif self._bye is not None:
                return
            else:
                await self._wakeup.wait()

    def _end(self) -> None:
        """Stops sending; a guest that does not even take what is being sent gets no last message."""
        if self._is_sending:
            self._connection.abort()
        self.wake()

    def _next(self) -> Message | bytes | None:
        if not self._is_welcomed:
            self._is_welcomed = True
            return self.room.welcome(self)
        if self.sent < len(self.reading.lines):
            self.sent += 1
            return self.reading.lines[self.sent - 1]
        if self.reading is not self.room:    # another game: this one is over and all of it is sent
            self.reading, self.sent, self._had = self.room, 0, 0
            return self.room.welcome(self)
        number = self.room.question_number(self)
        if number and number != self._asked:
            self._asked = number
            return structs.replace(self.room.question(self), events=len(self.room.lines))
        if self._notices:
            return self._notices.pop(next(iter(self._notices)))
        return None

    async def _receive(self) -> None:
        """Takes the guest's messages until it leaves."""
        while True:
            message = await self._connection.receive()
            if isinstance(message, Have):
                self._send_again(message)
            elif isinstance(message, Hello):
                self._welcome_again(message)
            elif self.room.handle(self, message):
                self._credit = min(CREDIT, self._credit + CREDIT_PER_ANSWER)
            elif isinstance(message, Bye):
                return
            else:
                self._consume_credit()

    def _send_again(self, have: Have) -> None:
        """Goes back to what the guest really has; what is on its way to it meanwhile it gets twice."""
        now = asyncio.get_running_loop().time()
        has = min(self.sent, have.events)
        if now < self._next_free_have and has <= self._had:
            self._consume_credit()
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
            raise MessageError("a second 'hello' is not allowed")
        self._consume_credit()
        self._is_welcomed = False
        self.wake()

    def _consume_credit(self) -> None:
        """Takes a credit for a message that answers nothing: a flood ends here."""
        now = asyncio.get_running_loop().time()
        self._credit = min(CREDIT, self._credit + (now - self._counted) * CREDIT_PER_SECOND) - 1
        self._counted = now
        if self._credit < 0:
            raise MessageError("too many messages that nobody asked for")
