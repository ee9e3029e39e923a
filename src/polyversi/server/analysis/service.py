"""Analysis as a service: one pool of engine workers behind looks, reviews, proofs and hints."""

from __future__ import annotations

import asyncio

from polyversi.engines.judge import can_judge
from polyversi.games.errors import PolyversiError
from polyversi.games.state import State
from polyversi.server.analysis.cache import Cache, Place
from polyversi.server.analysis.looks import Known, Look, Looks
from polyversi.server.analysis.policy import AnalysisPolicy
from polyversi.server.analysis.proofs import Proofs
from polyversi.server.analysis.reviews import Reviews
from polyversi.server.analysis.workers import Pool
from polyversi.server.lobby import Lobby

WARM_AFTER = 5.0
"""Seconds after its start at which an idle server starts its engine workers."""
OFF = "this server does not analyse: its operator has switched the engine workers off"


class AnalysisService:
    """Everything that thinks for visitors who analyse."""

    def __init__(self, lobby: Lobby, policy: AnalysisPolicy) -> None:
        self.policy = policy
        self.pool = Pool(policy.workers, lobby.say)
        self.cache = Cache(lobby.store)
        self.looks = Looks(self.pool, self.cache, lambda: lobby.write_queue, policy.seconds)
        self.reviews = Reviews(lobby, self.pool, self.cache)
        self.proofs = Proofs(lobby.say)
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

    def check(self, state: State) -> None:
        """Raises a PolyversiError that says why a position cannot be analysed, if it cannot."""
        if not self.is_on:
            raise PolyversiError(OFF)
        if problem := can_judge(state.game):
            raise PolyversiError(problem)

    async def hint(self, state: State, chart: str, visitor: str, seconds: float) -> Known:
        """The values of a position after at most so many seconds of thought, and at least a first look."""
        self.check(state)
        place = await asyncio.to_thread(Place.of, state, chart)
        known: Known | None = None
        enough = asyncio.get_running_loop().create_future()

        def tell(found: Known) -> None:
            nonlocal known
            if found.data["moves"]:
                known = found
                if (found.done or found.data["seconds"] >= seconds) and not enough.done():
                    enough.set_result(None)

        def fail(problem: str) -> None:
            if not enough.done():
                enough.set_exception(PolyversiError(problem))

        leave = await self.looks.begin(Look(visitor, place, tell, fail))
        try:
            await enough
        finally:
            leave()
        assert known is not None
        return known
