"""The referee: one loop that runs every game, whoever plays and whatever is played."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from polyversi.gameplay.events import Event, EventError, Observer, StartEvent
from polyversi.gameplay.interrupt import run
from polyversi.gameplay.log import GameLog
from polyversi.gameplay.seat import LocalSeat, Request, Resign, Seat, Undo
from polyversi.gameplay.verdict import GameAborted, Verdict, adjudicated, ended_by, failure_of, failures_among
from polyversi.games.board import shorten
from polyversi.games.errors import PlayerError, PolyversiError
from polyversi.games.game import Game
from polyversi.games.limit import as_limit
from polyversi.games.result import Result, rank
from polyversi.games.seeds import derive_seed
from polyversi.games.state import State
from polyversi.games.tiles import EMPTY
from polyversi.games.variants import start_state
from polyversi.players import (
    NO_LIMIT,
    PLAYERS,
    Chooser,
    Limit,
    Player,
    as_player,
    named_options,
    options_of,
    player,
)
from polyversi.records.record import Record

STALL_TIMEOUT = 600.0
"""Seconds after which a seat without a limit on its time has stalled."""
MOVE_OVERHEAD = 0.04
"""Seconds an answer may be late: what the way to the referee and back takes."""
READY_TIMEOUT = 60.0
"""Seconds a seat may take before the game begins."""
MAX_ADJUDICATED = 20
"""Empty cells up to which a game can be adjudicated: 20 are solved within about a second, 22 within eight."""

Interruption = Resign | Undo | Verdict
"""What may break off a question from outside: a seat gives up, gets its last move back, or has offended."""


@dataclass(frozen=True)
class Finished:
    """A game that is over: its result, why, and its record.

    >>> import polyversi as pv
    >>> print(pv.play("othello-4", ["greedy:seed=1", "random:seed=2"]))
    seat 1 wins, 9–7 (board full)
    othello-4: greedy:seed=1 – random:seed=2, 9–7
    b1a1c4c1a2a3b4a4d2d1d4d3
    """

    result: Result
    verdict: Verdict
    record: Record
    offences: tuple[Verdict, ...] = ()
    """What seats did wrong on the way, in games that go on after it."""

    def __str__(self) -> str:
        """The result, what went wrong, and the record."""
        failures = failures_among(*self.offences, self.verdict)
        return "\n".join(map(str, (self.result, *failures, self.record)))


class Asked(NamedTuple):
    """Whose move is awaited, and since when on `time.perf_counter`; None while the seat still prepares."""

    seat: int
    since: float | None


class Referee:
    """Runs one game: asks, checks, applies, keeps the clocks, and tells everybody.

    With the events of an interrupted game, or its log, it continues from there as if the game had never
    stopped. The time in between, and what the seat to move had already thought, is charged to nobody.

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
        stall_timeout: float | None = STALL_TIMEOUT,
        events: Sequence[Event] | GameLog = (),
        adjudicate: int = 0,
        together: float = 0.0,
    ) -> None:
        """One limit for all seats, or one each.

        A seat without a time limit that does not answer within the stall timeout loses; None waits forever.
        With `adjudicate` the game is stopped as soon as at most so many cells are empty, and ends with the
        exact result of perfect play. The solver must support the game. Two connections that break within so
        many seconds as `together` says are lost at once: the game does not end before.
        """
        if len(seats) != start.game.seats:
            raise PlayerError(f"{start.game.spec} needs {start.game.seats} players, not {len(seats)}")
        if not isinstance(limit, Limit) and len(limit) != len(seats):
            raise PlayerError(f"give one limit, or one for each of the {len(seats)} seats, not {len(limit)}")
        self.seats = list(seats)
        self._limits = [limit] * len(seats) if isinstance(limit, Limit) else list(limit)
        self.log = events.copy() if isinstance(events, GameLog) else GameLog(start, events, self._limits)
        match self.log.events:
            case [StartEvent(game=spec), *_] if spec != start.game.spec:
                raise EventError(f"the events are those of another game: {spec}")
        self.observers = list(observers)
        self._stall_timeout = stall_timeout
        self._adjudicate = adjudicate
        self._together = together
        self._is_running = False
        self._question: asyncio.Timeout | None = None
        self._since: float | None = None
        self._thought = 0.0
        """Seconds the seat to move has spent on a question that was broken off and is asked again."""
        self._interruptions: deque[tuple[int, Interruption]] = deque()

    @property
    def state(self) -> State:
        """The state after the last event."""
        return self.log.state

    async def run(self) -> Finished:
        """Plays the game to its end; every seat is closed whatever happens."""
        self._is_running = True
        try:
            return self._finished() if self.log.end else await self._run()
        finally:
            self._is_running = False
            await asyncio.gather(*(seat.close() for seat in self.seats), return_exceptions=True)

    @property
    def asked(self) -> Asked | None:
        """Whose move is awaited and since when, or None between moves."""
        return Asked(self.state.turn, self._since) if self._question else None

    def interrupt(self, seat: int, what: Interruption) -> bool:
        """Breaks off the open question and does this instead; from the event loop of the game.

        Any seat may give up, get its last move back, or be found to have offended, not only the one that is
        being asked. If that one is to move afterwards as before, its clock has gone on. False when this comes
        too late or to nothing: the game is over, the seat is out of it or has no move to take back.
        """
        if not self._is_running or not self._can(seat, what):
            return False
        if self._question is not None and not self._interruptions:
            if self._question.expired():
                return False    # its time ran out first
            self._question.reschedule(asyncio.get_running_loop().time())
        self._interruptions.append((seat, what))
        return True

    async def _run(self) -> Finished:
        if not self.log.events:
            self._tell(self.log.begin([seat.name for seat in self.seats], self._limits))
        verdict = self._settle() or await self._make_ready()
        while verdict is None and not self.state.is_over:
            if self._adjudicate and self._can_be_adjudicated:
                await self._adjudicated()
                return self._finished()
            verdict = await self._turn()
        await self._lose_the_last()
        self._is_running = False
        self._finish(verdict)
        return self._finished()

    async def _lose_the_last(self) -> None:
        """Judges the last seat too when it is lost at once with the one before it."""
        if self.state.ending != "one seat left":
            return
        if not self._interruptions and self.log.offences[-1:] and self.log.offences[-1].kind == "disconnect":
            await asyncio.sleep(self._together)
        for seat, what in self._interruptions:
            if isinstance(what, Verdict) and self._can(seat, what):
                self._tell(self.log.judge(Verdict(what.kind, seat, what.detail)))

    @property
    def _can_be_adjudicated(self) -> bool:
        if not 0 < self.state.tiles.count(EMPTY) <= self._adjudicate:
            return False
        from polyversi.engines.search import in_opening  # most games do without the engine

        return not in_opening(self.state)

    async def _adjudicated(self) -> None:
        """Ends the game with the result of perfect play from here."""
        self._is_running = False
        result = await asyncio.to_thread(perfect_result, self.state)
        verdict = adjudicated(result.scores, self.state.tiles.count(EMPTY))
        self._tell(self.log.finish(result, verdict))

    async def _make_ready(self) -> Verdict | None:
        """Lets every seat get ready before a clock runs; one that cannot has offended already."""
        ending = None
        for number, seat in enumerate(self.seats, 1):
            if ending or self.state.is_over:
                break
            try:
                async with asyncio.timeout(READY_TIMEOUT):
                    await seat.begin(self.log.start, number)
                continue
            except TimeoutError:
                offence = Verdict("stall", number, "it did not get ready")
            except (GameAborted, PlayerError):
                raise
            except Exception as error:
                offence = failure_of(number, error)
            if number not in self.state.out:    # out already in a resumed game, unless that is taken back
                ending = self._punish(offence)
        return ending

    async def _turn(self) -> Verdict | None:
        """Asks the seat to move and applies what it says; the verdict if that ends the game.

        A pass that the rules force is played without asking: it costs nobody time or trouble.
        """
        await asyncio.sleep(0)    # players of this process never wait for anything: here Ctrl-C comes through
        if self._interruptions:
            return self._break_in(self._thought)
        log, state = self.log, self.log.state
        number = state.turn
        if state.must_pass:
            return self._apply(number, "pass", 0.0)
        seat, limit = self.seats[number - 1], log.limits[number - 1]
        answer, fault, thought = None, None, self._thought
        left = limit.ticked(thought) if thought else limit
        request = Request(state, number, left, log.start, log.moves, tuple(log.disqualified))
        wait = limit.allowance if limit.is_timed else None if seat.is_person else self._stall_timeout
        try:
            async with asyncio.timeout(None) as self._question:
                await seat.prepare(request)
                self._since = time.perf_counter() - thought
                if not self._interruptions:    # they are about to break it off
                    if wait is not None:
                        now = asyncio.get_running_loop().time()
                        self._question.reschedule(now + wait + MOVE_OVERHEAD - thought)
                    answer = await seat.answer(request)
        except GameAborted:
            raise
        except Exception as error:
            fault = error
        finally:
            spent = thought if self._since is None else time.perf_counter() - self._since
            question, self._question, self._since, self._thought = self._question, None, None, 0.0
        if self._interruptions:
            return self._break_in(spent)
        if fault is not None:
            if isinstance(fault, TimeoutError) and question is not None and question.expired():
                late = f"no answer within {wait:g} s"
                return self._punish(Verdict("timeout" if limit.is_timed else "stall", number, late))
            return self._punish(failure_of(number, fault))
        if isinstance(answer, Undo):
            self._undo(number)
            return None
        return self._apply(number, answer, spent)

    def _can(self, seat: int, what: Interruption) -> bool:
        """Whether this can be done now."""
        return seat not in self.state.out and (not isinstance(what, Undo) or self._last_choice(seat) >= 0)

    def _break_in(self, thought: float) -> Verdict | None:
        """Does what the questions were broken off for, in order; the verdict if that ends the game."""
        place, ending = (self.state.turn, len(self.log.plies)), None
        while self._interruptions and ending is None and not self.state.is_over:
            seat, what = self._interruptions.popleft()
            if not self._can(seat, what):
                continue    # what came before it made it pointless
            if isinstance(what, Undo):
                self._undo(seat)
            elif isinstance(what, Resign):
                ending = self._apply(seat, what, 0.0)
            else:
                ending = self._punish(Verdict(what.kind, seat, what.detail))
        if place == (self.state.turn, len(self.log.plies)):
            self._thought = thought
        return ending

    def _apply(self, number: int, answer: Any, spent: float) -> Verdict | None:
        if isinstance(answer, Resign):
            # In a game of many that goes on without its offenders, it goes on without whoever gives up too.
            resigned = Verdict("resigned", number)
            return self._punish(resigned) if self.state.game.definition.bad_move == "disqualify" else resigned
        try:
            event = self.log.play(self.state.as_move(answer), spent)
        except (PolyversiError, TypeError) as error:
            return self._punish(Verdict("illegal move", number, str(error)), spent)
        self._tell(event)
        return None

    def _undo(self, number: int) -> None:
        """Goes back to the last position in which this seat had something to choose, clocks and all."""
        plies = self._last_choice(number)
        if plies >= 0:
            self._tell(self.log.undo(number, len(self.log.plies) - plies))

    def _last_choice(self, number: int) -> int:
        """How many moves were played before this seat last had something to choose; -1 if it never had."""
        plies = self.log.plies
        own = [(count, move) for count, (seat, move) in enumerate(zip(plies.seats, plies.moves, strict=True))
               if seat == number]
        return next((count for count, move in reversed(own)
                     if not (move.is_pass and plies[count].before.must_pass)), -1)

    def _punish(self, offence: Verdict, spent: float = 0.0) -> Verdict | None:
        self._tell(self.log.judge(offence))
        return self._settle(spent)

    def _settle(self, spent: float = 0.0) -> Verdict | None:
        """What a bad answer costs is the variant's rule: the turn, the seat (out by now), or the game."""
        offence = self.log.unsettled
        if offence is None:
            return None
        if self.state.game.definition.bad_move == "pass" and offence.kind == "illegal move":
            return self._apply(offence.seat or 0, "pass", spent)
        return offence

    def _finish(self, verdict: Verdict | None) -> None:
        result = self.state.result
        if verdict is not None:
            goal = self.state.game.definition.goal
            ranks = rank(self.state.scores, goal, self.state.out)
            result = ended_by(verdict.seat or 0, self.state.scores, ranks, verdict.kind)
        assert result is not None
        self._tell(self.log.finish(result, verdict))

    def _finished(self) -> Finished:
        result, end = self.log.result, self.log.end
        assert result is not None and end is not None
        return Finished(result, end.verdict, self.log.record, self.log.offences)

    def _tell(self, event: Event) -> None:
        for observer in self.observers:
            observer(event)
        for seat in self.seats:
            seat.hear(event)


def perfect_result(state: State) -> Result:
    """The result when both seats play perfectly from a position on, proved by the solver.

    >>> import polyversi as pv
    >>> print(perfect_result(pv.game("othello-4").start()))
    seat 2 wins, 3–11 (adjudicated)
    """
    from polyversi.engines.solver import Solver

    # A new solver each time: what one remembers could lead to another line with the same value.
    solution = Solver(state.game, megabytes=16).solve(state)
    for move in solution.principal_variation:
        state = state.play(move)
    assert state.result is not None, "the principal variation goes to the end of the game"
    return replace(state.result, reason="adjudicated")


def play(
    start: State | Game | str,
    players: Sequence[Player | Chooser | Seat | str],
    limit: Limit | str | Sequence[Limit | str] = NO_LIMIT,
    observers: Sequence[Observer] = (),
    *,
    seed: int | None = None,
) -> Finished:
    """Plays a whole game through the referee and waits for its end.

    It begins from a state, or from the start of a game or of the game that a specification names. A player is
    a specification, a Player, or any object with a method `choose(state, limit)`, one for each seat. A limit
    is a Limit or its text; with several, one for each seat. The seed determines a random set-up, and the
    choices of players that are given by a specification without a seed.

    >>> import polyversi as pv
    >>> finished = pv.play("othello", ["greedy:seed=1", "random:seed=2"], limit="depth=4")
    >>> finished.verdict.kind, finished.record.players
    ('win', ('greedy:seed=1', 'random:seed=2'))
    >>> first, second = (pv.play("hex", ["random", "random"], seed=3) for _ in range(2))
    >>> first.record.moves == second.record.moves
    True
    """
    start = start_state(start, seed)
    if isinstance(players, str) or not isinstance(players, Sequence):
        raise PlayerError(f"players come as a list with one for each seat, such as ['greedy', 'random']; "
                          f"{shorten(repr(players))} is not one")
    seats = [_seat(player, None if seed is None else derive_seed(seed, place))
             for place, player in enumerate(players)]
    if isinstance(limit, str) or not isinstance(limit, Sequence):
        return run(Referee(start, seats, as_limit(limit), observers).run())
    return run(Referee(start, seats, list(map(as_limit, limit)), observers).run())


def _seat(given: Player | Chooser | Seat | str, seed: int | None) -> Seat:
    if isinstance(given, Seat):
        return given
    if not isinstance(given, str):
        return LocalSeat(as_player(given))
    name = given.strip()
    try:
        chosen = player(name)
    except PlayerError as error:
        if ":" not in name or name.partition(":")[0] in PLAYERS:
            raise
        raise PlayerError(f"{error}; pv.play takes no bots by name: for a bot play a "
                          "polyversi.contest.match.Match, or give pv.play its seat, which "
                          "polyversi.protocols.spec.seat_of makes") from None
    options = {option.name for option in options_of(type(chosen))}
    if seed is None or "seed" not in options - named_options(name):
        return LocalSeat(chosen)
    return LocalSeat(player(name, seed=seed), name)
