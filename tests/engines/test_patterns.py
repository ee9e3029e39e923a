"""Patterns: they cover a board, are alike under every symmetry, and the core reads them as they lie."""

from __future__ import annotations

import numpy as np
import pytest

import polyversi as pv
from polyversi import _core
from polyversi.engines.patterns import MAX_CELLS, MAX_PATTERNS, MIN_LINE, pattern_classes, symmetries
from polyversi.engines.weights import MOBILITY_WEIGHTS, Tables, equal_phases, phases_by_parity, tables_of
from tests.testing.late_positions import on_every_kernel
from tests.testing.patterns import plain_contents, positions, words
from tests.testing.weights import made

SPECS = (
    "othello", "othello-4", "othello-5", "othello-6", "anti", "othello:width=8,height=4", "octagon",
    "octagon-6", "blackhole", "othello-6:holes=a1+c5+f3", "othello:holes=b2+d3+g7+h1", "hex:passing=forced",
    "hex:side=3,start=ring", "hex:side=4,start=ring",
)
PHASES = 4


def random_weights(tables: Tables) -> np.ndarray[tuple[int, int], np.dtype[np.int16]]:
    """Weights for every phase, alike for contents that mean the same, and small: sums are bounded."""
    values = np.random.default_rng(1).integers(-7, 8, (PHASES, tables.weights_per_phase), dtype=np.int16)
    return np.ascontiguousarray(values[:, tables.rank])


@pytest.mark.parametrize("spec", SPECS)
def test_pattern_classes_cover_the_board_and_contain_their_images(spec: str) -> None:
    board = pv.game(spec).board
    found = pattern_classes(board)
    covered = {cell for group in found for cells in group.patterns for cell in cells}
    assert covered == set(range(board.size))
    assert sum(len(group.patterns) for group in found) <= MAX_PATTERNS
    for group in found:
        sets = {frozenset(cells) for cells in group.patterns}
        assert len(sets) == len(group.patterns), "each pattern is there once"
        assert MIN_LINE <= group.cells <= MAX_CELLS
        assert all(len(cells) == len(set(cells)) == group.cells for cells in group.patterns)
        for to in symmetries(board):
            assert {frozenset(to[cell] for cell in cells) for cells in sets} == sets


@pytest.mark.parametrize("spec", SPECS)
def test_equivalent_configurations_share_a_canonical_one(spec: str) -> None:
    for group in pattern_classes(pv.game(spec).board):
        canonical = group.canonical
        assert (canonical[canonical] == canonical).all()
        assert (canonical <= np.arange(group.configurations)).all()
        for order in group.symmetric_orders:
            assert sorted(order) == list(range(group.cells))


def test_symmetries_of_boards() -> None:
    counts = {spec: len(symmetries(pv.game(spec).board)) for spec in SPECS}
    assert counts["othello"] == counts["octagon"] == 8
    assert counts["othello:width=8,height=4"] == 4
    assert counts["hex:side=4,start=ring"] == 12
    assert counts["othello-6:holes=a1+c5+f3"] == 1


@pytest.mark.parametrize("spec", SPECS)
def test_core_pattern_indices(spec: str) -> None:
    game = pv.game(spec)
    tables = tables_of(game.board)
    nothing = np.zeros(tables.configurations, np.int16)
    evaluation = _core.PatternEvaluation(game.start(), tables.patterns, [0] * (game.board.size + 1), nothing)
    for state in positions(game, 100):
        own, other = words(state)
        assert evaluation.pattern_indices(own, other).tolist() == [plain_contents(state, tables)]
        ranks = evaluation.pattern_ranks(own, other, tables.rank)
        assert ranks[:, 0].tolist() == tables.rank[plain_contents(state, tables)].tolist()


@pytest.mark.parametrize("spec", SPECS)
def test_value_is_the_sum_of_the_weights_of_the_phase(spec: str) -> None:
    game = pv.game(spec)
    tables = tables_of(game.board)
    weights = random_weights(tables)
    evaluation = _core.PatternEvaluation(
        game.start(), tables.patterns, equal_phases(game.board, PHASES), weights.reshape(-1))
    for state in positions(game, 100):
        stones = len(state.tiles) - state.tiles.count(0)
        phase = stones * PHASES // (len(state.tiles) + 1)
        assert evaluation.value(state) == weights[phase, plain_contents(state, tables)].sum() / 32


@pytest.mark.parametrize("spec", SPECS)
def test_values_are_invariant_under_symmetry(spec: str) -> None:
    game = pv.game(spec)
    tables = tables_of(game.board)
    weights = random_weights(tables).reshape(-1)
    evaluation = _core.PatternEvaluation(
        game.start(), tables.patterns, equal_phases(game.board, PHASES), weights)
    turns = symmetries(game.board)
    for state in positions(game, 20):
        stones, _, mover = state.text.rpartition(" ")
        for to in turns:
            moved = [""] * len(to)
            for cell, stone in enumerate(stones):
                moved[to[cell]] = stone
            image = game.position("".join(moved) + f" {mover}")
            assert evaluation.value(image) == evaluation.value(state), image.text


def stones_of(state: pv.State) -> list[str]:
    """The moves that put a stone down."""
    return [] if state.is_over else [str(move) for move in state.moves if not move.is_pass]


@pytest.mark.parametrize("spec", SPECS)
def test_mobility_on_every_kernel(spec: str) -> None:
    """Moves of both seats as the rules have them; potential moves are empty cells next to the other seat."""
    known: dict[str, list[int]] = {}
    for game in on_every_kernel(pv.game(spec)):
        evaluation = made(spec).evaluation(game)
        for state in positions(game, 40):
            own, other = words(state)
            counts = evaluation.mobility_counts(own, other)[0].tolist()
            moves, their_moves, potential, their_potential = counts
            stones, _, mover = state.text.rpartition(" ")
            turned = game.position(f"{stones} {'XO'[mover == 'X']}")
            assert moves == len(stones_of(state))
            if not turned.is_over and turned.text != state.text:
                assert their_moves == len(stones_of(turned))
            assert moves <= potential <= state.tiles.count(0) >= their_potential >= their_moves
            assert known.setdefault(state.text, counts) == counts, game.kernel


@pytest.mark.parametrize("spec", SPECS)
def test_value_with_mobility_on_every_kernel(spec: str) -> None:
    """A phase for each parity, and for each number of stones a table for each count."""
    weights = made(spec)
    assert weights.mobility is not None
    for game in on_every_kernel(pv.game(spec)):
        tables, evaluation = tables_of(game.board), weights.evaluation(game)
        search = _core.Search(game.start(), 1, 1, evaluation, 0)
        for state in positions(game, 40):
            stones = len(state.tiles) - state.tiles.count(0)
            assert MOBILITY_WEIGHTS == 4 * 64
            counts = evaluation.mobility_counts(*words(state))[0].astype(int) + 64 * np.arange(4)
            phase = phases_by_parity(game.board)[stones]
            units = int(weights.values[phase, tables.rank[plain_contents(state, tables)]].sum())
            units += int(weights.mobility[stones, counts].sum())
            most = len(state.tiles)
            assert evaluation.value(state) == max(-most, min(most, units / 32))
            after = [state.play(move) for move in stones_of(state)]
            if after and state.tiles.count(0) > 1 and not any(one.is_over for one in after):
                found = max(-evaluation.value(one) for one in after)
                assert search.value(state, 1, len(_core.SELECTIVITY) - 1) == found
