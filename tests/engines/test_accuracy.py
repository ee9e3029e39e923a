"""Accuracy: positions are solved as plain search solves them, and errors are those of the searches."""

from __future__ import annotations

import polyversi as pv
from benchmarks.accuracy import game_positions, solved
from polyversi.engines.accuracy import SHIPPED_POSITIONS, measure
from polyversi.records import positions
from polyversi.records.problems import Problem
from tests.testing.reference_search import Plain, seen_by_mover


def test_solved_positions_have_all_best_moves() -> None:
    game = pv.game("othello-4")
    plain = Plain(game)
    for state in game_positions(pv.game("othello-4"), [6] * 5, seed=3):
        after = {str(move): -plain.value(*seen_by_mover(state.play(move))) for move in state.moves}
        best = max(after.values())
        expected = {move for move, value in after.items() if value == best}
        problem = solved(state)
        assert problem.expected == best and {str(move) for move in problem.best} == expected


def test_positions_depend_on_the_seed_and_have_the_empty_cells_asked_for() -> None:
    game = pv.game("othello-6")
    first, again, other = (
        [state.text for state in game_positions(game, [14, 15, 16], seed)] for seed in (1, 1, 2))
    assert first == again != other
    assert [text.count("-") for text in first] == [14, 15, 16]


def test_an_exact_search_is_accurate() -> None:
    states = list(game_positions(pv.game("othello-6"), [10] * 4, seed=1))
    found = measure([solved(state) for state in states], 10)
    assert (found.positions, found.best, found.near, found.error, found.bias) == (4, 1.0, 1.0, 0.0, 0.0)
    assert found.nodes > 0


def test_errors_are_measured() -> None:
    """With values five stones too high, searches are five stones too low."""
    states = list(game_positions(pv.game("othello-6"), [10] * 4, seed=1))
    shifted = []
    for problem in map(solved, states):
        shifted.append(Problem(problem.state, tuple((move, value + 5) for move, value in problem.answers
                                                    if value is not None)))
    found = measure(shifted, 10)
    assert (found.best, found.near, found.error, found.bias) == (1.0, 0.0, 5.0, -5.0)


def test_shipped_positions_are_solved() -> None:
    shipped = list(positions(SHIPPED_POSITIONS))
    assert len(shipped) >= 60
    for problem in shipped:
        assert problem.expected is not None and problem.best
        assert len(problem.state.moves) > 3 and 20 <= problem.state.tiles.count(0) <= 30
    assert len({problem.state.text for problem in shipped}) == len(shipped)
