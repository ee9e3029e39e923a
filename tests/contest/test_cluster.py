"""A tournament and a book on a cluster of dask: the same as on one machine, though a worker is killed."""

from __future__ import annotations

import os
import signal
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from distributed import Client, LocalCluster

from polyversi.contest.book_growth import Growth
from polyversi.contest.contest import Watcher
from polyversi.contest.openings import Openings
from polyversi.contest.plan import Plan, entrants_of
from polyversi.contest.tournament import Tournament
from polyversi.contest.workers import cluster_workers, local_workers
from polyversi.games.errors import PolyversiError
from polyversi.games.limit import NO_LIMIT
from polyversi.storage.contests import ContestStore
from polyversi.storage.stored import PlayedGame

PLAN = Plan(
    "local", entrants_of(["random", "greedy", "mobility"]), ("othello-6",), games=20,
    openings=Openings("random", 2), limit=NO_LIMIT,
)


class KillsAWorker(Watcher):
    """Kills a worker's process when the first games are over."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.killed = 0

    def over(self, games: Sequence[PlayedGame]) -> None:
        if not self.killed:
            with Client(self.address) as client:
                self.killed = next(iter(client.run(os.getpid).values()))
            os.kill(self.killed, signal.SIGKILL)


@pytest.mark.slow
def test_a_cluster_plays_the_same_games_and_grows_the_same_book_though_a_worker_dies(tmp_path: Path) -> None:
    store = ContestStore.open(str(tmp_path / "cup.db"))
    here = Tournament.create(store, PLAN)
    here.run(workers=local_workers(1))
    there = Tournament.create(store, replace(PLAN, name="there"))
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None, silence_logs=50) as cluster:
        workers, watcher = cluster_workers(cluster.scheduler_address), KillsAWorker(cluster.scheduler_address)
        assert workers.jobs == 2
        there.run(watcher, workers)
        book = Growth.begin("othello-6", "depth=3")
        book.run(30, workers)
    alone = Growth.begin("othello-6", "depth=3")
    alone.run(30)
    assert book.book.positions == alone.book.positions
    assert there.is_over and watcher.killed
    played = [{id: game.record for id, game in one.played.items()} for one in (here, there)]
    assert played[0].keys() == played[1].keys()
    assert all(played[0][id].moves == played[1][id].moves for id in played[0])
    store.close()


@pytest.mark.slow
def test_a_cluster_that_is_not_there() -> None:
    with pytest.raises(PolyversiError, match=r"there is no dask scheduler at tcp://127\.0\.0\.1:1: "):
        cluster_workers("tcp://127.0.0.1:1")


def test_a_cluster_without_workers() -> None:
    said = "has no workers: run `dask worker tcp://"
    with (LocalCluster(n_workers=0, dashboard_address=None, silence_logs=50) as cluster,
          pytest.raises(PolyversiError, match=said)):
        cluster_workers(cluster.scheduler_address)
