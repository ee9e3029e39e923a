"""Weights: what tunable players promise of theirs, and files of weights, hostile until read."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import polyversi as pv
from polyversi.players import PLAYERS, options_of
from polyversi.players.weights import read_weights, save_weights, weights_of, written_weights

TUNABLE = [name for name, cls in PLAYERS.items() if hasattr(cls, "WEIGHTS")]


@pytest.mark.parametrize("name", TUNABLE)
def test_what_a_tunable_player_promises(name: str, tmp_path: Path) -> None:
    weights = weights_of(PLAYERS[name])
    assert weights
    for called, weight in weights.items():
        assert not set(called) & set("=/,"), f"{called} cannot be written as an option"
        assert weight.low <= weight.value <= weight.high
        assert 0 < weight.step <= weight.high - weight.low
    assert [option.default for option in options_of(PLAYERS[name]) if option.name == "weights"] == [""]
    defaults, path = read_weights("", weights), tmp_path / "defaults.json"
    save_weights(path, defaults)
    assert read_weights(str(path), weights) == read_weights(written_weights(defaults), weights) == defaults
    with pytest.raises(pv.PlayerError, match="there is no weight 'nonsense'"):
        pv.player(f"{name}:weights=nonsense=1")
    again = pv.player(f"{name}:weights={written_weights(defaults)}")
    assert pv.player(again.spec()) == again


def test_weights_change_what_is_played() -> None:
    """With corners worth nothing t77 no longer takes one."""
    state = pv.game("othello").position(
        "-OX-----" + "--------" * 2 + "---OX---" + "---XO---" + "--------" * 3 + " X")
    assert str(pv.player("t77").choose(state)) == "a1"
    assert str(pv.player("t77:weights=corner=0.5").choose(state)) != "a1"


def test_players_without_weights_say_so() -> None:
    with pytest.raises(pv.PlayerError, match=r"random has no weights to tune; these players have .*t77"):
        weights_of(PLAYERS["random"])


@pytest.mark.parametrize(("content", "message"), [
    (b"", "is not a file of weights"),
    (b"\xff", "is not a file of weights"),
    (b"[1, 2]", "is not a file of weights"),
    (b'{"corner": "9"}', "is not a file of weights"),
    (b'{"corner": NaN}', "is not a file of weights"),
    (b'{"corner": 1e999}', "is not a file of weights"),
    (b'{"corner":' * 20_000, "too large"),
    (b'{"corner":' * 9_000, "is not a file of weights"),
    (b'{"corner": 99}', "the weight 'corner' cannot be 99; it is a number from 0.5 to 30"),
    (b'{"korner": 9}', "there is no weight 'korner'; there are corner, beside corner"),
])
def test_a_file_of_something_else_is_refused(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "weights.json"
    path.write_bytes(content)
    with pytest.raises(pv.PlayerError, match=message):
        pv.player("t77", weights=str(path))


@pytest.mark.parametrize(("text", "message"), [
    ("nowhere.json", "cannot be read: No such file"),
    ("/dev/zero", "cannot be read: it is not an ordinary file"),
    ("/", "cannot be read: it is not an ordinary file"),
    ("a\0b", "cannot be read"),
    ("corner=nan", "cannot be nan"),
    ("corner=", "'corner=' is not a weight"),
    ("corner=1/edge", "'edge' is not a weight"),
    ("corner=1/corner=2", "the weight 'corner' is given twice"),
])
def test_what_is_no_weight_is_said(text: str, message: str) -> None:
    with pytest.raises(pv.PlayerError, match=message):
        pv.player("t77", weights=text)


def test_a_file_may_hold_some_of_the_weights(tmp_path: Path) -> None:
    path = tmp_path / "weights.json"
    path.write_text(json.dumps({"edge": 7}))
    assert pv.player("t77", weights=str(path)).spec() == f"t77:weights={path}"
    known = weights_of(PLAYERS["t77"])
    assert read_weights(str(path), known) == {**read_weights("", known), "edge": 7.0}
