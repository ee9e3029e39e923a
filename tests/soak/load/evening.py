"""An evening at the server: guests come, play game after game, and what they received is checked."""

from __future__ import annotations

import asyncio
import random
import resource
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from polyversi.storage.games import Store
from tests.soak.load.checks import plain, stored_faults
from tests.soak.load.crowd import Crowd, Guest
from tests.soak.load.measuring import Times, memory_of, processor_of, watch_lag
from tests.testing.page_server import Served

VARIANTS = {"othello": 2, "hex": 2, "rolit": 4, "xt:arena": 4}
"""What is played in turn, with the number of seats."""
AT_ONCE = 50
"""Guests that connect at the same time."""
EVERY, LOOKS = 10.0, 10
"""Seconds between two measurements of the server, and their least number in a short run."""
SETTLE = 2.0
"""Seconds that an idle server is given to settle before it is measured."""
TIMEOUT = 60.0
"""Seconds for everybody to receive the last events; far more than it takes."""
LOOK_AGAIN = 0.05

Say = Callable[[str], None]


@dataclass(frozen=True)
class Plan:
    """How many guests come, and how long they stay."""

    clients: int
    games: int
    seconds: float
    rate: float
    """Moves a second in all games together."""
    seed: int


def spend(plan: Plan, folder: Path, say: Say) -> tuple[dict[str, Any], list[str]]:
    """The figures of the evening and what was wrong, with a server over a new store in that folder."""
    _allow_files(plan.clients + 200)
    served = Served(folder)
    with served:
        figures, crowd = asyncio.run(_Evening(plan, served, say).spend())
    faults = crowd.faults
    if served.log:
        faults.append(f"the server wrote: {served.log[:2000]}")
    say("comparing with the store")
    store = Store.open(served.store)
    for table in crowd.tables.values():
        received = [plain(line) for line in table.lines]
        faults += stored_faults(table.game, store.events(table.game), received, table.acknowledged)
    store.close()
    figures["moves"]["acknowledged"] = sum(len(table.acknowledged) for table in crowd.tables.values())
    figures["games"] = len(crowd.tables)
    return figures, faults


class _Evening:
    def __init__(self, plan: Plan, served: Served, say: Say) -> None:
        self._plan = plan
        self._served = served
        self._say = say
        self._crowd = Crowd(served.port, plan.games / plan.rate, random.Random(plan.seed))
        self._guests: list[Guest] = []
        self._lag = Times()
        self._looks: list[dict[str, float]] = []

    async def spend(self) -> tuple[dict[str, Any], Crowd]:
        """Everything from the first game to the last look."""
        at_start = self._memory()
        await self._set_up()
        await asyncio.sleep(SETTLE)
        with_games = self._memory()
        async with self._everybody():
            await asyncio.sleep(SETTLE)
            with_clients = self._memory()
            began, server, own = time.perf_counter(), processor_of(self._served.pid), time.process_time()
            lag = asyncio.create_task(watch_lag(self._lag))
            await self._play()
            seconds = time.perf_counter() - began
            server, own = processor_of(self._served.pid) - server, time.process_time() - own
            lag.cancel()
            moves = sum(len(table.sent) for table in self._crowd.tables.values())
            await self._wait(self._is_quiet, "not everybody has received everything")
        return {
            "plan": asdict(self._plan),
            "opponents": self._crowd.opponents.to_json(),
            "spectators": self._crowd.spectators.to_json(),
            "moves": {"sent": moves, "a_second": moves / seconds},
            "messages_a_second": self._crowd.messages / seconds,
            "memory": {
                "at_start": at_start, "with_games": with_games, "with_clients": with_clients,
                "a_client": (with_clients - with_games) / len(self._guests), "looks": self._looks,
                "growth_a_minute": growth(self._looks),
            },
            "processor": {"server": server / seconds, "clients": own / seconds},
            "lag_of_clients": self._lag.to_json(),
        }, self._crowd

    async def _set_up(self) -> None:
        """Opens the games, which wait for their players."""
        for number in range(self._plan.games):
            spec = list(VARIANTS)[number % len(VARIANTS)]
            seats = ["me", *["friend"] * (VARIANTS[spec] - 1)]
            new = await asyncio.to_thread(self._served.new_game, spec, *seats, seed=number)
            tokens = [new["token"], *(link.partition("#")[2] for link in new["links"].values())]
            for seat, token in enumerate(tokens, 1):
                self._add(new["game"], f"player {seat}", token, asks_again=seat == 1)
        games = list(self._crowd.tables)
        for number in range(self._plan.clients - len(self._guests)):
            self._add(games[number % len(games)], "somebody who watches", "", asks_again=False)

    def _add(self, game: str, name: str, token: str, *, asks_again: bool) -> None:
        self._guests.append(Guest(self._crowd, game, name, token, asks_again=asks_again))

    @asynccontextmanager
    async def _everybody(self) -> AsyncIterator[None]:
        """All guests, connected, until the end of the evening."""
        async with asyncio.TaskGroup() as group:
            tasks: list[asyncio.Task[None]] = []
            for guest in self._guests:
                tasks.append(group.create_task(guest.run()))
                await self._wait(lambda: len(tasks) - self._connected() < AT_ONCE, "not everybody comes")
                self._say(f"{len(tasks)} guests have come")
            await self._wait(lambda: self._connected() == len(tasks), "not everybody came")
            yield
            for task in tasks:
                task.cancel()

    async def _play(self) -> None:
        """Lets them play, and looks at the server now and then."""
        self._crowd.may_play.set()
        began = time.perf_counter()
        every = min(EVERY, self._plan.seconds / LOOKS)
        while (passed := time.perf_counter() - began) < self._plan.seconds and not self._crowd.faults:
            await asyncio.sleep(min(every, self._plan.seconds - passed))
            self._look(time.perf_counter() - began)
        self._crowd.may_play.clear()
        self._crowd.is_closing = True

    def _look(self, second: float) -> None:
        running = {guest.table for guest in self._guests}
        self._looks.append({"second": second, "memory": self._memory(), "games": len(self._crowd.tables),
                            "events": sum(len(table.lines) for table in running)})
        self._say(f"{second:.0f} s, {len(self._crowd.tables)} games so far")

    def _connected(self) -> int:
        return sum(guest.is_connected for guest in self._guests)

    def _is_quiet(self) -> bool:
        tables = {guest.table for guest in self._guests}
        return all(guest.is_up_to_date for guest in self._guests) and all(table.is_quiet for table in tables)

    async def _wait(self, is_so: Callable[[], bool], otherwise: str) -> None:
        """Waits for a condition; it is a fault if it does not become true in time."""
        give_up = time.perf_counter() + TIMEOUT
        while not is_so():
            if time.perf_counter() > give_up:
                self._crowd.faults.append(f"{otherwise} within {TIMEOUT:g} s")
                return
            await asyncio.sleep(LOOK_AGAIN)

    def _memory(self) -> int:
        return memory_of(self._served.pid)


def growth(looks: list[dict[str, float]]) -> float:
    """Bytes a minute by which memory grew in the second half of the time.

    A running game holds every position since its start and gives it back at its end, and a process keeps
    what it has once had. So memory grows until games have followed each other for a while, and no longer.

    >>> round(growth([{"second": second, "memory": 1000 + 10 * second} for second in range(0, 90, 10)]))
    600
    """
    late = looks[len(looks) // 2 :]
    if len(late) < 2:
        return 0.0
    return 60 * float(np.polyfit([look["second"] for look in late], [look["memory"] for look in late], 1)[0])


def _allow_files(wanted: int) -> None:
    """Raises the number of open files that this process and the server may have."""
    least, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    if least < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(2 * wanted, most), most))
