"""The site of an attack: a server of its own, what it costs meanwhile, and an honest visitor who plays on."""

from __future__ import annotations

import asyncio
import json
import os
import threading
import time
from contextlib import suppress
from multiprocessing.process import BaseProcess
from pathlib import Path
from types import TracebackType
from typing import Any

import httpx
from websockets.asyncio.client import ClientConnection, connect

from tests.soak.attack import honest
from tests.soak.attack.registry import hold
from tests.soak.load.measuring import TICKS, Times, memory_of, processor_of
from tests.testing.command import FORKING
from tests.testing.page_server import Served

EVE = "192.0.2.66"
"""The address from which attackers come, as a proxy on this machine would tell it."""
EVERY = 0.1
"""Seconds between two looks at the server."""
WARM_UP = 8
"""Things that the honest visitor has done before an attack begins."""
WITHIN = 60.0
"""Seconds after which a server that does not answer has failed."""
Line = tuple[asyncio.StreamReader, asyncio.StreamWriter]


class Site:
    """A server under attack; every attack has a new one, so that the figures are its own."""

    def __init__(self, folder: Path, *options: str) -> None:
        self.folder = folder
        self.served = Served(folder, *options)
        self.meter = Meter(self.served)
        self._diary = folder / "diary"
        self._visitor: BaseProcess | None = None

    def __enter__(self) -> Site:
        self.served.start()
        where = self.served.port, self._diary
        self._visitor = FORKING.Process(target=honest.visit, args=where, daemon=True)
        self._visitor.start()
        give_up = time.monotonic() + WITHIN
        while len(self.noted()) < WARM_UP:
            hold(time.monotonic() < give_up, "the honest visitor does not get in at all")
            time.sleep(EVERY)
        self.meter.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.meter.stop()
        assert self._visitor is not None
        self._visitor.kill()
        self._visitor.join()
        self.served.kill()

    def noted(self, since: float = 0.0) -> list[tuple[float, str]]:
        """What the honest visitor did since a moment: how long it took, and what it was."""
        if not self._diary.exists():
            return []
        lines = [line.split(" ", 2) for line in self._diary.read_text().splitlines()]
        return [(float(took), what) for when, took, what in lines if float(when) >= since]

    def http(self, address: str = EVE) -> httpx.AsyncClient:
        """A client that a proxy tells to be at an address."""
        return httpx.AsyncClient(base_url=self.served.address, headers={"x-forwarded-for": address},
                                 timeout=WITHIN, limits=httpx.Limits(max_connections=None))

    async def new_game(self, spec: str, *seats: str, address: str = EVE, **more: Any) -> dict[str, Any]:
        """Sets a game up; a seat is 'me', 'friend' or a player."""
        told = [{"kind": seat} if seat in ("me", "friend") else {"kind": "computer", "player": seat}
                for seat in seats]
        async with self.http(address) as http:
            while True:
                answer = await http.post("/api/games", json={"spec": spec, "seats": told, **more})
                if answer.status_code != 429 or "too many requests" not in answer.text:
                    break
                await asyncio.sleep(1)    # the rate limit is not what is attacked
            hold(answer.status_code == 201, f"a game was refused: {answer.text[:200]}")
            return dict(answer.json())

    def socket(self, game: str, address: str = EVE, **more: Any) -> connect:
        """A WebSocket to a game, which has not said its hello."""
        url = f"ws://127.0.0.1:{self.served.port}/api/games/{game}/socket"
        return connect(url, additional_headers={"x-forwarded-for": address}, open_timeout=WITHIN, proxy=None,
                       ping_interval=None, max_size=None, compression=None, **more)

    async def line(self) -> Line:
        """A plain connection."""
        return await asyncio.open_connection("127.0.0.1", self.served.port)

    async def text(self, path: str, **more: Any) -> httpx.Response:
        """The answer to a GET of an attacker."""
        async with self.http() as http:
            return await http.get(path, **more)

    @property
    def store_bytes(self) -> int:
        """The size of the store's files."""
        path = Path(self.served.store)
        return sum(file.stat().st_size for file in path.parent.glob(path.name + "*"))


class Meter:
    """What a server costs at most: memory, open handles and processes, looked at in a thread."""

    def __init__(self, served: Served) -> None:
        self.began = 0.0
        self.memory_before = self.memory = 0
        self.handles_before = self.handles = 0
        self.processes = 0
        self._served = served
        self._own: dict[int, float] = {}
        self._before = 0.0, 0.0
        self._is_over = threading.Event()
        self._thread = threading.Thread(target=self._look_on, daemon=True)

    def start(self) -> None:
        """Measures what the server costs without an attack, and begins."""
        self.began = time.monotonic()
        self.look()
        self.memory_before, self.handles_before = self.memory, self.handles
        self._before = busy_of_machine(), sum(self._own.values())
        self._thread.start()

    def stop(self) -> None:
        """Ends it."""
        self._is_over.set()
        if self._thread.is_alive():
            self._thread.join()

    def look(self) -> None:
        """Keeps the highest figures; a server that was just killed has none."""
        for process in (os.getpid(), *descendants(os.getpid())):
            with suppress(OSError):
                self._own[process] = processor_of(process)
        with suppress(OSError, ValueError):
            pid = self._served.pid
            self.memory = max(self.memory, memory_of(pid))
            self.handles = max(self.handles, self.open_handles())
            self.processes = max(self.processes, len(descendants(pid)))

    def open_handles(self) -> int:
        """The files and connections that the server has open now."""
        return len(list(Path(f"/proc/{self._served.pid}/fd").iterdir()))

    def others(self) -> float:
        """The part of the machine that was busy with work which is none of ours since the attack began."""
        self.look()
        busy, own = self._before
        passed = (time.monotonic() - self.began) * (os.cpu_count() or 1)
        return max(0.0, (busy_of_machine() - busy - sum(self._own.values()) + own) / passed)

    def _look_on(self) -> None:
        while not self._is_over.wait(EVERY):
            self.look()


def busy_of_machine() -> float:
    """Seconds that the processors of this machine were busy, together, since it was started."""
    first = Path("/proc/stat").read_text().splitlines()[0]
    user, nice, system, _, _, interrupts, soft, *_ = map(int, first.split()[1:])
    return (user + nice + system + interrupts + soft) / TICKS


def descendants(pid: int) -> list[int]:
    """The processes that a process has started, and those that these have started."""
    found: list[int] = []
    for task in Path(f"/proc/{pid}/task").iterdir():
        with suppress(OSError):
            for child in (task / "children").read_text().split():
                found += [int(child), *descendants(int(child))]
    return found


def latencies(noted: list[tuple[float, str]]) -> tuple[Times, Times, int]:
    """How long the honest visitor waited, how late its own clock was, and how often it was cut off."""
    waits, lag, cut = Times(), Times(), 0
    for took, what in noted:
        if what == "cut off":
            cut += 1
        else:
            (lag if what == "lag" else waits).add(took)
    return waits, lag, cut


async def hello(socket: ClientConnection, token: str = "", **more: Any) -> None:
    """Says who is there: the holder of a token, or somebody who watches."""
    seat = {} if token else {"seat": 0}
    said = {"type": "hello", "version": 1, "name": "Eve", "token": token, **seat, **more}
    await socket.send(json.dumps(said))


async def until(is_so: Any, within: float, otherwise: str) -> None:
    """Waits until something is so; the server has failed if that takes too long."""
    give_up = time.monotonic() + within
    while not is_so():
        hold(time.monotonic() < give_up, otherwise)
        await asyncio.sleep(EVERY)


async def message(socket: ClientConnection, *kinds: str) -> dict[str, Any]:
    """The next message of one of these types; an error is one of them."""
    async with asyncio.timeout(WITHIN):
        while True:
            told: dict[str, Any] = json.loads(await socket.recv())
            if told["type"] in kinds or told["type"] == "error":
                return told
