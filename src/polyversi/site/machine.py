"""Machine time: the places at which the games and checks of a site run, and who gets the next free one."""

from __future__ import annotations

import os
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, Executor, Future
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from enum import IntEnum
from functools import partial
from typing import Any, ParamSpec, TypeVar

from polyversi.contest.live_feed import LiveAddress
from polyversi.contest.pool import process_pool
from polyversi.contest.workers import Workers, cluster_workers, default_jobs

ATTEMPTS = 5
"""Workers that may die of one task before whoever wants it is told."""
MIN_COST = 1.0
"""Seconds that count for whoever has just got a place, so that others come first to the next one."""
REOPEN_SECONDS = 2.0
"""Seconds between two attempts to reach workers that are not there."""

CHECK_WEIGHT = 2.0
"""How many times the machine time of games checks get while both wait: a crowd of checks stops no event."""

P = ParamSpec("P")
T = TypeVar("T")
Work = Callable[[], Any]
"""What a worker is given: it can be sent to another process."""


class Rank(IntEnum):
    """What comes first: checks and games share the machine, the background has what they leave."""

    CHECK = 0
    """Somebody waits for it in front of the page: it has CHECK_WEIGHT times the machine time of games."""
    PLAY = 1
    """Games that somebody has asked for."""
    BACKGROUND = 2
    """What the site does by itself, while nobody else waits; it always leaves a place, if there are two."""


@dataclass(frozen=True)
class Share:
    """For whom machine time is used. Those of the same rank take turns, whoever has used the least first."""

    name: str
    rank: Rank = Rank.PLAY
    weight: float = 1.0
    """How many times the machine time of others it gets while all wait."""


@dataclass(eq=False)
class _Waiting:
    share: Share
    begin: Callable[[], Work | None]
    """Called when its turn has come; it may find that there is nothing to do any more."""
    done: Future[Any] = field(default_factory=Future)
    attempts: int = 0
    since: float = 0.0


class _Pool:
    """Workers that are opened when they are needed, and again when they have died."""

    def __init__(self, workers: Workers) -> None:
        self.workers = workers
        self.running = 0
        self.broken: Executor | None = None
        """The executor that must not be used any more."""
        self._opened: tuple[ExitStack, Executor] | None = None

    @property
    def free(self) -> int:
        return self.workers.jobs - self.running

    def executor(self) -> Executor:
        if self._opened is not None and self._opened[1] is self.broken:
            self.close()
        if self._opened is None:
            stack = ExitStack()
            self._opened = stack, stack.enter_context(self.workers.executor())
        return self._opened[1]

    def close(self) -> None:
        """Ends the processes, whatever they are doing."""
        if self._opened is not None:
            (stack, _), self._opened = self._opened, None
            ended = BrokenExecutor("the machine has ended")
            with suppress(BrokenExecutor):
                stack.__exit__(BrokenExecutor, ended, None)


class Machine:
    """All places of a site. Any thread may ask for one; a thread of its own gives them away.

    A worker that dies takes nothing with it but its own game, which is begun again.

    >>> machine = Machine(local_places(1))
    >>> machine.submit(Share("Ann"), lambda: partial(sum, [1, 2])).result()
    3
    >>> machine.close()
    """

    def __init__(self, places: Sequence[Workers]) -> None:
        self._pools = [_Pool(workers) for workers in places]
        self.jobs = sum(workers.jobs for workers in places)
        """How many places there are."""
        self.problem = ""
        """Why nothing can be done at present, as the workers or whatever should start them have said it."""
        self._waiting: list[_Waiting] = []
        self._running: list[_Waiting] = []
        self._used: defaultdict[str, float] = defaultdict(float)
        self._reached = dict.fromkeys(Rank, 0.0)    # what the last one who got a place had used
        self._used_by_rank = dict.fromkeys(Rank, 0.0)
        self._rank_reached = 0.0    # what the rank of the last one who got a place had used
        self._is_closed = self._is_paused = False
        self._news = threading.Condition()
        self._thread = threading.Thread(target=self._schedule, name="machine", daemon=True)
        self._thread.start()

    def submit(self, share: Share, begin: Callable[[], Work | None]) -> Future[Any]:
        """Has something done when its turn comes: `begin` says what then, or None if nothing is to be done.

        The result is what the work returns. If workers keep dying of it, that is a BrokenExecutor.
        """
        one = _Waiting(share, begin)
        with self._news:
            if not self._is_active(share.name):    # nobody saves up machine time
                self._used[share.name] = max(self._used[share.name], self._reached[share.rank])
            if all(one.share.rank is not share.rank for one in (*self._waiting, *self._running)):
                self._used_by_rank[share.rank] = max(self._used_by_rank[share.rank], self._rank_reached)
            self._waiting.append(one)
            self._news.notify_all()
        return one.done

    def pause(self, is_paused: bool) -> None:
        """Gives nobody a place until this is called again with False; what has one goes on."""
        with self._news:
            self._is_paused = is_paused
            self._news.notify_all()

    @property
    def busy(self) -> int:
        """How many places are taken."""
        with self._news:
            return len(self._running)

    def workers(self, share: Share, live: LiveAddress | None = None, jobs: int = 0) -> Workers:
        """Workers for a contest, which play on these places when its turn comes."""
        return Workers(min(jobs or self.jobs, self.jobs), partial(_turns, self, share), (BrokenExecutor,),
                       live, is_public=True)

    def close(self) -> None:
        """Ends everything that runs. Nobody hears of it any more: what is not done is to be done again."""
        with self._news:
            self._is_closed = True
            self._news.notify_all()
        self._thread.join()

    # In the machine's own thread.

    def _schedule(self) -> None:
        while True:
            with self._news:
                self._news.wait_for(lambda: self._is_closed or self._next() is not None)
                found = self._next()
                if self._is_closed or found is None:
                    break
                one, pool = found
                self._occupy(one, pool)
            self._begin(one, pool)
        for pool in self._pools:
            pool.close()

    def _occupy(self, one: _Waiting, pool: _Pool) -> None:
        self._reached[one.share.rank] = max(self._reached[one.share.rank], self._tally(one.share))
        if one.share.rank is not Rank.BACKGROUND:
            self._rank_reached = max(self._rank_reached, self._rank_tally(one.share.rank))
        self._waiting.remove(one)
        self._running.append(one)
        pool.running += 1
        one.since = time.monotonic()

    def _begin(self, one: _Waiting, pool: _Pool) -> None:
        if not one.attempts and not one.done.set_running_or_notify_cancel():
            self._release(one, pool)
            return
        try:
            work = one.begin()
        except Exception as error:    # it is told to whoever wants the work
            self._release(one, pool)
            one.done.set_exception(error)
            return
        if work is None:
            self._release(one, pool)
            one.done.set_result(None)
        else:
            self._hand_over(one, pool, work)

    def _hand_over(self, one: _Waiting, pool: _Pool, work: Work) -> None:
        executor = None
        try:
            executor = pool.executor()
            playing = executor.submit(work)
        except Exception as error:    # the workers are not there: it stays the next one
            self.problem = str(error) or type(error).__name__
            pool.broken = executor
            one.attempts = max(1, one.attempts)
            self._release(one, pool, is_next=True)
            with self._news:
                self._news.wait_for(lambda: self._is_closed, REOPEN_SECONDS)
            return
        self.problem = ""
        playing.add_done_callback(partial(self._finished, one, pool, executor))

    # In any thread.

    def _finished(self, one: _Waiting, pool: _Pool, executor: Executor, playing: Future[Any]) -> None:
        if playing.cancelled():
            error: BaseException | None = BrokenExecutor("it was ended")
        else:
            error = playing.exception()
        is_lost = isinstance(error, (BrokenExecutor, *pool.workers.losses))
        if isinstance(error, BrokenExecutor):
            pool.broken = executor
        one.attempts += 1
        is_next = is_lost and one.attempts < ATTEMPTS
        self._release(one, pool, is_next=is_next)
        if is_next or self._is_closed:
            return
        if error is None:
            one.done.set_result(playing.result())
        else:
            one.done.set_exception(BrokenExecutor(f"its worker has died: {error}") if is_lost else error)

    def _release(self, one: _Waiting, pool: _Pool, *, is_next: bool = False) -> None:
        with self._news:
            used = time.monotonic() - one.since
            self._used[one.share.name] += used / one.share.weight
            self._used_by_rank[one.share.rank] += used / _weight(one.share.rank)
            self._running.remove(one)
            pool.running -= 1
            if is_next:
                self._waiting.insert(0, one)
            self._news.notify_all()

    # With the lock.

    def _is_active(self, name: str) -> bool:
        return any(one.share.name == name for one in (*self._waiting, *self._running))

    def _tally(self, share: Share) -> float:
        """The machine time that somebody has used, with what is being used."""
        return self._used[share.name] + self._cost(lambda one: one.share.name == share.name) / share.weight

    def _rank_tally(self, rank: Rank) -> float:
        """The machine time that all of a rank have used, with what is being used."""
        return self._used_by_rank[rank] + self._cost(lambda one: one.share.rank is rank) / _weight(rank)

    def _cost(self, counts: Callable[[_Waiting], bool]) -> float:
        """The machine time that those who have a place have used there."""
        now = time.monotonic()
        return sum(max(MIN_COST, now - one.since) for one in self._running if counts(one))

    def _next(self) -> tuple[_Waiting, _Pool] | None:
        """Whose turn it is, and where; None while nobody waits or no place is free."""
        free = max(self._pools, key=lambda pool: pool.free)
        if free.free <= 0 or self._is_paused:
            return None
        in_background = sum(one.share.rank is Rank.BACKGROUND for one in self._running)
        is_full = in_background >= max(1, self.jobs - 1)
        able = [one for one in self._waiting if not (is_full and one.share.rank is Rank.BACKGROUND)]
        if not able:
            return None
        ranks = {one.share.rank for one in able}
        first = min(ranks, key=lambda rank: (rank is Rank.BACKGROUND, self._rank_tally(rank), rank))
        able = [one for one in able if one.share.rank is first]
        tallies = {share.name: self._tally(share) for share in {one.share for one in able}}
        return min(able, key=lambda one: tallies[one.share.name]), free


def _weight(rank: Rank) -> float:
    return CHECK_WEIGHT if rank is Rank.CHECK else 1.0


class _Turns(Executor):
    """Gives tasks to a machine as if it were an executor of their contest alone."""

    def __init__(self, machine: Machine, share: Share) -> None:
        self._machine, self._share = machine, share
        self._given: set[Future[Any]] = set()

    def submit(self, work: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        task = partial(work, *args, **kwargs)
        done = self._machine.submit(self._share, lambda: task)
        self._given.add(done)
        done.add_done_callback(self._given.discard)
        return done

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:  # noqa: ARG002
        for one in list(self._given):
            one.cancel()


@contextmanager
def _turns(machine: Machine, share: Share) -> Iterator[Executor]:
    executor = _Turns(machine, share)
    try:
        yield executor
    finally:
        executor.shutdown()


def local_places(jobs: int = 0) -> list[Workers]:
    """So many processes of this machine, each with a processor of its own; 0 for all processors but one.

    A bot that starts threads gets no more than one that does not.

    >>> len(local_places(3))
    3
    """
    number = jobs or max(1, default_jobs() - 1)
    processors = sorted(os.sched_getaffinity(0), reverse=True) if hasattr(os, "sched_setaffinity") else [None]
    return [Workers(1, partial(process_pool, 1, processors[place % len(processors)]))
            for place in range(number)]


def places(jobs: int = 0, cluster: str = "") -> list[Workers]:
    """The places of this machine, or of the dask cluster at an address."""
    return [cluster_workers(cluster, jobs)] if cluster else local_places(jobs)
