"""A tournament on a cluster of dask: the same games, also when a worker is killed on the way."""

from __future__ import annotations

import os
import signal
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from distributed import Client, LocalCluster

from polyversi.contest.cluster import cluster_workers
from polyversi.contest.games import TournamentGame
from polyversi.contest.openings import Openings
from polyversi.contest.plan import TournamentPlan, entrants_of
from polyversi.contest.runner import local_workers, run
from polyversi.contest.tournament import Tournament
from polyversi.games.errors import PolyversiError
from polyversi.games.limit import NO_LIMIT
from polyversi.records import jsonl
from polyversi.storage.contests import PlayedGame, TournamentStore

PLAN = TournamentPlan(
    "local", entrants_of(["random", "greedy", "mobility"]), ("othello-6",), games=20,
    openings=Openings("random", 2), limit=NO_LIMIT,
)


class KillsAWorker:
    """Kills a worker's process when the first games are over."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.killed = 0

    def begun(self, games: Sequence[TournamentGame]) -> None:
        pass

    def over(self, games: Sequence[PlayedGame]) -> None:
        if not self.killed:
            with Client(self.address) as client:
                self.killed = next(iter(client.run(os.getpid).values()))
            os.kill(self.killed, signal.SIGKILL)

    def lost(self, games: Sequence[TournamentGame]) -> None:
        pass


def test_a_cluster_plays_the_same_games_though_a_worker_dies(tmp_path: Path) -> None:
    store = TournamentStore.open(str(tmp_path / "cup.db"))
    here = Tournament.create(store, PLAN)
    run(here, local_workers(1))
    there = Tournament.create(store, replace(PLAN, name="there"))
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None, silence_logs=50) as cluster:
        workers, watcher = cluster_workers(cluster.scheduler_address), KillsAWorker(cluster.scheduler_address)
        assert workers.jobs == 2
        run(there, workers, watcher)
    assert there.is_over and watcher.killed
    played = [{id: jsonl.parse(game.record) for id, game in one.played.items()} for one in (here, there)]
    assert played[0].keys() == played[1].keys()
    assert all(getattr(played[0][id], "moves", 0) == getattr(played[1][id], "moves", 1) for id in played[0])
    store.close()


def test_a_cluster_that_is_not_there() -> None:
    with pytest.raises(PolyversiError, match=r"there is no dask scheduler at tcp://127\.0\.0\.1:1: "):
        cluster_workers("tcp://127.0.0.1:1")


def test_a_cluster_without_workers() -> None:
    said = "has no workers: run `dask worker tcp://"
    with (LocalCluster(n_workers=0, dashboard_address=None, silence_logs=50) as cluster,
          pytest.raises(PolyversiError, match=said)):
        cluster_workers(cluster.scheduler_address)
