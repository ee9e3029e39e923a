"""Proofs on the page: watched live, one at a time, stopped when nobody watches, kept when they are done."""

from __future__ import annotations

import asyncio
import os
import select
from collections.abc import Callable
from pathlib import Path

import pytest

import polyversi as pv
from polyversi.engines.proof import ProofFinding
from polyversi.games.errors import PolyversiError
from polyversi.games.state import State
from polyversi.records import Record, jsonl
from polyversi.server.analysis import proofs as module
from polyversi.server.analysis.messages import (
    LookMessage,
    ProofProgress,
    Prove,
    ReviewMessage,
    StopProof,
    Unable,
    Values,
)
from polyversi.server.analysis.proofs import ProofWatcher
from polyversi.server.analysis.service import AnalysisService
from tests.testing.analysis import Analyst, analysing
from tests.testing.page_server import Served
from tests.testing.timeout import TIMEOUT

SMALL, LARGE = (pv.game(spec).start() for spec in ("othello-4", "othello-6"))


class Watching:
    """Somebody who watches a proof."""

    def __init__(self) -> None:
        self.heard: list[ProofFinding] = []
        self.problems: list[str] = []
        self._news = asyncio.Event()
        self.leave: Callable[[], None] = lambda: None

    @classmethod
    async def at(cls, service: AnalysisService, state: State) -> Watching:
        self = cls()
        self.leave = await service.proofs.begin(state, "", ProofWatcher(self._hear, self._fail))
        return self

    async def until(self, is_enough: Callable[[Watching], bool]) -> None:
        while not is_enough(self):
            self._news.clear()
            await self._news.wait()

    def _hear(self, finding: ProofFinding) -> None:
        self.heard.append(finding)
        self._news.set()

    def _fail(self, problem: str) -> None:
        self.problems.append(problem)
        self._news.set()


@pytest.mark.slow
def test_a_proof_is_made_once_and_kept(tmp_path: Path) -> None:
    async def prove() -> None:
        store = str(tmp_path / "games.db")
        async with analysing(store) as service:
            ann, bob = [await Watching.at(service, SMALL) for _ in range(2)]
            for watching in (ann, bob):
                await watching.until(lambda one: bool(one.heard) and one.heard[-1].done)
            (only,) = ann.heard[-1].moves    # the four first moves are symmetric
            assert (only.low, only.high, len(only.same)) == (-8, -8, 3)
            assert ann.heard[-1] == bob.heard[-1]
        async with analysing(store) as service:
            again = await Watching.at(service, SMALL)
            assert again.heard[0].moves == ann.heard[-1].moves

    asyncio.run(prove())


@pytest.mark.slow
def test_there_is_one_proof_at_a_time_and_it_gives_way(
        tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def prove() -> None:
        async with analysing(str(tmp_path / "games.db")) as service:
            ann = await Watching.at(service, LARGE)
            with pytest.raises(PolyversiError, match="another proof is being made, of othello-6"):
                await Watching.at(service, SMALL)
            await ann.until(lambda one: len(one.heard) > 1)
            assert not ann.heard[-1].done
            monkeypatch.setattr(module, "TURN", 0.0)
            bob = await Watching.at(service, SMALL)
            assert ann.problems == ["another proof has its turn now; ask again later"]
            await bob.until(lambda one: one.heard[-1].done if one.heard else False)
            monkeypatch.setattr(module, "GRACE", 0.0)
            cid = await Watching.at(service, LARGE)
            await cid.until(lambda one: bool(one.heard))
            cid.leave()
            while service.proofs.is_busy:
                await asyncio.sleep(0)

    asyncio.run(prove())


@pytest.mark.slow
def test_proofs_over_the_socket_leave_everybody_else_alone(tmp_path: Path) -> None:
    with Served(tmp_path, "--analysis-workers", "1") as server, Analyst(server.port) as analyst:
        analyst.say(Prove(1, "othello-6"))
        first = analyst.hear(ProofProgress, id=1)
        assert all(move.low <= move.high for move in first.moves)
        analyst.say(LookMessage(2, "othello-4"))
        while not analyst.hear(Values, id=2).done:
            pass
        analyst.say(StopProof())
        analyst.say(Prove(3, "rolit"))
        assert "nothing can be proved in rolit" in analyst.hear(Unable, id=3).problem
        analyst.say(Prove(4, "othello-4", "XXXXXXXXXXXXXXXX X"))
        assert "the game is over" in analyst.hear(Unable, id=4).problem
        children = Path(f"/proc/{server.pid}/task/{server.pid}/children").read_text().split()
        assert len(children) <= 2
        own = os.getpriority(os.PRIO_PROCESS, server.pid)
        assert all(os.getpriority(os.PRIO_PROCESS, int(child)) >= min(19, own + 10) for child in children)
        # A server that is stopped in the middle of everything ends at once and has nothing to complain about.
        analyst.say(Prove(5, "othello-6"))
        analyst.say(ReviewMessage(6, record=jsonl.write(Record.of("othello", "f5d6c3d3c4")), seconds=1))
        analyst.say(LookMessage(7, "othello"))
        analyst.hear(Values, id=7)
        ends = [os.pidfd_open(int(child)) for child in children]
        assert server.stop() == 130    # as after any Ctrl-C
        for end in ends:
            assert select.select([end], [], [], TIMEOUT)[0]
            os.close(end)
    assert server.log == ""
