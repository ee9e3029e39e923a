"""`polyversi run`: the page and its server on this machine."""

from __future__ import annotations

import os
import socket
import sys
import threading
import webbrowser
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from polyversi.cli.options import (
    Cluster,
    KeepDays,
    KeepMegabytes,
    Listening,
    Port,
    Trust,
    listening_at,
    reachable_at,
)
from polyversi.games.errors import PolyversiError
from polyversi.server.analysis.policy import MAX_SECONDS, MAX_WORKERS, AnalysisPolicy
from polyversi.server.bots import BotFolder
from polyversi.server.serve import default_explorer, default_store, open_port, serve
from polyversi.storage.stored import Retention

if TYPE_CHECKING:    # which needs more packages
    from polyversi.site.settings import SiteFile


def run(
    address: Listening = "127.0.0.1",
    port: Port = 8777,
    store: Annotated[str, typer.Option(
        help="Where games are stored: a file, or a URL such as postgresql://…; default: in your data folder.",
    )] = "",
    bots: Annotated[Path | None, typer.Option(
        metavar="FOLDER", help="A folder of bots that visitors can play against.")] = None,
    trust: Trust = False,
    domain: Annotated[list[str] | None, typer.Option(
        help="A domain under which this server is reached, such as club.example.")] = None,
    explorer: Annotated[list[str] | None, typer.Option(
        metavar="DATABASE", help="Games to look up positions in, as `polyversi explorer import` has made "
                                 "them; repeat it for several.")] = None,
    book: Annotated[list[Path] | None, typer.Option(
        metavar="FILE", help="An opening book that `polyversi book grow` has made, whose values are shown in "
                             "the analysis; repeat it for several.")] = None,
    keep_days: KeepDays = Retention.days,
    keep_megabytes: KeepMegabytes = Retention.megabytes,
    analysis_workers: Annotated[int, typer.Option(
        metavar="N", min=0, max=MAX_WORKERS,
        help="Processes that think for visitors who analyse; 0 switches analysis off.",
    )] = AnalysisPolicy.workers,
    analysis_seconds: Annotated[float, typer.Option(
        metavar="SECONDS", min=0.1, max=MAX_SECONDS,
        help="How long a position is thought about at most, for all visitors together.",
    )] = AnalysisPolicy.seconds,
    cluster: Cluster = None,
    site: Annotated[Path | None, typer.Option(
        metavar="FILE", help="The file of a site with people, bots, ladders and events, as `polyversi site "
                             "new` makes one; its games are in the site's store.")] = None,
    browser: Annotated[bool, typer.Option(help="Open the page in a browser if there is a screen.")] = True,
) -> None:
    """Open the page: play, watch, edit and compare in the browser.

    Every move is stored; a server that is stopped and started again continues all games. Only this machine
    can open the page unless --host says otherwise.

    Games of people are kept for ever; games of computers alone, uploaded games and series go after a while.
    `polyversi store show` tells how much room they take.

    Analysis steps back behind games: its processes have a lower priority, and visitors take turns. With
    --cluster the threads of a dask cluster think instead.

    Bots run in a sandbox, which needs bubblewrap. Use --trust only for bots whose code you have read.

    Examples:

      polyversi run

      polyversi run --host 0.0.0.0 --bots my-bots

      polyversi run --store postgresql://club@db.example/polyversi

      polyversi run --cluster tcp://10.0.0.1:8786

      polyversi run --explorer openings.db

      polyversi run --site site.toml
    """
    site_file = _site(site, store)
    found = BotFolder(bots, trust=trust)
    for problem in found.problems:
        typer.echo(f"polyversi: {problem}", err=True)
    listening = open_port(address, port)
    where = site_file.store if site_file else store or str(default_store())
    serve(listening, where, found, [*(domain or []), address],
          ready=lambda where: _greet(address, listening, where, browser=browser),
          retention=Retention(keep_days, keep_megabytes), domains=domain or (),
          analysis=AnalysisPolicy(analysis_workers, analysis_seconds, cluster or ""),
          explorers=explorer or ([] if site else _usual_explorers(store)), books=book or (), site=site_file)


def _site(file: Path | None, store: str) -> SiteFile | None:
    """The site of a file, if one is named; it says itself where its store is."""
    if file is None:
        return None
    from polyversi.site.opened import make_private
    from polyversi.site.settings import read_site

    if store:
        raise PolyversiError("a site's file says where its store is; leave out --store")
    found = read_site(file)
    make_private(found)
    return found


def _usual_explorers(store: str) -> list[str]:
    """The games that were counted for this user, for whoever uses no other store either."""
    usual = default_explorer()
    return [str(usual)] if not store and usual.is_file() else []


def _greet(address: str, listening: socket.socket, store: str, *, browser: bool) -> None:
    port = listening.getsockname()[1]
    typer.echo(greeting(address, port, store))
    if browser and _has_screen():
        threading.Thread(target=webbrowser.open, args=[link(address, port)], daemon=True).start()


def link(address: str, port: int) -> str:
    """Where a browser finds the page."""
    return f"http://{reachable_at(address, port)}/"


def greeting(address: str, port: int, store: str) -> str:
    """Where the page is, who can open it, and where games are stored.

    >>> print(greeting("127.0.0.1", 8777, "games.db"))
    Polyversi runs at http://127.0.0.1:8777/ (this machine only)
    Games are stored in games.db
    Ctrl-C stops the server; games continue when it is started again
    """
    where, is_open = listening_at(address, port)
    lines = [f"Polyversi runs at {link(address, port)}"]
    if is_open is False:
        lines[0] += " (this machine only)"
    else:
        lines += [f"It is open to the network: {where}.",
                  "Everybody who can reach it can watch all games, play, and use this machine's processors.",
                  "Whoever has the link of a seat can play it. Nothing is encrypted: use a proxy with TLS."]
    return "\n".join([*lines, f"Games are stored in {store}",
                      "Ctrl-C stops the server; games continue when it is started again"])


def _has_screen() -> bool:
    return sys.stdout.isatty() and (sys.platform in ("darwin", "win32") or any(
        os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY")))
