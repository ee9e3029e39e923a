"""`polyversi solve`: exact values of games, positions and problem files, and how it is interrupted."""

from __future__ import annotations

import random
import re
import signal
from pathlib import Path

import pytest

import polyversi as pv
from polyversi.engines.weights import SHIPPED
from tests.testing.command import forked
from tests.testing.marks import slow
from tests.testing.reference_search import plain_value
from tests.testing.terminal import PseudoTerminal, polyversi
from tests.testing.timeout import TIMEOUT
from tests.testing.weights import made

EARLY = "XXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXO-- X"
"""Black takes the last white stone, and nobody can play the cell that is left."""
LONG = "--------------OX----XO-------------- X"
"""The start of othello-6, which takes long enough to break it off."""


def problem_rows(output: str) -> list[list[str]]:
    """The words of each row of the table of problems."""
    return [line.split() for line in output.splitlines()[2:] if re.match(r"\S+ +\d+ ", line)]


@pytest.mark.parametrize(("spec", "sentence", "difference"), [
    ("othello-4", "white wins {1}–{0}, -8 for black", -8),
    ("othello-5", "black wins {0}–{1}, +13 for black", 13),
    ("anti:size=4", "black wins {0}–{1} (the fewest win), +3 for black", -3),
    ("anti:width=6,height=4", "a draw, {0}–{1}", 0),
    ("hex:side=3,start=ring,passing=free", "a draw, {0}–{1}", 0),
])
def test_a_whole_game_is_solved_from_its_start(spec: str, sentence: str, difference: int) -> None:
    done = polyversi("solve", spec)
    assert done.returncode == 0, done.stderr
    *board, score, line, work = done.stdout.splitlines()
    state = pv.game(spec).start()
    assert board == [state.game.spec, *str(state).splitlines()]
    for move in line.removeprefix("principal variation: ").split():
        state = state.play(move)
    assert state.is_over and state.scores[0] - state.scores[1] == difference
    assert score == sentence.format(*state.scores)
    assert re.fullmatch(r"[\d,]+ nodes in [\d.]+ s, [\d.]+ M a second", work)


@pytest.mark.parametrize(("spec", "sentence"), [
    ("othello-4", "white wins"), ("anti-4", "black wins"), ("anti:width=6,height=4", "a draw"),
])
def test_only_who_wins(spec: str, sentence: str) -> None:
    done = polyversi("solve", spec, "--winner", "--threads", "2", "--hash", "1")
    assert done.returncode == 0, done.stderr
    assert f"\n{sentence}\na line: " in done.stdout


@pytest.mark.parametrize(("arguments", "shown"), [
    (["-----OX--XO----- X"], "-8 for black"),
    (["-----OX--XO-----X"], "-8 for black"),
    ([".... .ox. .xo. .... black"], "-8 for black"),
    (["-----OX--XO----- X", "--variant", "anti-4"], "+3 for black"),
    (["--variant", "anti-4", "-----OX--XO----- X"], "+3 for black"),
    (["-----OX--XO----- X; b1:-8; a2:-8; % small"], "second\nexpected -8, agrees: yes\n"),
    (["-----OX--XO-----X;b1:-10"], "second\nexpected -10, agrees: yes*\n* if cells that stay empty"),
    (["-----OX--XO----- X; b1"], "M a second\n"),
    (["XO--XXXXXXXXXXXX O"], "black wins 15–0, -15 for white\nprincipal variation: pass c1"),
    (["XXXXXXXXOOOOOOOO X"], "draw\na draw, 8–8\n0 nodes"),
])
def test_a_position(arguments: list[str], shown: str) -> None:
    done = polyversi("solve", *arguments)
    assert done.returncode == 0, done.stderr
    assert shown in done.stdout


def test_a_problem_that_is_contradicted() -> None:
    done = polyversi("solve", "-----OX--XO----- X; b1:-6", "othello-4")
    assert done.returncode == 1 and not done.stderr
    assert "\nexpected -6, agrees: NO\nothello-4\n" in done.stdout


def test_other_weights_lead_to_the_same_value(tmp_path: Path) -> None:
    made("othello-5").save(tmp_path / "own.weights")
    done = polyversi("solve", "othello-5", "--weights", str(tmp_path / "own.weights"))
    assert done.returncode == 0, done.stderr
    assert "+13 for black" in done.stdout


@pytest.mark.parametrize("spec", ["anti-6", slow("othello"), slow("octagon"), slow("blackhole")])
def test_problems_have_the_values_of_plain_minimax(tmp_path: Path, spec: str) -> None:
    dice = random.Random(spec)
    lines: list[str] = []
    values: list[int] = []
    while len(lines) < 6:
        state = pv.game(spec).start()
        while not state.is_over and state.tiles.count(0) > 7:
            state = state.play(dice.choice(state.moves))
        if not state.is_over:
            values.append(plain_value(state, {}))
            scores = "; ".join(f"{move}:{-plain_value(state.play(move), {}):+}" for move in state.moves)
            lines.append(f"{state.text}; {scores}; % random-{len(lines)}\n")
    path = tmp_path / "random.obf"
    path.write_text("".join(lines))
    done = polyversi("solve", str(path), "--variant", spec)
    assert done.returncode == 0, done.stdout + done.stderr
    rows = problem_rows(done.stdout)
    assert [row[0] for row in rows] == [f"random-{number}" for number in range(6)]
    assert {tuple(row[1:2] + row[4:5]) for row in rows} == {("7", "yes")}
    assert [int(row[2]) for row in rows] == [int(row[3]) for row in rows] == values
    nodes = sum(int(row[6].replace(",", "")) for row in rows)
    assert f"6 problems: {nodes:,} nodes in " in done.stdout and done.stdout.endswith("; all values agree\n")
    assert polyversi("solve", str(path), "--variant", spec, "--winner").returncode == 0


def test_a_file_that_is_contradicted(tmp_path: Path) -> None:
    path = tmp_path / "wrong.obf"
    path.write_text("-----OX--XO----- X; b1:-8; a2:-8;\n"
                    "-----OX--XO----- X; b1:-6; % too good\n"
                    "-----OX--XO----- X; b1:-9; a2:-8; % not that move\n"
                    "-----OX--XO----- X\n"
                    "-----OX--XO----- X; b1; % no score\n")
    done = polyversi("solve", str(path))
    assert done.returncode == 1 and not done.stderr
    lines = done.stdout.splitlines()
    assert lines[0] == "wrong.obf" and lines[1].split()[0] == "problem"
    assert [re.findall(r"yes|NO", line) for line in lines[2:7]] == [["yes"], ["NO"], [], [], []]
    assert lines[3].startswith("too good") and lines[5].startswith("4 ")
    assert lines[4].split()[6:8] == ["move", "b1"]
    assert lines[7].endswith("; 1 of 3 values and 1 move contradict the file")
    won = polyversi("solve", str(path), "--winner")
    assert won.returncode == 0 and [row[2] for row in problem_rows(won.stdout)][:1] == ["loss"]
    assert won.stdout.endswith("; stated values that agree: all 3\n")


def test_a_move_that_is_contradicted_is_no_value_that_is(tmp_path: Path) -> None:
    path = tmp_path / "move.obf"
    path.write_text("-----OX--XO----- X; a2:-8; b1:-9;\n")
    done = polyversi("solve", str(path))
    assert done.returncode == 1 and done.stdout.endswith("; 1 move contradicts the file\n")
    done = polyversi("solve", "-----OX--XO----- X; a2:-8; b1:-9")
    assert done.returncode == 1 and done.stdout.endswith("\nexpected -8, agrees: move\n")


def test_the_filler_of_edax_says_nothing(tmp_path: Path) -> None:
    path = tmp_path / "edax.obf"
    path.write_text("-----OX--XO----- X; b1:-8; a2:-8; --:-127;\n-----OX--XO----- X; b1:-8; -- : -127\n")
    done = polyversi("solve", str(path))
    assert done.returncode == 0 and done.stdout.endswith("; all values agree\n")


def test_problems_of_othello_give_empty_cells_to_the_winner(tmp_path: Path) -> None:
    """Both moves lose by 46 stones, and after g7 two cells stay empty."""
    position = "-OOOOOO---OOXXX---XOOXXO--XOXXXO--XOXOOO-XXOOOOO--XXOO-O----XXX- X"
    path = tmp_path / "winner.obf"
    path.write_text(f"{position}; b2:-46; g7:-48;\n")
    done = polyversi("solve", str(path))
    assert done.returncode == 0, done.stdout
    assert [row[2:6] for row in problem_rows(done.stdout)] == [["-46", "-46", "yes", "b2"]]
    done = polyversi("solve", "XXXXXXXXOXXXXXXXO--OOXXXOOOOOXXX-OXXOOOX-OXOOOO-XXOOOXXXXXXOOOO- X; h8:+56")
    assert done.returncode == 0 and "\nblack wins 60–4, +56 for black\n" in done.stdout, done.stdout


def test_cells_that_stay_empty_may_count_for_the_winner(tmp_path: Path) -> None:
    path = tmp_path / "early.obf"
    path.write_text(f"{EARLY}; e6:+34;\n{EARLY}; e6:+36;\n{EARLY}; e6:+35;\n")
    done = polyversi("solve", str(path))
    assert done.returncode == 1
    assert [row[2:6] for row in problem_rows(done.stdout)] == [
        ["+35", "+34", "NO", "e6"], ["+35", "+36", "yes*", "e6"], ["+35", "+35", "yes", "e6"],
    ]
    assert "* if cells that stay empty count for the winner" in done.stdout


def test_several_things_one_after_the_other(tmp_path: Path) -> None:
    path = tmp_path / "both.obf"
    path.write_text("-----OX--XO----- X; b1:-8;\n-----OX------XO---------- X % five\n")
    done = polyversi("solve", "anti-4", str(path), "othello-4")
    assert done.returncode == 0, done.stderr
    order = "anti-4\n", "+3 for", "both.obf\n", "stated values that agree: all 1", "othello-4\n", "-8 for"
    places = [done.stdout.index(text) for text in order]
    assert places == sorted(places)


@pytest.mark.parametrize(("arguments", "message"), [
    (["chess"], "polyversi: 'chess' is not a position, moves or a file, and there is no variant 'chess'; "),
    (["reversi"], "polyversi: a game can be solved once its first stones are placed; play those first"),
    (["hex:side=6"], "polyversi: the engine does not support hex:side=6: "
                     "it searches games of two seats with straight lines, on boards of squares"),
    (["othello-4", "--weights", "nowhere.weights"], "polyversi: the weights in nowhere.weights cannot be"),
    (["othello-4", "--weights", str(SHIPPED / "anti.weights")], "weights of anti do not fit othello"),
    (["-----OX--XO----- X; b1:much"], "polyversi: 'much' is not a score; write answers as in 'f5:+2'"),
    (["-----OX--XO----- X; a1:-8"], "polyversi: a1 is not legal in this position"),
    (["othello-4", "rolit"], "polyversi: the engine does not support rolit: "),
    (["nowhere.obf"], "polyversi: nowhere.obf cannot be opened: No such file or directory"),
    (["no/where"], "polyversi: no/where cannot be opened: No such file or directory"),
    (["-----OX--XO-----"], "polyversi: the side to move is missing; write X or O after the cells"),
    (["-----OX--XO--- X"], "polyversi: the position has 14 cells, which fits no square board"),
    (["-----OX--XO----- X", "--variant", "othello"], "has 16 cells, but othello has 64"),
    (["-----OX--XO----- X", "--variant", "chess"], "there is no variant 'chess'"),
    (["hello there"], "polyversi: "),
    (["x" * 5000], "polyversi: "),
    (["a" * 5000], "polyversi: "),
    (["--nonsense"], "polyversi: there is no option --nonsense"),
    (["othello-4", "--threads", "0"], "--threads"),
    (["othello-4", "--hash", "much"], "--hash"),
    ([], "WHAT"),
])
def test_what_cannot_be_is_said_before_anything_is_solved(arguments: list[str], message: str) -> None:
    done = polyversi("solve", *arguments)
    assert done.returncode == 2
    assert message in done.stderr and not done.stdout
    assert "Traceback" not in done.stderr


def test_a_bad_line_is_named(tmp_path: Path) -> None:
    path = tmp_path / "bad.obf"
    path.write_text("-----OX--XO----- X\n\n-----OX--XO----- X; b1:much\n")
    done = polyversi("solve", str(path))
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "polyversi: bad.obf: line 3: 'much' is not a score; write answers as in 'f5:+2'\n"


def test_a_name_cannot_change_the_terminal(tmp_path: Path) -> None:
    path = tmp_path / "names.obf"
    path.write_text("-----OX--XO----- X % a\x1b[2Jb\n")
    done = polyversi("solve", str(path))
    assert "a?[2Jb" in done.stdout and "\x1b" not in done.stdout


def test_ctrl_c_ends_a_long_solve_at_once() -> None:
    with PseudoTerminal("solve", "othello-6", "--threads", "1") as terminal:
        terminal.expect("to move")
        terminal.expect_pattern(r"othello-6: [1-9][\d,]* nodes in [\d.]+ s, [\d.]+ M a second")
        terminal.type("\x03")
        terminal.expect("interrupted: othello-6")
        assert terminal.finish() == 130
        assert "Traceback" not in terminal.raw


def test_bounds_of_first_moves_can_be_watched() -> None:
    done = polyversi("solve", "othello-4", "anti-4", "--moves")
    assert done.returncode == 0, done.stderr
    assert "white wins by 8: every value is proved" in done.stdout
    assert ["b1", "-8", "-8", "-8", "a2", "d3", "c4"] in [line.split() for line in done.stdout.splitlines()]
    refused = polyversi("solve", "othello-4", "--moves", "--winner")
    assert refused.returncode == 2 and "--moves proves every value" in refused.stderr
    with PseudoTerminal("solve", "othello-6", "--moves", "--threads", "1", "--hash", "64") as terminal:
        terminal.expect_pattern(r"c2 +-36 +\+36")
        terminal.expect_pattern(r"[1-9][\d,]* nodes in [\d.]+ s")
        terminal.type("\x03")
        terminal.expect("not proved yet: between -36 and ")
        assert terminal.finish() == 130
        assert "Traceback" not in terminal.raw


def test_ctrl_c_keeps_what_is_solved(tmp_path: Path) -> None:
    path = tmp_path / "long.obf"
    path.write_text(f"-----OX--XO----- X; b1:-8; % small\n{LONG} % large\n")
    with PseudoTerminal("solve", str(path)) as terminal:
        assert "yes" in terminal.expect_pattern(r"small .*\n")
        terminal.expect_pattern(r"problem 2 of 2, 32 empty: [1-9][\d,]* nodes")
        terminal.type("\x03")
        terminal.expect("interrupted: problem 2 of 2")
        assert terminal.finish() == 130
        assert "Traceback" not in terminal.raw


def test_elsewhere_there_are_only_results(tmp_path: Path) -> None:
    path = tmp_path / "long.obf"
    path.write_text(f"-----OX--XO----- X; b1:-8; % small\n{LONG} % large\n")
    with forked("solve", str(path), "--threads", "2") as process:
        assert process.stdout is not None and process.stderr is not None
        rows = [process.stdout.readline() for _ in range(3)]
        process.send_signal(signal.SIGINT)
        assert process.wait(TIMEOUT) == 130
        assert rows[2].decode().split()[:5] == ["small", "12", "-8", "-8", "yes"]
        assert process.stdout.read() == b"interrupted: problem 2 of 2, 32 empty\n"
        assert process.stderr.read() == b""
