"""Records: what they check, and that they are values."""

from __future__ import annotations

import pickle
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

import polyversi as pv
from polyversi import records
from polyversi.records import Note, Outcome, Record
from polyversi.records.line import Line
from polyversi.records.record import credited_margin
from polyversi.records.transcript import parse, write
from tests.testing.sample_records import played

WIPEOUT = "f5d6c5f4e3f6g5e6e7"    # the shortest game: white has no stone left after nine moves


def test_the_states_lead_from_the_start_to_the_end() -> None:
    record = parse("f5d6c3")
    states = list(record.states())
    assert len(states) == 4
    assert states[0] == record.start and states[-1] == record.final
    assert [state.turn for state in states] == [1, 2, 1, 2]
    assert record.result is None


def test_the_shortest_game_ends() -> None:
    record = parse(WIPEOUT)
    assert record.final.is_over
    assert record.final.scores == (13, 0)
    assert record.result is not None and record.result.winner == 1
    assert credited_margin(record.final) == 64


def test_fewest_stones_turn_the_margin_round() -> None:
    anti = parse(WIPEOUT, pv.game("anti").start())
    assert credited_margin(anti.final) == -64


def test_an_illegal_move_is_named_with_its_place() -> None:
    game = pv.game("othello")
    with pytest.raises(pv.RecordError, match=r"^move 2: "):
        Record(game.start(), (game.move("f5"), game.move("a1")))


def test_records_are_values() -> None:
    record = Record(
        parse("f5d6").start, parse("f5d6").moves, ("Ann", "Bob"), (("site", "Kiel"), ("event", "Cup")),
        (Note("good"), Note(seconds=1.5)), Outcome("resigned", 64),
    )
    assert record.tags == (("event", "Cup"), ("site", "Kiel"))
    assert record.tag("site") == "Kiel" and record.tag("round", "?") == "?"
    assert pickle.loads(pickle.dumps(record)) == record
    assert hash(pickle.loads(pickle.dumps(record))) == hash(record)
    assert record != parse("f5d6")
    with pytest.raises(AttributeError):
        record.players = ()    # type: ignore[misc]


def test_empty_names_and_notes_are_none_at_all() -> None:
    record = parse("f5d6")
    assert Record(record.start, record.moves, ("", ""), (), (Note(), Note())) == record


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"players": ("Ann",)}, "1 player names for 2 seats"),
        ({"notes": (Note("a"),) * 3}, "3 notes for 0 moves"),
        ({"tags": (("event", "a"), ("event", "b"))}, "same name"),
        ({"tags": (("event", "\ud800"),)}, "half a character"),
        ({"players": ("x" * 70000, "y")}, "70000 characters"),
        ({"outcome": Outcome(ranks=(1, 2, 3))}, "3 ranks for 2 seats"),
        ({"disqualified": ((1, 1),)}, "outside the game"),
        ({"disqualified": ((0, 10**30),)}, "outside the game"),
        ({"disqualified": ((0, 1), (0, 1))}, "disqualified twice"),
    ],
)
def test_what_makes_no_record(fields: dict[str, object], message: str) -> None:
    with pytest.raises(pv.RecordError, match=message):
        Record(pv.game("othello").start(), **fields)    # type: ignore[arg-type]


@pytest.mark.parametrize("number", [float("nan"), float("inf"), 1e300, -1e10, 10**400])
def test_numbers_beyond_measure_are_refused(number: float) -> None:
    with pytest.raises(pv.RecordError, match="cannot be stored"):
        Note(value=number)
    with pytest.raises(pv.RecordError, match="cannot be stored"):
        Outcome(margin=number)


def test_forced_passes_are_put_in() -> None:
    line = Line(pv.game("othello-4").position("XO--" + "X" * 12 + " O"))
    line.follow("c1")
    assert [str(move) for move in line.moves] == ["pass", "c1"]
    assert line.state.is_over


def test_several_seats_may_have_to_pass_in_a_row() -> None:
    start = pv.game("hex:side=6,seats=3").start()
    for seed in range(2000):
        moves = played(start, seed, 200)
        if any(first.is_pass and second.is_pass for first, second in pairwise(moves)):
            assert parse(write(Record(start, moves)), start).moves == moves
            return
    raise AssertionError("no game with two passes in a row was found")


def test_a_pass_after_the_end_is_left_out() -> None:
    assert parse(WIPEOUT + "--pa") == parse(WIPEOUT)
    with pytest.raises(pv.RecordError, match="the game is over"):
        parse(WIPEOUT + "a1")


def test_the_last_two_seats_may_be_lost_at_once() -> None:
    start = pv.game("xt:torus,players=2").start()
    record = Record(start, disqualified=((0, 2), (0, 1)))
    assert record.result is not None and record.result.reason == "no seat left"
    assert (record.result.ranks, record.result.points) == ((2, 2), (-50, -50))
    assert str(record.result) == f"nobody wins, {start.scores[0]}–{start.scores[1]} (no seat left)"
    assert start.game.position(record.final.text) == record.final
    with pytest.raises(ValueError, match="already disqualified"):
        record.final.disqualify(1)
    ended = pv.game("xt:torus,players=2").start().playout(seed=1)
    with pytest.raises(ValueError, match="the game is over"):
        ended.disqualify(1)


def test_a_disqualified_seat_is_taken_out() -> None:
    start = pv.game("xt:starfish").start()
    record = Record(start, (), disqualified=((0, 1),))
    assert record.final == start.disqualify(1)
    assert record.final.turn == 2
    with pytest.raises(pv.RecordError):
        Record(pv.game("othello").start(), disqualified=((0, 1),))


def test_games_from_any_start_and_any_moves() -> None:
    game = pv.game("othello")
    expected = Record.of("othello", "f5d6c3")
    for start in (game, game.start()):
        for moves in ("f5d6c3", ["f5", "d6", "c3"], expected.moves, iter(expected.moves)):
            assert Record.of(start, moves) == expected
    for begin in ("othello", game, game.start()):
        assert pv.Line(begin, "F5 d6 c3").record() == pv.Line(begin, expected.moves).record() == expected
    assert Record.of("othello", []).moves == () and len(pv.Line("othello", "")) == 0
    with pytest.raises(pv.RecordError, match="move 2: f5 is not legal"):
        Record.of("othello", ["f5", "f5"])
    with pytest.raises(pv.VariantError, match="3 is not a game; write its name"):
        pv.Line(3)  # type: ignore[arg-type]
    with pytest.raises(pv.VariantError, match="3 is not a game; write its name"):
        Record.of(3, "f5")  # type: ignore[arg-type]


def test_what_cannot_be_read_or_written(tmp_path: Path) -> None:
    state, target = pv.game("othello").start(), tmp_path / "games.jsonl"
    with pytest.raises(pv.RecordError, match=r"Problem\(state\) makes a position of a state"):
        records.write(state, target)  # type: ignore[arg-type]
    with pytest.raises(pv.RecordError, match="5 is not a Record or a Problem"):
        records.write(5, target)  # type: ignore[arg-type]
    with pytest.raises(pv.RecordError, match="number 1: 'f5' is not a Record or a Problem"):
        records.write(["f5"], target)  # type: ignore[list-item]
    with pytest.raises(pv.RecordError, match="give a path or a file opened in binary mode"):
        list(records.games(5))  # type: ignore[arg-type]
    assert not target.exists()


def test_records_are_printed_in_two_lines() -> None:
    record = replace(Record.of("othello", "f5d6c3"), players=("Ann", "Bob"), outcome=Outcome("resigned"))
    assert str(record) == "othello: Ann – Bob, 5–2 (resigned)\nf5d6c3"
    assert repr(record) == "<Record othello: Ann – Bob, 5–2 (resigned), 3 moves>"
    assert str(Record(pv.game("hex").start())).startswith("hex: ")
