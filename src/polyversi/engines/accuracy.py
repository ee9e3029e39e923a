"""Accuracy: how near searches of a fixed depth come to the values and best moves of solved positions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean

from polyversi.engines.engine import Engine
from polyversi.engines.search import DEFAULT_MEGABYTES
from polyversi.engines.weights import Weights
from polyversi.games.files import StrPath
from polyversi.games.limit import Limit
from polyversi.records.problems import Problem

SHIPPED_POSITIONS = Path(__file__).parent / "data" / "accuracy.obf"
"""Solved positions of Othello that come with the package: each with its value and all moves that reach it."""
NEAR = 3
"""Stones by which a value may be wrong and still counts as near."""


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
