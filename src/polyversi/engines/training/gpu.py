"""Sums of weights on a GPU, for trainings with tens of millions of positions."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from polyversi.engines.training.sums import Sums


def has_gpu() -> bool:
    """Whether PyTorch finds one."""
    import torch

    return bool(torch.cuda.is_available())


class GpuSums(Sums):
    """The same sums as in NumPy, but for the order in which they are added up."""

    def __init__(self, places: NDArray[np.int32], weights: int, device: str = "cuda") -> None:
        import torch

        self._torch = torch
        self._rows, self._count, self._device = torch.from_numpy(places).to(device), weights, device

    def of_positions(self, weights: NDArray[np.float64]) -> NDArray[np.float64]:
        return self._back(self._positions(self._there(weights)))

    def of_weights(self, value: NDArray[np.float64]) -> NDArray[np.float64]:
        return self._back(self._weights_of(self._there(value)))

    def there_and_back(self, weights: NDArray[np.float64]) -> NDArray[np.float64]:
        return self._back(self._weights_of(self._positions(self._there(weights))))

    def _there(self, numbers: NDArray[np.float64]) -> Any:
        return self._torch.from_numpy(np.ascontiguousarray(numbers)).to(self._device)

    @staticmethod
    def _back(numbers: Any) -> NDArray[np.float64]:
        return np.asarray(numbers.cpu().numpy(), np.float64)

    def _zeros(self, count: int) -> Any:
        return self._torch.zeros(count, dtype=self._torch.float64, device=self._device)

    def _positions(self, weights: Any) -> Any:
        total = self._zeros(self._rows.shape[1])
        for row in self._rows:
            total += weights[row]
        return total

    def _weights_of(self, value: Any) -> Any:
        total = self._zeros(self._count)
        for row in self._rows:
            total.index_add_(0, row, value)
        return total
