"""What every player must do: the contract that a player keeps or is not one."""

from __future__ import annotations

import pickle
import re
import types
import typing

import pytest

import polyversi as pv
from polyversi.cli.commands.players import option_sentences
from polyversi.players import PLAYERS, options_of
from tests.soak.endurance import against_random, faults, new
from tests.testing.marks import slow_but
from tests.testing.specs import SPECS

SMALL = [spec for spec in SPECS if pv.game(spec).board.size <= 256]
LIMIT = pv.Limit(depth=2)
"""Enough for players that look ahead to show whether they know the game."""


@pytest.fixture(params=list(PLAYERS))
def name(request: pytest.FixtureRequest) -> str:
    """Every player in turn."""
    return str(request.param)


def claimed(name: str) -> list[str]:
    """The games a player says it plays."""
    return [spec for spec in SMALL if pv.player(name).unsuited(pv.game(spec)) is None]


@pytest.mark.parametrize("spec", slow_but(SMALL, *SMALL[::3]))
def test_whole_games_or_a_reason(name: str, spec: str) -> None:
    reason = pv.player(name).unsuited(pv.game(spec))
    if reason is not None:
        assert len(reason.split()) > 2
        with pytest.raises(pv.PlayerError, match=re.escape(f"does not play {pv.game(spec).spec}: {reason}")):
            against_random(name, spec, 0)
        return
    for number in range(2):
        assert faults(against_random(name, spec, number, LIMIT)) == []


def test_there_is_a_game_for_it(name: str) -> None:
    assert claimed(name)


def test_the_same_again(name: str) -> None:
    for spec in claimed(name)[-2:]:
        first, second = (against_random(name, spec, 7, LIMIT) for _ in range(2))
        assert first.record.moves == second.record.moves


@pytest.mark.parametrize("limit", ["seconds=0", "seconds=0.3", "bank=3,increment=0.1", "depth=1", "nodes=1"])
def test_any_limit_gets_a_legal_move(name: str, limit: str) -> None:
    spec = claimed(name)[0]
    state = pv.game(spec).start(1)
    for _ in range(3):
        move = new(name, 1).choose(state, pv.Limit.parse(limit))
        assert move in state.moves
        state = state.play(move)


def test_specifications_round_trip(name: str) -> None:
    for option in options_of(PLAYERS[name]):
        choices = [choice for choice in typing.get_args(option.type) if choice is not types.NoneType]
        values = [choice for choice in choices if not isinstance(choice, type)]
        if option.type is bool:
            values = [True, False]
        for value in [3] if option.name == "seed" else values:
            player = pv.player(name, **{option.name: value})
            again = pv.player(player.spec())
            assert again == player
            assert getattr(again, option.name) == value
            assert again.spec() == player.spec()
    assert pv.player(name).spec() == name


def test_players_travel(name: str) -> None:
    player = new(name, 5)
    assert pickle.loads(pickle.dumps(player)) == player


def test_what_it_does_and_takes_is_written_down(name: str) -> None:
    cls = PLAYERS[name]
    first = (cls.__doc__ or "").splitlines()[0]
    assert re.fullmatch(r"[A-Z].{20,}[.:]", first), f"{name} does not say in a line what it does: {first!r}"
    sentences = option_sentences(cls)
    for option in options_of(cls):
        assert sentences.get(option.name, "").endswith("."), f"{name} does not say what {option.name} is"
