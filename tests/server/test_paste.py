"""Pasted texts: whatever the page or other programs write is recognised, and nothing else."""

from __future__ import annotations

import io

import pytest

import polyversi as pv
from polyversi.gameplay.events import MoveEvent
from polyversi.games.errors import RecordError
from polyversi.games.xt import xt_game
from polyversi.games.xtmap import XtMap
from polyversi.records import Record, write
from polyversi.server.downloads import download
from polyversi.server.paste import recognise, to_json

GAME = Record.of("othello", "f5d6c3d3c4")


@pytest.mark.parametrize("kind", ["txt", "jsonl", "ggf"])
def test_what_the_page_saves_is_opened_again(kind: str) -> None:
    (stored, events), = recognise(download(GAME, kind, len(GAME.moves))).games
    assert stored.spec == "othello"
    moves = [event.move for event in events if isinstance(event, MoveEvent)]
    assert moves == [str(move) for move in GAME.moves]


@pytest.mark.parametrize("spec", ["othello", "hex", "rolit", "octagon", "xt:starfish", "anti-6"])
def test_positions_of_every_game(spec: str) -> None:
    state = pv.game(spec).start(3)
    state = state.play(state.moves[0])
    assert recognise(state.text.encode(), pv.game(spec)).state == state    # on a page of this game
    named = recognise(f"{spec}\n{state.text}\n".encode()).state
    assert named == state
    alone = recognise(state.text.encode()).state
    assert alone is not None
    assert alone.text == state.text


def test_a_map_is_a_map_and_a_transcript_belongs_to_the_game_that_is_shown() -> None:
    stream = io.BytesIO()
    chart = pv.game("xt:torus,players=2")
    write(Record(chart.start()), stream, "map")
    assert to_json(recognise(stream.getvalue())) == {"map": stream.getvalue().decode()}
    game = pv.game("othello-6")
    assert recognise(b"c2b2", game).games[0][0].spec == "othello-6"


def test_a_game_that_ended_before_its_first_move_is_no_map() -> None:
    game = Record(xt_game(XtMap.parse("2 0 0 0 1 3 0 1 2")).start(), disqualified=((0, 1),))
    for kind in ("jsonl", "xt-log"):
        stream = io.BytesIO()
        write(game, stream, kind)
        ((stored, _),) = recognise(stream.getvalue()).games
        assert stored.phase == "over"


def test_a_log_without_its_map_belongs_to_the_map_that_is_shown() -> None:
    chart = XtMap.parse("2 0 0 0 1 3 0 1 2")
    head = 'Loading board from file "/maps/tiny.map"... OK\nBoard:\n012\n'
    log = f"{head}move 0: player 2 moved (0,0,0). time left: 0 msecs\nreached final phase\nScores:\n" \
          "Player 1: 0 points\nPlayer 2: 3 points\n"
    ((stored, events),) = recognise(log.encode(), xt_game(chart)).games
    assert [event.move for event in events if isinstance(event, MoveEvent)] == ["0,0"]
    for shown in (None, pv.game("othello")):
        with pytest.raises(RecordError, match=r"put the text of tiny\.map in front of it"):
            recognise(log.encode(), shown)
    in_front = recognise(f"{chart.text}{log}".encode(), pv.game("xt:starfish")).games[0]
    assert (stored.spec, in_front[0].spec) == ("xt:map", "xt:tiny")


@pytest.mark.parametrize("text", [
    "", " \n", "hello world", "f5d6z9", "{}", "(;GM[Othello]", "x" * 100_000, "\0\0\0",
], ids=["empty", "blank", "words", "cell", "object", "unfinished", "long", "zeros"])
def test_anything_else_is_refused_in_a_sentence(text: str) -> None:
    with pytest.raises(RecordError) as told_why:
        recognise(text.encode())
    sentence = str(told_why.value)
    assert 10 < len(sentence) < 400
    assert "Traceback" not in sentence and "`" not in sentence
