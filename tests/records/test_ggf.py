"""GGF: what servers write, and what can be written again."""

from __future__ import annotations

import pytest

import polyversi as pv
from polyversi.records import FORMATS, Note, Outcome, Record
from polyversi.records import parse as parse_text
from polyversi.records.ggf import parse, write

START = "8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *"
WIPEOUT = "B[f5]W[d6]B[c5]W[f4]B[e3]W[f6]B[g5]W[e6]B[e7]"


def game(body: str = "", *, kind: str = "8", board: str = START) -> str:
    about = "PC[Kiel]DT[2026.11.15_12:00:00.UTC]PB[Ann]PW[Bob]RB[1800.5]TI[15:00//02:00]"
    return f"(;GM[Othello]{about}TY[{kind}]BO[{board}]{body};)"


def test_a_game_of_a_server() -> None:
    record = parse(game("B[F5//4.09]W[d6/-48.50/0.93]B[C3/1]W[D3]"))
    assert record.game == pv.game("othello") and record.start == pv.game("othello").start()
    assert record.players == ("Ann", "Bob")
    assert [str(move) for move in record.moves] == ["f5", "d6", "c3", "d3"]
    assert record.notes == (Note(seconds=4.09), Note(seconds=0.93, value=-48.5), Note(value=1), Note())
    assert dict(record.tags) == {
        "site": "Kiel", "date": "2026.11.15_12:00:00.UTC", "rating-1": "1800.5", "time": "15:00//02:00",
        "type": "8",
    }
    assert record.outcome is None and record.result is None


def test_writing_it_again() -> None:
    text = game("B[f5//4.09]W[d6/-48.50/0.93]").replace("BO[", "RE[?]BO[")
    assert write(parse(text)) == text


def test_brackets_and_backslashes_are_escaped() -> None:
    record = parse(r"(;GM[Othello]PB[a\]b\\c[d]PW[;)]TY[8]BO[" + START + "];)")
    assert record.players == (r"a]b\c[d", ";)")
    assert write(record).startswith(r"(;GM[Othello]PB[a\]b\\c[d]PW[;)]")
    (again,) = parse_text(write(record))
    assert again == record


@pytest.mark.parametrize(
    ("kind", "spec"),
    [("8", "othello"), ("s8r20", "othello"), ("8r", "othello"), ("8a", "anti"), ("a8", "anti"),
     ("8kb", "othello"), ("sa8r18", "anti"), ("0", "othello"), ("", "othello")],
)
def test_the_letters_of_the_type(kind: str, spec: str) -> None:
    record = parse(game(kind=kind))
    assert record.game == pv.game(spec)
    (again,) = parse_text(write(record))
    assert isinstance(again, Record) and again.game == pv.game(spec)
    assert kind in ("0", "") or again == record


@pytest.mark.parametrize(
    ("kind", "spec"), [("6", "othello-6"), ("10", "othello-10"), ("10a", "anti-10"), ("88", "octagon-10")]
)
def test_other_boards(kind: str, spec: str) -> None:
    record = parse(f"(;GM[Othello]TY[{kind}];)")
    assert record.start == pv.game(spec).start()
    (again,) = parse_text(write(record))
    assert again == record


def test_a_random_start() -> None:
    record = parse(game("W[C5/8.00/25.36]", kind="s8r18", board=(
        "8 --**O--- --**---- --*OO--- ****OO-- ---O*--- --O-*--- -------- -------- O")))
    assert record.start.turn == 2
    assert [str(move) for move in record.moves] == ["c5"]
    assert "TY[s8r18]" in write(record)
    assert "BO[8 --**O--- --**---- --*OO--- ****OO-- ---O*--- --O-*--- -------- -------- O]" in write(record)


def test_the_parallel_start_is_known() -> None:
    start = pv.game("othello:start=parallel").start()
    (again,) = parse_text(write(Record(start)))
    assert isinstance(again, Record) and again.start == start


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        ("+64.00", None),
        ("64", None),
        ("?", None),
        ("", None),
        ("+64.00:r", Outcome("resigned", 64)),
        ("-12.5:t", Outcome("timeout", -12.5)),
        ("0:s", Outcome("agreed", 0)),
        ("+60.0", Outcome("", 60)),
        ("?:l", Outcome("adjourned")),
        ("aborted", Outcome("aborted")),
    ],
)
def test_results(text: str, outcome: Outcome | None) -> None:
    record = parse(game(f"RE[{text}]{WIPEOUT}"))
    assert record.final.is_over
    assert record.outcome == outcome
    (again,) = parse_text(write(record))
    assert again == record


def test_a_played_out_game_says_its_result() -> None:
    assert "RE[+64.000]" in write(parse(game(WIPEOUT)))
    assert "RE[-64.000]" in write(parse(game(WIPEOUT, kind="8a")))


def test_passes_written_or_left_out() -> None:
    board = "4 *O-- **** **** **** O"
    for body in ("W[PA]B[c1]", "W[pass//0.5]B[C1]", "B[c1]"):
        record = parse(game(body, kind="4", board=board))
        assert [str(move) for move in record.moves] == ["pass", "c1"]
        assert "W[PA" in write(record)
    assert len(parse(game("W[PA]B[c1]B[PA]W[PA]", kind="4", board=board)).moves) >= 2


def test_a_move_of_the_wrong_colour() -> None:
    with pytest.raises(pv.RecordError, match=r"move 2: B\[d6\] is out of turn"):
        parse(game("B[f5]B[d6]"))
    with pytest.raises(pv.RecordError, match="out of turn"):
        parse(game("W[c1]", kind="4", board="4 *O-- **** **** **** *"))


def test_many_games_in_one_file() -> None:
    spread = game("B[d3]W[c3]").replace("]W", "]\n  W")
    text = f"2 {game('B[f5]')}{game('B[c4]')}\n\nsome talk\n{spread}\r\n"
    assert [len(item.moves) for item in parse_text(text) if isinstance(item, Record)] == [1, 1, 2]


def test_unknown_properties_and_comments_are_kept() -> None:
    record = parse(game("KB[f5/3]KM[1.5]CO[hello]CO[again]B[f5]CO[a good one]W[d6]"))
    assert record.tag("ggf:KB") == "f5/3" and record.tag("ggf:KM") == "1.5"
    assert record.tag("comment") == "hello\nagain"
    assert record.notes[0].comment == "a good one"
    (again,) = parse_text(write(record))
    assert again == record


def test_tags_cannot_pass_for_moves() -> None:
    start = pv.game("othello").start()
    tags = {"ggf:B": "zz", "ggf:PB": "Eve", "ggf:CO": "x", "ggf:QQ": "kept", "odd": "x"}
    record = Record(start, tags=tuple(tags.items()))
    assert dict(FORMATS["ggf"].fit(record).tags) == {"ggf:QQ": "kept", "type": "8"}    # type: ignore[union-attr]


def test_clock_times() -> None:
    assert parse(game("B[f5//1:02.5]")).notes[0].seconds == 62.5


def test_latin_1_files_are_read() -> None:
    (record,) = parse_text(game().replace("Ann", "Zoé").encode("latin-1"))
    assert isinstance(record, Record) and record.players[0] == "Zoé"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("(;GM[Amazons];)", "a game of Amazons"),
        (game(board="8 --- *"), "64 cells"),
        (game(board="9" * 3 + " ---"), "999 is not a board size"),
        (game(board="eight"), "'eight' is not a board"),
        (game(board=START + " x"), "64 cells"),
        (game("B[f5/abc]"), "move 1: 'abc' is not an evaluation"),
        (game("B[f5//1e9]"), "move 1: '1e9' is not a time"),
        (game("B[a1]"), "move 1: "),
        (game("B[z99]"), "move 1: "),
        ("(;GM[Othello]PB;)", r"'PB;\)' is not a property"),
    ],
)
def test_what_is_wrong_is_said(text: str, message: str) -> None:
    with pytest.raises(pv.RecordError, match=message):
        parse(text)


def test_a_file_that_ends_too_early() -> None:
    with pytest.raises(pv.RecordError, match="ends inside the game that begins in line 2"):
        list(parse_text("\n" + game("B[f5]")[:-2]))
    with pytest.raises(pv.RecordError, match="no game in this file"):
        list(parse_text("hello", "ggf"))


@pytest.mark.parametrize(
    "spec", ["hex", "rolit", "torus", "blackhole", "reversi", "othello:width=5,height=4", "xt:starfish"]
)
def test_what_ggf_cannot_say(spec: str) -> None:
    with pytest.raises(pv.RecordError, match="GGF cannot store"):
        FORMATS["ggf"].fit(Record(pv.game(spec).start()))


def test_hostile_brackets_take_no_long() -> None:
    with pytest.raises(pv.RecordError):
        list(parse_text(b"(;GM[" + b";)\n" * 200_000))
    with pytest.raises(pv.RecordError):
        list(parse_text(b"(;" + b"A[" * 200_000))
