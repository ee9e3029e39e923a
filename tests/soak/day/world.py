"""What everybody of the day has in common: the server, addresses, counts, and what visitors were told."""

from __future__ import annotations

import asyncio
import itertools
import random
from collections import Counter, defaultdict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

import httpx
from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException

from tests.soak.load.measuring import Times
from tests.testing.page_server import Served

AGAIN = 0.3
"""Seconds after which somebody who was cut off or refused tries again."""
PATIENCE = 60.0
"""Seconds after which an honest visitor complains."""
CUT_OFF = (OSError, httpx.TransportError, WebSocketException)
Json = dict[str, Any]


@dataclass
class World:
    """The server and all that is known of it from outside."""

    served: Served
    rng: random.Random
    is_up: asyncio.Event = field(default_factory=asyncio.Event)
    """Set while the server runs."""
    counts: Counter[str] = field(default_factory=Counter)
    told: defaultdict[str, list[Json]] = field(default_factory=lambda: defaultdict(list))
    """By its id, the events of each game of honest people, as its player has got them."""
    uploads: list[str] = field(default_factory=list)
    """The games that were uploaded and acknowledged, the newest last."""
    moves: Times = field(default_factory=Times)
    """Seconds from a move of an honest person to its event."""
    faults: list[str] = field(default_factory=list)
    _addresses: Any = field(default_factory=itertools.count)

    def address(self) -> str:
        """An address for a visitor who was not here yet."""
        number = next(self._addresses)
        return f"198.18.{number // 250 % 250}.{1 + number % 250}"

    def http(self, address: str) -> httpx.AsyncClient:
        """A client at an address, as a proxy on this machine would tell it."""
        return httpx.AsyncClient(base_url=self.served.address, headers={"x-forwarded-for": address},
                                 timeout=PATIENCE)

    def socket(self, path: str, address: str) -> connect:
        """A WebSocket at an address."""
        url, headers = f"ws://127.0.0.1:{self.served.port}{path}", {"x-forwarded-for": address}
        return connect(url, additional_headers=headers, open_timeout=PATIENCE, proxy=None, ping_interval=None,
                       max_size=None, compression=None)

    def fault(self, sentence: str) -> None:
        """Something that must not be."""
        self.counts["faults"] += 1
        if len(self.faults) < 100:
            self.faults.append(sentence)

    async def keep(self, role: Callable[[World], Awaitable[None]]) -> None:
        """Has somebody come again and again, also after the server was killed."""
        while True:
            await self.is_up.wait()
            try:
                await role(self)
            except CUT_OFF:
                self.counts["cut off"] += 1
            await asyncio.sleep(AGAIN)
