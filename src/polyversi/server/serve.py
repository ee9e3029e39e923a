"""Serves the application on a port of this machine, over a store."""

from __future__ import annotations

import gc
import os
import socket
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from polyversi.games.errors import PolyversiError
from polyversi.games.extras import PAGE, require
from polyversi.server.connection import keep_alive, opening
from polyversi.server.messages import MAX_FROM_GUEST

if TYPE_CHECKING:
    import uvicorn
    from starlette.types import ASGIApp

BACKLOG = 1024
SHUTDOWN_TIMEOUT = 3
"""Seconds for what is being answered when the server is told to stop."""


def default_store() -> Path:
    """The file in which games are kept unless somebody says otherwise: in the user's data folder."""
    folder = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(folder) / "polyversi" / "games.db"


def open_port(address: str, port: int) -> socket.socket:
    """Opens the port before anything else is done, so that a port in use is told at once."""
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    with opening(address, port):
        listening = socket.create_server((address, port), family=family, backlog=BACKLOG)
    # Connections inherit all of this. asyncio sees to TCP_NODELAY only for sockets that it has made itself,
    # and without it every move waits for the receipt of the one before. Without the rest, what is to be sent
    # to somebody who takes nothing would wait for ever.
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    keep_alive(listening)
    return listening


def uvicorn_server(app: ASGIApp, ready: Callable[[], None]) -> uvicorn.Server:
    """A server for an application; `ready` is called when visitors can come."""
    require(PAGE)
    import uvicorn

    from polyversi.server.limits import LimitedProtocol

    class Server(uvicorn.Server):
        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            if not self.should_exit:
                ready()

    return Server(uvicorn.Config(
        app, http=LimitedProtocol, ws="websockets-sansio", ws_max_size=MAX_FROM_GUEST,
        ws_per_message_deflate=False, log_level="warning", access_log=False, server_header=False,
        timeout_graceful_shutdown=SHUTDOWN_TIMEOUT,
    ))


def serve(listening: socket.socket, where: str, bots: Path | None, names: Iterable[str],
          ready: Callable[[str], None]) -> None:
    """Serves until it is interrupted; `ready` is told where the games are kept when visitors can come."""
    require(PAGE)
    from polyversi.server.app import make_app
    from polyversi.server.bots import BotFolder
    from polyversi.server.security import own_names
    from polyversi.storage.games import Store

    store = Store.open(where)
    try:
        app = make_app(store, BotFolder(bots), [*names, *own_names(listening.getsockname()[0])])

        def begin() -> None:
            gc.collect()
            gc.freeze()    # what is here now stays: looking through it again would hold up every game
            gc.set_threshold(2_000, 10, 10)
            ready(store.name)

        server = uvicorn_server(app, begin)
        with store.reserved():
            server.run(sockets=[listening])
        if not server.started:
            raise PolyversiError("the server could not start; what stands above says why")
    finally:
        store.close()
