"""Clients: a player of any kind, or somebody who watches, at a host elsewhere."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from polyversi.gameplay.events import Event, StartEvent
from polyversi.gameplay.log import GameLog
from polyversi.gameplay.seat import Request, Resign, Seat
from polyversi.gameplay.verdict import SeatFailure
from polyversi.games.board import printable
from polyversi.games.errors import PlayerError, PolyversiError
from polyversi.games.game import Game
from polyversi.games.state import State
from polyversi.players import Limit
from polyversi.records.maps import named_game
from polyversi.server.connection import Connection, Endpoint, NetworkError
from polyversi.server.messages import (
    Bye,
    ErrorMessage,
    Have,
    Hello,
    Message,
    MessageError,
    MoveMessage,
    Offer,
    Reply,
    RequestMessage,
    UnknownMessageError,
    Welcome,
)

MOVE_OVERHEAD = 0.1
"""Seconds of its time that a player leaves for the way of its answer, or a quarter if it has less."""
MIN_PAUSE, MAX_PAUSE = 0.05, 1.0
"""Seconds between attempts to connect again: about doubled each time, up to the longest."""
STABLE_AFTER = 1.0
"""Seconds after which a connection that came about again counts as back."""
BYE_TIMEOUT = 1.0
"""Seconds that a host has to hear a good-bye."""
MAX_EARLY = 1_000
"""Events that are kept although some before them are missing; those beyond have to come again."""


@dataclass(frozen=True)
class RetryTimes:
    """How many seconds a client waits before it says something again, and before it gives up."""

    have: float = 3.0
    """While all is quiet: between two times that it says what it has."""
    again: float = 0.5
    """While something is missing: until it asks for it again; doubled each time, up to `have`."""
    welcome: float = 10.0
    """Until the host must have said welcome."""
    missing: float = 20.0
    """Until the host must have sent an event that is missing."""


class Follower:
    """A game at a host: its log so far.

    >>> import polyversi as pv
    >>> follower = Follower(pv.game("othello-4"))
    >>> finished = pv.play(pv.game("othello-4").start(), [pv.player("random", seed=n) for n in (1, 2)],
    ...                    observers=[follower.take])
    >>> follower.state == finished.record.final, follower.has_ended
    (True, True)
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        self.log = GameLog(game.start())
        self._early: dict[int, Event] = {}

    @property
    def events(self) -> int:
        """How many events it has."""
        return len(self.log.events)

    @property
    def has_ended(self) -> bool:
        """Whether the game is over."""
        return self.log.end is not None

    @property
    def has_gap(self) -> bool:
        """Whether events are here that cannot be taken because some before them are missing."""
        return bool(self._early)

    @property
    def state(self) -> State:
        """The state after the last event."""
        return self.log.state

    def catch(self, event: Event) -> Iterator[Event]:
        """Takes events as they come, in any order and some of them twice; those that are taken now, in order.

        >>> import polyversi as pv
        >>> follower, game = Follower(pv.game("othello-4")), pv.game("othello-4")
        >>> seen = []
        >>> _ = pv.play(game.start(), [pv.player("random", seed=n) for n in (1, 2)], observers=[seen.append])
        >>> list(follower.catch(seen[1])), follower.has_gap
        ([], True)
        >>> [event.kind for event in follower.catch(seen[0])], list(follower.catch(seen[1]))
        (['start', 'move'], [])
        """
        if event.number == self.events or (event.number > self.events and len(self._early) < MAX_EARLY):
            self._early[event.number] = event
        while following := self._early.pop(self.events, None):
            self.take(following)
            yield following

    def take(self, event: Event) -> bool:
        """Goes on with the next event; False for one that it has already."""
        if event.number < self.events:
            return False
        try:
            if isinstance(event, StartEvent) and not self.events:
                self.log = GameLog(self.game.position(event.start))
            self.log.apply(event)
        except PolyversiError as error:
            raise MessageError(printable(str(error))) from None
        return True


class View:
    """Shows what a client hears; this one shows nothing."""

    def welcome(self, welcome: Welcome, follower: Follower) -> None:
        """A place at a game."""

    def show(self, follower: Follower, event: Event) -> None:
        """An event that the follower has taken."""

    def say(self, sentence: str) -> None:
        """Something about the connection."""


class Client:
    """Plays or watches at a host until the host says good-bye; comes back by itself after a lost connection.

    Any seat of the arena can play elsewhere: a player, a person, a bot; there is a new one for each game.
    Without one it watches. Messages may get lost on the way, come twice, or out of order: what is missing is
    asked for, what is here already is passed over.
    """

    def __init__(self, endpoint: Endpoint, make_seat: Callable[[], Seat] | None, *, name: str,
                 wanted: int | None = None, token: str = "", view: View | None = None,
                 retry_times: RetryTimes | None = None) -> None:
        self.follower: Follower | None = None
        self.token = token
        self._endpoint = endpoint
        self._make_seat = make_seat
        self._seats: dict[int, Seat] = {}
        self._name = name
        self._wanted = wanted if make_seat is not None else 0
        self._view = view or View()
        self._retry_times = retry_times or RetryTimes()
        self._hello: Hello | None = None    # until it is answered
        self._welcome: Welcome | None = None
        self._question: RequestMessage | None = None
        self._early: RequestMessage | None = None    # a question that came before the events it is about
        self._thinking: asyncio.Task[Any] | None = None
        self._answer: MoveMessage | Resign | None = None
        self._waiting: asyncio.Timeout | None = None
        self._pause = self._retry_times.again
        self._said = 0.0    # when it last reminded the host
        self._due = 0.0    # when it will again
        self._missing_since: float | None = None
        self._here_since: float | None = None    # when the host said welcome on this connection
        self._give_up_at: float | None = None

    async def run(self) -> str:
        """Plays or watches all games; why the host said good-bye. What else ends it is a PolyversiError."""
        connection = await self._endpoint.connect()
        try:
            while True:
                try:
                    return await self._talk(connection)
                except OSError:
                    connection.abort()
                if self._has_seen_all:
                    return "the game is over"
                connection = await self._come_back()
        except NetworkError:
            raise
        except BaseException as error:    # a bad host, a player that fails, a person who leaves, Ctrl-C
            await connection.close(Bye(str(error)), BYE_TIMEOUT)
            raise
        finally:
            connection.abort()
            await self._leave_seats()

    @property
    def _has_seen_all(self) -> bool:
        """Whether there is nothing more to come but a good-bye."""
        return (self.follower is not None and self._welcome is not None
                and self.follower.has_ended and self._welcome.number >= self._welcome.games)

    async def _come_back(self) -> Connection:
        """Connects again, as often as it takes within the grace time."""
        if self._welcome is None:
            raise NetworkError(f"{self._endpoint} closed the connection without a reason")
        grace, now = self._welcome.grace, _now()
        was_here = self._here_since is not None and now - self._here_since > STABLE_AFTER
        if self._give_up_at is None or was_here:    # otherwise it was hardly back at all
            self._give_up_at = now + grace
            self._view.say(f"the connection is lost; trying again for {grace:g} s")
        pause = MIN_PAUSE
        try:
            async with asyncio.timeout_at(self._give_up_at):
                while True:
                    await asyncio.sleep(pause * random.uniform(0.5, 1))    # many clients do not come as one
                    try:
                        return await self._endpoint.connect()
                    except NetworkError:
                        pause = min(MAX_PAUSE, 2 * pause)
        except TimeoutError:
            raise NetworkError(f"{self._endpoint} could not be reached again within {grace:g} s") from None

    async def _talk(self, connection: Connection) -> str:
        """Talks with the host until its good-bye; OSError when the connection is lost."""
        number = self._welcome.number if self._welcome else 0
        self._hello = Hello(self._name, seat=self._wanted, token=self.token, game=number,
                            events=self.follower.events if self.follower else 0)
        self._here_since = self._missing_since = None
        await connection.send(self._hello)
        self._said = _now()
        welcome_by = self._said + self._retry_times.welcome
        self._go_on()
        while True:
            if self._hello is None and self._thinking is not None and self._thinking.done():
                await self._send_answer(connection)
            message = await self._receive(connection)
            if isinstance(message, Bye):
                return printable(message.reason)
            if message is not None:
                await self._take(connection, message)
            elif _now() >= self._due:
                await self._remind(connection)
            if self._hello is not None and _now() >= welcome_by:
                if self._welcome is not None:
                    raise ConnectionAbortedError("the host did not answer")
                raise NetworkError(f"{self._endpoint} did not answer as a host of Polyversi does")
            if self._endpoint.ends_with_the_game and self._has_seen_all:
                await connection.close(Bye(), BYE_TIMEOUT)
                return "the game is over"

    async def _receive(self, connection: Connection) -> Message | None:
        """The next message; None when there is something to say, or for a type that this version ignores."""
        try:
            async with asyncio.timeout_at(self._due) as self._waiting:
                # No other deadline: somebody may think for long, and the system notices a host that is gone.
                return await connection.receive()
        except UnknownMessageError:
            return None
        except TimeoutError:
            if self._waiting is None or not self._waiting.expired():
                raise    # the system's: the host does not answer any more
            return None
        finally:
            self._waiting = None

    # What gets lost is asked for.

    @property
    def _has_gap(self) -> bool:
        """Whether something came before the events it follows on."""
        return self._early is not None or (self.follower is not None and self.follower.has_gap)

    @property
    def _lacks_events(self) -> bool:
        is_behind = self.follower and self._welcome and self.follower.events < self._welcome.events
        return self._has_gap or bool(is_behind)

    @property
    def _lacks_anything(self) -> bool:
        follower = self.follower
        if self._hello is not None or follower is None or self._answer is not None or self._lacks_events:
            return True
        is_asked = self._question is not None or follower.has_ended or not follower.events
        return follower.state.turn in self._seats and not is_asked

    def _go_on(self) -> None:
        """Something has come or been said: the time until the next reminder begins anew."""
        self._pause = self._retry_times.again
        self._due = _now() + (self._pause if self._lacks_anything else self._retry_times.have)

    def _look_for_gaps(self) -> None:
        """Events that came too early show that others got lost: those are asked for at once."""
        self._missing_since = (self._missing_since or _now()) if self._lacks_events else None
        if self._has_gap:
            self._due = min(self._due, self._said + self._retry_times.again)

    async def _remind(self, connection: Connection) -> None:
        """Says what it has, and whatever the host does not seem to have got."""
        self._pause = min(2 * self._pause, self._retry_times.have)
        self._said = _now()
        events = self.follower.events if self.follower else 0
        if self._missing_since is not None and self._said - self._missing_since > self._retry_times.missing:
            raise MessageError(f"event {events} is missing, and the host did not send it again")
        if self._hello is not None:
            await connection.send(self._hello)
        elif self.follower is not None:
            await connection.send(Have(events, self._question.number if self._question else 0))
            if self._answer is not None:
                await connection.send(self._answer)
        self._due = self._said + (self._pause if self._lacks_anything else self._retry_times.have)

    # What comes is taken.

    async def _take(self, connection: Connection, message: Message) -> None:
        if isinstance(message, ErrorMessage):
            raise NetworkError(f"the host refused: {printable(message.sentence)}")
        if isinstance(message, Welcome):
            await self._sit_down(message)
        elif self.follower is None:
            return    # it comes again after the welcome
        elif isinstance(message, Event):
            self._follow(self.follower, message)
            if self._early is not None:
                await self._consider(connection, self._early)
        elif isinstance(message, RequestMessage):
            await self._consider(connection, message)
        elif isinstance(message, Offer) and self._seats and message.seat not in self._seats:
            what = "a takeback" if message.what == "undo" else "a rematch"
            self._view.say(f"seat {message.seat} asks for {what}; this client refuses")
            await connection.send(Reply(message.number, yes=False))
        self._look_for_gaps()

    def _follow(self, follower: Follower, event: Event) -> None:
        for taken in follower.catch(event):
            self._stop_thinking()    # whatever it was asked is settled by now
            self._question = self._answer = self._missing_since = None
            self._go_on()
            self._view.show(follower, taken)

    async def _sit_down(self, welcome: Welcome) -> None:
        """Takes the place that the host gives, at another game or again at the same one."""
        known = self._welcome.number if self._welcome else 0
        if self._hello is None and welcome.number <= known:
            return    # it is here twice
        self._here_since = _now()
        is_back = self.follower is not None and welcome.number == known
        self._hello, self._welcome, self.token = None, welcome, welcome.token or self.token
        if is_back:
            self._view.say("the connection is back")
        else:
            await self._begin(welcome)
        self._go_on()

    async def _begin(self, welcome: Welcome) -> None:
        await self._leave_seats()
        self._question = self._early = self._answer = None
        self.follower = Follower(named_game(welcome.spec, welcome.map))
        numbers = welcome.seats or ([welcome.seat] if welcome.seat else [])
        for number in numbers:
            if not 1 <= number <= self.follower.game.seats:
                raise MessageError(f"{printable(welcome.spec)} has no seat {number}")
        self._view.welcome(welcome, self.follower)
        for number in numbers:
            if self._make_seat is None:
                break
            seat = self._seats[number] = self._make_seat()
            try:
                await seat.begin(self.follower.state, number)
            except SeatFailure as failure:
                raise PlayerError(f"{seat.name} cannot play: {failure.detail}") from None

    async def _leave_seats(self) -> None:
        self._stop_thinking()
        for seat in self._seats.values():
            with suppress(SeatFailure, OSError):
                await seat.close()
        self._seats = {}

    # What is asked is answered.

    async def _consider(self, connection: Connection, ask: RequestMessage) -> None:
        """Starts to think about a question, unless it is known already, or about what is past or to come."""
        assert self.follower is not None and self._welcome is not None
        position = ask.events or self.follower.events
        if position > self.follower.events:
            self._early = ask
        if position != self.follower.events:
            return
        self._early = None
        if self._question is not None and ask.number == self._question.number:
            if self._answer is not None:
                await connection.send(self._answer)    # it was lost on the way
            return
        number = ask.seat or self._welcome.seat
        seat = self._seats.get(number)
        if seat is None or self.follower.state.turn != number:
            raise MessageError("the host asks for a move out of turn")
        self._stop_thinking()
        self._question = ask
        log = self.follower.log
        request = Request(log.state, number, _less_overhead(ask.limit), log.start, log.moves,
                          tuple(log.disqualified))
        self._thinking = asyncio.create_task(seat.answer(request), name=seat.name)
        self._thinking.add_done_callback(self._stop_waiting)
        self._go_on()

    def _stop_waiting(self, _: asyncio.Task[Any]) -> None:
        """There is an answer to send."""
        if self._waiting is not None and not self._waiting.expired():
            self._waiting.reschedule(0)

    async def _send_answer(self, connection: Connection) -> None:
        assert self._thinking is not None and self._question is not None
        thinking, self._thinking = self._thinking, None
        try:
            thought = thinking.result()
        except SeatFailure as failure:
            raise PlayerError(f"{thinking.get_name()} gave up: {failure.detail}") from None
        has_resigned = isinstance(thought, Resign)
        self._answer = thought if has_resigned else MoveMessage(self._question.number, str(thought))
        await connection.send(self._answer)
        self._go_on()

    def _stop_thinking(self) -> None:
        if self._thinking is not None:
            self._thinking.cancel()
            self._thinking = None


def _now() -> float:
    return asyncio.get_running_loop().time()


def _less_overhead(limit: Limit) -> Limit:
    """What is left to think with once the answer has time to travel.

    >>> from polyversi.players import Limit
    >>> _less_overhead(Limit(seconds=1)).seconds, _less_overhead(Limit(bank=0.2)).bank
    (0.9, 0.15000000000000002)
    """
    times = {name: time - min(MOVE_OVERHEAD, time / 4)
             for name in ("seconds", "bank") if (time := getattr(limit, name)) is not None}
    return replace(limit, **times)
