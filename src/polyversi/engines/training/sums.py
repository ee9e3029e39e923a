"""Sums: from weights to the values of many positions, and back, which is all the work of fitting."""

from __future__ import annotations

from importlib.util import find_spec

import numpy as np
from numpy.typing import NDArray


class Sums:
    """Which weights each position is the sum of: a row of their places for each pattern."""

    def __init__(self, places: NDArray[np.int32], weights: int) -> None:
        self._places, self._weights = places, weights

    def of_positions(self, weights: NDArray[np.float64]) -> NDArray[np.float64]:
        """For each position the sum of its weights."""
        total = np.zeros(self._places.shape[1])
        for row in self._places:
            total += weights.take(row)
        return total

    def of_weights(self, value: NDArray[np.float64]) -> NDArray[np.float64]:
        """For each weight the sum over the positions that it is in."""
        total = np.zeros(self._weights)
        for row in self._places:
            total += np.bincount(row, value, self._weights)
        return total

    def there_and_back(self, weights: NDArray[np.float64]) -> NDArray[np.float64]:
        """For each weight the sums of the positions that it is in."""
        return self.of_weights(self.of_positions(weights))


def sums_of(places: NDArray[np.int32], weights: int) -> Sums:
    """The sums on a GPU where PyTorch finds one, otherwise in NumPy."""
    if find_spec("torch") is not None:
        from polyversi.engines.training.gpu import GpuSums, has_gpu

        if has_gpu():
            return GpuSums(places, weights)
    return Sums(places, weights)
