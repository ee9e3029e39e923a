"""Network: a second kind of weights, rows of numbers for pattern configurations, and layers over their sum.

Everything is an integer, so that every processor finds the same value. A position has a row for the
configuration of each pattern, for each count of mobility and for its number of stones. Their sum (16 bits,
wrapping) is what the phase's own layers see: hidden units of the sum clamped to 0 .. `ONE_INPUT`, and an
output of the hidden units and, beside them, of the sum as it is.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from polyversi import _core
from polyversi.games.errors import RecordError

WIDTHS = (16, 32, 64)
"""How many numbers a row may have."""
HIDDEN = 16
"""Hidden units."""
ONE_INPUT = 512
"""What is 1.0 in a row; the sum of the rows and the hidden units are clamped to it."""
ONE_HIDDEN_WEIGHT = 1024
"""What is 1.0 in the weights of the hidden units; their biases have `ONE_INPUT` times as much."""
ONE_OUTPUT_WEIGHT = 256
"""What is one stone in the output weights; the output biases have `ONE_INPUT` times as much."""
MOBILITY_ROWS = _core.MOBILITY_COUNTS * _core.COUNT_LIMIT


@dataclass(frozen=True, eq=False)
class Network:
    """The integers of a network, in the order in which a file has them.

    >>> network = zeros(100, cells=16, phases=9, width=32)
    >>> network.width, network.phases, network.hidden_weights.shape
    (32, 9, (9, 16, 32))
    """

    pattern_rows: NDArray[np.int16]
    """A row for each canonical configuration, as in tables: [canonical configurations, width]."""
    mobility_rows: NDArray[np.int16]
    """A row for each value of each count of mobility: [`MOBILITY_ROWS`, width]."""
    stones_rows: NDArray[np.int16]
    """A row for each number of stones: [cells + 1, width]."""
    hidden_weights: NDArray[np.int16]
    """[phases, `HIDDEN`, width]"""
    output_weights: NDArray[np.int16]
    """Of the hidden units: [phases, `HIDDEN`]."""
    skip_weights: NDArray[np.int16]
    """From the sum of the rows straight to the output: [phases, width]."""
    hidden_biases: NDArray[np.int32]
    """[phases, `HIDDEN`]"""
    output_biases: NDArray[np.int32]
    """[phases]"""

    def __post_init__(self) -> None:
        """Refuses arrays that do not fit each other, and those with which a sum could overflow."""
        if self.pattern_rows.ndim != 2 or self.width not in WIDTHS:
            raise RecordError("the rows of a network need 16, 32 or 64 numbers")
        expected = layout(len(self.pattern_rows), len(self.stones_rows) - 1, self.phases, self.width)
        for name, (shape, kind) in expected.items():
            array = getattr(self, name)
            if array.shape != shape or array.dtype != kind:
                raise RecordError(f"the {name} of a network must be {kind} of shape {shape}, "
                                  f"not {array.dtype} of shape {array.shape}")
        if self._largest_sum() >= 2**31:
            raise RecordError("the weights of a network are so large that a sum of 32 bits could overflow")

    @property
    def width(self) -> int:
        """How many numbers a row has."""
        return int(self.pattern_rows.shape[1])

    @property
    def phases(self) -> int:
        """How many phases have layers of their own."""
        return len(self.output_biases)

    def _largest_sum(self) -> int:
        """The largest that any sum can become, of the hidden units or of the output."""
        def size(array: NDArray[np.int16] | NDArray[np.int32]) -> NDArray[np.int64]:
            return np.abs(array.astype(np.int64))

        hidden = size(self.hidden_weights).sum(2) * ONE_INPUT + size(self.hidden_biases)
        output = (size(self.output_weights).sum(1) * ONE_INPUT + size(self.skip_weights).sum(1) * 2**15
                  + size(self.output_biases))
        return int(max(hidden.max(initial=0), output.max(initial=0)))

    def to_bytes(self) -> bytes:
        """Its numbers one after another, the lower bytes first."""
        arrays = [getattr(self, field.name) for field in fields(self)]
        return b"".join(array.astype(array.dtype.newbyteorder("<")).tobytes() for array in arrays)


def layout(
    configurations: int, cells: int, phases: int, width: int
) -> dict[str, tuple[tuple[int, ...], np.dtype[np.int16] | np.dtype[np.int32]]]:
    """The shape and kind of each array of a network, in the order of a file."""
    short, long = np.dtype(np.int16), np.dtype(np.int32)
    return {
        "pattern_rows": ((configurations, width), short),
        "mobility_rows": ((MOBILITY_ROWS, width), short),
        "stones_rows": ((cells + 1, width), short),
        "hidden_weights": ((phases, HIDDEN, width), short),
        "output_weights": ((phases, HIDDEN), short),
        "skip_weights": ((phases, width), short),
        "hidden_biases": ((phases, HIDDEN), long),
        "output_biases": ((phases,), long),
    }


def size_in_bytes(configurations: int, cells: int, phases: int, width: int) -> int:
    """How many bytes the numbers of a network take.

    >>> size_in_bytes(100, cells=16, phases=9, width=32) == len(zeros(100, 16, 9, 32).to_bytes())
    True
    """
    arrays = layout(configurations, cells, phases, width).values()
    return sum(int(np.prod(shape)) * kind.itemsize for shape, kind in arrays)


def from_bytes(data: bytes, configurations: int, cells: int, phases: int, width: int) -> Network:
    """The network of these bytes, of which there must be `size_in_bytes`.

    >>> network = zeros(100, cells=16, phases=9, width=32)
    >>> from_bytes(network.to_bytes(), 100, cells=16, phases=9, width=32).to_bytes() == network.to_bytes()
    True
    """
    arrays: dict[str, Any] = {}    # of two kinds
    at = 0
    for name, (shape, kind) in layout(configurations, cells, phases, width).items():
        count = int(np.prod(shape))
        numbers = np.frombuffer(data, kind.newbyteorder("<"), count, at)
        arrays[name] = numbers.astype(kind).reshape(shape)
        at += count * kind.itemsize
    return Network(**arrays)


def zeros(configurations: int, cells: int, phases: int, width: int) -> Network:
    """A network that expects a draw of every position."""
    return from_bytes(bytes(size_in_bytes(configurations, cells, phases, width)),
                      configurations, cells, phases, width)
