"""`polyversi watch`: the keys, the score, and a terminal that is left as it was found."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest

from polyversi.cli.views.watch import DELAYS, Controls, Quit
from tests.testing.sandbox import needs_sandbox
from tests.testing.terminal import PseudoTerminal, polyversi

SLOWLY = ("--delay", "86400000", "--seed", "1")
"""A day between moves: only keys go on."""


def test_keys_go_through_the_delays() -> None:
    controls = Controls(None, 1000)
    controls.press("+" * 20)
    assert controls.delay == DELAYS[-1]
    controls.press("-" * 20)
    assert controls.delay == 0
    controls.press(" ")
    assert controls.is_paused
    with pytest.raises(Quit):
        controls.press("q")
    with pytest.raises(Quit):
        controls.press("")


def test_steps_pause_and_pace() -> None:
    with PseudoTerminal("watch", "random", "random", "--variant", "othello-4", *SLOWLY) as terminal:
        page = terminal.expect("q quit")
        assert "round 1 of 1 · level · random 0 wins, 0 stones · random#2 0 wins, 0 stones · 0" in page
        assert terminal.settings != terminal.first_settings
        terminal.type("n")
        terminal.expect("black plays")
        terminal.expect("q quit")
        terminal.type("n")
        terminal.expect("white plays")
        terminal.type(" ")
        terminal.expect("paused")
        terminal.type(" ")
        terminal.expect("delay 86400000 ms")
        terminal.type("-")
        terminal.expect("delay 10000 ms")
        terminal.type("-")
        terminal.expect("delay 5000 ms")
        terminal.type("+")
        terminal.expect("delay 10000 ms")
        terminal.type("q")
        terminal.expect("player")
        assert terminal.finish() == 0
        assert terminal.settings == terminal.first_settings


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_signals_leave_the_terminal_as_it_was(number: int) -> None:
    with PseudoTerminal("watch", "random", "random", *SLOWLY) as terminal:
        terminal.expect("q quit")
        terminal.process.send_signal(number)
        terminal.finish()
        assert terminal.settings == terminal.first_settings


def test_rounds_are_counted_for_the_player() -> None:
    arguments = ("watch", "random", "random", "--variant", "othello-4", "--rounds", "4")
    with PseudoTerminal(*arguments, "--delay", "0", "--seed", "1") as terminal:
        shown = terminal.expect("player")
        assert "round 4 of 4" in shown
        assert "black: random#2 · white: random\r\n" in shown    # after half of the rounds
        assert terminal.finish() == 0


@pytest.mark.parametrize("plain", [[], ["--plain"]])
def test_without_a_terminal_it_prints_and_does_not_wait(plain: list[str]) -> None:
    arguments = ["watch", "random", "random", "--variant", "othello-4", "--rounds", "2", *SLOWLY, *plain]
    done = polyversi(*arguments)
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("othello-4 · black: random") == 2
    assert "\x1b" not in done.stdout
    table = done.stdout.splitlines()[-3:]
    assert table[0].split()[:7] == ["player", "games", "won", "drawn", "lost", "points", "stones"]


def test_a_bad_pairing_is_said() -> None:
    done = polyversi("watch", "random")
    assert done.returncode == 1
    assert "a match needs at least two players" in done.stderr


SPY = """
import json, pathlib, sys
for line in sys.stdin:
    seen = pathlib.Path({secret!r}).exists()
    print(json.dumps({{"resign": True}} if seen else {{"move": json.loads(line)["moves"][0]}}), flush=True)
"""


@needs_sandbox
@pytest.mark.parametrize("command", ["watch", "match"])
@pytest.mark.parametrize("trust", [True, False])
def test_bots_run_in_a_sandbox_unless_they_are_trusted(tmp_path: Path, command: str, trust: bool) -> None:
    folder, secret = tmp_path / "spy", tmp_path / "secret.txt"
    folder.mkdir()
    secret.write_text("mine")
    (folder / "spy.py").write_text(SPY.format(secret=str(secret)))
    number = ["--rounds" if command == "watch" else "--games", "1"]
    options = ["--variant", "othello-4", *number, *(["--trust"] if trust else [])]
    done = polyversi(command, f"bot:{folder / 'spy.py'}", "random", *options)
    assert done.returncode == 0, done.stderr
    assert ("1 resigned" in done.stdout) == trust
