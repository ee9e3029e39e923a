"""The middleware of the page: which hosts and origins are answered, and what browsers may load."""

from __future__ import annotations

import re
import socket
from collections.abc import Iterable
from ipaddress import IPv4Address, IPv6Address

from starlette.datastructures import Headers
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from polyversi.server.limits import is_local

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
REFUSED_ORIGIN = b'{"problem":"only pages of this server may do that"}'
ADDRESS = re.compile(r"(?:\[([0-9A-Fa-f:.]+)\]|([0-9.]+))(?::[0-9]{1,5})?", re.ASCII)


class SecurityHeaders:
    """Tells browsers with every response what they may do with it."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def with_headers(message: Message) -> None:
            if message["type"] in ("http.response.start", "websocket.http.response.start"):
                own = message.get("headers", [])
                names = {name for name, _ in own}    # a file that is a page by itself has its own policy
                message["headers"] = [*own, *(header for header in HEADERS if header[0] not in names)]
            await send(message)

        await self._app(scope, receive, with_headers)


class TrustedHosts:
    """Answers only requests that name this server, so that no page elsewhere can have its own name lead here.

    Names are checked by Starlette. Addresses are ours to check: it compares with a list, and behind 0.0.0.0,
    a router or a container nobody knows every address that leads here. Any address will do, since a browser
    sends one only when it was asked for that address: there is no name in between to be forged.
    """

    def __init__(self, app: ASGIApp, names: Iterable[str]) -> None:
        self._app = app
        plain = [name for name in names if "*" not in name]    # no patterns: every name is meant
        self._named = TrustedHostMiddleware(app, [*plain, "localhost"], www_redirect=False)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        is_request = scope["type"] in ("http", "websocket")
        app = self._app if is_request and is_address(Headers(scope=scope).get("host", "")) else self._named
        await app(scope, receive, send)


class SameOrigin:
    """Takes what changes anything only from pages of this server, so that none elsewhere can use a visitor.

    Programs send no origin, and have none to be abused.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        app = self._app
        is_socket, is_request = scope["type"] == "websocket", scope["type"] == "http"
        if is_socket or (is_request and scope["method"] not in ("GET", "HEAD")):
            headers = Headers(scope=scope)
            origin = headers.get("origin", "")
            if origin and origin.partition("://")[2].lower() != headers.get("host", "").lower():
                app = Response(REFUSED_ORIGIN, 403, media_type="application/json")
        await app(scope, receive, send)


def is_address(host: str) -> bool:
    """Whether a request names an address of IPv4 or IPv6, perhaps with a port.

    >>> [is_address(host) for host in ("[::1]:80", "10.0.0.2", "127.0.0.1:8000", "evil.example", "127.1")]
    [True, True, True, False, False]
    """
    match = ADDRESS.fullmatch(host)
    try:
        return match is not None and bool(IPv6Address(match[1]) if match[1] else IPv4Address(match[2]))
    except ValueError:
        return False


def own_names(address: str) -> list[str]:
    """The names that this machine has for others, if it listens at an address where others can call it.

    >>> own_names("127.0.0.1")
    []
    """
    if is_local(address):
        return []
    name = socket.gethostname().lower()
    return [name, f"{name}.local", socket.getfqdn().lower()]
