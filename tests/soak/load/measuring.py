"""What a process of this machine costs, and how long things took."""

from __future__ import annotations

import asyncio
import os
import time
from array import array
from pathlib import Path

PAGE = os.sysconf("SC_PAGE_SIZE")
TICKS = os.sysconf("SC_CLK_TCK")
KIB, MIB = 1 << 10, 1 << 20
LAG_EVERY = 0.01
"""Seconds between two looks at how late this process's own event loop is."""


def memory_of(pid: int) -> int:
    """The bytes of memory that a process holds.

    >>> memory_of(os.getpid()) > MIB
    True
    """
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * PAGE


def processor_of(pid: int) -> float:
    """The seconds of processor time that a process has used, all its threads together.

    >>> processor_of(os.getpid()) > 0
    True
    """
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


class Times:
    """How long something took, each time; seconds in, milliseconds out.

    >>> times = Times()
    >>> for number in range(1, 201):
    ...     times.add(number / 1000)
    >>> times.count, times.share(0.5), times.share(0.99), times.share(1)
    (200, 100.0, 198.0, 200.0)
    """

    def __init__(self) -> None:
        self._seconds = array("d")

    @property
    def count(self) -> int:
        """How many there are."""
        return len(self._seconds)

    def add(self, seconds: float) -> None:
        """Notes one."""
        self._seconds.append(seconds)

    def share(self, part: float) -> float:
        """The time in milliseconds within which that part of all was done; 0 when there is none."""
        if not self._seconds:
            return 0.0
        ordered = sorted(self._seconds)
        return round(1000 * ordered[max(0, round(part * len(ordered)) - 1)], 3)

    def to_json(self) -> dict[str, float]:
        """The common figures, in milliseconds."""
        return {"count": self.count, "p50": self.share(0.5), "p99": self.share(0.99), "max": self.share(1)}


async def watch_lag(times: Times) -> None:
    """Notes how late the event loop of this process is, so that its lag is not taken for the server's."""
    while True:
        due = time.perf_counter() + LAG_EVERY
        await asyncio.sleep(LAG_EVERY)
        times.add(time.perf_counter() - due)
