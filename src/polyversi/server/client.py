"""Clients: a player of any kind, or somebody who watches, at a host elsewhere."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Protocol

from polyversi.arena.events import Event
from polyversi.arena.seat import Request, Resign
from polyversi.arena.verdict import SeatFailure
from polyversi.games.errors import PlayerError
from polyversi.records.maps import named_game
from polyversi.server.connection import Connection, NetworkError
from polyversi.server.follow import Follower
from polyversi.server.messages import (
    Answer,
    Ask,
    Bye,
    Hello,
    Message,
    MessageError,
    Refusal,
    UnknownMessageError,
    Welcome,
    printable,
)

if TYPE_CHECKING:
    from polyversi.arena.seat import Seat
    from polyversi.players import Limit

CONNECT_WITHIN = 10.0
"""Seconds that a connection may take to come about."""
WELCOME_WITHIN = 10.0
"""Seconds that a host has to answer a hello."""
ON_THE_WAY = 0.1
"""Seconds of its time that a player leaves for the way of its answer, or a quarter if it has less."""
FIRST_PAUSE, LONGEST_PAUSE = 0.05, 1.0
"""Seconds between attempts to connect again: doubled each time, up to the longest."""
A_WHILE = 1.0
"""Seconds after which a connection that came about again counts as back."""
BYE_WITHIN = 1.0
"""Seconds that a host has to hear a good-bye."""


class View(Protocol):
    """Whoever shows what a client hears."""

    def welcome(self, welcome: Welcome, follower: Follower) -> None:
        """A place at a game."""

    def show(self, follower: Follower, event: Event) -> None:
        """An event that the follower has checked and taken."""

    def say(self, sentence: str) -> None:
        """Something about the connection."""


class Silent:
    """A view that shows nothing."""

    def welcome(self, welcome: Welcome, follower: Follower) -> None:
        """Nothing."""

    def show(self, follower: Follower, event: Event) -> None:
        """Nothing."""

    def say(self, sentence: str) -> None:
        """Nothing."""


class Client:
    """Plays or watches at a host until the host says good-bye; comes back by itself after a lost connection.

    Any seat of the arena can play elsewhere: a player, a person, a bot; there is a new one for each game.
    Without one it watches.
    """

    def __init__(self, host: str, port: int, make_seat: Callable[[], Seat] | None, *, name: str,
                 wanted: int | None = None, token: str = "", view: View | None = None) -> None:
        self.follower: Follower | None = None
        self.token = token
        self._address = host, port
        self._make_seat = make_seat
        self._seat: Seat | None = None
        self._name = name
        self._wanted = wanted if make_seat is not None else 0
        self._view = view or Silent()
        self._welcome: Welcome | None = None
        self._thinking: asyncio.Task[Any] | None = None
        self._question = 0
        self._answered: Answer | Resign | None = None
        self._give_up_at: float | None = None

    async def run(self) -> str:
        """Plays or watches all games; why the host said good-bye. What else ends it is a PolyversiError."""
        connection = await self._connect()
        try:
            while True:
                since = asyncio.get_running_loop().time()
                try:
                    return await self._talk(connection)
                except OSError:
                    connection.abort()
                connection = await self._come_back(since)
        except NetworkError:
            raise
        except BaseException as error:    # a bad host, a player that fails, a person who leaves, Ctrl-C
            await connection.close(Bye(str(error)), BYE_WITHIN)
            raise
        finally:
            connection.abort()
            await self._leave_seat()

    @property
    def _where(self) -> str:
        return f"{printable(self._address[0])}:{self._address[1]}"

    async def _connect(self) -> Connection:
        try:
            async with asyncio.timeout(CONNECT_WITHIN):
                return await Connection.to_host(*self._address)
        except TimeoutError:
            raise NetworkError(f"{self._where} does not answer") from None
        except (OSError, UnicodeError) as error:
            code = error.errno if isinstance(error, OSError) else None
            reason = os.strerror(code) if code and code > 0 else str(error)
            raise NetworkError(f"nobody can be reached at {self._where}: {reason}; "
                               "`polyversi host` waits for players there") from None

    async def _come_back(self, since: float) -> Connection:
        """Connects again, as often as it takes within the grace time; the lost connection began then."""
        if self._welcome is None:
            raise NetworkError(f"{self._where} closed the connection without a word")
        grace, now = self._welcome.grace, asyncio.get_running_loop().time()
        if self._give_up_at is None or now - since > A_WHILE:    # otherwise it was hardly back at all
            self._give_up_at = now + grace
            self._view.say(f"the connection is lost; trying again for {grace:g} s")
        pause = FIRST_PAUSE
        try:
            async with asyncio.timeout_at(self._give_up_at):
                while True:
                    await asyncio.sleep(pause)
                    try:
                        return await self._connect()
                    except NetworkError:
                        pause = min(LONGEST_PAUSE, 2 * pause)
        except TimeoutError:
            raise NetworkError(f"{self._where} could not be reached again within {grace:g} s") from None

    async def _talk(self, connection: Connection) -> str:
        """Talks with the host until its good-bye; OSError when the connection is lost."""
        seen = (self._welcome.number, self.follower.events) if self._welcome and self.follower else (0, 0)
        await connection.send(Hello(self._name, seat=self._wanted, token=self.token, game=seen[0],
                                    events=seen[1]))
        hearing = asyncio.create_task(self._first(connection))
        try:
            while True:
                tasks = {hearing} | ({self._thinking} if self._thinking else set())
                await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
                if self._thinking is not None and self._thinking.done():
                    await self._answer(connection)
                if hearing.done():
                    message = hearing.result()
                    if isinstance(message, Bye):
                        return printable(message.reason)
                    await self._take(connection, message)
                    hearing = asyncio.create_task(_next(connection))
        finally:
            hearing.cancel()
            await asyncio.gather(hearing, return_exceptions=True)

    async def _first(self, connection: Connection) -> Message:
        try:
            async with asyncio.timeout(WELCOME_WITHIN):
                return await _next(connection)
        except TimeoutError:
            raise NetworkError(f"{self._where} does not speak as a host of Polyversi does") from None

    async def _take(self, connection: Connection, message: Message) -> None:
        if isinstance(message, Refusal):
            raise NetworkError(f"the host refuses: {printable(message.sentence)}")
        if isinstance(message, Welcome):
            await self._sit_down(message)
        elif self.follower is None:
            raise MessageError("the host did not say welcome first")
        elif isinstance(message, Event):
            if checked := self.follower.take(message):
                self._stop_thinking()    # whatever it was asked is settled by now
                self._view.show(self.follower, checked)
        elif isinstance(message, Ask):
            await self._consider(connection, message)

    async def _sit_down(self, welcome: Welcome) -> None:
        """Takes the place that the host gives, at another game or again at the same one."""
        again = self._welcome is not None and self._welcome.number == welcome.number
        self._welcome, self.token = welcome, welcome.token
        if again and self.follower is not None:
            self._view.say("the connection is back")
            return
        await self._leave_seat()
        self.follower = Follower(named_game(welcome.spec, welcome.map))
        if welcome.seat > self.follower.game.seats:
            raise MessageError(f"{printable(welcome.spec)} has no seat {welcome.seat}")
        self._view.welcome(welcome, self.follower)
        if self._make_seat is not None and welcome.seat:
            self._seat = self._make_seat()
            try:
                await self._seat.begin(self.follower.state, welcome.seat)
            except SeatFailure as failure:
                raise PlayerError(f"{self._seat.name} cannot play: {failure.detail}") from None

    async def _leave_seat(self) -> None:
        self._stop_thinking()
        if self._seat is not None:
            with suppress(SeatFailure, OSError):
                await self._seat.close()
        self._seat = None

    async def _consider(self, connection: Connection, ask: Ask) -> None:
        """Starts to think about a question, unless it is one that is known already."""
        assert self.follower is not None and self._welcome is not None
        if self._seat is None or self.follower.state.turn != self._welcome.seat:
            raise MessageError("the host asks for a move out of turn")
        if ask.number == self._question:
            if self._answered is not None:
                await connection.send(self._answered)    # it was lost on the way
            return
        self._stop_thinking()
        self._question, self._answered = ask.number, None
        history = self.follower.history
        request = Request(history.state, self._welcome.seat, _less_the_way(ask.limit), history.start,
                          tuple(ply.move for ply in history.plies))
        self._thinking = asyncio.create_task(self._seat.answer(request))

    async def _answer(self, connection: Connection) -> None:
        assert self._thinking is not None and self._seat is not None
        try:
            thought, self._thinking = self._thinking.result(), None
        except SeatFailure as failure:
            raise PlayerError(f"{self._seat.name} gave up: {failure.detail}") from None
        if isinstance(thought, Resign):
            self._answered = thought
        else:
            self._answered = Answer(self._question, str(thought))
        await connection.send(self._answered)

    def _stop_thinking(self) -> None:
        if self._thinking is not None:
            self._thinking.cancel()
            self._thinking = None


async def _next(connection: Connection) -> Message:
    """The next message of a type that this version knows."""
    while True:
        try:
            # No deadline: another player may think for long, and the system notices a host that is gone.
            return await connection.receive()
        except UnknownMessageError:
            continue


def _less_the_way(limit: Limit) -> Limit:
    """What is left to think with once the answer has time to travel.

    >>> from polyversi.players import Limit
    >>> _less_the_way(Limit(seconds=1)).seconds, _less_the_way(Limit(bank=0.2)).bank
    (0.9, 0.15000000000000002)
    """
    times = {name: time - min(ON_THE_WAY, time / 4)
             for name in ("seconds", "bank") if (time := getattr(limit, name)) is not None}
    return replace(limit, **times)
