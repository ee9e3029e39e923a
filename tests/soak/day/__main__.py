"""`python -m tests.soak.day [--minutes N]`: a day of a server in an hour; 1 if anything was lost or grew."""

from __future__ import annotations

import argparse
import asyncio
import itertools
import random
import signal
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path

import httpx
from rich import box
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from polyversi.gameplay.events import Event
from polyversi.gameplay.log import GameLog
from polyversi.records.maps import named_game
from polyversi.server.messages import encode
from polyversi.storage.games import Store, StoredGame, StoreError
from tests.soak.day import people, villains
from tests.soak.day.watching import UNITS, Look, growth, look, quarters
from tests.soak.day.world import Json, World
from tests.soak.load.checks import plain
from tests.testing.command import polyversi
from tests.testing.page_server import Served

LOOKS, LINES = 120, 12
"""How often the server is looked at, and about how many of these looks a log has."""
KILLS = 8
"""How often it is killed, in the first part of the day: afterwards nothing hides growth."""
LAST_KILL = 0.25
PRUNES = 12
"""How often the operator has old games removed, besides what every start removes."""
KEEP = "3"
"""Megabytes of games without people that are kept, little enough to be reached in a short run."""
KEPT_UPLOADS = 3
"""The newest uploads, which must be there after a kill."""


class Day:
    """One day: everybody comes, the server is killed now and then, and looked at all the time."""

    def __init__(self, served: Served, seconds: float, seed: int, show: Callable[[float, str], None]) -> None:
        self.world = World(served, random.Random(seed))
        self.looks: list[Look] = []
        self._seconds = seconds
        self._show = show
        self._began = time.monotonic()

    @property
    def passed(self) -> float:
        """Seconds since it began."""
        return time.monotonic() - self._began

    async def spend(self) -> None:
        """The whole day, or what there is of it until Ctrl-C."""
        self.world.is_up.set()
        stop = asyncio.Event()
        asyncio.get_running_loop().add_signal_handler(signal.SIGINT, stop.set)
        tasks = [asyncio.create_task(self.world.keep(role)) for role in (*people.ROLES, *villains.ROLES)]
        tasks += [asyncio.create_task(work()) for work in (self._watch, self._kill, self._prune)]
        try:
            with suppress(TimeoutError):
                async with asyncio.timeout(self._seconds):
                    failing = [asyncio.create_task(stop.wait()), *tasks]
                    await asyncio.wait(failing, return_when=asyncio.FIRST_COMPLETED)
                    for task in tasks:
                        if task.done() and (error := task.exception()):
                            self.world.fault(f"the program itself failed: {type(error).__name__}: {error}")
        finally:
            self.world.is_up.clear()
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _watch(self) -> None:
        while True:
            await self.world.is_up.wait()
            with suppress(OSError, StoreError):    # it was killed just now
                self.looks.append(await asyncio.to_thread(look, self.world.served, self.passed))
                now, counts = self.looks[-1], self.world.counts
                self._show(self.passed, f"{now.memory:.0f} MiB, {now.handles:.0f} handles, "
                           f"{counts['moves of people']:,} moves, {counts['faults']} faults")
            await asyncio.sleep(self._seconds / LOOKS)

    async def _kill(self) -> None:
        world = self.world
        for _ in range(KILLS):
            await asyncio.sleep(LAST_KILL * self._seconds / KILLS)
            world.is_up.clear()
            newest = world.uploads[-KEPT_UPLOADS:]
            await asyncio.to_thread(world.served.kill)
            await asyncio.to_thread(world.served.start)
            world.counts["kills"] += 1
            async with httpx.AsyncClient(base_url=world.served.address, timeout=60) as http:
                for game in newest:
                    if (await http.get(f"/api/games/{game}")).status_code != 200:
                        world.fault(f"the upload {game} was acknowledged and is gone after a kill")
            world.is_up.set()
        await asyncio.Event().wait()

    async def _prune(self) -> None:
        while True:
            await asyncio.sleep(self._seconds / PRUNES)
            done = await asyncio.to_thread(
                polyversi, "store", "prune", self.world.served.store, "--keep-megabytes", KEEP)
            self.world.counts["times that old games were removed"] += 1
            if done.returncode:
                self.world.fault(f"old games could not be removed: {done.stderr[:200]}")


def lost(world: World) -> int:
    """Compares the store of a dead server with what people were told; how many events were compared."""
    compared = 0
    with closing(Store.open(world.served.store)) as store:
        for game, told in world.told.items():
            stored = store.game(game)
            there = [] if stored is None else _told(stored, store.events(game))
            compared += len(told)
            if there[:len(told)] != told:
                pairs = enumerate(zip(there, told, strict=False))
                first = next((at for at, (one, other) in pairs if one != other), len(there))
                world.fault(f"game {game}: {len(told)} events were acknowledged and {len(there)} are stored; "
                            f"event {first} differs")
    return compared


def _told(stored: StoredGame, events: list[Event]) -> list[Json]:
    """Stored events as players are told them: with the positions that the rules tell."""
    log, told = GameLog(named_game(stored.spec, stored.map).position(stored.start)), []
    for event in events:
        log.apply(event)
        told.append(plain(encode(log.with_position(event))))
    return told


def report(console: Console, day: Day, seconds: float, compared: int) -> None:
    """Everything that was counted and measured."""
    table = Table(box=box.SIMPLE, title="Figures of the server, mean of each quarter")
    for column in ("figure", "first", "second", "third", "last", ""):
        table.add_column(column, justify="left" if column in ("figure", "") else "right")
    for what in (*UNITS, "people"):
        means = [f"{mean:.1f}" for mean in quarters(day.looks, what, seconds)]
        name = {"store": "store, games without people", "people": "store, games of people"}.get(what, what)
        table.add_row(name, *means, UNITS.get(what, "MB"))
    console.print(table)
    world = day.world
    for name, count in sorted(world.counts.items()):
        console.print(f"{count:9,} {name}", highlight=False)
    console.print(f"{compared:9,} acknowledged events compared with the store", highlight=False)
    middle, slowest = world.moves.share(0.5), world.moves.share(0.99)
    console.print(f"moves of people: p50 {middle:.0f} ms, p99 {slowest:.0f} ms", highlight=False)
    for fault in world.faults[:20]:
        console.print(f"fault: {fault}", highlight=False, markup=False)


def main() -> int:
    """Spends the day and reports; returns 1 if anything was lost, refused to honest visitors, or grew."""
    parser = argparse.ArgumentParser("tests.soak.day", description="A day of a server in an hour.")
    parser.add_argument("--minutes", type=float, default=60.0)
    parser.add_argument("--seed", type=int, default=1, help="seed of what visitors do")
    asked = parser.parse_args()
    console, seconds = Console(), 60 * asked.minutes
    columns = TextColumn("{task.description}"), BarColumn(), TimeRemainingColumn()
    with tempfile.TemporaryDirectory() as folder, Progress(*columns, console=console) as progress:
        bar = progress.add_task("starting", total=seconds)
        served = Served(Path(folder), "--keep-megabytes", KEEP)
        served.start()
        lines = itertools.count()

        def show(passed: float, what: str) -> None:
            progress.update(bar, completed=passed, description=what)
            if next(lines) % (LOOKS // LINES) == 0 and not console.is_terminal:
                console.print(f"{passed / 60:5.1f} min: {what}", highlight=False)

        day = Day(served, seconds, asked.seed, show)
        try:
            asyncio.run(day.spend())
        finally:
            served.kill()    # the last moves that were acknowledged must be there all the same
        progress.update(bar, description="comparing with the store")
        spent = min(seconds, day.passed)
        compared = lost(day.world)
        _, trace, after = served.log.partition("Traceback")
        if trace:
            day.world.fault(f"the server wrote {trace}{after[:2000]}")
    report(console, day, spent, compared)
    grown = growth(day.looks, spent) if spent >= seconds else []
    for sentence in grown:
        console.print(f"not flat: {sentence}", highlight=False)
    is_well = not (grown or day.world.faults)
    console.print(f"{day.world.counts['faults']} faults in {spent / 60:.0f} minutes; "
                  + ("nothing lost, nothing grew" if is_well else "failed"), highlight=False)
    return 0 if is_well else 1


if __name__ == "__main__":
    sys.exit(main())
