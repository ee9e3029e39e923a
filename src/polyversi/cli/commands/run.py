"""`polyversi run`: the page and its server on this machine."""

from __future__ import annotations

import os
import socket
import sys
import threading
import webbrowser
from pathlib import Path
from typing import Annotated

import typer

from polyversi.cli.options import Listening, Port, listening_at, reachable_at
from polyversi.server.serve import default_store, open_port, serve


def run(
    address: Listening = "127.0.0.1",
    port: Port = 7777,
    store: Annotated[str, typer.Option(
        help="Where games are kept: a file, or a URL such as postgresql://…; by default in your data folder.",
    )] = "",
    bots: Annotated[Path | None, typer.Option(
        help="A folder of bots that visitors can play against.", show_default=False)] = None,
    name: Annotated[list[str] | None, typer.Option(
        help="A further name that this server is reached by, such as club.example.")] = None,
    browser: Annotated[bool, typer.Option(help="Open the page where there is a screen.")] = True,
) -> None:
    """Open the page: play, watch, edit and compare in the browser.

    Games are stored move by move; a server that is stopped and started again goes on with them. Only this
    machine can open the page unless --host says otherwise.

    Examples:

      polyversi run

      polyversi run --host 0.0.0.0 --bots my-bots

      polyversi run --store postgresql://club@db.example/polyversi
    """
    listening = open_port(address, port)
    serve(listening, store or str(default_store()), bots, [*(name or []), address],
          ready=lambda where: _greet(address, listening, where, browser=browser))


def _greet(address: str, listening: socket.socket, store: str, *, browser: bool) -> None:
    port = listening.getsockname()[1]
    typer.echo(greeting(address, port, store))
    if browser and _has_screen():
        threading.Thread(target=webbrowser.open, args=[link(address, port)], daemon=True).start()


def link(address: str, port: int) -> str:
    """Where a browser finds the page."""
    return f"http://{reachable_at(address, port)}/"


def greeting(address: str, port: int, store: str) -> str:
    """Where the page is, who can open it, and where games are kept.

    >>> print(greeting("127.0.0.1", 7777, "games.db"))
    Polyversi is at http://127.0.0.1:7777/ for this machine only
    Games are kept in games.db
    Ctrl-C stops the server; games go on when it is started again
    """
    where, is_open = listening_at(address, port)
    lines = [f"Polyversi is at {link(address, port)}"]
    if is_open is False:
        lines[0] += " for this machine only"
    else:
        lines += [f"It is open to the network: {where}.",
                  "Whoever can reach it can watch all games, play, and have this machine's players think;",
                  "a seat belongs to whoever has its link. Nothing is encrypted; put a TLS proxy before it."]
    return "\n".join([*lines, f"Games are kept in {store}",
                      "Ctrl-C stops the server; games go on when it is started again"])


def _has_screen() -> bool:
    return sys.stdout.isatty() and (sys.platform in ("darwin", "win32") or any(
        os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY")))
