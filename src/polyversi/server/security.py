"""What keeps strangers at bay: who is answered, what a browser may load, and how often one may ask."""

from __future__ import annotations

import asyncio
import hashlib
import ipaddress
import secrets
import socket
import time
from collections.abc import Iterable
from typing import TYPE_CHECKING
from urllib.parse import urlsplit
from weakref import WeakValueDictionary

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = [
    (b"content-security-policy", POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), geolocation=(), microphone=()"),
]
REFUSED_HOST = b'{"problem":"this server does not answer under this name; start it with --name to allow it"}'
REFUSED_ORIGIN = b'{"problem":"only pages of this server may do that"}'


class Door:
    """Lets in only requests that name this server, and of what changes anything only those of its own pages.

    The name is checked so that a page elsewhere cannot have its own name lead here; the origin so that it
    cannot use what a visitor of ours may do. Programs send no origin, and have none to be abused.
    """

    def __init__(self, app: ASGIApp, names: Iterable[str]) -> None:
        self._app = app
        self._names = {name.lower() for name in names} | {"localhost"}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        headers = dict(scope["headers"])
        host = headers.get(b"host", b"").decode("latin-1")
        origin = headers.get(b"origin", b"").decode("latin-1")
        changes = scope["type"] == "websocket" or scope["method"] not in ("GET", "HEAD")
        if not self.knows(host):
            await _refuse(scope, send, REFUSED_HOST)
        elif changes and origin and origin.partition("://")[2].lower() != host.lower():
            await _refuse(scope, send, REFUSED_ORIGIN)
        else:
            await self._app(scope, receive, _with_headers(send))

    def knows(self, host: str) -> bool:
        """Whether a request may call this server so: a name it has, or an address, which nobody can forge.

        >>> async def nothing(scope, receive, send): ...
        >>> door = Door(nothing, ["club.example"])
        >>> [door.knows(host) for host in ("club.example:8000", "[::1]:80", "10.0.0.2", "evil.example")]
        [True, True, True, False]
        """
        try:
            name = urlsplit(f"//{host}").hostname or ""
        except ValueError:
            return False
        if name in self._names:
            return True
        try:
            ipaddress.ip_address(name)
        except ValueError:
            return False
        return True


def _with_headers(send: Send) -> Send:
    async def with_headers(message: Message) -> None:
        if message["type"] == "http.response.start":
            message["headers"] = [*message.get("headers", []), *HEADERS]
        await send(message)

    return with_headers


async def _refuse(scope: Scope, send: Send, body: bytes) -> None:
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": 1008, "reason": ""})
        return
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": 403, "headers": [*headers, *HEADERS]})
    await send({"type": "http.response.body", "body": body})


def new_token() -> str:
    """The token of a seat: 128 random bits."""
    return secrets.token_urlsafe(16)


def hash_token(token: str) -> str:
    """What is stored of a token, from which nobody can get it back.

    >>> hash_token("") == "" != hash_token("x")
    True
    """
    return hashlib.sha256(token.encode()).hexdigest() if token else ""


def own_names(address: str) -> list[str]:
    """The names that this machine has for others, if it listens at an address where others can call it.

    >>> own_names("127.0.0.1")
    []
    """
    if is_local(address):
        return []
    name = socket.gethostname().lower()
    return [name, f"{name}.local", socket.getfqdn().lower()]


def is_local(address: str) -> bool:
    """Whether a visitor sits at this machine.

    >>> is_local("127.0.0.1"), is_local("192.0.2.7"), is_local("somebody")
    (True, False, False)
    """
    try:
        return ipaddress.ip_address(address).is_loopback
    except ValueError:
        return False


class Allowance:
    """How much each visitor may ask for: some at once, and then so much a second; this machine any amount.

    >>> allowance = Allowance(at_once=2, a_second=0.0)
    >>> [allowance.take("192.0.2.7") for _ in range(3)]
    [True, True, False]
    """

    MOST_VISITORS = 10_000

    def __init__(self, at_once: float, a_second: float) -> None:
        self._at_once = at_once
        self._a_second = a_second
        self._left: dict[str, tuple[float, float]] = {}

    def take(self, visitor: str, cost: float = 1.0) -> bool:
        """Takes so much of a visitor's allowance; False when it is used up."""
        if is_local(visitor):
            return True
        now = time.monotonic()
        left, since = self._left.pop(visitor, (self._at_once, now))
        left = min(self._at_once, left + (now - since) * self._a_second)
        granted = left >= cost
        self._left[visitor] = (left - cost if granted else left, now)
        if len(self._left) > self.MOST_VISITORS:
            del self._left[next(iter(self._left))]    # whoever has not been here for longest
        return granted


class Turns:
    """How many things may be done at the same time for each visitor, or for whatever else has a name.

    Further ones wait for their turn.
    """

    def __init__(self, at_once: int) -> None:
        self._at_once = at_once
        self._each: WeakValueDictionary[str, asyncio.Semaphore] = WeakValueDictionary()

    def of(self, name: str) -> asyncio.Semaphore:
        """What the things of that name wait for; it is kept as long as somebody holds it."""
        return self._each.setdefault(name, asyncio.Semaphore(self._at_once))
