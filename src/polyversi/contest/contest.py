"""A contest: many games by one plan, handed out to workers, each kept in a store before it counts."""

from __future__ import annotations

import time
from collections.abc import Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from contextlib import nullcontext
from dataclasses import replace
from itertools import islice
from math import inf, nextafter
from typing import TYPE_CHECKING

from polyversi.contest.playing import play_game, play_games, protection_of, referee_of, task_of
from polyversi.contest.schedule import FixedSchedule, FormatSchedule, Schedule
from polyversi.contest.standings import Pairs, Standings
from polyversi.contest.workers import Workers, local_workers
from polyversi.games.errors import PolyversiError
from polyversi.storage.contests import PlayedGame

if TYPE_CHECKING:
    from polyversi.contest.model import Fixture
    from polyversi.contest.plan import Plan
    from polyversi.contest.stores import GameStore
    from polyversi.gameplay.bots.sandbox import Sandbox
    from polyversi.gameplay.events import Observer
    from polyversi.gameplay.referee import Referee
    from polyversi.stats.sprt import SprtVerdict

TASK_SECONDS = 0.25
"""Seconds of playing that a worker is given at a time; a long game is a task of its own."""
MAX_TASK_GAMES = 64
"""Games that a worker is given at a time at most."""
MAX_BREAKDOWNS = 3
"""How often workers may die without a finished game in between."""


class Watcher:
    """Whoever wants to hear how a contest goes; a subclass says what it does with it."""

    def begun(self, games: Sequence[Fixture]) -> None:
        """These are being played from now on."""

    def over(self, games: Sequence[PlayedGame]) -> None:
        """These have been played, stored and counted."""

    def lost(self, games: Sequence[Fixture]) -> None:
        """The worker that played these has died; they will be played again."""


class Contest:
    """What follows from a plan and the games that were played so far; nothing else is remembered anywhere.

    A match, a tournament, a round of a tuning and a series are all played by `run`. Whoever plays the games
    otherwise, as one who shows them move by move does, takes them from `due` and gives them to `keep`.

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
        self.load()

    def load(self) -> None:
        """Reads what was played from the store: another program may have played meanwhile."""
        self._set_up(self._new_schedule(), self.store.played() if self.store else ())

    def _new_schedule(self) -> Schedule:
        if self._fixtures is not None or self.plan.is_match:
            return FixedSchedule(self.plan.fixtures if self._fixtures is None else self._fixtures)
        return FormatSchedule(self.plan)

    def _set_up(self, schedule: Schedule, games: Sequence[PlayedGame]) -> None:
        self.schedule = schedule
        self.played: dict[str, PlayedGame] = {}
        """Every game that counts by its id, in the order of their ends."""
        self.standings = self._new_standings()
        self.pairs = Pairs()
        """What the pairs of games say, where a test asks for them."""
        self.decision: SprtVerdict | None = None
        """What the test of the plan has found out."""
        self._early: dict[str, PlayedGame] = {}
        for game in self._in_order(games):
            if self.decision is None:
                self._count(game)
        self._stored = set(self._early)

    def _new_standings(self) -> Standings:
        return Standings([entrant.name for entrant in self.plan.entrants], self.plan.variants)

    @property
    def left(self) -> dict[int, int]:
        """The round from which on an entrant does not take part any more, because it failed too often."""
        return self.schedule.left

    @property
    def is_over(self) -> bool:
        """Whether everything has been played, or a test has its verdict."""
        return self.decision is not None or not self.due()

    @property
    def expected(self) -> int:
        """How many games there are as far as is known, those that were played included."""
        return len(self.played) + len(self.due())

    def due(self) -> list[Fixture]:
        """The games that can be played now, in order."""
        if not self._early:
            return self.schedule.due(self.played)
        return self.schedule.due(self.played.keys() | self._early.keys())

    def referee(self, fixture: Fixture, observers: Sequence[Observer] = ()) -> Referee:
        """The referee of one game, for whoever plays it otherwise than by `run`."""
        return referee_of(task_of(self.plan, fixture), protection_of(self.plan), observers)

    def keep(self, games: Sequence[PlayedGame]) -> list[PlayedGame]:
        """Stores finished games, and only then counts them; gives those that count now.

        What follows may depend on their order: they are read again in the one in which they were counted,
        so that none ends before those that were kept already, whatever the clock of its worker said. With a
        test games count in the order of the schedule, and none after its verdict.
        """
        last = next(reversed(self.played.values())).ended if self.played else 0.0
        kept = []
        for game in self._in_order(sorted(games, key=lambda game: (game.ended, game.id))):
            last = max(game.ended, nextafter(last, inf))
            kept.append(replace(game, ended=last))
        if self.plan.sprt is None:
            self._keep(kept)
            return kept
        counted = []
        for game in kept:
            if self.decision is None:
                self._keep([game])
                counted.append(game)
        return counted

    def _keep(self, games: Sequence[PlayedGame]) -> None:
        fresh = [game for game in games if game.id not in self._stored]
        if self.store is not None and fresh:
            self.store.keep(fresh)
        for game in games:
            self._count(game)

    def _in_order(self, games: Sequence[PlayedGame]) -> Sequence[PlayedGame]:
        """The games as they come; with a test one waits for those before it in the schedule."""
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
        if len(self.left) > before:    # games of who has left no longer count for others
            self.standings = self._new_standings()
            for earlier in self.played.values():
                self.standings.add(earlier, self.left)
        else:
            self.standings.add(game, self.left)
        if self.plan.sprt is not None:
            self.pairs.add(game)
            self.decision = self.plan.sprt.verdict(self.pairs.counts)

    def run(self, watcher: Watcher | None = None, workers: Workers | None = None) -> Standings:
        """Plays what is left, by its workers or these, and gives the standings; nobody else can meanwhile.

        Ctrl-C breaks off the games that are being played; those that were kept count.
        """
        self.workers = workers or self.workers
        if self.plan.is_match:    # the plan of a tournament was checked before there was one
            self.plan.check()
        with self.store.reserved() if self.store else nullcontext():
            self.load()
            protection = protection_of(self.plan)
            breakdowns = 0
            while not self.is_over:
                before = len(self.played)
                try:
                    with self.workers.executor() as executor:
                        _Run(self, executor, protection, watcher).play()
                except _Decided:
                    break
                except self.workers.losses as error:
                    breakdowns = 1 if len(self.played) > before else breakdowns + 1
                    if breakdowns > MAX_BREAKDOWNS:
                        raise PolyversiError(
                            f"the processes that play '{self.plan.name}' die again and again: {error}; "
                            "is there enough memory?"
                        ) from error
        return self.standings


class _Decided(Exception):  # noqa: N818 no error
    """A test has its verdict: whatever is still being played is broken off."""


class _Run:
    """The games that are played until none is left, or until the workers are lost."""

    def __init__(
        self,
        contest: Contest,
        executor: Executor | None,
        protection: Sandbox | None,
        watcher: Watcher | None,
    ) -> None:
        self._contest = contest
        self._executor = executor
        self._protection = protection
        self._watcher = watcher
        self._running: dict[Future[list[PlayedGame]], tuple[float, list[Fixture]]] = {}
        self._waiting: list[Fixture] = []    # the next one last
        self._seconds = TASK_SECONDS    # that a game takes, about

    def play(self) -> None:
        self._find_games()
        while self._waiting or self._running:
            if self._executor is None:
                self._play_here(self._next_games())
                continue
            while len(self._running) < self._contest.workers.jobs and self._waiting:
                self._submit(self._executor, self._next_games())
            self._settle(wait(self._running, return_when=FIRST_COMPLETED).done)

    def _find_games(self) -> None:
        """Finds what can be played now: more as meetings end, less when somebody is set aside."""
        running = {game.id for _, games in self._running.values() for game in games}
        self._waiting = [game for game in self._contest.due() if game.id not in running][::-1]

    def _next_games(self) -> list[Fixture]:
        # So that at the end everybody has something to do.
        fair = -(-len(self._waiting) // self._contest.workers.jobs)
        number = max(1, min(int(TASK_SECONDS / self._seconds), MAX_TASK_GAMES, fair))
        store = self._contest.store
        if self._contest.plan.failures or (store is not None and not store.takes_batches):
            number = 1    # the game that was one too many is the last; a killed match has lost none
        games = [self._waiting.pop() for _ in range(min(number, len(self._waiting)))]
        if self._watcher:
            self._watcher.begun(games)
        return games

    def _submit(self, executor: Executor, games: list[Fixture]) -> None:
        tasks = [task_of(self._contest.plan, game) for game in games]
        self._running[executor.submit(play_games, tasks, self._protection)] = time.monotonic(), games

    def _play_here(self, games: list[Fixture]) -> None:
        """Plays games in this process; those that are over count, however it ends."""
        played: list[PlayedGame] = []
        since = time.monotonic()
        try:
            for game in games:
                played.append(play_game(task_of(self._contest.plan, game), self._protection))
        finally:
            self._keep(played, time.monotonic() - since)

    def _settle(self, done: set[Future[list[PlayedGame]]]) -> None:
        """Stores all that has been played meanwhile at once, and sees what follows from it."""
        played: list[PlayedGame] = []
        seconds = 0.0
        try:
            for future in done:
                since, games = self._running.pop(future)
                try:
                    played += future.result()
                except Exception:
                    if self._watcher:
                        self._watcher.lost(games)
                    raise
                seconds += time.monotonic() - since
        finally:
            self._keep(played, seconds)

    def _keep(self, played: list[PlayedGame], seconds: float) -> None:
        if not played:
            return
        self._seconds += (max(seconds / len(played), 0.001) - self._seconds) / 4
        version = self._contest.schedule.version
        counted = self._contest.keep(played)
        if self._watcher:
            self._watcher.over(counted)
        if self._contest.decision is not None:
            raise _Decided
        if not self._waiting or self._contest.schedule.version != version:
            self._find_games()
