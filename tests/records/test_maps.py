"""XT maps as records."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import polyversi as pv
from polyversi.games.xtmap import XtMap
from polyversi.records import FORMATS, Record, read, write
from polyversi.records import parse as parse_text
from polyversi.records.maps import map_of, named_game
from tests.testing.sample_records import SMALL_MAP

if TYPE_CHECKING:
    from pathlib import Path


def test_a_map_is_a_game_before_its_first_move(tmp_path: Path) -> None:
    source = tmp_path / "small.txt"
    source.write_text(SMALL_MAP)
    (record,) = read(source)
    assert isinstance(record, Record)
    assert record.game.spec == "xt:small" and record.moves == ()
    assert map_of(record.game) == XtMap.parse(SMALL_MAP)
    write([record], tmp_path / "again.map")
    assert (tmp_path / "again.map").read_text() == SMALL_MAP


@pytest.mark.parametrize("spec", ["xt:starfish", "xt:starfish,seed=3"])
def test_generated_maps_come_back(spec: str) -> None:
    game = pv.game(spec)
    assert XtMap.parse(map_of(game).text) == map_of(game)


def test_a_map_on_which_nobody_can_play_is_a_game_that_is_over() -> None:
    (record,) = parse_text("2 0 0 0  1 3  0 1 1")
    assert isinstance(record, Record) and record.final.is_over
    line = '{"polyversi": 1, "game": "xt:dull", "map": "2 0 0 0 1 3 0 1 1"}'
    (again,) = parse_text(line)
    assert isinstance(again, Record) and again.result == record.result


def test_what_a_map_cannot_hold() -> None:
    (record,) = parse_text(SMALL_MAP)
    assert isinstance(record, Record)
    fit = FORMATS["map"].fit
    with pytest.raises(pv.RecordError, match="a game without moves"):
        fit(Record(record.start, record.start.moves[:1]))
    with pytest.raises(pv.RecordError, match="games of XT"):
        fit(Record(pv.game("othello").start()))
    with pytest.raises(pv.RecordError, match="holds one map"):
        list(FORMATS["map"].encode([record, record]))
    with pytest.raises(pv.RecordError, match="line 1, column 1"):
        list(parse_text("9 0 0 0 1 1 0", "map"))


def test_a_game_on_a_map_needs_no_name() -> None:
    game = named_game("", SMALL_MAP)
    assert game.spec == "xt:map" and map_of(game).text == XtMap.parse(SMALL_MAP).text
