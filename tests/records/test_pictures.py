"""Pictures of recorded games: the ply that is asked for, its move marked, and films of bounded length."""

from __future__ import annotations

import io
from xml.etree import ElementTree

import pytest
from PIL import Image

import polyversi as pv
from polyversi.drawing import Last, film
from polyversi.records import Problem, Record, pictures

GAME = Record.of("othello", "f5d6c3d3c4")


def frames(data: bytes) -> int:
    with Image.open(io.BytesIO(data)) as image:
        return getattr(image, "n_frames", 1)


def test_each_ply_has_its_move_marked() -> None:
    states = list(GAME.states())
    for ply, state in enumerate(states):
        last = Last.of(states[ply - 1], GAME.moves[ply - 1]) if ply else None
        assert pictures.svg(GAME, ply) == state.svg(last=last, legal=False)
        assert pictures.png(GAME, ply, size=120) == state.png(last=last, legal=False, size=120)
    assert pictures.svg(GAME) == pictures.svg(GAME, 5)


@pytest.mark.parametrize("ply", [-1, 6])
def test_plies_that_were_not_played_are_refused(ply: int) -> None:
    with pytest.raises(pv.RecordError, match=f"there is no ply {ply}; the game has plies 0 to 5"):
        pictures.svg(GAME, ply)


def test_a_seat_that_was_taken_out_is_shown_so() -> None:
    start = pv.game("xt:arena").start()
    record = Record(start, (start.moves[0],), disqualified=((1, 3),))
    assert ", out</text>" in pictures.svg(record)
    assert ", out</text>" not in pictures.svg(record, 0)


def test_a_film_has_a_frame_for_every_ply() -> None:
    assert frames(pictures.gif(GAME, size=100)) == 6
    assert frames(pictures.gif(Record(pv.game("hex").start()), size=100)) == 1


def test_long_games_are_shown_in_even_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(film, "FRAMES", 4)
    data = pictures.gif(GAME, size=100)
    assert frames(data) == 4    # plies 0, 1, 3, 5


def test_a_notebook_shows_the_game_and_its_variations() -> None:
    tree = Record(GAME.start, GAME.moves, ("Ann & Co", "<b>Bob")).tree()
    node = tree.main_line()[1]
    side = node.add_variation(next(move for move in node.state.moves if move != GAME.moves[2]))
    side.comment = "<script>alert(1)</script>"
    tree.main_line()[-1].add_variation(GAME.final.moves[0])
    page = ElementTree.fromstring(tree.record()._repr_html_())
    words = "".join(page.itertext())
    assert "Ann & Co – <b>Bob" in words and f"instead: 3. {side.move} <script>" in words
    assert {element.tag.rpartition("}")[2] for element in page.iter()}.isdisjoint({"script", "img", "link"})
    assert "5. c4" in words and f"afterwards: 6. {GAME.final.moves[0]}" in words


@pytest.mark.parametrize("spec", ["othello-4", "hex", "rolit", "xt:starfish"])
def test_every_game_and_position_can_be_shown(spec: str) -> None:
    start = pv.game(spec).start()
    for item in (Record(start), Record(start, start.moves[:1]), Problem(start, ((start.moves[0], -2),), "?")):
        ElementTree.fromstring(item._repr_html_())
