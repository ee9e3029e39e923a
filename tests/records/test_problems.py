"""Problem files as a whole: every problem of a file, or a sentence about what is wrong with it."""

from __future__ import annotations

from pathlib import Path

import pytest

import polyversi as pv
from polyversi.records.formats import MAX_LINE
from polyversi.records.problems import as_problems_count
from polyversi.records.sources import MAX_PROBLEMS, read_problems

FOUR = "-----OX--XO----- X"
SIX = "--------------OX----XO-------------- O"
EIGHT = "---------------------------OX------XO--------------------------- X"


def test_problems_of_several_sizes_in_a_file(tmp_path: Path) -> None:
    path = tmp_path / "mixed.obf"
    path.write_text(f"% three starts\n\n{FOUR}; B1:-8; D3:-8;\n{SIX}; d2:+4;\r\n; nothing\n{EIGHT}\n")
    problems = read_problems(path)
    assert [problem.game.spec for problem in problems] == ["othello-4", "othello-6", "othello"]
    assert [problem.expected for problem in problems] == [-8, 4, None]
    assert [len(problem.best) for problem in problems] == [2, 1, 0]
    assert problems[1].state.turn == 2


def test_names_of_the_older_files(tmp_path: Path) -> None:
    path = tmp_path / "OLD.SCRIPT"
    path.write_text(f"{EIGHT} % Start #1\n" + EIGHT.lower().replace("-", ".").replace("x", "*") + " % dots\n")
    first, second = read_problems(path)
    assert (first.comment, second.comment) == ("Start #1", "dots")
    assert first.state == second.state == pv.game("othello").start()


def test_a_file_of_another_game(tmp_path: Path) -> None:
    path = tmp_path / "anti.obf"
    path.write_text(f"{FOUR}; b1:+3;\n")
    assert read_problems(path, pv.game("anti-4"))[0].state == pv.game("anti-4").start()
    with pytest.raises(pv.RecordError, match=r"anti.obf: line 1: the position has 16 cells, but hex has 61"):
        read_problems(path, pv.game("hex"))


def test_problems_in_our_own_format(tmp_path: Path) -> None:
    path = tmp_path / "problems.jsonl"
    source = tmp_path / "problems.obf"
    source.write_text(f"{FOUR}; b1:-8; % four\n")
    pv.records.write(read_problems(source), path)
    assert read_problems(path) == read_problems(source)


@pytest.mark.parametrize(("line", "message"), [
    ("hello", r"line 2: the position has 4 cells, which fits no square board"),
    ("f5d6c3", r"line 2: "),
    (f"{FOUR[:-2]}", r"line 2: the side to move is missing; write X or O after the cells"),
    (f"{FOUR}; b1:good", r"line 2: 'good' is not a score; write answers as in 'f5:\+2'"),
    (f"{FOUR}; a1:+2", r"line 2: a1 is not legal in this position"),
    (f"{FOUR}; b1:+2; B1:+4", r"line 2: a move is given twice"),
    (f"{FOUR[:8]}?{FOUR[9:]}", r"line 2: '\?'"),
    ("\udcff", r"line 2: byte 1 is not UTF-8 text"),
    (f"{FOUR} % {'x' * MAX_LINE}", rf"line 2 has more than {MAX_LINE} bytes"),
])
def test_the_line_that_is_wrong_is_named(tmp_path: Path, line: str, message: str) -> None:
    path = tmp_path / "wrong.obf"
    path.write_bytes(f"{FOUR}\n{line}\n".encode("utf-8", "surrogateescape"))
    with pytest.raises(pv.RecordError, match=rf"^wrong\.obf: {message}"):
        read_problems(path)


@pytest.mark.parametrize(("name", "text", "message"), [
    ("none.obf", "% nothing\n\n", "holds no problem; one is a line such as"),
    ("games.txt", "f5d6c3\n", "number 1 is a game, not a position; records.games reads those"),
    ("many.obf", f"{FOUR}\n" * (MAX_PROBLEMS + 1), "holds more than 10,000 problems; solve it in parts"),
])
def test_files_that_are_no_problem_files(tmp_path: Path, name: str, text: str, message: str) -> None:
    path = tmp_path / name
    path.write_text(text)
    with pytest.raises(pv.RecordError, match=f"^{name}:? {message}"):
        read_problems(path)


@pytest.mark.parametrize(("spec", "text", "value", "counted"), [
    ("othello-4", "XXXXXXXXXXXX--OO X", 10, 12),
    ("othello-4", "XXXXXXXXXXXX--OO O", -10, -12),
    ("othello-4", "XXXXXXXX----XXXX X", 12, 16),
    ("othello-4", "XXXXXXX--OOOOOOO X", 0, 0),
    ("othello-4", "XXXXXXXXXXXXXOOO X", 10, 10),
    ("anti-4", "XXXXXXXXXXXX--OO X", -10, -10),
])
def test_cells_that_stay_empty(spec: str, text: str, value: int, counted: int) -> None:
    assert as_problems_count(value, pv.game(spec).position(text)) == counted
