"""The application: the page's files, what they ask for, and the games behind them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from polyversi.engines.book import Book
from polyversi.games.errors import PolyversiError
from polyversi.server import files
from polyversi.server.analysis.policy import DEFAULT_POLICY, AnalysisPolicy
from polyversi.server.analysis.routes import AnalysisApi
from polyversi.server.analysis.service import AnalysisService
from polyversi.server.api import Api
from polyversi.server.bots import BotFolder
from polyversi.server.downloads import Renderer
from polyversi.server.explorer import OpeningExplorer
from polyversi.server.front import WholeRequests
from polyversi.server.lobby import Lobby
from polyversi.server.reach import UNKNOWN, Reach
from polyversi.server.responses import HttpError, error_response, json_response
from polyversi.server.security import SameOrigin, SecurityHeaders, TrustedHosts
from polyversi.server.series import SeriesRegistry
from polyversi.server.sockets import Sockets
from polyversi.storage.explorer import Explorer
from polyversi.storage.games import Store, StoreError

GAME = "/game/{id}"
VIEWS = ("/", *(path for view in files.views() for path in (f"/{view}", f"/{view}/{{id}}") if path != GAME))
STORE_WAITS = (b"polyversi-store", b"waiting")
LIVE_VIEWS = ("/watch", "/settings", "/rules/{id}")
Life = Callable[[Starlette], AbstractAsyncContextManager[None]]


def make_app(store: Store, bots: BotFolder, names: Iterable[str] = (), reach: Reach = UNKNOWN,
             policy: AnalysisPolicy = DEFAULT_POLICY, explorers: Sequence[Explorer] = (),
             books: Sequence[Book] = ()) -> ASGIApp:
    """The whole server as an ASGI application; `names` are those that it answers to besides its addresses."""
    lobby = Lobby(store, bots)
    openings = OpeningExplorer(store, lobby.say, explorers, books)
    series = SeriesRegistry(lobby)
    renderer = Renderer()
    analysis = AnalysisService(lobby, policy)

    @asynccontextmanager
    async def life(_: Starlette) -> AsyncIterator[None]:
        await lobby.start()
        await series.start()
        analysis.start()
        openings.start()
        yield
        await asyncio.to_thread(openings.close)
        await analysis.close()
        await asyncio.to_thread(renderer.close)
        await lobby.close()

    api = Api(lobby, series, renderer, reach, analysis)
    routes = [_game_page(lobby), *api.routes(), *openings.routes(), *Sockets(lobby, series).routes(),
              *AnalysisApi(lobby, analysis).routes()]
    return StoreNotice(application(VIEWS, routes, names, life), lobby)


def make_live_app(lobby: Lobby, names: Iterable[str] = ()) -> ASGIApp:
    """The server of a page on which the games of a lobby are watched and nobody can set one up."""
    series = SeriesRegistry(lobby)    # nothing is played in it
    renderer = Renderer()

    @asynccontextmanager
    async def life(_: Starlette) -> AsyncIterator[None]:
        yield
        await asyncio.to_thread(renderer.close)

    routes = [Route("/", _to_games), _game_page(lobby, can_play=False),
              *Api(lobby, series, renderer).live_routes(), *Sockets(lobby, series).live_routes()]
    return application(LIVE_VIEWS, routes, names, life, can_play=False)


def application(views: Iterable[str], routes: Sequence[BaseRoute], names: Iterable[str] = (),
                life: Life | None = None, can_play: bool = True) -> ASGIApp:
    """The page and its files with these views, behind the checks of host and origin.

    The headers are outside of everything, since Starlette answers what nobody expected before any middleware.
    """
    async def view(request: Request) -> Response:
        return files.respond_document(request, can_play)

    async def not_found(request: Request, error: Exception) -> Response:
        """Programs get a sentence; people get the page, which says it and knows the way on."""
        status = getattr(error, "status_code", 404)
        if status != 404 or "text/html" not in request.headers.get("accept", ""):
            return json_response({"problem": "there is nothing here"}, status)
        page = await view(request)
        if page.status_code == 200:
            page.status_code = 404
        return page

    return WholeRequests(SecurityHeaders(Starlette(
        routes=[
            *(Route(path, view) for path in views),
            *routes,
            Route("/page/{name:path}", _file),
        ],
        middleware=[Middleware(TrustedHosts, names=names), Middleware(SameOrigin),
                    Middleware(GZipMiddleware, minimum_size=800, compresslevel=5)],
        exception_handlers={404: not_found, 405: not_found,
                            **dict.fromkeys((HttpError, PolyversiError, Exception), error_response)},
        lifespan=life,
    )))


def _game_page(lobby: Lobby, can_play: bool = True) -> Route:
    """The page of a game, which is found only if the game is."""
    async def respond(request: Request) -> Response:
        with suppress(StoreError):    # which the page tells, and asks again
            if not await lobby.has(request.path_params["id"]):
                raise HTTPException(404)
        return files.respond_document(request, can_play)

    return Route(GAME, respond)


class StoreNotice:
    """Says with every answer when nothing can be stored, so that the page shows it wherever a visitor is."""

    def __init__(self, app: ASGIApp, lobby: Lobby) -> None:
        self._app = app
        self._lobby = lobby

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def with_notice(message: Message) -> None:
            if message["type"] == "http.response.start" and self._lobby.write_queue.trouble:
                message["headers"] = [*message.get("headers", []), STORE_WAITS]
            await send(message)

        await self._app(scope, receive, with_notice)


async def _file(request: Request) -> Response:
    return files.respond(request, request.path_params["name"])


async def _to_games(_: Request) -> Response:
    return RedirectResponse("/watch")
