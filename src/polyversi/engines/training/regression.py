"""Regression: the weights whose sums fit the targets of many positions best, by least squares.

A phase is fitted after the next one of the same parity and starts from its weights: configurations that are
rare in a phase keep the value that they have later in the game.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from polyversi import _core
from polyversi.engines.weights import MOBILITY_WEIGHTS, UNITS_PER_STONE, phases_by_parity, tables_of
from polyversi.games.game import Game

ITERATIONS = 15
RIDGE = 20.0
"""Examples that every weight starts with, of the value it has in the next phase of the same parity."""
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


class Values(NamedTuple):
    """Weights in units: of the patterns in each phase, and of mobility for each number of stones."""

    patterns: NDArray[np.int16]
    mobility: NDArray[np.int16]


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

    def __init__(self, game: Game, threads: int = 1) -> None:
        self.phase_of = np.array(phases_by_parity(game.board))
        self.phases = int(self.phase_of.max()) + 1
        self._threads = threads
        self._tables = tables = tables_of(game.board)
        self._patterns = _core.PatternEvaluation(
            game.start(), tables.patterns, [0] * len(self.phase_of),
            np.zeros(tables.configurations, np.int16))

    @property
    def zeros(self) -> Values:
        """Weights that expect a draw of every position."""
        return Values(np.zeros((self.phases, self._tables.weights_per_phase), np.int16),
                      np.zeros((len(self.phase_of), MOBILITY_WEIGHTS), np.int16))

    def fit(self, examples: Examples, observe: Callable[[int], None] = lambda _: None) -> Values:
        """The weights of every phase; `observe` gets the number of phases that are done.

        A phase without examples gets the weights of the nearest one of its parity that has some, and so does
        a number of stones its tables of mobility.
        """
        values = self.zeros
        fitted: list[int] = []
        for done, phase in enumerate(reversed(range(self.phases)), 1):
            part = self._of_phase(examples, phase)
            if part.positions:
                later = nearest(phase, fitted)
                patterns, mobility = self._fit_phase(phase, part, values, later)
                values.patterns[phase], values.mobility[self._stones(phase)] = patterns, mobility
                fitted.append(phase)
            observe(done)
        for phase in set(range(self.phases)) - set(fitted):
            if (near := nearest(phase, fitted)) is not None:
                values.patterns[phase] = values.patterns[near]
        self._fill_mobility(values, examples)
        return values

    def errors(self, examples: Examples, values: Values) -> Errors:
        """How far the values of positions are from their targets."""
        squares = []
        for phase in range(self.phases):
            part = self._of_phase(examples, phase)
            predicted = self._matrix(phase, part).times(self._column(values, phase)) / UNITS_PER_STONE
            squares.append((float(np.square(predicted - part.value).sum()), part.positions))
        overall = (sum(total for total, _ in squares) / max(1, examples.positions)) ** 0.5
        return Errors(overall, tuple((total / count) ** 0.5 if count else None for total, count in squares))

    def _fit_phase(
        self, phase: int, part: Examples, values: Values, later: int | None
    ) -> tuple[NDArray[np.int16], NDArray[np.int16]]:
        """The weights of one phase, which start from those of a later one if there is one."""
        start = self._column(values, later) / UNITS_PER_STONE if later is not None else None
        if start is not None:    # its own numbers of stones all start from the lowest one there
            first, tables = np.split(start, [self._tables.weights_per_phase])
            count = len(self._stones(phase))
            start = np.concatenate([first, np.tile(tables[:MOBILITY_WEIGHTS], count)])
        matrix = self._matrix(phase, part)
        solved = _least_squares(matrix, part.value.astype(np.float64), start)
        units = np.clip(np.rint(solved * UNITS_PER_STONE), -MAX_WEIGHT, MAX_WEIGHT).astype(np.int16)
        patterns, mobility = np.split(units, [self._tables.weights_per_phase])
        return patterns, mobility.reshape(-1, MOBILITY_WEIGHTS)

    def _fill_mobility(self, values: Values, examples: Examples) -> None:
        """Numbers of stones without examples get the tables of the nearest one of their parity."""
        present = set(np.bitwise_count(examples.own | examples.other).tolist())
        for stones in set(range(len(self.phase_of))) - present:
            if (near := nearest(stones, sorted(present))) is not None:
                values.mobility[stones] = values.mobility[near]

    def _stones(self, phase: int) -> NDArray[np.intp]:
        """The numbers of stones of a phase."""
        return np.flatnonzero(self.phase_of == phase)

    def _of_phase(self, examples: Examples, phase: int) -> Examples:
        """The examples of a phase."""
        chosen = self.phase_of[np.bitwise_count(examples.own | examples.other)] == phase
        return Examples(*(column[chosen] for column in examples))

    def _column(self, values: Values, phase: int) -> NDArray[np.float64]:
        """The weights of a phase in the order of the columns of its matrix: patterns, then mobility."""
        mobility = values.mobility[self._stones(phase)].reshape(-1)
        return np.concatenate([values.patterns[phase], mobility]).astype(np.float64)

    def _matrix(self, phase: int, examples: Examples) -> DesignMatrix:
        patterns, counts = len(self._tables.patterns), _core.MOBILITY_COUNTS
        stones = self._stones(phase)
        indices = np.empty((patterns + counts, examples.positions), np.int32)
        first = self._tables.weights_per_phase + _core.COUNT_LIMIT * np.arange(counts)[:, None]

        def fill(start: int) -> None:
            rows = slice(start, start + CHUNK)
            own, other = examples.own[rows], examples.other[rows]
            indices[:patterns, rows] = self._patterns.pattern_ranks(own, other, self._tables.rank)
            place = np.searchsorted(stones, np.bitwise_count(own | other))
            found = self._patterns.mobility_counts(own, other).T
            indices[patterns:, rows] = first + found + MOBILITY_WEIGHTS * place

        with ThreadPoolExecutor(self._threads) as pool:
            list(pool.map(fill, range(0, examples.positions, CHUNK)))
        matrix = GpuDesignMatrix if has_gpu() else DesignMatrix
        return matrix(indices, self._tables.weights_per_phase + len(stones) * MOBILITY_WEIGHTS)


def nearest(number: int, known: Sequence[int]) -> int | None:
    """The nearest known number of the same parity."""
    alike = [one for one in known if (one - number) % 2 == 0]
    return min(alike, key=lambda one: abs(one - number), default=None)


def _least_squares(
    matrix: DesignMatrix, values: NDArray[np.float64], start: NDArray[np.float64] | None = None
) -> NDArray[np.float64]:
    """Ridge regression towards a start by conjugate gradients with a diagonal preconditioner.

    It uses NumPy's own sums: a linear algebra library adds in another order on every machine.
    """
    diagonal = matrix.transposed_times(np.ones(len(values))) + RIDGE
    residual = matrix.transposed_times(values if start is None else values - matrix.times(start))
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
    return solution if start is None else start + solution
