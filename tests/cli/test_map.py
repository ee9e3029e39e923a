"""`polyversi map`: its four commands, what they print and how they fail."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

import polyversi as pv
from polyversi.cli.commands.map import app
from polyversi.drawing.words import summary
from polyversi.games.errors import VariantError
from polyversi.games.mapkinds import KINDS, generate
from polyversi.games.xtmap import XtMap

runner = CliRunner()


@pytest.fixture
def good(tmp_path: Path) -> Path:
    path = tmp_path / "good.map"
    path.write_text(generate("torus", 3, 5).text)
    return path


@pytest.fixture
def bad(tmp_path: Path) -> Path:
    path = tmp_path / "bad.map"
    path.write_text("2 0 0 0\n1 3\n0 1 X\n")
    return path


def test_check_describes_a_good_map(good: Path) -> None:
    result = runner.invoke(app, ["check", str(good)])
    assert result.exit_code == 0
    assert result.stdout == f"{good}: {summary(generate('torus', 3, 5))}\n"


def test_check_goes_on_after_a_bad_map_and_fails(good: Path, bad: Path) -> None:
    result = runner.invoke(app, ["check", str(bad), str(good)])
    assert result.exit_code == 1
    assert result.stderr == f"{bad}: line 3, column 5: 'X' is not a tile; write one of 0 1-8 - c i b x\n"
    assert result.stdout.startswith(f"{good}: 15×15, 5 players")


def test_check_says_when_a_file_cannot_be_read(tmp_path: Path) -> None:
    for path in (tmp_path / "none.map", tmp_path):
        result = runner.invoke(app, ["check", str(path)])
        assert result.exit_code == 1
        assert f"{path} cannot be read" in result.stderr


def test_draw_shows_a_file_or_a_kind_in_the_terminal(good: Path) -> None:
    for arguments in ([str(good)], ["torus", "--seed", "3", "--players", "5"]):
        result = runner.invoke(app, ["draw", *arguments])
        assert result.exit_code == 0
        assert "15×15, 5 players" in result.stdout
        assert "\x1b" not in result.stdout


def test_draw_takes_a_name_for_a_kind_first_and_for_a_file_with_a_path(
    good: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(good.parent)
    for name in ("starfish", "mine"):
        Path(name).write_bytes(good.read_bytes())
    assert "33×33" in runner.invoke(app, ["draw", "StarFish"]).stdout
    assert "15×15" in runner.invoke(app, ["draw", "./starfish"]).stdout
    assert "15×15" in runner.invoke(app, ["draw", "mine"]).stdout


def test_draw_writes_a_picture(good: Path, tmp_path: Path) -> None:
    picture = tmp_path / "picture.svg"
    result = runner.invoke(app, ["draw", str(good), "--out", str(picture)])
    assert result.exit_code == 0
    assert "</svg>" in picture.read_text(encoding="utf-8")
    result = runner.invoke(app, ["draw", str(good), "--out", str(tmp_path / "no" / "picture.svg")])
    assert result.exit_code == 1
    assert isinstance(result.exception, pv.PolyversiError)
    assert "cannot be written: No such file or directory" in str(result.exception)


@pytest.mark.parametrize(("source", "words"), [
    ("starfsh", "did you mean 'starfish'?"),
    ("missing.map", "missing.map cannot be read"),
    ("folder/starfish", "folder/starfish cannot be read"),
])
def test_draw_says_what_it_could_not_find(source: str, words: str) -> None:
    result = runner.invoke(app, ["draw", source])
    assert result.exit_code == 1
    assert isinstance(result.exception, pv.PolyversiError)
    assert words in str(result.exception)


def test_generate_prints_or_writes_the_map(tmp_path: Path) -> None:
    chart = generate("maze", 2, 4)
    arguments = ["generate", "--kind", "maze", "--seed", "2", "--players", "4"]
    assert runner.invoke(app, arguments).stdout == chart.text
    out = tmp_path / "maze.map"
    result = runner.invoke(app, [*arguments, "--out", str(out)])
    assert (result.exit_code, result.stdout) == (0, "")
    assert XtMap.parse(out.read_bytes()) == chart


@pytest.mark.parametrize("command", [["draw", "arena"], ["generate", "--kind", "arena"]])
def test_seeds_are_those_of_a_specification(command: list[str]) -> None:
    for seed, status in ((0, 0), (2**53, 0), (2**53 + 1, 2), (-1, 2)):
        assert runner.invoke(app, [*command, "--seed", str(seed)]).exit_code == status
        if status:
            with pytest.raises(VariantError, match="write seed=0–9007199254740992"):
                pv.game(f"xt:arena,seed={seed}")
        else:
            pv.game(f"xt:arena,seed={seed}")


def test_generate_refuses_what_it_cannot_draw() -> None:
    result = runner.invoke(app, ["generate", "--kind", "cube", "--players", "5"])
    assert result.exit_code == 1
    assert isinstance(result.exception, pv.PolyversiError)
    assert str(result.exception) == "cube is not for 5 players; it is for 2, 3, 4, 6, 8"


def test_kinds_lists_them_all() -> None:
    result = runner.invoke(app, ["kinds"])
    assert result.exit_code == 0
    assert all(name in result.stdout for name in KINDS)
    assert "2–8" in result.stdout
