"""The measuring loop: contenders take turns, and the best and the median round of each are reported."""

from __future__ import annotations

import os
import statistics
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


@dataclass(frozen=True)
class Contender:
    """One row of a table: a name and a piece of work."""

    name: str
    run: Callable[[], object] | None
    """Does the work once; None if the package is not installed."""
    units: int = 1
    """How many units of work one call does."""


@dataclass(frozen=True)
class Goal:
    """What the first contender should reach: a multiple of a peer's speed or, without a peer, a time."""

    least: float
    peer: str | None = None


@dataclass(frozen=True)
class Benchmark:
    """One kind of work and its contenders; the first is ours, and the others are compared with it."""

    name: str
    title: str
    unit: str
    """The unit of work. Rates are units per second or, with `timed`, seconds per unit."""
    contenders: Callable[[], Sequence[Contender]]
    goals: tuple[Goal, ...] = ()
    timed: bool = False
    clock: Callable[[], float] = time.process_time
    """Processor time, on which other work on the machine has little effect; the wall clock for start-up."""


@dataclass(frozen=True)
class Figure:
    """The result of one contender."""

    name: str
    seconds: float | None
    """Seconds per unit of work in the best round; None if the package is not installed."""
    spread: float = 0.0
    """How much longer the median round took, as a fraction."""


@dataclass(frozen=True)
class Effort:
    """How many rounds to measure, and how long."""

    rounds: int
    seconds: float
    """The minimum length of a round."""


FULL = Effort(rounds=9, seconds=0.3)
QUICK = Effort(rounds=3, seconds=0.05)


def stay_on_one_core() -> None:
    """Pins this process, with all threads that a peer may start, to one core."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})


def measure(benchmark: Benchmark, effort: Effort) -> list[Figure]:
    """A figure for each contender; their rounds are interleaved so that a slow spell affects all of them.

    >>> rows = [Contender("ours", lambda: sum(range(9)), units=9), Contender("peer", None)]
    >>> figures = measure(Benchmark("sums", "Sums", "numbers", lambda: rows), QUICK)
    >>> [figure.seconds is None for figure in figures]
    [False, True]
    """
    contenders, clock = benchmark.contenders(), benchmark.clock
    present = [(contender.name, contender.run, contender.units) for contender in contenders if contender.run]
    repeats = {name: _repeats(run, effort.seconds, clock) for name, run, _ in present}
    rounds: dict[str, list[float]] = {name: [] for name, _, _ in present}
    for _ in range(effort.rounds):
        for name, run, units in present:
            rounds[name].append(_time(run, repeats[name], clock) / (repeats[name] * units))
    return [_figure(contender.name, rounds.get(contender.name)) for contender in contenders]


def _figure(name: str, rounds: list[float] | None) -> Figure:
    if rounds is None:
        return Figure(name, None)
    best = min(rounds)
    return Figure(name, best, statistics.median(rounds) / best - 1)


def _repeats(run: Callable[[], object], seconds: float, clock: Callable[[], float]) -> int:
    """How many calls a round of that length needs; finding out also warms up caches."""
    repeats = 1
    while (took := _time(run, repeats, clock)) < seconds / 4:
        repeats *= 4
    return max(1, round(repeats * seconds / took))


def _time(run: Callable[[], object], repeats: int, clock: Callable[[], float]) -> float:
    began = clock()
    for _ in range(repeats):
        run()
    return clock() - began
