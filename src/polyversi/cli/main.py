"""The `polyversi` command: collects the commands and turns errors of ours into sentences."""

from __future__ import annotations

import sys

import typer

from polyversi.cli import convert, map, perft, play, variants

app = typer.Typer(
    name="polyversi",
    help="The home of every Reversi: play, study and convert games of the whole family.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
app.command()(play.play)
app.command()(variants.variants)
app.command()(perft.perft)
app.add_typer(map.app, name="map")
app.command()(convert.convert)


def main() -> None:
    """Runs the command line; bad input ends with a sentence and status 1, never with a traceback."""
    from polyversi.games.errors import PolyversiError

    try:
        app()
    except PolyversiError as error:
        typer.echo(f"polyversi: {error}", err=True)
        sys.exit(1)
