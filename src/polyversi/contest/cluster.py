"""A dask.distributed cluster as the place where games are played."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import contextmanager

from polyversi.contest.runner import Workers
from polyversi.games.errors import PolyversiError

PATIENCE = 5
"""Seconds to wait for the scheduler."""


def cluster_workers(address: str, jobs: int = 0) -> Workers:
    """The workers of the cluster at an address such as tcp://10.0.0.1:8786; each thread plays a game."""
    try:
        from distributed import Client
        from distributed.scheduler import KilledWorker
    except ModuleNotFoundError:
        raise PolyversiError("a cluster needs dask: pip install 'polyversi[cluster]'") from None
    try:
        with Client(address, timeout=PATIENCE) as client:
            threads = sum(client.nthreads().values())
    except (OSError, ValueError) as error:
        raise PolyversiError(f"there is no dask scheduler at {address}: {error}") from None
    if not threads:
        raise PolyversiError(f"the cluster at {address} has no workers: run `dask worker {address}`")

    @contextmanager
    def there() -> Iterator[Executor]:
        # Every game is another one, even when its arguments look alike.
        with Client(address, timeout=PATIENCE) as client, client.get_executor(pure=False) as executor:
            yield executor

    return Workers(jobs or threads, there, (KilledWorker,))
