"""The `polyversi` command as people run it: real processes, good and bad input."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

from polyversi.cli import commands
from polyversi.cli.main import COMMANDS, load
from tests.testing.command import polyversi as run
from tests.testing.timeout import TIMEOUT

POLYVERSI = str(Path(sys.executable).with_name("polyversi"))


def installed(*words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """The command as it is installed, with these words."""
    return subprocess.run(
        [POLYVERSI, *words], capture_output=True, text=True, stdin=subprocess.DEVNULL,
        env={**os.environ, "COLUMNS": "100", **environment}, check=False, timeout=TIMEOUT,
    )


def test_perft_counts_each_depth() -> None:
    done = installed("perft", "othello", "5")
    assert done.returncode == 0
    assert [line.split()[1] for line in done.stdout.splitlines()[1:]] == ["4", "12", "56", "244", "1,396"]


def test_perft_from_a_position() -> None:
    done = run("perft", "othello-4", "2", "--position", "XO-OOOOOOOOOOOOO O")
    assert [line.split()[1] for line in done.stdout.splitlines()[1:]] == ["1", "1"]


def test_variants_are_listed_with_pictures() -> None:
    done = run("variants")
    assert done.returncode == 0
    for name in ("othello", "anti", "reversi", "octagon", "cylinder", "torus", "hex", "rolit", "xt:MAP"):
        assert f"\n{name}  " in f"\n{done.stdout}"
    assert "· · · O X · · ·" in done.stdout


@pytest.mark.parametrize(
    ("name", "shown"),
    [("hex", "side=3–8"), ("othello-6", "36 cells, 2 seats"), ("xt", "MAP is a file or one of compressed"),
     ("xt:torus", "players=2–8"), ("anti-xt:torus", "Reversi XT")],
)
def test_one_variant_is_shown_with_its_options(name: str, shown: str) -> None:
    done = run("variants", name)
    assert done.returncode == 0
    assert shown in done.stdout


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("perft", "chess", "3"), "polyversi: there is no variant 'chess'"),
        (("perft", "othello", "-3"), "-3"),
        (("perft", "othello", "many"), "integer"),
        (("perft", "othello", "3", "--position", "what"), "polyversi: a position is one line of 64 tiles"),
        (("variants", "hex:side=99"), "polyversi: side=99 is not possible for hex; side takes 3–8"),
        (("play", "chess"), "there is no variant 'chess'"),
        (("nonsense",), "No such command 'nonsense'"),
    ],
)
def test_bad_input_ends_with_a_sentence(words: tuple[str, ...], message: str) -> None:
    done = run(*words)
    assert done.returncode != 0
    assert message in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("words", [("variants", "othello"), ("map", "kinds"), ("variants", "xt:torus")])
def test_terminals_that_cannot_show_everything(words: tuple[str, ...]) -> None:
    done = installed(*words, PYTHONIOENCODING="ascii", LC_ALL="C", PYTHONUTF8="0")
    assert done.returncode == 0
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("words", [("variants",), ("perft", "othello", "3"), ("map", "kinds")])
def test_a_full_disk_is_said(words: tuple[str, ...]) -> None:
    with Path("/dev/full").open("w") as full:
        command = [POLYVERSI, *words]
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode != 0
    assert "Traceback" not in done.stderr
    assert "No space left" in done.stderr


def test_ctrl_c_ends_a_long_count() -> None:
    command = [POLYVERSI, "perft", "othello", "30"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        for line in process.stdout:
            if line.split()[0] == "9":
                process.send_signal(signal.SIGINT)
                break
        assert process.wait(60) == 130


def test_help_lists_every_command_with_its_sentence() -> None:
    done = run("--help", COLUMNS="120")
    assert done.returncode == 0
    for name, sentence in COMMANDS.items():
        assert re.search(rf"{name} +{re.escape(sentence)}", done.stdout)


@pytest.mark.parametrize("name", COMMANDS)
def test_sentences_and_examples_are_those_of_the_commands(name: str) -> None:
    command = load(name)
    groups = getattr(command, "commands", {})
    assert (command.help or "").splitlines()[0] == COMMANDS[name]
    for leaf in groups.values() or [command]:
        assert "Example" in leaf.help or leaf.name == "kinds"


def test_every_command_is_in_the_list() -> None:
    """A module of the command line that holds a command of its name, or several, is one of them."""
    found = {path.stem for path in Path(commands.__path__[0]).glob("*.py")} - {"__init__"}
    modules = {name: import_module(f"polyversi.cli.commands.{name}") for name in found}
    known = {name for name, module in modules.items() if hasattr(module, name) or hasattr(module, "app")}
    assert known == {name.replace("-", "_") for name in COMMANDS}


def test_help_loads_no_command() -> None:
    program = """
import sys
from polyversi.cli.main import app
app(["--help"], standalone_mode=False)
print(*(name for name in sys.modules if name.startswith("polyversi.cli.")))
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "polyversi.cli.main"


def test_the_help_of_a_command() -> None:
    done = run("map", "draw", "--help")
    assert done.returncode == 0
    assert "polyversi map draw" in done.stdout and "--svg" in done.stdout


def test_the_help_of_every_command_needs_no_extra_package() -> None:
    program = """
import pkgutil, sys
for package in "starlette uvicorn websockets sqlalchemy PIL resvg_py jinja2 rustworkx dask".split():
    sys.modules[package] = None
from polyversi.cli import commands
for found in pkgutil.iter_modules(commands.__path__, "polyversi.cli.commands."):
    __import__(found.name)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
