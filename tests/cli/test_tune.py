"""`polyversi tune`: the table and the file of weights at its end, and how it is broken off."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.testing.terminal import PseudoTerminal, polyversi

SMALL = ("t77", "--variant", "othello-4", "--games", "2", "--openings", "2")


def test_a_tuning_ends_with_weights_that_can_be_played_with(tmp_path: Path) -> None:
    out, found = tmp_path / "t77.jsonl", tmp_path / "t77.weights.json"
    arguments = ("tune", *SMALL, "--rounds", "3", "--out", str(out))
    done = polyversi(*arguments)
    assert done.returncode == 0, done.stderr
    heading, *rows = done.stdout.splitlines()
    assert heading.split() == ["weight", "from", "to", "change", "in", "steps"]
    drifts = [abs(float(row.split()[-1])) for row in rows[:7]]
    assert drifts == sorted(drifts, reverse=True)
    assert f"t77:weights={found}" in "".join(rows[7:])
    set_up = json.loads(out.read_text().splitlines()[0])
    assert json.loads(found.read_text()).keys() == set_up["weights"].keys()
    written = out.read_bytes()
    assert polyversi(*arguments).stdout == done.stdout
    assert out.read_bytes() == written
    match = polyversi("match", "t77", f"t77:weights={found}", "--variant", "othello-4", "--games", "2")
    assert match.returncode == 0, match.stderr


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_ctrl_c_ends_with_the_weights_so_far_and_it_can_go_on(tmp_path: Path, jobs: str) -> None:
    out = tmp_path / "t77.jsonl"
    arguments = ("tune", *SMALL, "--rounds", "100000", "--jobs", jobs, "--out", str(out))
    for _ in range(2):
        before = len(out.read_bytes().splitlines()) - 1 if out.exists() else 0
        with PseudoTerminal(*arguments, width=120, height=40) as terminal:
            terminal.expect("last score")
            while int(terminal.expect_pattern(r"\d+/100000").split()[-1].partition("/")[0]) <= before:
                pass
            terminal.type("\x03")
            terminal.expect("the weights are in")
            terminal.expect("stopped after ")
            assert terminal.finish() == 130
            assert "Traceback" not in terminal.raw
        assert before + 1 < len(out.read_bytes().splitlines()) < 100000
        assert out.read_bytes().endswith(b"\n")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["t77.jsonl", "t77.weights.json"]


@pytest.mark.parametrize(("arguments", "message"), [
    (["random"], "random has no weights to tune; these players have weights"),
    (["nobody"], "there is no player 'nobody'"),
    (["t77", "--games", "3"], "an even number of games"),
    (["t77", "--rate", "0"], "the rate cannot be 0"),
    (["t77", "--limit", "soon"], "soon"),
    (["t77", "--variant", "chess"], "there is no variant 'chess'"),
    (["t77:weights=nowhere.json"], "the weights in nowhere.json cannot be read"),
    (["t77", "--variant", "othello-4", "--openings", "99"], "is over within 99 random plies"),
])
def test_what_cannot_be_is_said(tmp_path: Path, arguments: list[str], message: str) -> None:
    done = polyversi("tune", *arguments, "--out", str(tmp_path / "out.jsonl"))
    assert done.returncode == 1
    assert message in done.stderr
    assert "Traceback" not in done.stderr


def test_a_file_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    done = polyversi("tune", *SMALL, "--rounds", "1", "--out", str(tmp_path / "nowhere" / "out.jsonl"))
    assert done.returncode == 1 and "cannot be written: No such file or directory" in done.stderr
    (tmp_path / "out.weights.json").mkdir()
    done = polyversi("tune", *SMALL, "--rounds", "1", "--out", str(tmp_path / "out.jsonl"))
    assert done.returncode == 1 and "out.weights.json cannot be written: " in done.stderr
