"""A bad network: a proxy for WebSockets that drops, delays, doubles and reorders messages and cuts lines."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from dataclasses import dataclass, fields
from types import TracebackType

from websockets.asyncio.client import ClientConnection, connect
from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.exceptions import ConnectionClosed, WebSocketException

End = ClientConnection | ServerConnection


@dataclass(frozen=True)
class Rates:
    """How many of all messages, in both directions, meet with each fault.

    >>> Rates(drop=1).draw(random.Random(1)), Rates(0, 0, 0, 0, 0).draw(random.Random(1))
    ('drop', '')
    """

    drop: float = 0.05
    """Never arrive."""
    double: float = 0.05
    """Arrive twice."""
    delay: float = 0.05
    """Are late, and all that follow them too."""
    reorder: float = 0.05
    """Are overtaken by the next one, or late if there is none."""
    cut: float = 0.01
    """Are the last of their connection, and lost with it."""

    def draw(self, rng: random.Random) -> str:
        """The fault that the next message meets with, or nothing."""
        point = rng.random()
        for each in fields(self):
            point -= getattr(self, each.name)
            if point < 0:
                return each.name
        return ""


class Proxy:
    """Stands before a server on a port of its own; `counts` says how often each fault has happened."""

    def __init__(self, server: int, rates: Rates, rng: random.Random, longest: float) -> None:
        self.port = 0
        self.counts: Counter[str] = Counter()
        self._server = server
        self._rates = rates
        self._rng = rng
        self._longest = longest
        """Seconds of a delay."""
        self._listening: Server | None = None

    async def __aenter__(self) -> Proxy:
        self._listening = await serve(self._carry, "127.0.0.1", 0, compression=None, ping_interval=None,
                                      max_size=None)
        self.port = next(iter(self._listening.sockets)).getsockname()[1]
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._listening is not None
        self._listening.close()
        await self._listening.wait_closed()

    async def _carry(self, near: ServerConnection) -> None:
        """Carries messages between a client and the server until either has enough."""
        assert near.request is not None
        self.counts["connections"] += 1
        try:
            far = await connect(f"ws://127.0.0.1:{self._server}{near.request.path}", compression=None,
                                ping_interval=None, max_size=None, proxy=None)
        except (OSError, WebSocketException):    # the server is down
            self.counts["refused connections"] += 1
            near.transport.abort()
            return
        ways = [asyncio.create_task(self._way(near, far)), asyncio.create_task(self._way(far, near))]
        await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        for way in ways:
            way.cancel()
        await asyncio.gather(*ways, return_exceptions=True)
        await asyncio.gather(near.close(), far.close())

    async def _way(self, source: End, sink: End) -> None:
        """Carries the messages of one direction, as well or badly as the dice will have it."""
        held: bytes | None = None
        try:
            while True:
                try:
                    async with asyncio.timeout(None if held is None else self._longest):
                        message = await source.recv(decode=False)
                except TimeoutError:    # nobody came to overtake it
                    assert held is not None
                    self.counts["delay"] += 1
                    await sink.send(held, text=True)
                    held = None
                    continue
                self.counts["messages"] += 1
                fault = self._rates.draw(self._rng)
                if fault == "cut":
                    self.counts["cut"] += 1
                    source.transport.abort()
                    sink.transport.abort()
                    return
                if fault == "reorder" and held is None:
                    held = message
                    continue
                await self._pass_on(sink, message, fault)
                if held is not None:
                    self.counts["reorder"] += 1
                    await sink.send(held, text=True)
                    held = None
        except ConnectionClosed:
            pass

    async def _pass_on(self, sink: End, message: bytes, fault: str) -> None:
        if fault in ("drop", "delay", "double"):
            self.counts[fault] += 1
        if fault == "delay":
            await asyncio.sleep(self._rng.uniform(0, self._longest))
        for _ in range({"drop": 0, "double": 2}.get(fault, 1)):
            await sink.send(message, text=True)
