"""`polyversi train`: what it says, the file at its end, and how it is interrupted and resumes."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import polyversi as pv
from polyversi.engines.training.train import TrainingOptions, train
from polyversi.engines.training.validation import NODES, ValidationMatch
from polyversi.engines.weights import SHIPPED, load
from tests.testing.terminal import PseudoTerminal, polyversi
from tests.testing.weights import as_tables, loaded_tables

SMALL = ("--games", "200", "--generations", "2", "--depth", "1")


def positions_of(said: str) -> list[int]:
    """How many positions each generation had, as it is told."""
    return [int(number.replace(",", "")) for number in re.findall(r"generation \d: ([\d,]+) positions", said)]


def test_a_training_ends_with_weights(tmp_path: Path) -> None:
    out = tmp_path / "some.weights"
    options = ("--threads", "2", "--seed", "3", "--validation", "0")
    done = polyversi("train", "--variant", "othello-4", *SMALL, *options, "--out", str(out))
    assert done.returncode == 0, done.stderr
    said = " ".join(done.stdout.split())
    assert said.startswith("generation 1: ")
    first, second = positions_of(said)
    assert second > 1.5 * first, "a generation plays twice as many games as the one before"
    assert "stones; always expecting a draw has" in said and "stones; generation 1 had" in said
    assert all(f" {stones} " in said for stones in ("stones error before", "8, 10", "9, 11", "12, 14"))
    assert f"wrote {out}: {out.stat().st_size:,} bytes" in said
    last = f"play with them: polyversi:weights={out}; analyse, solve and engine take --weights {out}"
    assert "".join(said.split()).endswith("".join(last.split())), "wherever long paths are broken"
    players = ("polyversi:hash=1", f"polyversi:hash=1,weights={out}")
    few = ("--variant", "othello-4", "--games", "2", "--limit", "nodes=100")
    match = polyversi("match", *players, *few)
    assert match.returncode == 0, match.stderr
    other = polyversi("match", "polyversi", f"polyversi:weights={out}", "--games", "2")
    assert other.returncode == 1
    assert "its weights are of othello-4, and of no use for this game" in " ".join(other.stderr.split())
    found = loaded_tables(out)
    assert found.header.command == \
        "polyversi train --variant othello-4 --generations 2 --games 200 --depth 1 --seed 3"
    same = train(pv.game("othello-4"), TrainingOptions(2, 200, 1, 3))
    assert found.values.tobytes() == as_tables(same).values.tobytes()
    assert [path.name for path in tmp_path.iterdir()] == ["some.weights"]
    assert found.header.validation is None and "validation" not in said
    again = polyversi("train", "--variant", "othello-4", *SMALL, "--out", str(out))
    assert again.returncode == 1 and "exists already" in again.stderr


@pytest.mark.slow
def test_ctrl_c_says_how_to_go_on_and_the_same_command_does(tmp_path: Path) -> None:
    out = tmp_path / "some.weights"
    options = ("--games", "4000", "--generations", "2", "--depth", "2", "--validation", "0")
    words = "train", "--variant", "othello-5", *options, "--out", str(out)
    with PseudoTerminal(*words, width=120) as terminal:
        terminal.expect("generation 1 of 2")
        while not list(tmp_path.glob("*.steps/*.npz")):
            terminal.expect("games")
        terminal.type("\x03")
        terminal.expect("interrupted; the same command resumes")
        assert terminal.finish() == 130
        assert "Traceback" not in terminal.raw
    assert not out.exists()
    done = polyversi("train", "--variant", "othello-5", *options, "--out", str(out))
    assert done.returncode == 0, done.stderr
    same = train(pv.game("othello-5"), TrainingOptions(2, 4000, 2))
    assert loaded_tables(out).values.tobytes() == as_tables(same).values.tobytes()


@pytest.mark.slow
def test_the_validation_match_is_reported_and_stored(tmp_path: Path) -> None:
    old, new = tmp_path / "old.weights", tmp_path / "new.weights"
    first = polyversi("train", "--variant", "othello-5", *SMALL, "--validation", "20", "--out", str(old))
    assert first.returncode == 0, first.stderr
    result = load(old).header.validation
    assert result is not None and (result.against, result.nodes, result.games) == ("no weights", NODES, 20)
    assert "of 20 games, Elo " in first.stdout and "against no weights" in " ".join(first.stdout.split())
    options = ("--seed", "1", "--threads", "2", "--validation", "19", "--baseline", str(old),
               "--out", str(new))
    second = polyversi("train", "--variant", "othello-5", *SMALL, *options)
    assert second.returncode == 0, second.stderr
    header = load(old).header
    assert f"against the weights of {header.date} from `{header.command}`" in " ".join(second.stdout.split())
    match = ValidationMatch(10, load(old), 1)
    weights = train(pv.game("othello-5"), TrainingOptions(2, 200, 1, 1), validation=match)
    assert load(new).header.validation == weights.header.validation


@pytest.mark.slow
def test_the_validation_match_is_against_the_shipped_weights(tmp_path: Path) -> None:
    out = tmp_path / "some.weights"
    few = ("--games", "100", "--generations", "1", "--validation", "4")
    done = polyversi("train", "--variant", "anti-6", *few, "--out", str(out))
    assert done.returncode == 0, done.stderr
    result = load(out).header.validation
    assert result is not None and "from `polyversi train anti-6 --generations 5" in result.against


@pytest.mark.slow
def test_ctrl_c_in_the_validation_match_and_the_same_command_resumes(tmp_path: Path) -> None:
    out, kept = tmp_path / "some.weights", tmp_path / "some.weights.steps" / "proof.json"
    command = ("train", "--variant", "othello-5", *SMALL, "--out", str(out), "--validation")
    with PseudoTerminal(*command, "5000", width=120) as terminal:
        terminal.expect("validation match: ")
        terminal.expect_pattern(r"% ± [\d.]+ of \d+ games, Elo ")
        terminal.type("\x03")
        terminal.expect("interrupted; the same command resumes")
        assert terminal.finish() == 130
        assert "Traceback" not in terminal.raw
    assert kept.exists() and not out.exists()
    done = polyversi(*command, "2")
    assert done.returncode == 0, done.stderr
    weights = train(pv.game("othello-5"), TrainingOptions(2, 200, 1), validation=ValidationMatch(1))
    assert load(out).header.validation == weights.header.validation
    assert [path.name for path in tmp_path.iterdir()] == ["some.weights"]


KILLED = """
import os, signal, sys
from pathlib import Path
import polyversi as pv
from polyversi.engines.training.train import TrainingOptions, train_to_file
from polyversi.engines.training.validation import ValidationMatch

place = tuple(int(number) for number in sys.argv[2:])

def killed(told):
    if (len(told.done), told.games, told.phases, len(told.pairs)) >= place:
        os.kill(os.getpid(), signal.SIGKILL)

options = TrainingOptions(2, 2_100, 1)
train_to_file(
    Path(sys.argv[1]), pv.game("othello-5"), options, killed, threads=2, validation=ValidationMatch(4))
"""


@pytest.mark.slow
def test_a_training_that_was_killed_goes_on_to_the_same_weights(tmp_path: Path) -> None:
    out = tmp_path / "some.weights"
    seen: set[str] = set()
    for place in ((0, 1050, 3, 0), (1, 1050, 0, 0), (2, 0, 0, 2)):
        killed = subprocess.run([sys.executable, "-c", KILLED, str(out), *map(str, place)], check=False)
        assert killed.returncode == -signal.SIGKILL
        kept = {path.name for path in tmp_path.glob("*.steps/*")}
        assert seen < kept and not out.exists()
        seen = kept
        (tmp_path / "some.weights.steps" / f".{place[0]}.part").write_bytes(b"killed in the middle of a file")
    assert {"generation-1.weights", "generation-2.weights", "proof.json"} < seen
    options = ("--games", "2100", "--generations", "2", "--depth", "1", "--validation", "8")
    done = polyversi("train", "--variant", "othello-5", *options, "--out", str(out))
    assert done.returncode == 0, done.stderr
    never_killed = train(pv.game("othello-5"), TrainingOptions(2, 2_100, 1), validation=ValidationMatch(4))
    assert loaded_tables(out).values.tobytes() == as_tables(never_killed).values.tobytes()
    assert load(out).header.validation == never_killed.header.validation
    assert [path.name for path in tmp_path.iterdir()] == ["some.weights"]


@pytest.mark.parametrize(("arguments", "status", "message"), [
    (["--variant", "othello-10"], 1,
     "othello-10 cannot be trained: the engine plays games of two seats with straight"),
    (["--variant", "xt:arena,players=2"], 1, "xt:arena,players=2 cannot be trained"),
    (["--variant", "rolit"], 1, "rolit cannot be trained"),
    (["--variant", "chess"], 1, "there is no variant 'chess'"),
    (["--variant", "othello-4", "--games", "1"], 2, "write a whole number of at least 100"),
    (["--variant", "othello-4", "--depth", "9"], 2, "write a whole number from 1 to 6"),
    (["--variant", "othello-4", "--validation", "-1"], 2, "write a whole number from 0 to 10000"),
    (["--variant", "othello-4", "--baseline", "nowhere.weights"], 1,
     "nowhere.weights cannot be read: No such file"),
    (["--variant", "othello-4", "--baseline", str(SHIPPED / "anti-6.weights")], 1,
     "weights of anti-6 do not fit othello-4"),
])
def test_what_cannot_be_is_said(tmp_path: Path, arguments: list[str], status: int, message: str) -> None:
    done = polyversi("train", *arguments, "--out", str(tmp_path / "some.weights"))
    assert done.returncode == status
    assert message in " ".join(done.stderr.replace("│", " ").split())
    assert "Traceback" not in done.stderr
    assert not list(tmp_path.iterdir())


def test_a_file_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    out = tmp_path / "nowhere" / "some.weights"
    done = polyversi("train", "--variant", "othello-4", *SMALL, "--out", str(out))
    assert done.returncode == 1 and "cannot be used: No such file or directory" in done.stderr
