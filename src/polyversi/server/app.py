"""The application: the page's files, what they ask for, and the games behind them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from functools import partial
from typing import TYPE_CHECKING

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
from polyversi.server.sockets import Sockets, everybody
from polyversi.site.settings import SiteFile
from polyversi.storage.explorer import Explorer
from polyversi.storage.games import Store, StoreError

if TYPE_CHECKING:
    from polyversi.server.site.parts import ServedSite

GAME, SERIES, RULES = "/game/{id}", "/arena/{id}", "/rules/{id}"
"""Views that are there only if what they show is."""
STORE_WAITS = (b"polyversi-store", b"waiting")
OWN_PATHS = (GAME, SERIES, RULES)
LIVE_VIEWS = ("/watch", "/settings")
EVENT_VIEWS = ("/events", "/events/{id}")
Has = Callable[[Request], Awaitable[object]]
Life = Callable[[Starlette], AbstractAsyncContextManager[None]]


def make_app(store: Store, bots: BotFolder, names: Iterable[str] = (), reach: Reach = UNKNOWN,
             policy: AnalysisPolicy = DEFAULT_POLICY, explorers: Sequence[Explorer] = (),
             books: Sequence[Book] = (), site_file: SiteFile | None = None) -> ASGIApp:
    """The whole server as an ASGI application; `names` are those that it answers to besides its addresses.

    With the file of a site it has people, bots, ladders and events too, in the same store.
    """
    lobby = Lobby(store, bots)
    openings = OpeningExplorer(store, lobby.say, explorers, books)
    series = SeriesRegistry(lobby)
    renderer = Renderer()
    analysis = AnalysisService(lobby, policy)
    site = _served(site_file, lobby) if site_file else None

    @asynccontextmanager
    async def life(_: Starlette) -> AsyncIterator[None]:
        await lobby.start()
        await series.start()
        analysis.start()
        openings.start()
        if site:
            await site.start()
        yield
        if site:
            await site.close()
        await asyncio.to_thread(openings.close)
        await analysis.close()
        await asyncio.to_thread(renderer.close)
        await lobby.close()

    api = Api(lobby, series, renderer, reach, analysis)
    name = site_file.settings.name if site_file else ""
    pages = [_page(path, has, site=name) for path, has in zip(
        OWN_PATHS, (api.has_game, api.has_series, api.has_rules), strict=True)]
    sockets = Sockets(lobby, series, site.may_play if site else everybody)
    own = [*pages, *api.routes(), *openings.routes(), *sockets.routes(),
           *AnalysisApi(lobby, analysis).routes()]
    routes = [*site.routes(), *site.shielded(own)] if site else own
    inner = site.middleware() if site else ()
    app = application(_views(site is not None), routes, names, life, site=name, inner=inner)
    return StoreNotice(app, lobby)


def _served(file: SiteFile, lobby: Lobby) -> ServedSite:
    """A site with its parts, which need more packages than the page alone."""
    from polyversi.server.site.parts import ServedSite

    return ServedSite(file, lobby)


def make_live_app(lobby: Lobby, names: Iterable[str] = (), events: Sequence[BaseRoute] = ()) -> ASGIApp:
    """The server of a page on which the games of a lobby are watched and nobody can set one up.

    With the routes of events it also shows these.
    """
    series = SeriesRegistry(lobby)    # nothing is played in it
    renderer = Renderer()

    @asynccontextmanager
    async def life(_: Starlette) -> AsyncIterator[None]:
        yield
        await asyncio.to_thread(renderer.close)

    api = Api(lobby, series, renderer)
    shown = partial(_page, can_play=False, has_events=bool(events))
    pages = [shown(GAME, api.has_game), shown(RULES, api.has_rules)]
    routes = [*events, Route("/", _to_games), *pages, *api.live_routes(),
              *Sockets(lobby, series).live_routes()]
    views = (*LIVE_VIEWS, *EVENT_VIEWS) if events else LIVE_VIEWS
    return application(views, routes, names, life, can_play=False, has_events=bool(events))


def application(views: Iterable[str], routes: Sequence[BaseRoute], names: Iterable[str] = (),
                life: Life | None = None, can_play: bool = True, site: str = "",
                has_events: bool = False, inner: Iterable[Middleware] = ()) -> ASGIApp:
    """The page and its files with these views, behind the checks of host and origin and what is `inner`.

    The headers are outside of everything, since Starlette answers what nobody expected before any middleware.
    """
    bundle = files.Bundle()

    async def view(request: Request) -> Response:
        return files.respond_document(request, can_play, site, has_events)

    async def file(request: Request) -> Response:
        return await files.respond(request, request.path_params["name"], bundle)

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
            Route("/page/{name:path}", file),
        ],
        middleware=[Middleware(TrustedHosts, names=names), Middleware(SameOrigin), *inner,
                    Middleware(GZipMiddleware, minimum_size=800, compresslevel=5)],
        exception_handlers={404: not_found, 405: not_found,
                            **dict.fromkeys((HttpError, PolyversiError, Exception), error_response)},
        lifespan=life,
    )))


def _views(has_site: bool) -> list[str]:
    """The addresses of the views; what a site adds is found only where there is one."""
    names = [view for view in files.views() if has_site or view not in files.SITE_VIEWS]
    paths = [path for view in names for path in (f"/{view}", f"/{view}/{{id}}")]
    return ["/", *(path for path in paths if path not in OWN_PATHS)]


def _page(path: str, has: Has, can_play: bool = True, site: str = "", has_events: bool = False) -> Route:
    """The page of a game, a series or rules, which is found only if these are."""
    async def respond(request: Request) -> Response:
        with suppress(StoreError):    # which the page tells, and asks again
            if not await has(request):
                raise HTTPException(404)
        return files.respond_document(request, can_play, site, has_events)

    return Route(path, respond)


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


async def _to_games(_: Request) -> Response:
    return RedirectResponse("/watch")
