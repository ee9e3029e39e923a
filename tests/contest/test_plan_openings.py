"""Openings of a tournament: drawn plies, files of positions and games, and what cannot be begun with."""

from __future__ import annotations

from pathlib import Path

import pytest

import polyversi as pv
from polyversi.contest.openings import Openings
from polyversi.records import Problem, Record, write

OTHELLO, ANTI, HEX = pv.game("othello"), pv.game("anti"), pv.game("hex")
LINES = ("f5d6c3", "f5f6", "f5d6c4", "f5f4")


@pytest.fixture
def book(tmp_path: Path) -> Path:
    path = tmp_path / "book.txt"
    path.write_text("# four openings, one of them twice\n" + "\n".join([*LINES, LINES[1]]) + "\n")
    return path


def test_drawn_openings() -> None:
    drawn = Openings.parse("random 6", [OTHELLO])
    assert drawn == Openings("random", 6)
    starts = [drawn.start(OTHELLO, 0, number, 1) for number in range(5)]
    assert len(set(starts)) == 5
    assert all(sum(start.scores) == 10 for start in starts)
    assert starts[3] == drawn.start(OTHELLO, 0, 3, 1) != drawn.start(OTHELLO, 0, 3, 2)
    assert drawn.start(ANTI, 1, 3, 1) != starts[3]
    even = Openings.parse(" balanced 8 ", [OTHELLO]).start(OTHELLO, 0, 0, 1)
    assert abs(pv.engine("othello").think(even, pv.Limit(depth=8)).best.value) <= 2


def test_no_openings_draw_the_set_up_where_there_is_one() -> None:
    nothing = Openings.parse("none", [HEX])
    assert nothing.start(OTHELLO, 0, 5, 9) == OTHELLO.start()
    setups = {nothing.start(HEX, 0, number, 1) for number in range(5)}
    assert len(setups) > 1
    assert all(state.turn == 1 for state in setups)


def test_a_file_comes_in_turn(book: Path) -> None:
    openings = Openings.from_file(book, [OTHELLO])
    finals = {Record.of("othello", line).final for line in LINES}
    assert str(openings) == "4 positions from a file"
    for seed in range(20):
        starts = [openings.start(OTHELLO, 0, number, seed) for number in range(8)]
        assert set(starts[:4]) == set(starts[4:]) == finals
    assert len({openings.start(OTHELLO, 0, 0, seed) for seed in range(50)}) == 4


def test_files_that_name_no_game_fit_several(book: Path) -> None:
    openings = Openings.parse("book.txt", [OTHELLO, ANTI], book.parent)
    assert openings.positions[0] == openings.positions[1]
    assert openings.start(ANTI, 1, 0, 0).game == ANTI
    openings.check([OTHELLO, ANTI])


def test_files_that_name_games_give_each_its_own(tmp_path: Path) -> None:
    path = tmp_path / "book.jsonl"
    hexagons = HEX.start(seed=4)
    first = Record(hexagons, hexagons.moves[:1])
    write([Record.of("othello", LINES[0]), first, Problem(OTHELLO.start())], path)
    openings = Openings.from_file(path, [HEX, OTHELLO])
    assert [len(positions) for positions in openings.positions] == [1, 2]
    assert openings.start(HEX, 0, 7, 0) == hexagons.play(hexagons.moves[0])
    with pytest.raises(pv.RecordError, match=r"book.jsonl: number 2 is of hex, not of othello"):
        Openings.from_file(path, [OTHELLO])
    with pytest.raises(pv.RecordError, match="has no position of anti"):
        Openings.from_file(path, [OTHELLO, HEX, ANTI])


def test_whole_games_are_cut(tmp_path: Path) -> None:
    state, moves = pv.game("othello-4").start(), []
    while not state.is_over:
        moves.append(state.moves[0])
        state = state.play(moves[-1])
    path = tmp_path / "whole games.jsonl"
    write([Record(pv.game("othello-4").start(), tuple(moves))], path)
    with pytest.raises(pv.RecordError, match='number 1 is a finished game; to start after its first'):
        Openings.parse("whole games.jsonl", [state.game], tmp_path)
    openings = Openings.parse("whole games.jsonl 3", [state.game], tmp_path)
    assert sum(openings.start(state.game, 0, 0, 0).scores) == 7
    with pytest.raises(pv.RecordError, match=f"number 1 has {len(moves)} moves, fewer than 40"):
        Openings.parse("whole games.jsonl 40", [state.game], tmp_path)


@pytest.mark.parametrize(("text", "words"), [
    ("", "there is no file ''"),
    ("random", "there is no file 'random' with openings; write a number of random plies such as 8"),
    ("random -3", "there is no file 'random -3'"),
    ("missing.obf", "there is no file 'missing.obf' with openings; write a number"),
    ("missing.obf 8 in order", "there is no file 'missing.obf 8 in order' with openings"),
    ("a\0b", "there is no file"),
    ("x" * 5000, "there is no file"),
    ("broken.obf", "broken.obf: line 2: the position has 5 cells"),
    ("/dev/zero", "there is no file"),
])
def test_what_is_no_opening(tmp_path: Path, text: str, words: str) -> None:
    (tmp_path / "broken.obf").write_text(OTHELLO.start().text + "\n-XO-- X\n")
    with pytest.raises(pv.PolyversiError) as error:
        Openings.parse(text, [OTHELLO], tmp_path)
    assert words in str(error.value)


@pytest.mark.parametrize(("openings", "words"), [
    (Openings("random", 0), "an opening of 0 plies is not possible; write 1 to 1000"),
    (Openings("random", 70), "othello is over within 70 random plies"),
    (Openings("file", 0, ((), ())), "there are openings for 2 variants, not for 1"),
])
def test_openings_that_cannot_be(openings: Openings, words: str) -> None:
    with pytest.raises(pv.PlayerError) as error:
        openings.check([OTHELLO])
    assert words in str(error.value)


@pytest.mark.parametrize(("text", "kind", "plies"), [
    ("none", "none", 0), ("0", "none", 0), ("6", "random", 6), ("random 6", "random", 6),
    ("balanced 6", "balanced", 6),
])
def test_openings_in_a_few_words(text: str, kind: str, plies: int) -> None:
    openings = Openings.parse(text, [OTHELLO])
    assert (openings.kind, openings.plies) == (kind, plies)


def test_a_file_in_order(book: Path) -> None:
    openings = Openings.parse("book.txt in order", [OTHELLO], book.parent)
    assert str(openings) == "4 positions from a file, in order"
    starts = [openings.start(OTHELLO, 0, number, seed=number) for number in range(8)]
    assert [state.text for state in starts] == list(openings.positions[0]) * 2
    cut = Openings.parse("book.txt 1 in order", [OTHELLO], book.parent)
    assert cut.in_order and all(sum(OTHELLO.position(text).scores) == 5 for text in cut.positions[0])


def test_balanced_openings_need_an_engine() -> None:
    with pytest.raises(pv.PolyversiError):
        Openings("balanced", 4).check([pv.game("rolit")])
