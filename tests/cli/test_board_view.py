"""What a person is told: moves in words, endings with their reasons, and boards cut to size."""

from __future__ import annotations

from msgspec import structs

import polyversi as pv
from polyversi.cli.views.board import board_lines, ending, move_text
from polyversi.gameplay import EndEvent, Verdict
from polyversi.gameplay.plies import Ply
from polyversi.games.state import State
from polyversi.games.xt import xt_game
from polyversi.games.xtmap import XtMap


def sentence(state: State, move: str) -> str:
    """What is told of a move."""
    return move_text(Ply(state, state.game.move(move), 0.0), state.play(move))


def test_moves_of_two_seats() -> None:
    assert sentence(pv.game("othello").start(), "f5") == "black plays f5, turns e5"
    assert sentence(pv.game("hex").start(), "pass") == "red passes"
    forced = pv.game("othello-4").position("XXO-" "XXX-" "XXXX" "XXXX O")
    assert sentence(forced, "pass") == "white has no move and passes"
    assert sentence(pv.game("reversi").start(), "d4") == "black plays d4, turns nothing"


def xt(text: str) -> State:
    return xt_game(XtMap.parse(text)).start()


def test_moves_of_xt() -> None:
    choice = xt("3 1 1 0  1 6  1 2 c 3 1 0")
    assert sentence(choice, "2,0:3").startswith("seat 1 plays 2,0, turns 1,0 3,0, swaps stones with seat 3")
    bonus = xt("2 0 1 0  1 5  1 2 b 2 1")
    assert "takes a bomb" in sentence(bonus, "2,0:20")
    assert "takes an override stone" in sentence(bonus, "2,0:21")
    assert "passes all stones to the next seat" in sentence(xt("2 0 1 0  1 5  1 2 i 2 1"), "2,0")
    override = xt("2 1 0 0  1 4  1 2 2 0")
    assert sentence(override, "2,0").startswith("seat 1 overrides 2,0, turns 1,0")


def test_bombs_and_who_has_no_move() -> None:
    state = xt("3 0 1 0  1 6  1 2 0 3 3 3")
    first = sentence(state, "2,0")
    assert first == "seat 1 plays 2,0, turns 1,0; the bombing begins"
    bombing = state.play("2,0")
    assert sentence(bombing, "0,0") == f"seat {bombing.turn} bombs 0,0: 1 cell gone"


def test_endings() -> None:
    end = EndEvent(61, "board full", (40, 24), (1, 2), (1, 0), Verdict("win", 1))
    assert ending(pv.game("othello"), end) == "black wins, 40–24: the board is full"
    fewest = structs.replace(end, ranks=(2, 1))
    assert ending(pv.game("anti"), fewest) == "white wins, 40–24 (the fewest win): the board is full"
    drawn = structs.replace(end, scores=(32, 32), ranks=(1, 1), reason="no moves")
    assert ending(pv.game("hex"), drawn) == "a draw between red and blue, 32–32: nobody can move any more"
    crash = structs.replace(end, verdict=Verdict("crash", 2, "KeyError: 3"))
    assert ending(pv.game("othello"), crash) == "black wins: white lost by crash (KeyError: 3)"


def test_many_seats_are_ranked() -> None:
    end = EndEvent(99, "bombs used", (5, 9, 1), (2, 1, 3), (11.0, 25.0, 5.0), Verdict("win", 2))
    assert ending(pv.game("xt:arena,players=3"), end).splitlines() == [
        "seat 2 wins: all bombs are used",
        "  1. seat 2: 9 stones, 25 points",
        "  2. seat 1: 5 stones, 11 points",
        "  3. seat 3: 1 stone, 5 points",
    ]


def test_large_boards_show_the_rows_round_the_last_move() -> None:
    state = pv.game("othello-26").start()
    for height in (10, 14, 20, 27):
        lines = board_lines(state, None, color=False, width=80, height=height)
        assert len(lines) == height
        assert "     · · ·" not in lines[1] or lines[0].strip().startswith("a b c")
    whole = board_lines(state, None, color=False, width=80, height=29)
    assert len(whole) == 29 and not any("shows all" in line for line in whole)
    corner = Ply(state, state.game.move("a1"), 0.0)
    assert corner.move.cell == 0
    assert len(board_lines(pv.game("hex").start(), None, color=False, width=80, height=5)) > 5
