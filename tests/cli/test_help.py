"""The help of every command: one word has one meaning, everything is explained, and it fits the terminal."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from polyversi.cli import help
from polyversi.cli.group import load
from polyversi.cli.main import COMMANDS
from tests.testing.command import polyversi
from tests.testing.terminal import PseudoTerminal

PORT, NUMBER, SECONDS, FLAG = "PORT", "NUMBER", "SECONDS", "a flag"
MEANINGS = {
    "--analysis-seconds": ("SECONDS", "how long a position is thought about"),
    "--analysis-workers": ("N", "processes that analyse"),
    "--against": ("PLAYER", "whom others are measured against"),
    "--adjudicate": ("CELLS", "empty cells at which a game is decided by perfect play"),
    "--baseline": ("FILE", "weights to compare with"),
    "--baseport": (PORT, "the first TCP port that is tried"),
    "--book": ("FILE", "an opening book"),
    "--bots": ("FOLDER", "a folder of bots"),
    "--cluster": ("ADDRESS", "a dask cluster"),
    "--db": ("DATABASE", "games that were counted"),
    "--count": (NUMBER, "how many puzzles or lines"),
    "--delay": ("MS", "milliseconds between moves"),
    "--depth": (NUMBER, "plies of a search"),
    "--domain": ("DOMAIN", "a name of the server"),
    "--entrant": ("NAME", "one entrant of a tournament"),
    "--explorer": ("DATABASE", "games that were counted, for the page"),
    "--from": ("FORMAT", "the format that is read"),
    "--games": (f"{NUMBER}|N", "how many games"),
    "--generations": (NUMBER, "generations of a training"),
    "--grace": (SECONDS, "how long one may be away"),
    "--grade": (NUMBER, "how hard a puzzle is"),
    "--group": (NUMBER, "the number of a group"),
    "--hash": ("MB", "the size of the transposition table"),
    "--host": ("ADDRESS", "the address to listen on"),
    "--id": ("GAME", "the id of a game"),
    "--jobs": (NUMBER, "games at the same time"),
    "--jou": ("FILE", "WTHOR players"),
    "--keep-days": ("DAYS", "how long a store keeps games"),
    "--keep-megabytes": ("MB", "how large a store may be"),
    "--kind": ("KIND", "a kind of map or of puzzle"),
    "--level": (NUMBER, "strength"),
    "--name": ("(GROUP=)?NAME", "the name of a person, entrant, client or site"),
    "--network": ("WIDTH", "the width of a network"),
    "--limit": ("LIMIT", "what a player may spend on a move"),
    "--log": ("FILE.log", "a log of games"),
    "--map": ("MAP", "a map file or kind"),
    "--number": (NUMBER, "the n-th game of a file"),
    "--openings": (r"PLIES\|FILE", "where games begin"),
    "--out": (r"FILE(\.\w+)?|OUT", "where the result is written"),
    "--pause": (SECONDS, "a pause"),
    "--page": (PORT, "the port of a page"),
    "--person": ("NAME", "one person of a site"),
    "--player": ("PLAYER", "who plays"),
    "--players": (NUMBER, "how many players"),
    "--ply": (NUMBER, "a place in a game"),
    "--port": (PORT, "a TCP port"),
    "--position": ("POSITION", "a position"),
    "--positions": ("FILE", "solved positions"),
    "--protocol": (r"auto\|nboard\|gtp", "an engine protocol"),
    "--puzzles": (r"FILE\.jsonl", "a file of puzzles"),
    "--rate": (NUMBER, "how fast weights move"),
    "--ready": (f"{NUMBER}|{SECONDS}", "seconds to get ready"),
    "--result": ("FILE", "results in the lines of the courses' server"),
    "--results": ("FILE.csv", "a table of results"),
    "--retry": (SECONDS, "how long to wait for a server"),
    "--role": ("ROLE", "what a person may do"),
    "--rounds": (NUMBER, "how many rounds"),
    "--seat": (NUMBER, "one seat"),
    "--seats": ("ORDER", "how players change seats"),
    "--selectivity": ("PERCENT", "how sure shortcuts of a search must be"),
    "--seconds": (f"{NUMBER}|{SECONDS}", "a time"),
    "--seed": (NUMBER, "where everything random comes from"),
    "--server": ("HOST", "the address of a server"),
    "--short": (f"{NUMBER}|{SECONDS}", "a short time"),
    "--site": ("FILE", "the file of a site"),
    "--size": ("PIXELS", "the size of a picture"),
    "--sprt": ("TEST", "a sequential test"),
    "--start": ("COMMAND", "a program to start"),
    "--store": ("STORE", "where games are stored"),
    "--threads": (NUMBER, "threads of a search"),
    "--time": (SECONDS, "the time for a move"),
    "--to": ("FORMAT", "the format that is written"),
    "--tournament": ("TITLE", "one tournament of a store"),
    "--token": ("TOKEN", "the secret of a seat"),
    "--trn": ("FILE", "WTHOR tournaments"),
    "--until": ("POSITIONS", "how large a book grows"),
    "--url": ("URL", "the address of a site"),
    "--validation": (NUMBER, "games of a validation match"),
    "--variant": ("VARIANT", "the game"),
    "--weights": ("FILE", "weights of the engine"),
    "--with": ("PLAYER", "players of this machine"),
    "--zleep": (SECONDS, "how long to wait for clients"),
}
"""Every option that has a value: what the value is called, and what the option means in all commands."""
GONE = ("--game", "--record", "--called", "--svg", "--proof", "--wait")
COURSE = {"--timelimit": "--time", "--depthlimit": "--depth", "--simple": "--plain"}
"""Names that options of `polyversi xt-server` have on the courses' server, beside ours."""
NAMES_OF_VARIANTS = ("variants", "rules", "picture", "analyse", "solve", "explorer", "book")
"""Where a variant is one of the things that the arguments can name."""


def leaves() -> Iterator[tuple[str, Any]]:
    """Every command that does something, with the words that call it."""
    for name in COMMANDS:
        command = load(name)
        parts = getattr(command, "commands", None)
        if parts is None:
            yield f"polyversi {name}", command
        for part, one in (parts or {}).items():
            yield f"polyversi {name} {part}", one


LEAVES = dict(leaves())


@pytest.mark.parametrize("path", LEAVES)
def test_every_parameter_is_explained_in_a_sentence(path: str) -> None:
    for parameter in LEAVES[path].params:
        if parameter.name != "help":
            assert re.fullmatch(r"\S.*[.…]", parameter.help or "", re.DOTALL), f"{path} {parameter.name}"
            assert not re.search(r"\bis no\b|usual", parameter.help)


@pytest.mark.parametrize("path", LEAVES)
def test_one_word_has_one_meaning(path: str) -> None:
    for option in (one for one in LEAVES[path].params if one.param_type_name == "option"):
        long = [name for name in option.opts if name.startswith("--")]
        if path == "polyversi xt-server":
            assert all(COURSE[name] in long for name in long if name in COURSE)
            long = [name for name in long if name not in COURSE]
        assert len(long) == 1 and long[0] not in GONE, f"{path} {option.opts}"
        if not option.is_flag:
            value, meaning = MEANINGS[long[0]]
            assert re.fullmatch(value, help.value_name(option)), f"{path} {long[0]} is {meaning}"


def test_every_meaning_is_used() -> None:
    used = {name for command in LEAVES.values() for option in command.params for name in option.opts}
    assert set(MEANINGS) <= used


@pytest.mark.parametrize("path", LEAVES)
def test_a_variant_is_an_option(path: str) -> None:
    arguments = [one for one in LEAVES[path].params if one.param_type_name == "argument"]
    named = [one for one in arguments if "variant" in f"{one.name} {one.metavar} {one.help}".lower()]
    assert not named or path.split()[1] in NAMES_OF_VARIANTS


@pytest.mark.parametrize("columns", [50, 80, 120])
@pytest.mark.parametrize("path", ["polyversi", *LEAVES])
def test_the_page_fits_the_terminal(path: str, columns: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    text = help.page(path, LEAVES[path]) if path in LEAVES else help.overview(COMMANDS.items())
    lines = text.splitlines()
    for line in lines:    # commands to be copied and single words stay whole
        assert len(line) <= columns or line.startswith(("  polyversi ", "Usage:")) or " " not in line.strip()
    assert not re.search(r"<\w+>|\[default: \]|\n\n\n|\[\[", text)
    if "Examples:" in lines:
        examples = lines[lines.index("Examples:") + 1 :]
        assert examples and all(line.startswith("  ") for line in examples)


def test_headings_are_bold_on_a_terminal_only() -> None:
    assert "\x1b" not in polyversi("perft", "--help").stdout
    with PseudoTerminal("perft", "--help") as terminal:
        terminal.expect("Examples:")
        assert "\x1b[1mOptions:\x1b[0m" in terminal.raw
        assert terminal.finish() == 0


@pytest.mark.parametrize(("line", "expected"), [
    ("polyversi pl", ["play", "players"]),
    ("polyversi play --variant h", ["hex"]),
    ("polyversi host --variant xt:ar", ["xt:arena"]),
    ("polyversi watch ra", ["random"]),
    ("polyversi xt-client --player hum", ["human"]),
    ("polyversi map generate --kind st", ["starfish"]),
    ("polyversi map ge", ["generate"]),
    ("polyversi puzzles show --kind w", ["win", "wipeout"]),
    ("polyversi engine --protocol n", ["nboard"]),
    ("polyversi perft --pos", ["--position"]),
])
def test_the_shell_completes_commands_options_and_values(line: str, expected: list[str]) -> None:
    words = line.split()
    done = polyversi(_POLYVERSI_COMPLETE="complete_bash", COMP_WORDS=line, COMP_CWORD=str(len(words) - 1))
    assert done.stdout.split() == expected


def test_completion_is_installed_with_one_command(tmp_path: Path) -> None:
    environment = {**os.environ, "HOME": str(tmp_path)}
    script = """
polyversi() { "$PYTHON" -m polyversi "$@"; }
polyversi --install-completion
eval "$(sed 's/$1 /"$PYTHON" -m polyversi /' ~/.bash_completions/polyversi.sh)"
COMP_WORDS=(polyversi perft --variant ro) COMP_CWORD=3
_polyversi_completion polyversi
echo "completed: ${COMPREPLY[*]}"
"""
    done = subprocess.run(["bash", "-c", script], env={**environment, "PYTHON": sys.executable},
                          capture_output=True, text=True, check=True)
    assert "bash completion installed in" in done.stdout
    assert done.stdout.endswith("completed: rolit\n")
    assert "polyversi" in (tmp_path / ".bashrc").read_text()
