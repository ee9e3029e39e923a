"""`polyversi players`: everybody is there, with options, and with what they are not for."""

from __future__ import annotations

from typer.testing import CliRunner

import polyversi as pv
from polyversi.cli.group import app
from polyversi.players import PLAYERS, options_of

runner = CliRunner()


def listed(*arguments: str) -> str:
    result = runner.invoke(app, ["players", *arguments])
    assert result.exit_code == 0, result.output
    return result.stdout


def test_everybody_is_listed_with_their_options() -> None:
    text = listed()
    for name, cls in PLAYERS.items():
        assert f"\n{name} · {cls.label}\n    " in f"\n{text}"
        for option in options_of(cls):
            assert f"        {option} " in text
    assert "level=1–20 (default 20) How strong" in text
    assert "(default )" not in text and "(default none)" not in text
    assert "human" in text and "bot:…" in text


def test_what_a_player_is_not_for_is_said() -> None:
    about = listed("group6")
    assert "not for othello" in about and "it plays Reversi XT only" in about


def test_one_player_is_described_whole_without_its_example() -> None:
    text = listed("six-factor")
    assert ">>>" not in text
    assert "a limit of depth counts instead" in " ".join(text.split())


def test_only_those_that_suit_a_game() -> None:
    for variant in ("othello", "hex", "xt:arena", "anti"):
        game = pv.game(variant)
        suited = {name for name, cls in PLAYERS.items() if cls().unsuited(game) is None}
        lines = listed("--variant", variant).splitlines()
        names = {line.partition(" · ")[0] for line in lines if line and line[0] != " "}
        assert names == suited
