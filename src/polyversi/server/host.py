"""Hosts: games that others join over a network, to play or to watch."""

from __future__ import annotations

import asyncio
import errno
import os
import random
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from polyversi.gameplay.referee import PATIENCE, Finished, Referee
from polyversi.gameplay.seat import Resign
from polyversi.games.errors import PlayerError
from polyversi.players import NO_LIMIT, Limit
from polyversi.records.maps import embedded_map
from polyversi.server.connection import PORT, LineConnection, NetworkError
from polyversi.server.guest import Guest, Table
from polyversi.server.messages import Answer, Ask, Bye, Hello, Message, MessageError, Welcome, printable
from polyversi.server.remote import RemoteSeat

if TYPE_CHECKING:
    from polyversi.gameplay.events import Event, Observer
    from polyversi.gameplay.seat import Seat
    from polyversi.games.game import Game

MOST_STRANGERS = 32
"""Connections that have not said hello; one more, and the oldest of them has to go."""
MOST_SPECTATORS = 64
CATCH_UP = 5.0
"""Seconds after the end of a game in which guests must have read the rest of it."""

MakeSeat = Callable[[], "Seat"]


@dataclass(frozen=True)
class Plan:
    """What a host plays: the game, who sits at it, and the rules of the house."""

    game: Game
    seats: Sequence[MakeSeat | None]
    """How to fill each seat for a game; None is a seat for somebody elsewhere."""
    limit: Limit | Sequence[Limit] = NO_LIMIT
    grace: float = 30.0
    """Seconds to come back after a lost connection."""
    games: int = 1
    """How many games are played, one after the other."""
    seed: int | None = None
    """Repeats the set-ups, where they are drawn."""
    patience: float = PATIENCE
    """Seconds to wait for a move where no limit is set."""

    def __post_init__(self) -> None:
        if len(self.seats) != self.game.seats:
            raise PlayerError(f"{self.game.spec} has {self.game.seats} seats, not {len(self.seats)}")


class Host:
    """Waits for players on a TCP port, plays the games with them, and tells everybody who listens.

    >>> import asyncio
    >>> import polyversi as pv
    >>> from polyversi.gameplay import LocalSeat
    >>> from polyversi.server.client import Client
    >>> from polyversi.server.connection import Address
    >>> async def evening():
    ...     local = LocalSeat(pv.player("random", seed=1))
    ...     host = Host(Plan(pv.game("othello-4"), [lambda: local, None]))
    ...     await host.open(port=0)
    ...     here = Address("127.0.0.1", host.port)
    ...     guest = Client(here, lambda: LocalSeat(pv.player("random")), name="Ann")
    ...     (finished,), _ = await asyncio.gather(host.run(), guest.run())
    ...     return finished
    >>> asyncio.run(evening()).record.players
    ('random:seed=1', 'Ann')
    """

    def __init__(self, plan: Plan, observers: Sequence[Observer] = (),
                 say: Callable[[str], None] | None = None) -> None:
        self.plan = plan
        self.port = 0
        self.table = Table(1)
        self._remote = {
            number: RemoteSeat(number, plan.grace, plan.patience)
            for number, make in enumerate(plan.seats, 1)
            if make is None
        }
        self._map = embedded_map(plan.game)
        self._observers = list(observers)
        self._say = say or (lambda _: None)
        self._strangers: dict[Guest, None] = {}    # in the order they came
        self._guests: dict[Guest, RemoteSeat | None] = {}
        """Who is here, with the seat of those who play."""
        self._tasks: set[asyncio.Task[None]] = set()
        self._seated = asyncio.Event()
        self._server: asyncio.Server | None = None
        self._is_closing = False

    async def open(self, address: str = "127.0.0.1", port: int = PORT) -> None:
        """Opens the port; 0 takes any that is free."""
        try:
            self._server = await asyncio.start_server(self._come, address, port)
        except OSError as error:
            raise NetworkError(cannot_open(address, port, error)) from None
        self.port = self._server.sockets[0].getsockname()[1]

    async def run(self) -> list[Finished]:
        """Plays all games, then lets everybody go and closes the port."""
        finished = []
        last_words = "the host ended the game"
        try:
            for number in range(1, self.plan.games + 1):
                if number > 1:
                    self._next_table(number)
                await self._fill_seats()
                finished.append(await self._play(number))
            await self._wait_for_the_absent()
            last_words = "all games are played" if self.plan.games > 1 else "the game is over"
        finally:
            await self.close(last_words)
        return finished

    async def close(self, last_words: str) -> None:
        """Closes the port and lets every guest go, with a little time to read the rest."""
        self._is_closing = True
        if self._server is not None:
            self._server.close()
        for guest in self._guests:
            guest.say_bye(last_words)
        for guest in self._strangers:
            guest.abort()
        if self._tasks:
            _, late = await asyncio.wait(self._tasks, timeout=CATCH_UP)
            for task in late:
                task.cancel()
            await asyncio.gather(*late, return_exceptions=True)

    @property
    def spectators(self) -> int:
        """How many watch."""
        return sum(seat is None for seat in self._guests.values())

    # What the guests need of their host.

    def admit(self, guest: Guest, hello: Hello) -> None:
        """Gives a newcomer its place; MessageError when there is none for it."""
        seat: RemoteSeat | None = None
        if hello.token:
            seat = self._take_back(guest, hello.token)
        elif hello.seat == 0:
            if self.spectators >= MOST_SPECTATORS:
                raise MessageError(f"there is no room for more than {MOST_SPECTATORS} spectators")
            self._say(f"{hello.name} watches")
        else:
            seat = self._free_seat(hello.seat)
            seat.take(guest, hello.name)
            self._say(f"{hello.name} takes seat {seat.number}")
        self._strangers.pop(guest, None)
        self._guests[guest] = seat
        self._seated.set()

    def welcome(self, guest: Guest) -> Welcome:
        """What a guest is told when it comes and when another game begins."""
        seat = self._guests[guest]
        number, token = (seat.number, seat.token) if seat else (0, "")
        return Welcome(self.plan.game.spec, self.table.number, self.plan.games, number, len(self.table.lines),
                       self.plan.grace, token, self._map, seats=[number] if seat else [])

    def question_number(self, guest: Guest) -> int:
        """The number of what is asked of a guest now, or 0."""
        seat = self._guests[guest]
        return seat.question_number if seat else 0

    def question(self, guest: Guest) -> Ask:
        """What is asked of a guest now."""
        seat = self._guests[guest]
        assert seat is not None and seat.question is not None, "it has a number"
        return seat.question

    def hear(self, guest: Guest, message: Message) -> bool:
        """Takes what a guest says; whether that was what it was asked for."""
        seat = self._guests[guest]
        if isinstance(message, Bye):
            if seat is not None:
                seat.leave(guest, printable(message.reason))
            return False
        if seat is None:
            raise MessageError("whoever watches has no move")
        if isinstance(message, Answer):
            return seat.reply(message.number, message.move)
        if not isinstance(message, Resign):
            raise MessageError("here moves are not taken back, and games neither claimed nor played again")
        seat.resign()
        return False

    def part(self, guest: Guest, fault: str | None) -> None:
        """A guest is gone, perhaps by its own fault."""
        self._strangers.pop(guest, None)
        if guest not in self._guests:
            return
        seat = self._guests.pop(guest)
        if self._is_closing:
            return
        why = f": {fault}" if fault else ""
        if seat is None:
            self._say(f"{guest.name} watches no longer{why}")
            return
        if fault and seat.holder is guest:
            seat.fail("disconnect", fault)
        if seat.lose(guest):
            self._say(f"{guest.name} lost the connection and has {self.plan.grace:g} s to come back")
        else:
            self._say(f"{guest.name} left seat {seat.number}{why}")

    # Before, between and in the games.

    def _come(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """A connection was made."""
        guest = Guest(self, LineConnection.to_guest(reader, writer))
        if len(self._strangers) >= MOST_STRANGERS:
            oldest = next(iter(self._strangers))
            del self._strangers[oldest]
            oldest.abort()
        self._strangers[guest] = None
        task = asyncio.create_task(guest.serve())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _take_back(self, guest: Guest, token: str) -> RemoteSeat:
        for seat in self._remote.values():
            if seat.has_token(token):
                break
        else:
            raise MessageError("this token belongs to no seat here, or somebody else has the seat by now")
        if seat.failure is not None:
            raise MessageError(f"seat {seat.number} has lost this game: {seat.failure.detail}")
        before = seat.holder
        seat.come_back(guest)
        if isinstance(before, Guest):
            before.dismiss("another connection with the same token has taken this seat")
        self._say(f"{seat.name} is back on seat {seat.number}")
        return seat

    def _free_seat(self, wanted: int | None) -> RemoteSeat:
        free = [seat for seat in self._remote.values() if seat.is_free]
        if not free:
            raise MessageError("every seat is taken; `polyversi join … --watch` watches")
        if wanted is None:
            return free[0]
        for seat in free:
            if seat.number == wanted:
                return seat
        names = ", ".join(str(seat.number) for seat in free)
        raise MessageError(f"seat {wanted} is not free; these are: {names}")

    async def _fill_seats(self) -> None:
        """Waits until every remote seat is taken."""
        while any(seat.holder is None for seat in self._remote.values()):
            self._seated.clear()
            await self._seated.wait()

    async def _wait_for_the_absent(self) -> None:
        """Whoever lost the connection shortly before the end may still come back for the result."""
        away = [seat.away_until for seat in self._remote.values() if seat.away_until is not None]
        with suppress(TimeoutError):
            async with asyncio.timeout_at(max(away, default=None)):
                while any(seat.away_until is not None for seat in self._remote.values()):
                    self._seated.clear()
                    await self._seated.wait()

    async def _play(self, number: int) -> Finished:
        for seat in self._remote.values():
            seat.begin_game()
        seats = [self._remote[place] if make is None else make()
                 for place, make in enumerate(self.plan.seats, 1)]
        seed = random.getrandbits(32) if self.plan.seed is None else self.plan.seed + number - 1
        start = self.plan.game.start(seed)
        referee = Referee(start, seats, self.plan.limit, [self._tell, *self._observers], self.plan.patience)
        return await referee.run()

    def _tell(self, event: Event) -> None:
        self.table.add(event)
        for guest in self._guests:
            guest.wake()

    def _next_table(self, number: int) -> None:
        """Clears the table; who has not read the last game to its end within a while has to go."""
        self.table = Table(number)
        for guest in self._guests:
            guest.wake()
        asyncio.get_running_loop().call_later(CATCH_UP, self._drop_laggards, number)

    def _drop_laggards(self, number: int) -> None:
        for guest in self._guests:
            if guest.table.number < number:
                guest.abort()


def cannot_open(address: str, port: int, error: OSError) -> str:
    """Why a port could not be opened, in a sentence."""
    if error.errno == errno.EADDRINUSE:
        return f"port {port} of {address} is in use; take another with --port, or 0 for any that is free"
    if error.errno in (errno.EACCES, errno.EPERM):
        return f"port {port} may not be opened by this user; take one above 1023"
    reason = os.strerror(error.errno) if error.errno and error.errno > 0 else str(error)
    return f"{printable(address)}:{port} cannot be opened: {reason}"
