"""The ProbCut model: how far shallow searches are from deep ones, fitted to the weights of one game."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from itertools import combinations
from random import Random

import numpy as np

from polyversi import _core
from polyversi.engines.search import EXACT
from polyversi.games.game import Game
from polyversi.games.state import State

POSITIONS = 600
MAX_DEPTH = 9
"""The depth of searches that do not reach the end of the game."""
MAX_EXACT = 16
"""Empty cells of positions that are also searched to the end."""
PLAY_DEPTH = 2
"""Plies of the searches that play the games the positions come from."""
EMPTIES_PER_GROUP = 8
"""How many numbers of empty cells are taken together, those of each parity."""
MIN_GROUP_SIZE = 20
MIN_DEVIATION = 0.3
"""In stones, so that a few equal values do not promise certainty."""
RIDGE = 3.0
"""Keeps coefficients without samples at zero."""
MEGABYTES = 16


def fit_probcut(
    game: Game, evaluation: _core.PatternEvaluation | None, *, positions: int = POSITIONS, seed: int = 0
) -> list[float]:
    """The coefficients of the ProbCut model."""
    search = _core.Search(game.start(seed), 1, MEGABYTES, evaluation)
    samples: dict[tuple[int, int, int], list[tuple[list[float], float]]] = defaultdict(list)
    for state in _positions(game, search, Random(f"doubt {seed}"), positions):
        empties = state.tiles.count(0)
        depths = [*range(1, min(MAX_DEPTH, empties - 1) + 1), *([empties] if empties <= MAX_EXACT else [])]
        values = {depth: search.value(state, depth, EXACT) for depth in depths}
        for shallow, depth in combinations(depths, 2):
            if (depth - shallow) % 2 == 0:
                group = 2 * (empties // EMPTIES_PER_GROUP) + empties % 2
                key = shallow, 0 if depth == empties else depth, group
                features = _core.probcut_features(shallow, depth, empties)
                samples[key].append((features, values[depth] - values[shallow]))
    return _regression(list(samples.values()))


def _positions(game: Game, search: _core.Search, random: Random, count: int) -> Iterator[State]:
    """Positions of games that begin randomly and go on sensibly, from every part of the game."""
    found = 0
    while found < count:
        state = game.start(random.getrandbits(32))
        random_plies = random.randrange(4, max(5, state.tiles.count(0) // 6))
        ply, wanted = 0, random.randrange(random_plies, max(random_plies + 1, state.tiles.count(0)))
        while not state.is_over and ply <= wanted:
            if ply < random_plies:
                state = state.play(random.choice(state.moves))
            else:
                best = search.best_move(state, PLAY_DEPTH, 0, None, None)
                assert best is not None, "nothing stops it"
                state = state.play(best[0])
            ply += 1
        if not state.is_over and len(state.moves) > 1:
            found += 1
            yield state


def _regression(groups: list[list[tuple[list[float], float]]]) -> list[float]:
    """Ridge regression of the logarithm of the deviation of each group on its mean features."""
    rows, logarithms = [], []
    for group in groups:
        if len(group) >= MIN_GROUP_SIZE:
            features, differences = zip(*group, strict=True)
            deviation = np.sqrt(np.mean(np.square(differences)))
            weight = np.sqrt(len(group))
            rows.append(weight * np.mean(features, axis=0))
            logarithms.append(weight * np.log(max(MIN_DEVIATION, float(deviation))))
    if not rows:
        return []
    left = np.array(rows)
    solved = np.linalg.solve(left.T @ left + RIDGE * np.eye(left.shape[1]), left.T @ np.array(logarithms))
    return [round(float(number), 4) for number in solved]
