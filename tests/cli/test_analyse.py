"""`polyversi analyse`: positions and games, for people and for programs, and how it is interrupted."""

from __future__ import annotations

import json
import random
import re
import signal
from pathlib import Path

import pytest

import polyversi as pv
from polyversi import records
from polyversi.engines import Solver, review
from polyversi.engines.weights import SHIPPED
from polyversi.records import Record
from tests.testing.command import forked
from tests.testing.terminal import ESCAPES, PseudoTerminal, polyversi
from tests.testing.timeout import TIMEOUT
from tests.testing.weights import made

GAME = "c4b4a1b1a4d4d2d3d1a3c1a2"
"""A game of othello-4 in which white has to pass."""


def rows(output: str, heading: str) -> list[list[str]]:
    """The words of the rows of a table, by the first word of its heading."""
    lines = output.splitlines()
    [begin] = [number for number, line in enumerate(lines) if line.split()[:1] == [heading]]
    return [line.split() for line in lines[begin + 1 :]]


@pytest.mark.parametrize("arguments", [
    ["othello-4"],
    ["-----OX--XO----- X"],
    [".... .ox. .xo. .... black"],
    ["-----OX--XO----- X; b1:-10; % small"],
    ["-----OX--XO----- X", "--threads", "2", "--hash", "1"],
])
def test_a_position(arguments: list[str]) -> None:
    done = polyversi("analyse", *arguments)
    assert done.returncode == 0 and not done.stderr
    lines, state = done.stdout.splitlines(), pv.game("othello-4").start()
    assert lines[:9] == ["othello-4", *str(state).splitlines(), lines[8]]
    assert {tuple(row[:4]) for row in rows(done.stdout, "move")[:-1]} == {
        (str(move), "-8", "12", "exact") for move in state.moves}
    assert re.fullmatch(r"[\d,]+ nodes in [\d.]+ s, [\d.]+ M a second", lines[-1])


@pytest.mark.parametrize(("arguments", "spec", "played"), [
    (["f5d6c3", "--limit", "depth=3"], "othello", "f5 d6 c3"),
    (["1. F5 d6 2. c3", "--limit", "depth=3"], "othello", "f5 d6 c3"),
    (["b1a1", "--variant", "anti-4"], "anti-4", "b1 a1"),
    (["--a1", "--variant", "hex:side=3", "--limit", "depth=2"], "hex:side=3", "pass a1"),
])
def test_moves_lead_to_a_position(arguments: list[str], spec: str, played: str) -> None:
    state = pv.game(spec).start()
    for move in played.split():
        state = state.play(move)
    done = polyversi("analyse", *arguments)
    assert done.returncode == 0, done.stderr
    assert str(state) in done.stdout
    table, _, caption = done.stdout.partition("selectivity 73 %: ")
    shown = {row[0] for row in rows(table, "move") if "nodes" not in row}
    assert shown == set(map(str, state.moves))
    assert not caption or "which is right about 73 times in 100" in " ".join(caption.split())


def test_a_finished_game_is_analysed_move_by_move() -> None:
    done = polyversi("analyse", GAME, "--variant", "othello-4")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("othello-4, 13 moves, 13–3\n")
    plies = [row for row in rows(done.stdout, "ply") if row and row[0].isdigit()][:13]
    assert [row[2] for row in plies] == [*re.findall("..", GAME)[:11], "pass", "a2"]
    assert plies[1][:11] == ["2", "white", "b4", "??", "↻", "-8", "+8", "16", "11", "exact", "d4"]
    state = pv.game("othello-4").start().play("c4")
    for move in plies[1][10:]:    # the better line leads to what it is said to be worth
        state = state.play(move)
    assert state.is_over and state.scores[0] - state.scores[1] == -8
    assert plies[11] == ["12", "white", "pass", "+10", "+10", "1", "exact"]
    assert "values are stones for black; ?! costs 3 stones or more, ? 6, ?? 12" in done.stdout
    assert "        0 ─???─────────" in done.stdout
    assert rows(done.stdout, "seat")[:2] == [
        ["black", "6", "12", "2.00", "79.4", "%", "0", "1", "0"],
        ["white", "3", "30", "10.00", "31.5", "%", "0", "0", "2"]]


def test_games_and_positions_of_files(tmp_path: Path) -> None:
    game = pv.game("othello-4")
    whole = Record.of("othello-4", GAME)
    named = Record(whole.start, whole.moves, players=("Ann", "B\x1bb"))
    short = Record(game.start(), (game.move("b1"),))
    games = tmp_path / "games.jsonl"
    records.write([named, short, Record(game.start())], games)
    done = polyversi("analyse", str(games))
    assert done.returncode == 0, done.stderr
    headings = [line for line in done.stdout.splitlines() if line.startswith("games.jsonl")]
    assert headings == [
        "games.jsonl, 1 of 3: othello-4, Ann (black) – B?b (white), 13 moves, 13–3",
        "games.jsonl, 2 of 3: othello-4, 1 move, 4–1",
        "games.jsonl, 3 of 3",
    ]
    assert "white  B?b" in done.stdout and "\x1b" not in done.stdout
    first = polyversi("analyse", str(games), "--games", "1")
    assert first.stdout.splitlines()[0] == headings[0].replace(", 1 of 3", "")
    problems = tmp_path / "two.obf"
    problems.write_text("-----OX--XO----- X; b1:-8; % four\nXXXXXXXXOOOOOOOO X\n")
    done = polyversi("analyse", str(problems), "--variant", "anti-4")
    assert done.returncode == 0, done.stderr
    assert "two.obf, 1 of 2: four\n" in done.stdout and done.stdout.endswith("draw\n")


@pytest.mark.parametrize("name", ["game.txt", "game.ggf", "game.wtb"])
def test_every_format_of_games(tmp_path: Path, name: str) -> None:
    state, moves = pv.game("othello").start(), []
    while not state.is_over:
        moves.append(state.moves[0])
        state = state.play(moves[-1])
    path = tmp_path / name
    records.write([Record(pv.game("othello").start(), tuple(moves), players=("Ann", "Bob"))], path)
    done = polyversi("analyse", str(path), "--limit", "depth=1", "--json")
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert [one["played"]["move"] for one in told["moves"]] == [str(move) for move in moves[: told["plies"]]]
    assert told["plies"] == len(told["moves"]) >= len(moves) - 2


def test_for_programs() -> None:
    done = polyversi("analyse", "othello-4", GAME, "XXXXXXXXOOOOOOOO X", "--variant", "othello-4", "--json")
    assert done.returncode == 0 and not done.stderr
    position, game, over = map(json.loads, done.stdout.splitlines())
    assert position["game"] == "othello-4" and position["position"] == "-----OX--XO----- X"
    assert [(one["move"], one["value"], one["exact"], one["trust"]) for one in position["moves"]] == [
        (move, -8, True, 100) for move in ("b1", "a2", "d3", "c4")]
    assert all(one["line"] == one["principal_variation"] and one["trust"] == one["selectivity"]
               and one["line"][0] == one["move"] for one in position["moves"])
    solver = Solver(pv.game("othello-4"), megabytes=1)
    states = list(Record.of("othello-4", GAME).states())
    for one, state in zip(game["moves"], states, strict=False):
        assert one["best"]["value"] == solver.solve(state).value == one["played"]["value"] + one["loss"]
    assert [one["judgement"] for one in game["moves"][:4]] == [None, "blunder", "mistake", "blunder"]
    assert game["seats"][1] == {
        "seat": 2, "choices": 3, "loss": 30, "mean_loss": 10.0, "accuracy": 31.5, "inaccuracy": 0,
        "mistake": 0, "blunder": 2}
    assert [one["ply"] for one in game["moves"] if one["turning_point"]] == [2, 3, 4]
    assert (game["start"], game["plies"], game["players"]) == ("-----OX--XO----- X", 13, [])
    assert over["moves"] == [] and over["nodes"] == 0


def test_why_moves_are_bad() -> None:
    done = polyversi("analyse", GAME, "--variant", "othello-4", "--why")
    words = " ".join(done.stdout.split())
    assert "2 b4 ??: After b4 the corner a1 can be taken at once; after d4 it cannot." in words
    assert "↻ the move changed who is expected to win: ply 2, 3, 4" in words
    done = polyversi("analyse", "b1c1", "--variant", "othello-4", "--why")
    assert "d2: d1 takes a corner: no stone on it can ever be turned." in " ".join(done.stdout.split())
    [game] = map(json.loads, polyversi(
        "analyse", GAME, "--variant", "othello-4", "--why", "--json").stdout.splitlines())
    assert len(game["moves"][1]["why"]) > 1 and game["moves"][0]["why"] == []


def test_games_of_many_seats_and_xt(tmp_path: Path) -> None:
    dice, games = random.Random(1), []
    for spec in ("rolit", "xt:arena,players=2"):
        state = start = pv.game(spec).start()
        moves = []
        while not state.is_over:
            moves.append(dice.choice(state.moves))
            state = state.play(moves[-1])
        games.append(Record(start, tuple(moves)))
    path = tmp_path / "games.jsonl"
    records.write(games, path)
    done = polyversi("analyse", str(path), "--limit", "depth=1")
    assert done.returncode == 0, done.stderr
    assert "values are rank points of the seat that moved; ?! costs 1 point or more, ? 2, ?? 4" in done.stdout
    assert done.stdout.count("accuracy") == 2
    done = polyversi("analyse", str(path), "--limit", "depth=1", "--json")
    data = [*map(json.loads, done.stdout.splitlines())]
    for record, found in zip(games, data, strict=True):
        expected = review(record, pv.Limit(depth=1))
        assert found["unit"] == "points" and len(found["moves"]) == len(record.moves)
        assert [one["played"]["points"] for one in found["moves"]] == [
            list(reviewed.played.points or ()) for reviewed in expected.moves]
        assert [seat["accuracy"] for seat in found["seats"]] == [
            round(total.accuracy, 2) for total in expected.totals]
    done = polyversi("analyse", "rolit", "--limit", "depth=2")
    assert done.returncode == 0 and "seat 4" in done.stdout and "estimate" in done.stdout


def test_other_weights_give_other_values(tmp_path: Path) -> None:
    made("othello-6").save(tmp_path / "own.weights")
    command = ("analyse", "othello-6", "--limit", "depth=1", "--json")
    default, own = polyversi(*command), polyversi(*command, "--weights", str(tmp_path / "own.weights"))
    assert own.returncode == 0, own.stderr
    first, second = (
        {one["move"]: one["value"] for one in json.loads(done.stdout)["moves"]} for done in (default, own))
    assert first.keys() == second.keys() and first != second


@pytest.mark.parametrize(("arguments", "message"), [
    (["chess"], "polyversi: 'chess' is not a position, moves or a file, and there is no variant 'chess'; "),
    (["anti-10"], "polyversi: nothing can judge anti-10: where the fewest stones win, there are values for"),
    (["rolit", "--weights", "any.weights"], "polyversi: weights from training are for games of two seats"),
    (["othello", "--weights", "nowhere.weights"], "polyversi: the weights in nowhere.weights cannot be read"),
    (["othello-4", "othello-6", "--weights", str(SHIPPED / "othello-6.weights")],
     "polyversi: weights of othello-6 do not fit othello-4"),
    (["othello-4", "xt:arena,goal=fewest"], "polyversi: nothing can judge xt:arena,goal=fewest"),
    (["nowhere.ggf"], "polyversi: nowhere.ggf cannot be opened: No such file or directory"),
    (["no/where"], "polyversi: no/where cannot be opened: No such file or directory"),
    (["f5f5"], "polyversi: move 2: f5 is not legal"),
    (["f5zz"], "polyversi: 'zz' (character 3) does not begin with a move"),
    (["-----OX--XO-----"], "polyversi: the side to move is missing; write X or O after the cells"),
    (["-----OX--XO--- X"], "polyversi: the position has 14 cells, which fits no square board"),
    (["-----OX--XO----- X", "--variant", "othello"], "has 16 cells, but othello has 64"),
    (["f5", "--variant", "chess"], "there is no variant 'chess'"),
    (["othello", "--limit", "soon"], "polyversi: 'soon' is not a limit"),
    (["othello", "--limit", "bank=60"], "polyversi: an analysis has no bank"),
    (["hello there"], "polyversi: "),
    (["x" * 5000], "polyversi: "),
    (["a" * 5000], "polyversi: "),
    (["a\nb"], "polyversi: "),
    (["--nonsense"], "polyversi: there is no option --nonsense"),
    (["othello-4", "--threads", "0"], "--threads"),
    (["othello-4", "--games", "0"], "--games"),
    ([], "WHAT"),
])
def test_what_cannot_be_is_said_before_anything_is_analysed(arguments: list[str], message: str) -> None:
    done = polyversi("analyse", *arguments)
    assert done.returncode == 2
    assert message in done.stderr and not done.stdout
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(("name", "text", "message"), [
    ("bad.txt", "f5d6\nf5f5\n", "bad.txt: line 2: move 2: f5 is not legal"),
    ("bad.obf", "-----OX--XO----- X\n--- X\n", "bad.obf: line 2: "),
    ("empty.jsonl", "", "empty.jsonl"),
    ("none.obf", "% nothing\n", "none.obf holds no games and no positions"),
])
def test_a_bad_file_is_named(tmp_path: Path, name: str, text: str, message: str) -> None:
    path = tmp_path / name
    path.write_text(text)
    done = polyversi("analyse", str(path))
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("polyversi: ") and message in done.stderr and "Traceback" not in done.stderr


def test_ctrl_c_leaves_the_last_table() -> None:
    with PseudoTerminal("analyse", "othello", "anti", "--limit", "none", "--threads", "1") as terminal:
        terminal.expect("to move")
        terminal.expect_pattern(r"f5 +\S+ +\d+ +\d+ %  f5 ")
        terminal.type("\x03")
        assert terminal.finish() == 0
        last = ESCAPES.sub("", terminal.raw[terminal.raw.rindex("principal variation") :])
        assert re.search(r"f5 +\S+ +\d+ +\d+ %  f5 ", last) and re.search(r"[\d,]+ nodes in [\d.]+ s, ", last)
        assert "Traceback" not in terminal.raw and "anti" not in terminal.raw


def test_ctrl_c_shows_what_is_known_of_a_game(tmp_path: Path) -> None:
    state, moves = pv.game("othello").start(), []
    while not state.is_over:
        moves.append(state.moves[-1])
        state = state.play(moves[-1])
    path = tmp_path / "game.jsonl"
    records.write([Record(pv.game("othello").start(), tuple(moves))], path)
    with PseudoTerminal("analyse", str(path), "--limit", "none", "--threads", "1") as terminal:
        terminal.expect_pattern(rf"(?:[3-9]|\d\d) of {len(moves)} moves analysed: [\d,]+ nodes")
        terminal.type("\x03")
        terminal.expect("before")
        terminal.expect_pattern(rf"\n *{len(moves)} +\S+ +{moves[-1]} ")
        terminal.expect("values are stones for black")
        terminal.expect("mean loss")
        terminal.expect_pattern(rf"interrupted: \d+ of {len(moves)} moves analysed")
        assert terminal.finish() == 0
        assert "Traceback" not in terminal.raw


def test_ctrl_c_at_once_is_told_from_a_result() -> None:
    with forked("analyse", "othello", "--limit", "none") as process:
        assert process.stdout is not None and process.stderr is not None
        assert process.stdout.readline() == b"othello\n"
        process.send_signal(signal.SIGINT)
        status = process.wait(TIMEOUT)
        assert (b"interrupted: othello" in process.stdout.read(), status) in {(True, 130), (False, 0)}
        assert process.stderr.read() == b""


def test_elsewhere_there_is_only_the_last_table() -> None:
    with forked("analyse", "othello-4", "othello", "--limit", "none") as process:
        assert process.stdout is not None and process.stderr is not None
        first = ""
        while "white 2\n" not in first.partition("othello\n")[2]:    # the board of the second
            first += process.stdout.readline().decode()
        process.send_signal(signal.SIGINT)
        assert process.wait(TIMEOUT) == 0
        rest = first + process.stdout.read().decode()
        assert rest.count("move  value") <= 2 and "\x1b" not in rest
        assert process.stderr.read() == b""
