"""The matrix player: its terms computed by hand, its options, and games against random."""

from __future__ import annotations

import pytest

import polyversi as pv
from polyversi.players.minimax import ADJUSTED, MATRICES, ORIGINAL, matrix_evaluation
from polyversi.players.search import Search, Searcher
from tests.soak.strength import duel, points_against_random
from tests.testing.marks import slow_but
from tests.testing.reference_evaluations import matrix_terms, some_states, stable_stones

PLAYED = ("anti", "anti:start=parallel", "reversi:goal=fewest")

DRAWING = """
    X X O - - - - -
    X O - - - - - -
    O - - - - - - -
    - - - O X - - -
    - - - X O - - -
    - - - - - - - -
    - - - - - - X -
    - - - - - - - O
"""


def position(drawing: str) -> pv.State:
    return pv.game("anti").position("".join(drawing.split()) + " X")


def test_terms_by_hand() -> None:
    state = position(DRAWING)
    # Mine a1 b1 a2 e4 d5 g7: −100 + 25 + 25 − 1 − 1 + 45 = −7; theirs c1 b2 a3 d4 e5 h8: −1 + 45 − 1 − 1 − 1
    # − 100 = −59. Stable are my corner a1 with b1 and a2 beside it, and their corner h8.
    assert matrix_evaluation().terms(state, 1) == {"position": -7 + 59, "stability": 1 - 3}
    assert matrix_evaluation().terms(state, 2) == {"position": -59 + 7, "stability": 3 - 1}
    # With the original matrix −500 + 50 + 50 − 1 − 1 + 45 = −357 and −1 + 45 − 1 − 1 − 1 − 500 = −459.
    assert matrix_evaluation(matrix="original").terms(state, 1) == {"position": -357 + 459, "stability": -2}
    assert matrix_evaluation(0.7)(state, 1) == pytest.approx(0.7 * 52 + 0.3 * -2)
    assert matrix_evaluation(0.5)(state, 1) == pytest.approx(0.5 * 52 + 0.5 * -2)
    assert matrix_evaluation(0.9, "original")(state, 2) == pytest.approx(0.9 * -102 + 0.1 * 2)


def test_stable_stones_on_full_lines_by_hand() -> None:
    """All cells but a8 are taken, by white but for d3 and e4."""
    rows = [["O"] * 8 for _ in range(8)]
    rows[2][3] = rows[3][4] = "X"
    rows[7][0] = "-"
    state = position(" ".join("".join(row) for row in rows))
    # d3: all its lines are full, so it is stable. e4 lies on the diagonal of a8 between stones of the other
    # colour: not stable. On that diagonal h1, g2 and f3 hold on to the edge; d5, c6 and b7 would be turned by
    # a8. The other white stones lie on full lines or, in column a and row 8, hold on to the edge: 61 − 3.
    assert matrix_evaluation().terms(state, 1)["stability"] == 58 - 1
    assert set(state.turned("a8")) == {state.board.cell(name) for name in ("b7", "c6", "d5")}


@pytest.mark.parametrize("spec", [*PLAYED, "othello"])
def test_terms_equal_those_of_the_plain_implementation(spec: str) -> None:
    for state in some_states(spec, 40):
        for seat in (1, 2):
            for name, matrix in MATRICES.items():
                terms = matrix_evaluation(matrix=name).terms(state, seat)
                assert terms == matrix_terms(state, seat, matrix)


def test_stable_stones_stay() -> None:
    checked = 0
    for state in some_states("anti", 60, seed=1):
        stable = [state.board.at(*place) for place in stable_stones(state, 1)]
        end = state.playout(seed=1)
        for cell in stable:
            assert cell is not None
            assert end.tiles[cell] == state.tiles[cell]
            checked += 1
    assert checked > 100


def test_matrices_are_symmetric() -> None:
    for matrix in (ADJUSTED, ORIGINAL):
        assert [len(row) for row in matrix] == [8] * 8
        assert matrix == matrix[::-1] == tuple(row[::-1] for row in matrix)
        assert matrix == tuple(zip(*matrix, strict=True))
    assert (ADJUSTED[0][:4], ORIGINAL[0][:4]) == ((-100, 25, -1, -5), (-500, 50, -1, -5))
    different = {(x, y) for y in range(4) for x in range(4) if ADJUSTED[y][x] != ORIGINAL[y][x]}
    assert different == {(0, 0), (1, 0), (0, 1)}


def searched(state: pv.State, options: str) -> Search:
    player = pv.player(f"matrix:{options}")
    assert isinstance(player, Searcher)
    return player.search(state)


def test_with_and_without_pruning_it_plays_the_same() -> None:
    plain_nodes = pruned_nodes = 0
    for state in some_states("anti", 60, seed=2):
        for options in ("depth=3", "depth=3,matrix=original", "depth=3,gamma=0.5"):
            plain, pruned = (searched(state, f"{options},pruning={pruning}") for pruning in ("no", "yes"))
            assert (plain.move, plain.value) == (pruned.move, pruned.value)
            plain_nodes, pruned_nodes = plain_nodes + plain.nodes, pruned_nodes + pruned.nodes
    assert pruned_nodes < plain_nodes / 2


def test_options() -> None:
    given = pv.player("matrix", gamma=0.5, matrix="original", pruning=False, depth=2)
    assert pv.player("matrix:gamma=0.5,matrix=original,pruning=no,depth=2") == given
    for wrong in ("gamma=1.5", "matrix=other", "depth=0"):
        with pytest.raises(pv.PlayerError, match=f"matrix cannot take {wrong}; write"):
            pv.player(f"matrix:{wrong}")
    with pytest.raises(pv.PlayerError, match=r"cannot take matrix='other'; write matrix=adjusted\|original"):
        pv.player("matrix", matrix="other")


def test_what_it_plays() -> None:
    player = pv.player("matrix")
    assert [player.unsuited(pv.game(spec)) for spec in PLAYED] == [None] * len(PLAYED)
    assert "fewest stones win" in (player.unsuited(pv.game("othello")) or "")
    for spec in ("anti-6", "octagon:goal=fewest", "torus:goal=fewest", "anti-hex", "rolit:goal=fewest"):
        assert player.unsuited(pv.game(spec))


@pytest.mark.parametrize("spec", slow_but(PLAYED, "anti"))
def test_200_games_against_random(spec: str) -> None:
    assert points_against_random(spec, "matrix:depth=1", games=200) > 160


def test_fewer_stable_stones_are_better() -> None:
    """The sign of stability: alone it beats random clearly."""
    won, _, lost = duel("anti", pv.player("matrix:gamma=0,depth=2"), pv.player("random", seed=1), games=60)
    assert won > 10 * lost
