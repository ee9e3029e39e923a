"""Centring: a constant for each number of stones, so that the evaluation errs by nothing in the mean.

The targets of a training come from searches, and these from the evaluation before: an error that all
positions with an odd number of empty cells share stays in both. So it is measured, from the end of the game
backwards. Positions with few empty cells are solved. The others are searched a few plies deep, down to
numbers of stones that are centred already.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from random import Random

import numpy as np
from numpy.typing import NDArray

from polyversi import _core
from polyversi.engines.network import ONE_INPUT, ONE_OUTPUT_WEIGHT
from polyversi.engines.search import EXACT, random_opening
from polyversi.engines.weights import UNITS_PER_STONE, NetworkWeights, TableWeights, Weights
from polyversi.games.game import Game
from polyversi.games.state import State
from polyversi.games.tiles import EMPTY

MAX_SOLVED = 12
"""Empty cells of positions that are solved."""
DEPTHS = (5, 6)
"""Plies of the searches of the others. Whoever moves last in a search profits from errors of the evaluation,
so one depth of each parity is taken, and their mean."""
PLAY_DEPTH = 4
"""Plies of the searches that play the games the positions come from."""
SPREAD = (0.25, 0.5, 0.25)
"""How much the neighbours of the same parity and a number of stones itself count for its constant."""
RIDGE = 20.0
"""Positions that every number of stones starts with, on which the evaluation is right."""
MEGABYTES = 4


def centred(game: Game, weights: Weights, *, games: int, seed: int = 0) -> Weights:
    """The weights with a constant for each number of stones, measured on positions of that many games.

    A network has one for each phase.

    Those of files of version 1 have no place for constants and stay as they are:

    >>> import polyversi as pv
    >>> from polyversi.engines.weights import weights_for
    >>> old = weights_for(pv.game("hex"))
    >>> centred(pv.game("hex"), old, games=10) is old
    True
    """
    if isinstance(weights, TableWeights) and weights.mobility is None:
        return weights
    plain = weights.evaluation(game)
    by_empties: dict[int, list[State]] = defaultdict(list)
    for state in _positions(game, weights, Random(f"centring {seed}"), games):
        by_empties[state.tiles.count(EMPTY)].append(state)
    constants = np.zeros(game.board.size + 1)
    for empties in sorted(by_empties):
        so_far = _with_constants(weights, _spread(constants)).evaluation(game)
        search = _core.Search(game.start(seed), 1, MEGABYTES, so_far)
        errors = [_reference(search, state, empties) - plain.value(state) for state in by_empties[empties]]
        constants[game.board.size - empties] = sum(errors) / (len(errors) + RIDGE)
    return _with_constants(weights, _spread(constants))


def _positions(game: Game, weights: Weights, random: Random, games: int) -> Iterator[State]:
    """The positions, one of each number of empty cells of a game, in which somebody can put a stone down."""
    search = _core.Search(game.start(random.getrandbits(32)), 1, MEGABYTES, weights.evaluation(game))
    for _ in range(games):
        state = random_opening(game.start(random.getrandbits(32)), random)
        cells = state.tiles.count(EMPTY)
        random_plies = random.randint(4, max(4, 5 * cells // 16))
        while not state.is_over:
            if not state.moves[0].is_pass:
                yield state
            if cells - state.tiles.count(EMPTY) < random_plies:
                state = state.play(random.choice(state.moves))
            else:
                best = search.best_move(state, PLAY_DEPTH, EXACT, None, None)
                assert best is not None, "nothing stops it"
                state = state.play(best[0])


def _reference(search: _core.Search, state: State, empties: int) -> float:
    """What a position is worth, exactly or as searches of both parities find it in the mean."""
    depths = [empties] if empties <= MAX_SOLVED else DEPTHS
    return float(np.mean([search.value(state, depth, EXACT) for depth in depths]))


def _spread(constants: NDArray[np.float64]) -> NDArray[np.float64]:
    """The constants, smoothed over neighbours of the same parity."""
    padded = np.pad(constants, 2, mode="edge")
    return SPREAD[0] * padded[:-4] + SPREAD[1] * padded[2:-2] + SPREAD[2] * padded[4:]


def _with_constants(weights: Weights, constants: NDArray[np.float64]) -> Weights:
    """The weights with a constant added for each number of stones."""
    if isinstance(weights, NetworkWeights):
        return _with_biases(weights, constants)
    assert isinstance(weights, TableWeights) and weights.mobility is not None
    units = np.rint(constants * UNITS_PER_STONE).astype(np.int16)
    mobility = weights.mobility.copy()
    mobility[:, : _core.COUNT_LIMIT] += units[:, None]    # every position has one of these
    return replace(weights, mobility=mobility)


def _with_biases(weights: NetworkWeights, constants: NDArray[np.float64]) -> NetworkWeights:
    """A network with the mean constant of each phase added to its output."""
    phase_of = np.array(weights.header.phase_of)
    means = np.bincount(phase_of, constants) / np.bincount(phase_of)
    added = np.rint(means * ONE_INPUT * ONE_OUTPUT_WEIGHT).astype(np.int32)
    network = replace(weights.network, output_biases=weights.network.output_biases + added)
    return replace(weights, network=network)
