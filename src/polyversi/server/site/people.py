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
from polyversi.site.ratings import MAX_GAMES
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
        self._by_name_there = RateLimit(burst=10, per_second=0.1)
        self._by_name = RateLimit(burst=200, per_second=1.0)    # of a name that many addresses guess at
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
            guard.route("/api/site/people/{name}/games", Role.GUEST, self._games),
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

    async def _me(self, request: Request, person: Person | None) -> Response:
        """Who is signed in; every visit begins with it, so that the cookie stays as long as the session."""
        account = person and {**shown(person), "roles": [str(role) for role in roles_of(person.role)],
                              "has_password": person.has_password}
        settings = self.site.file.settings
        response = json_response({"site": settings.name, "account": account,
                                  "guests_may_play": settings.guests_may_play})
        if person is not None:
            self._keep_cookie(request, response, request.cookies[COOKIE])
        return response

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
        person = await self._named(request)
        return json_response(await asyncio.to_thread(self._told, person))

    async def _games(self, request: Request, _: Person) -> Response:
        """Games of somebody, the newest first; with `before` those that began before that time."""
        person = await self._named(request)
        try:
            before = float(request.query_params["before"]) if request.query_params.get("before") else None
        except ValueError:
            raise HttpError(400, "the place where the list goes on is not one; begin without it") from None
        return json_response(await asyncio.to_thread(self._played, person, before))

    async def _named(self, request: Request) -> Person:
        person = await asyncio.to_thread(self.site.people.by_name, request.path_params["name"])
        if person is None:
            raise HttpError(404, NOBODY)
        return person

    def _played(self, person: Person, before: float | None = None) -> dict[str, Any]:
        """Games of somebody, and whether there are no earlier ones."""
        games = games_with_names(self.site.store, person.player, before)
        return {"games": [{
            "id": game.id, "title": title(game.pool), "is_rated": game.is_rated, "created": game.created,
            "ended": game.ended, "ranks": game.ranks, "seat": game.players.index(person.player),
            "players": [{"id": id, "name": name} for id, name in zip(game.players, names, strict=True)],
        } for game, names in games], "is_last": len(games) < MAX_GAMES}

    def _told(self, person: Person) -> dict[str, Any]:
        """What a profile shows: ratings with their errors and steps, games, bots."""
        store = self.site.store
        return {
            "person": {**shown(person), "created": person.created},
            "ratings": [{
                "pool": one.rating.pool, "title": title(one.rating.pool), "rating": one.now.rating,
                "error": one.now.error, "games": one.rating.games, "steps": one.steps,
            } for one in ratings_now(store, person.player)],
            **self._played(person),
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
        self._keep_cookie(request, response, token)
        return response

    def _keep_cookie(self, request: Request, response: Response, token: str) -> None:
        """Has a browser keep a session for as long as it lasts without being used."""
        response.set_cookie(COOKIE, token, int(86_400 * self.site.file.settings.session_days), httponly=True,
                            samesite="lax", secure=is_secure(request))

    async def _tried(self, request: Request, work: Callable[[], T], name: str = "") -> T:
        """What some work with a password or a link comes to, when it is its turn.

        It is refused where too much has failed at an address, or too much was tried at one name there, known
        or not. From everywhere a name takes more, so that few can keep its owner out. What succeeds costs the
        address nothing: a whole class may come in from one.
        """
        address = address_of(request)
        async with self._hashing.of("passwords"):
            if not self._by_address.take(address):
                raise HttpError(429, TOO_OFTEN)
            if name and not (self._by_name_there.take(f"{address} name:{name}")
                             and self._by_name.take(f"name:{name}")):
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
