"""`polyversi play` as people meet it: typed in a terminal, read from a pipe, or left to itself."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

import polyversi as pv
from polyversi.records import Record, read
from tests.testing.command import run_to_end
from tests.testing.terminal import ESCAPES, PseudoTerminal, polyversi

QUESTION = "or ? for help: "


def test_a_conversation_from_a_pipe(tmp_path: Path) -> None:
    file = tmp_path / "game.jsonl"
    lines = ["a1", "hnt", "hint", "moves", "?", "f5", "undo", "D3", "save", "save game.xyz", f"save {file}",
             "resign", "n"]
    done = polyversi("play", "random", "--seed", "1", typed="\n".join(lines) + "\n")
    assert done.returncode == 0, done.stderr
    answers = dict(zip(lines, done.stdout.split(QUESTION)[1:], strict=False))
    assert "a1 is not legal: it captures nothing; legal: d3 c4 f5 e6" in answers["a1"]
    assert "'hnt' is not a cell" in answers["hnt"] and "did you mean 'hint'?" in answers["hnt"]
    assert re.search(r"hint: (d3|c4|f5|e6) \(expects [+-]\d+ stones?\)", answers["hint"])
    assert "\nd3 c4 f5 e6\n" in answers["moves"]
    assert "takes your last move back" in answers["?"] and "save FILE" in answers["?"]
    assert "black plays f5, turns e5\n" in answers["f5"] and "white plays" in answers["f5"]
    assert "black plays d3, turns d4\n" in answers["D3"]
    assert "name a file" in answers["save"]
    assert "name the file .jsonl, .ggf or .txt" in answers["save game.xyz"]
    assert "\nwhite wins: black has resigned\n" in answers["resign"]
    assert "\x1b" not in done.stdout
    (record,) = read(file)
    assert isinstance(record, Record)
    assert str(record.moves[0]) == "d3"
    assert record.players == ("human", "random")


def test_undo_says_when_there_is_nothing_to_take_back() -> None:
    done = polyversi("play", "random", typed="undo\nquit\n")
    assert "There is no move of yours to take back.\n" in done.stdout
    assert done.stdout.endswith("Good-bye.\n")


def test_input_that_ends_ends_the_game() -> None:
    done = polyversi("play", "--seat", "1", typed="f5\n")
    assert done.returncode == 0
    assert done.stdout.startswith("othello · black: you · white: polyversi:level=5\n")
    assert done.stdout.endswith("Good-bye.\n")


def test_moves_from_a_file(tmp_path: Path) -> None:
    file = tmp_path / "moves.txt"
    file.write_text("f5\nresign\n")
    with file.open() as stream:
        done = run_to_end("play", stdin=stream)
    assert "white wins: black has resigned" in done.stdout


@pytest.mark.parametrize("variant", ["othello", "hex", "rolit", "anti", "xt:arena,players=2"])
def test_without_anybody_players_show_a_game(variant: str) -> None:
    done = polyversi("play", "--variant", variant)
    assert done.returncode == 0, done.stderr
    game = pv.game(variant)
    assert done.stdout.startswith(f"{game.spec} · ")
    assert "you" not in done.stdout.splitlines()[0]
    assert re.search(r" wins|a draw between", done.stdout)


def test_a_silent_pipe_does_not_keep_it_waiting() -> None:
    reading, writing = os.pipe()
    try:
        done = run_to_end("play", "--variant", "othello-4", stdin=reading)
    finally:
        os.close(reading)
        os.close(writing)
    assert done.returncode == 0
    assert " wins" in done.stdout or "draw" in done.stdout


def test_two_people_play_a_whole_game_in_a_terminal() -> None:
    state = pv.game("othello-4").start()
    with PseudoTerminal("play", "--variant", "othello-4", "human", "human") as terminal:
        while not state.is_over:
            move = state.moves[0]
            if not move.is_pass:
                terminal.expect(QUESTION)
                terminal.type(f"{move}\n")
            state = state.play(move)
        assert state.result is not None
        last = terminal.expect("Play again? y yes, s swap seats, n no: ")
        winner = "black" if state.result.winner == 1 else "white"
        assert f"{winner} wins, {'–'.join(map(str, state.scores))}" in last
        terminal.type("y\n")
        terminal.expect("black 2   white 2")
        terminal.expect(QUESTION)
        terminal.type("quit\n")
        terminal.expect("Good-bye.")
        assert terminal.finish() == 0


def test_seats_can_be_changed_for_another_game() -> None:
    with PseudoTerminal("play", "random", "--seed", "2") as terminal:
        terminal.expect("black: you · white: random")
        terminal.expect(QUESTION)
        terminal.type("resign\n")
        terminal.expect("white wins: black has resigned")
        terminal.expect("Play again? y yes, s swap seats, n no: ")
        terminal.type("what?\ns\n")
        terminal.expect("black: random · white: you")
        terminal.expect("white to move")
        terminal.type("\x04")
        terminal.expect("Good-bye.")
        assert terminal.finish() == 0


def test_ctrl_c_leaves() -> None:
    with PseudoTerminal("play") as terminal:
        terminal.expect(QUESTION)
        terminal.type("\x03")
        terminal.expect("Good-bye.")
        assert terminal.finish() == 130


def test_colours_and_letters() -> None:
    with PseudoTerminal("play") as terminal:
        assert "●" in terminal.expect(QUESTION)
        assert "48;2;44;138;87" in terminal.raw    # green felt
    with PseudoTerminal("play", NO_COLOR="1") as terminal:
        assert "5 · · · X O + · ·" in terminal.expect(QUESTION)
        assert "48;2" not in terminal.raw
    with PseudoTerminal("play", TERM="dumb") as terminal:
        assert "5 · · · X O + · ·" in terminal.expect(QUESTION)
        assert "\x1b" not in terminal.raw


def test_words_for_screen_readers() -> None:
    with PseudoTerminal("play", "human", "human", "--plain") as terminal:
        start = terminal.expect(QUESTION)
        assert "black 2: e4, d5; white 2: d4, e5." in start.replace("\r\n", " ")
        assert "black, your moves: d3 c4 f5 e6\r\n" in start
        terminal.type("f5\n")
        assert "black plays f5, turns e5; black 4, white 1.\r\n" in terminal.expect(QUESTION)
        terminal.type("resign\n")
        terminal.expect("black wins: white has resigned")
        assert "\x1b" not in terminal.raw


@pytest.mark.parametrize(
    "variant", ["othello", "hex", "hex:side=8", "xt:starfish", "xt:SierpinskiCarpet", "othello-26"]
)
def test_every_board_fits_a_small_terminal(variant: str) -> None:
    seats = pv.game(variant).seats
    words = "play", "--variant", variant, *["human"] * seats
    with PseudoTerminal(*words, width=80, height=24, NO_COLOR="1") as terminal:
        terminal.expect(QUESTION)
        page = terminal.raw[terminal.raw.index("\x1b[H") : terminal.raw.index("\x1b[J")]
        lines = ESCAPES.sub("", page).split("\r\n")
        assert len(lines) <= 24
        assert all(len(line) <= 80 for line in lines)
        terminal.type("board\n")
        whole = terminal.expect(QUESTION)
        assert whole.count("\n") > pv.game(variant).board.height


def test_a_person_has_a_clock_too() -> None:
    people = ("play", "human", "human")
    with PseudoTerminal(*people, "--limit", "bank=600", "--limit", "none") as terminal:
        assert "clocks: black 10:00\r\n" in terminal.expect(QUESTION)
        assert "your move (10:00 left), or ?" in terminal.raw
    with PseudoTerminal(*people, "--limit", "seconds=0.01") as terminal:
        terminal.expect("white wins: black lost by timeout (no answer within 0.01 s)")
        terminal.expect("Play again? y yes, s swap seats, n no: ")
        terminal.type("n\n")
        assert terminal.finish() == 0


@pytest.mark.parametrize(("arguments", "message"), [
    (["--variant", "chess"], "there is no variant 'chess'; there are othello, "),
    (["--variant", "othelo-6"], "there is no variant 'othelo'; did you mean 'othello'?"),
    (["nobody"], "there is no player 'nobody'; there are polyversi, xt, "),
    (["six-facter:level=3"], "there is no player 'six-facter'; did you mean 'six-factor'?"),
    (["hex"], "'hex' is a variant, not a player; write --variant hex"),
    (["human", "xt:starfish"], "'xt:starfish' is a variant, not a player; write --variant xt:starfish"),
    (["--seat", "3"], "othello has no seat 3; its seats are 1 to 2"),
    (["random", "random", "--seat", "1"], "too many players"),
    (["random", "random", "random"], "too many players"),
    (["--variant", "rolit", "--limit", "seconds=1", "--limit", "none"], "2 limits for 4 seats"),
    (["--limit", "soon"], "'soon' is not a limit"),
    (["group6"], "group6 does not play othello: it plays Reversi XT only"),
])
def test_what_cannot_be_is_said(arguments: list[str], message: str) -> None:
    done = polyversi("play", *arguments)
    assert done.returncode == 1
    assert message in done.stderr
    assert "Traceback" not in done.stderr
