"""`python -m benchmarks.analysis_workers`: engine workers as threads, as processes, and at low priority.

While two of them think, an event loop such as the server's looks how late it is, and a player thinks in a
thread beside it, as the server's players do.
"""

from __future__ import annotations

import asyncio
import os
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager

import polyversi as pv
from polyversi.engines.judge import judge
from polyversi.server.analysis.tasks import Think
from polyversi.server.analysis.workers import NICE, Worker

SECONDS = 5.0
EVERY = 0.002
WORKERS = 2
OPENINGS = ("f5d6c3d3c4", "f5f6e6f4")


@asynccontextmanager
async def nobody() -> AsyncIterator[None]:
    """No worker at all."""
    yield


@asynccontextmanager
async def threads() -> AsyncIterator[None]:
    """Workers that are threads of this process."""
    judges = [judge("othello", megabytes=32) for _ in range(WORKERS)]

    def think(number: int) -> None:
        for _ in judges[number].analyse(_position(number), pv.Limit(seconds=2 * SECONDS)):
            pass

    running = [asyncio.create_task(asyncio.to_thread(think, number)) for number in range(WORKERS)]
    yield
    for one in judges:
        one.stop()
    await asyncio.gather(*running)


def processes(nice: int) -> Callable[[], AbstractAsyncContextManager[None]]:
    """Workers that are processes, with that priority."""
    @asynccontextmanager
    async def run() -> AsyncIterator[None]:
        workers = [Worker(nice) for _ in range(WORKERS)]
        begun = [asyncio.Event() for _ in workers]
        tasks = [asyncio.create_task(_think(worker, number, begun[number]))
                 for number, worker in enumerate(workers)]
        for one in begun:
            await one.wait()
        yield
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for worker in workers:
            await worker.close()

    return run


async def _think(worker: Worker, number: int, begun: asyncio.Event) -> None:
    task = Think("othello", "", _position(number).text, 4 * SECONDS)
    await worker.run(task, lambda _: begun.set(), None)


def _position(number: int) -> pv.State:
    state = pv.game("othello").start()
    moves = OPENINGS[number]
    for place in range(0, len(moves), 2):
        state = state.play(moves[place:place + 2])
    return state


@contextmanager
def playing() -> Iterator[list[int]]:
    """A player that thinks in a thread; how many nodes it has searched at the end."""
    player, nodes = judge("othello", megabytes=32), list[int]()

    def think() -> None:
        for _ in player.analyse(pv.game("othello").start().play("f5"), pv.Limit(seconds=2 * SECONDS)):
            pass

    thread = threading.Thread(target=think)
    thread.start()
    yield nodes
    nodes.append(player.nodes)
    player.stop()
    thread.join()


async def measure(name: str, workers: Callable[[], AbstractAsyncContextManager[None]]) -> None:
    """Prints how late the event loop is while they think, and how far a player gets."""
    late: list[float] = []
    async with workers():
        with playing() as nodes:
            until = time.perf_counter() + SECONDS
            while (now := time.perf_counter()) < until:
                await asyncio.sleep(EVERY)
                late.append(1000 * (time.perf_counter() - now - EVERY))
    late.sort()
    shares = [late[round(part * (len(late) - 1))] for part in (0.5, 0.99, 1.0)]
    speed = nodes[0] / SECONDS / 1e6
    print(f"{name:<28}" + "".join(f"{share:>10.1f}" for share in shares) + f"{speed:>17.2f}")


async def main() -> None:
    """Everything, one after another."""
    print(f"load average {os.getloadavg()[0]:.1f}, {os.cpu_count()} processors")
    print(f"{'ms late:':<28}{'median':>10}{'p99':>10}{'worst':>10}{'player Mnodes/s':>17}")
    for name, workers in {
        "no workers": nobody,
        f"{WORKERS} threads": threads,
        f"{WORKERS} processes": processes(0),
        f"{WORKERS} processes, nice {NICE}": processes(NICE),
    }.items():
        await measure(name, workers)


if __name__ == "__main__":
    asyncio.run(main())
