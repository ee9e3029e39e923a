"""Workers: the games of a contest run in this process, in a pool of processes or on a cluster."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, Executor
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, replace

from polyversi.contest.live_feed import LiveAddress
from polyversi.contest.pool import in_process, process_pool
from polyversi.games.errors import PolyversiError

MAX_BREAKDOWNS = 3
"""How often workers may die without anything finished in between."""
CONNECT_TIMEOUT = 5
"""Seconds to wait for the scheduler of a cluster."""


@dataclass(frozen=True)
class Workers:
    """So many games at the same time, in an executor that is opened again when it breaks."""

    jobs: int
    executor: Callable[[], AbstractContextManager[Executor]]
    losses: tuple[type[Exception], ...] = (BrokenExecutor,)
    """The exceptions raised when a worker has died."""
    live: LiveAddress | None = None
    """The page that shows the games of a contest while they are played, with what the contest is called."""
    is_public: bool = False
    """Whether strangers read the verdicts of the games; see `Task`."""

    def carry_out(self, work: Callable[[Executor], None], finished: Callable[[], int], whose: str) -> None:
        """Does work in the executor, and goes on with it in a new one when workers die.

        `finished` counts what is done already. After too many deaths without more of it a PolyversiError says
        that the worker processes of `whose` work keep dying.
        """
        breakdowns, is_done = 0, False
        while not is_done:
            before = finished()
            try:
                with self.executor() as executor:
                    work(executor)
                is_done = True
            except self.losses as error:
                breakdowns = 1 if finished() > before else breakdowns + 1
                if breakdowns > MAX_BREAKDOWNS:
                    raise PolyversiError(
                        f"the worker processes of {whose} keep dying: {error}; is there enough memory? "
                        "A script must do this below a line `if __name__ == '__main__':`") from error

    @contextmanager
    def opened(self) -> Iterator[Workers]:
        """The same workers for several contests: their executor is opened once."""
        with self.executor() as executor:
            yield replace(self, executor=lambda: nullcontext(executor), losses=())


def local_workers(jobs: int = 0) -> Workers:
    """Processes of this machine, 0 for one on each processor; with 1 this process plays itself.

    >>> local_workers(1).jobs
    1
    """
    number = jobs or default_jobs()
    return Workers(number, in_process if number == 1 else lambda: process_pool(number))


def cluster_workers(address: str, jobs: int = 0) -> Workers:
    """The dask workers of the cluster at an address such as tcp://10.0.0.1:8786; each thread plays a game."""
    try:
        from distributed import Client
        from distributed.scheduler import KilledWorker
    except ModuleNotFoundError:
        raise PolyversiError("a cluster needs dask: pip install 'polyversi[cluster]'") from None
    try:
        with Client(address, timeout=CONNECT_TIMEOUT) as client:
            threads = sum(client.nthreads().values())
    except (OSError, ValueError) as error:
        raise PolyversiError(f"there is no dask scheduler at {address}: {error}") from None
    if not threads:
        raise PolyversiError(f"the cluster at {address} has no workers: run `dask worker {address}`")

    @contextmanager
    def connected() -> Iterator[Executor]:
        # Two games are different even if their arguments are equal.
        with Client(address, timeout=CONNECT_TIMEOUT) as client, client.get_executor(pure=False) as executor:
            yield executor

    return Workers(jobs or threads, connected, (KilledWorker,))


def chosen_workers(jobs: int = 0, cluster: str | None = None) -> Workers:
    """The workers of the cluster at an address, or of this machine.

    >>> chosen_workers(1).jobs
    1
    """
    return local_workers(jobs) if cluster is None else cluster_workers(cluster, jobs)


def default_jobs() -> int:
    """The number of processors that this process may use.

    >>> default_jobs() >= 1
    True
    """
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
