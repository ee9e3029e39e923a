"""The log of a game: its events, and the state they add up to."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeVar

from polyversi._core import Move
from polyversi.gameplay.events import (
    EndEvent,
    Event,
    EventError,
    MoveEvent,
    StartEvent,
    Step,
    UndoEvent,
    VerdictEvent,
    compact,
    with_position,
)
from polyversi.gameplay.plies import Plies, Ply
from polyversi.gameplay.verdict import Verdict
from polyversi.games.result import Result
from polyversi.games.state import State
from polyversi.players import Limit
from polyversi.records.record import Note, Outcome, Record

E = TypeVar("E", bound=Event)


class GameLog:
    """A game event by event, for whoever runs, follows, shows or stores it.

    `apply` takes events from elsewhere; `begin`, `play`, `undo`, `judge` and `finish` make the next event
    themselves. An event that cannot have happened is an EventError and changes nothing. A thin log keeps few
    of the states of a large board and plays some moves again when somebody wants another.

    >>> import polyversi as pv
    >>> log = GameLog(pv.game("othello-4").start())
    >>> finished = pv.play(log.start, [pv.player("random", seed=n) for n in (1, 2)], observers=[log.apply])
    >>> log.result == finished.result, log.record == finished.record
    (True, True)
    """

    def __init__(
        self, start: State, events: Iterable[Event] = (), limits: Sequence[Limit] | None = None, *,
        is_thin: bool = False,
    ) -> None:
        self.start = start
        self.state = start
        self.events: list[Event] = []
        self.players: tuple[str, ...] = ()
        self.limits: tuple[Limit, ...] = tuple(limits or ())
        """What each seat may spend on its next move; if not known before, then from the first event on."""
        self.disqualified: list[tuple[int, int]] = []
        """Seats that are out, each as (after how many moves, seat)."""
        self.plies = Plies(start.board.size if is_thin else 0, self.disqualified)
        self.unsettled: Verdict | None = None
        """The last event's verdict, if the next event shows what it costs."""
        self.end: EndEvent | None = None
        self._offences: list[tuple[int, Verdict]] = []
        for event in events:
            self.apply(event)

    def apply(self, event: Event) -> None:
        """Takes in the next event."""
        number = len(self.events)
        # A game can be aborted before it begins.
        fits = not isinstance(event, StartEvent) if number else isinstance(event, StartEvent | EndEvent)
        if event.number != number or not fits:
            raise EventError(f"event {number} is missing; a log takes all events of a game, in order")
        if self.end is not None:
            raise EventError(f"event {number} comes after the end")
        try:
            self._apply(event)
        except EventError:
            raise
        except ValueError as error:
            raise EventError(f"event {number} is not a valid '{event.kind}': {error}") from None
        self.events.append(event if self.plies.keeps_all else compact(event))

    def with_position(self, event: Event) -> Event:
        """The event that was applied last, with the position that it led to even if it came without."""
        return with_position(event, self.state.text)

    def _apply(self, event: Event) -> None:
        match event:
            case MoveEvent():
                step = self._step(event)
                limits = self._with_banks(self.limits, event.clocks)
                if self.unsettled is not None:
                    self._offences.append((len(self.plies), self.unsettled))
                    self.unsettled = None
                self.plies.append(Ply(self.state, step.move, event.seconds, self.limits))
                self.state, self.limits = step.after, limits
            case StartEvent():
                self._start(event)
            case UndoEvent():
                left = len(self.plies) - event.plies
                if not 0 <= left < len(self.plies):
                    raise EventError(f"{event.plies} plies cannot be taken back after {len(self.plies)}")
                back = self.plies[left]
                self._check_position(back.before, event.position)
                self.state, self.limits = back.before, self._with_banks(back.limits, event.clocks)
                self.plies.cut(left)
                self.disqualified[:] = [(ply, seat) for ply, seat in self.disqualified if ply <= left]
                self._offences = [(ply, verdict) for ply, verdict in self._offences if ply <= left]
            case VerdictEvent():
                self._judge(event)
            case EndEvent():
                for values in (event.scores, event.ranks, event.points):
                    self._for_each_seat(values)
                self.end = event

    def _start(self, event: StartEvent) -> None:
        expected = tuple(map(str, self.limits)) or event.limits
        if (event.start, event.limits) != (self.start.text, expected):
            raise EventError(f"the events are those of another game: {event.start} {event.limits}")
        for values in (event.players, event.limits):
            self._for_each_seat(values)
        self.limits = self.limits or tuple(map(Limit.parse, event.limits))
        self.players = event.players

    def _step(self, event: MoveEvent) -> Step:
        step = event.step
        if step is None or (step.before is not self.state and step.before != self.state):
            if event.seat != self.state.turn:
                raise EventError(f"seat {event.seat} moves, but it is the turn of seat {self.state.turn}")
            move = self.state.game.move(event.move)
            step = Step(self.state, move, self.state.play(move))
            self._check_position(step.after, event.position)
            event.resolve(step)
        return step

    def _judge(self, event: VerdictEvent) -> None:
        if not 1 <= event.seat <= self.start.game.seats:
            raise EventError(f"there is no seat {event.seat}")
        verdict = Verdict(event.verdict, event.seat, event.detail)
        if self.start.game.definition.bad_move != "disqualify":
            self._check_position(self.state, event.position)
            self.unsettled = verdict
            return
        after = self.state.disqualify(event.seat)
        self._check_position(after, event.position)
        self._offences.append((len(self.plies), verdict))
        self.disqualified.append((len(self.plies), event.seat))
        self.state = after

    def _for_each_seat(self, values: Sequence[object]) -> None:
        if len(values) != self.start.game.seats:
            raise EventError(f"{len(values)} values for {self.start.game.seats} seats")

    def _check_position(self, state: State, position: str) -> None:
        if position and state.text != position:    # stored events leave out what the rules tell
            raise EventError(f"the events lead to {state.text}, but tell of {position}")

    def _with_banks(self, limits: Sequence[Limit], banks: Sequence[float | None]) -> tuple[Limit, ...]:
        return tuple([limit if limit.bank == bank else limit.with_bank(bank)
                      for limit, bank in zip(limits, banks, strict=True)])

    # The next event.

    def _applied(self, event: E) -> E:
        self.apply(event)
        return event

    def begin(self, players: Sequence[str], limits: Sequence[Limit]) -> StartEvent:
        """The game begins."""
        self.limits = tuple(limits)
        texts = tuple(map(str, limits))
        return self._applied(StartEvent(0, self.start.game.spec, self.start.text, tuple(players), texts))

    def play(self, move: Move, seconds: float, clocks: Sequence[float | None] | None = None) -> MoveEvent:
        """The seat to move plays; its clock runs down by as much unless the clocks say otherwise."""
        before = self.state
        seat, after = before.turn, before.play(move)
        if clocks is None:
            clocks = [limit.bank_after(seconds) if number == seat else limit.bank
                      for number, limit in enumerate(self.limits, 1)]
        event = MoveEvent(len(self.events), seat, str(move), round(seconds, 6), tuple(clocks), after.text)
        event.resolve(Step(before, move, after))
        return self._applied(event)

    def undo(self, seat: int, plies: int) -> UndoEvent:
        """A seat takes back so many moves."""
        back = self.plies[-plies]
        clocks = tuple(limit.bank for limit in back.limits)
        return self._applied(UndoEvent(len(self.events), seat, plies, clocks, back.before.text))

    def judge(self, verdict: Verdict) -> VerdictEvent:
        """A seat did something wrong."""
        seat, state = verdict.seat or 0, self.state
        if state.game.definition.bad_move == "disqualify":
            state = state.disqualify(seat)
        return self._applied(VerdictEvent(len(self.events), verdict.kind, seat, verdict.detail, state.text))

    def finish(self, result: Result, verdict: Verdict | None = None) -> EndEvent:
        """The game is over: by a verdict, or on the board."""
        verdict = verdict or Verdict(result.verdict, result.winner)
        return self._applied(EndEvent(len(self.events), result.reason, result.scores, result.ranks,
                                      result.points, verdict))

    def abort(self, why: str) -> EndEvent:
        """Nobody can play on: the game ends without a result."""
        seats = self.start.game.seats
        result = Result("aborted", self.state.scores, (1,) * seats, (0.0,) * seats)
        return self.finish(result, Verdict("aborted", None, why))

    # What the events add up to.

    def copy(self) -> GameLog:
        """Another log that has come as far as this one, to go on by itself."""
        copy = GameLog(self.start)
        copy.__dict__.update(self.__dict__)
        copy.events, copy.disqualified = list(self.events), list(self.disqualified)
        copy.plies, copy._offences = self.plies.copy(copy.disqualified), list(self._offences)
        return copy

    @property
    def last(self) -> Ply | None:
        """The last move, or None at the start."""
        return self.plies[-1] if self.plies else None

    @property
    def moves(self) -> tuple[Move, ...]:
        """The moves so far."""
        return self.plies.moves

    @property
    def clocks(self) -> tuple[float | None, ...]:
        """Seconds left in the bank of each seat, None for one without a bank; empty before the start."""
        return tuple([limit.bank for limit in self.limits])

    @property
    def offences(self) -> tuple[Verdict, ...]:
        """What seats did wrong on the way, in games that go on after it."""
        return tuple(verdict for _, verdict in self._offences)

    @property
    def result(self) -> Result | None:
        """How the game ended, or None."""
        end = self.end
        return None if end is None else Result(end.reason, end.scores, end.ranks, end.points)

    @property
    def record(self) -> Record:
        """The game so far; nothing is played again for it."""
        end = self.end
        return Record.played(
            [*self.plies.states(), self.state] if self.plies.keeps_all else [],
            self.state,
            start=self.start,
            moves=self.moves,
            players=self.players,
            notes=tuple(Note(seconds=seconds) for seconds in self.plies.seconds),
            outcome=self._outcome(end) if end is not None else None,
            disqualified=tuple(self.disqualified),
        )

    def _outcome(self, end: EndEvent) -> Outcome | None:
        """What the record says of the end, where the last position does not show it."""
        match end.verdict.kind:
            case "win" | "draw":
                return None
            case "adjudicated":
                sign = 1 if self.start.game.definition.goal == "most" else -1
                margin = sign * (end.scores[0] - end.scores[1]) if len(end.scores) == 2 else None
                return Outcome("adjudicated", margin, end.ranks, end.scores)
            case kind:
                return Outcome(kind, ranks=end.ranks)
