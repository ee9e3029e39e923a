"""The `polyversi` command: shows its help and version at once, or loads the command that is meant.

Errors of ours end as sentences.
"""

from __future__ import annotations

import io
import os
import sys
from contextlib import suppress

import polyversi

COMMANDS = {
    "run": "Open the page: play, watch, edit and compare in the browser.",
    "play": "Play a game in the terminal against players or other people.",
    "watch": "Watch players play, round after round, with the score above the board.",
    "match": "Play many games and see who is stronger, and how certain that is.",
    "tournament": "Run tournaments with ratings and reports, and resume them after an interruption.",
    "tune": "Tune the weights of a player by games against itself (SPSA).",
    "host": "Host games that others join over the network with `polyversi join`.",
    "join": "Join a game over the network: play yourself, let the computer play, or watch.",
    "xt-server": "Serve games of Reversi XT to the courses' clients.",
    "xt-client": "Play on any Reversi XT server: a player, a bot, or you at the prompt.",
    "xt-join": "Take part in a site's event with your client of Reversi XT.",
    "explorer": "Count the games of files, and see what was played in a position.",
    "site": "Make and look after a site: people, links, roles, backup, export.",
    "store": "Show how large the page's store is, and remove old games.",
    "players": "List the players with their options, or describe one of them.",
    "variants": "List the variants, or show one of them with its options.",
    "rules": "Explain the rules of a variant, with examples on the board.",
    "bot": "Check your own bot.",
    "map": "Check, draw and generate maps of Reversi XT.",
    "picture": "Make a picture of a game or a position: SVG, PNG or an animated GIF.",
    "convert": "Convert games and problems from one format to another.",
    "analyse": "Analyse a position live, or a whole game with its mistakes marked.",
    "solve": "Solve positions, problem files or small games: the exact score and the principal variation.",
    "puzzles": "Make puzzles, look at them, and solve them.",
    "engine": "Speak NBoard or GTP on standard input and output, for front ends and match tools.",
    "book": "Grow an opening book from which the engine plays, or look into one.",
    "train": "Train the evaluation of a game by self-play.",
    "perft": "Count the leaves of the game tree at each depth.",
    "bench": "Measure the speed of the search, and count its nodes as a signature; or measure its accuracy.",
}
"""Every command with its sentence. The module of its name is loaded when it is called, so that none of them
waits for the others: it holds a function of that name, or an `app` of several commands."""
COMPLETION = "_POLYVERSI_COMPLETE"
"""The variable with which the scripts of `--install-completion` ask."""


def main() -> None:
    """Runs the command line; bad input ends with a sentence and status 1, never with a traceback."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")    # a terminal that cannot show ⇌ shows ? instead
    try:
        run(sys.argv[1:])
    except Exception as error:
        from polyversi.games.board import printable
        from polyversi.games.errors import PolyversiError

        if not isinstance(error, OSError | PolyversiError):
            raise
        if not isinstance(error, BrokenPipeError):
            lines = map(printable, _sentence(error).splitlines())    # names in it may be from anybody's file
            print("polyversi: " + "\n".join(lines), file=sys.stderr)
        if isinstance(error, OSError):
            give_up_output()
        sys.exit(1)


def run(words: list[str]) -> None:
    """Runs the command that these words are."""
    if COMPLETION not in os.environ:    # otherwise a shell asks how its line may go on, without any words
        if words == ["--version"]:
            print(f"polyversi {polyversi.__version__}", flush=True)
            return
        if words in ([], ["--help"]):
            from polyversi.cli.help import overview

            print(overview(COMMANDS.items()), flush=True)
            return
    from polyversi.cli.group import app, load

    if words and words[0] in COMMANDS:
        load(words[0])(words[1:], prog_name=f"polyversi {words[0]}")
    else:
        app(words, prog_name="polyversi")


def _sentence(error: Exception) -> str:
    """What an error says to people: of the system's errors the reason and the file, but not the number."""
    if not isinstance(error, OSError) or not error.strerror:
        return str(error)
    return f"{error.filename}: {error.strerror}" if error.filename else error.strerror


def give_up_output() -> None:
    """Lets standard output lead nowhere once it cannot be written, so that nobody tries again in vain."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


if __name__ == "__main__":
    main()
