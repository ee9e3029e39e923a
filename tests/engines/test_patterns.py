"""Patterns: they cover a board, are alike under every symmetry, and the core reads them as they lie."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

import polyversi as pv
from polyversi import _core
from polyversi.engines.patterns import MAX_CELLS, MAX_PATTERNS, MIN_LINE, pattern_classes, symmetries
from polyversi.engines.weights import Tables, tables_of

SPECS = (
    "othello", "othello-4", "othello-5", "othello-6", "anti", "othello:width=8,height=4", "octagon",
    "octagon-6", "blackhole", "othello-6:holes=a1+c5+f3", "othello:holes=b2+d3+g7+h1", "hex:passing=forced",
    "hex:side=3,start=ring", "hex:side=4,start=ring",
)
PHASES = 4


def positions(game: pv.Game, count: int) -> list[pv.State]:
    """Positions of random games."""
    rng = Random(game.spec)
    found: list[pv.State] = []
    while len(found) < count:
        state = game.start()
        while not state.is_over:
            found.append(state)
            state = state.play(rng.choice(state.moves))
    return rng.sample(found, count)


def digits(state: pv.State) -> list[int]:
    """What lies on each cell, seen by the seat to move: nothing, an own stone, another's."""
    return [0 if tile == 0 else 1 if tile == state.next_seat else 2 for tile in state.tiles]


def plain_contents(state: pv.State, tables: Tables) -> list[int]:
    """For each pattern the number of what lies in it."""
    stones = digits(state)
    return [first + sum(stones[cell] * 3**place for place, cell in enumerate(cells))
            for cells, first in tables.patterns]


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
    evaluation = _core.PatternEvaluation(game.start(), tables.patterns, 1, nothing)
    bits = _core.cell_bits(game)
    for state in positions(game, 100):
        lies = digits(state)
        words = (sum(1 << bits[cell] for cell in range(len(bits)) if lies[cell] == whose) for whose in (1, 2))
        own, other = (np.array([word], np.uint64) for word in words)
        assert evaluation.pattern_indices(own, other).tolist() == [plain_contents(state, tables)]


@pytest.mark.parametrize("spec", SPECS)
def test_value_is_the_sum_of_the_weights_of_the_phase(spec: str) -> None:
    game = pv.game(spec)
    tables = tables_of(game.board)
    weights = random_weights(tables)
    evaluation = _core.PatternEvaluation(game.start(), tables.patterns, PHASES, weights.reshape(-1))
    for state in positions(game, 100):
        stones = len(state.tiles) - state.tiles.count(0)
        phase = stones * PHASES // (len(state.tiles) + 1)
        assert evaluation.value(state) == weights[phase, plain_contents(state, tables)].sum() / 32


@pytest.mark.parametrize("spec", SPECS)
def test_values_are_invariant_under_symmetry(spec: str) -> None:
    game = pv.game(spec)
    tables = tables_of(game.board)
    weights = random_weights(tables).reshape(-1)
    evaluation = _core.PatternEvaluation(game.start(), tables.patterns, PHASES, weights)
    turns = symmetries(game.board)
    for state in positions(game, 20):
        stones, _, mover = state.text.rpartition(" ")
        for to in turns:
            moved = [""] * len(to)
            for cell, stone in enumerate(stones):
                moved[to[cell]] = stone
            image = game.position("".join(moved) + f" {mover}")
            assert evaluation.value(image) == evaluation.value(state), image.text
