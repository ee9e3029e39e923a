"""The page of a tournament that the terminal plays: the same view of it as a site has, and its games live."""

from __future__ import annotations

import asyncio
import threading
import zlib
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route
from starlette.types import ASGIApp

from polyversi.contest.formats import summary
from polyversi.contest.live_feed import LiveAddress
from polyversi.contest.tournament import Tournament
from polyversi.gameplay.events import Event
from polyversi.games.variants import title
from polyversi.server.app import make_live_app
from polyversi.server.contests import ContestPages, contest_game, encoded, playing
from polyversi.server.feeds import Feeds
from polyversi.server.limits import visitor_of
from polyversi.server.lobby import Lobby
from polyversi.server.page_thread import PageThread, Say
from polyversi.server.responses import HttpError, json_response
from polyversi.server.security import own_names
from polyversi.server.serve import open_port
from polyversi.storage.stored import StoredGame

EVENTS = "/api/site/events"
"""The same addresses as those of a site's events, so that the same view shows both."""


@dataclass(frozen=True)
class TournamentPage:
    """A page that is there."""

    port: int
    live: LiveAddress
    """Where workers tell it of their games."""


class TournamentApi:
    """What the page asks for: one tournament, as if it were the only event of a site."""

    def __init__(self, tournament: Tournament, lobby: Lobby) -> None:
        self.id = f"{zlib.crc32(tournament.name.encode()):08x}"
        """What it is called in addresses, where its name could have a slash."""
        self._name, self._plan, self._store = tournament.name, tournament.plan, tournament.database
        self._lobby = lobby
        self._pages = ContestPages(self._store)
        lobby.elsewhere.append(self._past)

    def routes(self) -> Sequence[BaseRoute]:
        """Where its handlers are found; who opens the page comes to the tournament."""
        event = f"{EVENTS}/{{id}}"
        return [Route("/", self._welcome), Route(EVENTS, self._list), Route(event, self._event),
                Route(f"{event}/part/{{part}}", self._part), Route(f"{event}/file/{{kind}}", self._file)]

    def _past(self, id: str) -> tuple[StoredGame, Sequence[Event]] | None:
        event, _, fixture = id.partition(".")
        return contest_game(self._store, self._name, id, fixture) if event == self.id and fixture else None

    async def _welcome(self, _: Request) -> Response:
        return RedirectResponse(f"/events/{self.id}")

    async def _list(self, _: Request) -> Response:
        counts = await asyncio.to_thread(self._store.counts)
        entry = {**await self._shown(), "entrants": len(self._plan.entrants),
                 "played": counts.get(self._name, 0)}
        return json_response({"events": [entry]})

    async def _event(self, request: Request) -> Response:
        self._check(request)
        return json_response({
            **await self._shown(), "may_see": True, "playing": playing(self._lobby, self.id),
            "entrants": [{"name": entrant.name, "who": ""} for entrant in self._plan.entrants],
        })

    async def _part(self, request: Request) -> Response:
        self._check(request)
        return encoded(await self._pages.part(self._name, request.path_params["part"]))

    async def _file(self, request: Request) -> Response:
        self._check(request)
        return await self._pages.file(self._name, request.path_params["kind"], visitor_of(request))

    async def close(self) -> None:
        """Ends what makes its files."""
        await self._pages.close()

    def _check(self, request: Request) -> None:
        if request.path_params["id"] != self.id:
            raise HttpError(404, "there is no such event")

    async def _shown(self) -> dict[str, Any]:
        plan = self._plan
        return {
            "id": self.id, "title": self._name, "created": await asyncio.to_thread(self._created),
            "phase": "over" if await self._pages.is_over(self._name) else "running", "is_released": True,
            "has_started": True, **summary(plan.format), "variants": [title(spec) for spec in plan.variants],
            "limit": str(plan.limit), "ladder": "", "deadline": None,
        }

    def _created(self) -> float:
        return self._store.created(self._name)


@contextmanager
def tournament_page(tournament: Tournament, address: str, port: int, say: Say) -> Iterator[TournamentPage]:
    """Serves the page of a tournament until the block is left; port 0 takes a free one."""
    listening = open_port(address, port)
    make = partial(_page_of, tournament, [address, *own_names(address)])
    page = PageThread(listening, make, "", say)
    thread = threading.Thread(target=page.run, name="page", daemon=True)
    thread.start()
    try:
        yield page.opened.result()
    finally:
        page.stopping.set_result(None)
        thread.join()


@asynccontextmanager
async def _page_of(tournament: Tournament, names: Sequence[str], lobby: Lobby,
                   port: int) -> AsyncIterator[tuple[TournamentPage, ASGIApp]]:
    api, feeds = TournamentApi(tournament, lobby), Feeds(lobby)
    live = replace(await feeds.open(), game=api.id)
    try:
        yield TournamentPage(port, live), make_live_app(lobby, names, api.routes())
    finally:
        await feeds.close()
        await api.close()
