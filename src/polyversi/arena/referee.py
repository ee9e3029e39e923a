"""The referee: one loop that runs every game, whoever plays and whatever is played."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from polyversi.arena.events import Event, EventKind, Observer
from polyversi.arena.seat import LocalSeat, Request, Resign, Seat, Undo
from polyversi.arena.verdict import CalledOff, Verdict, ended_by, failure_of
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


class Referee:
    """Runs one game: asks, checks, applies, keeps the clocks, and tells everybody.

    >>> import asyncio
    >>> import polyversi as pv
    >>> from polyversi.arena.seat import LocalSeat
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

    async def run(self) -> Finished:
        """Plays the game to its end; every seat is closed whatever happens."""
        try:
            return await self._run()
        finally:
            await asyncio.gather(*(seat.close() for seat in self.seats), return_exceptions=True)

    async def _run(self) -> Finished:
        self._tell("start", game=self.start.game.spec, start=self.start.text,
                   players=[seat.name for seat in self.seats], limits=[str(limit) for limit in self.limits])
        verdict = await self._make_ready()
        while verdict is None and not self.state.is_over:
            verdict = await self._turn()
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
            except TimeoutError:
                ending = self._punish(Verdict("stall", number, "it did not get ready"))
            except (CalledOff, PlayerError):
                raise
            except Exception as error:
                ending = self._punish(failure_of(number, error))
        return ending

    async def _turn(self) -> Verdict | None:
        """Asks the seat to move and applies what it says; the verdict if that ends the game.

        A pass that the rules force is played without asking: it costs nobody time or trouble.
        """
        await asyncio.sleep(0)    # players of this process never wait for anything: here Ctrl-C comes through
        number = self.state.turn
        if must_pass(self.state):
            return self._apply(number, "pass", 0.0)
        seat, limit = self.seats[number - 1], self.limits[number - 1]
        request = Request(self.state, number, limit, self.start, tuple(ply.move for ply in self._plies))
        wait = limit.allowance if limit.is_timed else None if seat.is_patient else self._patience
        begin = time.perf_counter()
        try:
            async with asyncio.timeout(None if wait is None else wait + TOLERANCE):
                answer = await seat.answer(request)
        except TimeoutError:
            late = f"no answer within {wait:g} s"
            return self._punish(Verdict("timeout" if limit.is_timed else "stall", number, late))
        except CalledOff:
            raise
        except Exception as error:
            return self._punish(failure_of(number, error))
        spent = time.perf_counter() - begin
        if isinstance(answer, Undo):
            self._take_back(number)
            return None
        return self._apply(number, answer, spent)

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
        kept = len(self._plies) - 1
        while kept >= 0 and (self._plies[kept].before.turn != number or must_pass(self._plies[kept].before)):
            kept -= 1
        if kept < 0:
            return
        back, taken = self._plies[kept], len(self._plies) - kept
        self.state, self.limits = back.before, list(back.limits)
        del self._plies[kept:]
        self._expelled = [(ply, seat) for ply, seat in self._expelled if ply <= kept]
        self._offences = [(ply, offence) for ply, offence in self._offences if ply <= kept]
        self._tell("undo", seat=number, plies=taken, clocks=self._clocks(), position=self.state.text)

    def _clocks(self) -> list[float | None]:
        return [limit.bank for limit in self.limits]

    def _punish(self, offence: Verdict, spent: float = 0.0) -> Verdict | None:
        """What a bad answer costs is the variant's rule: the turn, the seat, or the game."""
        number = offence.seat or 0
        self._tell("verdict", verdict=offence.kind, seat=number, detail=offence.detail)
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

    def _tell(self, kind: EventKind, **data: Any) -> None:
        event = Event(len(self.events), kind, data)
        self.events.append(event)
        for observer in self._observers:
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
