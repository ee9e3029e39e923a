"""A line of moves: forward, back, and as files have it."""

from __future__ import annotations

import random

import pytest

import polyversi as pv


@pytest.mark.parametrize("spec", ["othello-6", "hex:side=4,start=ring", "rolit", "xt:arena,players=2"])
def test_push_and_pop_go_through_a_game(spec: str) -> None:
    start, choose = pv.game(spec).start(), random.Random(1)
    line, states = pv.Line(start), [start]
    while not line.state.is_over:
        move = choose.choice(line.state.moves)
        assert line.push(str(move)) == move == line.peek()
        states.append(states[-1].play(move))
        assert line.state == states[-1]
    assert line.states == tuple(states) and len(line) == len(states) - 1 and [*line] == [*line.moves]
    record = line.record()
    assert record.moves == line.moves and record.final == line.state and pv.Line(start, record.moves) == line
    while len(line):
        states.pop()
        line.pop()
        assert line.state == states[-1]
    assert line.start == line.state == start and not line


def test_an_error_leaves_the_line_as_it_was() -> None:
    line = pv.Line("othello", ["f5"])
    for wrong, error in (("f5", pv.IllegalMoveError), ("z9", pv.NotationError)):
        with pytest.raises(error):
            line.push(wrong)
    assert [str(move) for move in line] == ["f5"] and line.state == line.start.play("f5")
    line.pop()
    for take in (line.pop, line.peek):
        with pytest.raises(IndexError, match="the line has no moves"):
            take()


def test_copies_go_their_own_way() -> None:
    line = pv.Line(pv.game("othello"), ["f5"])
    other = line.copy()
    other.push("d6")
    assert (len(line), len(other)) == (1, 2) and line != other and line == eval(repr(line))
    assert str(other) == str(other.state)


def test_passes_are_followed() -> None:
    line = pv.Line("othello-4")
    line.follow_all(["b1", "c1", "d3", "a1", "a3"])
    assert [str(move) for move in line.moves[-2:]] == ["pass", "a3"]
    end = pv.Line(pv.game("othello-4").start().playout(seed=1))
    end.follow("pass")    # some files end with passes
    assert len(end) == 0
    with pytest.raises(pv.RecordError, match="move 1: a1 is not legal: the game is over"):
        end.follow_all(["a1"])
