"""JSON Lines: everything comes back, and nothing hostile gets in."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import polyversi as pv
from polyversi.games.xt import xt_game
from polyversi.games.xtmap import XtMap
from polyversi.records import Note, Outcome, Problem, Record, read, write
from polyversi.records import parse as parse_text
from polyversi.records.jsonl import parse
from polyversi.records.jsonl import write as line_of
from polyversi.records.transcript import parse as moves_of
from tests.testing.sample_records import SMALL_MAP, SPECS, begun, played

OTHELLO = '{"polyversi": 1, "game": "othello", '


def test_a_line_word_by_word() -> None:
    record = moves_of("f5d6")
    full = Record(
        record.start, record.moves, ("Ann", "Zoé"), (("event", "Cup"),), (Note("so", 1.5, -2), Note()),
        Outcome("resigned", 64, (1, 2)),
    )
    assert line_of(full) == (
        '{"polyversi":1,"game":"othello",'
        '"start":"---------------------------OX------XO--------------------------- X",'
        '"moves":["f5","d6"],"players":["Ann","Zoé"],"tags":{"event":"Cup"},'
        '"notes":[{"comment":"so","seconds":1.5,"value":-2},{}],'
        '"outcome":{"reason":"resigned","margin":64,"ranks":[1,2]}}'
    )
    assert parse(line_of(full)) == full


@pytest.mark.parametrize("spec", SPECS)
def test_whole_games_of_every_variant(spec: str) -> None:
    start = begun(spec, 7)
    record = Record(start, played(start, 7, 1000))
    assert record.final.is_over
    assert parse(line_of(record)) == record


def test_problems() -> None:
    state = pv.game("hex").start()
    problem = Problem(state, ((state.moves[0], 3), (state.moves[1], None)), "why?")
    assert parse(line_of(problem)) == problem


def test_a_map_of_ones_own_goes_with_the_game(tmp_path: Path) -> None:
    game = xt_game(XtMap.parse(SMALL_MAP), "xt:small")
    record = Record(game.start(), played(game.start(), 3, 1000))
    text = line_of(record)
    assert json.loads(text)["map"] == XtMap.parse(SMALL_MAP).text
    assert parse(text) == record
    chart = tmp_path / "small.map"
    chart.write_text(SMALL_MAP)
    game = pv.game(f"xt:{chart}")
    target = tmp_path / "games.jsonl"
    write([Record(game.start(), played(game.start(), 3, 1000))], target)
    chart.unlink()
    (again,) = read(target)
    assert isinstance(again, Record) and again.final.is_over


def test_a_named_map_needs_no_text() -> None:
    assert "map" not in json.loads(line_of(Record(pv.game("xt:starfish").start())))
    pretender = xt_game(XtMap.parse(SMALL_MAP), "xt:starfish")
    assert parse(line_of(Record(pretender.start()))) == Record(pretender.start())


def test_the_fewest_stones_on_a_map() -> None:
    game = xt_game(XtMap.parse(SMALL_MAP), "xt:small", "fewest")
    assert parse(line_of(Record(game.start()))) == Record(game.start())


def test_disqualified_seats() -> None:
    start = pv.game("xt:starfish").start()
    moves = played(start.disqualify(1), 1, 3)
    record = Record(start, moves, disqualified=((0, 1), (3, 8)))
    assert record.final.out == (1, 8)
    assert parse(line_of(record)) == record


def test_a_game_of_ones_own_cannot_be_kept() -> None:
    own = pv.Game("mine", pv.game("othello-4").definition)
    with pytest.raises(pv.RecordError, match="'mine' is not a registered variant"):
        line_of(Record(own.start()))


def test_no_line_can_make_us_open_a_file(tmp_path: Path) -> None:
    chart = tmp_path / "secret.map"
    chart.write_text(SMALL_MAP)
    with pytest.raises(pv.PolyversiError, match="there is no XT map"):
        parse(json.dumps({"polyversi": 1, "game": f"xt:{chart}", "moves": []}))


def test_a_file_that_was_cut() -> None:
    line = line_of(moves_of("f5d6"))
    with pytest.raises(pv.RecordError, match=r"line 3: this is not JSON: .*\(the file ends within"):
        list(parse_text(f"{line}\n\n{line[:40]}", "jsonl"))
    assert len(list(parse_text(f"{line}\n{line}", "jsonl"))) == 2
    errors: list[pv.RecordError] = []
    assert len(list(parse_text(f"{line}\n{line[:-9]}\n{line}\n", "jsonl", on_error=errors.append))) == 2
    assert "line 2" in str(errors[0]) and "file ends" not in str(errors[0])


@pytest.mark.parametrize(("text", "message"), [
    (OTHELLO + '"moves": ["f5"], "notes": [{"value": NaN}]}', "line 2: NaN cannot be stored"),
    (OTHELLO + '"tags": {"a": "\\ud800"}}', "line 2: there is half a character"),
])
def test_what_only_python_takes_for_json_is_named_with_its_line(text: str, message: str) -> None:
    with pytest.raises(pv.RecordError, match=message):
        list(parse_text(f"{line_of(moves_of('f5d6'))}\n{text}\n", "jsonl"))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[]", "the line: expected object, got array"),
        ("{}", "version none"),
        ('{"polyversi": 2}', "version 2"),
        ('{"polyversi": true}', "version true"),
        ('{"polyversi": 1}', 'the line: object missing required field game'),
        ('{"polyversi": 1, "game": 5}', "game: expected str, got int"),
        ('{"polyversi": 1, "game": "chess"}', "no variant 'chess'"),
        ('{"polyversi": 1, "game": "xt:a", "map": "2 0 0 0 1 3 0 1"}', "the text ends here"),
        (OTHELLO + '"map": "2 0 0 0 1 3 0 1 2"}', "only games of XT"),
        (OTHELLO + '"start": "X"}', "a position is one line"),
        (OTHELLO + '"moves": "f5"}', "moves: expected array, got str"),
        (OTHELLO + '"moves": [5]}', r"moves\[0\]: expected str, got int"),
        (OTHELLO + '"moves": ["f5", "a1"]}', "move 2: "),
        (OTHELLO + '"players": ["a"]}', "1 player names"),
        (OTHELLO + '"tags": []}', "tags: expected object, got array"),
        (OTHELLO + '"tags": {"a": 1}}', r"tags\[...\]: expected str, got int"),
        (OTHELLO + '"moves": ["f5"], "notes": [{"value": "x"}]}', r"notes\[0\].value: expected int"),
        (OTHELLO + '"moves": ["f5"], "notes": [{"value": NaN}]}', "NaN cannot be stored"),
        (OTHELLO + '"moves": ["f5"], "notes": [{"seconds": -Infinity}]}', "-Infinity cannot be stored"),
        (OTHELLO + '"moves": ["f5"], "notes": [{"value": 1e99}]}', "cannot be stored"),
        (OTHELLO + '"moves": ["f5"], "notes": [{"value": 1' + "0" * 400 + "}]}", "cannot be stored"),
        (OTHELLO + '"outcome": {"ranks": [0, 1]}}', "a rank lies between"),
        (OTHELLO + '"outcome": {"ranks": [true, 1]}}', r"outcome.ranks\[0\]: expected int, got bool"),
        (OTHELLO + '"disqualified": [[0]]}', r"disqualified\[0\]: expected array of length 2"),
        (OTHELLO + '"disqualified": [[0, 1]]}', "after move 0"),
        (OTHELLO + '"answers": [["f5"]]}', r"answers\[0\]: expected array of length 2"),
        (OTHELLO + '"answers": [["a1", 2]]}', "a1 is not legal"),
        (OTHELLO + '"tags": {"a": "\\ud800"}}', r"half a character \(a lone surrogate\)"),
        (OTHELLO + '"tags": {"a": "\\udc00x"}}', "half a character"),
        (OTHELLO + '"tags": {"a": "\ud800"}}', "half a character"),
        ("[" * 100_000, "the line: expected object, got array"),
        ('{"polyversi": 1' + "0" * 5000 + "}", "this one has version 1000"),
    ],
)
def test_what_is_wrong_is_said(text: str, message: str) -> None:
    with pytest.raises(pv.PolyversiError, match=message):
        parse(text)
