"""The messages of a game's events, packed so that long games on large boards take little memory."""

from __future__ import annotations

import zlib
from collections import OrderedDict

BLOCK = 64
"""Lines that are packed together."""
MAX_UNPACKED = 4
"""Blocks that are kept unpacked for those who are reading them."""
MIN_PACKED = 32_768
"""Bytes of a block from which on packing it is worth while."""
LEVEL = 1


class PackedLines:
    r"""Lines that are only added; each is found by its number.

    >>> lines = PackedLines()
    >>> for number in range(200):
    ...     lines.append(b"%d " % number * 1000 + b"\n")
    >>> len(lines), lines[150][:8], lines[199][:8], lines.size < 10_000 + 8 * 4000
    (200, b'150 150 ', b'199 199 ', True)
    """

    def __init__(self) -> None:
        self._blocks: list[bytes | list[bytes]] = []
        self._open: list[bytes] = []
        self._unpacked: OrderedDict[int, list[bytes]] = OrderedDict()

    def __len__(self) -> int:
        return BLOCK * len(self._blocks) + len(self._open)

    def __getitem__(self, number: int) -> bytes:
        block, place = divmod(range(len(self))[number], BLOCK)
        return (self._open if block == len(self._blocks) else self._unpack(block))[place]

    @property
    def size(self) -> int:
        """Bytes that are kept, apart from what is unpacked."""
        closed = (len(block) if isinstance(block, bytes) else sum(map(len, block)) for block in self._blocks)
        return sum(closed) + sum(map(len, self._open))

    def append(self, line: bytes) -> None:
        """Adds a line, which ends with its only line feed."""
        self._open.append(line)
        if len(self._open) == BLOCK:
            is_large = sum(map(len, self._open)) >= MIN_PACKED
            self._blocks.append(zlib.compress(b"".join(self._open), LEVEL) if is_large else self._open)
            self._open = []

    def _unpack(self, number: int) -> list[bytes]:
        block = self._blocks[number]
        if isinstance(block, list):
            return block
        if number not in self._unpacked:
            self._unpacked[number] = zlib.decompress(block).splitlines(keepends=True)
            if len(self._unpacked) > MAX_UNPACKED:
                self._unpacked.popitem(last=False)
        self._unpacked.move_to_end(number)
        return self._unpacked[number]
