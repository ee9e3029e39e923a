"""What one visitor may have of the server: requests a second, things done at once, and connections."""

from __future__ import annotations

import asyncio
import ipaddress
import time
from collections import Counter
from typing import ClassVar
from weakref import WeakValueDictionary

import h11
from starlette.requests import HTTPConnection
from uvicorn.protocols.http.h11_impl import H11Protocol

from polyversi.games.errors import PolyversiError

MAX_CONNECTIONS = 200
"""Connections of one visitor from elsewhere, and WebSockets beside them."""
HEAD_TIMEOUT = 10.0
"""Seconds in which a request must have said what it wants, from its first line on."""


class TooManyError(PolyversiError):
    """There are too many games or series going on for another one."""


def is_local(address: str) -> bool:
    """Whether a visitor sits at this machine.

    >>> is_local("127.0.0.1"), is_local("192.0.2.7"), is_local("somebody")
    (True, False, False)
    """
    try:
        return ipaddress.ip_address(address).is_loopback
    except ValueError:
        return False


def visitor_of(connection: HTTPConnection) -> str:
    """Whoever asks, by the address; of the many addresses that one household has in IPv6, by its network."""
    host = connection.client.host if connection.client else "unknown"
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return host
    if isinstance(address, ipaddress.IPv6Address) and not address.is_loopback:
        return str(ipaddress.ip_network((int(address) >> 64 << 64, 64)).network_address)
    return host


class RateLimit:
    """How much each visitor may ask for: some at once, and then so much a second; this machine any amount.

    >>> limit = RateLimit(burst=2, per_second=0.0)
    >>> [limit.take("192.0.2.7") for _ in range(3)]
    [True, True, False]
    """

    MAX_VISITORS = 10_000

    def __init__(self, burst: float, per_second: float) -> None:
        self._burst = burst
        self._per_second = per_second
        self._left: dict[str, tuple[float, float]] = {}

    def take(self, visitor: str) -> bool:
        """Counts a request of a visitor; False when that is one too many."""
        if is_local(visitor):
            return True
        now = time.monotonic()
        left, since = self._left.pop(visitor, (self._burst, now))
        left = min(self._burst, left + (now - since) * self._per_second)
        granted = left >= 1
        self._left[visitor] = (left - 1 if granted else left, now)
        if len(self._left) > self.MAX_VISITORS:
            del self._left[next(iter(self._left))]    # whoever has not been here for longest
        return granted


class ConcurrencyLimit:
    """How many things may be done at the same time for each visitor, or for whatever else has a name.

    Further ones wait for their turn.
    """

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._each: WeakValueDictionary[str, asyncio.Semaphore] = WeakValueDictionary()

    def of(self, name: str) -> asyncio.Semaphore:
        """What the things of that name wait for; it is kept as long as somebody holds it."""
        return self._each.setdefault(name, asyncio.Semaphore(self._limit))


class LimitedProtocol(H11Protocol):
    """HTTP as uvicorn speaks it, with a limit on connections and on the time to send a request's head."""

    _connections: ClassVar[Counter[str]] = Counter()
    _counted: str | None = None
    _deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        host = self.client[0] if self.client else ""
        if not is_local(host):
            self._counted = host
            self._connections[host] += 1
        if self._connections[host] > MAX_CONNECTIONS:
            transport.abort()
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._release()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._watch()

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        self._release()    # from now on it is one of the WebSockets
        super().handle_websocket_upgrade(event)

    def _watch(self) -> None:
        """Sees to it that a request that has begun, or should, is sent to its end."""
        if self.conn.their_state is not h11.IDLE:
            self._stop_watching()
        elif self._deadline is None:
            self._deadline = self.loop.call_later(HEAD_TIMEOUT, self.transport.abort)

    def _stop_watching(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _release(self) -> None:
        self._stop_watching()
        if self._counted is not None:
            self._connections[self._counted] -= 1
            if not self._connections[self._counted]:
                del self._connections[self._counted]
            self._counted = None
