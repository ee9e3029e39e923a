"""The queue of the engine workers: first looks soon for everybody, deep ones too, and nothing saved up."""

from __future__ import annotations

import asyncio
import random

import pytest

from polyversi.server.analysis.queue import FIRST, MAX_SLICE, Slices, next_slice
from polyversi.server.turns import Release
from tests.testing.clock import simulated

VISITORS, WORKERS, MINUTES = 200, 2, 2
STAY, OVERHEAD = 3.0, 0.01
"""Seconds that a visitor stays at a position on average, and that a slice costs besides."""


class Queue:
    """Who is served, in which order, by one worker that somebody holds."""

    def __init__(self) -> None:
        self.slices = Slices(1)
        self.served: list[str] = []
        self.tasks: list[asyncio.Task[None]] = []

    async def ask(self, visitor: str, seconds: float) -> None:
        """Somebody asks for a slice and waits."""
        self.tasks.append(asyncio.create_task(self._think(visitor, seconds)))
        await asyncio.sleep(0)

    async def _think(self, visitor: str, seconds: float) -> None:
        release = await self.slices.take(visitor, seconds)
        self.served.append(visitor)
        release()


def test_first_looks_come_before_deep_ones_in_a_crowd_and_deep_ones_come_too() -> None:
    async def queue() -> None:
        queue = Queue()
        release = await queue.slices.take("somebody", FIRST)
        await queue.ask("deep", 0.4)
        for number in range(60):
            await queue.ask(f"visitor {number}", FIRST)
        assert queue.slices.longest == pytest.approx(5 / 62)
        assert queue.slices.wait(FIRST) == pytest.approx(60 * FIRST)
        await queue.ask("visitor 0", FIRST)    # which has waited longest, but wants two
        release()
        await asyncio.gather(*queue.tasks)
        assert 20 < queue.served.index("deep") < 50    # a fifth of the time is for such
        assert queue.served[-1] == "visitor 0"
        assert queue.slices.wait(FIRST) is None

    asyncio.run(queue())


def test_nobody_saves_up_time_to_be_served_before_all_others() -> None:
    async def queue() -> None:
        queue = Queue()
        for _ in range(100):    # Ann has had a lot while nobody else was there
            (await queue.slices.take("Ann", FIRST))()
        release = await queue.slices.take("somebody", FIRST)
        await queue.ask("Ann", FIRST)
        for number in range(5):
            await queue.ask(f"visitor {number}", FIRST)
        release()
        await asyncio.gather(*queue.tasks)
        assert queue.served.index("Ann") <= 5

    asyncio.run(queue())


def test_what_is_called_off_leaves_the_queue() -> None:
    async def queue() -> None:
        queue = Queue()
        release = await queue.slices.take("somebody", FIRST)
        for number in range(50):
            await queue.ask(f"visitor {number % 5}", 2.0)
            queue.tasks[-1].cancel()
        await asyncio.gather(*queue.tasks, return_exceptions=True)
        assert queue.slices.crowd == 1
        release()
        assert queue.slices.crowd == 0

    asyncio.run(queue())


@pytest.mark.slow
def test_two_hundred_visitors_wait_no_longer_than_twice_the_fair_share() -> None:
    """Slices end early or late, as on a real machine, and some visitors look elsewhere before theirs do."""
    waits: list[float] = []
    deep: dict[str, float] = {}

    async def evening() -> None:
        slices, rng = Slices(WORKERS), random.Random(1)
        loop = asyncio.get_running_loop()
        leaving: set[asyncio.Task[None]] = set()

        async def leave(release: Release, after: float) -> None:
            await asyncio.sleep(after)
            release()

        async def think(visitor: str, first: asyncio.Event, limit: float) -> None:
            spent = 0.0
            while spent < limit:
                seconds = next_slice(spent, limit)
                release = await slices.take(visitor, seconds)
                try:
                    took = OVERHEAD + seconds * rng.uniform(0.4, 1.4)
                    await asyncio.sleep(took / 2)
                    first.set()    # a shallow iteration has told values
                    await asyncio.sleep(took / 2)
                finally:    # a worker that is told to stop takes a moment
                    leaving.add(asyncio.create_task(leave(release, rng.uniform(0, 0.02))))
                spent += seconds
                deep[visitor] = max(deep.get(visitor, 0.0), spent)

        async def visit(visitor: str) -> None:
            while loop.time() < 60 * MINUTES:
                first, began = asyncio.Event(), loop.time()
                looking = asyncio.create_task(think(visitor, first, 30))
                await first.wait()
                waits.append(loop.time() - began)
                await asyncio.sleep(rng.expovariate(1 / STAY))
                looking.cancel()

        staying = asyncio.create_task(think("somebody who stays", asyncio.Event(), 3600))
        await asyncio.gather(*(visit(f"visitor {number}") for number in range(VISITORS)))
        staying.cancel()
        await asyncio.gather(*leaving, return_exceptions=True)

    simulated(evening())
    assert len(waits) > 3000
    assert max(waits) <= 2 * VISITORS * FIRST / WORKERS
    assert deep["somebody who stays"] > 5 * FIRST    # who does not starve


def test_a_long_slice_that_still_runs_does_not_keep_the_next_look_waiting() -> None:
    """Whoever looks elsewhere while a deep slice runs waits for a round, not until all have had as much."""
    async def evening() -> list[str]:
        slices, served = Slices(1), list[str]()

        async def look(name: str) -> None:
            release = await slices.take(name, FIRST)
            served.append(name)
            await asyncio.sleep(FIRST)
            release()

        async def look_again_and_again(name: str) -> None:
            while "Ann" not in served:
                await look(name)

        leave = await slices.take("Ann", MAX_SLICE)
        others = [asyncio.create_task(look_again_and_again(name)) for name in ("Bob", "Eve", "Zoe")]
        new = asyncio.create_task(look("Ann"))
        await asyncio.sleep(MAX_SLICE)
        leave()
        await asyncio.gather(new, *others)
        return served

    assert simulated(evening()).index("Ann") <= 6    # two rounds of the three others
