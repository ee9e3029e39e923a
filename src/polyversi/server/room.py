"""A room: one game on the page with everybody in it, each event stored before anybody hears of it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol

from polyversi.gameplay.events import Event
from polyversi.gameplay.log import History
from polyversi.gameplay.referee import Referee
from polyversi.gameplay.seat import Resign, Seat, Undo
from polyversi.gameplay.verdict import Verdict
from polyversi.games.errors import PolyversiError
from polyversi.players import Limit
from polyversi.records.maps import named_game
from polyversi.server.guest import Guest, Table
from polyversi.server.messages import (
    Answer,
    Ask,
    Bye,
    Claim,
    Hello,
    LegalMove,
    Message,
    MessageError,
    Next,
    Presence,
    Rematch,
    Reply,
    Takeback,
    Welcome,
)
from polyversi.server.offers import Offers
from polyversi.server.people import PersonSeat
from polyversi.server.setup import THINKING, hashed
from polyversi.server.summaries import broken_off, listed_moves, standing, summary
from polyversi.storage.games import StoredSeat

if TYPE_CHECKING:
    from polyversi.games.state import State
    from polyversi.storage.games import StoredGame, Transaction
    from polyversi.storage.write_queue import Journal

GRACE = 30.0
"""Seconds after which the game of somebody who is gone can be claimed."""
MOST_GUESTS = 2_000
ANY_TIME = 1e6
"""Seconds that a person may take where there is no limit."""
GONE = "the server that ran it was stopped, and its players have gone"
"""Why a game that is run elsewhere cannot be taken up again."""
PRESENCE_WITHIN = 0.2
"""Seconds within which comings and goings are told together."""


class Keeper(Protocol):
    """What a room needs of the lobby."""

    journal: Journal

    def computer(self, spec: str, visitor: str) -> Seat:
        """A seat for a player or a bot."""

    def rematch(self, room: Room) -> None:
        """Stores a rematch, opens its room and then has the old room tell of it."""


class Room:
    """One game, from the day it is set up; `run` plays it, guests come and go, the store has it all."""

    def __init__(
        self, stored: StoredGame, events: Sequence[Event], keeper: Keeper, visitor: str = ""
    ) -> None:
        self.stored = stored
        self.visitor = visitor
        """The address of whoever set the game up."""
        self.game = named_game(stored.spec, stored.map)
        self.start = self.game.position(stored.start)
        self.table = Table(1)
        self.history = History(self.start)
        """The game as far as it is stored, and so as far as anybody may know it."""
        self.wraps: Callable[[Seat], Seat] = lambda seat: seat
        """What is put round each computer's seat, such as a pace to keep."""
        self.on_end: Callable[[], None] = lambda: None
        """What the lobby calls when the game goes no further."""
        self.visited = time.monotonic()
        """When somebody was last here."""
        self._keeper = keeper
        self._events = list(events)
        for event in events:
            self.history(event)
            self.table.add(event)
        self._told = len(events)
        self._unstored: list[Event] = []
        self._people: dict[int, PersonSeat] = {}
        self._guests: dict[Guest, tuple[int, ...]] = {}
        self._absent: dict[int, float] = {}
        self._seated = asyncio.Event()
        self._referee: Referee | None = None
        self._task: asyncio.Task[None] | None = None
        self._broken_off = ""
        self._has_ended = stored.phase == "over"
        self._is_followed = False
        self._offers = Offers(self._tell_all, self._agreed)
        self._presence_due: asyncio.TimerHandle | None = None
        self._moves: tuple[int, list[LegalMove]] = (0, [])

    # What others may know of a room.

    @property
    def id(self) -> str:
        """What the game is called in links."""
        return self.stored.id

    @property
    def guests(self) -> int:
        """How many connections there are."""
        return len(self._guests)

    @property
    def state(self) -> State:
        """The state after the last event that is stored."""
        return self.history.state

    def summary(self) -> dict[str, Any]:
        """The game in a few words, for lists."""
        return summary(self.stored, standing(self.history) | self.stored.summary)

    def holds(self, token: str) -> tuple[int, ...]:
        """The seats that a token is good for."""
        if not token:
            return ()
        mark = hashed(token)
        return tuple(number for number, seat in enumerate(self.stored.seats, 1) if seat.token == mark)

    def may_help(self) -> bool:
        """Whether a hint is fair: no two people who could use it against each other."""
        return len({seat.token for seat in self.stored.seats if seat.kind == "human"}) <= 1

    # The game itself.

    def attend(self, referee: Referee) -> None:
        """Shows a game that this referee runs elsewhere and whose events come to `take`, up to `run`."""
        self._referee = referee

    async def run(self) -> None:
        """Waits until every seat is taken, then plays the game to its end.

        One that is run elsewhere is broken off, unless it has ended: there is nobody left to play it.
        """
        self._task = asyncio.current_task()
        if self.stored.is_remote:
            self._broken_off = self._broken_off or GONE
        try:
            if not (self._has_ended or self._broken_off):
                await self._play()
        except PolyversiError as error:    # such as a bot that is there no longer
            self._broken_off = str(error)
        except asyncio.CancelledError:
            if not self._broken_off:
                raise
        finally:
            self._referee = None
        if self._broken_off and not self._has_ended:
            self.take(broken_off(self._told, self._ahead(), self._broken_off))
        await self._keeper.journal.drain()

    async def _play(self) -> None:
        self._check_seated()
        await self._seated.wait()
        for number in self._humans():
            if not self._is_here(number):
                self._miss(number)
        seats = [self._seat(number, seat) for number, seat in enumerate(self.stored.seats, 1)]
        limits = [Limit.parse(limit) for limit in self.stored.limits]
        self._referee = Referee(self.start, seats, limits, [self.take], THINKING, self._events)
        await self._referee.run()

    def break_off(self, why: str) -> None:
        """Ends the game without a result, unless it has ended already."""
        if self._has_ended or self._broken_off:
            return
        self._broken_off = why
        if self._task is not None:
            self._task.cancel()

    def _seat(self, number: int, seat: StoredSeat) -> Seat:
        if seat.kind == "computer":
            # Whose game it was is not stored: after a restart each game has a share of its own.
            return self.wraps(self._keeper.computer(seat.player, self.visitor or self.id))
        person = self._people[number] = PersonSeat(
            seat.name, partial(self._wake, number), self._keeper.journal.drain)
        return person

    def take(self, event: Event) -> None:
        """Has the next event stored, and told when it is."""
        self._told = event.number + 1
        self._unstored.append(event)
        changes: dict[str, Any] = {}
        if event.kind == "start":
            changes = {"phase": "running"}
        elif event.kind == "end":
            self._has_ended = True
            changes = {"phase": "over", "ended": time.time(), "summary": standing(self._ahead(), event)}

        def job(transaction: Transaction) -> None:
            transaction.append(self.id, event)
            if changes:
                transaction.change_game(self.id, **changes)

        self._keeper.journal.submit(job, lambda: self._publish(event, changes))

    def _publish(self, event: Event, changes: dict[str, Any]) -> None:
        if changes:
            self.stored = replace(self.stored, **changes)
        self._unstored.remove(event)
        self.history(event)
        self.table.add(event)
        self._offers.moved()
        self._wake_all()

    def _ahead(self) -> History:
        """The game with what is not stored yet."""
        ahead = self.history.copy()
        for event in self._unstored:
            ahead(event)
        return ahead

    # What the guests need of their house.

    def admit(self, guest: Guest, hello: Hello) -> None:
        """Gives a guest the seats of its token, or lets it watch."""
        if len(self._guests) >= MOST_GUESTS:
            raise MessageError("there is no room for more guests at this game")
        seats = self.holds(hello.token)
        if hello.token and not seats:
            raise MessageError("this link belongs to no seat of this game")
        self._guests[guest] = seats
        for number in seats:
            self._absent.pop(number, None)
            if not self.stored.seats[number - 1].name:
                self._name(number, hello.name)
        self._check_seated()
        self._presence_soon()
        if offer := self._offers.open:
            guest.tell(offer)

    def welcome(self, guest: Guest) -> Welcome:
        """What a guest is told when it comes."""
        seats = list(self._guests.get(guest, ()))
        return Welcome(
            spec=self.game.spec, number=1, games=1, seat=seats[0] if seats else 0,
            events=len(self.table.lines), grace=GRACE, map=self.stored.map, seats=seats,
            thinking=self._thinking(),
        )

    def question_number(self, guest: Guest) -> int:
        """The number of what a guest is to answer, or 0; it counts the events before the question."""
        if self._told > len(self.table.lines) or self._open_seat(guest) is None:
            return 0
        return self._told

    def question(self, guest: Guest) -> Ask:
        """What a guest is to answer, with everything that it may."""
        number = self._open_seat(guest)
        assert number is not None
        request = self._people[number].request
        assert request is not None and self._referee is not None
        limit = self._referee.limits[number - 1].ticked(self._thinking())
        allowance = limit.allowance
        if self._moves[0] != self._told:
            self._moves = self._told, listed_moves(request.state)
        return Ask(self._told, limit, ANY_TIME if allowance is None else allowance, seat=number,
                   moves=self._moves[1])

    def hear(self, guest: Guest, message: Message) -> bool:
        """Takes what a guest says; whether it was asked for."""
        seats = self._guests.get(guest, ())
        if isinstance(message, Bye):
            return False
        if not seats:
            raise MessageError("whoever watches has no move")
        match message:
            case Answer():
                number = self._open_seat(guest)
                is_asked = number is not None and 0 < message.number == self.question_number(guest)
                return is_asked and self._people[number or 0].reply(message.move)
            case Resign():
                self._resign(guest)
            case Takeback():
                self._ask_back(seats)
            case Reply():
                self._offers.reply(message.number, self._person(seats), yes=message.yes)
            case Rematch() if self.stored.phase == "over":
                self._ask_again(seats)
            case Claim():
                self._claim()
        return False

    def part(self, guest: Guest, fault: str | None) -> None:  # noqa: ARG002 faults cost the connection only
        """A guest is gone."""
        seats = self._guests.pop(guest, ())
        self.visited = time.monotonic()
        for number in seats:
            if self.stored.phase != "over" and not self._is_here(number):
                self._miss(number)
        self._presence_soon()

    # Who is there.

    def _humans(self) -> list[int]:
        return [number for number, seat in enumerate(self.stored.seats, 1) if seat.kind == "human"]

    def _is_here(self, number: int) -> bool:
        return any(number in seats for seats in self._guests.values())

    def _miss(self, number: int) -> None:
        """Nobody is on a seat any more: when the grace time is over, the others are told so."""
        loop = asyncio.get_running_loop()
        self._absent[number] = loop.time()
        loop.call_later(GRACE + 0.1, self._presence_soon)

    def _name(self, number: int, name: str) -> None:
        """Somebody takes a seat that was waiting, under a name."""
        seats = list(self.stored.seats)
        seats[number - 1] = replace(seats[number - 1], name=name)
        self.stored = replace(self.stored, seats=tuple(seats))
        stored = self.stored
        self._keeper.journal.submit(lambda tx: tx.change_game(self.id, seats=stored.seats), lambda: None)

    def _check_seated(self) -> None:
        if all(seat.kind != "human" or seat.name for seat in self.stored.seats):
            self._seated.set()

    def _presence_soon(self) -> None:
        if self._presence_due is None and self._guests:
            loop = asyncio.get_running_loop()
            self._presence_due = loop.call_later(PRESENCE_WITHIN, self._tell_presence)

    def _tell_presence(self) -> None:
        self._presence_due = None
        here = [seat.kind != "human" or self._is_here(number)
                for number, seat in enumerate(self.stored.seats, 1)]
        watching = sum(not seats for seats in self._guests.values())
        self._tell_all(Presence(here, watching, self._claimable()))

    def _claimable(self) -> int:
        """A seat whose person has been gone for too long while another waits, or 0."""
        now = asyncio.get_running_loop().time()
        gone = [number for number, since in self._absent.items()
                if now - since >= GRACE and number not in self.state.out]
        others = any(number not in self._absent for number in self._humans())
        return gone[0] if gone and others and self._referee is not None else 0

    # What a person can ask for besides moving.

    def _open_seat(self, guest: Guest) -> int | None:
        """The seat of this guest that is being asked, if any."""
        for number in self._guests.get(guest, ()):
            if number in self._people and self._people[number].request is not None:
                return number
        return None

    def _resign(self, guest: Guest) -> None:
        number = self._open_seat(guest) or self._guests[guest][0]
        if self._referee is not None:
            self._referee.interject(number, Resign())

    def _ask_back(self, seats: tuple[int, ...]) -> None:
        """Takes the last move of these seats back, with the consent of the other people."""
        movers = (ply.before.turn for ply in reversed(self.history.plies))
        last = next((seat for seat in movers if seat in seats), None)
        if last is not None and self._referee is not None:
            self._offers.make("undo", last, self._others(seats))

    def _ask_again(self, seats: tuple[int, ...]) -> None:
        offer = self._offers.open
        if self.stored.following:
            self._tell_all(Next(self.stored.following))
        elif offer is not None and offer.what == "rematch":    # whoever wants the same agrees
            self._offers.reply(offer.number, self._person(seats), yes=True)
        elif not self._is_followed:
            self._offers.make("rematch", seats[0], self._others(seats))

    def _person(self, seats: tuple[int, ...]) -> str:
        """Whoever holds these seats, by what is stored of the token."""
        return self.stored.seats[seats[0] - 1].token

    def _others(self, seats: tuple[int, ...]) -> set[str]:
        """The people besides those of these seats, by what is stored of their tokens."""
        people = {seat.token for seat in self.stored.seats if seat.kind == "human"}
        return people - {self._person(seats)}

    def _agreed(self, what: str, seat: int) -> None:
        """Everybody agrees to what a seat has asked for."""
        if what == "undo" and self._referee is not None:
            self._referee.interject(seat, Undo())
        elif what == "rematch":
            self._is_followed = True
            self._keeper.rematch(self)

    def follow(self, game: str) -> None:
        """The game after this one is stored and its room open: everybody may go there."""
        self.stored = replace(self.stored, following=game)
        self._tell_all(Next(game))

    def _claim(self) -> None:
        if (gone := self._claimable()) and self._referee is not None:
            self._referee.interject(gone, Verdict("disconnect", gone, "it left and did not come back"))

    def say_bye(self, reason: str) -> None:
        """Lets every guest go once it has got everything."""
        for guest in self._guests:
            guest.say_bye(reason)

    # Small things.

    def _thinking(self) -> float:
        """Seconds since the seat to move was asked."""
        asked = self._referee.asked if self._referee is not None else None
        return 0.0 if asked is None or asked.since is None else time.perf_counter() - asked.since

    def _wake(self, number: int) -> None:
        """Has those at a seat look whether they are asked something; to the others it is nothing new."""
        for guest, seats in self._guests.items():
            if number in seats:
                guest.wake()

    def _wake_all(self) -> None:
        for guest in self._guests:
            guest.wake()

    def _tell_all(self, message: Message) -> None:
        for guest in self._guests:
            guest.tell(message)
