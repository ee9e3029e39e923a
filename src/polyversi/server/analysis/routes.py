"""What the analysis board asks over HTTP."""

from __future__ import annotations

import asyncio
from functools import partial

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route, WebSocketRoute

from polyversi.server.analysis.positions import Moves, positions
from polyversi.server.analysis.service import AnalysisService
from polyversi.server.analysis.socket import AnalysisSockets
from polyversi.server.limits import ConcurrencyLimit, RateLimit, visitor_of
from polyversi.server.lobby import Lobby
from polyversi.server.responses import json_response, limited, parse_body

MAX_CONCURRENT = 2
"""Positions that are worked out for one visitor at the same time."""


class AnalysisApi:
    """The handlers of the analysis board."""

    def __init__(self, lobby: Lobby, service: AnalysisService) -> None:
        self._lobby = lobby
        self._service = service
        self._sockets = AnalysisSockets(lobby, service)
        self._small = partial(limited, limit=RateLimit(burst=120, per_second=10))
        self._concurrency = ConcurrencyLimit(MAX_CONCURRENT)

    def routes(self) -> list[BaseRoute]:
        """Where every handler is found."""
        return [
            Route("/api/analysis/positions", self._small(self.positions), methods=["POST"]),
            WebSocketRoute("/api/analysis/socket", self._sockets.serve),
        ]

    async def positions(self, request: Request) -> Response:
        """The positions of a line of moves, with what can be played in each."""
        asked = await parse_body(request, Moves)
        self._service.warm_up()
        async with self._concurrency.of(visitor_of(request)):
            return json_response(await asyncio.to_thread(positions, asked))
