"""What the analysis board asks over HTTP."""

from __future__ import annotations

import asyncio
from functools import partial

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route, WebSocketRoute

from polyversi.server.analysis.exports import Export, exported
from polyversi.server.analysis.positions import Moves, positions
from polyversi.server.analysis.service import AnalysisService, WhyAsked
from polyversi.server.analysis.socket import AnalysisSockets
from polyversi.server.analysis.studies import ChangedStudy, NewStudy, Studies
from polyversi.server.limits import ConcurrencyLimit, RateLimit, visitor_of
from polyversi.server.lobby import Lobby
from polyversi.server.responses import json_response, limited, parse_body, unless_gone
from polyversi.storage.stored import StoredStudy

MAX_CONCURRENT = 2
"""Positions that are worked out for one visitor at the same time."""


class AnalysisApi:
    """The handlers of the analysis board."""

    def __init__(self, lobby: Lobby, service: AnalysisService) -> None:
        self._lobby = lobby
        self._service = service
        self._sockets = AnalysisSockets(lobby, service)
        self._small = partial(limited, limit=RateLimit(burst=120, per_second=10))
        self._large = partial(limited, limit=RateLimit(burst=30, per_second=0.5))
        self._studies = Studies(lobby)
        self._concurrency = ConcurrencyLimit(MAX_CONCURRENT)

    def routes(self) -> list[BaseRoute]:
        """Where every handler is found."""
        return [
            Route("/api/analysis/positions", self._small(self.positions), methods=["POST"]),
            Route("/api/analysis/file", self._large(self.file), methods=["POST"]),
            Route("/api/analysis/why", self._small(self.why), methods=["POST"]),
            Route("/api/reviews/{id}", self._small(self.review), methods=["GET"]),
            Route("/api/studies", self._large(self.new_study), methods=["POST"]),
            Route("/api/studies/{id}", self._small(self.study), methods=["GET"]),
            Route("/api/studies/{id}", self._small(self.change_study), methods=["PUT"]),
            WebSocketRoute("/api/analysis/socket", self._sockets.serve),
        ]

    async def positions(self, request: Request) -> Response:
        """The positions of a line of moves, with what can be played in each."""
        asked = await parse_body(request, Moves)
        self._service.warm_up()
        async with self._concurrency.of(visitor_of(request)):
            return json_response(await asyncio.to_thread(positions, asked))

    async def why(self, request: Request) -> Response:
        """Why a move is worse than the best one."""
        asked = await parse_body(request, WhyAsked)
        found = await unless_gone(request, self._service.why(asked, visitor_of(request)))
        return json_response({"reasons": found})

    async def review(self, request: Request) -> Response:
        """The review of a game, as far as it was made; nothing where there is none."""
        found = await self._service.reviews.stored(request.path_params["id"])
        # Not 404: browsers write that down as an error, and the page asks for every game.
        return Response(status_code=204) if found is None else json_response(found)

    async def file(self, request: Request) -> Response:
        """The main line of a record in another format."""
        asked = await parse_body(request, Export)
        async with self._concurrency.of(visitor_of(request)):
            return json_response({"text": await asyncio.to_thread(exported, asked)})

    async def new_study(self, request: Request) -> Response:
        """Keeps a study."""
        new = await parse_body(request, NewStudy)
        async with self._concurrency.of(visitor_of(request)):
            id, token = await self._studies.create(new, visitor_of(request))
        return json_response({"id": id, "token": token}, 201)

    async def study(self, request: Request) -> Response:
        """A study, for whoever has its link."""
        return _told(await self._studies.find(request.path_params["id"]))

    async def change_study(self, request: Request) -> Response:
        """Keeps a study in place of what it was."""
        changed = await parse_body(request, ChangedStudy)
        async with self._concurrency.of(visitor_of(request)):
            return _told(await self._studies.change(request.path_params["id"], changed))


def _told(study: StoredStudy) -> Response:
    return json_response({"record": study.record, "updated": study.updated})
