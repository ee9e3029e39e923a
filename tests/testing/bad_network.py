"""A connection to a host that loses, duplicates, delays and so reorders messages, in both directions."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from functools import partial
from random import Random

from polyversi.server.connection import Connection, Endpoint
from polyversi.server.messages import Message

LONGEST_DELAY = 0.02


class BadWay:
    """An endpoint that is reached over a bad line."""

    def __init__(self, endpoint: Endpoint, seed: int) -> None:
        self.ends_with_the_game = endpoint.ends_with_the_game
        self.fates: Counter[str] = Counter()
        self._endpoint = endpoint
        self._chance = Random(seed)

    def __str__(self) -> str:
        return str(self._endpoint)

    async def connect(self) -> Connection:
        return BadLine(await self._endpoint.connect(), self._chance, self.fates)


class BadLine:
    """A connection that loses one message in ten, duplicates as many, and delays more of them."""

    def __init__(self, inner: Connection, chance: Random, fates: Counter[str]) -> None:
        self._inner = inner
        self._chance = chance
        self._fates = fates
        self._arrived: asyncio.Queue[Message | Exception] = asyncio.Queue()
        self._loop = asyncio.get_running_loop()
        self._tasks: set[asyncio.Task[None]] = {asyncio.create_task(self._bring())}

    async def _bring(self) -> None:
        try:
            while True:
                self._carry(partial(self._arrived.put_nowait, await self._inner.receive()))
        except Exception as error:
            self._arrived.put_nowait(error)

    def _carry(self, deliver: Callable[[], None]) -> None:
        fate = self._chance.choice(["lost", "doubled", *["late"] * 3, *["fine"] * 5])
        self._fates[fate] += 1
        for _ in range({"lost": 0, "doubled": 2}.get(fate, 1)):
            if fate == "fine":
                deliver()
            else:
                self._loop.call_later(self._chance.random() * LONGEST_DELAY, deliver)

    async def receive(self) -> Message:
        arrived = await self._arrived.get()
        if isinstance(arrived, Exception):
            raise arrived
        return arrived

    async def send(self, message: Message | bytes) -> None:
        self._carry(partial(self._start, message))

    def _start(self, message: Message | bytes) -> None:
        task = asyncio.create_task(self._send(message))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _send(self, message: Message | bytes) -> None:
        try:
            await self._inner.send(message)
        except OSError:
            return    # it would have been too late anyway

    async def close(self, last: Message, within: float = 1.0) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._inner.close(last, within)

    def abort(self) -> None:
        for task in self._tasks:
            task.cancel()
        self._inner.abort()
