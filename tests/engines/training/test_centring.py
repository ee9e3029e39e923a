"""Centring: the evaluation errs no more with an odd number of empty cells than with an even one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random

import numpy as np
import pytest

import polyversi as pv
from polyversi import _core
from polyversi.engines.network import ONE_INPUT, ONE_OUTPUT_WEIGHT
from polyversi.engines.search import EXACT
from polyversi.engines.training.centring import centred
from polyversi.engines.weights import NetworkWeights, Weights, weights_for
from tests.testing.weights import as_tables, made, made_network

OTHELLO = pv.game("othello")
POSITIONS = 200
"""Positions of each parity; the mean error of so many is known to about half a stone."""
DEPTHS = (1, 2, 3, 4, 5, 6)
STONE = ONE_INPUT * ONE_OUTPUT_WEIGHT
"""In the output biases of a network."""


def late_positions(weights: Weights, parity: int) -> Iterator[pv.State]:
    """Positions with 12 to 15 empty cells, of games that begin randomly and go on sensibly."""
    random = Random(parity)
    search = _core.Search(OTHELLO.start(), 1, 1, weights.evaluation(OTHELLO))
    for _ in range(POSITIONS):
        state, stop = OTHELLO.start(), random.choice((12, 14)) + parity
        while state.tiles.count(0) > stop and not state.is_over:
            is_random = state.tiles.count(0) > 48
            best = None if is_random else search.best_move(state, 3, EXACT, None, None)
            state = state.play(random.choice(state.moves) if best is None else best[0])
        if not state.is_over and not state.moves[0].is_pass:
            yield state


def mean_errors(weights: Weights, parity: int) -> list[float]:
    """What values of each depth are above the exact ones, in the mean."""
    search = _core.Search(OTHELLO.start(), 1, 4, weights.evaluation(OTHELLO))
    states = list(late_positions(weights, parity))
    exact = [search.value(state, state.tiles.count(0), EXACT) for state in states]
    return [float(np.mean([search.value(state, depth, EXACT) - value
                           for state, value in zip(states, exact, strict=True)])) for depth in DEPTHS]


@pytest.mark.slow
def test_even_and_odd_numbers_of_empty_cells_are_judged_alike() -> None:
    """By the weights of the package: before they were centred, the two were up to three stones apart.

    What is left depends on the depth alone: whoever moves last profits from errors of the evaluation.
    """
    weights = weights_for(OTHELLO)
    assert weights is not None
    even, odd = (mean_errors(weights, parity) for parity in (0, 1))
    assert max(abs(one - other) for one, other in zip(even, odd, strict=True)) < 1.2, (even, odd)
    assert max(map(abs, even[2:] + odd[2:])) < 1.5, (even, odd)


@pytest.mark.slow
def test_an_error_of_one_parity_is_found_and_removed() -> None:
    shipped = weights_for(OTHELLO)
    assert isinstance(shipped, NetworkWeights)
    wrong = shipped.network.output_biases.copy()
    wrong[1::2] += 4 * STONE
    found = centred(
        OTHELLO, NetworkWeights(shipped.header, replace(shipped.network, output_biases=wrong)), games=200)
    assert isinstance(found, NetworkWeights)
    shift = (found.network.output_biases - wrong) / STONE
    odd, even = np.mean(shift[11:31:2]), np.mean(shift[10:30:2])    # phases with 20 to 60 stones
    assert odd < -2 and abs(even) < 1, (odd, even)    # not -4: few positions are taken with caution


def test_the_same_seed_gives_the_same_constants() -> None:
    game, weights = pv.game("othello-4"), made("othello-4")
    one, same, other = (
        as_tables(centred(game, weights, games=20, seed=seed)) for seed in (1, 1, 2))
    assert one.mobility is not None and same.mobility is not None and other.mobility is not None
    assert (one.mobility == same.mobility).all() and (one.mobility != other.mobility).any()


def test_a_network_gets_a_constant_for_each_phase() -> None:
    game, weights = pv.game("othello-4"), made_network("othello-4")
    found = centred(game, weights, games=20)
    assert isinstance(found, NetworkWeights)
    assert found.network.pattern_rows is weights.network.pattern_rows
    shift = (found.network.output_biases - weights.network.output_biases) / STONE
    before, after = (one.evaluation(game) for one in (weights, found))
    state = game.start()
    while not state.is_over:
        expected = before.value(state) + shift[weights.header.phase_of[16 - state.tiles.count(0)]]
        assert abs(after.value(state) - np.clip(expected, -16, 16)) <= 1 / 32
        state = state.play(state.moves[0])
    assert np.abs(shift).max() > 0.1
