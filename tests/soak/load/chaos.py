"""`python -m tests.soak.load.chaos [--games N] …`: plays whole games over a bad network and checks them."""

from __future__ import annotations

import argparse
import asyncio
import random
import sys
import tempfile
import time
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

import httpx
from rich.console import Console

from polyversi.gameplay.events import EndEvent, Event, MoveEvent
from polyversi.gameplay.seat import Request, Seat
from polyversi.games.errors import PolyversiError
from polyversi.server.client import Client, Follower, RetryTimes, View
from polyversi.server.connection import NetworkError
from polyversi.server.messages import Welcome, encode
from polyversi.server.websocket import Link
from polyversi.storage.games import Store
from tests.soak.load.checks import plain, report, stored_faults
from tests.soak.load.proxy import Proxy, Rates
from tests.testing.page_server import Served

VARIANTS = {"othello-4": 2, "hex:side=3,start=ring": 2, "torus-4": 2, "anti-4": 2, "othello-6": 2, "map": 3}
"""What is played in turn, with the number of seats."""
MAP = "3 2 1 1  5 5  0 0 0 0 0  0 1 2 3 0  0 3 b 1 0  0 2 c i 0  0 0 0 x 0  0 0 0 <-> 4 4 4"
"""A small XT map with every kind of tile, for three."""
WITHIN = 300.0
"""Seconds for one game, far more than it takes over the worst network."""
AGAIN = 0.1
"""Seconds between attempts to reach a server that is restarting."""


@dataclass(frozen=True)
class Trouble:
    """How many games are played, and under which faults."""

    games: int = 1000
    at_once: int = 100
    kills: int = 5
    """How many times the server is killed and restarted."""
    rates: Rates = field(default_factory=Rates)
    longest: float = 0.3
    """The longest delay in seconds."""
    seed: int = 1
    retry_times: RetryTimes = field(default_factory=RetryTimes)
    """How soon clients ask for what is missing."""


@dataclass
class Outcome:
    """The counts, and what went wrong; nothing should go wrong."""

    counts: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)


class Mover(Seat):
    """Plays anything legal, and remembers what it has answered at each ply."""

    name = "mover"

    def __init__(self, answers: dict[int, set[str]], rng: random.Random) -> None:
        self._answers = answers
        self._rng = rng

    async def answer(self, request: Request) -> str:
        move = str(self._rng.choice(request.state.moves))
        self._answers.setdefault(len(request.moves), set()).add(move)
        return move


class Visitor(View):
    """A visitor at a game with the package's own client, which keeps what it receives."""

    def __init__(self, link: Link, name: str, rng: random.Random, retry_times: RetryTimes) -> None:
        self.name = name
        self.events: list[Event] = []
        self.answers: dict[int, set[str]] = {}
        """What it answered at each ply; a second answer is for a client that was started anew."""
        self.starts = 0
        self.losses = 0
        """How often its connection was lost."""
        self._link = link
        self._rng = rng
        self._retry_times = retry_times
        self._is_welcome = False

    async def attend(self) -> None:
        """Stays until the end; starts again when the network fails before it is let in, as a person would."""
        while True:
            self.starts += 1
            self.events, self._is_welcome = [], False
            make_seat = (lambda: Mover(self.answers, self._rng)) if self._link.token else None
            try:
                await Client(self._link, make_seat, name=self.name, token=self._link.token, view=self,
                             retry_times=self._retry_times).run()
            except NetworkError:
                if self._is_welcome:
                    raise
                await asyncio.sleep(AGAIN)
            else:
                return

    def welcome(self, welcome: Welcome, follower: Follower) -> None:
        """Notes that it is let in."""
        self._is_welcome = True

    def show(self, follower: Follower, event: Event) -> None:
        """Keeps an event."""
        self.events.append(event)

    def say(self, sentence: str) -> None:
        """Counts lost connections."""
        self.losses += "is lost" in sentence

    def acknowledged(self) -> dict[int, str]:
        """The moves that it gave and whose event it has got, by the number of the event."""
        moves = {event.number: event.move for event in self.events if isinstance(event, MoveEvent)}
        return {ply + 1: moves[ply + 1] for ply in self.answers if ply + 1 in moves}

    def misplayed(self) -> list[str]:
        """Moves in its name that it never gave."""
        return [f"{self.name} answered {sorted(self.answers[number - 1])} as event {number}, not {move}"
                for number, move in self.acknowledged().items() if move not in self.answers[number - 1]]


class Chaos:
    """Plays many games at a server through a bad network."""

    def __init__(self, served: Served, trouble: Trouble) -> None:
        self.outcome = Outcome()
        self._served = served
        self._trouble = trouble
        self._rng = random.Random(trouble.seed)
        self._proxy = Proxy(served.port, trouble.rates, self._rng, trouble.longest)
        self._space = asyncio.Semaphore(trouble.at_once)
        self._over = 0
        parts = trouble.kills + 1
        self._killed_after = {trouble.games * number // parts for number in range(1, parts)}
        self._restarting = asyncio.Lock()
        self._games: dict[str, list[Visitor]] = {}

    async def run(self) -> None:
        """Plays them all."""
        counts = self.outcome.counts
        async with self._proxy, httpx.AsyncClient(timeout=30) as http:
            await asyncio.gather(*(self._play(http, number) for number in range(self._trouble.games)))
        visitors = [visitor for each in self._games.values() for visitor in each]
        counts += self._proxy.counts
        counts["games"] = self._over
        counts["moves acknowledged"] = sum(len(visitor.acknowledged()) for visitor in visitors)
        counts["clients restarted before they were let in"] = sum(v.starts - 1 for v in visitors)
        counts["connections lost and resumed"] = sum(visitor.losses for visitor in visitors)

    def check(self) -> None:
        """Compares what everybody has received with the store."""
        store = Store.open(self._served.store)
        for game, visitors in self._games.items():
            events = store.events(game)
            if not events or not isinstance(events[-1], EndEvent):
                self.outcome.faults.append(f"game {game} has not ended")
            for visitor in visitors:
                received = [plain(encode(event)) for event in visitor.events]
                faults = stored_faults(game, events, received, visitor.acknowledged()) + visitor.misplayed()
                self.outcome.faults += [f"{visitor.name}: {fault}" for fault in faults]
        store.close()
        if self._served.log:
            self.outcome.faults.append(f"the server wrote: {self._served.log[:2000]}")

    async def _play(self, http: httpx.AsyncClient, number: int) -> None:
        """One game, from its setting up to its end."""
        async with self._space:
            spec = list(VARIANTS)[number % len(VARIANTS)]
            what = {"map": MAP} if spec == "map" else {"spec": spec}
            seats = [{"kind": kind} for kind in ("me", *["friend"] * (VARIANTS[spec] - 1))]
            new = await self._new_game(http, what | {"seats": seats, "seed": number})
            tokens = [new["token"], *(link.partition("#")[2] for link in new["links"].values()), ""]
            origin = f"http://127.0.0.1:{self._proxy.port}"
            visitors = self._games[new["game"]] = [
                Visitor(Link(origin, new["game"], token), f"visitor {place}", self._rng,
                        self._trouble.retry_times)
                for place, token in enumerate(tokens, 1)]
            try:
                async with asyncio.timeout(WITHIN):
                    await asyncio.gather(*(visitor.attend() for visitor in visitors))
            except (PolyversiError, TimeoutError) as error:
                self.outcome.faults.append(f"game {new['game']} ({spec}): {type(error).__name__}: {error}")
            self._over += 1
            if self._over in self._killed_after:
                await self._kill()

    async def _new_game(self, http: httpx.AsyncClient, wanted: dict[str, Any]) -> Any:
        """Sets a game up, straight at the server, as soon as it is there."""
        while True:
            with suppress(httpx.TransportError):
                answer = await http.post(f"{self._served.address}/api/games", json=wanted)
                answer.raise_for_status()
                return answer.json()
            await asyncio.sleep(AGAIN)

    async def _kill(self) -> None:
        """Ends the server as a power cut would, and starts it again; one at a time."""
        async with self._restarting:
            self.outcome.counts["kill"] += 1
            await asyncio.to_thread(self._served.kill)
            await asyncio.to_thread(self._served.start)


def endure(trouble: Trouble, folder: Path) -> Outcome:
    """Plays all games at a server over a new store in that folder; what was counted and what was wrong."""

    async def play() -> Chaos:
        chaos = Chaos(served, trouble)
        await chaos.run()
        return chaos

    with Served(folder) as served:
        chaos = asyncio.run(play())
    chaos.check()
    return chaos.outcome


def main() -> int:
    """Runs the games and prints the counts; returns 1 if a move was lost or duplicated or a game harmed."""
    parser = argparse.ArgumentParser("tests.soak.load.chaos", description="Games over a bad network.")
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--at-once", type=int, default=100, help="games at the same time")
    parser.add_argument("--kills", type=int, default=5, help="how many times the server is killed")
    parser.add_argument("--longest", type=float, default=0.3, help="longest delay in seconds")
    parser.add_argument("--seed", type=int, default=1, help="seed of the faults and the moves")
    for each in fields(Rates):
        parser.add_argument(f"--{each.name}", type=float, default=each.default, help="share of all messages")
    asked = vars(parser.parse_args())
    rates = Rates(**{each.name: asked.pop(each.name) for each in fields(Rates)})
    console, began = Console(), time.monotonic()
    with tempfile.TemporaryDirectory() as folder, console.status("playing"):
        outcome = endure(Trouble(rates=rates, **asked), Path(folder))
    counts = [*outcome.counts.items()]
    return report(console, counts, time.monotonic() - began, outcome.faults, asked["seed"])


if __name__ == "__main__":
    sys.exit(main())
