"""The people of a site over HTTP: who is signed in, signing in and out, and profiles."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Annotated, Any, TypeVar

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute

from polyversi.games.variants import title
from polyversi.server.limits import ConcurrencyLimit, RateLimit, address_of
from polyversi.server.responses import HttpError, json_response, parse_body
from polyversi.server.site.access import COOKIE
from polyversi.server.site.site import Part, Site
from polyversi.site.bots import Bots
from polyversi.site.names import folded
from polyversi.site.profiles import games_with_names, ratings_now
from polyversi.site.roles import Person, Role, roles_of
from polyversi.storage.errors import StoreError

SWEEP_INTERVAL = 3_600.0
"""Seconds between two looks for sessions and links that are over."""
AT_ONCE = 2
"""Passwords that are hashed at the same time: each takes 64 MiB and a tenth of a second."""
TOO_OFTEN = "too many attempts to sign in; wait a minute, or ask an organiser for a link"
NOBODY = "there is no such person"

Text = Annotated[str, msgspec.Meta(max_length=400)]
Token = Annotated[str, msgspec.Meta(max_length=100)]
T = TypeVar("T")


class SignIn(msgspec.Struct):
    """What somebody signs in with."""

    name: Text
    password: Text


class LinkUse(msgspec.Struct):
    """A link that somebody has, and the password that is to be from now on."""

    token: Token
    password: Text = ""


class NewPassword(msgspec.Struct):
    """The password that is to be, and the one before."""

    new: Text
    old: Text = ""


class PeoplePart(Part):
    """Accounts and sessions."""

    def __init__(self, site: Site) -> None:
        super().__init__(site)
        self._by_address = RateLimit(burst=30, per_second=0.5)
        self._by_name = RateLimit(burst=10, per_second=0.1)
        self._hashing = ConcurrencyLimit(AT_ONCE)
        self._sweeping: asyncio.Task[None] | None = None

    def routes(self) -> Sequence[BaseRoute]:
        """Where its handlers are found."""
        guard = self.site.guard
        return [
            guard.open("/api/site/me", self._me),
            guard.open("/api/site/sign-in", self._sign_in, "POST"),
            guard.open("/api/site/sign-out", self._sign_out, "POST"),
            guard.open("/api/site/link", self._link, "POST"),
            guard.open("/api/site/link/use", self._use_link, "POST"),
            guard.route("/api/site/me/password", Role.GUEST, self._change_password, "POST"),
            guard.route("/api/site/me/sign-out-elsewhere", Role.GUEST, self._sign_out_elsewhere, "POST"),
            guard.route("/api/site/people", Role.MEMBER, self._people),
            guard.route("/api/site/people/{name}", Role.GUEST, self._profile),
        ]

    async def start(self) -> None:
        """Begins to forget what is over."""
        self._sweeping = asyncio.create_task(self._sweep())

    async def close(self) -> None:
        """Ends that."""
        if self._sweeping:
            self._sweeping.cancel()

    async def _sweep(self) -> None:
        while True:
            with suppress(StoreError):
                await asyncio.to_thread(self.site.sessions.sweep)
            await asyncio.sleep(SWEEP_INTERVAL)

    async def _me(self, _: Request, person: Person | None) -> Response:
        """Who is signed in."""
        account = person and {**shown(person), "roles": [str(role) for role in roles_of(person.role)],
                              "has_password": person.has_password}
        return json_response({"site": self.site.file.settings.name, "account": account})

    async def _sign_in(self, request: Request, _: Person | None) -> Response:
        wanted = await parse_body(request, SignIn)
        person, token = await self._tried(
            request, lambda: self.site.sessions.sign_in(wanted.name, wanted.password), folded(wanted.name))
        return await self._signed_in(request, person, token)

    async def _link(self, request: Request, _: Person | None) -> Response:
        """What a link is for, without using it."""
        wanted = await parse_body(request, LinkUse)
        link = await self._tried(request, lambda: self.site.sessions.link(wanted.token))
        return json_response({"kind": link.kind, "name": link.person.name, "expires": link.expires})

    async def _use_link(self, request: Request, _: Person | None) -> Response:
        wanted = await parse_body(request, LinkUse)
        person, token = await self._tried(
            request, lambda: self.site.sessions.use_link(wanted.token, wanted.password))
        return await self._signed_in(request, person, token)

    async def _sign_out(self, request: Request, _: Person | None) -> Response:
        if token := request.cookies.get(COOKIE):
            await asyncio.to_thread(self.site.sessions.end, token)
        response = json_response({"account": None})
        response.delete_cookie(COOKIE, httponly=True, samesite="lax", secure=is_secure(request))
        return response

    async def _change_password(self, request: Request, person: Person) -> Response:
        wanted = await parse_body(request, NewPassword)
        token = request.cookies[COOKIE]
        await self._tried(
            request, lambda: self.site.sessions.change_password(person, wanted.old, wanted.new, token),
            person.id)
        return json_response({})

    async def _sign_out_elsewhere(self, request: Request, person: Person) -> Response:
        ended = await asyncio.to_thread(
            self.site.sessions.end_others, person.id, request.cookies[COOKIE])
        return json_response({"ended": ended})

    async def _people(self, _: Request, __: Person) -> Response:
        """Who takes part, for members who want to challenge somebody."""
        people = await asyncio.to_thread(self.site.people.all)
        return json_response({"people": [shown(person) for person in people
                                         if not person.is_disabled and person.role >= Role.MEMBER]})

    async def _profile(self, request: Request, _: Person) -> Response:
        person = await asyncio.to_thread(self.site.people.by_name, request.path_params["name"])
        if person is None:
            raise HttpError(404, NOBODY)
        return json_response(await asyncio.to_thread(self._told, person))

    def _told(self, person: Person) -> dict[str, Any]:
        """What a profile shows: ratings with their errors and steps, games, bots."""
        store = self.site.store
        return {
            "person": {**shown(person), "created": person.created},
            "ratings": [{
                "pool": one.rating.pool, "title": title(one.rating.pool), "rating": one.now.rating,
                "error": one.now.error, "games": one.rating.games, "steps": one.steps,
            } for one in ratings_now(store, person.player)],
            "games": [{
                "id": game.id, "title": title(game.pool), "is_rated": game.is_rated, "created": game.created,
                "ended": game.ended, "ranks": game.ranks, "seat": game.players.index(person.player),
                "players": [{"id": id, "name": name} for id, name in zip(game.players, names, strict=True)],
            } for game, names in games_with_names(store, person.player)],
            "bots": [{
                "id": bot.id, "name": bot.name, "ladder": bot.ladder, "active": bot.active,
                "ratings": [{"rating": one.now.rating, "error": one.now.error, "games": one.rating.games}
                            for one in ratings_now(store, bot.player)],
            } for bot in Bots(self.site.file, store).of(person.id)],
        }

    async def _signed_in(self, request: Request, person: Person, token: str) -> Response:
        """Answers with the cookie of a new session; the session before it ends."""
        if before := request.cookies.get(COOKIE):
            await asyncio.to_thread(self.site.sessions.end, before)
        response = json_response({"account": shown(person)})
        response.set_cookie(COOKIE, token, int(86_400 * self.site.file.settings.session_days), httponly=True,
                            samesite="lax", secure=is_secure(request))
        return response

    async def _tried(self, request: Request, work: Callable[[], T], name: str = "") -> T:
        """What some work with a password or a link comes to, when it is its turn.

        It is refused where too much has failed at an address, or too much was tried at one name by whomever,
        known or not. What succeeds costs the address nothing: a whole class may come in from one.
        """
        address = address_of(request)
        async with self._hashing.of("passwords"):
            if not self._by_address.take(address):
                raise HttpError(429, TOO_OFTEN)
            if name and not self._by_name.take(f"name:{name}"):
                self._by_address.give_back(address)    # others there have other names
                raise HttpError(429, TOO_OFTEN)
            try:
                done = await asyncio.to_thread(work)
            except StoreError:
                self._by_address.give_back(address)    # nothing was guessed wrong
                raise
        self._by_address.give_back(address)
        return done


def shown(person: Person) -> dict[str, Any]:
    """What everybody may know of a person."""
    return {"id": person.id, "name": person.name, "role": str(person.role)}


def is_secure(request: Request) -> bool:
    """Whether the request came by https, perhaps to a proxy on this machine, which says so."""
    return request.url.scheme == "https"
