"""Whose session a request came with, so that limits count for people and not for the address they share."""

from __future__ import annotations

import asyncio
import time
from contextlib import suppress

from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Receive, Scope, Send

from polyversi.server.front import LINE
from polyversi.server.limits import PERSON, RateLimit, address_of
from polyversi.server.site.access import COOKIE, Sessions
from polyversi.site.sessions import hashed
from polyversi.storage.errors import StoreError

REMEMBERED = 10.0
"""Seconds for which it is remembered whose a session is. Only limits go by it: what somebody may do is asked
of the store each time."""
MAX_REMEMBERED = 10_000


class KnownPeople:
    """Notes with each request and WebSocket who is signed in, and has their connection count for them.

    Without a session it stays with the address; when the store cannot be read, with whoever it was before. An
    address with which too many sessions are none is not looked up for a while.
    """

    def __init__(self, app: ASGIApp, sessions: Sessions) -> None:
        self._app = app
        self._sessions = sessions
        self._known: dict[str, tuple[str, float]] = {}
        self._unknown = RateLimit(burst=600, per_second=10)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] in ("http", "websocket"):
            token = HTTPConnection(scope).cookies.get(COOKIE, "")
            if token and (person := await self._person(token, address_of(HTTPConnection(scope)))):
                scope[PERSON] = person
                if line := scope.get("state", {}).get(LINE):
                    line.belongs_to(person)
        await self._app(scope, receive, send)

    async def _person(self, token: str, address: str) -> str:
        """Who has a session, as limits know people; nothing if nobody has."""
        key, now = hashed(token), time.monotonic()
        person, until = self._known.get(key, ("", now))
        if until > now:
            return person
        if not self._unknown.take(address):
            return ""
        with suppress(StoreError):
            found = await asyncio.to_thread(self._sessions.person_of, token)
            person = found.player if found else ""
            if found:
                self._unknown.give_back(address)
            self._known.pop(key, None)
            self._known[key] = person, now + REMEMBERED
            if len(self._known) > MAX_REMEMBERED:
                del self._known[next(iter(self._known))]    # which was looked up first
        return person
