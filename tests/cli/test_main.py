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

import polyversi
from polyversi.cli import commands
from polyversi.cli.group import load
from polyversi.cli.main import COMMANDS
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
    done = installed("perft", "5")
    assert done.returncode == 0
    assert [line.split()[1] for line in done.stdout.splitlines()[1:]] == ["4", "12", "56", "244", "1,396"]


def test_perft_from_a_position() -> None:
    done = run("perft", "2", "--variant", "othello-4", "--position", "XO-OOOOOOOOOOOOO O")
    assert [line.split()[1] for line in done.stdout.splitlines()[1:]] == ["1", "1"]


def test_variants_are_listed_with_pictures() -> None:
    done = run("variants")
    assert done.returncode == 0
    for name in ("othello", "anti", "reversi", "octagon", "cylinder", "torus", "hex", "rolit", "xt:MAP"):
        assert f"\n{name}  " in f"\n{done.stdout}"
    assert "· · · O X · · ·" in done.stdout


@pytest.mark.parametrize(
    ("name", "shown"),
    [("hex", "side=3–8 (default 5) Cells of each side."), ("anti-6", "size=4–26 (default 6) "),
     ("hex", "goal=most|fewest (default most) Whether the most"), ("hex", "start=random|ring The stones"),
     ("othello-6", "36 cells, 2 seats"), ("xt", "MAP is a file or one of compressed"),
     ("xt:torus", "players=2–8"), ("anti-xt:torus", "Reversi XT")],
)
def test_one_variant_is_shown_with_its_options(name: str, shown: str) -> None:
    done = run("variants", name)
    assert done.returncode == 0
    assert shown in done.stdout


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("perft", "3", "--variant", "chess"), "polyversi: there is no variant 'chess'"),
        (("perft", "-3"), "-3"),
        (("perft", "many"), "write a whole number from 0 to 1000"),
        (("perft", "2000"), "write a whole number from 0 to 1000"),
        (("match", "a", "b", "--games", "0"), "write a whole number of at least 1"),
        (("perft", "3", "--position", "what"), "polyversi: a position is one line of 64 tiles"),
        (("variants", "hex:side=99"), "polyversi: hex cannot have side=99; write side=3–8"),
        (("play", "--variant", "chess"), "there is no variant 'chess'"),
        (("play", "--sea", "1"), "No such option: --sea (Possible options: --seat, --seed)"),
        (("nonsense",), "No such command 'nonsense'"),
        (("pley",), "No such command 'pley'. Did you mean 'play'"),
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


@pytest.mark.parametrize("words", [("--help",), ("variants",), ("perft", "3"), ("map", "kinds")])
def test_a_full_disk_is_said(words: tuple[str, ...]) -> None:
    with Path("/dev/full").open("w") as full:
        command = [POLYVERSI, *words]
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode != 0
    assert "Traceback" not in done.stderr
    assert done.stderr == "polyversi: No space left on device\n"


def test_ctrl_c_ends_a_long_count() -> None:
    command = [POLYVERSI, "perft", "30"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        for line in process.stdout:
            if line.split()[0] == "9":
                process.send_signal(signal.SIGINT)
                break
        assert process.wait(TIMEOUT) == 130


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


@pytest.mark.parametrize("words", [["--help"], ["--version"], []])
def test_help_and_version_load_next_to_nothing(words: list[str]) -> None:
    program = f"""
import sys
from polyversi.cli.main import run
run({words})
print(*sorted({{"typer", "rich", "numpy", "polyversi._core", "polyversi.cli.group"}} & {{*sys.modules}}))
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == ""


@pytest.mark.parametrize("command", [[POLYVERSI], [sys.executable, "-m", "polyversi"]])
def test_the_version_and_the_module(command: list[str]) -> None:
    done = subprocess.run([*command, "--version"], capture_output=True, text=True, check=True)
    assert done.stdout == f"polyversi {polyversi.__version__}\n"
    done = subprocess.run([*command, "play", "--help"], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("Usage: polyversi play [OPTIONS] [PLAYER]...\n")


def test_every_name_of_the_package_is_there() -> None:
    program = "import polyversi as pv; print(*[name for name in pv.__all__ if not hasattr(pv, name)], sep='')"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "\n"
    assert set(polyversi.__all__) <= set(dir(polyversi))
