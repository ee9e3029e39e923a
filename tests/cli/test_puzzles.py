"""`polyversi puzzles`: made and continued, listed, and solved at the prompt."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import polyversi as pv
from polyversi.engines.puzzles import read
from tests.testing.terminal import PseudoTerminal, polyversi

MAKE = ("puzzles", "make", "--variant", "othello-6", "--seed", "3")


def test_puzzles_are_made_and_the_same_command_goes_on_after_ctrl_c(tmp_path: Path) -> None:
    out, whole = tmp_path / "mine.jsonl", tmp_path / "whole.jsonl"
    made = b""
    for _ in range(2):
        before = max(0, len(made.splitlines()) - 1)
        with PseudoTerminal(*MAKE, "--count", "1000", "--out", str(out), width=120) as terminal:
            while int(terminal.expect_pattern(r"\d+/1000\b").split()[-1].partition("/")[0]) <= before:
                pass
            terminal.type("\x03")
            terminal.expect("stopped after ")
            assert terminal.finish() == 130 and "Traceback" not in terminal.raw
        now = out.read_bytes()
        assert now.startswith(made) and now.endswith(b"\n") and before + 1 < len(now.splitlines()) < 1000
        made = now
        out.write_bytes(made + made.splitlines()[-1][:40])    # as after a power cut
    header = json.loads(made.splitlines()[0])
    assert header["command"].startswith("polyversi puzzles make --variant othello-6 --count 1000 --seed 3")
    for _ in range(2):    # the second time there is nothing to do
        done = polyversi(*MAKE, "--count", "3", "--out", str(whole))
        assert done.returncode == 0, done.stderr
        assert "has 3 puzzles; try one: polyversi puzzles solve" in " ".join(done.stdout.split())
    assert len(read(whole).puzzles) == 3
    other = polyversi("puzzles", "make", "--variant", "othello-6", "--out", str(whole))
    assert other.returncode == 1 and "has puzzles of othello-6 with seed 3; choose" in other.stderr
    (tmp_path / "text.jsonl").write_text("a letter\n")
    other = polyversi(*MAKE, "--out", str(tmp_path / "text.jsonl"))
    assert other.returncode == 1 and "text.jsonl, line 1: this is not JSON" in other.stderr


def test_they_are_listed_shown_and_solved() -> None:
    listed = polyversi("puzzles", "show", "--kind", "win", "--grade", "5").stdout.splitlines()
    found = pv.puzzles("othello", kind="win", grade=5)
    assert [line.split()[0] for line in listed[1:]] == [one.id for one in found]
    puzzle = next(one for one in pv.puzzles("othello", kind="best") if len(one.steps) > 1)
    shown = polyversi("puzzles", "show", puzzle.id).stdout
    first, second, *_ = puzzle.steps[0].answers
    assert f"solution: {first.move} … " in shown and f"{second.move} {second.value:+}" in shown
    assert f"line: {' '.join(map(str, puzzle.line))}" in " ".join(shown.split())

    right = "\n".join(str(step.solution.move) for step in puzzle.steps)
    typed = f"?\nmoves\nz9\n{second.move}\n{right}\n\nsolution\n\nquit\n"
    done = polyversi("puzzles", "solve", puzzle.id, typed=typed)
    assert done.returncode == 0, done.stderr
    told = " ".join(done.stdout.split())
    for words in ("lists the legal moves", "'z9' is not", f"{second.move} is wrong: it ",
                  f"{first.move} is right: it ", "exact values", "0 of 1 found without help", "solution: ",
                  "0 of 2 found without help", "Good-bye."):
        assert words in told
    again = polyversi("puzzles", "solve", puzzle.id, typed=f"{right}\nquit\n")
    assert "1 of 1 found without help" in again.stdout and "is wrong" not in again.stdout
    assert polyversi("puzzles", "solve", typed="").returncode == 0    # that of the day, and nobody there
    with PseudoTerminal("puzzles", "solve", "--variant", "hex") as terminal:
        terminal.expect("your move, or ? for help: ")
        terminal.type("\x03")
        terminal.expect("Good-bye.")
        assert terminal.finish() == 130


@pytest.mark.parametrize(("arguments", "message"), [
    (["show", "--variant", "rolit"], "there are no puzzles of rolit; there are some of othello, anti"),
    (["show", "--kind", "mate"], "there is no kind 'mate' of puzzles; there are win, best, wipeout"),
    (["show", "--variant", "anti", "--kind", "wipeout"], "there are no such puzzles"),
    (["show", "nothing"], "there is no puzzle 'nothing'; `polyversi puzzles show` lists them"),
    (["solve", "--puzzles", "nowhere.jsonl"], "the puzzles in nowhere.jsonl cannot be read"),
    (["make", "--variant", "torus", "--out", "torus.jsonl"], "the engine does not support torus"),
])
def test_what_cannot_be_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    done = polyversi("puzzles", *arguments)
    assert done.returncode == 1 and message in done.stderr and "Traceback" not in done.stderr
