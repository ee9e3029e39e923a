"""The `polyversi` command: collects the commands and turns errors of ours into sentences."""

from __future__ import annotations

import io
import os
import sys
from contextlib import suppress

import typer

from polyversi.cli import bot, convert, host, join, map, match, perft, play, players, variants, watch

app = typer.Typer(
    name="polyversi",
    help="The home of every Reversi: play, watch, match, study and convert games of the whole family.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
app.command()(play.play)
app.command()(watch.watch)
app.command()(match.match)
app.command()(host.host)
app.command()(join.join)
app.command()(players.players)
app.command()(variants.variants)
app.add_typer(bot.app, name="bot")
app.add_typer(map.app, name="map")
app.command()(convert.convert)
app.command()(perft.perft)


def main() -> None:
    """Runs the command line; bad input ends with a sentence and status 1, never with a traceback."""
    from polyversi.games.errors import PolyversiError

    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")    # a terminal that cannot show ⇌ shows ? instead
    try:
        app()
    except BrokenPipeError:
        _give_up_output()
        sys.exit(1)
    except OSError as error:
        typer.echo(f"polyversi: {error}", err=True)
        _give_up_output()
        sys.exit(1)
    except PolyversiError as error:
        typer.echo(f"polyversi: {error}", err=True)
        sys.exit(1)


def _give_up_output() -> None:
    """Keeps the interpreter from trying once more, at its end, to write what could not be written."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
