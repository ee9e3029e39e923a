"""The reference alone, against positions worked out by hand and against published counts and values."""

from collections.abc import Callable
from itertools import product

import pytest

from tests.testing.marks import slow

from . import (
    PASS,
    RefGame,
    RefState,
    Steps,
    cross,
    from_xt_map,
    hexagon,
    neighbours,
    parallel,
    rectangle,
    rectangle_cells,
    ring,
    torus,
)
from .boards import opposite


def othello(width: int, height: int, start: Callable[[int, int], tuple[int, ...]] = cross) -> RefGame:
    return RefGame(rectangle(width, height), 8, start(width, height))


def hex_ring(side: int) -> RefGame:
    return RefGame(hexagon(side), 6, ring(side))


def row(*tiles: int, **rules: object) -> RefGame:
    """A game on a single row of cells."""
    return RefGame(rectangle(len(tiles), 1), 8, tiles, **rules)  # type: ignore[arg-type]


def xt(text: str) -> RefState:
    return RefState.start(from_xt_map(text))


@pytest.mark.parametrize(
    ("steps", "directions"),
    [
        (rectangle(5, 4), 8),
        (torus(5, 4), 8),
        (hexagon(4), 6),
        (neighbours("square", rectangle_cells(3, 1), [(0, 6, 2, 1), (1, 0, 1, 4), (1, 1, 1, 1)]), 8),
    ],
)
def test_every_step_can_be_taken_back(steps: Steps, directions: int) -> None:
    for (cell, direction), (to, heading) in steps.items():
        assert steps[to, opposite(heading, directions)] == (cell, opposite(direction, directions))


@pytest.mark.parametrize(
    ("game", "counts"),
    [
        slow(othello(8, 8), [4, 12, 56, 244, 1396], id="8x8"),
        pytest.param(othello(6, 6), [4, 12, 56, 244, 1364], id="6x6"),
        slow(othello(4, 4), [4, 12, 44, 128, 424, 1256, 3624, 9116], id="4x4"),
        slow(othello(10, 10), [4, 12, 56, 244], id="10x10"),
        pytest.param(othello(8, 8, parallel), [4, 14, 68, 292], id="8x8 parallel"),
        pytest.param(hex_ring(3), [6, 18, 30, 42, 48, 48], id="hexagon 3"),
        slow(hex_ring(4), [6, 24, 72, 234, 738], id="hexagon 4"),
        slow(hex_ring(5), [6, 24, 72, 234, 780], id="hexagon 5"),
    ],
)
def test_perft(game: RefGame, counts: list[int]) -> None:
    start = RefState.start(game)
    assert [start.perft(depth) for depth in range(1, len(counts) + 1)] == counts


Symmetry = list[int]
Known = dict[tuple[int, tuple[int, ...]], tuple[int, int]]


def square_symmetries(side: int) -> list[Symmetry]:
    """The eight ways to turn and mirror a square, each as the cell that comes to lie on every cell."""
    rows = [list(range(side * y, side * y + side)) for y in range(side)]
    columns = [list(column) for column in zip(*rows, strict=True)]
    return [
        [cell for line in lines[::down] for cell in line[::across]]
        for lines, down, across in product((rows, columns), (1, -1), (1, -1))
    ]


def solve(state: RefState, symmetries: list[Symmetry], known: Known) -> tuple[int, int]:
    """Seat 1's stones less seat 2's after best play, where most and where fewest stones win."""
    if state.over:
        first, second = state.scores()
        return first - second, second - first
    key = state.turn, min(tuple(state.tiles[cell] for cell in symmetry) for symmetry in symmetries)
    if key not in known:
        values = [solve(state.play(*move), symmetries, known) for move in state.legal_moves()]
        best = max if state.turn == 1 else min
        known[key] = best(most for most, _ in values), best(fewest for _, fewest in values)
    return known[key]


@pytest.mark.parametrize(
    ("game", "symmetries", "most", "fewest"),
    [
        slow(othello(4, 4), square_symmetries(4), -8, 3, id="4x4"),
        slow(othello(4, 4, parallel), square_symmetries(4), -3, 0, id="4x4 parallel"),
        pytest.param(hex_ring(3), [list(range(19))], -4, -2, id="hexagon 3"),
    ],
)
def test_solved_values(game: RefGame, symmetries: list[Symmetry], most: int, fewest: int) -> None:
    assert solve(RefState.start(game), symmetries, {}) == (most, fewest)


# Turns, passes and ends


def test_othello_first_move() -> None:
    state = RefState.start(othello(8, 8))
    assert state.legal_moves() == [(19, 0), (26, 0), (37, 0), (44, 0)]  # d3 c4 f5 e6
    after = state.play(37)
    assert state.turned(37) == {36}
    assert (after.turn, after.scores()) == (2, (4, 1))
    assert after.legal_moves() == [(29, 0), (43, 0), (45, 0)]  # f4 d6 f6
    with pytest.raises(ValueError, match="cannot play cell 0"):
        after.play(0)


def test_forced_pass_is_the_only_move_and_not_counted() -> None:
    state = RefState.start(row(2, 1, 0))
    assert state.legal_moves() == [PASS]
    after = state.play(*PASS)
    assert (after.turn, after.passes, after.legal_moves()) == (2, 0, [(2, 0)])
    end = after.play(2)
    assert (end.reason, end.turn, end.scores(), end.legal_moves()) == ("board full", 0, (0, 3), [])


def test_nobody_can_move() -> None:
    result = RefState.start(row(1, 0, 0, 2)).result()
    assert result is not None
    assert (result.reason, result.verdict) == ("no moves", "draw")
    assert (result.ranks, result.points, result.winners) == ((1, 1), (0.5, 0.5), (1, 2))


def test_free_passes_end_the_game_when_everybody_passes() -> None:
    state = RefState.start(row(0, 1, 2, 0, 0, passing="free"))
    assert state.legal_moves() == [(3, 0), PASS]
    once = state.play(*PASS)
    assert (once.passes, once.turn, once.over) == (1, 2, False)
    moved = once.play(0)
    assert (moved.passes, moved.turn) == (0, 1)
    assert moved.legal_moves() == [PASS]  # nobody has a stone to put down, yet the game goes on
    assert moved.play(*PASS).play(*PASS).reason == "passes"


def test_free_passes_of_three_seats() -> None:
    state = RefState.start(row(1, 2, 3, 0, passing="free", seats=3))
    twice = state.play(*PASS).play(*PASS)
    assert (twice.turn, twice.passes, twice.over) == (3, 2, False)
    assert twice.play(*PASS).reason == "passes"


def test_three_seats_capture_each_other() -> None:
    state = RefState.start(row(1, 2, 3, 0, seats=3))
    assert state.turned(3) == {1, 2}
    result = state.play(3).result()
    assert result is not None
    assert (result.reason, result.ranks, result.points) == ("board full", (1, 2, 2), (1, 0, 0))


def test_opening_cells_come_first_and_capture_nothing() -> None:
    state = RefState.start(RefGame(rectangle(4, 4), 8, (0,) * 16, opening=(5, 6, 9, 10)))
    for cell in (5, 6, 9):
        assert (cell, 0) in state.legal_moves()
        assert state.turned(cell) == set()
        state = state.play(cell)
    assert state.legal_moves() == [(10, 0)]
    state = state.play(10)
    assert (state.tiles[5:7], state.tiles[9:11], state.turn) == ((1, 2), (1, 2), 1)
    assert state.legal_moves() == [(3, 0), (7, 0), (11, 0), (15, 0)]


def test_rolit_captures_if_it_can_and_touches_otherwise() -> None:
    state = RefState.start(row(0, 1, 2, 0, 0, 3, 0, seats=4, placing="adjacent"))
    assert state.legal_moves() == [(3, 0)]
    state = state.play(3)
    assert state.legal_moves() == [(0, 0), (4, 0), (6, 0)]  # seat 2 has no stone left
    assert state.turned(0) == set()
    state = state.play(0)
    assert (state.turn, state.legal_moves()) == (3, [(4, 0), (6, 0)])
    assert state.play(4).tiles == (2, 1, 1, 1, 3, 3, 0)


def test_fewest_stones_win() -> None:
    result = RefState.start(row(1, 2, 0, goal="fewest")).play(2).result()
    assert result is not None
    assert (result.ranks, result.points, result.winners, result.verdict) == ((2, 1), (0, 1), (2,), "win")


def test_a_line_that_comes_home_turns_nothing() -> None:
    steps = torus(4, 1)
    assert RefState.start(RefGame(steps, 8, (0, 2, 2, 2)), turn=1).reason == "no moves"
    assert RefState.start(RefGame(steps, 8, (0, 2, 1, 2)), turn=1).turned(0) == {1, 3}


# XT: stones


def test_xt_collects_any_stone_and_expansion_stones() -> None:
    state = xt("3 0 1 0  1 5  0 2 x 3 1")
    assert (state.turn, state.turned(0)) == (1, {1, 2, 3})
    assert state.play(0).tiles == (1, 1, 1, 1, 1)


@pytest.mark.parametrize("stop", ["0", "c", "i", "b", "-"])
def test_xt_line_fails_at_a_free_tile_or_hole(stop: str) -> None:
    assert xt(f"2 0 1 0  1 4  0 2 {stop} 1").phase == "bomb"  # nobody can build


def test_xt_overrides() -> None:
    state = xt("2 1 1 0  1 7  1 2 1 x 0 0 2")
    # Its own stones capture the 2 between them, the 2 itself nothing; x needs none; the free tile takes x.
    assert state.legal_moves() == [(0, 0), (2, 0), (3, 0), (4, 0)]
    after = state.play(0)
    assert (after.tiles, after.overrides, after.turn) == ((1, 1, 1, 13, 0, 0, 2), (0, 1), 2)
    assert after.legal_moves() == [(3, 0)]  # the expansion stone needs no capture
    end = after.play(3)
    assert (end.tiles, end.overrides) == ((1, 1, 1, 2, 0, 0, 2), (0, 0))
    assert end.play(4).tiles == (1, 1, 1, 1, 1, 0, 2)


def test_xt_override_of_an_enemy_stone_captures_beyond_it() -> None:
    state = xt("2 1 1 0  1 4  2 2 2 1")
    assert state.legal_moves() == [(0, 0), (1, 0)]
    assert state.play(0).tiles == (1, 1, 1, 1)


def test_xt_line_that_comes_back_fails_even_on_ones_own_stone() -> None:
    state = xt("2 1 1 0  1 3  1 2 2  0 0 6 <-> 2 0 2")
    assert state.turned(0, seat=1) == set()
    assert state.legal_moves() == [(1, 0), (2, 0)]  # from the 2s the line goes round to the 1


def test_xt_line_through_a_transition_of_a_tile_onto_itself() -> None:
    # Out of the right end and back in from above: (2, 0) is met a second time going down, then the row below.
    state = xt("2 0 1 0  2 3  0 2 2 - - 1  2 0 2 <-> 2 0 0")
    assert state.turned(0) == {1, 2}


def test_xt_line_through_a_side_joined_with_itself_fails() -> None:
    """It comes back the way it went, to the stone that is placed: as if there were an edge."""
    assert xt("2 0 1 0  1 8  0 2 2 2 - 0 2 1  3 0 2 <-> 3 0 2").turned(0) == set()
    assert xt("2 0 1 0  1 4  1 2 0 2  3 0 2 <-> 3 0 2").turned(2) == {1}


def test_xt_line_crosses_a_tile_twice() -> None:
    state = xt("2 0 1 0  3 3  0 2 0 0 2 2 0 1 0  2 1 2 <-> 1 0 0")
    assert state.turned(3) == {4, 5, 1}
    assert state.play(3).tiles == (0, 1, 0, 1, 1, 1, 0, 1, 0)


def test_xt_choice_swaps_after_the_captures() -> None:
    state = xt("3 0 1 0  1 5  c 2 1 0 3")
    assert state.legal_moves() == [(0, 1), (0, 2), (0, 3)]
    assert state.play(0, 1).tiles == (1, 1, 1, 0, 3)
    assert state.play(0, 3).tiles == (3, 3, 3, 0, 1)
    with pytest.raises(ValueError, match="special value 0"):
        state.play(0, 0)


def test_xt_choice_of_a_disqualified_seat() -> None:
    assert xt("3 0 1 0  1 5  c 2 1 0 3").disqualify(3).play(0, 3).tiles == (3, 3, 3, 0, 1)


def test_xt_inversion_hands_all_stones_on() -> None:
    state = xt("3 0 1 0  1 5  i 2 1 0 3")
    assert state.legal_moves() == [(0, 0)]
    assert state.play(0).tiles == (2, 2, 2, 0, 1)


def test_xt_bonus() -> None:
    state = xt("2 0 1 0  1 3  b 2 1")
    assert state.legal_moves() == [(0, 20), (0, 21)]
    bomb, override = state.play(0, 20), state.play(0, 21)
    assert (bomb.bombs, bomb.overrides) == ((2, 1), (0, 0))
    assert (override.bombs, override.overrides) == ((1, 1), (1, 0))


def test_xt_skips_who_has_no_move() -> None:
    state = xt("3 0 1 0  1 7  3 1 0 - 1 3 0")
    assert (state.turn, state.last) == (1, 0)
    after = state.play(5)
    assert (after.tiles, after.turn, after.last) == ((3, 1, 0, 1, 1, 1), 3, 1)  # seat 2 has nothing


# XT: bombs, disqualification, results


def test_xt_bombing_begins_after_the_last_mover() -> None:
    state = xt("3 0 1 0  1 3  0 2 1").play(0)
    assert (state.phase, state.turn, state.last) == ("bomb", 2, 1)
    assert state.legal_moves() == [(0, 0), (1, 0), (2, 0)]
    assert state.turned(1) == {1}
    state = state.play(1)
    assert (state.tiles, state.bombs, state.turn, state.last) == ((1, 9, 1), (1, 0, 1), 3, 2)
    assert state.legal_moves() == [(0, 0), (2, 0)]


def test_xt_bombing_skips_who_has_no_bomb() -> None:
    state = xt("2 0 0 0  1 3  b 2 1").play(0, 20)
    assert (state.phase, state.turn) == ("bomb", 1)
    assert state.play(0).reason == "bombs used"


def test_xt_without_a_move_begins_with_the_bombs_of_seat_1() -> None:
    state = xt("2 0 1 0  1 2  1 2")
    assert (state.phase, state.turn, state.last) == ("bomb", 1, 0)
    assert state.play(0).play(1).reason == "no tiles left"


def test_xt_without_bombs_ends_after_building() -> None:
    result = xt("2 0 0 0  1 3  0 2 1").play(0).result()
    assert result is not None
    assert (result.reason, result.points) == ("bombs used", (25, 11))


def test_xt_bomb_spreads_through_transitions_and_round_holes() -> None:
    state = xt("2 0 2 2  3 4  1 0 - 0 - 0 - 2 0 0 - -  0 0 7 <-> 0 2 5")
    cells = [(0, 0), (1, 0), (3, 0), (1, 1), (3, 1), (0, 2), (1, 2)]
    after = state.play(0)
    # One step: (1, 0) and (1, 1), and (0, 2) through the transition; two steps: (1, 2).
    assert [cell for cell, tile in zip(cells, after.tiles, strict=True) if tile != 9] == [(3, 0), (3, 1)]
    assert after.play(2).reason == "no tiles left"


def test_xt_bomb_does_not_pass_a_crater() -> None:
    state = xt("2 0 2 1  1 7  1 0 0 0 0 0 2").play(3)
    assert state.tiles == (1, 0, 9, 9, 9, 0, 2)
    assert state.play(1).tiles == (9, 9, 9, 9, 9, 0, 2)


def test_xt_disqualified_seat_to_move_hands_on_the_turn() -> None:
    state = xt("3 0 1 0  1 9  0 2 1 - 0 3 2 - 3")
    assert state.turn == 1
    after = state.disqualify(1)
    assert (after.turn, after.out, after.tiles) == (2, (1,), state.tiles)
    end = after.play(3)
    assert (end.phase, end.turn, end.last) == ("bomb", 3, 2)
    assert end.play(0).turn == 2


def test_xt_disqualified_seat_not_to_move_leaves_the_turn() -> None:
    after = xt("3 0 1 0  1 3  0 2 1").disqualify(2)
    assert (after.turn, after.out) == (1, (2,))
    assert after.play(0).turn == 3


def test_xt_disqualification_of_the_only_builder_begins_the_bombing_after_the_last_mover() -> None:
    state = xt("3 0 1 0  1 8  0 2 1 - 0 1 3 -").play(0)
    assert (state.turn, state.last) == (3, 1)
    state = state.disqualify(3)
    assert (state.phase, state.turn) == ("bomb", 2)


def test_xt_disqualification_while_bombing() -> None:
    state = xt("3 0 1 0  1 3  1 2 3").disqualify(1)
    assert (state.phase, state.turn) == ("bomb", 2)
    with pytest.raises(ValueError, match="out already"):
        state.disqualify(1)


def test_xt_last_seat_ends_the_game_at_once() -> None:
    end = xt("3 0 1 0  1 5  0 2 1 0 3").disqualify(3).disqualify(1)
    result = end.result()
    assert result is not None
    assert (end.turn, end.phase, result.reason) == (0, "build", "one seat left")
    assert (result.ranks, result.points, result.winners) == ((2, 1, 2), (-50, 25, -50), (2,))


def test_xt_the_last_two_may_be_lost_at_once() -> None:
    end = xt("2 0 1 0  1 3  0 1 2").disqualify(2).disqualify(1)
    result = end.result()
    assert result is not None
    assert (end.turn, result.reason, result.ranks) == (0, "no seat left", (2, 2))
    assert (result.points, result.winners) == ((-50, -50), ())
    with pytest.raises(ValueError, match="out already"):
        end.disqualify(1)


def test_xt_ties_share_the_better_rank() -> None:
    result = xt("4 0 0 0  1 7  1 - 2 2 - 3 3").result()
    assert result is not None
    assert (result.ranks, result.points) == ((3, 1, 1, 4), (5, 25, 25, 2))
    assert (result.winners, result.verdict) == ((2, 3), "draw")
