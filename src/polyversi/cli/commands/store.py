"""`polyversi store`: what is in the page's store, and what may go."""

from __future__ import annotations

from contextlib import closing
from typing import Annotated

import typer

from polyversi.cli.options import KeepDays, KeepMegabytes
from polyversi.server.serve import default_store
from polyversi.storage.stored import Retention

app = typer.Typer(help="Show how large the page's store is, and remove old games.", no_args_is_help=True)
Where = Annotated[str, typer.Argument(
    metavar="[STORE]", help="A file, or a URL such as postgresql://…; default: in your data folder.")]


@app.callback()
def store() -> None:
    """Show how large the page's store is, and remove old games."""


@app.command()
def show(where: Where = "") -> None:
    """Show how many games of each kind there are, and how much room they take.

    Examples:

      polyversi store show games.db
    """
    from polyversi.storage.games import Store
    from polyversi.storage.retention import table

    with closing(Store.open_read_only(where or str(default_store()))) as opened:
        typer.echo(table(opened))


@app.command("prune")
def prune_store(
    where: Where = "",
    days: KeepDays = Retention.days,
    megabytes: KeepMegabytes = Retention.megabytes,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what would go.")] = False,
) -> None:
    """Remove old games of computers alone, uploaded games and series; those of people stay.

    The server does this by itself every hour. It may run meanwhile.

    Examples:

      polyversi store prune games.db --dry-run

      polyversi store prune games.db --keep-days 7 --keep-megabytes 200
    """
    from polyversi.storage.games import Store
    from polyversi.storage.retention import prune

    with closing(Store.open(where or str(default_store()))) as opened:
        def show_progress(games: int) -> None:
            typer.echo(f"{games:,} games …", err=True)

        gone = prune(opened, Retention(days, megabytes), is_dry=dry_run, progress=show_progress)
        would = "would be removed" if dry_run else "removed"
        typer.echo(f"{gone.games:,} games and {gone.series:,} series {would}, {gone.bytes / 1e6:,.1f} MB")

