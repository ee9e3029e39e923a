"""The referee: one loop that runs every game, whoever plays and whatever is played."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

from polyversi.gameplay.events import Event, EventKind, Observer
from polyversi.gameplay.seat import LocalSeat, Request, Resign, Seat, Undo
from polyversi.gameplay.verdict import CalledOff, Verdict, ended_by, failure_of
from polyversi.games.errors import PlayerError, PolyversiError
from polyversi.games.result import Result, rank
from polyversi.players import NO_LIMIT, Limit, Player
from polyversi.records.record import Note, Outcome, Record, must_pass

if TYPE_CHECKING:
    from polyversi._core import Move
    from polyversi.games.state import State

PATIENCE = 600.0
"""Seconds after which a seat without a limit on its time has stalled."""
TOLERANCE = 0.04
"""Seconds an answer may be late: what the way to the referee and back takes."""
GETTING_READY = 60.0
"""Seconds a seat may take before the game begins."""

Interjection = Resign | Undo | Verdict
"""What may break off a question from outside: a seat gives up, gets its last move back, or has offended."""


@dataclass(frozen=True)
class Finished:
    """A game that is over: its result, why, and its record."""

    result: Result
    verdict: Verdict
    record: Record
    offences: tuple[Verdict, ...] = ()
    """What seats did wrong on the way, in games that go on after it."""


@dataclass(frozen=True)
class Ply:
    """A move that was played: from where, how long it took, and what everybody had left before it."""

    before: State
    move: Move
    seconds: float
    limits: tuple[Limit, ...]


class Asked(NamedTuple):
    """Whose move is awaited, and since when on `time.perf_counter`; None while the seat still prepares."""

    seat: int
    since: float | None


class Referee:
    """Runs one game: asks, checks, applies, keeps the clocks, and tells everybody.

    With the events of a game that was broken off, it goes on from there as if it had never stopped. The time
    in between, and what the seat to move had thought already, is nobody's.

    >>> import asyncio
    >>> import polyversi as pv
    >>> from polyversi.gameplay.seat import LocalSeat
    >>> seats = [LocalSeat(pv.player("random", seed=seed)) for seed in (1, 2)]
    >>> finished = asyncio.run(Referee(pv.game("othello-4").start(), seats).run())
    >>> finished.verdict.kind in ("win", "draw"), finished.record.result == finished.result
    (True, True)
    """

    def __init__(
        self,
        start: State,
        seats: Sequence[Seat],
        limit: Limit | Sequence[Limit] = NO_LIMIT,
        observers: Sequence[Observer] = (),
        patience: float = PATIENCE,
        events: Sequence[Event] = (),
    ) -> None:
        if len(seats) != start.game.seats:
            raise PlayerError(f"{start.game.spec} has {start.game.seats} seats, not {len(seats)}")
        if not isinstance(limit, Limit) and len(limit) != len(seats):
            raise PlayerError(f"one limit for all, or one for each of {len(seats)} seats, not {len(limit)}")
        self.start = start
        self.state = start
        self.seats = list(seats)
        self.limits = [limit] * len(seats) if isinstance(limit, Limit) else list(limit)
        self.events: list[Event] = []
        self._observers = list(observers)
        self._patience = patience
        self._plies: list[Ply] = []
        self._expelled: list[tuple[int, int]] = []
        self._offences: list[tuple[int, Verdict]] = []
        self._unsettled: Verdict | None = None
        """A verdict among earlier events whose consequence is not among them."""
        self._finished: Finished | None = None
        self._is_running = False
        self._question: asyncio.Timeout | None = None
        self._since: float | None = None
        self._thought = 0.0
        """Seconds the seat to move has spent on a question that was broken off and is asked again."""
        self._interjections: deque[tuple[int, Interjection]] = deque()
        self._take_up(events)

    async def run(self) -> Finished:
        """Plays the game to its end; every seat is closed whatever happens."""
        self._is_running = True
        try:
            return self._finished or await self._run()
        finally:
            self._is_running = False
            await asyncio.gather(*(seat.close() for seat in self.seats), return_exceptions=True)

    @property
    def asked(self) -> Asked | None:
        """Whose move is awaited and since when, or None between moves."""
        return Asked(self.state.turn, self._since) if self._question else None

    def interject(self, seat: int, what: Interjection) -> bool:
        """Breaks off the open question and does this instead; from the event loop of the game.

        Any seat may give up, get its last move back, or be found to have offended, not only the one that is
        being asked. If that one is to move afterwards as before, its clock has gone on. False when this comes
        too late or to nothing: the game is over, the seat is out of it or has no move to take back.
        """
        if not self._is_running or not self._can(seat, what):
            return False
        if self._question is not None and not self._interjections:
            if self._question.expired():
                return False    # its time ran out first
            self._question.reschedule(asyncio.get_running_loop().time())
        self._interjections.append((seat, what))
        return True

    async def _run(self) -> Finished:
        if not self.events:
            self._tell("start", game=self.start.game.spec, start=self.start.text,
                       players=[seat.name for seat in self.seats], limits=self._limit_texts())
        verdict, self._unsettled = self._unsettled, None
        if verdict is not None:
            verdict = self._carry_out(verdict)
        verdict = verdict or await self._make_ready()
        while verdict is None and not self.state.is_over:
            verdict = await self._turn()
        self._is_running = False
        return self._finish(verdict)

    async def _make_ready(self) -> Verdict | None:
        """Lets every seat get ready before a clock runs; one that cannot has offended already."""
        ending = None
        for number, seat in enumerate(self.seats, 1):
            if ending or self.state.is_over:
                break
            try:
                async with asyncio.timeout(GETTING_READY):
                    await seat.begin(self.start, number)
                continue
            except TimeoutError:
                offence = Verdict("stall", number, "it did not get ready")
            except (CalledOff, PlayerError):
                raise
            except Exception as error:
                offence = failure_of(number, error)
            if number not in self.state.out:    # out already in a game taken up, unless that is taken back
                ending = self._punish(offence)
        return ending

    async def _turn(self) -> Verdict | None:
        """Asks the seat to move and applies what it says; the verdict if that ends the game.

        A pass that the rules force is played without asking: it costs nobody time or trouble.
        """
        await asyncio.sleep(0)    # players of this process never wait for anything: here Ctrl-C comes through
        if self._interjections:
            return self._break_in(self._thought)
        number = self.state.turn
        if must_pass(self.state):
            return self._apply(number, "pass", 0.0)
        seat, limit = self.seats[number - 1], self.limits[number - 1]
        answer, fault, thought = None, None, self._thought
        left = limit.ticked(thought) if thought else limit
        moves, expelled = tuple(ply.move for ply in self._plies), tuple(self._expelled)
        request = Request(self.state, number, left, self.start, moves, expelled)
        wait = limit.allowance if limit.is_timed else None if seat.is_patient else self._patience
        try:
            async with asyncio.timeout(None) as self._question:
                await seat.prepare(request)
                self._since = time.perf_counter() - thought
                if not self._interjections:    # they are about to break it off
                    if wait is not None:
                        now = asyncio.get_running_loop().time()
                        self._question.reschedule(now + wait + TOLERANCE - thought)
                    answer = await seat.answer(request)
        except CalledOff:
            raise
        except Exception as error:
            fault = error
        finally:
            spent = thought if self._since is None else time.perf_counter() - self._since
            question, self._question, self._since, self._thought = self._question, None, None, 0.0
        if self._interjections:
            return self._break_in(spent)
        if fault is not None:
            if isinstance(fault, TimeoutError) and question is not None and question.expired():
                late = f"no answer within {wait:g} s"
                return self._punish(Verdict("timeout" if limit.is_timed else "stall", number, late))
            return self._punish(failure_of(number, fault))
        if isinstance(answer, Undo):
            self._take_back(number)
            return None
        return self._apply(number, answer, spent)

    def _can(self, seat: int, what: Interjection) -> bool:
        """Whether this can be done now."""
        return seat not in self.state.out and (not isinstance(what, Undo) or self._last_choice(seat) >= 0)

    def _break_in(self, thought: float) -> Verdict | None:
        """Does what was interjected, in order; the verdict if that ends the game."""
        place, ending = (self.state.turn, len(self._plies)), None
        while self._interjections and ending is None and not self.state.is_over:
            seat, what = self._interjections.popleft()
            if not self._can(seat, what):
                continue    # what was interjected before it made it pointless
            if isinstance(what, Undo):
                self._take_back(seat)
            elif isinstance(what, Resign):
                ending = self._apply(seat, what, 0.0)
            else:
                ending = self._punish(Verdict(what.kind, seat, what.detail))
        if place == (self.state.turn, len(self._plies)):
            self._thought = thought
        return ending

    def _apply(self, number: int, answer: Any, spent: float) -> Verdict | None:
        if isinstance(answer, Resign):
            # In a game of many that goes on without its offenders, it goes on without whoever gives up too.
            resigned = Verdict("resigned", number)
            return self._punish(resigned) if self.state.game.definition.bad_move == "disqualify" else resigned
        try:
            move = self.state.as_move(answer)
            after = self.state.play(move)
        except (PolyversiError, TypeError) as error:
            return self._punish(Verdict("illegal move", number, str(error)), spent)
        self._plies.append(Ply(self.state, move, spent, tuple(self.limits)))
        self.limits[number - 1] = self.limits[number - 1].after(spent)
        self.state = after
        self._tell("move", seat=number, move=str(move), seconds=round(spent, 6),
                   clocks=self._clocks(), position=after.text)
        return None

    def _take_back(self, number: int) -> None:
        """Goes back to the last position in which this seat had something to choose, clocks and all."""
        kept = self._last_choice(number)
        if kept < 0:
            return
        taken = len(self._plies) - kept
        self._go_back(kept)
        self._tell("undo", seat=number, plies=taken, clocks=self._clocks(), position=self.state.text)

    def _last_choice(self, number: int) -> int:
        """How many moves were played before this seat last had something to choose; -1 if it never had."""
        kept = len(self._plies) - 1
        while kept >= 0 and (self._plies[kept].before.turn != number or must_pass(self._plies[kept].before)):
            kept -= 1
        return kept

    def _go_back(self, kept: int) -> None:
        back = self._plies[kept]
        self.state, self.limits = back.before, list(back.limits)
        del self._plies[kept:]
        self._expelled = [(ply, seat) for ply, seat in self._expelled if ply <= kept]
        self._offences = [(ply, offence) for ply, offence in self._offences if ply <= kept]

    def _limit_texts(self) -> list[str]:
        return [str(limit) for limit in self.limits]

    def _clocks(self) -> list[float | None]:
        return [limit.bank for limit in self.limits]

    def _punish(self, offence: Verdict, spent: float = 0.0) -> Verdict | None:
        goes_on = self.state.game.definition.bad_move == "disqualify"    # without the seat, which is told
        if goes_on:
            self._carry_out(offence)
        self._tell("verdict", verdict=offence.kind, seat=offence.seat or 0, detail=offence.detail,
                   position=self.state.text)
        return None if goes_on else self._carry_out(offence, spent)

    def _carry_out(self, offence: Verdict, spent: float = 0.0) -> Verdict | None:
        """What a bad answer costs is the variant's rule: the turn, the seat, or the game."""
        number = offence.seat or 0
        rule = self.state.game.definition.bad_move
        if rule == "pass" and offence.kind == "illegal move":
            self._offences.append((len(self._plies), offence))
            return self._apply(number, "pass", spent)
        if rule == "disqualify":
            self._offences.append((len(self._plies), offence))
            self._expelled.append((len(self._plies), number))
            self.state = self.state.disqualify(number)
            return None
        return offence

    def _finish(self, verdict: Verdict | None) -> Finished:
        result = self.state.result
        if verdict is not None:
            goal = self.state.game.definition.goal
            ranks = rank(self.state.scores, goal, self.state.out)
            result = ended_by(verdict.seat or 0, self.state.scores, ranks, verdict.kind)
        assert result is not None
        if verdict is None:
            verdict = Verdict("win", result.winner) if result.winner else Verdict("draw")
        self._tell("end", reason=result.reason, scores=list(result.scores), ranks=list(result.ranks),
                   points=list(result.points), verdict={"kind": verdict.kind, "seat": verdict.seat,
                                                        "detail": verdict.detail})
        return self._finished_with(result, verdict)

    def _finished_with(self, result: Result, verdict: Verdict) -> Finished:
        offences = tuple(offence for _, offence in self._offences)
        return Finished(result, verdict, self._record(result, verdict), offences)

    def _record(self, result: Result, verdict: Verdict) -> Record:
        on_the_board = verdict.kind in ("win", "draw")
        return Record(
            self.start,
            tuple(ply.move for ply in self._plies),
            players=tuple(seat.name for seat in self.seats),
            notes=tuple(Note(seconds=round(ply.seconds, 6)) for ply in self._plies),
            outcome=None if on_the_board else Outcome(verdict.kind, ranks=result.ranks),
            disqualified=tuple(self._expelled),
        )

    def _take_up(self, events: Sequence[Event]) -> None:
        """Brings the game to where its earlier events left it."""
        for number, event in enumerate(events):
            if event.number != number or (event.kind == "start") != (number == 0):
                raise PlayerError(f"event {number} is missing; a game goes on from all its events, in order")
            self._follow(event.kind, event.data)
            self.events.append(event)

    def _follow(self, kind: EventKind, data: dict[str, Any]) -> None:
        if kind == "start":
            told = (data["game"], data["start"], data["limits"])
            if told != (self.start.game.spec, self.start.text, self._limit_texts()):
                raise PlayerError(f"the events are those of another game: {told}")
        elif kind == "move":
            if self._unsettled is not None:
                self._offences.append((len(self._plies), self._unsettled))
                self._unsettled = None
            move = self.state.game.move(data["move"])
            self._plies.append(Ply(self.state, move, data["seconds"], tuple(self.limits)))
            self.state = self.state.play(move)
            self._set_clocks(data["clocks"])
        elif kind == "undo":
            self._go_back(len(self._plies) - data["plies"])
        elif kind == "verdict":
            offence = Verdict(data["verdict"], data["seat"], data["detail"])
            if self.state.game.definition.bad_move == "disqualify":
                self._carry_out(offence)
            else:
                self._unsettled = offence
        else:
            ended = Result(data["reason"], *(tuple(data[key]) for key in ("scores", "ranks", "points")))
            self._finished = self._finished_with(ended, Verdict(**data["verdict"]))
        if self.state.text != data.get("position", self.state.text):
            raise PlayerError(f"the events lead to {self.state.text}, but tell of {data['position']}")

    def _set_clocks(self, clocks: Sequence[float | None]) -> None:
        self.limits = [replace(limit, bank=bank) for limit, bank in zip(self.limits, clocks, strict=True)]

    def _tell(self, kind: EventKind, **data: Any) -> None:
        event = Event(len(self.events), kind, data)
        self.events.append(event)
        for observer in (*self._observers, *(seat.hear for seat in self.seats)):
            observer(event)


def play(
    start: State,
    players: Sequence[Player | Seat],
    limit: Limit | Sequence[Limit] = NO_LIMIT,
    observers: Sequence[Observer] = (),
) -> Finished:
    """Plays a whole game through the referee and waits for its end.

    >>> import polyversi as pv
    >>> finished = pv.play(pv.game("rolit").start(), [pv.player("random", seed=n) for n in range(4)])
    >>> len(finished.record.moves), finished.result.reason
    (60, 'board full')
    """
    seats = [player if isinstance(player, Seat) else LocalSeat(player) for player in players]
    return asyncio.run(Referee(start, seats, limit, observers).run())
