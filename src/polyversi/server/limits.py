"""Who a visitor is, and what one may have of the server: requests a second, things done at once."""

from __future__ import annotations

import asyncio
import hashlib
import ipaddress
import math
import time
from weakref import WeakValueDictionary

from starlette.requests import HTTPConnection

from polyversi.games.errors import PolyversiError

MAX_CONNECTIONS = 200
"""Connections from one address elsewhere, and WebSockets beside them."""
MAX_OF_PERSON = 60
"""Connections of one person who is signed in, wherever they come from, and WebSockets beside them."""
PERSON = "polyversi.person"
"""Where the scope of a request has whose session it came with."""
PERSON_MARK = "person:"
"""What the visitors begin with who are people and no addresses."""

THIS_MACHINE = "this machine"
"""The mark of all visitors from this machine."""


class TooManyError(PolyversiError):
    """There are too many games or series going on for another one."""


def visitor_at(address: str) -> str:
    """Whoever has an address; of the many that one household has in IPv6, by its network.

    An address of IPv4 is the same visitor's when it is written as one of IPv6.

    >>> visitor_at("2001:db8::7:1"), visitor_at("::ffff:192.0.2.7"), visitor_at("somebody")
    ('2001:db8::', '192.0.2.7', 'somebody')
    """
    try:
        parsed = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(parsed, ipaddress.IPv6Address):
        if parsed.ipv4_mapped is not None:
            return str(parsed.ipv4_mapped)
        if not parsed.is_loopback:
            return str(ipaddress.IPv6Address(int(parsed) >> 64 << 64))
    return str(parsed)


def address_of(connection: HTTPConnection) -> str:
    """Whoever asks, by the address alone."""
    return visitor_at(connection.client.host if connection.client else "unknown")


def visitor_of(connection: HTTPConnection) -> str:
    """Whoever asks: the person who is signed in, otherwise whoever has the address.

    >>> stranger = {"type": "http", "headers": [], "client": ("192.0.2.7", 4711)}
    >>> visitor_of(HTTPConnection(stranger)), visitor_of(HTTPConnection({**stranger, PERSON: "person:7f"}))
    ('192.0.2.7', 'person:7f')
    """
    return connection.scope.get(PERSON) or address_of(connection)


def max_connections(visitor: str) -> float:
    """How many connections a visitor may have, and how many WebSockets beside them.

    >>> max_connections("192.0.2.7"), max_connections("person:7f"), max_connections("127.0.0.1")
    (200, 60, inf)
    """
    if visitor.startswith(PERSON_MARK):
        return MAX_OF_PERSON
    return math.inf if is_local(visitor) else MAX_CONNECTIONS


def is_local(address: str) -> bool:
    """Whether a visitor sits at this machine.

    >>> is_local("127.0.0.1"), is_local("::ffff:127.0.0.1"), is_local("192.0.2.7"), is_local("somebody")
    (True, True, False, False)
    """
    try:
        return ipaddress.ip_address(visitor_at(address)).is_loopback
    except ValueError:
        return False


def mark_of(visitor: str) -> str:
    """By what a visitor is known again in the store, which has no addresses.

    >>> mark_of("127.0.0.1"), mark_of("192.0.2.7")
    ('this machine', '37dad677cf0b3997')
    """
    return THIS_MACHINE if is_local(visitor) else hashlib.sha256(visitor.encode()).hexdigest()[:16]


class RateLimit:
    """How much each visitor may ask for: some at once, and then so much a second; this machine any amount.

    >>> limit = RateLimit(burst=2, per_second=0.0)
    >>> [limit.take("192.0.2.7") for _ in range(3)]
    [True, True, False]
    >>> limit.give_back("192.0.2.7")
    >>> [limit.take("192.0.2.7") for _ in range(2)]
    [True, False]
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

    def give_back(self, visitor: str) -> None:
        """Takes back that a request was counted."""
        if visitor in self._left:
            left, since = self._left[visitor]
            self._left[visitor] = (min(self._burst, left + 1), since)


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
