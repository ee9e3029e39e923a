"""Transcripts, as files hold them and as people paste them."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import polyversi as pv
from polyversi.records import Record
from polyversi.records import parse as parse_text
from polyversi.records.transcript import parse, write
from tests.testing.sample_records import begun, played, seeds

GAME = "f5d6c3d3c4f4f6f3e6e7"


@pytest.mark.parametrize(
    "text",
    [
        GAME,
        GAME.upper(),
        "F5 d6 C3 d3 c4 F4 f6 f3 e6 e7",
        "f5, d6, c3, d3, c4, f4, f6, f3, e6, e7",
        "1. f5 d6 2. c3 d3 3. c4 f4 4. f6 f3 5. e6 e7",
        "1.f5 2.d6 3.c3 4.d3 5.c4 6.f4 7.f6 8.f3 9.e6 10.e7",
        "1.f52.d63.c34.d35.c46.f47.f68.f39.e610.e7",
        "1) f5 2) d6 3) c3 4) d3 5) c4 6) f4 7) f6 8) f3 9) e6 10) e7",
        "1 f5 2 d6 3 c3 4 d3 5 c4 6 f4 7 f6 8 f3 9 e6 10 e7",
        "1f5 2d6 3c3 4d3 5c4 6f4 7f6 8f3 9e6 10e7",
        "  f5\td6 c3|d3;c4 f4\u00a0f6 f3 e6 e7\r\n".replace("\u00a0", " "),
        "1. f5 d6\n2. c3 d3\n3. c4 f4\n4. f6 f3\n5. e6 e7\n",
        "\ufeff" + GAME,
        "# a game\n\n" + GAME + "\n",
    ],
)
def test_a_game_as_people_paste_it(text: str) -> None:
    (record,) = parse_text(text, "transcript")
    assert isinstance(record, Record)
    assert write(record) == GAME


def test_lines_are_games() -> None:
    games = list(parse_text("f5d6\n% comment\nf5f6\n\nf5d6c3", "transcript"))
    assert [write(game) for game in games if isinstance(game, Record)] == ["f5d6", "f5f6", "f5d6c3"]


@pytest.mark.parametrize("word", ["--", "pa", "PA", "ps", "pass", "Pass", ""])
def test_forced_passes_may_be_written_or_left_out(word: str) -> None:
    start = pv.game("othello-4").position("XO--" + "X" * 12 + " O")
    record = parse(f"{word}c1", start) if not word or word[0] != "-" else parse(f"{word} c1", start)
    assert [str(move) for move in record.moves] == ["pass", "c1"]
    assert write(record) == "c1"


def test_passes_run_together_with_moves() -> None:
    start = pv.game("othello-4").position("XO--" + "X" * 12 + " O")
    assert [str(move) for move in parse("pac1", start).moves] == ["pass", "c1"]
    assert [str(move) for move in parse("--c1", start).moves] == ["pass", "c1"]


def test_free_passes_are_written() -> None:
    record = parse("--", pv.game("hex").start())
    assert record.moves[0].is_pass
    assert write(record) == "--"


def test_course_numbers_are_cells_on_the_hexagon() -> None:
    start = pv.game("hex:start=ring").start()
    names = [str(move) for move in start.moves if not move.is_pass]
    cell = start.board.number(start.board.cell(names[0]))
    assert [str(move) for move in parse(f"1. {cell}", start).moves] == [names[0]]


def test_two_digit_rows() -> None:
    start = pv.game("othello-10").start()
    record = parse("g6", start)
    assert [str(move) for move in record.moves] == ["g6"]
    with pytest.raises(pv.RecordError, match="move 2"):
        parse("g6a10", start)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("f5d6c3z9", "move 4: 'z9' is not on this board"),
        ("f5d6a1", "move 3: "),
        ("f5 hello", r"'hello' \(character 4\) does not begin with a move"),
        ("f5--", "move 2: "),
    ],
)
def test_what_is_wrong_is_said_with_its_place(text: str, message: str) -> None:
    with pytest.raises(pv.PolyversiError, match=message):
        parse(text)


def test_xt_moves_stand_apart() -> None:
    start = pv.game("xt:starfish").start()
    moves = played(start, 5, 30)
    text = write(Record(start, moves))
    assert len(text.split()) == 30
    assert parse(text, start).moves == moves


@settings(max_examples=60, deadline=None)
@given(spec=st.sampled_from(("othello", "othello-6", "anti", "rolit", "torus", "reversi", "hex")), seed=seeds)
def test_whole_games_come_back(spec: str, seed: int) -> None:
    start = begun(spec, seed)
    moves = played(start, seed, 500)
    assert parse(write(Record(start, moves)), start).moves == moves


def test_a_long_text_is_read_in_good_time() -> None:
    with pytest.raises(pv.PolyversiError):
        parse("1. " * 300_000 + "zz")
