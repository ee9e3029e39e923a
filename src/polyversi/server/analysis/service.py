"""Analysis as a service: one pool of engine workers behind looks, reviews, proofs and hints."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Annotated

import msgspec

from polyversi.engines.judge import can_judge
from polyversi.engines.reasons import ReasonFinding
from polyversi.engines.search import SUPPORTED, is_supported
from polyversi.games.errors import PolyversiError
from polyversi.games.state import State
from polyversi.server.analysis.cache import Cache, CanonicalPosition
from polyversi.server.analysis.cluster import Cluster, ClusterWorker
from polyversi.server.analysis.looks import Look, Looks, Update
from polyversi.server.analysis.policy import AnalysisPolicy
from polyversi.server.analysis.proofs import Proofs
from polyversi.server.analysis.reviews import Reviews
from polyversi.server.analysis.tasks import Why
from polyversi.server.analysis.workers import WorkerPool
from polyversi.server.lobby import Lobby
from polyversi.server.messages import MoveText
from polyversi.server.new_game import Line as Text
from polyversi.server.new_game import MapText, Short, chosen_game

WARM_AFTER = 5.0
"""Seconds after its start at which an idle server starts its engine workers."""
OFF = "this server does not analyse: its operator has switched the engine workers off"

QUICK = 0.1
"""Seconds that a question counts as in the queue which is answered by little search or none."""
Line = Annotated[list[MoveText], msgspec.Meta(max_length=200)]


class Best(msgspec.Struct, frozen=True):
    """The best move of a position, and its line where that is known."""

    move: MoveText
    line: Line = []


class WhyAsked(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Why is a move worse than the best one?"""

    position: Text
    move: MoveText
    best: Best
    spec: Short = ""
    map: MapText = ""


class AnalysisService:
    """Everything that thinks for visitors who analyse."""

    def __init__(self, lobby: Lobby, policy: AnalysisPolicy) -> None:
        self.policy = policy
        self._cluster = Cluster(policy.cluster) if policy.cluster and policy.workers else None
        self.pool = (WorkerPool(policy.workers, lobby.say) if self._cluster is None else
                     WorkerPool(self._cluster.threads, lobby.say, partial(ClusterWorker, self._cluster)))
        self.cache = Cache(lobby.store)
        self.looks = Looks(self.pool, self.cache, lambda: lobby.write_queue, policy.seconds)
        self.reviews = Reviews(lobby, self.pool, self.cache)
        self.proofs = Proofs(self.cache, lambda: lobby.write_queue, lobby.say)
        self._warming: asyncio.Task[None] | None = None

    @property
    def is_on(self) -> bool:
        """Whether there is anybody who thinks."""
        return self.policy.workers > 0

    def start(self) -> None:
        """Has the workers started soon, when nothing else is going on."""
        if self.is_on:
            asyncio.get_running_loop().call_later(WARM_AFTER, self.warm_up)

    def warm_up(self) -> None:
        """Has the workers started now: somebody is about to analyse."""
        if self.is_on and self._warming is None and not self.pool.is_closed:
            self._warming = asyncio.create_task(self.pool.warm_up())

    async def close(self) -> None:
        """Ends all work."""
        if self._warming is not None:
            self._warming.cancel()
            await asyncio.gather(self._warming, return_exceptions=True)
        await self.reviews.close()
        await self.proofs.close()
        await self.pool.close()
        if self._cluster is not None:
            await self._cluster.close()

    def check(self, state: State) -> None:
        """Raises a PolyversiError that says why a position cannot be analysed, if it cannot."""
        if not self.is_on:
            raise PolyversiError(OFF)
        if problem := can_judge(state.game):
            raise PolyversiError(problem)

    def check_proof(self, state: State) -> None:
        """Raises a PolyversiError that says why nothing can be proved in a position, if it cannot."""
        self.check(state)
        if not is_supported(state.game):
            raise PolyversiError(
                f"nothing can be proved in {state.game.spec}: the solver searches {SUPPORTED}")
        if state.is_over:
            raise PolyversiError("the game is over; there is nothing left to prove")

    async def why(self, asked: WhyAsked, visitor: str) -> list[ReasonFinding]:
        """Why a move is worse than the best one, as far as that can be computed."""
        position, state = await asyncio.to_thread(_placed, asked)
        self.check(state)
        known = await self.looks.find(position)
        lines = {one.move: one.line for one in position.seen(known).moves} if known else {}
        best = asked.best.line or lines.get(asked.best.move) or [asked.best.move]
        answers = lines[asked.move][1:] if asked.move in lines else None
        if answers is None and not is_supported(state.game):
            answers = []    # a search would take long, and without one there are reasons too
        found: list[ReasonFinding] = []
        task = Why(state.game.spec, asked.map, state.text, asked.move, best, answers)
        name = f"why {position.key}"
        await self.pool.run(visitor, name, QUICK, task, lambda told: found.extend(told.reasons),
                            may_end_early=False)
        return found

    async def hint(self, state: State, chart: str, visitor: str, seconds: float) -> Update:
        """The values of a position after at most so many seconds of thought, and at least a first look."""
        self.check(state)
        position = await asyncio.to_thread(CanonicalPosition.of, state, chart)
        last: Update | None = None
        enough = asyncio.get_running_loop().create_future()

        def update(news: Update) -> None:
            nonlocal last
            if news.known.moves:
                last = news
                if (news.done or news.known.seconds >= seconds) and not enough.done():
                    enough.set_result(None)

        def fail(problem: str) -> None:
            if not enough.done():
                enough.set_exception(PolyversiError(problem))

        leave = await self.looks.begin(Look(visitor, position, update, fail))
        try:
            await enough
        finally:
            leave()
        assert last is not None
        return last


def _placed(asked: WhyAsked) -> tuple[CanonicalPosition, State]:
    state = chosen_game(asked.spec, asked.map).position(asked.position)
    return CanonicalPosition.of(state, asked.map), state
