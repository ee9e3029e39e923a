"""Looks at the server through the day, and whether its figures are flat in the second half."""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean

from polyversi.storage.games import Store
from polyversi.storage.retention import DISPOSABLE, sizes
from tests.soak.attack.site import descendants
from tests.soak.load.measuring import MIB, memory_of
from tests.testing.page_server import Served

SLACK = {"memory": 24.0, "handles": 24.0, "processes": 4.0, "store": 2.0}
"""By how much a figure may grow from the third to the last quarter of the day, besides a tenth of it."""
UNITS = {"memory": "MiB", "handles": "", "processes": "", "store": "MB"}


@dataclass(frozen=True)
class Look:
    """What the server costs at a moment."""

    second: float
    memory: float
    """Mebibytes."""
    handles: float
    processes: float
    store: float
    """Megabytes of games that need not be kept for ever."""
    people: float
    """Megabytes of games of people, which are kept for ever."""


def look(served: Served, second: float) -> Look:
    """Looks at the server now; an OSError if it does not run."""
    with closing(Store.open_read_only(served.store)) as store:
        found = sizes(store)
    size = sum(size for kind, (_, size) in found.items() if kind in DISPOSABLE)
    handles = len(list(Path(f"/proc/{served.pid}/fd").iterdir()))
    return Look(second, memory_of(served.pid) / MIB, handles, len(descendants(served.pid)), size / 1e6,
                found["people"][1] / 1e6)


def quarters(looks: list[Look], what: str, seconds: float) -> list[float]:
    """The mean of a figure in each quarter of the day, 0 where nobody looked.

    >>> looks = [Look(second, second, 1, 0, 0, 0) for second in range(8)]
    >>> quarters(looks, "memory", 8)
    [0.5, 2.5, 4.5, 6.5]
    """
    parts: list[list[float]] = [[] for _ in range(4)]
    for one in looks:
        parts[min(3, int(4 * one.second / seconds))].append(getattr(one, what))
    return [fmean(part) if part else 0.0 for part in parts]


def growth(looks: list[Look], seconds: float) -> list[str]:
    """The figures that are not flat in the second half, each in a sentence.

    >>> growth([Look(second, 80 + 30 * second, 30, 2, 5, 1) for second in range(8)], 8)
    ['memory grew from 215 to 275 MiB in the second half']
    >>> growth([Look(second, 80 + second, 30, 2, 5, 1) for second in range(8)], 8)
    []
    """
    found = []
    for what, slack in SLACK.items():
        _, _, third, last = quarters(looks, what, seconds)
        if last > 1.1 * third + slack:
            figures = f"from {third:.0f} to {last:.0f} {UNITS[what]}".rstrip()
            found.append(f"{what} grew {figures} in the second half")
    return found
