"""`polyversi xt-server`: games of Reversi XT for the courses' clients."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from polyversi.cli.commands.run import link
from polyversi.cli.options import GamesFile, Listening, Plain, Port, opened, record_file
from polyversi.cli.views.xt_server import XtServerView
from polyversi.gameplay.interrupt import run_interruptibly
from polyversi.games.errors import PolyversiError, RecordError
from polyversi.protocols.spec import check_suited, seat_of
from polyversi.records import jsonl
from polyversi.server.xt.results import PlayedGame, ResultsFile
from polyversi.server.xt.server import XtPlan, XtServer, limit_of, server_map

DEFAULT_SECONDS = 2.0
SWITCH_INTERVAL = 0.001
"""Seconds that the thread with the clients' clocks waits, at most, for one that draws or thinks in Python."""


def xt_server(
    maps: Annotated[list[str], typer.Option(
        "--map", "-m", metavar="MAP",
        help="A map file, or a kind of `polyversi map kinds` such as starfish or arena,players=4; "
             "repeat it to play on several maps in turn.",
    )],
    seconds: Annotated[float | None, typer.Option(
        "--time", "-t", min=0, max=86400, metavar="SECONDS",
        help="Time for a move; unused time is saved. By default 2, or unlimited (0) with --depth.")] = None,
    depth: Annotated[int, typer.Option(
        "--depth", "-d", min=0, max=255, help="Plies that clients may search; 0 for no limit.")] = 0,
    port: Port = 7777,
    wait: Annotated[float, typer.Option(
        "--wait", "-z", min=0, metavar="SECONDS", help="Pause before the first request.")] = 1.0,
    games: Annotated[int | None, typer.Option(
        min=1, help="Play this many games, one after the other; by default one on each map.")] = None,
    players: Annotated[list[str] | None, typer.Option(
        "--with", metavar="PLAYER",
        help="A player of `polyversi players` or a bot for the last seats; repeat it for several.")] = None,
    out: GamesFile = None,
    results: Annotated[Path | None, typer.Option(
        metavar="FILE.csv", help="Append a row for each seat of each game to this file.")] = None,
    page: Annotated[int | None, typer.Option(
        min=0, max=65535, metavar="PORT",
        help="Show the games live on a page at this port; 0 takes a free one.")] = None,
    store: Annotated[str, typer.Option(
        metavar="STORE",
        help="Store the games of the page in this file, or at a URL such as postgresql://….")] = "",
    address: Listening = "127.0.0.1",
    plain: Plain = False,
) -> None:
    """Serve games of Reversi XT to the courses' clients.

    Clients take the seats in the order in which they connect. A game starts when all of them have sent their
    group number. A client that breaks the rules, answers late or leaves is disqualified, and the others play
    on. Ctrl-C ends the server; finished games are kept.

    Examples:
      polyversi xt-server -m starfish -t 2 --page 8080
      polyversi xt-server -m my.map -d 3 -p 7700 --with random
      polyversi xt-server -m a.map -m b.map --games 10 --results results.csv --host 0.0.0.0
    """
    if store and page is None:
        raise PolyversiError("--store is for the games of the page; add --page PORT")
    if seconds is None:
        seconds = 0.0 if depth else DEFAULT_SECONDS
    charts = [server_map(word) for word in maps]
    for chart in charts:
        check_suited(players or [], chart.game)
    local = [partial(seat_of, player, in_thread=True) for player in players or []]
    plan = XtPlan(charts, limit_of(seconds, depth), local, games or len(charts), wait)
    sys.setswitchinterval(SWITCH_INTERVAL)
    with _output_files(out, results) as keep:
        view = XtServerView(plain=plain, keep=keep)
        try:
            with view:
                server = XtServer(plan, observer=view)
                run_interruptibly(_serve(server, view, address, port, page, store))
        except KeyboardInterrupt:
            typer.echo(f"\nGood-bye; {view.totals.games} of {plan.games} games were played.")
            raise typer.Exit(130) from None


async def _serve(server: XtServer, view: XtServerView, address: str, port: int, page: int | None,
                 store: str) -> None:
    if page is None:
        await server.open(address, port)
        view.say(opened("waiting for clients of Reversi XT", address, server.port, "take a free seat"))
        await server.run()
        return
    from polyversi.server.live import live_view  # needs packages that a server without a page does without

    async with live_view(address, page, store, view.say) as live:
        server.play = live.play
        view.say(f"the games are shown at {link(address, live.port)}")
        await _serve(server, view, address, port, None, "")


@contextmanager
def _output_files(out: Path | None, results: Path | None) -> Iterator[Callable[[PlayedGame], None]]:
    """Appends finished games to the files that were named; if one cannot be written, the other still is."""
    if out is not None and results is not None and out.resolve() == results.resolve():
        raise RecordError(f"--out and --results name the same file, {out}; they need a file each")
    with record_file(out) as records, ResultsFile(results) if results else nullcontext() as rows:

        def append(game: PlayedGame) -> None:
            try:
                if records is not None:
                    records.append(jsonl.write(game.record))
            finally:
                if rows is not None:
                    rows.append(game.seats)

        yield append
