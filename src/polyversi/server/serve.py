"""Serves the application on a port of this machine, over a store."""

from __future__ import annotations

import asyncio
import gc
import os
import socket
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, cast

from polyversi.games.errors import PolyversiError
from polyversi.games.extras import PAGE, SITE, require
from polyversi.server.analysis.policy import DEFAULT_POLICY, AnalysisPolicy
from polyversi.server.connection import keep_alive, opening

if TYPE_CHECKING:
    import uvicorn
    from starlette.types import ASGIApp

    from polyversi.server.bots import BotFolder
    from polyversi.site.settings import SiteFile
    from polyversi.storage.stored import Retention

BACKLOG = 1024
SWITCH_INTERVAL = 0.001
"""Seconds after which a thread that works on an upload lets another one go on. The usual 5 ms would come on
top of every step of every answer meanwhile, since the event loop is one of those that wait."""
MAX_FRAME = 1 << 16
"""Bytes of a WebSocket's message; each kind of socket has its own limit besides."""
SHUTDOWN_TIMEOUT = 3
"""Seconds for answering open requests after the server was told to stop."""


def default_store() -> Path:
    """The file in which games are stored by default: in the user's data folder."""
    folder = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(folder) / "polyversi" / "games.db"


def default_explorer() -> Path:
    """The file in which `polyversi explorer import` counts games by default, in the same folder."""
    return default_store().with_name("explorer.db")


def open_port(address: str, port: int) -> socket.socket:
    """Opens the port before anything else is done, so that a port in use is reported at once."""
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    with opening(address, port):
        listening = socket.create_server((address, port), family=family, backlog=BACKLOG)
    # Connections inherit all of this. asyncio sets TCP_NODELAY only on sockets that it has made itself, and
    # without it every move waits for the acknowledgement of the last one. Without the rest, data for a peer
    # that no longer reads would wait for ever.
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    keep_alive(listening)
    return listening


def uvicorn_server(app: ASGIApp, listening: socket.socket, ready: Callable[[], None]) -> uvicorn.Server:
    """A server for an application at an open port; `ready` is called when visitors can come."""
    require(PAGE)
    import uvicorn

    from polyversi.server.front import Front, max_lines
    from polyversi.server.reporting import throttle_logs

    is_ready = False

    async def notice() -> None:
        """Called when the server has begun, and then now and again."""
        nonlocal is_ready
        if not is_ready:
            is_ready = True
            listening.listen(BACKLOG)
            ready()

    config = uvicorn.Config(
        app, http=cast("type[asyncio.Protocol]", Front(max_lines()).line), ws="websockets-sansio",
        ws_max_size=MAX_FRAME, ws_per_message_deflate=False, log_level="warning", access_log=False,
        server_header=False, timeout_graceful_shutdown=SHUTDOWN_TIMEOUT,
        forwarded_allow_ips=["127.0.0.1", "::1", "::ffff:127.0.0.1"], callback_notify=notice,
        # So many connections asyncio takes at a time, and so often it complains when there are no more files.
        backlog=1,
    )
    throttle_logs()
    return uvicorn.Server(config)


def serve(listening: socket.socket, where: str, bots: BotFolder, names: Iterable[str],
          ready: Callable[[str], None], retention: Retention | None = None,
          domains: Iterable[str] = (), analysis: AnalysisPolicy = DEFAULT_POLICY,
          explorers: Iterable[str] = (), books: Iterable[Path] = (),
          site: SiteFile | None = None) -> None:
    """Serves until it is interrupted; `ready` is called with the name of the store when visitors can come.

    It answers to these names, of which visitors are told the `domains`. The `explorers` are databases of
    games to look up positions in, besides the store's own, and the `books` are opening books to show. With
    the file of a `site` its people, bots and events are served too.
    """
    require(PAGE, *([SITE] if site else ()))
    from polyversi.engines.book import load
    from polyversi.server.app import make_app
    from polyversi.server.reach import Reach
    from polyversi.server.security import own_names
    from polyversi.storage.explorer import Explorer
    from polyversi.storage.games import Store

    if site is not None:
        from polyversi.site.opened import make_tables

        make_tables(site)
    store = Store.open(where)
    store.retention = retention
    others: list[Explorer] = []
    try:
        others += map(Explorer.open_read_only, explorers)
        opening_books = [load(path) for path in books]
        address, port = listening.getsockname()[:2]
        app = make_app(store, bots, [*names, *own_names(address)], Reach(address, port, tuple(domains)),
                       analysis, others, opening_books, site)

        def begin() -> None:
            gc.collect()
            gc.freeze()    # what exists now stays: collecting it again would delay every game
            gc.set_threshold(2_000, 10, 10)
            sys.setswitchinterval(SWITCH_INTERVAL)
            ready(store.name)

        server = uvicorn_server(app, listening, begin)
        with store.reserved():
            server.run(sockets=[listening])
        if not server.started:
            raise PolyversiError("the server could not start; the reason is given above")
    finally:
        for opened in (store, *others):
            opened.close()
