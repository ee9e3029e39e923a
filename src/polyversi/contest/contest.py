"""A contest: many games by one plan, given to workers, each stored before it counts."""

from __future__ import annotations

import time
from collections.abc import Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, InvalidStateError, wait
from contextlib import nullcontext, suppress
from dataclasses import dataclass, field, replace
from itertools import islice
from math import inf, nextafter
from typing import Any

from polyversi.contest.model import Fixture
from polyversi.contest.plan import Plan
from polyversi.contest.playing import Task, play_games, protection_of, referee_of, task_of
from polyversi.contest.pool import thinking_in
from polyversi.contest.schedule import FormatSchedule, Schedule
from polyversi.contest.standings import Pairs, Standings
from polyversi.contest.stores import GameStore
from polyversi.contest.workers import Workers, local_workers
from polyversi.gameplay.bots.sandbox import Sandbox
from polyversi.gameplay.events import Observer
from polyversi.gameplay.referee import Referee
from polyversi.stats.sprt import SprtVerdict
from polyversi.storage.stored import PlayedGame

TASK_SECONDS = 0.25
"""Seconds of playing that a worker is given at a time; a long game is a task of its own."""
MAX_TASK_GAMES = 64
"""Games that a worker is given at a time at most."""


class Watcher:
    """Is told how a contest goes; subclasses override what they need."""

    def begun(self, games: Sequence[Fixture]) -> None:
        """These games have started."""

    def over(self, games: Sequence[PlayedGame]) -> None:
        """These games have been played, stored and counted."""

    def lost(self, games: Sequence[Fixture]) -> None:
        """The worker that played these games has died; they will be played again."""


class Contest:
    """A plan and the games played so far; everything else follows from these, and nothing else is stored.

    `run` plays matches, tournaments and the rounds of a tuning. A program that plays the games itself, to
    show them move by move, takes them from `due` and gives them to `keep`.

    >>> from polyversi.contest.match import Match
    >>> contest = Contest(Match(("random", "greedy"), variant="othello-4", games=2).plan)
    >>> contest.run().games, contest.is_over
    (2, True)
    """

    def __init__(
        self,
        plan: Plan,
        store: GameStore | None = None,
        workers: Workers | None = None,
        *,
        fixtures: Sequence[Fixture] | None = None,
    ) -> None:
        self.plan = plan
        self.store = store
        self.workers = workers or local_workers(1)
        self._fixtures = fixtures
        self._executor: Executor | None = None
        self._stopping: Future[None] = Future()
        self.load()

    def load(self) -> None:
        """Reads the games from the store: another program may have played meanwhile."""
        self.schedule = self._new_schedule()
        self.played: dict[str, PlayedGame] = {}
        """The games that count, by id, in the order in which they ended."""
        self.standings = self._new_standings()
        self.pairs = Pairs()
        """The results of pairs of games, for a test."""
        self.decision: SprtVerdict | None = None
        """The decision of the plan's test, once there is one."""
        self._early: dict[str, PlayedGame] = {}
        for game in self._in_order(self.store.played() if self.store else ()):
            if self.decision is None:
                self._count(game)
        self._stored = set(self._early)

    def _new_schedule(self) -> Schedule:
        if self._fixtures is not None or self.plan.is_match:
            return Schedule(self.plan.fixtures if self._fixtures is None else self._fixtures)
        return FormatSchedule(self.plan)

    def _new_standings(self) -> Standings:
        return Standings([entrant.name for entrant in self.plan.entrants], self.plan.variants)

    @property
    def left(self) -> dict[int, int]:
        """The first round without an entrant that failed too often."""
        return self.schedule.left

    @property
    def is_over(self) -> bool:
        """Whether everything has been played, or a test is decided."""
        return self.decision is not None or not self.due()

    @property
    def expected(self) -> int:
        """How many games there will be as far as is known, including those played."""
        return len(self.played) + len(self.due())

    @property
    def last_end(self) -> float:
        """When the last game ended, in seconds since 1970; 0 before the first one."""
        return next(reversed(self.played.values())).ended if self.played else 0.0

    def due(self) -> list[Fixture]:
        """The games that can be played now, in order."""
        return self.schedule.due(self.played.keys() | self._early.keys() if self._early else self.played)

    def thinking(self) -> list[tuple[str, float]]:
        """The names of those who are thinking now in the games of `run`, each with the seconds so far.

        Games that are played on a cluster are not among them.
        """
        found = thinking_in(self._executor) if self._executor else []
        return [(self.plan.entrants[entrant].name, seconds) for entrant, seconds in found]

    def referee(self, fixture: Fixture, observers: Sequence[Observer] = ()) -> Referee:
        """The referee of one game, for a program that plays games itself."""
        return referee_of(task_of(self.plan, fixture), protection_of(self.plan), observers)

    def keep(self, games: Sequence[PlayedGame]) -> list[PlayedGame]:
        """Stores finished games and then counts them; returns those that count now.

        The next meetings may depend on the order of the games, and a store gives them back in the order of
        their ends. So each gets an end after those counted before it, whatever the clock of its worker said.
        With a test, games count in the order of the schedule, and none after the decision.
        """
        last, ended = self.last_end, []
        for game in self._in_order(sorted(games, key=lambda game: (game.ended, game.id))):
            last = max(game.ended, nextafter(last, inf))
            ended.append(replace(game, ended=last))
        counted: list[PlayedGame] = []
        batches = [ended] if self.plan.sprt is None else [[game] for game in ended]
        for batch in batches:
            if self.decision is not None:
                break
            fresh = [game for game in batch if game.id not in self._stored]
            if self.store is not None and fresh:
                self.store.keep(fresh)
            for game in batch:
                self._count(game)
            counted += batch
        return counted

    def _in_order(self, games: Sequence[PlayedGame]) -> Sequence[PlayedGame]:
        """The games that can be counted now; with a test a game waits for those before it in the schedule."""
        if self.plan.sprt is None:
            return games
        self._early |= {game.id: game for game in games}
        ready: list[PlayedGame] = []
        for fixture in islice(self.plan.fixtures, len(self.played), None):
            if fixture.id not in self._early:
                break
            ready.append(self._early.pop(fixture.id))
        return ready

    def _count(self, game: PlayedGame) -> None:
        if game.id in self.played:
            return
        self.played[game.id] = game
        before = len(self.left)
        self.schedule.count(game)
        if len(self.left) > before:    # games against an entrant that was set aside no longer count
            self.standings = self._new_standings()
            for earlier in self.played.values():
                self.standings.add(earlier, self.left)
        else:
            self.standings.add(game, self.left)
        if self.plan.sprt is not None:
            self.pairs.add(game)
            self.decision = self.plan.sprt.verdict(self.pairs.counts)

    def run(self, watcher: Watcher | None = None, workers: Workers | None = None) -> Standings:
        """Plays the remaining games and returns the standings; nobody else can play the contest meanwhile.

        Ctrl-C stops the games in progress; those that were stored count. `stop` has it return earlier.
        """
        try:
            return self._run(watcher or Watcher(), workers)
        finally:
            self._stopping = Future()

    def stop(self) -> None:
        """Has `run` return soon, from any thread: no further game begins, and those in progress are finished.

        Before `run` it has the next one return at once. Another `run` continues.
        """
        with suppress(InvalidStateError):    # it was told already
            self._stopping.set_result(None)

    def _run(self, watcher: Watcher, workers: Workers | None) -> Standings:
        self.workers = workers or self.workers
        if self.plan.is_match:    # the plan of a tournament was checked before there was one
            self.plan.check()
        with self.store.reserved() if self.store else nullcontext():
            self.load()
            protection = protection_of(self.plan)

            def play(executor: Executor) -> None:
                self._executor = executor
                _Run(self, executor, protection, watcher, self._stopping).play()

            if not self.is_over and not self._stopping.done():
                with suppress(_Decided):
                    self.workers.carry_out(play, lambda: len(self.played), f"'{self.plan.name}'")
        return self.standings


class _Decided(Exception):  # noqa: N818 no error
    """A test is decided: the games in progress are stopped."""


@dataclass
class _Run:
    """Plays games until none is left, or until the workers are lost."""

    contest: Contest
    executor: Executor
    protection: Sandbox | None
    watcher: Watcher
    stopping: Future[None]
    """Done when no further game is to begin."""
    running: dict[Future[list[PlayedGame]], tuple[float, list[Fixture]]] = field(default_factory=dict)
    """The games in progress, with the time they started."""
    waiting: list[Fixture] = field(default_factory=list)
    """The next one last."""
    seconds: float = TASK_SECONDS
    """About how long a game takes."""

    def play(self) -> None:
        self._find_games()
        while not self.stopping.done() and (self.waiting or self.running):
            while len(self.running) < self.contest.workers.jobs and self.waiting and not self.stopping.done():
                games, since = self._next_games(), time.monotonic()
                self.watcher.begun(games)
                tasks = [self._task(game) for game in games]
                self.running[self.executor.submit(play_games, tasks, self.protection)] = since, games
            awaited: list[Future[Any]] = [*self.running, self.stopping]
            self._settle(self.running.keys() & wait(awaited, return_when=FIRST_COMPLETED).done)
        # Some of those that were given to workers may still wait there.
        self.running = {future: games for future, games in self.running.items() if not future.cancel()}
        while self.running:
            self._settle(wait(self.running, return_when=FIRST_COMPLETED).done)

    def _task(self, game: Fixture) -> Task:
        workers = self.contest.workers
        task = replace(task_of(self.contest.plan, game), is_public=workers.is_public)
        return task if workers.live is None else replace(task, live=workers.live.of(game.id))

    def _find_games(self) -> None:
        """Finds what can be played now: more as meetings end, less when an entrant is set aside."""
        running = {game.id for _, games in self.running.values() for game in games}
        self.waiting = [game for game in self.contest.due() if game.id not in running][::-1]

    def _next_games(self) -> list[Fixture]:
        # At the end, every worker should have something to do.
        fair = -(-len(self.waiting) // self.contest.workers.jobs)
        number = max(1, min(int(TASK_SECONDS / self.seconds), MAX_TASK_GAMES, fair))
        store = self.contest.store
        if self.contest.plan.failures or (store is not None and not store.takes_batches):
            number = 1    # no game is played after the failure that was one too many, and none is lost
        return [self.waiting.pop() for _ in range(min(number, len(self.waiting)))]

    def _settle(self, done: set[Future[list[PlayedGame]]]) -> None:
        """Stores all games that have ended together, and finds what can be played next."""
        played: list[PlayedGame] = []
        seconds = 0.0
        try:
            for future in done:
                since, games = self.running.pop(future)
                try:
                    played += future.result()
                except Exception:
                    self.watcher.lost(games)
                    raise
                seconds += time.monotonic() - since
        finally:
            if played:
                self.seconds += (max(seconds / len(played), 0.001) - self.seconds) / 4
                self._keep(played)

    def _keep(self, played: list[PlayedGame]) -> None:
        version = self.contest.schedule.version
        self.watcher.over(self.contest.keep(played))
        if self.contest.decision is not None:
            raise _Decided
        if not self.waiting or self.contest.schedule.version != version:
            self._find_games()
