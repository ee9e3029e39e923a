"""The `polyversi` command: finds the command that is meant and turns errors of ours into sentences."""

from __future__ import annotations

import io
import os
import sys
from contextlib import suppress
from importlib import import_module
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup

COMMANDS = {
    "run": "Open the page: play, watch, edit and compare in the browser.",
    "play": "Play a game in the terminal against a player, or another person, or many of them.",
    "watch": "Watch players play, round after round, and see who leads.",
    "match": "Let players meet, and see who is stronger and how sure that is.",
    "tournament": "Run tournaments of every format, with ratings, and lose nothing.",
    "tune": "Tune the weights of a player by games that it plays against itself.",
    "host": "Host games that others join over the network with `polyversi join`.",
    "join": "Join a game over the network: play yourself, let the computer play, or watch.",
    "xt-server": "Serve games of Reversi XT to the courses' clients.",
    "xt-client": "Play on any Reversi XT server: a player, a bot, or you at the prompt.",
    "players": "List the players with their options, or describe one of them.",
    "variants": "List the variants, or show one of them with its options.",
    "bot": "Check a bot of your own.",
    "map": "Check, draw and generate maps of Reversi XT.",
    "picture": "Make a picture of a game or a position: SVG, PNG or an animated GIF.",
    "convert": "Convert games and problems from one format to another.",
    "analyse": "Analyse a position live, or a whole game with its mistakes marked.",
    "solve": "Solve positions, problem files or small games: the exact score and the principal variation.",
    "engine": "Speak NBoard or GTP on standard input and output, for front ends and match tools.",
    "train": "Train the evaluation of a game by self-play.",
    "perft": "Count the leaves of the game tree at each depth.",
    "bench": "Search a fixed set of positions: the speed, and a node count as the signature of the search.",
}
"""Every command with its sentence. The module of its name is loaded when it is called, so that none of them
waits for the others: it holds a function of that name, or an `app` of several commands."""


class Commands(TyperGroup):
    """The commands, each a name and a sentence until it is called.

    >>> Commands(name="polyversi").list_commands(None)[:3]
    ['run', 'play', 'watch']
    """

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        for name, sentence in COMMANDS.items():
            self.add_command(TyperCommand(name, help=sentence))

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """The command that the first word names, loaded, and the words after it."""
        name, command, rest = super().resolve_command(ctx, args)
        return name, command and load(command.name or ""), rest


def load(name: str) -> Any:
    """The command of this name with all its options.

    >>> [option.name for option in load("perft").params]
    ['variant', 'depth', 'position']
    """
    word = name.replace("-", "_")
    module = import_module(f"polyversi.cli.commands.{word}")
    holder = typer.Typer()
    if hasattr(module, "app"):
        holder.add_typer(module.app, name=name)
    else:
        holder.command(name, context_settings=getattr(module, "SETTINGS", None))(getattr(module, word))
    return typer.main.get_group(holder).commands[name]


app = typer.Typer(
    name="polyversi",
    cls=Commands,
    help="The home of every Reversi: play, watch, match, study and convert games of the whole family.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)


@app.callback()
def polyversi() -> None:
    """Makes the command a group, whatever its commands are."""


def main() -> None:
    """Runs the command line; bad input ends with a sentence and status 1, never with a traceback."""
    from polyversi.games.board import printable
    from polyversi.games.errors import PolyversiError

    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")    # a terminal that cannot show ⇌ shows ? instead
    try:
        app()
    except (OSError, PolyversiError) as error:
        if not isinstance(error, BrokenPipeError):
            lines = map(printable, str(error).splitlines())    # names in it may be from anybody's file
            typer.echo("polyversi: " + "\n".join(lines), err=True)
        if isinstance(error, OSError):
            give_up_output()
        sys.exit(1)


def give_up_output() -> None:
    """Lets standard output lead nowhere once it cannot be written, so that nobody tries again in vain."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


if __name__ == "__main__":
    main()
