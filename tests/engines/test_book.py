"""Opening books: found in every symmetry, chosen from by a seed, and read with suspicion."""

from __future__ import annotations

from pathlib import Path

import pytest

import polyversi as pv
from polyversi.engines.book import FIRST_LINE, Book, Header, book_for, book_values, load
from polyversi.engines.search import EngineError
from polyversi.games.errors import PlayerError, RecordError
from polyversi.games.state import State

HEADER = Header("othello", "depth=3", "polyversi book grow", "2026-11-18")


def entry(state: State, **values: int) -> tuple[str, dict[int, int]]:
    canonical, symmetry = state.canonical()
    return canonical.text, {symmetry.move(move).index: value for move, value in values.items()}


AFTER = pv.Line("othello", "f5d6").state
BOOK = Book(HEADER, dict([entry(AFTER, c3=2, c4=1, c5=0, c6=-8)]))


def test_values_in_every_symmetry_and_by_other_moves() -> None:
    for symmetry in AFTER.game.symmetries:
        found = BOOK.values(AFTER.transform(symmetry))
        assert {str(symmetry.inverse.move(move)): value for move, value in found.items()} == {
            "c3": 2, "c4": 1, "c5": 0, "c6": -8}
    assert not BOOK.values(AFTER.play("c3"))
    assert not BOOK.values(pv.Line("anti", "f5d6").state), "the same position of another game"


def test_the_seed_chooses_among_moves_that_are_nearly_equal() -> None:
    chosen = {str(BOOK.choose(AFTER, seed)) for seed in range(40)}
    assert chosen == {"c3", "c4", "c5"}
    assert {str(BOOK.choose(AFTER, seed, margin=0)) for seed in range(10)} == {"c3"}
    assert BOOK.choose(AFTER, 7) == BOOK.choose(AFTER, 7)


def test_the_engine_plays_from_its_book_where_its_level_makes_no_mistakes(tmp_path: Path) -> None:
    BOOK.save(tmp_path / "own.book")
    engines = [pv.engine("othello", book=tmp_path / "own.book", seed=seed) for seed in range(12)]
    found = [engine.think(AFTER) for engine in engines]
    assert {(str(one.best.move), one.best.value) for one in found} == {("c3", 2), ("c4", 1), ("c5", 0)}
    assert all(one.nodes == 0 for one in found)
    assert engines[0].think(AFTER.play("c3"), pv.Limit(depth=2)).nodes > 0, "beyond the book it searches"
    weak = pv.engine("othello", 3, book=BOOK).think(AFTER)
    assert weak.nodes > 0
    assert pv.engine("othello").think(AFTER, pv.Limit(depth=2)).nodes > 0, "by itself it has none"
    with pytest.raises(EngineError, match="the book is of othello"):
        pv.engine("anti", book=BOOK)


def test_players_have_a_book_if_they_are_given_one(tmp_path: Path) -> None:
    BOOK.save(tmp_path / "own.book")
    games = {str(pv.player("polyversi", own_book=str(tmp_path / "own.book"), seed=seed).choose(AFTER))
             for seed in range(12)}
    assert games == {"c3", "c4", "c5"}
    assert pv.player(f"polyversi:own_book={tmp_path / 'own.book'}").unsuited(pv.game("anti"))
    with pytest.raises(PlayerError, match="cannot be read"):
        pv.player("polyversi", own_book=str(tmp_path / "none.book"))


def test_the_book_that_comes_with_the_package() -> None:
    start = pv.game("othello").start()
    book = book_for(start.game)
    assert book is not None and len(book.positions) >= 300
    assert {str(move) for move in book_values(start)} == {"d3", "c4", "f5", "e6"}
    moves = {str(pv.player("polyversi:book=true", seed=seed).choose(start.play("f5"))) for seed in range(30)}
    assert moves == {"d6", "f6"}, "the two good answers, and not f4"
    for line, values in book.positions.items():    # what is passed on is what best play makes of it
        state = book.game.position(line)
        for number, value in values.items():
            after = state.play(book.game.action(number))
            if replies := book.values(after):
                assert value == -max(replies.values())


def test_files_come_back_as_they_were_written(tmp_path: Path) -> None:
    BOOK.save(tmp_path / "one.book")
    again = load(tmp_path / "one.book")
    assert (again.header, again.positions) == (BOOK.header, BOOK.positions)
    assert again.depth == 3


GOOD = AFTER.canonical()[0].text
HEAD = '{"spec":"othello","limit":"depth=3","command":"","date":""}'


@pytest.mark.parametrize(("content", "why"), [
    ("", "does not begin with the line"),
    ("polyversi book 9\n{}\n", "does not begin with the line"),
    ("\xff\n\n", "does not begin with the line"),
    (f"{FIRST_LINE}\n{{}}\n", "its second line cannot be read"),
    (f"{FIRST_LINE}\n{'[' * 100_000}\n", "its second line cannot be read"),
    (f'{FIRST_LINE}\n{HEAD.replace("othello", "xt:starfish")}\n', "the engine does not play"),
    (f'{FIRST_LINE}\n{HEAD.replace("depth=3", "depth=x")}\n', "its second line cannot be read"),
    (f"{FIRST_LINE}\n{HEAD}\nXO\tf5 +1\n", "line 3: "),
    (f"{FIRST_LINE}\n{HEAD}\n{GOOD}\n", "line 3: this is not a position with the values"),
    (f"{FIRST_LINE}\n{HEAD}\n{GOOD}\ta1 +1\n", "line 3: 'a1' is not a legal move"),
    (f"{FIRST_LINE}\n{HEAD}\n{GOOD}\t{AFTER.canonical()[0].moves[0]} +65\n", "is not a number of stones"),
    (f"{FIRST_LINE}\n{HEAD}\n{GOOD}\t{AFTER.canonical()[0].moves[0]} x\n", "line 3: "),
    (f"{FIRST_LINE}\n{HEAD}\n{GOOD}\t{AFTER.canonical()[0].moves[0]} {'9' * 10_000}\n", "not a number of"),
])
def test_what_is_not_a_book_is_refused_in_a_sentence(content: str, why: str, tmp_path: Path) -> None:
    file = tmp_path / "bad.book"
    file.write_bytes(content.encode("latin-1"))
    with pytest.raises(RecordError, match="is not an opening book") as told:
        load(file)
    assert why in str(told.value) and len(str(told.value)) < 500
