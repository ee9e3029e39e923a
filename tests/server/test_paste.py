"""Pasted texts: whatever the page or other programs write is recognised, and nothing else."""

from __future__ import annotations

import io

import pytest

import polyversi as pv
from polyversi.gameplay.events import MoveEvent
from polyversi.games.errors import RecordError
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


@pytest.mark.parametrize("text", [
    "", " \n", "hello world", "f5d6z9", "{}", "(;GM[Othello]", "x" * 100_000, "\0\0\0",
], ids=["empty", "blank", "words", "cell", "object", "unfinished", "long", "zeros"])
def test_anything_else_is_refused_in_a_sentence(text: str) -> None:
    with pytest.raises(RecordError) as told_why:
        recognise(text.encode())
    sentence = str(told_why.value)
    assert 10 < len(sentence) < 400
    assert "Traceback" not in sentence and "`" not in sentence
