"""Regression: the weights whose pattern sums fit the targets of many positions best, by least squares.

With NumPy, a fit to two million positions takes twenty seconds on one core. With PyTorch and a GPU, a fit to
twenty million takes as long.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from importlib.util import find_spec
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from polyversi import _core
from polyversi.engines.weights import UNITS_PER_STONE, phases_of, tables_of
from polyversi.games.game import Game

ITERATIONS = 15
RIDGE = 20.0
"""Examples of value 0 that every weight starts with, so that rare configurations stay near 0."""
MAX_WEIGHT = np.iinfo(np.int16).max
CHUNK = 100_000
"""Positions whose pattern indices are computed together."""


class Examples(NamedTuple):
    """Positions, as the core's words of own and other stones, and the target value of the seat to move."""

    own: NDArray[np.uint64]
    other: NDArray[np.uint64]
    value: NDArray[np.int8]

    @property
    def positions(self) -> int:
        """How many there are."""
        return len(self.value)


def concatenated(parts: Sequence[Examples]) -> Examples:
    """The examples of all parts, one after another."""
    return Examples(*(np.concatenate(columns) for columns in zip(*parts, strict=True)))


class Errors(NamedTuple):
    """Root mean square errors in stones: over everything and for each phase."""

    overall: float
    by_phase: tuple[float | None, ...]


class DesignMatrix:
    """Which weights each position is the sum of: a sparse matrix A, as a row of indices for each pattern."""

    def __init__(self, indices: NDArray[np.int32], weights: int) -> None:
        self._indices, self._weights = indices, weights

    def times(self, weights: NDArray[np.float64]) -> NDArray[np.float64]:
        """A·w: for each position the sum of its weights."""
        total = np.zeros(self._indices.shape[1])
        for row in self._indices:
            total += weights.take(row)
        return total

    def transposed_times(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Aᵀ·v: for each weight the sum over the positions that contain it."""
        total = np.zeros(self._weights)
        for row in self._indices:
            total += np.bincount(row, values, self._weights)
        return total


class GpuDesignMatrix(DesignMatrix):
    """The same on a GPU, which adds in another order."""

    def __init__(self, indices: NDArray[np.int32], weights: int) -> None:
        import torch

        self._torch, self._rows, self._weights = torch, torch.from_numpy(indices).cuda(), weights

    def times(self, weights: NDArray[np.float64]) -> NDArray[np.float64]:
        total, on_device = self._cuda(np.zeros(self._rows.shape[1])), self._cuda(weights)
        for row in self._rows:
            total += on_device[row]
        return np.asarray(total.cpu())

    def transposed_times(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        total, on_device = self._cuda(np.zeros(self._weights)), self._cuda(values)
        for row in self._rows:
            total.index_add_(0, row, on_device)
        return np.asarray(total.cpu())

    def _cuda(self, numbers: NDArray[np.float64]) -> Any:
        return self._torch.from_numpy(np.ascontiguousarray(numbers)).cuda()


def has_gpu() -> bool:
    """Whether PyTorch is installed and finds a GPU."""
    if find_spec("torch") is None:
        return False
    import torch

    return bool(torch.cuda.is_available())


class Regression:
    """Fits and measures weights of one game."""

    def __init__(self, game: Game) -> None:
        self.phases = phases_of(game.board)
        self._cells = game.board.size
        self._tables = tables = tables_of(game.board)
        self._patterns = _core.PatternEvaluation(
            game.start(), tables.patterns, 1, np.zeros(tables.configurations, np.int16))

    def fit(self, examples: Examples, observe: Callable[[int], None] = lambda _: None) -> NDArray[np.int16]:
        """The weights of every phase; `observe` gets the number of phases that are done.

        A phase without examples gets the weights of the nearest one that has some.
        """
        values = np.zeros((self.phases, self._tables.weights_per_phase), np.int16)
        fitted = []
        for phase, part in self._by_phase(examples):
            if part.positions:
                stones = _least_squares(self._matrix(part), part.value.astype(np.float64))
                values[phase] = np.clip(np.rint(stones * UNITS_PER_STONE), -MAX_WEIGHT, MAX_WEIGHT)
                fitted.append(phase)
            observe(phase + 1)
        for phase in set(range(self.phases)) - set(fitted):
            values[phase] = values[min(fitted, key=lambda known: abs(known - phase))] if fitted else 0
        return values

    def errors(self, examples: Examples, values: NDArray[np.int16]) -> Errors:
        """How far the values of positions are from their targets."""
        squares = []
        for phase, part in self._by_phase(examples):
            predicted = self._matrix(part).times(values[phase].astype(np.float64)) / UNITS_PER_STONE
            squares.append((float(np.square(predicted - part.value).sum()), part.positions))
        overall = (sum(total for total, _ in squares) / max(1, examples.positions)) ** 0.5
        return Errors(overall, tuple((total / count) ** 0.5 if count else None for total, count in squares))

    def _by_phase(self, examples: Examples) -> Iterator[tuple[int, Examples]]:
        """The examples of each phase, which has weights of its own."""
        stones = np.bitwise_count(examples.own | examples.other).astype(np.int64)
        phases = stones * self.phases // (self._cells + 1)
        for phase in range(self.phases):
            yield phase, Examples(*(column[phases == phase] for column in examples))

    def _matrix(self, examples: Examples) -> DesignMatrix:
        indices = np.empty((len(self._tables.patterns), examples.positions), np.int32)
        for first in range(0, examples.positions, CHUNK):
            rows = slice(first, first + CHUNK)
            found = self._patterns.pattern_indices(examples.own[rows], examples.other[rows])
            indices[:, rows] = self._tables.rank[found].T
        matrix = GpuDesignMatrix if has_gpu() else DesignMatrix
        return matrix(indices, self._tables.weights_per_phase)


def _least_squares(matrix: DesignMatrix, values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Ridge regression by conjugate gradients with a diagonal preconditioner.

    It uses NumPy's own sums: a linear algebra library adds in another order on every machine.
    """
    diagonal = matrix.transposed_times(np.ones(len(values))) + RIDGE
    residual = matrix.transposed_times(values)
    solution = np.zeros(len(residual))
    scaled = residual / diagonal
    direction, size = scaled, float((residual * scaled).sum())
    for _ in range(ITERATIONS):
        if size <= 0:
            break
        image = matrix.transposed_times(matrix.times(direction)) + RIDGE * direction
        length = size / float((direction * image).sum())
        solution += length * direction
        residual -= length * image
        scaled = residual / diagonal
        before, size = size, float((residual * scaled).sum())
        direction = scaled + size / before * direction
    return solution
