"""GTP: whole games, answers in their turn, clocks, and whatever may come in."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from queue import SimpleQueue

import pytest

import polyversi as pv
from polyversi.engines import Engine
from polyversi.games.limit import NO_LIMIT, Limit
from polyversi.protocols.gtp.clock import Clock
from polyversi.protocols.gtp.engine import GtpEngine
from polyversi.protocols.session import Event, Settings
from tests.testing.engine_process import Talk, after_a_pass, played
from tests.testing.weights import made

COLOURS = ("black", "white")


@pytest.fixture
def talk() -> Iterator[Talk]:
    """A talk that has begun."""
    with Talk("--level", "4") as talk:
        assert talk.ask("protocol_version") == "= 2"
        yield talk


@pytest.mark.slow
def test_a_whole_game_between_two_engines() -> None:
    state = pv.game("othello-6").start()
    with Talk("--level", "6") as black, Talk("--protocol", "gtp", "--level", "2") as white:
        for talk in black, white:
            assert [talk.ask("boardsize 6"), talk.ask("clear_board"), talk.ask("komi 6.5")] == ["= "] * 3
        while not state.is_over:
            mover, other = (black, white) if state.turn == 1 else (white, black)
            colour = COLOURS[state.turn - 1]
            move = mover.ask(f"genmove {colour}").removeprefix("= ")
            state = state.play(move)    # raises for a move that is not legal
            assert other.ask(f"play {colour} {move}") == "= "
        first, second = state.scores
        score = "0" if first == second else f"B+{first - second}" if first > second else f"W+{second - first}"
        for talk in black, white:
            assert talk.ask("final_score") == f"= {score}"
            assert talk.ask("genmove b") == "= pass"
            assert talk.ask("play w pass") == "= "
            assert talk.ask("genmove b") == "= pass"
            assert talk.ask("play w a1") == "? illegal move"
            assert talk.ask("quit") == "= "
            assert talk.finish() == (0, "", "")


def test_commands_during_a_search_are_answered_in_order(talk: Talk) -> None:
    talk.say("time_settings 1 0 0", "level 20", "1 genmove b", "2 name", "3 undo", "4 undo", "5 play b f5")
    assert [talk.answer() for _ in range(2)] == ["= ", "= "]
    assert talk.answer() in ("=1 d3", "=1 c4", "=1 f5", "=1 e6")
    assert [talk.answer() for _ in range(4)] == ["=2 Polyversi", "=3 ", "?4 cannot undo", "=5 "]


def test_passes_are_optional_and_undone_with_their_move(talk: Talk) -> None:
    moves, state = played("othello", after_a_pass)
    at = pv.game("othello").start()
    for move in moves:
        assert talk.ask(f"play {COLOURS[at.turn - 1]} {move}") == "= "
        at = at.play(move)
    forced, free = COLOURS[state.turn - 1], COLOURS[2 - state.turn]
    after = state.play("pass")
    board = talk.ask("showboard")
    assert talk.ask(f"play {forced} {after.moves[0]}") == "? illegal move"
    assert talk.ask(f"play {free} pass") == "? illegal move"
    assert talk.ask(f"play {free} {after.moves[0]}") == "= ", "the pass before it is left out"
    assert talk.ask("undo") == "= "
    assert talk.ask("showboard") == board
    assert talk.ask(f"reg_genmove {free}")[2:] in map(str, after.moves)
    assert talk.ask(f"genmove {free}")[2:] in map(str, after.moves)
    assert talk.ask("undo") == "= "
    assert talk.ask("showboard") == board
    assert talk.ask(f"genmove {forced}") == "= pass"
    assert talk.ask(f"play {free} {after.moves[0]}") == "= "
    assert [talk.ask("undo"), talk.ask("undo")] == ["= ", "= "]
    assert talk.ask("showboard") == board
    assert talk.ask(f"play {forced} PASS") == "= "
    assert talk.ask(f"genmove {forced}") == "? wrong color"


@pytest.mark.parametrize("size", range(4, 9))
def test_board_sizes(talk: Talk, size: int) -> None:
    assert talk.ask(f"boardsize {size}") == "= "
    start = pv.game(f"othello:size={size}").start()
    assert talk.ask("showboard") == "= \n" + str(start).replace("·", ".")
    assert talk.ask("genmove B")[2:] in map(str, start.moves)


def test_every_command_is_known(talk: Talk) -> None:
    names = talk.ask("list_commands")[2:].splitlines()
    for name in names:
        assert talk.ask(f"known_command {name}") == "= true"
    required = "name version known_command list_commands quit boardsize clear_board komi play genmove"
    assert set(required.split()) <= set(names)
    assert talk.ask("known_command loadsgf") == "= false"
    assert talk.ask("version") == f"= {pv.__version__}"
    assert [talk.ask("list_games"), talk.ask("set_game Othello")] == ["= Othello", "= "]


def test_errors_have_the_words_of_the_protocol(talk: Talk) -> None:
    for command, answer in [
        ("hello", "? unknown command"),
        ("12 hello", "?12 unknown command"),
        ("12", "?12 unknown command"),
        ("99999999999 name", "? unknown command"),
        ("-1 name", "? unknown command"),
        ("name name", "? syntax error"),
        ("boardsize", "? syntax error"),
        ("boardsize six", "? syntax error"),
        ("boardsize ٦", "? syntax error"),
        ("7 boardsize 9", "?7 unacceptable size"),
        ("boardsize 3", "? unacceptable size"),
        ("boardsize 99999999999999999999", "? syntax error"),
        ("komi lots", "? syntax error"),
        ("play black", "? syntax error"),
        ("play red f5", "? syntax error"),
        ("play black f55", "? syntax error"),
        ("play black a1", "? illegal move"),
        ("play white f4", "? illegal move"),
        ("play black pass", "? illegal move"),
        ("genmove", "? syntax error"),
        ("genmove purple", "? syntax error"),
        ("genmove white", "? wrong color"),
        ("undo", "? cannot undo"),
        ("final_score", "? cannot score"),
        ("time_settings 1 2", "? syntax error"),
        ("time_settings -1 0 0", "? syntax error"),
        ("time_settings nan 0 0", "? syntax error"),
        ("time_left black 1e9 0", "? syntax error"),
        ("set_game Chess", "? unsupported game"),
        ("level 0", "? levels are 1 to 20"),
        ("level 21", "? levels are 1 to 20"),
    ]:
        assert talk.ask(command) == answer, command
    assert talk.ask("play black f5") == "= ", "nothing of this has changed the position"


def test_comments_control_characters_and_empty_lines(talk: Talk) -> None:
    talk.send(b"# a comment\r\n\n  \t\n\x07\n1\tna\x00me # who?\r\n  2   version  \r\n")
    assert [talk.answer(), talk.answer()] == ["=1 Polyversi", f"=2 {pv.__version__}"]


def test_garbage_is_survived(talk: Talk) -> None:
    talk.send(b"z" * 3_000_000 + b"\n")
    assert talk.answer() == "? a command has at most 65536 bytes"
    talk.send(bytes(set(range(256)) - {10, 35}) + b"\n")
    assert talk.answer() == "? unknown command"
    assert talk.ask("name") == "= Polyversi"


def test_a_flood_is_answered_in_order(talk: Talk) -> None:
    talk.say("genmove b")
    out, err = talk.process.communicate("".join(f"{number} name\n" for number in range(5000)).encode())
    answers = out.decode().split("\n\n")
    assert answers[0].startswith("= ") and err == b"" and talk.process.returncode == 0
    assert answers[1:-1] == [f"={number} Polyversi" for number in range(5000)]


@dataclass(frozen=True)
class Noted(Settings):
    """Settings that remember for which games an engine was made."""

    games: list[str] = field(default_factory=list)

    def engine(self, game: pv.Game) -> Engine:
        self.games.append(game.spec)
        return super().engine(game)


def test_engines_are_created_before_a_clock_runs() -> None:
    settings, events = Noted(level=2, megabytes=1), SimpleQueue[Event]()
    session = GtpEngine(lambda text: None, settings, events.put)
    assert settings.games == ["othello"]
    for command, games in (
        ("time_settings 0 0.1 1", []), ("genmove b", []), ("boardsize 8", []), ("genmove b", []),
        ("boardsize 6", ["othello-6"]), ("clear_board", []), ("genmove b", []),
        ("level 3", ["othello-6"]), ("genmove w", []), ("undo", []), ("genmove w", []),
    ):
        settings.games.clear()
        session.handle(command)
        while session.is_searching:
            events.get()()
        assert settings.games == games, command


def test_weights_fit_boards_of_their_game_only(tmp_path: Path) -> None:
    made("othello-6").save(tmp_path / "own.weights")
    with Talk("--weights", str(tmp_path / "own.weights"), "--level", "2") as talk:
        assert talk.ask("genmove b") == "? weights of othello-6 do not fit othello"
        assert talk.ask("level 4") == "= "
        assert talk.ask("boardsize 6") == "= "
        move = talk.ask("genmove b")[2:]
        assert move in map(str, pv.game("othello-6").start().moves)
        assert talk.ask("boardsize 5") == "? weights of othello-6 do not fit othello-5"
        assert talk.ask("undo") == "= ", "the game on the board goes on"
        assert talk.ask("genmove b")[2:] == move


def test_moves_keep_the_time(talk: Talk) -> None:
    """Without a limit the strongest level would take far longer for a game than the deadline of the talk."""
    talk.say("level 20", "time_settings 0 1 10", "boardsize 8")
    state = pv.game("othello").start()
    assert [talk.answer() for _ in range(3)] == ["= "] * 3
    for _ in range(8):
        assert talk.ask(f"time_left {COLOURS[state.turn - 1]} 1 10") == "= "
        state = state.play(talk.ask(f"genmove {COLOURS[state.turn - 1]}")[2:])


def test_clocks() -> None:
    assert Clock(0, 0, 0).limit == Clock(10, 5, 0).limit == NO_LIMIT
    sudden = Clock(60, 0, 0)
    assert sudden.limit == Limit(bank=60)
    sudden.spend(61)
    assert sudden.limit == Limit(bank=0), "too late, but it still has to move"
    each = Clock(0, 5, 1)
    assert each.limit == Limit(seconds=5)
    each.spend(4)
    assert each.limit == Limit(seconds=5)
    periods = Clock(10, 20, 4)
    assert periods.limit == Limit(bank=15, increment=5)
    periods.spend(12)
    assert periods.limit == Limit(seconds=6)
    for _ in range(3):
        periods.spend(1)
    assert periods.limit == Limit(seconds=5), "the next period"
    periods.set_left(30, 3)
    assert periods.limit == Limit(seconds=10)
    uncounted = Clock()
    uncounted.set_left(7, 0)
    assert uncounted.limit == Limit(bank=7)
