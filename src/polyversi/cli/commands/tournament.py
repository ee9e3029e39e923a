"""`polyversi tournament`: start one from a file, resume it, show it, export it, add an entrant."""

from __future__ import annotations

import signal
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from polyversi.cli.commands.run import link
from polyversi.cli.options import Cluster, Listening, Trust
from polyversi.cli.views import tournament as view
from polyversi.cli.views.terminal import new_console, run_live
from polyversi.contest.export import export as write
from polyversi.contest.plan import Entrant
from polyversi.contest.plan_file import newcomer, read_plan
from polyversi.contest.playing import protection_of
from polyversi.contest.tournament import Tournament, tournament_in
from polyversi.contest.workers import Workers, chosen_workers
from polyversi.games.errors import PlayerError

app = typer.Typer(
    help="Run tournaments with ratings and reports, and resume them after an interruption.",
    no_args_is_help=True)

Where = Annotated[str, typer.Argument(metavar="STORE", help="The .db file, or postgresql://user@host/name.")]
Title = Annotated[str | None, typer.Option("--tournament", metavar="TITLE", help=(
    "The tournament, if the store holds several."))]
Page = Annotated[int | None, typer.Option(min=0, max=65535, metavar="PORT", help=(
    "Show it live on a page at this port, until Ctrl-C; 0 takes a free one."))]
Jobs = Annotated[int | None, typer.Option(
    min=0, help="Games at the same time; 0 for one on each processor.")]


@app.command()
def new(
    file: Annotated[Path, typer.Argument(metavar="FILE.toml", help="The tournament file.")],
    store: Annotated[str | None, typer.Option(metavar="STORE", help=(
        "Where to store the games: a file, by default FILE.db, or postgresql://user@host/name."))] = None,
    jobs: Jobs = None,
    cluster: Cluster = None,
    trust: Trust = False,
    page: Page = None,
    address: Listening = "127.0.0.1",
) -> None:
    """Start a tournament and play it.

    The file needs three lines: the variant, the entrants and the time limit. Every game is on disk before it
    counts. After Ctrl-C, a crash or a power cut, `polyversi tournament resume` continues; only the games in
    progress are lost.

    Examples:

      polyversi tournament new cup.toml

      polyversi tournament new cup.toml --page 8080

      polyversi tournament new cup.toml --store postgresql://ann@localhost/cups --cluster tcp://10.0.0.1:8786
    """
    plan = read_plan(file)
    plan = replace(plan, trust=plan.trust or trust)
    plan.check()
    protection_of(plan)    # before a tournament is stored that cannot be played
    from polyversi.storage.contests import ContestStore  # needs SQLAlchemy, which help does without

    database = ContestStore.open(store or str(file.with_suffix(".db")))
    _play(Tournament.create(database, plan), jobs, cluster, page, address)


@app.command()
def resume(
    store: Where,
    tournament: Title = None,
    jobs: Jobs = None,
    cluster: Cluster = None,
    page: Page = None,
    address: Listening = "127.0.0.1",
) -> None:
    """Continue a tournament that was interrupted, or that an entrant has joined.

    Bots that were set aside at the start because they could not be run are checked again.

    Example:

      polyversi tournament resume cup.db
    """
    opened = _open(store, tournament)
    _readmit(opened)
    _play(opened, jobs, cluster, page, address)


@app.command()
def show(
    store: Where,
    tournament: Title = None,
    entrant: Annotated[str | None, typer.Option(metavar="NAME", help="Show this entrant's games.")] = None,
    game: Annotated[str | None, typer.Option("--id", metavar="GAME", help=(
        "Show this game, with the last output of its bots."))] = None,
) -> None:
    """Show the table, also during play, or the games of an entrant and why they were lost.

    Examples:

      polyversi tournament show cup.db

      polyversi tournament show cup.db --entrant ann

      polyversi tournament show cup.db --id 2.3/1
    """
    shown, console = _open(store, tournament, read_only=True), new_console()
    if game is not None:
        view.show_game(console, shown, game)
    elif entrant is not None:
        view.show_entrant(console, shown, entrant)
    else:
        view.show_tournament(console, shown)


@app.command()
def add(
    store: Where,
    spec: Annotated[str, typer.Argument(
        metavar="PLAYER", help="A player or a bot, as in the file: NAME=PLAYER names it.")],
    name: Annotated[str | None, typer.Option(help="The entrant's name, by default the player's.")] = None,
    tournament: Title = None,
) -> None:
    """Add an entrant; `polyversi tournament resume` plays its games.

    Example:

      polyversi tournament add cup.db late=bot:late/bot.py
    """
    opened = _open(store, tournament)
    admitted = _readmit(opened)
    entrant = newcomer(opened.plan, spec, Path.cwd(), name)
    if name is None and any(one.spec == entrant.spec for one in admitted):
        return    # it had been set aside, and has its own place back
    opened.add(entrant)
    typer.echo(_welcome(opened, entrant))


@app.command()
def export(
    store: Where,
    files: Annotated[list[Path], typer.Argument(
        metavar="FILE...", help="The table (.csv), the games (.jsonl, .ggf, .log) or a report (.html).")],
    tournament: Title = None,
) -> None:
    """Write the table, the games, or a report of everything as one HTML file.

    Example:

      polyversi tournament export cup.db cup.html cup.csv games.jsonl games.ggf
    """
    exported = _open(store, tournament, read_only=True)
    for file in files:
        write(exported, file)
        typer.echo(f"wrote {file}")


def _open(store: str, name: str | None, *, read_only: bool = False) -> Tournament:
    if "://" not in store and not Path(store).is_file():
        raise PlayerError(f"there is no file {store}; `polyversi tournament new FILE.toml` creates one")
    from polyversi.storage.contests import ContestStore

    return tournament_in((ContestStore.open_read_only if read_only else ContestStore.open)(store), name)


def _readmit(tournament: Tournament) -> list[Entrant]:
    """Admits entrants whose bots have been fixed, and says so."""
    admitted = tournament.readmit()
    for entrant in admitted:
        typer.echo(_welcome(tournament, entrant))
    return admitted


def _welcome(tournament: Tournament, entrant: Entrant) -> str:
    return f"{entrant.name} takes part from round {max(tournament.joined.values())}"


def _play(tournament: Tournament, jobs: int | None, cluster: str | None, page: int | None,
          address: str) -> None:
    workers = chosen_workers(tournament.plan.jobs if jobs is None else jobs, cluster)
    if page is None:
        _run(tournament, workers)
        return
    from polyversi.server.tournament_page import tournament_page  # needs packages that others do without

    with tournament_page(tournament, address, page, partial(typer.echo, err=True)) as shown:
        typer.echo(f"the tournament is shown at {link(address, shown.port)}")
        _run(tournament, replace(workers, live=shown.live))
        typer.echo("the page stays until Ctrl-C")
        with suppress(KeyboardInterrupt):
            signal.pause()


def _run(tournament: Tournament, workers: Workers) -> None:
    console = new_console()
    if console.is_terminal:    # not only an hour later, below the final table
        view.show_broken(console, tournament)
    progress = view.Progress(console, tournament)
    is_whole = run_live(console, progress.table, lambda: tournament.run(progress, workers))
    view.show_tournament(console, tournament)
    if not is_whole:
        games, command = len(tournament.played), view.resuming(tournament)
        console.print(f"stopped after {games} games; `{command}` continues", soft_wrap=True)
        raise typer.Exit(130)
