"""`polyversi site bots`: what it prints."""

from __future__ import annotations

from pathlib import Path

from typer.testing import CliRunner

from polyversi.cli.commands.site import app
from tests.testing.uploads import FIRST_MOVE, Desk

runner = CliRunner()


def test_bots_with_their_versions(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    ann = desk.person("Ann")
    desk.hand_in(ann, desk.bots.create(ann, "Corner", "othello"), FIRST_MOVE)
    desk.bots.create(desk.person("Bob"), "E[red]dge", "othello")
    desk.store.close()
    result = runner.invoke(app, ["bots", "--site", str(tmp_path / "site.toml")])
    assert result.exit_code == 0
    lines = [line.split() for line in result.output.splitlines()]
    assert ["E[red]dge", "Bob", "othello", "rests", "none"] in lines
    assert ["Corner", "Ann", "othello", "rests", "1:", "waiting"] in lines
