"""`polyversi convert`, from the command line to the files."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest
from typer.testing import CliRunner

from polyversi.cli.group import app
from polyversi.cli.main import main
from polyversi.records import Record, read
from tests.testing.terminal import PseudoTerminal

if TYPE_CHECKING:
    from pathlib import Path

run = CliRunner().invoke


def test_from_file_to_file(tmp_path: Path) -> None:
    source, target = tmp_path / "moves.txt", tmp_path / "games.ggf"
    source.write_text("f5d6c3\nf5f6\n")
    result = run(app, ["convert", str(source), str(target)])
    assert result.exit_code == 0
    assert f"2 written to {target}" in result.stderr
    assert target.read_text().count("(;GM[Othello]") == 2


def test_to_standard_output(tmp_path: Path) -> None:
    source = tmp_path / "moves.txt"
    source.write_text("F5 D6\n")
    assert run(app, ["convert", str(source)]).stdout.startswith('{"polyversi":1,"game":"othello"')
    assert run(app, ["convert", str(source), "--to", "transcript"]).stdout == "f5d6\n"
    assert run(app, ["convert", str(source), "-", "--to", "ggf"]).stdout.startswith("(;GM[Othello]")


def test_from_standard_input() -> None:
    result = run(app, ["convert", "-", "--to", "transcript"], input="1. f5 d6 2. c3")
    assert result.exit_code == 0 and result.stdout == "f5d6c3\n"


def test_the_game_can_be_named(tmp_path: Path) -> None:
    source, target = tmp_path / "moves.txt", tmp_path / "games.jsonl"
    source.write_text("f5d6c3\n")
    assert run(app, ["convert", str(source), str(target), "--variant", "anti"]).exit_code == 0
    (record,) = read(target)
    assert isinstance(record, Record) and record.game.spec == "anti"


def test_wthor_finds_its_names(tmp_path: Path) -> None:
    games = tmp_path / "games.ggf"
    games.write_text("(;GM[Othello]PB[Ann]PW[Bob]EV[Cup]TY[8]B[f5];)")
    assert run(app, ["convert", str(games), str(tmp_path / "WTH_2026.wtb")]).exit_code == 0
    result = run(app, ["convert", str(tmp_path / "WTH_2026.wtb")])
    assert '"players":["Ann","Bob"]' in result.stdout and '"event":"Cup"' in result.stdout
    (tmp_path / "WTH_2026.jou").rename(tmp_path / "x")
    (tmp_path / "WTH_2026.trn").rename(tmp_path / "y")
    assert '"players":["#1","#2"]' in run(app, ["convert", str(tmp_path / "WTH_2026.wtb")]).stdout
    names = ["--jou", str(tmp_path / "x"), "--trn", str(tmp_path / "y")]
    named = run(app, ["convert", str(tmp_path / "WTH_2026.wtb"), *names])
    assert '"players":["Ann","Bob"]' in named.stdout and '"event":"Cup"' in named.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["none.ggf"], "cannot be opened: No such file"),
        (["bad.txt", "out.jsonl"], "bad.txt: line 2: move 1: a1 is not legal"),
        (["good.txt", "out.png"], "no format has the ending '.png'"),
        (["good.txt", "--to", "png"], "'png' is not a format"),
        (["good.txt", "out.obf"], "number 1: a problem file holds positions"),
        (["good.txt", "--variant", "chess"], "there is no variant 'chess'"),
    ],
)
def test_errors_are_readable(
    arguments: list[str],
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "good.txt").write_text("f5\n")
    (tmp_path / "bad.txt").write_text("f5\na1\n")
    monkeypatch.setattr(sys, "argv", ["polyversi", "convert", *arguments])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 1
    said = capsys.readouterr().err
    assert said.startswith("polyversi: ") and message in said
    assert not (tmp_path / "out.jsonl").exists()


def test_what_cannot_be_read_can_be_skipped(tmp_path: Path) -> None:
    source = tmp_path / "moves.txt"
    source.write_text("f5\n" + "a1\n" * 12 + "f5d6\n")
    result = run(app, ["convert", str(source), "--skip", "--to", "transcript"])
    assert result.exit_code == 0 and result.stdout == "f5\nf5d6\n"
    assert "skipped: moves.txt: line 2" in result.stderr or "skipped: line 2" in result.stderr
    assert "skipped: 2 more" in result.stderr


def test_a_terminal_sees_progress(tmp_path: Path) -> None:
    source, target = tmp_path / "moves.txt", tmp_path / "games.jsonl"
    source.write_text("f5\n" * 200)
    with PseudoTerminal("convert", str(source), str(target)) as terminal:
        terminal.expect_pattern(r"[\d,]+ converted")
        terminal.expect("200 written to")
        assert terminal.finish() == 0
    assert len(target.read_text().splitlines()) == 200
