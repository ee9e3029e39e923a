"""`python -m tests.soak.load.analysis`: hundreds of visitors analyse at once while others play, measured.

Every visitor comes from an address of its own and looks at positions that nobody has seen, one after another.
Meanwhile people play each other, and computers play on clocks.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec
from rich.console import Console
from rich.table import Table as Grid
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

import polyversi as pv
from polyversi.games.state import State
from polyversi.server.analysis.messages import LookMessage
from polyversi.server.analysis.queue import FIRST
from tests.soak.load.checks import FAIR, plain
from tests.soak.load.crowd import Crowd, Guest
from tests.soak.load.measuring import Times, watch_lag
from tests.testing.page_server import Served

SPECS = ("othello", "othello", "othello", "hex", "anti")
"""What is analysed, Othello more often than others."""
STAY = 3.0
"""Seconds that a visitor stays at a position once it has values, on average."""
CLOCK = "bank=20"
COMPUTER = "polyversi:level=12"
MOVES = 2.0
"""Moves a second in each game of people."""
MOST_MILLISECONDS = 50
AT_ONCE = 50
CONNECT_TIMEOUT = 120

Say = Callable[[str], None]


@dataclass(frozen=True)
class Plan:
    """How many come, and for how long."""

    visitors: int
    games: int
    seconds: float
    workers: int
    seed: int

    @property
    def fair_wait(self) -> float:
        """Seconds until the last one has values, when all look at something new at the same time.

        >>> Plan(200, 10, 120, 2, 1).fair_wait
        5.0
        """
        return self.visitors * FIRST / self.workers


class Told(msgspec.Struct, tag="values", tag_field="type"):
    """What is needed of the values of a position."""

    id: int
    seconds: float
    moves: list[msgspec.Raw]


@dataclass
class Figures:
    """What was seen."""

    waits: Times = field(default_factory=Times)
    """From a look to its first values."""
    engine: dict[int, float] = field(default_factory=dict)
    """Engine seconds that each visitor has had."""
    clocked: int = 0
    """Games of computers on clocks that were played to their end."""
    lag: Times = field(default_factory=Times)
    faults: list[str] = field(default_factory=list)


def random_position(rng: random.Random) -> State:
    """A position that nobody has looked at, most likely.

    >>> random_position(random.Random(1)).is_over
    False
    """
    game = pv.game(rng.choice(SPECS))
    while True:
        state = game.start()
        for _ in range(rng.randrange(8, 30)):
            if not state.is_over:
                state = state.play(rng.choice(state.moves))
        if not state.is_over:
            return state


class Evening:
    """Everything that happens at the server."""

    def __init__(self, plan: Plan, served: Served) -> None:
        self.figures = Figures()
        self.crowd = Crowd(served.port, 1 / MOVES, random.Random(plan.seed))
        self._plan = plan
        self._served = served
        self._rng = random.Random(plan.seed)
        self._come = 0
        self._is_over = False

    async def spend(self, say: Say) -> None:
        """People and visitors come, stay for a while and go."""
        guests = await asyncio.to_thread(self._open_games)
        tasks = [asyncio.create_task(guest.run()) for guest in guests]
        entering = asyncio.Semaphore(AT_ONCE)
        tasks += [asyncio.create_task(self._visit(number, entering)) for number in range(self._plan.visitors)]
        tasks.append(asyncio.create_task(self._watch_computers()))
        while self._come < self._plan.visitors and not self.figures.faults:
            say(f"{self._come} visitors have come")
            await asyncio.sleep(0.1)
        tasks.append(asyncio.create_task(watch_lag(self.figures.lag)))
        self.crowd.may_play.set()
        began = time.perf_counter()
        while (passed := time.perf_counter() - began) < self._plan.seconds and not self.figures.faults:
            say(f"{passed:.0f} s, {self.figures.waits.count} looks so far")
            await asyncio.sleep(min(1.0, self._plan.seconds - passed))
        self._is_over = self.crowd.is_closing = True
        for task in tasks:
            task.cancel()
        for result in await asyncio.gather(*tasks, return_exceptions=True):
            if isinstance(result, Exception):
                self.figures.faults.append(f"{type(result).__name__}: {result}")
        self.figures.faults += self.crowd.faults

    def _open_games(self) -> list[Guest]:
        guests = []
        for number in range(self._plan.games):
            new = self._served.new_game("othello", "me", "friend", seed=number)
            tokens = [new["token"], new["links"]["2"].partition("#")[2]]
            guests += [Guest(self.crowd, new["game"], f"player {seat}", token, asks_again=seat == 1)
                       for seat, token in enumerate(tokens, 1)]
        return guests

    async def _watch_computers(self) -> None:
        """Attends one game of computers on clocks after another; none may lose on time."""
        while not self._is_over:
            new = await asyncio.to_thread(
                self._served.new_game, "othello", COMPUTER, COMPUTER, limit=CLOCK)
            watching = Guest(self.crowd, new["game"], "somebody who watches")
            run = asyncio.create_task(watching.run())
            try:
                while not (ends := [line for line in watching.table.lines if b'"kind":"end"' in line]):
                    await asyncio.sleep(0.1)
            finally:
                run.cancel()
            verdict = plain(ends[0])["data"]["verdict"]["kind"]
            if verdict not in FAIR:
                self.figures.faults.append(f"a game of computers on clocks ended by {verdict}")
            self.figures.clocked += 1

    async def _visit(self, number: int, entering: asyncio.Semaphore) -> None:
        """Looks at one position after another."""
        address = f"198.51.{100 + number // 250}.{number % 250}"
        url = f"ws://127.0.0.1:{self._served.port}/api/analysis/socket"
        decoder = msgspec.json.Decoder(Told)
        async with entering:
            line = await connect(url, compression=None, ping_interval=None, open_timeout=CONNECT_TIMEOUT,
                                 proxy=None, additional_headers={"X-Forwarded-For": address})
        self._come += 1
        await self.crowd.may_play.wait()    # all begin at the same time
        try:
            for id in range(sys.maxsize):
                state = random_position(self._rng)
                look = LookMessage(id, state.game.spec, state.text)
                since = time.perf_counter()
                await line.send(msgspec.json.encode(look), text=True)
                leave, spent = float("inf"), 0.0
                while (now := time.perf_counter()) < leave:
                    try:
                        async with asyncio.timeout(leave - now if leave < float("inf") else None):
                            told = decoder.decode(await line.recv(decode=False))
                    except TimeoutError:
                        break
                    if told.id != id or not told.moves:
                        continue
                    spent = told.seconds
                    if leave == float("inf"):
                        now = time.perf_counter()
                        self.figures.waits.add(now - since)
                        leave = now + self._rng.expovariate(1 / STAY)
                self.figures.engine[number] = self.figures.engine.get(number, 0.0) + spent
        except (OSError, ConnectionClosed, msgspec.DecodeError) as error:
            self.figures.faults.append(f"visitor {number}: {error}")
        finally:
            await line.close()


def spend(plan: Plan, folder: Path, say: Say) -> tuple[dict[str, Any], list[str]]:
    """The figures, and what was wrong."""
    options = "--analysis-workers", str(plan.workers)
    with Served(folder, *options) as served:
        evening = Evening(plan, served)
        asyncio.run(evening.spend(say))
    found = evening.figures
    if served.log:
        found.faults.append(f"the server wrote: {served.log[:2000]}")
    shares = [found.engine.get(number, 0.0) for number in range(plan.visitors)]
    mean = sum(shares) / max(1, len(shares))
    return {
        "looks": found.waits.count,
        "waits": found.waits.to_json(),
        "fair_wait": 1000 * plan.fair_wait,
        "engine": sum(shares) / plan.seconds,
        "least_share": min(shares, default=0.0) / mean if mean else 0.0,
        "moves": evening.crowd.opponents.to_json(),
        "lag_of_clients": found.lag.to_json(),
        "clocked_games": found.clocked,
        "load_average": os.getloadavg()[0],
    }, found.faults


def table(plan: Plan, figures: dict[str, Any]) -> Grid:
    """Everything that was measured."""
    shown = Grid(title=f"{plan.visitors} visitors analyse, {plan.games} games are played, {plan.seconds:g} s")
    shown.add_column("what")
    shown.add_column("figure", justify="right")
    waits, moves, lag = figures["waits"], figures["moves"], figures["lag_of_clients"]
    shown.add_row("looks at new positions", f"{figures['looks']:,}")
    shown.add_row("look to first values: p50, p99, longest",
                  f"{waits['p50']:.0f}, {waits['p99']:.0f}, {waits['max']:.0f} ms")
    shown.add_row("  fair share of waiting", f"{figures['fair_wait']:.0f} ms")
    shown.add_row("engine seconds a second, of all visitors", f"{figures['engine']:.2f}")
    shown.add_row("  the least of a visitor, of the mean", f"{figures['least_share']:.0%}")
    shown.add_row("move to opponent: p50, p99, max",
                  f"{moves['p50']:.1f}, {moves['p99']:.1f}, {moves['max']:.1f} ms")
    shown.add_row("  of it the clients' own lag: p50, p99, max",
                  f"{lag['p50']:.1f}, {lag['p99']:.1f}, {lag['max']:.1f} ms")
    shown.add_row("moves of people", f"{moves['count']:,}")
    shown.add_row("games of computers on clocks, none lost on time", f"{figures['clocked_games']}")
    shown.add_row("load average at the end", f"{figures['load_average']:.1f}")
    return shown


def goals(figures: dict[str, Any]) -> dict[str, bool]:
    """What is wanted, and whether it was reached."""
    slowest = figures["moves"]["p99"]
    return {
        "nobody waits longer than twice the fair share": figures["waits"]["max"] <= 2 * figures["fair_wait"],
        f"p99 from move to opponent under {MOST_MILLISECONDS} ms": slowest < MOST_MILLISECONDS,
        "no computer loses on time": bool(figures["clocked_games"]),
    }


def main() -> int:
    """Runs the load and shows the figures; returns 1 if anything was wrong."""
    parser = argparse.ArgumentParser(prog="python -m tests.soak.load.analysis", description=__doc__)
    parser.add_argument("--visitors", type=int, default=200, help="who analyse at the same time")
    parser.add_argument("--games", type=int, default=10, help="games of two people meanwhile")
    parser.add_argument("--seconds", type=float, default=120, help="how long")
    parser.add_argument("--workers", type=int, default=2, help="engine workers of the server")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, help="a file for the figures, as JSON")
    arguments = parser.parse_args()
    plan = Plan(arguments.visitors, arguments.games, arguments.seconds, arguments.workers, arguments.seed)
    console = Console()
    with tempfile.TemporaryDirectory() as folder, console.status("starting the server") as status:
        figures, faults = spend(plan, Path(folder), status.update)
    console.print(table(plan, figures))
    for goal, is_met in goals(figures).items():
        console.print(f"{'met   ' if is_met else 'missed'} {goal}", highlight=False)
    for fault in faults[:20]:
        console.print(f"fault: {fault}", highlight=False, markup=False)
    console.print(f"{len(faults)} faults")
    if arguments.out:
        arguments.out.write_text(json.dumps(figures | {"faults": faults}, indent=1) + "\n")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
