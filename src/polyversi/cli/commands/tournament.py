"""`polyversi tournament`: begin one from a file, go on with it, look at it, export it, add somebody to it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from polyversi.cli.options import Cluster, Trust
from polyversi.cli.views import tournament as view
from polyversi.cli.views.terminal import new_console, run_live
from polyversi.contest.export import export as write
from polyversi.contest.plan import Entrant
from polyversi.contest.plan_file import newcomer, read_plan
from polyversi.contest.playing import protection_of
from polyversi.contest.tournament import Tournament, tournament_in
from polyversi.contest.workers import chosen_workers
from polyversi.games.errors import PlayerError

app = typer.Typer(
    help="Run tournaments of every format, with ratings, and lose nothing.", no_args_is_help=True)

Where = Annotated[str, typer.Argument(metavar="STORE", help="The .db file, or postgresql://user@host/name.")]
Name = Annotated[str | None, typer.Option(help="Which tournament, where a store has several.")]
Jobs = Annotated[int | None, typer.Option(min=0, help="Games at a time; 0 for as many as processors.")]


@app.command()
def new(
    file: Annotated[Path, typer.Argument(metavar="FILE.toml", help="What is played, by whom, and how.")],
    store: Annotated[str | None, typer.Option(
        help="Where games are kept: a file, by default FILE.db, or postgresql://user@host/name.")] = None,
    jobs: Jobs = None,
    cluster: Cluster = None,
    trust: Trust = False,
) -> None:
    """Begin a tournament and play it to its end.

    A file needs three lines: what is played, who takes part, and how long a move may take. Every game is on
    the disk before it counts; Ctrl-C, a crash or a power cut lose the games that are being played, and
    `polyversi tournament resume` goes on.

    Examples:

      polyversi tournament new cup.toml

      polyversi tournament new cup.toml --store postgresql://ann@localhost/cups --cluster tcp://10.0.0.1:8786
    """
    plan = read_plan(file)
    plan = replace(plan, trust=plan.trust or trust)
    plan.check()
    protection_of(plan)    # before there is a tournament that cannot be played
    from polyversi.storage.contests import ContestStore  # needs SQLAlchemy, which help does without

    database = ContestStore.open(store or str(file.with_suffix(".db")))
    _play(Tournament.create(database, plan), jobs, cluster)


@app.command()
def resume(store: Where, name: Name = None, jobs: Jobs = None, cluster: Cluster = None) -> None:
    """Go on with a tournament that was broken off, or that somebody has joined.

    Whoever was set aside from the start, because its file was no bot, is looked at again.

    Example:

      polyversi tournament resume cup.db
    """
    tournament = _open(store, name)
    _readmit(tournament)
    _play(tournament, jobs, cluster)


@app.command()
def show(
    store: Where,
    name: Name = None,
    entrant: Annotated[str | None, typer.Option(help="What this one did in each of its games.")] = None,
    game: Annotated[str | None, typer.Option(help="A game by its number, with what its bots wrote.")] = None,
) -> None:
    """Show the table, also while the tournament is played, or why a bot failed.

    Examples:

      polyversi tournament show cup.db

      polyversi tournament show cup.db --entrant ann

      polyversi tournament show cup.db --game 2.3/1
    """
    tournament, console = _open(store, name, read_only=True), new_console()
    if game is not None:
        view.show_game(console, tournament, game)
    elif entrant is not None:
        view.show_entrant(console, tournament, entrant)
    else:
        view.show_tournament(console, tournament)


@app.command()
def add(
    store: Where,
    spec: Annotated[str, typer.Argument(metavar="PLAYER", help="A player or a bot, as in the file.")],
    called: Annotated[str | None, typer.Option(help="What it is called, by default like the player.")] = None,
    name: Name = None,
) -> None:
    """Add an entrant to a tournament; `polyversi tournament resume` plays what it brings.

    Example:

      polyversi tournament add cup.db bot:late/bot.py --called late
    """
    tournament = _open(store, name)
    admitted = _readmit(tournament)
    entrant = newcomer(tournament.plan, spec, Path.cwd(), called)
    if called is None and any(one.spec == entrant.spec for one in admitted):
        return    # it was set aside, is repaired, and has its own place back
    tournament.add(entrant)
    typer.echo(_welcome(tournament, entrant))


@app.command()
def export(
    store: Where,
    files: Annotated[list[Path], typer.Argument(
        metavar="FILE...", help="Named .csv, .jsonl, .ggf or .html: the table, the games, or a report.")],
    name: Name = None,
) -> None:
    """Write the table, the games, or a report with everything that one file can show.

    Example:

      polyversi tournament export cup.db cup.html cup.csv games.jsonl games.ggf
    """
    tournament = _open(store, name, read_only=True)
    for file in files:
        write(tournament, file)
        typer.echo(f"{file} is written")


def _open(store: str, name: str | None, *, read_only: bool = False) -> Tournament:
    if "://" not in store and not Path(store).is_file():
        raise PlayerError(f"there is no store {store}; `polyversi tournament new FILE.toml` makes one")
    from polyversi.storage.contests import ContestStore

    return tournament_in((ContestStore.open_read_only if read_only else ContestStore.open)(store), name)


def _readmit(tournament: Tournament) -> list[Entrant]:
    """Lets those play whose bots have been repaired, and says so."""
    admitted = tournament.readmit()
    for entrant in admitted:
        typer.echo(_welcome(tournament, entrant))
    return admitted


def _welcome(tournament: Tournament, entrant: Entrant) -> str:
    return f"{entrant.name} takes part from round {max(tournament.joined.values())} on"


def _play(tournament: Tournament, jobs: int | None, cluster: str | None) -> None:
    workers = chosen_workers(tournament.plan.jobs if jobs is None else jobs, cluster)
    console = new_console()
    if console.is_terminal:    # an hour before the table says so in the end
        view.show_broken(console, tournament)
    progress = view.Progress(console, tournament)
    is_whole = run_live(console, progress.table, lambda: tournament.run(progress, workers))
    view.show_tournament(console, tournament)
    if not is_whole:
        games, command = len(tournament.played), view.resuming(tournament)
        console.print(f"broken off after {games} games; go on by `{command}`", soft_wrap=True)
        raise typer.Exit(130)
