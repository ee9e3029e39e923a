"""Position lines and problem files."""

from __future__ import annotations

import pytest

import polyversi as pv
from polyversi.records import Problem
from polyversi.records import parse as parse_text
from polyversi.records.problems import parse, position, write

START = "---------------------------OX------XO---------------------------"


@pytest.mark.parametrize(
    "text",
    [
        f"{START} X",
        f"{START}X",
        f"{START} x",
        f"{START} *",
        f"{START} b",
        f"{START} B",
        f"{START} black",
        f"{START} Black",
        START.replace("-", ".").replace("X", "*").replace("O", "o") + " *",
        START.replace("-", "_").replace("X", "b").replace("O", "w") + " b",
        START.replace("X", "B").replace("O", "W") + " B",
        START.lower() + " x",
        "-------- -------- -------- ---OX--- ---XO--- -------- -------- -------- X",
        f"  {START}\tX  ",
    ],
)
def test_spellings(text: str) -> None:
    assert position(text) == pv.game("othello").start()
    assert position(text, pv.game("anti")) == pv.game("anti").start()


@pytest.mark.parametrize("turn", ["O", "o", "w", "W", "white"])
def test_white_to_move(turn: str) -> None:
    assert position(f"{START} {turn}").turn == 2


@pytest.mark.parametrize("spec", ["othello-4", "othello-6", "othello-10", "octagon-10", "hex"])
def test_the_number_of_cells_tells_the_board(spec: str) -> None:
    state = pv.game(spec).start()
    assert position(state.text) == state


@pytest.mark.parametrize(
    "spec", ["octagon", "blackhole", "rolit", "hex:side=6,seats=3", "othello:width=5,height=4", "torus"]
)
def test_other_boards_must_be_named(spec: str) -> None:
    state = pv.game(spec).start()
    assert position(state.text, pv.game(spec)) == state


def test_a_problem() -> None:
    problem = parse(f"{START} X; F5:+2; d3:-4; c4 ; E6:+2.5; % no. 1; easy")
    answers = [(str(move), score) for move, score in problem.answers]
    assert answers == [("f5", 2), ("d3", -4), ("c4", None), ("e6", 2.5)]
    assert problem.comment == "no. 1; easy"
    assert [str(move) for move in problem.best] == ["e6"]
    assert write(problem) == f"{START} X; F5:+2; D3:-4; C4; E6:+2.5; % no. 1; easy"
    assert parse(write(problem)) == problem


def test_a_problem_in_which_one_must_pass() -> None:
    problem = parse("XO--" + "X" * 12 + " O; PS:-16;")
    assert problem.answers[0][0].is_pass
    assert write(problem) == "XO--" + "X" * 12 + " O; PS:-16;"


def test_a_file_with_comments() -> None:
    text = f"% Problems\n# by hand\n\n{START} X; f5:+0;\r\n; nothing\n{START} O\n"
    assert [len(item.answers) for item in parse_text(text, "problems") if isinstance(item, Problem)] == [1, 0]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the side to move is missing"),
        ("X passes=1", "1 cells"),
        ("--- X", "3 cells, which fits no square board"),
        (START, "the side to move is missing"),
        (f"{START} Z", "'Z' is not a seat to move"),
        (f"{START[:-1]}? X", r"'\?' on h8"),
        (f"{START} X; f5:good", "'good' is not a score"),
        (f"{START} X; f5:+1e5", "is not a score"),
        (f"{START} X; a1:+2", "a1 is not legal in this position"),
        (f"{START} X; zz:+2", "zz"),
        (f"{START} X passes=9", "passes"),
    ],
)
def test_what_is_wrong_is_said(text: str, message: str) -> None:
    with pytest.raises(pv.PolyversiError, match=message):
        parse(text)


def test_the_game_must_fit() -> None:
    with pytest.raises(pv.NotationError, match="the side to move is missing"):
        position("", pv.game("othello-6"))
    with pytest.raises(pv.NotationError, match="64 cells, but othello-6 has 36"):
        position(f"{START} X", pv.game("othello-6"))


def test_a_move_has_one_score() -> None:
    with pytest.raises(pv.RecordError, match="given twice"):
        parse(f"{START} X" + "; f5:+2" * 50_000)


def test_the_best_moves() -> None:
    assert [str(move) for move in parse(f"{START} X; f5:-2; d3:-2; c4:-4; e6").best] == ["f5", "d3"]
    assert [str(move) for move in parse(f"{START} X; f5; d3").best] == ["f5", "d3"]
    assert parse(f"{START} X").best == ()
