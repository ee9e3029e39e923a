"""Symmetries against a second search for them, and what they must not change."""

from __future__ import annotations

import pytest

import polyversi as pv
from polyversi.games.board import Board, joined, rectangle
from polyversi.games.xt import xt_game
from polyversi.games.xtmap import XtMap

GAMES = {
    "othello": 8, "othello-5": 8, "othello:width=6,height=4": 4, "reversi": 8, "octagon": 8, "blackhole": 2,
    "cylinder-4": 16, "torus-4": 128, "hex": 12, "hex:side=3,start=ring": 12, "rolit": 8, "anti-6": 8,
    "xt:starfish": 8, "othello:holes=a1": 2, "othello:holes=a1+b1": 1,
}


def plain_symmetries(board: Board) -> set[tuple[int, ...]]:
    """All maps of the cells, found by walking over the steps of a connected board, without coordinates.

    A map is known once it is said where the first cell goes and how the directions turn.
    """
    count, turns = board.directions, range(0, board.directions, 2 if board.layout == "square" else 1)
    steps = board.steps
    found = set()
    for sign in (1, -1):
        for turn in turns:
            def way(direction: int, sign: int = sign, turn: int = turn) -> int:
                return (sign * direction + turn) % count

            for first in range(board.size):
                to, todo, fits = {0: first}, [0], True
                while todo and fits:
                    cell = todo.pop()
                    for direction in range(count):
                        one, other = steps[cell * count + direction], steps[to[cell] * count + way(direction)]
                        if one < 0 or other < 0:
                            fits &= one < 0 and other < 0
                            continue
                        if one // count not in to:
                            to[one // count] = other // count
                            todo.append(one // count)
                        fits &= to[one // count] == other // count and way(one % count) == other % count
                if fits and len({*to.values()}) == board.size:
                    found.add(tuple(to[cell] for cell in range(board.size)))
    return found


@pytest.mark.parametrize(("spec", "number"), GAMES.items())
def test_the_group(spec: str, number: int) -> None:
    symmetries = pv.game(spec).symmetries
    group = {symmetry.cells: symmetry for symmetry in symmetries}
    assert len(symmetries) == len(group) == number == len({str(symmetry) for symmetry in symmetries})
    assert symmetries[0].cells == tuple(range(pv.game(spec).board.size)) and str(symmetries[0]) == "identity"
    for one in symmetries[:24]:
        assert group[one.inverse.cells] == one.inverse and one.inverse.inverse.moves == one.moves
        assert (one.inverse.degrees, one.inverse.is_mirrored) == (
            group[one.inverse.cells].degrees, group[one.inverse.cells].is_mirrored)
        for other in symmetries[:24]:
            assert tuple(other.cells[cell] for cell in one.cells) in group


@pytest.mark.parametrize("spec", ["othello", "othello-5", "othello:width=6,height=4", "octagon", "blackhole",
                                  "cylinder-4", "torus-4", "hex", "hex:side=3", "othello:holes=a1+b1"])
def test_against_a_search_without_coordinates(spec: str) -> None:
    game = pv.game(spec)
    assert {symmetry.cells for symmetry in game.symmetries} == plain_symmetries(game.board)


def test_special_tiles_and_opening_cells_stay_where_they_are() -> None:
    game = xt_game(XtMap.parse("2 0 1 0  3 3  1 2 c  0 0 0  0 0 0"))
    mirror, = [symmetry for symmetry in game.symmetries if str(symmetry) != "identity"]
    assert mirror.cells[2] == 2 and mirror.move(game.move("2,0:1")) == game.move("2,0:1")
    board = rectangle(4, 4)
    lopsided = pv.Game("lopsided", pv.Definition(board, (0,) * 16, opening=(5, 6)))
    assert [str(symmetry) for symmetry in lopsided.symmetries] == ["identity", "mirror image, a1 to d1"]


@pytest.mark.parametrize("spec", [spec for spec in GAMES if spec != "xt:starfish"])
def test_nothing_changes_but_the_place(spec: str) -> None:
    game = pv.game(spec)
    state = game.start(seed=5)
    for number in range(6):
        state = state.play(state.moves[number % len(state.moves)])
    for symmetry in game.symmetries[:16]:
        other = state.transform(symmetry)
        assert other.perft(3) == state.perft(3) and other.scores == state.scores and other.turn == state.turn
        assert {*other.moves} == {symmetry.move(move) for move in state.moves}
        for move in state.moves[:4]:
            assert other.play(symmetry.move(move)) == state.play(move).transform(symmetry)
        assert other.transform(symmetry.inverse) == state
        assert other.canonical()[0] == state.canonical()[0]
    canonical, symmetry = state.canonical()
    assert state.transform(symmetry) == canonical


def test_xt_games_keep_stocks_and_phase() -> None:
    game = pv.game("xt:arena,players=2")
    state = game.start()
    for number in range(12):
        state = state.play(state.moves[number % len(state.moves)])
    for symmetry in game.symmetries:
        other = state.transform(symmetry)
        assert (other.overrides, other.bombs, other.phase, other.last) == (
            state.overrides, state.bombs, state.phase, state.last)
        assert other.perft(2) == state.perft(2)


def test_which_symmetries_a_position_has() -> None:
    start = pv.game("othello").start()
    assert {str(symmetry) for symmetry in start.symmetries} == {
        "identity", "rotation by 180°, a1 to h8", "mirror image, rotation by 90°, a1 to h8",
        "mirror image, rotation by 270°, a1 to a1"}
    moves = {symmetry.move(start.moves[0]) for symmetry in start.symmetries}
    assert moves == {*start.moves}


def test_a_symmetry_of_another_board() -> None:
    with pytest.raises(pv.VariantError, match="the symmetry is of another board than that of othello-6"):
        pv.game("othello-6").start().transform(pv.game("othello").symmetries[1])


def test_large_boards_with_joined_edges_have_no_translations() -> None:
    board = joined(rectangle(20, 20), columns=True, rows=True)
    game = pv.Game("large", pv.Definition(board, (0,) * 400))
    assert len(game.symmetries) == 8


@pytest.mark.parametrize("spec", ["othello", "anti-6", "hex", "reversi", "torus-4", "xt:arena,players=2"])
def test_flip_exchanges_the_seats(spec: str) -> None:
    state = pv.game(spec).start(seed=3)
    for number in range(20):
        if state.is_over:
            break
        flipped = state.flip()
        assert flipped.scores == state.scores[::-1] and flipped.flip() == state
        assert flipped.turn == 3 - state.turn and flipped.moves == state.moves
        assert flipped.bombs == state.bombs[::-1] and flipped.overrides == state.overrides[::-1]
        move = state.moves[number % len(state.moves)]
        state = state.play(move)
        assert flipped.play(move) == state.flip()


def test_only_two_seats_are_exchanged() -> None:
    with pytest.raises(pv.VariantError, match="flip exchanges two seats; rolit has 4"):
        pv.game("rolit").start().flip()


def test_what_is_not_a_symmetry_or_a_move() -> None:
    state = pv.game("othello").start()
    with pytest.raises(pv.VariantError, match="90 is not a symmetry; choose one of"):
        state.transform(90)  # type: ignore[arg-type]
    quarter = state.game.symmetries[1]
    assert quarter.move("F5") == quarter.move(state.game.move("f5"))
    with pytest.raises(pv.NotationError, match="'z5' is not a move on this board"):
        quarter.move("z5")
