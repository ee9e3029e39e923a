"""Notation: what is read, and what is said about what cannot be read."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import count

import pytest

import polyversi as pv
from polyversi.records import Record
from polyversi.records.transcript import parse, write


def read_transcript(start: pv.State, text: str) -> list[pv.Move]:
    """The moves of a transcript."""
    return list(parse(text, start).moves)


def test_forced_passes_are_left_out_and_put_in_again() -> None:
    start = pv.game("othello").start()
    with_pass = next(game for game in random_games(start) if any(move.is_pass for move in game[:-1]))
    short = write(Record(start, tuple(with_pass)))
    assert len(short) == 2 * sum(not move.is_pass for move in with_pass)
    assert read_transcript(start, short) == with_pass
    spelled = "".join("--" if move.is_pass else str(move) for move in with_pass)
    assert read_transcript(start, spelled) == with_pass
    assert read_transcript(start, spelled.upper()) == with_pass
    assert read_transcript(start, " ".join(map(str, with_pass))) == with_pass


def random_games(start: pv.State) -> Iterator[list[pv.Move]]:
    """Random games without end."""
    for seed in count():
        rng, state, moves = random.Random(seed), start, list[pv.Move]()
        while not state.is_over:
            moves.append(rng.choice(state.moves))
            state = state.play(moves[-1])
        yield moves


def test_free_passes_are_written() -> None:
    start = pv.game("hex").start()
    moves = [start.game.move("pass"), start.play("pass").moves[0]]
    line = write(Record(start, tuple(moves)))
    assert line.startswith("--")
    assert read_transcript(start, line) == moves


def test_course_numbers_name_the_same_cells() -> None:
    start = pv.game("hex").start()
    first = start.moves[0]
    assert read_transcript(start, str(start.board.number(first.cell))) == [first]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("f5f5", "move 2: f5 is not legal: the cell is occupied; legal: f4 d6 f6"),
        ("f5x", "'x' (character 3) does not begin with a move"),
        ("i9", "move 1: 'i9' is not on this board; its cells run from a1 to h8"),
        ("--", "move 1: pass is not legal: you may pass only when you have no move"),
    ],
)
def test_wrong_transcripts(line: str, message: str) -> None:
    with pytest.raises(pv.PolyversiError) as caught:
        read_transcript(pv.game("othello").start(), line)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("spec", "text", "message"),
    [
        ("othello-4", "", "a position is one line of 16 tiles, the seat to move"),
        ("othello-4", "-----OX--XO-----", "a position is one line of 16 tiles"),
        ("othello-4", "-----OX--XO---- X", "a position of othello-4 has 16 tiles, not 15"),
        ("othello-4", "-----OX--XO---?- X", "'?' on c4 is not a tile of othello-4; use - X O"),
        ("othello-4", "-----OX--XO----- Z", "'Z' is not a seat to move; use one of X O"),
        ("othello-4", "-----OX--XO----- X passes=1", "the turn or the number of passes is out of range"),
        ("othello-4", "-----OX--XO----- X colour=1", "'colour=1' is unknown here; only passes"),
        ("hex:side=3", "-" * 19 + " X passes=x", "'passes=x' needs numbers, such as passes=2"),
        ("hex:side=3", "-" * 19 + " X passes=9", "the turn or the number of passes is out of range"),
        ("xt:arena,players=2", "1" * 5000, "a position is one line of"),
    ],
)
def test_wrong_positions(spec: str, text: str, message: str) -> None:
    with pytest.raises(pv.NotationError) as caught:
        pv.game(spec).position(text)
    assert message in str(caught.value)


def test_moves_are_values_of_their_own() -> None:
    othello = pv.game("othello")
    assert othello.move("f5") is othello.start().moves[2]
    assert othello.move("f5") == pv.game("anti").move("f5")
    assert othello.move("f5") != pv.game("othello-10").move("f5")
    assert othello.start().play(pv.game("anti").move("f5")).scores == (4, 1)
    with pytest.raises(pv.IllegalMoveError, match="it is a move of another game"):
        othello.start().play(pv.game("othello-10").move("j10"))
    with pytest.raises(TypeError, match="a move is a Move or its text"):
        othello.start().play(37)  # type: ignore[arg-type]
