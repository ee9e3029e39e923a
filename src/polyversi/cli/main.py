"""The `polyversi` command: collects the commands and turns errors of ours into sentences."""

from __future__ import annotations

import io
import os
import sys
from contextlib import suppress

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
