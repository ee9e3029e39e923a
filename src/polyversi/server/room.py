"""A room: one game with everybody in it, whatever they are connected by, and with a store or without."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from polyversi.gameplay.events import EndEvent, Event, Observer, StartEvent
from polyversi.gameplay.log import GameLog
from polyversi.gameplay.referee import Asked, Finished, Interruption, Referee
from polyversi.gameplay.seat import PersonSeat, Request, Resign, Seat, Undo
from polyversi.gameplay.verdict import Verdict
from polyversi.games.board import printable
from polyversi.games.errors import PolyversiError
from polyversi.games.state import State
from polyversi.players import Limit
from polyversi.records.maps import named_game
from polyversi.server.absences import Absences
from polyversi.server.messages import (
    Bye,
    Claim,
    Hello,
    LegalMove,
    Message,
    MessageError,
    MoveMessage,
    Next,
    Presence,
    Rematch,
    Reply,
    RequestMessage,
    Welcome,
    encode,
)
from polyversi.server.new_game import GUEST
from polyversi.server.offers import Offers
from polyversi.server.packed_lines import PackedLines
from polyversi.server.series_messages import SeriesStanding
from polyversi.server.summaries import GameSummary, ListedGame, listed, listed_moves, summary_of, summed_up
from polyversi.server.tokens import hash_token, new_token
from polyversi.server.turns import Attendance
from polyversi.storage.stored import StoredGame

if TYPE_CHECKING:
    from polyversi.server.guest import Guest
    from polyversi.server.policy import RoomOwner
    from polyversi.storage.games import Transaction

ANY_TIME = 1e6
"""Seconds that a person may take where there is no limit."""
GONE = "the server that ran it was stopped, and its players have gone"
"""Why a game that is run elsewhere cannot be resumed."""
MAX_WINDOWS = 16
"""Connections that hold the same seat, where there may be several; one more, and the oldest has to go."""
PRESENCE_DELAY = 0.2
"""Seconds within which comings and goings are told together."""


def _nobody() -> None:
    """Nobody's move is awaited."""


class _Guests:
    """The channel to the guests at one seat; the first answer to a question counts."""

    def __init__(self, room: Room, number: int) -> None:
        self.request: Request | None = None    # what they are asked at the moment
        self._answer: asyncio.Future[Any] | None = None
        self._room = room
        self._number = number

    @property
    def has_answered(self) -> bool:
        """Whether there is an answer that the referee has not taken yet."""
        return self._answer is not None and self._answer.done()

    async def ready(self) -> None:
        await self._room.drain()    # they can know of the question when all before it is stored

    async def ask(self, request: Request) -> Any:
        loop = asyncio.get_running_loop()
        self.request, self._answer = request, loop.create_future()
        # Just before the referee's own deadline: time that runs out while nobody is there has that reason.
        seconds = self._room.time_for(request.limit)
        late = loop.call_later(seconds, self._room.time_is_up, self._number)
        self._room.wake(self._number)
        try:
            return await self._answer
        finally:
            late.cancel()
            self.request = self._answer = None
            self._room.wake(self._number)

    def reply(self, move: str) -> bool:
        """Takes a move; False when nobody asked or it has been answered."""
        if self._answer is None or self._answer.done():
            return False
        self._answer.set_result(move)
        return True


class Room:
    """One game, from the day it is set up: `run` or `play` plays it while guests come and go."""

    def __init__(
        self, stored: StoredGame, events: Iterable[Event], owner: RoomOwner, *,
        start: State | None = None, observers: Sequence[Observer] = (),
        report: Callable[[str], None] = lambda _: None,
    ) -> None:
        self.stored = stored
        usual = owner.policy
        self.policy = usual if stored.summary.grace is None else replace(usual, grace=stored.summary.grace)
        self.number = 1
        """The number of the game among those that are played in a row."""
        self.start = start or named_game(stored.spec, stored.map).position(stored.start)
        self.game = self.start.game
        self.log = GameLog(self.start, is_thin=True)
        """The game as far as everybody may know it: up to the last event that is stored."""
        self.lines = PackedLines()
        """The same events as messages."""
        for event in events:
            self._show(event)
        self.wraps: Callable[[Seat], Seat] = lambda seat: seat
        """What is put round each computer's seat, such as a pace to keep."""
        self.on_end: Callable[[], None] = lambda: None
        """What the lobby calls when the game goes no further."""
        self.visited = time.monotonic()
        """When somebody was last here."""
        self.changed = stored.created
        """When something last happened in the game, in seconds since 1970, as far as this server knows."""
        self.attendance = Attendance(owner.policy.grace)
        """Whether anybody is here, or was until just now."""
        self.guests: dict[Guest, tuple[int, ...]] = {}
        """Who is connected, with the seats of each."""
        self._owner = owner
        self._observers = observers
        self._report = report
        self._ahead = self.log.copy()    # with what is not stored yet
        self._earlier = 0    # events of the games before this one
        self._people: dict[int, _Guests] = {}
        self._tokens: dict[int, str] = {}    # given with open seats
        self._absences = Absences(self.policy.grace, self._grace_is_over)
        self._changed = asyncio.Event()    # set when somebody comes, and when it is too late to
        self._referee: Referee | None = None
        self._asked_elsewhere: Callable[[], Asked | None] = _nobody
        self._task: asyncio.Task[None] | None = None
        self._broken_off = ""
        self._is_closed = False
        self._is_followed = False
        self._offers = Offers(self._notify_all, self._agreed)
        self._presence_due: asyncio.TimerHandle | None = None
        self._moves: tuple[int, list[LegalMove]] = (0, [])

    # What others may know of a room.

    @property
    def id(self) -> str:
        """What the game is called in links."""
        return self.stored.id

    @property
    def visitors(self) -> set[str]:
        """The marks of all who have set it up: those who play, or the one who plays computers or friends."""
        return {seat.visitor for seat in self.stored.seats}

    @property
    def visitor(self) -> str:
        """A mark of whoever set the game up; empty where that is not known."""
        return self.stored.seats[0].visitor

    @property
    def state(self) -> State:
        """The state after the last event that is stored."""
        return self.log.state

    def summary(self) -> GameSummary:
        """The game in a few words, for lists."""
        return summary_of(self.stored, summed_up(self.log, self.stored.summary))

    def listed(self, rounds: SeriesStanding | None = None) -> ListedGame:
        """The game as an entry of a list, perhaps one that stands for its whole series."""
        return listed(self.summary(), self.changed, rounds)

    def holds(self, token: str) -> tuple[int, ...]:
        """The seats that a token is good for."""
        return tuple(number for number, seat in enumerate(self.stored.seats, 1)
                     if token and seat.token == hash_token(token))

    @property
    def has_ended(self) -> bool:
        """Whether the game is over, though that may not be stored yet."""
        return self.stored.phase == "over" or self._ahead.end is not None

    def may_help(self) -> bool:
        """Whether a hint is fair: no two people who could use it against each other."""
        return len(self._tokens_of_people()) <= 1

    def _tokens_of_people(self) -> set[str]:
        """The people at the seats, by what is stored of their tokens."""
        return {seat.token for seat in self.stored.seats if seat.kind == "human"}

    # The game itself.

    def mirror(self, asked: Callable[[], Asked | None]) -> None:
        """Shows a game that is run elsewhere and whose events come to `take`, up to `run`.

        What is given tells whose move is awaited there, and since when.
        """
        self._asked_elsewhere = asked

    async def run(self) -> None:
        """Plays the game to its end or to where it is broken off, as one is that was run elsewhere."""
        self._task = asyncio.current_task()
        if self.stored.is_remote:
            self._broken_off = self._broken_off or GONE
        try:
            if not (self.has_ended or self._broken_off):
                await self.play()
        except PolyversiError as error:    # such as a bot that is there no longer
            self._broken_off = str(error)
        except asyncio.CancelledError:
            if not self._broken_off:
                raise
        finally:
            self._referee, self._asked_elsewhere = None, _nobody
        if self._broken_off and not self.has_ended:
            self.take(self._ahead.copy().abort(self._broken_off))
        await self.drain()

    async def play(self) -> Finished:
        """Waits until every seat is taken, then plays the game to its end."""
        while not self._is_full():
            await self._change()
        for number in self._humans():
            if not self._is_here(number):
                self._absences.begin(number)
        seats = [self._seat(number) for number in range(1, self.game.seats + 1)]
        limits = [Limit.parse(limit) for limit in self.stored.limits]
        self._referee = Referee(self.start, seats, limits, [self.take, *self._observers],
                                self.policy.move_timeout, self.log)
        try:
            return await self._referee.run()
        finally:
            self._referee = None

    def break_off(self, why: str) -> None:
        """Ends the game without a result, unless it has ended already."""
        if self.has_ended or self._broken_off:
            return
        self._broken_off = why
        if self._task is not None:
            self._task.cancel()

    def lose(self, number: int, why: str) -> None:
        """A seat has lost since whoever has it may not play on; a game that has not begun is broken off."""
        if self._referee is None:
            self.break_off(why)
        else:
            self._interject(number, Verdict("disconnect", number, why))

    def rename(self, number: int, name: str) -> None:
        """Gives a seat another name, which the store has already."""
        seats = list(self.stored.seats)
        seats[number - 1] = replace(seats[number - 1], name=name)
        self.stored = replace(self.stored, seats=tuple(seats))

    def _seat(self, number: int) -> Seat:
        seat = self.stored.seats[number - 1]
        if seat.kind != "human":
            return self.wraps(self._owner.player(self, number))
        channel = self._people[number] = _Guests(self, number)
        return PersonSeat(seat.name, channel, is_person=self.policy.people_may_think)

    def take(self, event: Event) -> None:
        """Has the next event stored, and told when it is."""
        self._ahead.apply(event)
        if event.number >= self.policy.max_events:
            self.break_off(f"it has {event.number:,} events; longer games are not possible here")
        changes: dict[str, Any] = {}
        match event:
            case StartEvent():
                changes = {"phase": "running"}
            case EndEvent():
                summary = summed_up(self._ahead, self.stored.summary)
                changes = {"phase": "over", "ended": time.time(), "summary": summary}

        def job(transaction: Transaction) -> None:
            transaction.append(self.id, event)
            if changes:
                transaction.change_game(self.id, **changes)

        self._owner.write_queue.submit(job, lambda: self._publish(event, changes))

    def _publish(self, event: Event, changes: dict[str, Any]) -> None:
        self.stored = replace(self.stored, **changes)
        self.changed = time.time()
        self._show(event)
        self._offers.moved()
        for guest in self.guests:
            guest.wake()

    def _show(self, event: Event) -> None:
        """Adds an event that is stored to what everybody may know."""
        self.log.apply(event)
        self.lines.append(encode(self.log.with_position(event)))

    async def drain(self) -> None:
        """Waits until everything that has happened is stored and told."""
        await self._owner.write_queue.drain()

    # Guests come and go.

    def admit(self, guest: Guest, hello: Hello) -> None:
        """Gives a newcomer its place; MessageError when there is none for it."""
        seats = self._seats_for(hello)
        if not seats and sum(not has for has in self.guests.values()) >= self.policy.max_spectators:
            raise MessageError(f"this game has its maximum of {self.policy.max_spectators} spectators")
        self._replace_holders(seats)
        self.guests[guest] = seats
        self.attendance.begin()
        for number in seats:
            self._absences.end(number)
            if not self.stored.seats[number - 1].name:
                self._assign(number, self._distinct(hello.name))
        if not seats:
            self._report(f"{hello.name} watches")
        self._changed.set()
        self._presence_soon()
        if offer := self._offers.open:
            guest.notify(offer)

    def _seats_for(self, hello: Hello) -> tuple[int, ...]:
        """The seats of the token, or a free one where there are any; none for whoever watches."""
        if hello.token:
            seats = self.holds(hello.token)
            if not seats:
                raise MessageError("this link or token does not belong to a seat of this game")
            for number in seats:
                if why := self._absences.forfeits.get(number):
                    raise MessageError(f"seat {number} has lost this game: {why}")
                self._report(f"{self.stored.seats[number - 1].name} is back on seat {number}")
            return seats
        if not self.policy.open_seats or hello.seat == 0:
            return ()
        number = self._free_seat(hello.seat)
        self._tokens[number] = new_token()
        self._assign(number, hello.name, hash_token(self._tokens[number]))
        self._report(f"{hello.name} takes seat {number}")
        return (number,)

    def _free_seat(self, wanted: int | None) -> int:
        free = [number for number in self._humans() if self._referee is None and not self._is_here(number)]
        if not free:
            raise MessageError("every seat is taken; watch with `polyversi join … --watch`")
        if wanted is not None and wanted not in free:
            raise MessageError(f"seat {wanted} is taken; free seats: {', '.join(map(str, free))}")
        return wanted or free[0]

    def _replace_holders(self, seats: tuple[int, ...]) -> None:
        """The newest connections with a token have its seat: one where seats are open, otherwise some."""
        holders = [guest for guest, theirs in self.guests.items() if set(seats) & set(theirs)]
        most = 1 if self.policy.open_seats else MAX_WINDOWS
        for guest in holders[:max(0, len(holders) - most + 1)]:
            del self.guests[guest]
            guest.dismiss("another connection with the same token has taken this seat")

    def welcome(self, guest: Guest) -> Welcome:
        """What a guest is told when it comes and when another game begins."""
        seats = list(self.guests.get(guest, ()))
        first = seats[0] if seats else 0
        return Welcome(
            spec=self.game.spec, number=self.number, games=self.policy.games, seat=first,
            events=len(self.lines), grace=self.policy.grace, token=self._tokens.get(first, ""),
            map=self.stored.map, seats=seats, thinking=self._thinking(),
        )

    def leave(self, guest: Guest, fault: str | None) -> None:
        """A guest is gone, perhaps by its own fault; also one that was never admitted."""
        seats = self.guests.pop(guest, None)
        self.visited = time.monotonic()
        if not self.guests and not self.stored.series:
            self.attendance.end_soon()
        if seats is None or self._is_closed:
            return
        why = f": {fault}" if fault else ""
        if not seats:
            self._report(f"{guest.name} stopped watching{why}")
        for number in seats:
            if self._is_here(number):
                continue
            if fault:
                self._forfeit(number, fault)
            if self._referee is None or self.has_ended or number in self._absences.forfeits:
                self._report(f"{guest.name} left seat {number}{why}")
            else:
                self._absences.begin(number)
                self._report(f"{guest.name} lost the connection and has {self.policy.grace:g} s to come back")
        self._presence_soon()

    def lead_to(self, following: Room) -> None:
        """Everybody here goes on to the next game on the same seats, each after the end of this one."""
        following.number = self.number + 1
        if not following.stored.is_remote:    # where each seat has its player already
            following.stored = replace(following.stored, seats=self.stored.seats)
        following._earlier = self._earlier + len(self.lines)
        following._tokens, following.guests = self._tokens, self.guests
        self.guests = {}
        for guest in following.guests:
            guest.enter(following)

    def drop_laggards(self) -> None:
        """Drops those who have still not got all of the game before."""
        for guest in self.guests:
            if guest.reading is not self:
                guest.abort()

    async def wait_for_the_absent(self) -> None:
        """Waits for those who may still come back to see the result."""
        while self._absences.any_in_time:
            await self._change()

    def close(self, reason: str) -> None:
        """Lets every guest go once it has got everything."""
        self._is_closed = True
        for guest in self.guests:
            guest.say_bye(reason)

    # What guests are asked and say.

    def question_number(self, guest: Guest) -> int:
        """The number of what a guest is to answer, or 0: how many events were told before the question."""
        if len(self._ahead.events) > len(self.lines) or self._open_seat(guest) is None:
            return 0
        return self._earlier + len(self.lines)

    def question(self, guest: Guest) -> RequestMessage:
        """What a guest is to answer; the guest itself puts in how many events there have been."""
        number = self._open_seat(guest)
        assert number is not None and self._referee is not None
        request = self._people[number].request
        assert request is not None
        thinking = self._thinking()
        limit = self._referee.log.limits[number - 1].ticked(thinking)
        seconds = limit.allowance if limit.is_timed else self.time_for(limit) - thinking
        if self.policy.for_people and self._moves[0] != len(self.lines):
            self._moves = len(self.lines), listed_moves(request.state)
        return RequestMessage(self._earlier + len(self.lines), limit, max(0.0, seconds or 0.0), seat=number,
                              moves=self._moves[1] if self.policy.for_people else None)

    def time_for(self, limit: Limit) -> float:
        """Seconds that a person has for a move."""
        if limit.allowance is not None:
            return limit.allowance
        return ANY_TIME if self.policy.people_may_think else self.policy.move_timeout

    def handle(self, guest: Guest, message: Message) -> bool:
        """Takes what a guest says; whether that was what it was asked for. MessageError sends it away."""
        seats = self.guests.get(guest, ())
        if isinstance(message, Bye):
            reason = printable(message.reason)
            for seat in seats:
                self._forfeit(seat, f"it left: {reason}" if reason else "it left")
            return False
        if not seats:
            raise MessageError("spectators cannot move")
        if isinstance(message, MoveMessage):
            number = self._open_seat(guest)
            is_asked = number is not None and 0 < message.number == self.question_number(guest)
            return is_asked and self._people[number or 0].reply(message.move)
        if isinstance(message, Resign):
            self._interject(self._open_seat(guest) or seats[0], Resign())
        elif not self.policy.for_people:
            raise MessageError("takebacks, claims and rematches are not possible here")
        elif isinstance(message, Undo):
            self._ask_back(seats)
        elif isinstance(message, Reply):
            self._offers.reply(message.number, self._person(seats), yes=message.yes)
        elif isinstance(message, Rematch) and self.stored.phase == "over":
            self._ask_again(seats)
        elif isinstance(message, Claim) and (gone := self._claimable()):
            self._interject(gone, Verdict("disconnect", gone, "it left and did not come back"))
        return False

    def _interject(self, number: int, what: Interruption) -> bool:
        """Has the referee do something for a seat, after an answer that is on its way to it."""
        if any(seat.has_answered for seat in self._people.values()):
            asyncio.get_running_loop().call_soon(self._interject, number, what)
            return True
        return self._referee is not None and self._referee.interrupt(number, what)

    def _forfeit(self, number: int, why: str) -> None:
        """A seat has lost by its guest's fault, where that is the policy."""
        if self.policy.forfeits and self._interject(number, Verdict("disconnect", number, why)):
            self._absences.forfeit(number, why)
            self._changed.set()

    def _open_seat(self, guest: Guest) -> int | None:
        """The seat of this guest that is being asked, if any."""
        return next((number for number in self.guests.get(guest, ())
                     if number in self._people and self._people[number].request is not None), None)

    def _thinking(self) -> float:
        """Seconds since the seat to move was asked."""
        asked = self._referee.asked if self._referee is not None else self._asked_elsewhere()
        return 0.0 if asked is None or asked.since is None else time.perf_counter() - asked.since

    # Who is there.

    def _humans(self) -> list[int]:
        return [number for number, seat in enumerate(self.stored.seats, 1) if seat.kind == "human"]

    def _is_here(self, number: int) -> bool:
        return any(number in seats for seats in self.guests.values())

    def _is_full(self) -> bool:
        if self.policy.open_seats or self.stored.begins_together:
            return all(map(self._is_here, self._humans()))
        return all(self.stored.seats[number - 1].name for number in self._humans())

    async def _change(self) -> None:
        self._changed.clear()
        await self._changed.wait()

    def _assign(self, number: int, name: str, token: str | None = None) -> None:
        """Somebody takes a seat under a name."""
        seats = list(self.stored.seats)
        seat = seats[number - 1]
        seats[number - 1] = replace(seat, name=name, token=seat.token if token is None else token)
        self.stored = replace(self.stored, seats=tuple(seats))
        self._owner.write_queue.submit(lambda tx: tx.change_game(self.id, seats=tuple(seats)), lambda: None)

    def _distinct(self, name: str) -> str:
        """The name, or another for a second guest without one."""
        taken = {seat.name for seat in self.stored.seats}
        others = (f"{name} {number}" for number in range(2, len(self.stored.seats) + 1))
        return next(other for other in others if other not in taken) if name in taken & {GUEST} else name

    def _grace_is_over(self, number: int) -> None:
        self._forfeit(number,
                      f"it lost the connection and did not come back within {self.policy.grace:g} s")
        self._changed.set()
        self._presence_soon()

    def time_is_up(self, number: int) -> None:
        """The time of the seat that is asked is over."""
        if self._absences.is_in_time(number):
            self._forfeit(number, "it lost the connection and its time ran out before it came back")

    def _presence_soon(self) -> None:
        if self.policy.for_people and self._presence_due is None and self.guests:
            loop = asyncio.get_running_loop()
            self._presence_due = loop.call_later(PRESENCE_DELAY, self._send_presence)

    def _send_presence(self) -> None:
        self._presence_due = None
        here = [seat.kind != "human" or self._is_here(number)
                for number, seat in enumerate(self.stored.seats, 1)]
        watching = sum(not seats for seats in self.guests.values())
        self._notify_all(Presence(here, watching, self._claimable()))

    def _claimable(self) -> int:
        """A seat whose person has been gone for too long while another waits, or 0."""
        gone = [number for number in self._humans()
                if self._absences.is_overdue(number) and number not in self.state.out]
        others = any(not self._absences.is_in_time(number) and not self._absences.is_overdue(number)
                     for number in self._humans())
        return gone[0] if gone and others and self._referee is not None else 0

    # What a person can ask the others for.

    def _ask_back(self, seats: tuple[int, ...]) -> None:
        last = next((seat for seat in reversed(self.log.plies.seats) if seat in seats), None)
        if last is not None and self._referee is not None:
            self._offers.make("undo", last, self._people_besides(seats))

    def _ask_again(self, seats: tuple[int, ...]) -> None:
        offer = self._offers.open
        if self.stored.following:
            self._notify_all(Next(self.stored.following))
        elif offer is not None and offer.what == "rematch":    # whoever wants the same agrees
            self._offers.reply(offer.number, self._person(seats), yes=True)
        elif not self._is_followed:
            self._offers.make("rematch", seats[0], self._people_besides(seats))

    def _person(self, seats: tuple[int, ...]) -> str:
        return self.stored.seats[seats[0] - 1].token

    def _people_besides(self, seats: tuple[int, ...]) -> set[str]:
        return self._tokens_of_people() - {self._person(seats)}

    def _agreed(self, what: str, seat: int) -> None:
        if what == "undo":
            self._interject(seat, Undo())
        else:
            try:
                self._owner.rematch(self)
            except PolyversiError as error:
                raise MessageError(str(error)) from None
            self._is_followed = True

    def follow(self, game: str) -> None:
        """The game after this one is stored and its room open: everybody may go there."""
        self.stored = replace(self.stored, following=game)
        self._notify_all(Next(game))

    def refuse_rematch(self, why: str) -> None:
        """Tells those who wanted to play again that they cannot."""
        self._is_followed = False
        for guest in [guest for guest, seats in self.guests.items() if seats]:
            guest.dismiss(why)

    def wake(self, number: int) -> None:
        """Has those at a seat look whether they are asked something; to the others it is nothing new."""
        for guest, seats in self.guests.items():
            if number in seats:
                guest.wake()

    def _notify_all(self, message: Message) -> None:
        for guest in self.guests:
            guest.notify(message)
