"""Running a tournament: its games side by side, each stored before it counts, until none is left."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, wait
from contextlib import AbstractContextManager, contextmanager
from typing import TYPE_CHECKING, Protocol

from polyversi.contest.games import TournamentGame
from polyversi.contest.match import usual_jobs
from polyversi.contest.playing import play_games, protection_of, task_of
from polyversi.contest.pool import process_pool
from polyversi.contest.tournament import Tournament
from polyversi.games.errors import PolyversiError
from polyversi.storage.contests import PlayedGame

if TYPE_CHECKING:
    from polyversi.gameplay.bots.sandbox import Sandbox

TASK = 0.25
"""Seconds of playing that a worker is given at a time; a long game is a task of its own."""
MOST_IN_TASK = 64
"""Games that a worker is given at a time at the most."""
BREAKDOWNS = 3
"""How often workers may die without a finished game in between."""


class Watcher(Protocol):
    """Whoever wants to hear how a tournament goes."""

    def begun(self, games: Sequence[TournamentGame]) -> None:
        """These are being played from now on."""

    def over(self, games: Sequence[PlayedGame]) -> None:
        """These have been played and stored."""

    def lost(self, games: Sequence[TournamentGame]) -> None:
        """The worker that played these has died; they will be played again."""


class Workers:
    """Where games are played: so many at a time, in executors that are opened anew when one breaks."""

    def __init__(
        self,
        jobs: int,
        executor: Callable[[], AbstractContextManager[Executor | None]],
        losses: tuple[type[Exception], ...] = (BrokenExecutor,),
    ) -> None:
        self.jobs = jobs
        self.executor = executor
        self.losses = losses
        """What is raised when a worker has died."""


def local_workers(jobs: int = 0) -> Workers:
    """Processes of this machine; one alone is this process itself.

    >>> local_workers(1).jobs
    1
    """
    number = jobs or usual_jobs()

    @contextmanager
    def here() -> Iterator[Executor | None]:
        if number == 1:
            yield None
        else:
            with process_pool(number) as pool:
                yield pool

    return Workers(number, here)


def run(tournament: Tournament, workers: Workers, watcher: Watcher | None = None) -> None:
    """Plays what is left of a tournament; nobody else can play it meanwhile."""
    with tournament.store.reserved(tournament.name):
        tournament.reload()    # who played it before may have gone on until just now, or added somebody
        protection = protection_of(tournament.plan)
        breakdowns = 0
        while not tournament.is_over:
            before = len(tournament.played)
            try:
                with workers.executor() as executor:
                    _Run(tournament, workers.jobs, executor, protection, watcher).play()
            except workers.losses as error:
                breakdowns = 1 if len(tournament.played) > before else breakdowns + 1
                if breakdowns > BREAKDOWNS:
                    raise PolyversiError(
                        f"the processes that play '{tournament.name}' die again and again: {error}; "
                        "is there enough memory?"
                    ) from error


class _Run:
    """The games that are played until none is left, or until the workers are lost."""

    def __init__(
        self,
        tournament: Tournament,
        jobs: int,
        executor: Executor | None,
        protection: Sandbox | None,
        watcher: Watcher | None,
    ) -> None:
        self._tournament = tournament
        self._jobs = jobs
        self._executor = executor
        self._protection = protection
        self._watcher = watcher
        self._running: dict[Future[list[PlayedGame]], tuple[float, list[TournamentGame]]] = {}
        self._waiting: list[TournamentGame] = []    # the next one last
        self._seconds = TASK    # that a game takes, about

    def play(self) -> None:
        self._look_for_games()
        while True:
            while len(self._running) < self._jobs and self._waiting:
                self._begin()
            if not self._running:
                return
            self._settle(wait(self._running, return_when=FIRST_COMPLETED).done)

    def _look_for_games(self) -> None:
        """Finds what can be played now: more as meetings end, less when somebody is set aside."""
        running = {game.id for _, games in self._running.values() for game in games}
        self._waiting = [game for game in self._tournament.due() if game.id not in running][::-1]

    def _begin(self) -> None:
        fair = -(-len(self._waiting) // self._jobs)    # so that at the end everybody has something to do
        most = max(1, min(int(TASK / self._seconds), MOST_IN_TASK, fair))
        if self._tournament.plan.failures:
            most = 1    # the game that was one too many is the last
        games = [self._waiting.pop() for _ in range(min(most, len(self._waiting)))]
        if self._watcher:
            self._watcher.begun(games)
        self._running[self._submit(games)] = time.monotonic(), games

    def _submit(self, games: list[TournamentGame]) -> Future[list[PlayedGame]]:
        tasks = [task_of(self._tournament.plan, game) for game in games]
        if self._executor is not None:
            return self._executor.submit(play_games, tasks, self._protection)
        done: Future[list[PlayedGame]] = Future()
        done.set_result(play_games(tasks, self._protection))
        return done

    def _settle(self, done: set[Future[list[PlayedGame]]]) -> None:
        """Stores all that has been played meanwhile at once, and sees what follows from it."""
        played: list[PlayedGame] = []
        try:
            for future in done:
                since, games = self._running.pop(future)
                try:
                    found = future.result()
                except Exception:
                    if self._watcher:
                        self._watcher.lost(games)
                    raise
                took = (time.monotonic() - since) / len(found)
                self._seconds += (max(took, 0.001) - self._seconds) / 4
                played += found
        finally:
            if played:
                fixed = self._tournament.meetings
                self._tournament.keep(played)
                if self._watcher:
                    self._watcher.over(played)
                if not self._waiting or self._tournament.meetings != fixed or self._tournament.left:
                    self._look_for_games()
