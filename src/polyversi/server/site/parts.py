"""The parts of a site: adding one takes a module here and an entry in the list."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeGuard

from starlette.middleware import Middleware
from starlette.requests import HTTPConnection
from starlette.routing import BaseRoute, Route

from polyversi.server.lobby import Lobby
from polyversi.server.site.access import Guard
from polyversi.server.site.bots import BotsPart
from polyversi.server.site.challenges import ChallengesPart
from polyversi.server.site.conductor import ConductorProcess
from polyversi.server.site.events import EventsPart
from polyversi.server.site.ladder import LadderPart
from polyversi.server.site.live import LivePart
from polyversi.server.site.organise import OrganisePart
from polyversi.server.site.people import PeoplePart
from polyversi.server.site.ratings import RatingsPart
from polyversi.server.site.site import Part, Site
from polyversi.server.site.visitors import KnownPeople
from polyversi.site.people import People
from polyversi.site.sessions import Sessions
from polyversi.site.settings import SiteFile
from polyversi.site.store import SiteStore
from polyversi.storage.contests import ContestStore

PARTS: tuple[type[Part], ...] = (
    PeoplePart, OrganisePart, BotsPart, EventsPart, ChallengesPart, RatingsPart, LadderPart, LivePart)

BEGINNING = ("/api/games", "/api/arena")
"""Where a game or a series of the page itself begins."""


class ServedSite:
    """A site with all its parts, which begin and end with the server."""

    def __init__(self, file: SiteFile, lobby: Lobby) -> None:
        store, contests = SiteStore.open(file.store), ContestStore.open(file.store)
        sessions = Sessions(store, file.settings)
        conductor = ConductorProcess(file, store, lobby.say)
        self.site = Site(file, store, contests, lobby, People(store), sessions, Guard(sessions), conductor)
        self._parts = [part(self.site) for part in PARTS]
        self._started: list[Part] = []

    def routes(self) -> Sequence[BaseRoute]:
        """The routes of all parts."""
        return [route for part in self._parts for route in part.routes()]

    def middleware(self) -> Sequence[Middleware]:
        """What every request goes through, also one for the page itself."""
        return [Middleware(KnownPeople, sessions=self.site.sessions)]

    def shielded(self, routes: Sequence[BaseRoute]) -> Sequence[BaseRoute]:
        """Routes of the page itself; where games begin, only for people with accounts if the file says so."""
        if self.site.file.settings.guests_may_play:
            return routes
        return [self.site.guard.for_accounts(route) if _begins(route) else route for route in routes]

    async def may_play(self, connection: HTTPConnection) -> bool:
        """Whether whoever connects to a game may have a seat there, such as by a friend's link."""
        if self.site.file.settings.guests_may_play:
            return True
        return await self.site.guard.person(connection) is not None

    async def start(self) -> None:
        """Begins what the parts do by themselves, one after the other."""
        for part in self._parts:
            self._started.append(part)
            await part.start()

    async def close(self) -> None:
        """Ends it, the last that began first."""
        while self._started:
            await self._started.pop().close()
        for store in (self.site.store, self.site.contests):
            store.close()


def _begins(route: BaseRoute) -> TypeGuard[Route]:
    return isinstance(route, Route) and route.path in BEGINNING and "POST" in (route.methods or ())
