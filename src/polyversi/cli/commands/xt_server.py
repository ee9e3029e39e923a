"""`polyversi xt-server`: games of Reversi XT for the courses' clients."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from itertools import combinations
from pathlib import Path
from typing import Annotated

import typer

import polyversi
from polyversi.cli.commands.run import link
from polyversi.cli.options import GamesFile, Listening, opened, record_file
from polyversi.cli.views.xt_server import XtServerView
from polyversi.gameplay.bots.sandbox import Sandbox
from polyversi.gameplay.interrupt import run_interruptibly
from polyversi.games.board import printable, shorten
from polyversi.games.errors import PlayerError, PolyversiError, RecordError
from polyversi.protocols.spec import bot_from, check_suited, sandbox_of, seat_of
from polyversi.protocols.xt.client_seat import XtClientSeat
from polyversi.records import jsonl
from polyversi.server.xt.results import CourseResultsFile, LogFile, ResultsFile, XtGameResult
from polyversi.server.xt.server import XtPlan, XtServer, limit_of, server_map

DEFAULT_SECONDS = 2.0
BASE_PORT = 7777
TRIES = 100
"""Ports that are tried, one after the other."""
MAX_NAME = 40
SWITCH_INTERVAL = 0.001
"""Seconds that the thread with the clients' clocks waits, at most, for one that draws or thinks in Python."""
WITHOUT = "or leave out --sandbox, if you have read the code of bots and clients"
SETTINGS = {"help_option_names": ["--help", "-h"]}


def _show_version(is_wanted: bool) -> None:
    if is_wanted:
        typer.echo(f"polyversi {polyversi.__version__}")
        raise typer.Exit


def xt_server(
    maps: Annotated[list[str], typer.Option(
        "--map", "-m", metavar="MAP",
        help="A map file, or a kind of `polyversi map kinds` such as starfish or arena,players=4; "
             "repeat it to play on several maps in turn.",
    )],
    seconds: Annotated[float | None, typer.Option(
        "--time", "--timelimit", "-t", min=0, max=86400, metavar="SECONDS",
        help="Time for a move; unused time is saved. By default 2, or unlimited (0) with --depth.")] = None,
    depth: Annotated[int, typer.Option(
        "--depth", "--depthlimit", "-d", min=0, max=255,
        help="Plies that clients may search; 0 for no limit.")] = 0,
    base_port: Annotated[int | None, typer.Option(
        "--baseport", "-p", min=0, max=65535, metavar="PORT",
        help="The TCP port, by default 7777; if it is in use, the next one that is free.")] = None,
    port: Annotated[int | None, typer.Option(
        "--port", min=0, max=65535, help="This TCP port and no other; 0 takes a free one.")] = None,
    longest_wait: Annotated[float | None, typer.Option(
        "--zleep", "-z", min=0, metavar="SECONDS",
        help="Give up when not all clients of a game have connected after so long.")] = None,
    pause: Annotated[float, typer.Option(
        "--pause", min=0, metavar="SECONDS", help="Pause before the first request.")] = 1.0,
    games: Annotated[int | None, typer.Option(
        min=1, help="Play this many games, one after the other; by default one on each map.")] = None,
    start: Annotated[list[str] | None, typer.Option(
        "--start", metavar="COMMAND",
        help="Start a client for each game; write {host} and {port} where it takes them. Repeat it for "
             "several.")] = None,
    players: Annotated[list[str] | None, typer.Option(
        "--with", metavar="PLAYER",
        help="A player of `polyversi players` or a bot for the last seats; repeat it for several.")] = None,
    is_sandboxed: Annotated[bool, typer.Option(
        "--sandbox", help="Run bots and started clients in a sandbox.")] = False,
    names: Annotated[list[str] | None, typer.Option(
        "--name", metavar="GROUP=NAME",
        help="The name of a group's client; repeat it for other groups, and for further clients of one "
             "group.")] = None,
    out: GamesFile = None,
    log: Annotated[Path | None, typer.Option(
        "--log", metavar="FILE.log", help="Append the log of each game to this file.")] = None,
    results: Annotated[Path | None, typer.Option(
        metavar="FILE.csv", help="Append a row for each seat of each game to this file.")] = None,
    course_results: Annotated[Path | None, typer.Option(
        "--result", "-r", metavar="FILE",
        help="Append a line `group, seat, msecs, ok` for each seat of each game to this file.")] = None,
    page: Annotated[int | None, typer.Option(
        min=0, max=65535, metavar="PORT",
        help="Show the games live on a page at this port; 0 takes a free one.")] = None,
    store: Annotated[str, typer.Option(
        metavar="STORE",
        help="Store the games of the page in this file, or at a URL such as postgresql://….")] = "",
    address: Listening = "127.0.0.1",
    plain: Annotated[bool, typer.Option(
        "--plain", "--simple", "-s", help="Text without boards, for screen readers.")] = False,
    hides_moves: Annotated[bool, typer.Option(
        "--hide-moves", "-M", help="Do not mark the legal moves on boards.")] = False,
    has_no_color: Annotated[bool, typer.Option(
        "--no-color", "-C", help="Boards without colours.")] = False,
    _: Annotated[bool, typer.Option(
        "--version", "-v", help="Show the version and exit.", is_eager=True, callback=_show_version)] = False,
) -> None:
    """Serve games of Reversi XT to the courses' clients.

    Clients take the seats in the order in which they connect. A game starts when all of them have sent their
    group number. A client that breaks the rules, answers late or leaves is disqualified, and the others play
    on. Ctrl-C ends the server; finished games are kept. The flags of the courses' server mean the same here.

    Examples:
      polyversi xt-server -m starfish -t 2 --page 8080
      polyversi xt-server -m my.map -d 3 -p 7700 --with random
      polyversi xt-server -m a.map -m b.map --games 10 --log evening.log --results results.csv --host 0.0.0.0
      polyversi xt-server -m my.map --start 'java -jar client.jar -s {host} -p {port}' --with xt
    """
    if store and page is None:
        raise PolyversiError("--store is for the games of the page; add --page PORT")
    if port is not None and base_port is not None:
        raise PolyversiError("--port and --baseport are two ways to choose the port; give one of them")
    if has_no_color:
        os.environ["NO_COLOR"] = "1"
    if seconds is None:
        seconds = 0.0 if depth else DEFAULT_SECONDS
    clients = [f"xtclient:{command}" for command in start or []]
    charts = [server_map(word) for word in maps]
    for chart in charts:
        check_suited([*clients, *(players or [])], chart.game)
    protection = sandbox_of([*clients, *(players or [])], instead=WITHOUT) if is_sandboxed else None
    local = [partial(seat_of, player, in_thread=True, protection=protection) for player in players or []]
    plan = XtPlan(charts, limit_of(seconds, depth), local, games or len(charts), pause,
                  started=[_client(spec, protection) for spec in clients], names=client_names(names or []),
                  longest_wait=longest_wait)
    sys.setswitchinterval(SWITCH_INTERVAL)
    tries = 1 if port is not None else TRIES
    number = next((given for given in (port, base_port) if given is not None), BASE_PORT)
    with _output_files(out, log, results, course_results) as keep:
        view = XtServerView(plain=plain, marks_moves=not hides_moves, keep=keep)
        try:
            with view:
                server = XtServer(plan, observer=view)
                run_interruptibly(_serve(server, view, address, number, tries, page, store))
        except KeyboardInterrupt:
            typer.echo(f"\nGood-bye; {view.totals.games} of {plan.games} games were played.")
            raise typer.Exit(130) from None


async def _serve(server: XtServer, view: XtServerView, address: str, port: int, tries: int,
                 page: int | None, store: str) -> None:
    if page is None:
        if server.plan.is_open:
            await server.open(address, port, tries=tries)
            if port not in (0, server.port):
                view.say(f"port {port} is in use; the server takes {server.port}")
            view.say(opened("waiting for clients of Reversi XT", address, server.port, "take a free seat"))
        await server.run()
        return
    from polyversi.server.live import live_view  # needs packages that a server without a page does without

    async with live_view(address, page, store, view.say) as live:
        server.play = live.play
        view.say(f"the games are shown at {link(address, live.port)}")
        await _serve(server, view, address, port, tries, None, "")


def _client(spec: str, protection: Sandbox | None) -> XtClientSeat:
    client = bot_from(spec, protection)
    assert isinstance(client, XtClientSeat)
    return client


def client_names(texts: Sequence[str]) -> dict[int, list[str]]:
    """The names of clients by group, from the texts of the option.

    >>> client_names(["6=Ann", "7=Bob", "6=Cid"])
    {6: ['Ann', 'Cid'], 7: ['Bob']}
    """
    names: dict[int, list[str]] = {}
    for text in texts:
        group, _, name = text.partition("=")
        name = name.strip()
        if not (group.strip().isdecimal() and int(group) < 256) or not name:
            raise PlayerError(f"'{shorten(text)}' is not a name for a group; write GROUP=NAME, such as 6=Ann")
        if len(name) > MAX_NAME or name != printable(name):
            raise PlayerError(f"'{shorten(name)}' cannot be a name; it takes up to {MAX_NAME} printable "
                              "characters")
        if name in names.setdefault(int(group), []):
            raise PlayerError(f"two clients of group {int(group)} cannot both be called '{name}'")
        names[int(group)].append(name)
    return names


@contextmanager
def _output_files(
    out: Path | None, log: Path | None, results: Path | None, course_results: Path | None
) -> Iterator[Callable[[XtGameResult], None]]:
    """Appends finished games to the files that were named; if one cannot be written, the others still are."""
    given = {"--out": out, "--log": log, "--results": results, "--result": course_results}
    for (first, one), (second, other) in combinations(given.items(), 2):
        if one is not None and other is not None and one.resolve() == other.resolve():
            raise RecordError(f"{first} and {second} name the same file, {one}; they need a file each")
    with ExitStack() as stack:
        records = stack.enter_context(record_file(out))
        files = [stack.enter_context(kind(path)) for kind, path in (
            (LogFile, log), (ResultsFile, results), (CourseResultsFile, course_results)) if path is not None]

        def append(game: XtGameResult) -> None:
            with ExitStack() as writing:    # each is called, whatever becomes of the others
                for file in reversed(files):
                    writing.callback(file.append, game)
                if records is not None:
                    writing.callback(lambda: records.append(jsonl.write(game.record)))

        yield append
