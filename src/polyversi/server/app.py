"""The application: the page's files, what they ask for, and the games behind them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import TYPE_CHECKING

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from polyversi.server import files
from polyversi.server.answers import json, told
from polyversi.server.api import Api
from polyversi.server.hall import Hall
from polyversi.server.lobby import Lobby
from polyversi.server.security import Door
from polyversi.server.sockets import Sockets
from polyversi.server.studio import Studio

if TYPE_CHECKING:
    from starlette.requests import Request

    from polyversi.server.bots import BotFolder
    from polyversi.storage.games import Store

VIEWS = ("/", "/play", "/watch", "/arena", "/arena/{id}", "/editor", "/settings", "/game/{id}")
VIEWS_OF_GALLERY = ("/watch", "/settings", "/game/{id}")
Life = Callable[[Starlette], AbstractAsyncContextManager[None]]


def make_app(store: Store, bots: BotFolder, names: Iterable[str] = ()) -> Starlette:
    """The whole server as an ASGI application; `names` are those that it answers to besides its addresses."""
    lobby = Lobby(store, bots)
    hall = Hall(lobby)
    studio = Studio()

    @asynccontextmanager
    async def life(_: Starlette) -> AsyncIterator[None]:
        await lobby.start()
        await hall.start()
        yield
        studio.close()
        await lobby.close()

    routes = [*Api(lobby, hall, studio).routes(), *Sockets(lobby, hall).routes()]
    return _application(VIEWS, routes, names, life)


def make_gallery(lobby: Lobby, names: Iterable[str] = ()) -> Starlette:
    """The server of a page on which the games of a lobby are watched and nobody can set one up."""
    hall = Hall(lobby)    # nothing is played in it
    studio = Studio()

    @asynccontextmanager
    async def life(_: Starlette) -> AsyncIterator[None]:
        yield
        studio.close()

    own = [Route("/", told(_to_the_games)), Route("/page/app/features.js", told(_offers_of_gallery))]
    routes = [*own, *Api(lobby, hall, studio).watching(), *Sockets(lobby, hall).watching()]
    return _application(VIEWS_OF_GALLERY, routes, names, life)


def _application(views: Iterable[str], routes: Sequence[BaseRoute], names: Iterable[str],
                 life: Life) -> Starlette:
    """The page and its files with these views, behind the door."""
    return Starlette(
        routes=[
            *(Route(view, told(_index)) for view in views),
            *routes,
            Route("/page/{name:path}", told(_file)),
        ],
        middleware=[Middleware(Door, names=names),
                    Middleware(GZipMiddleware, minimum_size=800, compresslevel=5)],
        exception_handlers={404: _not_found, 405: _not_found},
        lifespan=life,
    )


async def _index(request: Request) -> Response:
    return files.answer(request, "index.html")


async def _file(request: Request) -> Response:
    return files.answer(request, request.path_params["name"])


async def _to_the_games(_: Request) -> Response:
    return RedirectResponse("/watch")


async def _offers_of_gallery(request: Request) -> Response:
    return files.answer(request, "app/features-watch-only.js")


async def _not_found(request: Request, error: Exception) -> Response:
    """Programs get a sentence; people get the page, which says it and knows the way on."""
    status = getattr(error, "status_code", 404)
    if status != 404 or "text/html" not in request.headers.get("accept", ""):
        return json({"problem": "there is nothing here"}, status)
    page = files.answer(request, "index.html")
    if page.status_code == 200:
        page.status_code = 404
    return page

