"""Specifications: what they name, how they are written shortest, and what is said about wrong ones."""

from __future__ import annotations

from pathlib import Path

import pytest

import polyversi as pv
from polyversi.games.mapkinds import generate
from polyversi.games.variants import file_of, with_file
from polyversi.games.xt import MapSpec
from tests.testing.specs import SPECS


@pytest.mark.parametrize(
    ("spec", "canonical"),
    [
        ("othello", "othello"),
        ("othello:size=8", "othello"),
        ("othello:size=6", "othello-6"),
        ("othello:width=6,height=6", "othello-6"),
        ("othello:height=4,width=5", "othello:width=5,height=4"),
        ("othello:goal=fewest", "anti"),
        ("anti-othello", "anti"),
        ("anti-6", "anti-6"),
        ("othello:edges=torus,size=6", "torus-6"),
        ("othello:start=open", "reversi"),
        ("octagon-10", "octagon-10"),
        ("anti-octagon", "octagon:goal=fewest"),
        ("hex-4:start=ring", "hex:side=4,start=ring"),
        ("anti-hex:side=4,start=ring", "hex:side=4,start=ring,goal=fewest"),
        ("anti-rolit", "rolit:goal=fewest"),
        ("othello:empties=winner", "othello"),
        ("othello:empties=nobody", "othello:empties=nobody"),
        ("othello-6:empties=nobody", "othello-6"),
        ("othello:width=6,height=6,empties=winner", "othello-6:empties=winner"),
        ("anti-othello:empties=winner", "anti:empties=winner"),
        ("reversi:empties=nobody", "reversi"),
        ("hex:empties=nobody", "hex"),
        ("anti-hex:empties=winner", "hex:goal=fewest,empties=winner"),
        ("xt:STARFISH", "xt:starfish"),
        ("xt:torus,seed=0", "xt:torus"),
        ("xt:torus,players=2,seed=3", "xt:torus,seed=3,players=2"),
    ],
)
def test_canonical_form(spec: str, canonical: str) -> None:
    game = pv.game(spec)
    assert game.spec == canonical
    assert pv.game(canonical) == game


def test_empty_cells_go_to_the_winner_in_othello_alone() -> None:
    credited = {spec for spec in SPECS if pv.game(spec).definition.empties == "winner"}
    assert credited == {"othello", "othello:start=parallel"}


def test_a_game_of_ones_own_says_whom_empty_cells_count_for() -> None:
    small = pv.game("othello-4:empties=winner")
    state = small.position("XXXXXXXXXXXX--OO X")
    assert state.scores == (12, 2) and state.result is not None and state.result.scores == (12, 2)
    assert state.credited_scores == (14, 2)
    assert pv.game("anti-4:empties=winner").position(state.text).credited_scores == (14, 2)
    assert pv.game("othello-4").position(state.text).credited_scores == (12, 2)
    assert small.position("XXXXXXX--OOOOOOO X").credited_scores == (7, 7)


@pytest.mark.parametrize("spec", SPECS)
def test_spec_names_its_game(spec: str) -> None:
    game = pv.game(spec)
    assert pv.game(game.spec) == game
    assert pv.game(game.spec).spec == game.spec
    assert hash(pv.game(game.spec)) == hash(game)


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("chess", "there is no variant 'chess'; there are othello"),
        ("", "there is no variant ''"),
        ("othello-3", "othello cannot have size=3; write size=4–26"),
        ("othello:size=27", "othello cannot have size=27; write size=4–26"),
        ("othello:size=6,size=6", "size is given twice"),
        ("othello:colour=red", "'colour=red' is not an option of othello; its options are size=4–26"),
        ("othello:size", "'size' is not an option of othello"),
        ("othello:holes=d4", "the four cells in the middle must not be holes"),
        ("othello:holes=z9", "'z9' is not on this board"),
        ("octagon:width=6,height=8", "an octagon needs equal width and height"),
        ("hex:side=9", "write side=3–8"),
        ("hex:side=4,seats=3", "three seats need a hexagon of side 5 or more"),
        ("hex:seats=3,start=random", "three seats need"),
        ("hex:seats=3,empties=winner", "empty cells can go to the winner only where there are two seats"),
        ("othello:empties=loser", "othello cannot have empties=loser; write empties=nobody|winner"),
        ("xt", "the name of the XT map is missing; there are"),
        ("xt:no-such-file", "the XT map no-such-file cannot be read"),
        ("xt:a\0b", "cannot be the path of an XT map"),
        ("xt:torus,colour=red", "the XT map torus,colour=red cannot be read"),
        ("xt:torus,seed=red", "xt cannot have seed=red"),
        ("anti-anti-6", "there is no variant 'anti-anti"),
        ("anti-" * 800 + "othello", "there is no variant 'anti-anti"),
        ("x" * 5000, "a game is named by a variant"),
    ],
)
def test_wrong_specifications(spec: str, message: str) -> None:
    with pytest.raises(pv.PolyversiError) as caught:
        pv.game(spec)
    assert message in str(caught.value)


def test_maps_from_files(tmp_path: Path) -> None:
    path = tmp_path / "mine.map"
    path.write_text(generate("torus", seed=3).text)
    game = pv.game(f"xt:{path}")
    assert game == pv.game("xt:torus,seed=3")
    assert game.start().text == pv.game("xt:torus,seed=3").start().text
    with pytest.raises(pv.VariantError, match="there is no XT map"):
        pv.game(f"xt:{path}", files=False)
    path.write_text("2 0 0 0  1 3  0 1 9")
    with pytest.raises(pv.MapError, match=r"mine\.map: line 1, column 19"):
        pv.game(f"xt:{path}")
    path.write_text("2 0 0 0  1 3  0 1 0")
    with pytest.raises(pv.MapError, match="neither a move nor a bomb"):
        pv.game(f"xt:{path}")


def test_random_setup_comes_from_the_seed() -> None:
    hexa = pv.game("hex")
    assert hexa.start() == hexa.start(seed=0) == pv.game("hex:seed=0").start()
    assert hexa.start(seed=9).tiles == pv.game("hex:seed=9").start().tiles
    assert len({hexa.start(seed=seed).tiles for seed in range(100)}) > 80
    course = [34, 44, 45, 54, 55, 56, 64, 65, 66, 67]
    stones = [cell for cell, tile in enumerate(hexa.start().tiles) if tile]
    assert [hexa.board.number(cell) for cell in stones] == course


def test_setups() -> None:
    assert pv.game("othello").start().text == "-" * 27 + "OX------XO" + "-" * 27 + " X"
    assert pv.game("othello-4:start=parallel").start().text == "-----OO--XX----- X"
    five = pv.game("othello-5").start()
    white = [five.board.coordinates[cell] for cell, tile in enumerate(five.tiles) if tile == 2]
    assert white == [(1, 1), (2, 2)]
    assert [str(move) for move in pv.game("reversi").start().moves] == ["d4", "e4", "d5", "e5"]
    assert pv.game("octagon").board.size == 52
    assert pv.game("octagon-10").board.size == 88
    assert pv.game("blackhole").board.size == 63
    assert pv.game("rolit").start().scores == (1, 1, 1, 1)


@pytest.mark.parametrize(("spec", "path"), [
    ("xt:maps/*.map", "maps/*.map"), ("anti-xt:mine.map,goal=fewest", "mine.map"), ("xt:a,b.map", "a,b.map"),
    (" xt:mine.map,seed=2 ", "mine.map"), ("xt:starfish", None), ("XT:mine.map", None),
    ("othello:size=6", None), ("nothing:mine.map", None),
])
def test_the_path_in_a_specification(spec: str, path: str | None) -> None:
    assert file_of(spec) == path
    if path is not None:
        other = with_file(spec, "/maps/it, too.map")
        assert file_of(other) == "/maps/it, too.map"
        assert other.replace("/maps/it, too.map", path) == spec.strip()


@pytest.mark.parametrize("spec", ["xt:mine", "xt:mine,goal=fewest", "xt:arena,players=3", "xt:a, b", "xt:"])
def test_how_a_game_on_a_map_is_called(spec: str) -> None:
    assert str(MapSpec.read(spec)) == spec
    assert MapSpec.read(f"anti-{spec}") is None
