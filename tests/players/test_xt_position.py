"""The position that the Reversi XT player searches, against the rules."""

from __future__ import annotations

from random import Random

import pytest

import polyversi as pv
from polyversi import _core
from polyversi.games.mapkinds import KINDS, generate
from polyversi.games.xt import xt_game
from polyversi.games.xtmap import XtMap
from tests import reference as ref
from tests.testing.reference_xt import count, crowded_map, engine, map_text, mobility, random_line, seats_of

HAND_MADE = {
    "a circle": map_text("3 1 1 1", "0123", "0210", "000b", links=("0 0 6 <-> 3 0 2",)),
    "a circle without a gap": map_text(
        "2 2 0 0", "122112", "012100", "021200", links=("0 0 6 <-> 5 0 2",)
    ),
    "a circle of two cells": map_text("2 2 0 0", "12-00", "02x10", "01210", links=("0 0 6 <-> 1 0 2",)),
    "a cell joined to itself": map_text("2 1 0 0", "0220", "0x10", "i020", links=("3 0 2 <-> 3 0 0",)),
    "a lone cell in a circle": map_text("2 1 0 0", "1-0210", "001200", "021000", links=("0 0 6 <-> 0 0 2",)),
    "a line that crosses itself": map_text(
        "2 1 0 0", "02200", "-1c10", "02120", "00000", links=("2 0 1 <-> 1 0 0",)
    ),
    "a tangled circle": map_text(
        "3 2 0 0", "01230", "02130", "00x00", links=("0 0 6 <-> 2 2 4", "2 0 0 <-> 4 0 2")
    ),
    "every tile": map_text("4 2 1 1", "0ci0bx", "012340", "043210", "x-cib0"),
    "inversions of three": map_text("3 1 0 0", "i0120i", "003210", "i0130i"),
    "a full map": map_text("2 3 0 0", "1212", "2x12", "2112"),
    "eight seats": map_text("8 2 1 1", "00c00000", "01234560", "08765430", "01b28i60", "0000x000"),
}


def check_position(state: pv.State, rules: ref.RefGame, searched: _core.XtEngine) -> None:
    """What it knows of a position is so: the ways on from it, and what its evaluation is made of."""
    width = len(state.moves)
    depth = 3 if width < 8 else 2 if width < 50 else 1
    assert searched.perft(state, depth) == count(state, depth), state.text
    tiles = tuple(state.tiles)
    assert searched.measure(state) == {
        "mobility": tuple(mobility(rules, tiles, seat) for seat in seats_of(state)),
        "stones": tuple(tiles.count(seat) for seat in seats_of(state)),
    }, state.text


@pytest.mark.parametrize("name", HAND_MADE)
def test_its_position_on_maps_made_for_it(name: str) -> None:
    start, rules = xt_game(XtMap.parse(HAND_MADE[name])).start(), ref.from_xt_map(HAND_MADE[name])
    searched = engine(start)
    for seed in range(4):
        for state in random_line(start, Random(seed)):
            check_position(state, rules, searched)


@pytest.mark.parametrize("seed", range(60))
def test_its_position_on_crowded_maps(seed: int) -> None:
    chance = Random(seed)
    text = crowded_map(chance)
    start, rules = xt_game(XtMap.parse(text)).start(), ref.from_xt_map(text)
    for state in random_line(start, chance):
        if chance.random() < 0.4:
            check_position(state, rules, engine(state))


@pytest.mark.parametrize("kind", KINDS)
def test_its_position_on_every_kind_of_map(kind: str) -> None:
    chance = Random(kind)
    chart = generate(kind, chance.randrange(100), chance.choice(KINDS[kind].players))
    start, rules = xt_game(chart).start(), ref.from_xt_map(chart.text)
    searched = engine(start)
    line = list(random_line(start, chance))
    for state in chance.sample(line, min(4, len(line))):
        check_position(state, rules, searched)
