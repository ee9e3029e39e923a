"""NBoard: whole games, hints that go on while commands are obeyed, and whatever may come in."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

import polyversi as pv
from polyversi.engines import Solver
from polyversi.games.state import State
from polyversi.records import Record, ggf
from tests.testing.engine_process import Talk, after_a_pass, played

ENDLESS = "set depth 60"
"""Nobody waits for the end of what is asked for at this depth."""


@pytest.fixture
def talk() -> Iterator[Talk]:
    """A talk that has begun."""
    with Talk() as talk:
        talk.say("nboard 2", "ping 1")
        assert talk.until("pong") == ["set myname Polyversi", "pong 1"]
        yield talk


def game_of(state: State, moves: list[str]) -> str:
    """The game as `set game` takes it."""
    return ggf.write(Record(state.game.start(), tuple(map(state.game.move, moves))))


def moved(talk: Talk) -> str:
    """The move that `go` leads to."""
    talk.say("go")
    assert talk.hear() == "status Polyversi is thinking"
    *_, answer = talk.until("===")
    assert talk.hear() == "status Polyversi is waiting"
    found = re.fullmatch(r"=== ([A-H][1-8]|PA)/(-?[0-9]+\.[0-9]{2})?/[0-9]+\.[0-9]{2}", answer)
    assert found, answer
    return found[1]


@pytest.mark.slow
def test_a_whole_game_between_two_engines() -> None:
    state = pv.game("othello").start()
    with Talk() as black, Talk("--protocol", "nboard", "--level", "3") as white:
        for talk in black, white:
            talk.say("nboard 2", "set depth 4", f"set game {game_of(state, [])}", "ping 1")
            assert talk.until("pong 1") == ["set myname Polyversi", "set myname Polyversi4", "pong 1"]
        while not state.is_over:
            move = moved((black, white)[state.turn - 1])
            state = state.play(move)    # raises for a move that is not legal
            for talk in black, white:
                talk.say(f"move {move}/1.50/0.1")
        for talk in black, white:
            talk.say("go", "hint 1", "quit")
            status, out, err = talk.finish()
            assert (status, err) == (0, "")
            assert out.splitlines() == ["status Error: the game is over; there is no move"] * 2


def test_moves_after_a_game_with_passes(talk: Talk) -> None:
    moves, state = played("othello", lambda state: after_a_pass(state) and state.tiles.count(0) < 12)
    talk.say("set depth 3", f"set game {game_of(state, moves)}")
    talk.hear()
    assert moved(talk) == "PA"
    unwritten = re.sub(r"[BW]\[PA\]", "", game_of(state.play("pass"), [*moves, "pass"]))
    talk.say(f"set game {unwritten}")
    assert moved(talk) == "PA", "a pass at the end can only be told from a move after it"
    while not state.is_over:
        move = moved(talk)
        state = state.play(move)
        if move == "PA":    # it is left out, and told by the move of the same side after it
            move = str(state.moves[0])
            state = state.play(move)
        talk.say(f"move {move}")
    talk.say("go")
    assert talk.hear() == "status Error: the game is over; there is no move"


def test_ping_stops_a_hint(talk: Talk) -> None:
    talk.say(ENDLESS, "hint 2")
    talk.until("search")
    talk.say("ping 2", "ping 3")
    *_, waiting, pong = talk.until("pong 2")
    assert (waiting, pong) == ("status Polyversi is waiting", "pong 2")
    assert talk.hear() == "pong 3"


def test_ping_right_after_hint_stops_it(talk: Talk) -> None:
    talk.say(ENDLESS)
    for number in range(20):    # whether the search has begun by then or not
        talk.say("hint 1", f"ping {number}")
        talk.until(f"pong {number}")
        talk.say("go", f"ping {100 + number}")
        assert [line for line in talk.until(f"pong {100 + number}") if line.startswith("===")]


def test_other_commands_do_not_stop_a_hint(talk: Talk) -> None:
    talk.say(ENDLESS, "hint 1")
    talk.until("search")
    talk.say("learn", "set contempt -20", "what", "set depth 59", "ping 2")
    lines = [line for line in talk.until("pong 2") if not line.startswith(("search", "nodestats"))]
    known = "nboard, set, move, hint, go, ping, learn, analyze, quit"
    assert lines == [
        "learned", f"status Error: 'what' is not a command; the commands are {known}",
        "set myname Polyversi59", "status Polyversi is waiting", "pong 2",
    ]


def test_a_new_position_stops_the_search(talk: Talk) -> None:
    start = pv.game("othello").start()
    moves, state = played("othello", lambda state: state.tiles.count(0) == 50)
    changes = {"move f5": start.play("f5"), f"set game {game_of(state, moves)}": state, "hint 1": start}
    for command in ("go", "hint 1", "analyze"):
        for change, here in changes.items():
            talk.say(f"set game {game_of(start, [])}", ENDLESS, command, change, "set depth 2", "hint 1")
            lines = talk.until("status Polyversi is waiting")
            if change == "hint 1":
                lines += talk.until("status Polyversi is waiting")
            last = talk.until("status Polyversi is waiting")
            assert not [line for line in lines + last if "Error" in line]
            searched = [line.split()[1][:2].lower() for line in last if line.startswith("search")]
            assert searched and set(searched) <= set(map(str, here.moves))


def test_hint_count_and_exact_values(talk: Talk) -> None:
    moves, state = played("othello", lambda state: state.tiles.count(0) == 7 and len(state.moves) > 3)
    talk.say("set depth 4", f"set game {game_of(state, moves)}", "hint 3")
    lines = talk.until("status Polyversi is waiting")
    *_, first, second, third, stats, _ = lines
    assert re.fullmatch(r"nodestats [0-9]+ [0-9]+\.[0-9]{2}", stats)
    solver = Solver(state.game, megabytes=1)
    values = sorted((-solver.solve(state.play(move)).value for move in state.moves), reverse=True)
    for line, value in zip((first, second, third), values, strict=False):
        search, best, number, games, depth = line.split()
        assert (search, float(number), games, depth) == ("search", value, "0", "100%")
        after = state
        for at in range(0, len(best), 2):
            after = after.play(best[at : at + 2])
    assert len({line.split()[1][:2] for line in (first, second, third)}) == 3


def test_a_hint_at_a_pass(talk: Talk) -> None:
    moves, state = played("othello", after_a_pass)
    talk.say("set depth 4", f"set game {game_of(state, moves)}", "hint 2")
    searched = [line for line in talk.until("status Polyversi is waiting") if line.startswith("search")]
    assert searched and all(line.startswith("search PA") for line in searched)


def test_a_whole_game_is_analysed_from_its_end(talk: Talk) -> None:
    moves, state = played("othello-6", lambda state: state.play(state.moves[0]).is_over)
    moves.append(str(state.moves[0]))
    end = state.play(state.moves[0])
    talk.say("set depth 6", f"set game {game_of(end, moves)}", "analyze")
    lines = talk.until("status Polyversi is waiting")
    found = [line.split()[1:] for line in lines if line.startswith("analysis")]
    assert [int(number) for number, _ in found] == list(range(len(moves), -1, -1))
    for_black = end.scores[0] - end.scores[1]
    assert float(found[0][1]) == (for_black if state.turn == 2 else -for_black), "for the seat after the last"
    solver, at = Solver(end.game, megabytes=1), end.game.start()
    for number, move in enumerate(moves):
        if at.tiles.count(0) <= 6:
            assert float(found[len(moves) - number][1]) == solver.solve(at).value
        at = at.play(move)


UNHEEDED = [
    ("move a1", "a1 is not legal"),
    ("move", "'' is not a cell"),
    ("move f5f5", "'f5f5' is not a cell"),
    ("move PA", "pass"),
    ("set game", "a game stands between '(;' and ';)'"),
    ("set game (;GM[Othello]BO[8 xyz];)", "BO must have 64 cells"),
    ("set game (;GM[Chess];)", "not of Othello"),
    ("set game (;GM[Othello]TY[10];)", "the engine does not support othello-10"),
    ("set game (;GM[Othello]TY[8]B[a1];)", "move 1:"),
    ("set depth", "'' is not a number"),
    ("set depth 0", "the depth must be at least 1"),
    ("set depth -3", "'-3' is not a number"),
    ("set depth 9999999999", "is not a number"),
    ("set depth ٣", "is not a number"),
    ("set contempt much", "'much' is not a number"),
    ("set fire", "'fire' cannot be set"),
    ("set", "'' cannot be set"),
    ("hint all", "'all' is not a number"),
    ("ping", "'' is not a number"),
    ("nboard two", "'two' is not a number"),
    ("\x00\x07", "'\\x00\\x07' is not a command"),
    ("x" * 1000, "x…' is not a command"),
]
"""Commands that cannot be obeyed, with what is said about them."""


def test_errors_are_reported_and_the_session_continues(talk: Talk) -> None:
    for number, (command, error) in enumerate(UNHEEDED):
        talk.say(f"set game {game_of(pv.game('othello').start(), [])}", command, f"ping {number}")
        answer, pong = talk.until("pong")
        assert answer.startswith("status Error: ") and error in answer, command
        assert pong == f"pong {number}"


def test_no_analysis_after_an_unreadable_game(talk: Talk) -> None:
    talk.say("set game (;GM[Othello]TY[12];)", "go", "hint 1", "move f5", "analyze", "ping 2")
    lines = talk.until("pong 2")
    assert lines[1:-1] == ["status Error: there is no position; the last game could not be read"] * 4
    talk.say(f"set game {game_of(pv.game('othello').start(), [])}", "set depth 1", "ping 3")
    talk.until("pong 3")
    assert moved(talk) in {"D3", "C4", "F5", "E6"}


def test_garbage_is_survived(talk: Talk) -> None:
    talk.send(b"y" * 3_000_000 + b"\n")
    talk.send(bytes(range(256)) + b"\r\n\n\n \n")
    talk.say("ping 2")
    long, *_, pong = talk.until("pong 2")
    assert long == "status Error: a command has at most 65536 bytes"
    assert pong == "pong 2"


@pytest.mark.parametrize("spec", ["othello-6", "anti"])
def test_other_games_of_ggf(talk: Talk, spec: str) -> None:
    moves, state = played(spec, lambda state: len(moves_of(state)) > 2 and state.tiles.count(0) < 14)
    talk.say("set depth 3", f"set game {game_of(state, moves)}", "ping 2")
    talk.until("pong 2")
    assert moved(talk).lower() in moves_of(state)


def moves_of(state: State) -> list[str]:
    """The legal moves by name."""
    return [] if state.must_pass else list(map(str, state.moves))


def test_the_example_of_the_protocol(talk: Talk) -> None:
    talk.say(
        "set game (;GM[Othello]PC[NBoard]DT[2014-02-21 20:52:27 GMT]PB[./mEdax]PW[chris]RE[?]TI[15:00]TY[8]"
        "BO[8 ---------------------------O*------*O--------------------------- *]"
        "B[F5]W[F6]B[D3]W[C5]B[E6]W[F7]B[E7]W[F4];)", "set depth 6", "ping 1", "go",
    )
    lines = talk.until("===")
    assert lines[:3] == ["set myname Polyversi6", "pong 1", "status Polyversi is thinking"]
    state = pv.game("othello").start()
    for move in ("f5", "f6", "d3", "c5", "e6", "f7", "e7", "f4"):
        state = state.play(move)
    assert lines[-1].split()[1].split("/")[0].lower() in map(str, state.moves)
