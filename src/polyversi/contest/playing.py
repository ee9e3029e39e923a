"""Playing a game of a contest in any process: what a worker receives, does and returns."""

from __future__ import annotations

import pickle
import re
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import cast, get_args

from polyversi.contest.live_feed import LiveAddress, shown_live
from polyversi.contest.model import Fixture
from polyversi.contest.openings import Openings
from polyversi.contest.plan import Entrant, Plan
from polyversi.contest.standings import result_of
from polyversi.gameplay.bots.sandbox import Sandbox
from polyversi.gameplay.bots.seat import BotSeat
from polyversi.gameplay.events import Observer
from polyversi.gameplay.interrupt import run_interruptibly
from polyversi.gameplay.referee import Finished, Referee
from polyversi.gameplay.seat import Seat
from polyversi.gameplay.verdict import Kind, Verdict, adjudicated, failures_among
from polyversi.games.errors import PlayerError
from polyversi.games.game import Game
from polyversi.games.limit import Limit
from polyversi.games.seeds import derive_seed
from polyversi.games.state import State
from polyversi.games.tiles import EMPTY
from polyversi.players import PLAYERS, register_player
from polyversi.protocols.bot_files import files_to_hide
from polyversi.protocols.spec import sandbox_of, seat_of
from polyversi.records import Record
from polyversi.storage.stored import PlayedGame

FAILURES = re.compile(rf"(?:^|; )seat ([0-9]+): ({'|'.join(get_args(Kind))})(?= \(|; |$)")
"""A verdict in the tag `failures` of a record."""


class _Playing:
    """The game that this process is playing."""

    game: tuple[Fixture, Referee] | None = None


def thinking() -> tuple[int, float] | None:
    """Who is thinking in the game of this process, by the entrant's index, and for how many seconds.

    >>> thinking() is None
    True
    """
    game = _Playing.game
    asked = game[1].asked if game else None
    if game is None or asked is None or asked.since is None:
        return None
    return game[0].seating[asked.seat - 1], time.perf_counter() - asked.since


@dataclass(frozen=True)
class Task:
    """Everything that a worker needs to play a game."""

    fixture: Fixture
    game: Game
    """What is played: a worker does not know the variants that the program has registered."""
    openings: Openings | None
    """The openings, if they are random: finding a balanced one takes the worker a while."""
    position: str
    """The start position, if it comes from a file."""
    opening_seed: int
    seed: int
    """For its players."""
    entrants: tuple[Entrant, ...]
    """In the order of their seats."""
    limit: Limit
    stall_timeout: float | None
    adjudicate: int
    suspends: bool
    classes: tuple[tuple[str, type], ...]
    """The players that the program has registered, for a worker to register them too."""
    tags: tuple[tuple[str, str], ...] = ()
    """What the record says besides."""
    live: LiveAddress | None = None
    """Where a page shows the game while it is played, if one does."""
    is_public: bool = False
    """Whether strangers read the verdicts, so that they leave out what bots wrote to their standard error."""

    @property
    def start(self) -> State:
        """The start position."""
        if self.openings is None:
            return self.game.position(self.position)
        return self.openings.drawn(self.game, self.opening_seed)


def task_of(plan: Plan, fixture: Fixture) -> Task:
    """The task of a game; games of a meeting with the same variant and opening start alike."""
    variant, opening, meeting = fixture.variant, fixture.opening, fixture.meeting
    drawn = derive_seed(plan.seed, "opening", meeting.id)
    position = plan.openings.position(variant, opening, drawn)
    parts = (plan.seed, meeting.entrants, opening) if plan.is_match else (drawn, variant, opening)
    entrants = tuple(plan.entrants[entrant] for entrant in fixture.seating)
    return Task(
        fixture, plan.games_played[variant], None if position else plan.openings, position,
        derive_seed(*parts), derive_seed(plan.seed, "game", fixture.id),
        entrants, plan.limit, plan.stall_timeout,
        plan.adjudicate, plan.suspend, registered_classes(entrants),
        match_tags(plan, fixture) if plan.is_match else (),
    )


def start_of(plan: Plan, fixture: Fixture) -> State:
    """The start position of a game."""
    return task_of(plan, fixture).start


def match_tags(plan: Plan, fixture: Fixture) -> tuple[tuple[str, str], ...]:
    """The tags that identify a game of a match in a file of records."""
    named = [entrant for entrant in plan.entrants if not entrant.name.startswith(entrant.spec)]
    return (
        *([("adjudicate", str(plan.adjudicate))] if plan.adjudicate else []),
        *([("named", ", ".join(f"{one.name}={one.spec}" for one in named))] if named else []),
        ("limit", str(plan.limit)),
        ("round", fixture.id),
        ("seating", "/".join(str(entrant + 1) for entrant in fixture.seating)),
        ("seed", str(derive_seed(plan.seed, "game", fixture.id))),
    )


def registered_classes(entrants: Sequence[Entrant]) -> tuple[tuple[str, type], ...]:
    """The classes that the program has registered as players, by their names, as their modules have them."""
    names = {entrant.spec.partition(":")[0] for entrant in entrants if not entrant.player}
    classes = {name: PLAYERS.known[name] for name in sorted(names & PLAYERS.known.keys())}
    return tuple((name, getattr(sys.modules[cls.__module__], cls.__qualname__, cls))
                 for name, cls in classes.items() if not cls.__module__.startswith("polyversi."))


def check_for_processes(plan: Plan) -> None:
    """Raises a PlayerError for a player of the program that other processes could not get hold of."""
    is_session = not hasattr(sys.modules["__main__"], "__file__")
    for entrant in plan.entrants:
        try:
            data = pickle.dumps((entrant.player, registered_classes([entrant])))
        except Exception as error:
            raise PlayerError(f"{entrant.name} cannot be sent to other processes: {error}; define its class "
                              "at the top level of a module, or play one game at a time (jobs=1)") from None
        if is_session and b"__main__" in data:
            raise PlayerError(f"{entrant.name} cannot play in other processes, which see nothing of an "
                              "interactive session; put its class in a module, or play one game at a time "
                              "(jobs=1)")


def protection_of(plan: Plan) -> Sandbox | None:
    """The sandbox for the bots, or None if they are trusted; raises an error if there is none."""
    if plan.trust:
        return None
    sandbox = sandbox_of(entrant.spec for entrant in plan.entrants if not entrant.player)
    # What cannot be played is somebody's work, too, and nobody else's business.
    hidden = files_to_hide(Path(bot.path) for bot in plan.broken)
    memory = plan.memory * 2**20 or sandbox.memory
    return replace(sandbox, memory=memory, entrants=(*sandbox.entrants, *hidden))


def referee_of(task: Task, protection: Sandbox | None, observers: Sequence[Observer] = ()) -> Referee:
    """The referee of a game, with all seats taken."""
    seats = [
        _seat(entrant, derive_seed(task.seed, place), task.suspends, protection)
        for place, entrant in enumerate(task.entrants)
    ]
    return Referee(
        task.start, seats, task.limit, observers, task.stall_timeout, adjudicate=task.adjudicate)


def play_game(task: Task, protection: Sandbox | None = None) -> PlayedGame:
    """Plays one game through the referee."""
    for name, cls in task.classes:
        if name not in PLAYERS:
            register_player(name, cls)
    referee = referee_of(task, protection)
    _Playing.game = task.fixture, referee
    with shown_live(task.live, referee.state) as observers:
        referee.observers += observers
        try:
            finished = run_interruptibly(referee.run())
        finally:
            _Playing.game = None
    if task.is_public:
        finished = replace(finished, verdict=finished.verdict.public,
                           offences=tuple(offence.public for offence in finished.offences))
    outputs = tuple(seat.last_output if isinstance(seat, BotSeat) else "" for seat in referee.seats)
    return played_game(task.fixture, finished, task.tags, outputs)


def play_games(tasks: Sequence[Task], protection: Sandbox | None) -> list[PlayedGame]:
    """Plays several games one after the other: short games are sent to workers together."""
    return [play_game(task, protection) for task in tasks]


def played_game(
    fixture: Fixture,
    finished: Finished,
    tags: tuple[tuple[str, str], ...] = (),
    outputs: tuple[str, ...] = (),
) -> PlayedGame:
    """A finished game, as it is stored."""
    record, result = finished.record, finished.result
    if tags:
        failures = "; ".join(map(str, failures_among(*finished.offences, finished.verdict)))
        tags = (*tags, ("failures", failures)) if failures else tags
        record = replace(record, tags=(*record.tags, *tags))
    return PlayedGame(
        fixture.id, fixture.meeting.id, fixture.meeting.round, fixture.variant, fixture.opening,
        fixture.seating, record, result.scores, result.ranks, result.points, result.reason,
        finished.verdict, finished.offences, outputs, time.time(),
    )


def recorded_game(fixture: Fixture, record: Record) -> PlayedGame:
    """A game of a match, from its record alone.

    >>> import polyversi as pv
    >>> from polyversi.contest.model import Meeting
    >>> from polyversi.records import Outcome
    >>> lost = Outcome("crash", ranks=(2, 1))
    >>> said = ("failures", "seat 1: crash (its process ended with status 3)")
    >>> record = pv.records.Record(pv.game("othello").start(), tags=(said,), outcome=lost)
    >>> recorded_game(Fixture("1", Meeting("1.1", 1, (0, 1)), seating=(0, 1)), record).failures
    (Verdict(kind='crash', seat=1, detail='its process ended with status 3'),)
    """
    result = result_of(record)
    _, *parts = FAILURES.split(record.tag("failures"))
    offences = tuple(
        Verdict(cast("Kind", kind), int(seat), detail.removeprefix(" (").removesuffix(")"))
        for seat, kind, detail in zip(parts[::3], parts[1::3], parts[2::3], strict=True)
    )
    if result.reason == "resigned":
        verdict = Verdict("resigned", result.ranks.index(max(result.ranks)) + 1)
    elif result.reason == "adjudicated":
        verdict = adjudicated(result.scores, record.final.tiles.count(EMPTY))
    else:
        verdict = Verdict("win", result.winner) if result.winner else Verdict("draw")
    return PlayedGame(
        fixture.id, fixture.meeting.id, fixture.meeting.round, fixture.variant, fixture.opening,
        fixture.seating, record, result.scores, result.ranks, result.points, result.reason, verdict, offences,
    )


def _seat(entrant: Entrant, seed: int, suspends: bool, protection: Sandbox | None) -> Seat:
    try:
        return seat_of(entrant.who, name=entrant.name, seed=seed, protection=protection, suspends=suspends)
    except PlayerError as error:    # such as a file that is gone
        raise PlayerError(f"{entrant.name} cannot play: {error}") from None
