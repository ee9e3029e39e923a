"""Time management: how long the engine searches for a move, and what is left of that."""

from __future__ import annotations

import time
from typing import Protocol

from polyversi.games.limit import Limit
from polyversi.games.state import State
from polyversi.games.tiles import EMPTY

MIN_OVERHEAD, OVERHEAD_SHARE = 0.008, 0.04
"""Seconds, and the share of a move's time, that are reserved for communication with the referee."""
MIN_MOVES_LEFT = 4
"""A bank must last for at least this many moves."""
FRONT_LOADING = 1.6
"""A move takes this many times an even share of the bank: endgames cost little once they are solved."""
LAST_START = 0.6
"""After this share of a move's time no new iteration starts, where unused time is saved."""


def move_time(state: State, limit: Limit) -> float | None:
    """The seconds to spend on the next move: of a bank, a share that lets it last for the game.

    >>> import polyversi as pv
    >>> start = pv.game("othello").start()
    >>> move_time(start, pv.Limit(seconds=1)), move_time(start, pv.Limit(bank=60))
    (0.96, 3.2)
    """
    if limit.allowance is None:
        return None
    overhead = max(MIN_OVERHEAD, OVERHEAD_SHARE * limit.allowance)
    usable = limit.allowance - min(limit.allowance / 2, overhead)
    if limit.bank is None:
        return round(usable, 6)
    moves = max(MIN_MOVES_LEFT, state.tiles.count(EMPTY) / 2)
    return round(min(usable, FRONT_LOADING * limit.bank / moves + limit.increment), 6)


class CountsNodes(Protocol):
    """A search that counts its nodes."""

    @property
    def nodes(self) -> int:
        """Nodes searched so far."""


class SearchBudget:
    """The seconds and nodes of one answer, and what has been used of them."""

    def __init__(self, core: CountsNodes, limit: Limit, seconds: float | None) -> None:
        self._core, self._seconds, self._nodes = core, seconds, limit.nodes
        self._last_start = 1.0 if limit.bank is None else LAST_START
        self._begin, self._nodes_before = time.perf_counter(), core.nodes

    @property
    def elapsed(self) -> float:
        """Seconds so far."""
        return time.perf_counter() - self._begin

    @property
    def nodes(self) -> int:
        """Nodes so far."""
        return self._core.nodes - self._nodes_before

    @property
    def seconds_left(self) -> float | None:
        """None without a limit."""
        return None if self._seconds is None else self._seconds - self.elapsed

    @property
    def nodes_left(self) -> int | None:
        """None without a limit; otherwise at least 1."""
        return None if self._nodes is None else max(1, self._nodes - self.nodes)

    @property
    def is_exhausted(self) -> bool:
        """Whether nothing is left."""
        return (self._seconds is not None and self.elapsed >= self._seconds) or (
            self._nodes is not None and self.nodes >= self._nodes)

    @property
    def allows_iteration(self) -> bool:
        """Whether a deeper iteration could still finish."""
        return not self.is_exhausted and (
            self._seconds is None or self.elapsed <= self._last_start * self._seconds)
