"""Fitting: the weights with which the patterns of many positions tell best how their games ended.

Least squares, solved by conjugate gradients: a position is a sum of a few dozen weights, so that a step is
as many look-ups. In NumPy all steps over two million positions take twenty seconds on one core; where PyTorch
finds a GPU, twenty million do.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from polyversi import _core
from polyversi.engines.training.sums import Sums, sums_of
from polyversi.engines.weights import PARTS_OF_A_STONE, phases_of, tables_of

if TYPE_CHECKING:
    from polyversi.games.game import Game

ITERATIONS = 15
SHRINKING = 20.0
"""Examples that every weight is thought to have seen with the value 0, so that rare contents say little."""
LARGEST = np.iinfo(np.int16).max
ROWS = 100_000
"""Positions that are looked at together."""
STONES_IN_16_BITS = np.array([word.bit_count() for word in range(1 << 16)], np.uint8)


class Examples(NamedTuple):
    """Positions, as the core's words of own and other stones, and what the seat to move had at the end."""

    own: NDArray[np.uint64]
    other: NDArray[np.uint64]
    value: NDArray[np.int8]

    @property
    def positions(self) -> int:
        """How many there are."""
        return len(self.value)

    def chosen(self, which: NDArray[np.bool_]) -> Examples:
        """Some of them."""
        return Examples(self.own[which], self.other[which], self.value[which])


def joined(parts: Sequence[Examples]) -> Examples:
    """The examples of all parts, one after the other."""
    return Examples(*(np.concatenate(columns) for columns in zip(*parts, strict=True)))


class Errors(NamedTuple):
    """How far values were off, in stones: root mean squares over everything and for each phase."""

    overall: float
    by_phase: tuple[float | None, ...]


class Fitting:
    """Fits and measures weights of one game.

    >>> import polyversi as pv
    >>> game = pv.game("othello-4")
    >>> examples = Examples(*_core.self_play(game.start(), None, 1, 200, 4, 8, 2, 4, 2, 1))
    >>> fitting = Fitting(game)
    >>> values = fitting.fit(examples)
    >>> fitting.errors(examples, values).overall < fitting.errors(examples, 0 * values).overall / 2
    True
    """

    def __init__(self, game: Game) -> None:
        self.phases = phases_of(game.board)
        self._cells = game.board.size
        self._tables = tables = tables_of(game.board)
        self._looking = _core.LearnedEvaluation(
            game.start(), tables.patterns, 1, np.zeros(tables.contents, np.int16))

    def fit(
        self, examples: Examples, observe: Callable[[int], None] | None = None
    ) -> NDArray[np.int16]:
        """The weights of every phase, in parts of a stone; who observes hears how many phases are done.

        A phase without examples has the weights of the nearest one that has some.
        """
        values = np.zeros((self.phases, self._tables.kept), np.int16)
        learned = []
        for phase, part in self._by_phase(examples):
            if part.positions:
                stones = _least_squares(self._sums(part), part.value.astype(np.float64))
                values[phase] = np.clip(np.rint(stones * PARTS_OF_A_STONE), -LARGEST, LARGEST)
                learned.append(phase)
            if observe is not None:
                observe(phase + 1)
        for phase in set(range(self.phases)) - set(learned):
            values[phase] = values[min(learned, key=lambda known: abs(known - phase))] if learned else 0
        return values

    def errors(self, examples: Examples, values: NDArray[np.int16]) -> Errors:
        """How far the values of positions are from how their games ended."""
        squares = []
        for phase, part in self._by_phase(examples):
            told = self._sums(part).of_positions(values[phase].astype(np.float64)) / PARTS_OF_A_STONE
            squares.append((float(np.square(told - part.value).sum()), part.positions))
        overall = (sum(total for total, _ in squares) / max(1, examples.positions)) ** 0.5
        return Errors(overall, tuple((total / count) ** 0.5 if count else None for total, count in squares))

    def _by_phase(self, examples: Examples) -> Iterator[tuple[int, Examples]]:
        """The examples of each phase: weights of one know nothing of the others."""
        words = (examples.own | examples.other).view(np.uint16).reshape(-1, 4)
        stones = STONES_IN_16_BITS[words].sum(axis=1)
        phases = stones.astype(np.int64) * self.phases // (self._cells + 1)
        for phase in range(self.phases):
            yield phase, examples.chosen(phases == phase)

    def _sums(self, examples: Examples) -> Sums:
        places = np.empty((len(self._tables.patterns), examples.positions), np.int32)
        for first in range(0, examples.positions, ROWS):
            rows = slice(first, first + ROWS)
            contents = self._looking.contents(examples.own[rows], examples.other[rows])
            places[:, rows] = self._tables.rank[contents].T
        return sums_of(places, self._tables.kept)


def _least_squares(sums: Sums, value: NDArray[np.float64]) -> NDArray[np.float64]:
    """Weights whose sums are nearest to the values, by conjugate gradients.

    What is preconditioned by is how often each weight is in a sum. Products are summed by NumPy itself: the
    threads of a linear algebra library would add them up in another order on every machine.
    """
    often = sums.of_weights(np.ones(len(value))) + SHRINKING
    left = sums.of_weights(value)
    found = np.zeros(len(left))
    scaled = left / often
    direction, size = scaled, float((left * scaled).sum())
    for _ in range(ITERATIONS):
        if size <= 0:
            break
        step = sums.there_and_back(direction) + SHRINKING * direction
        length = size / float((direction * step).sum())
        found += length * direction
        left -= length * step
        scaled = left / often
        before, size = size, float((left * scaled).sum())
        direction = scaled + size / before * direction
    return found
