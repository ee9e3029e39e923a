"""The players of the HexaReversi course, on positions small enough to count by eye."""

from __future__ import annotations

from collections import Counter

import pytest

import polyversi as pv
from polyversi.games.board import Board, hexagon, joined, octagon, rectangle
from polyversi.games.definition import Goal
from polyversi.games.xt import xt_game
from polyversi.games.xtmap import XtMap
from polyversi.players import hexareversi
from polyversi.players.hexareversi import T77_VALUES, T97_VALUES, kinds
from tests.soak.course_order import meet

T97 = """
9 3 6 3 9
3 1 2 2 1 3
6 2 3 3 3 2 6
3 2 3 3 3 3 2 3
9 1 3 3 3 3 3 1 9
3 2 3 3 3 3 2 3
6 2 3 3 3 2 6
3 1 2 2 1 3
9 3 6 3 9
"""
T77 = """
9 2 6 2 9
2 1 2 2 1 2
6 2 4 3 4 2 6
2 2 3 3 3 3 2 2
9 1 4 3 3 3 4 1 9
2 2 3 3 3 3 2 2
6 2 4 3 4 2 6
2 1 2 2 1 2
9 2 6 2 9
"""


def hexagonal(x: set[int], o: set[int], spec: str = "hex") -> pv.State:
    """A position with red stones and blue stones on the cells of those numbers, red to move."""
    game = pv.game(spec)
    numbers = [game.board.number(cell) for cell in range(game.board.size)]
    return game.position("".join("X" if n in x else "O" if n in o else "-" for n in numbers) + " X")


def choice(player: str, state: pv.State, **options: object) -> int:
    """The number of the cell the player takes, 0 for a pass."""
    move = pv.player(player, **options).choose(state)
    return 0 if move.is_pass else state.board.number(move.cell)


CROSSROADS = {53, 54, 55, 64}, {52, 65, 66, 67}
"""Red can take the corner 51 or 68 on the edge, which turns three stones, or 75, 76, 77 inside."""


@pytest.mark.parametrize(("values", "table"), [(T97_VALUES, T97), (T77_VALUES, T77)])
def test_the_rule_gives_the_tables_of_the_course(values: dict[str, int], table: str) -> None:
    assert [values[kind] for kind in kinds(hexagon(5))] == [int(number) for number in table.split()]


def drawn(board: Board) -> list[str]:
    """What each cell of a board is, a letter a cell, row by row."""
    letters = {"corner": "C", "beside corner": "b", "edge": "e", "inside corner": "x", "towards corner": "t",
               "inside edge": "i", "inner": "."}
    found = {place: letters[kind] for place, kind in zip(board.coordinates, kinds(board), strict=True)}
    return ["".join(found.get((x, y), " ") for x in range(board.width)) for y in range(board.height)]


def test_what_cells_are_on_other_boards() -> None:
    assert drawn(rectangle(8, 6)) == ["CbeeeebC", "bxiiiixb", "eit..tie", "eit..tie", "bxiiiixb", "CbeeeebC"]
    assert drawn(rectangle(4, 4)) == ["CbbC", "bxxb", "bxxb", "CbbC"]
    assert drawn(octagon(8))[:4] == ["  CbbC  ", " bxxxxb ", "CxittixC", "bxt..txb"]
    assert drawn(joined(rectangle(6, 3), columns=True, rows=False)) == ["eeeeee", "iiiiii", "eeeeee"]
    assert drawn(joined(rectangle(6, 4), columns=True, rows=True)) == ["......"] * 4


def test_greedy_draws_in_proportion_to_the_stones_turned() -> None:
    player, state = pv.player("greedy", seed=1), hexagonal(*CROSSROADS)
    drawn = Counter(state.board.number(player.choose(state).cell) for _ in range(7000))
    assert set(drawn) == {51, 68, 75, 76, 77}
    assert all(abs(drawn[cell] - 1000) < 150 for cell in (51, 75, 76, 77))
    assert abs(drawn[68] - 3000) < 150


def test_greedy_where_the_fewest_stones_win() -> None:
    player, state = pv.player("greedy", seed=1), hexagonal(*CROSSROADS, spec="hex:goal=fewest")
    drawn = Counter(state.board.number(player.choose(state).cell) for _ in range(9000))
    assert all(abs(drawn[cell] - 2000) < 150 for cell in (51, 75, 76, 77))
    assert abs(drawn[68] - 1000) < 150


def test_greedy_without_anything_to_turn() -> None:
    player, state = pv.player("greedy", seed=1), pv.game("reversi").start()
    assert {str(player.choose(state)) for _ in range(100)} == {"d4", "e4", "d5", "e5"}


@pytest.mark.parametrize(("goal", "best"), [("most", "4,0"), ("fewest", "1,0")])
def test_bombs_hit_others_more_than_oneself(goal: Goal, best: str) -> None:
    game = xt_game(XtMap.parse("3 0 1 1  1 8  0 1 1 2 3 2 0 0"), goal=goal)
    state = game.position("01123200 1 phase=bomb bombs=1/0/0")
    gains = [hexareversi.gain(state, move) for move in state.moves]
    sign = 1 if goal == "most" else -1
    assert [sign * stones for stones in gains] == [-1, -2, -1, 1, 3, 2, 1, 0]
    assert str(pv.player("mobility").choose(state)) == best
    thrown = {str(pv.player("value", seed=seed).choose(state)) for seed in range(50)}
    assert thrown == {f"{x},0" for x, stones in enumerate(gains) if stones > 0}


def test_value_takes_the_best_cell_and_draws_among_equals() -> None:
    assert choice("value", hexagonal(*CROSSROADS)) == 51
    assert choice("value", hexagonal(*CROSSROADS, spec="hex:goal=fewest")) == 68
    inside = hexagonal({53, 54, 55, 64}, {65, 66, 67})
    player = pv.player("value", seed=1)
    assert {inside.board.number(player.choose(inside).cell) for _ in range(100)} == {75, 76, 77}
    # 36 is worth 2. 44 and 57 are worth 3: 44 turns one stone, 57 two.
    uneven = hexagonal({54, 66}, {55, 56, 46})
    drawn = Counter(uneven.board.number(player.choose(uneven).cell) for _ in range(3000))
    assert set(drawn) == {44, 57}
    assert abs(drawn[57] - 2000) < 150


def test_mobility_leaves_the_fewest_replies() -> None:
    state = hexagonal(*CROSSROADS)
    counts = {state.board.number(move.cell): hexareversi.replies(state, move)
              for move in state.moves if not move.is_pass}
    # After 68 only 56 is left, behind 53 54 55; after 51 it is 43 44 45 and 63.
    assert counts == {51: 4, 68: 1, 75: 3, 76: 4, 77: 5}
    assert choice("mobility", state) == 68
    assert choice("mobility", hexagonal(*CROSSROADS, spec="hex:goal=fewest")) == 77


def test_t77_divides_by_the_worth_of_the_cell() -> None:
    # 4/9 on the corner, 1/2 on 68, 3/4 on 75, 4/3 on 76, 5/4 on 77.
    assert choice("t77", hexagonal(*CROSSROADS)) == 51
    assert choice("t77", hexagonal(*CROSSROADS, spec="hex:goal=fewest")) == 76
    assert choice("t77", hexagonal({53, 54, 55, 64}, {65, 66, 67})) == 68


def test_the_first_of_equals_is_taken() -> None:
    start = pv.game("othello").start()
    assert {str(pv.player(name).choose(start)) for name in ("mobility", "t77", "t34")} == {"d3"}


def test_t34_counts_replies() -> None:
    alone = hexagonal({64}, {65})
    assert hexareversi.outlook(alone, alone.game.move("66")) == 3    # nothing left to reply with, and ahead
    behind = hexagonal({64}, {65, 11, 12, 13, 14})
    assert hexareversi.outlook(behind, behind.game.move("66")) == 1
    state = hexagonal(*CROSSROADS)
    # After 75, which turns 65: 56 turns three back and 63 two, which is worse than now; 44 turns one: as now.
    assert hexareversi.outlook(state, state.game.move("75")) == 1 - 1 - 1 + 0
    # After 68, which turns three, 56 turns three back: as now.
    assert hexareversi.outlook(state, state.game.move("68")) == 1 + 0
    player = hexareversi.T34Player()
    counts = {number: player.count(state, state.game.move(str(number))) for number in (51, 68, 75)}
    assert counts == {51: 9999, 68: 1, 75: -1}


def test_t34_knows_corners_edges_and_what_lies_beside_them() -> None:
    assert choice("t34", hexagonal(*CROSSROADS)) == 51
    assert choice("t34", hexagonal(*CROSSROADS, spec="hex:goal=fewest")) != 51
    player = hexareversi.T34Player()
    state = hexagonal({44, 34, 24, 42}, {33, 23, 32})
    moves = {state.board.number(move.cell): move for move in state.moves if not move.is_pass}
    added = {number: player.count(state, move) - hexareversi.outlook(state, move)
             for number, move in moves.items()}
    assert added == {12: -60, 22: -120, 31: 60}


def test_t34_passes_when_it_is_ahead_and_nothing_is_good() -> None:
    ahead, behind = ({44, 55, 66}, {33}), ({44}, {33, 97, 98})
    assert choice("t34", hexagonal(*ahead)) == 0
    assert choice("t34", hexagonal(*behind)) == 22
    assert choice("t34", hexagonal(*ahead, spec="hex:passing=forced")) == 22


@pytest.mark.parametrize("player", ["random", "greedy", "value", "mobility", "t77", "t34"])
def test_without_a_move_they_pass(player: str) -> None:
    assert choice(player, hexagonal({11}, {99})) == 0


def test_t34_says_what_it_does_not_play() -> None:
    player = pv.player("t34")
    assert "one opponent" in (player.unsuited(pv.game("rolit")) or "")
    assert "bombs" in (player.unsuited(pv.game("xt:arena")) or "")


@pytest.mark.parametrize("opponent", ["random", "greedy", "value", "t34"])
def test_t77_wins(opponent: str) -> None:
    """The order of strength in short; `python -m tests.soak.course_order` has all of it."""
    won = meet("t77", opponent, 20)["first"] + meet(opponent, "t77", 20)["second"]
    assert won >= (34 if opponent in ("random", "greedy") else 24)


@pytest.mark.parametrize(("stronger", "weaker"), [("t34", "random"), ("value", "greedy")])
def test_the_others_win_against_dice(stronger: str, weaker: str) -> None:
    won = meet(stronger, weaker, 20)["first"] + meet(weaker, stronger, 20)["second"]
    assert won >= 28
