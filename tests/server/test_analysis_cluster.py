"""Engine workers on a dask cluster: the same values and reviews, also when one of them is killed."""

from __future__ import annotations

import asyncio
import os
import signal
from pathlib import Path

import pytest
from distributed import Client, LocalCluster

import polyversi as pv
from polyversi.games.errors import PolyversiError
from tests.testing.analysis import Watching, analysing


@pytest.mark.slow
def test_the_threads_of_a_cluster_think_for_visitors(tmp_path: Path) -> None:
    async def look(address: str) -> None:
        with Client(address) as client:
            pids = set(client.run(os.getpid).values())
        async with analysing(str(tmp_path / "games.db"), cluster=address) as service:
            small = pv.game("othello-4").start().play("b1")
            known = await (await Watching.at(service, small)).until_done()
            assert {one.move: one.value for one in known.moves} == {"a1": 8, "c1": -8, "a3": -9}
            assert service.pool.pids == []    # nothing was started here
            watching = await Watching.at(service, pv.game("othello").start())
            await watching.until_values()
            os.kill(pids.pop(), signal.SIGKILL)
            watching.leave()
            hint = await service.hint(pv.game("othello").start().play("f5"), "", "192.0.2.7", 0.1)
            assert len(hint.known.moves) == 3

    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None, silence_logs=50) as cluster:
        asyncio.run(look(cluster.scheduler_address))


@pytest.mark.slow
def test_a_cluster_that_is_not_there_is_told_before_the_server_starts(tmp_path: Path) -> None:
    async def start() -> None:
        async with analysing(str(tmp_path / "games.db"), cluster="tcp://127.0.0.1:1"):
            pass

    with pytest.raises(PolyversiError, match="there is no dask scheduler"):
        asyncio.run(start())
