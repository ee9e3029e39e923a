"""Accuracy: how near searches of a fixed depth come to the values and best moves of solved positions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from statistics import fmean

from polyversi import _core
from polyversi.engines.engine import Engine
from polyversi.engines.search import DEFAULT_MEGABYTES, random_opening
from polyversi.engines.weights import Weights, evaluation_for
from polyversi.games.files import StrPath
from polyversi.games.game import Game
from polyversi.games.limit import Limit
from polyversi.games.state import State
from polyversi.games.tiles import EMPTY
from polyversi.records.problems import Problem

SHIPPED_POSITIONS = Path(__file__).parent / "data" / "accuracy.obf"
"""Solved positions of Othello that come with the package: each with its value and all moves that reach it."""
NEAR = 3
"""Stones by which a value may be wrong and still counts as near."""
MIN_MOVES = 4
"""Legal moves of a position that has something to choose."""
RANDOM_PLIES = range(6, 15)
PLAY_DEPTH = 4
"""Plies of the searches that play the games on, from a random opening to the position."""


@dataclass(frozen=True)
class Accuracy:
    """What searches of one depth found, over all positions."""

    depth: int
    positions: int
    best: float
    """The share of positions whose chosen move is one of the best."""
    near: float
    """The share of positions whose value is at most three stones wrong."""
    error: float
    """The mean distance between the value and the exact one, in stones."""
    bias: float
    """The mean of value less exact value, in stones, for the seat to move."""
    nodes: float
    """The mean number of nodes."""


def measure(
    problems: Sequence[Problem], depth: int, weights: Weights | StrPath | None = None
) -> Accuracy:
    """Searches every position to a depth, each with an empty table.

    >>> from polyversi.records.problems import parse
    >>> found = measure([parse("-----OX--XO----- X; b1:-8; a2:-8; c4:-8; d3:-8")], 12)
    >>> found.best, found.near, found.error
    (1.0, 1.0, 0.0)
    """
    found = [_searched(problem, depth, weights) for problem in problems]
    wrong = [difference for _, difference, _ in found]
    return Accuracy(
        depth, len(found), fmean(is_best for is_best, _, _ in found),
        fmean(abs(difference) <= NEAR for difference in wrong), fmean(map(abs, wrong)), fmean(wrong),
        fmean(nodes for _, _, nodes in found),
    )


def _searched(
    problem: Problem, depth: int, weights: Weights | StrPath | None
) -> tuple[bool, float, int]:
    """Whether the move is one of the best, value less exact value, and nodes."""
    engine = Engine(problem.game, megabytes=DEFAULT_MEGABYTES, weights=weights)
    analysis = engine.think(problem.state, Limit(depth=depth))
    exact = problem.expected
    assert exact is not None, "it is solved"
    return analysis.best.move in problem.best, analysis.best.value - exact, analysis.nodes


def game_positions(game: Game, empties: Iterable[int], seed: int) -> Iterator[State]:
    """Positions of games that begin randomly and go on sensibly, one for each number of empty cells."""
    for number, wanted in enumerate(empties):
        random, search = Random(f"accuracy {seed} {number}"), _search(game, 1)
        state = _played(game, search, wanted, random)
        while state is None:
            state = _played(game, search, wanted, random)
        yield state


def _played(game: Game, search: _core.Search, empties: int, random: Random) -> State | None:
    """A game up to this number of empty cells; None where it passed that number or has too few moves."""
    state = random_opening(game.start(random.getrandbits(32)), random)
    plies = random.choice(RANDOM_PLIES)
    while not state.is_over and state.tiles.count(EMPTY) > empties:
        found = search.best_move(state, PLAY_DEPTH, 0, None, None) if plies <= 0 else None
        state = state.play(found[0] if found is not None else random.choice(state.moves))
        plies -= 1
    return state if not state.is_over and len(state.moves) >= MIN_MOVES else None


def solved(state: State, megabytes: int = DEFAULT_MEGABYTES) -> Problem:
    """A position with its exact value and all moves that reach it.

    >>> import polyversi as pv
    >>> [(str(move), score) for move, score in solved(pv.game("othello-4").start().play("b1")).answers]
    [('a1', 8)]
    """
    search, most = _search(state.game, megabytes), len(state.tiles)
    best = _value(search, state, -most, most)
    # A null window is enough: it only matters whether a move reaches the value.
    reaching = [move for move in state.moves if _value(search, state.play(move), -best, 1 - best) == -best]
    return Problem(state, tuple((move, best) for move in reaching))


def _search(game: Game, megabytes: int) -> _core.Search:
    return _core.Search(game.start(), 1, megabytes, evaluation_for(game))


def _value(search: _core.Search, state: State, low: int, high: int) -> int:
    found = search.solve(state, low, high)
    assert found is not None, "nothing stops it"
    return found[0]
