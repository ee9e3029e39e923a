"""`polyversi bot check`: what it prints and how it ends."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

import polyversi as pv
from polyversi.cli.commands.bot import app
from polyversi.gameplay.bots import SandboxError
from tests.testing.sandbox import needs_sandbox

runner = CliRunner()
ROOT = Path(__file__).parents[2]
QUICK = ["--variant", "othello-4", "--seconds", "30", "--short", "30"]
TRUSTED = [*QUICK, "--trust"]


@pytest.fixture
def broken(tmp_path: Path) -> Path:
    path = tmp_path / "broken.py"
    path.write_text("import json\nprint(json.loads(input())['cells'])\n")
    return path


@pytest.mark.parametrize("options", [TRUSTED, pytest.param(QUICK, marks=needs_sandbox)])
def test_a_good_bot_passes_all_steps(options: list[str]) -> None:
    result = runner.invoke(app, ["check", str(ROOT / "docs" / "templates" / "bot.py"), *options])
    assert result.exit_code == 0, result.output
    assert "plays othello-4" in result.output
    assert "ok     answers its first request" in result.output
    assert "FAILED" not in result.output
    assert "steps passed" in result.output


def test_a_broken_bot_is_told_where_and_why(broken: Path) -> None:
    result = runner.invoke(app, ["check", f"bot:{broken}", *TRUSTED], terminal_width=200)
    assert result.exit_code == 1
    assert "ok     starts and waits for a request" in result.output
    assert "FAILED answers its first request" in result.output
    assert "its process ended with status 1" in result.output
    assert "the end of its standard error:" in result.output
    assert "KeyError: 'cells'" in result.output
    assert "1 of 2 steps failed" in result.output
    assert "were not tried" in result.output


def test_what_a_bot_prints_is_no_markup(tmp_path: Path) -> None:
    path = tmp_path / "loud.py"
    path.write_text("input()\nprint('[red]stop[/red] \\x1b[2J')\n")
    result = runner.invoke(app, ["check", str(path), *TRUSTED])
    assert result.exit_code == 1
    assert "[red]stop[/red] \\x1b[2J" in result.output
    assert "\x1b" not in result.output


@pytest.mark.parametrize(("bot", "words"), [
    ("missing.py", "there is no file or program called 'missing.py'"),
    ("gtp:missing", "there is no file or program called 'missing'"),
    ("course:missing.py", "there is no file 'missing.py'"),
])
def test_a_name_that_means_nothing(bot: str, words: str) -> None:
    result = runner.invoke(app, ["check", bot])
    assert isinstance(result.exception, pv.PlayerError)
    assert words in str(result.exception)


def test_agents_play_anti_unless_told_otherwise(tmp_path: Path) -> None:
    path = tmp_path / "agent.py"
    path.write_text("class AI:\n    pass\n")
    result = runner.invoke(app, ["check", f"course:{path}", "--trust"])
    assert result.exit_code == 1
    assert "plays anti\n" in result.output.replace(f"course:{path} ", "")


@needs_sandbox
@pytest.mark.parametrize("trust", [True, False])
def test_it_sees_nothing_of_others_unless_it_is_trusted(tmp_path: Path, trust: bool) -> None:
    (tmp_path / "own").mkdir()
    secret = tmp_path / "secret.txt"
    secret.write_text("mine")
    bot = tmp_path / "own" / "bot.py"
    bot.write_text(f"input()\nprint(open({str(secret)!r}).read())\n")
    result = runner.invoke(app, ["check", str(bot), *(TRUSTED if trust else QUICK)])
    assert result.exit_code == 1
    assert ("it answered mine" in result.output) == trust
    assert ("FileNotFoundError" in result.output) == (not trust)


def test_without_bubblewrap_it_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    result = runner.invoke(app, ["check", str(ROOT / "docs" / "templates" / "bot.py")])
    assert isinstance(result.exception, SandboxError)
    assert "bwrap is missing; install bubblewrap" in str(result.exception)
    assert "--trust" in str(result.exception)
