"""`polyversi train`: what it says, the file at its end, and how it is broken off and goes on."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import polyversi as pv
from polyversi.engines.learning import Plan, learn
from polyversi.engines.weights import load
from tests.cli.pseudo_terminal import PseudoTerminal, polyversi

SMALL = ("--games", "200", "--generations", "2", "--depth", "1")


def positions_of(said: str) -> list[int]:
    """How many positions each generation had, as it is told."""
    return [int(number.replace(",", "")) for number in re.findall(r"generation \d: ([\d,]+) positions", said)]


def test_a_training_ends_with_weights(tmp_path: Path) -> None:
    out = tmp_path / "some.weights"
    done = polyversi("train", "othello-4", *SMALL, "--threads", "2", "--seed", "3", "--out", str(out))
    assert done.returncode == 0, done.stderr
    said = " ".join(done.stdout.split())
    assert said.startswith("generation 1: ")
    first, second = positions_of(said)
    assert second > 1.5 * first, "a generation plays twice as many games as the one before"
    assert "stones; expecting draws has" in said and "stones; generation 1 has" in said
    assert "stones error before 5–8" in said and "9–12" in said and "13–16" in said
    assert f"the weights are in {out}: {out.stat().st_size:,} bytes" in said
    found = load(out)
    assert found.header.command == \
        "polyversi train othello-4 --generations 2 --games 200 --depth 1 --seed 3"
    assert found.values.tobytes() == learn(pv.game("othello-4"), Plan(2, 200, 1, 3)).values.tobytes()
    assert [path.name for path in tmp_path.iterdir()] == ["some.weights"]
    again = polyversi("train", "othello-4", *SMALL, "--out", str(out))
    assert again.returncode == 1 and "is there already" in again.stderr


def test_ctrl_c_says_how_to_go_on_and_the_same_command_does(tmp_path: Path) -> None:
    out = tmp_path / "some.weights"
    options = ("--games", "4000", "--generations", "2", "--depth", "2")
    with PseudoTerminal("train", "othello-5", *options, "--out", str(out), width=120) as terminal:
        terminal.expect("generation 1 of 2")
        while not list(tmp_path.glob("*.steps/*.npz")):
            terminal.expect("games")
        terminal.type("\x03")
        terminal.expect("broken off; the same command goes on from there")
        assert terminal.finish() == 130
        assert "Traceback" not in terminal.raw
    assert not out.exists()
    done = polyversi("train", "othello-5", *options, "--out", str(out))
    assert done.returncode == 0, done.stderr
    assert load(out).values.tobytes() == learn(pv.game("othello-5"), Plan(2, 4000, 2)).values.tobytes()


@pytest.mark.parametrize(("arguments", "status", "message"), [
    (["othello-10"], 2, "othello-10 cannot be learned: only games of two seats on at most 64 cells"),
    (["xt:arena,players=2"], 2, "xt:arena,players=2 cannot be learned"),
    (["rolit"], 2, "rolit cannot be learned"),
    (["chess"], 1, "there is no variant 'chess'"),
    (["othello-4", "--games", "1"], 2, "than or equal to 100"),
    (["othello-4", "--depth", "9"], 2, "than or equal to 6"),
])
def test_what_cannot_be_is_said(tmp_path: Path, arguments: list[str], status: int, message: str) -> None:
    done = polyversi("train", *arguments, "--out", str(tmp_path / "some.weights"))
    assert done.returncode == status
    assert message in " ".join(done.stderr.replace("│", " ").split())
    assert "Traceback" not in done.stderr
    assert not list(tmp_path.iterdir())


def test_a_file_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    done = polyversi("train", "othello-4", *SMALL, "--out", str(tmp_path / "nowhere" / "some.weights"))
    assert done.returncode == 1 and "cannot be used: No such file or directory" in done.stderr
