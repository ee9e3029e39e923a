"""`polyversi xt-client`: plays on any server of Reversi XT, such as those of the courses."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

import typer

from polyversi.cli.main import give_up_output
from polyversi.cli.options import HUMAN, GamesFile, Plain, good_bye, record_file
from polyversi.cli.views.xt_client import XtClientView
from polyversi.gameplay.human import PersonLeft
from polyversi.gameplay.interrupt import run_interruptibly
from polyversi.games.errors import RecordError
from polyversi.games.variants import game
from polyversi.players import strongest_first
from polyversi.protocols.spec import check_suited
from polyversi.records import jsonl
from polyversi.server.messages import EventMessage
from polyversi.server.xt.client_process import ClientJob, ClientProcess, GameEnded, News
from polyversi.storage.line_file import RecordFile


def xt_client(
    server: Annotated[str, typer.Option("--server", "-s", metavar="HOST", help="The server's address.")]
        = "127.0.0.1",
    port: Annotated[int, typer.Option(
        "--port", "-p", min=1, max=65535, help="The server's TCP port.")] = 7777,
    player: Annotated[str | None, typer.Option(
        help="'human', a player of `polyversi players` or a bot; by default the strongest.")] = None,
    group: Annotated[int, typer.Option(min=0, max=99, help="Your group number.")] = 0,
    games: Annotated[int, typer.Option(min=1, help="Play this many games, one after the other.")] = 1,
    retry: Annotated[float, typer.Option(
        metavar="SECONDS", min=0, max=86400, help="How long to wait for a server to start.")] = 10.0,
    out: GamesFile = None,
    plain: Plain = False,
) -> None:
    """Play on any Reversi XT server: a player, a bot, or you at the prompt.

    Every request is answered in time, with a quick legal move if the player has not decided. The exit status
    is 1 if the server closes the connection before the end, disqualifies the seat, or breaks the rules.

    Examples:
      polyversi xt-client -s 192.168.1.20 -p 7777
      polyversi xt-client --player human
      polyversi xt-client --player group6 --group 6 --games 3 --out games.jsonl
    """
    usual = game("xt:arena")
    who = player or strongest_first(usual)[0]
    if who != HUMAN:
        check_suited([who], usual)
    job = ClientJob(server, port, who, group, games, retry)
    with good_bye("Good-bye; you left the game."), record_file(out) as file:
        faults = run_interruptibly(_session(job, file, plain=plain))
        for fault in faults:
            typer.echo(f"polyversi: {fault}", err=True)
        raise typer.Exit(1 if faults else 0)


async def _session(job: ClientJob, file: RecordFile | None, *, plain: bool) -> list[str]:
    """Shows the games, which another process plays; what went wrong in them, or in telling of them."""
    faults: list[str] = []
    async with ClientProcess(job) as client:
        view = XtClientView(client, has_person=job.player == HUMAN, plain=plain)
        view.say(f"connecting to {job.host}:{job.port}; the game begins when all players are there")
        async for batch in client.news():
            faults += _show_batch(batch, view, file)
        if view.has_left:
            raise PersonLeft
    if job.games > 1:
        points = sum(ended.result.points[ended.seat - 1] for ended in view.played)
        view.say(f"{points:g} points in {job.games} games")
    return [ended.fault for ended in view.played if ended.fault] + faults


def _show_batch(batch: list[News], view: XtClientView, file: RecordFile | None) -> Iterator[str]:
    """Shows news and stores finished games; output that fails is reported and ends no game."""
    for number, news in enumerate(batch, 1):
        try:
            view.show_news(news, is_past=any(isinstance(later, EventMessage) for later in batch[number:]))
        except OSError as error:
            give_up_output()
            yield f"the game could not be shown to its end: {error.strerror}"
        if file is not None and isinstance(news, GameEnded):
            try:
                file.append(jsonl.write(view.played[-1].record))
            except RecordError as error:
                yield str(error)
