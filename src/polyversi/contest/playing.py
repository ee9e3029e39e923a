"""Playing games of a contest, here or in another process: what a worker is given and gives back."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import get_args

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
from polyversi.gameplay.verdict import Kind, Verdict, failures_among
from polyversi.games.errors import PlayerError
from polyversi.games.limit import Limit
from polyversi.games.state import State
from polyversi.protocols.bot_files import is_file, is_folder
from polyversi.protocols.spec import draw_seed, sandbox_of, seat_of
from polyversi.records import Record
from polyversi.records.maps import named_game
from polyversi.storage.stored import PlayedGame

FAILURES = re.compile(rf"(?:^|; )seat ([0-9]+): ({'|'.join(get_args(Kind))})(?= \(|; |$)")
"""A verdict in the tag `failures` of a record."""


@dataclass(frozen=True)
class Task:
    """A game with all that it takes to play it, and no more: it travels to a worker with every game."""

    fixture: Fixture
    variant: str
    map: str
    """The text of the variant's map, where its name does not say it all."""
    openings: Openings | None
    """How it begins where that is drawn: with some openings it takes an engine a while."""
    position: str
    """How it begins where that was read from a file."""
    opening_seed: int
    seed: int
    """Of its players."""
    entrants: tuple[Entrant, ...]
    """In their seats."""
    limit: Limit
    suspends: bool
    tags: tuple[tuple[str, str], ...] = ()
    """What the record says besides."""

    @property
    def start(self) -> State:
        """Where the game begins."""
        game = named_game(self.variant, self.map)
        if self.openings is None:
            return game.position(self.position)
        return self.openings.drawn(game, self.opening_seed)


def task_of(plan: Plan, fixture: Fixture) -> Task:
    """What a worker is given; games of a meeting with the same variant and opening begin alike."""
    variant, opening, meeting = fixture.variant, fixture.opening, fixture.meeting
    drawn = draw_seed(plan.seed, "opening", meeting.id)
    position = plan.openings.position(variant, opening, drawn)
    parts = (plan.seed, meeting.entrants, opening) if plan.is_match else (drawn, variant, opening)
    return Task(
        fixture, plan.variants[variant], plan.maps[variant], None if position else plan.openings, position,
        draw_seed(*parts), draw_seed(plan.seed, "game", fixture.id),
        tuple(plan.entrants[entrant] for entrant in fixture.seating), plan.limit, plan.suspend,
        match_tags(plan, fixture) if plan.is_match else (),
    )


def start_of(plan: Plan, fixture: Fixture) -> State:
    """Where a game begins."""
    return task_of(plan, fixture).start


def match_tags(plan: Plan, fixture: Fixture) -> tuple[tuple[str, str], ...]:
    """What identifies a game within its match, in a file of nothing but records."""
    return (
        ("limit", str(plan.limit)),
        ("round", fixture.id),
        ("seating", "/".join(str(entrant + 1) for entrant in fixture.seating)),
        ("seed", str(draw_seed(plan.seed, "game", fixture.id))),
    )


def protection_of(plan: Plan) -> Sandbox | None:
    """What the bots are kept in, or None where they are trusted; an error where there is no sandbox."""
    if plan.trust:
        return None
    sandbox = sandbox_of(entrant.spec for entrant in plan.entrants)
    # What cannot be played is somebody's work, too, and nobody else's business.
    return replace(sandbox, entrants=(*sandbox.entrants, *_files_of_broken(plan)))


def _files_of_broken(plan: Plan) -> Iterator[Path]:
    """What is to be hidden of them: nothing that leads nowhere, for no sandbox could be made around that."""
    for path in (Path(bot.path) for bot in plan.broken):
        if is_folder(path):
            yield path / "bot"
        elif is_file(path) or (is_folder(path.parent) and not os.path.islink(path)):  # noqa: PTH114 never raises
            yield path


def referee_of(task: Task, protection: Sandbox | None, observers: Sequence[Observer] = ()) -> Referee:
    """The referee of a game, with everybody in their seats."""
    seats = [
        _seat(entrant, draw_seed(task.seed, place), task.suspends, protection)
        for place, entrant in enumerate(task.entrants)
    ]
    return Referee(task.start, seats, task.limit, observers)


def play_game(task: Task, protection: Sandbox | None = None) -> PlayedGame:
    """Plays one game through the referee."""
    referee = referee_of(task, protection)
    finished = run_interruptibly(referee.run())
    outputs = tuple(seat.last_output if isinstance(seat, BotSeat) else "" for seat in referee.seats)
    return played_game(task.fixture, finished, task.tags, outputs)


def play_games(tasks: Sequence[Task], protection: Sandbox | None) -> list[PlayedGame]:
    """Plays several games one after the other, for workers: a short game is not worth a journey."""
    return [play_game(task, protection) for task in tasks]


def played_game(
    fixture: Fixture,
    finished: Finished,
    tags: tuple[tuple[str, str], ...] = (),
    outputs: tuple[str, ...] = (),
) -> PlayedGame:
    """What is kept of a game that a referee has finished."""
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
    """A game of a match of which nothing but the record was kept.

    >>> import polyversi as pv
    >>> from polyversi.contest.model import Meeting
    >>> from polyversi.records import Outcome
    >>> lost = Outcome("crash", ranks=(2, 1))
    >>> said = ("failures", "seat 1: crash (its process ended with status 3)")
    >>> record = pv.records.Record(pv.game("othello").start(), tags=(said,), outcome=lost)
    >>> recorded_game(Fixture("1", Meeting("1.1", 1, (0, 1)), seating=(0, 1)), record).failures
    (Verdict(kind='crash', seat=1, detail=''),)
    """
    result = result_of(record)
    offences = tuple(
        Verdict(kind, int(seat)) for seat, kind in FAILURES.findall(record.tag("failures"))
    )
    if result.reason == "resigned":
        verdict = Verdict("resigned", result.ranks.index(max(result.ranks)) + 1)
    else:
        verdict = Verdict("win", result.winner) if result.winner else Verdict("draw")
    return PlayedGame(
        fixture.id, fixture.meeting.id, fixture.meeting.round, fixture.variant, fixture.opening,
        fixture.seating, record, result.scores, result.ranks, result.points, result.reason, verdict, offences,
    )


def _seat(entrant: Entrant, seed: int, suspends: bool, protection: Sandbox | None) -> Seat:
    try:
        return seat_of(entrant.spec, name=entrant.name, seed=seed, protection=protection, suspends=suspends)
    except PlayerError as error:    # such as a file that is gone
        raise PlayerError(f"{entrant.name} cannot play: {error}") from None
