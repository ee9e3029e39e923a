"""Who asks, and what they may: every route of a site names the role that it takes."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Protocol, cast

from starlette.requests import HTTPConnection, Request
from starlette.responses import Response
from starlette.routing import Route

from polyversi.server.responses import HttpError
from polyversi.site.roles import Person, Role

COOKIE = "polyversi-session"
HEADER = "x-polyversi"
SIGN_IN = "sign in first"
FORGED = "only pages of this server may do that; a program says that it is one with the header X-Polyversi: 1"
NOT_YOURS = "this is for {role}s of the site"

Asked = Callable[[Request, Person], Awaitable[Response]]
AskedByAnybody = Callable[[Request, Person | None], Awaitable[Response]]


class Sessions(Protocol):
    """Where the people behind cookies are found."""

    def person_of(self, token: str) -> Person | None:
        """Who has this session; None if it is unknown, over, or of somebody who may not come in any more."""


def refuse_forgery(request: Request) -> None:
    """Takes what changes something in a session only from our own pages, or from a program that says so.

    A page elsewhere can have a browser send the cookie, but neither our origin nor a header of ours; requests
    that name another origin have been refused before (`server/security.py`).
    """
    if request.method in ("GET", "HEAD") or COOKIE not in request.cookies:
        return
    if not request.headers.get("origin") and request.headers.get(HEADER) != "1":
        raise HttpError(403, FORGED)


@dataclass(frozen=True)
class Rule:
    """A route of the site, and the least role that may use it."""

    path: str
    method: str
    least: Role


class Guard:
    """Makes routes that let in only whom they are for, and lists them for the table of permissions."""

    def __init__(self, sessions: Sessions) -> None:
        self._sessions = sessions
        self.rules: list[Rule] = []

    async def person(self, request: HTTPConnection) -> Person | None:
        """Who asks, by HTTP or a WebSocket; None for whoever has not signed in."""
        token = request.cookies.get(COOKIE, "")
        return await asyncio.to_thread(self._sessions.person_of, token) if token else None

    def open(self, path: str, handler: AskedByAnybody, method: str = "GET") -> Route:
        """A route for everybody, who may have signed in or not."""
        async def answer(request: Request) -> Response:
            refuse_forgery(request)
            return await handler(request, await self.person(request))

        self.rules.append(Rule(path, method, Role.ANYBODY))
        return Route(path, answer, methods=[method])

    def for_accounts(self, route: Route) -> Route:
        """A route of the page itself, where only people who have signed in may play."""
        async def answer(request: Request) -> Response:
            if await self.person(request) is None:
                raise HttpError(401, SIGN_IN)
            return cast("Response", await route.endpoint(request))

        return Route(route.path, answer, methods=[*(route.methods or ())])

    def route(self, path: str, least: Role, handler: Asked, method: str = "GET") -> Route:
        """A route for people of at least that role."""
        async def answer(request: Request) -> Response:
            refuse_forgery(request)
            person = await self.person(request)
            if person is None:
                raise HttpError(401, SIGN_IN)
            if person.role < least:
                raise HttpError(403, NOT_YOURS.format(role=least))
            return await handler(request, person)

        self.rules.append(Rule(path, method, least))
        return Route(path, answer, methods=[method])
