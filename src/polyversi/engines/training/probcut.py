"""Doubt: by how much shallow searches are wrong about deep ones, measured for the weights of one game."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from random import Random
from typing import TYPE_CHECKING

import numpy as np

from polyversi import _core

if TYPE_CHECKING:
    from polyversi.games.game import Game
    from polyversi.games.state import State

POSITIONS = 600
DEEPEST = 9
"""Plies of the deepest search that does not reach the end of the game."""
MOST_EXACT = 16
"""Empty cells of a position that is also searched to its end."""
PLIES_OF_PLAY = 2
"""That are looked ahead in the games the positions come from."""
EMPTIES_TOGETHER = 8
LEAST_IN_A_GROUP = 20
LEAST_DEVIATION = 0.3
"""Stones: less cannot be told when values are whole ones."""
RIDGE = 3.0
"""Keeps numbers that nothing was seen of at zero."""
MEGABYTES = 16
EXACT = len(_core.TRUST) - 1
"""The trust with which nothing is left out."""


def measured(
    game: Game, evaluation: _core.LearnedEvaluation | None, *, positions: int = POSITIONS, seed: int = 0,
    observe: Callable[[int], None] | None = None,
) -> list[float]:
    """The numbers by which the core foresees how far a shallow value is from a deep one.

    >>> import polyversi as pv
    >>> numbers = measured(pv.game("othello-4"), None, positions=30)
    >>> len(numbers) == len(_core.doubt_features(1, 4, 10))
    True
    """
    search = _core.Search(game.start(seed), 1, MEGABYTES, evaluation)
    seen: dict[tuple[int, int, int], list[tuple[list[float], int]]] = defaultdict(list)
    for number, state in enumerate(_positions(game, search, Random(f"doubt {seed}"), positions), 1):
        empties = state.tiles.count(0)
        depths = [*range(1, min(DEEPEST, empties - 1) + 1), *([empties] if empties <= MOST_EXACT else [])]
        values = {depth: _found(search, state, depth, EXACT)[1] for depth in depths}
        group = empties // EMPTIES_TOGETHER
        for shallow in values:
            for depth in values:
                if shallow < depth and (depth - shallow) % 2 == 0:
                    key = shallow, 0 if depth == empties else depth, group
                    like = _core.doubt_features(shallow, depth, empties)
                    seen[key].append((like, values[depth] - values[shallow]))
        if observe is not None:
            observe(number)
    return _fitted(list(seen.values()))


def _positions(game: Game, search: _core.Search, lots: Random, count: int) -> Iterator[State]:
    """Positions of games that begin by lot and go on sensibly, from every part of the game."""
    found = 0
    while found < count:
        state = game.start(lots.getrandbits(32))
        random_plies = lots.randrange(4, max(5, state.tiles.count(0) // 6))
        ply, wanted = 0, lots.randrange(random_plies, max(random_plies + 1, state.tiles.count(0)))
        while not state.is_over and ply <= wanted:
            if ply < random_plies:
                state = state.play(lots.choice(state.moves))
            else:
                state = state.play(_found(search, state, PLIES_OF_PLAY, 0)[0])
            ply += 1
        if not state.is_over and len(state.moves) > 1:
            found += 1
            yield state


def _found(search: _core.Search, state: State, depth: int, trust: int) -> _core.Choice:
    """The best move, as nothing limits the search."""
    found = search.best(state, depth, trust, None, None)
    assert found is not None, "nobody stops it"
    return found


def _fitted(groups: list[list[tuple[list[float], int]]]) -> list[float]:
    """The logarithm of deviations as a sum of what searches are like, by least squares over groups alike."""
    rows, logarithms = [], []
    for group in groups:
        if len(group) >= LEAST_IN_A_GROUP:
            deviation = np.sqrt(np.mean(np.square([difference for _, difference in group])))
            often = np.sqrt(len(group))
            rows.append(often * np.mean([like for like, _ in group], axis=0))
            logarithms.append(often * np.log(max(LEAST_DEVIATION, float(deviation))))
    if not rows:
        return []
    left = np.array(rows)
    solved = np.linalg.solve(left.T @ left + RIDGE * np.eye(left.shape[1]), left.T @ np.array(logarithms))
    return [round(float(number), 4) for number in solved]
