"""Results: why a game ended and what it brought each seat."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from polyversi.games.definition import Goal

RANK_POINTS = (25.0, 11.0, 5.0, 2.0, 1.0, 0.0, 0.0, 0.0)
"""The points of each rank, best first, as the XT courses give them."""
DISQUALIFIED_POINTS = -50.0


@dataclass(frozen=True, slots=True)
class Result:
    """How a game ended, seat by seat in the order of their numbers.

    >>> import polyversi as pv
    >>> result = pv.game("othello-4").start().playout(seed=1).result
    >>> result.verdict in ("win", "draw"), len(result.scores), sum(result.points)
    (True, 2, 1.0)
    """

    reason: str
    """Why it ended: `no moves`, `board full`, `passes`, `bombs used`, `no tiles left`, `one seat left` or
    `no seat left`."""
    scores: tuple[int, ...]
    """The stones of each seat; empty cells count for nobody."""
    ranks: tuple[int, ...]
    """The rank of each seat from 1; seats that tie share the better rank."""
    points: tuple[float, ...]
    """The points of each seat: 1 shared by the winners, or the course's points by rank in XT."""

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats that share the first rank."""
        return tuple(seat for seat, rank in enumerate(self.ranks, 1) if rank == 1)

    @property
    def winner(self) -> int | None:
        """The seat that won alone, or None."""
        return self.winners[0] if self.verdict == "win" else None

    @property
    def verdict(self) -> Literal["win", "draw"]:
        """Whether one seat won or several share the first rank."""
        return "win" if len(self.winners) == 1 else "draw"

    def __str__(self) -> str:
        count = "–".join(map(str, self.scores))
        who = " and ".join(map(str, self.winners))
        drawn = f"a draw between seats {who}" if who else "nobody wins"
        outcome = f"seat {who} wins" if self.winner else drawn
        return f"{outcome}, {count} ({self.reason})"


def rank(scores: tuple[int, ...], goal: Goal, out: tuple[int, ...] = ()) -> tuple[int, ...]:
    """The rank of each seat; the disqualified ones share the rank after all others, or the last.

    >>> rank((10, 30, 10, 5), "most"), rank((10, 30, 10, 5), "fewest", out=(4,))
    ((2, 1, 2, 4), (1, 3, 1, 4))
    >>> rank((10, 30), "most", out=(1, 2))
    (2, 2)
    """
    if len(out) == len(scores):
        return (len(scores),) * len(scores)
    sign = 1 if goal == "most" else -1
    values = {seat: sign * score for seat, score in enumerate(scores, 1) if seat not in out}
    return tuple(1 + sum(other > values.get(seat, -math.inf) for other in values.values())
                 for seat in range(1, len(scores) + 1))


def shared_point(ranks: tuple[int, ...]) -> tuple[float, ...]:
    """One point, shared by the seats of the first rank.

    >>> shared_point((1, 2)), shared_point((1, 1))
    ((1.0, 0.0), (0.5, 0.5))
    """
    first = ranks.count(1)
    return tuple(1 / first if place == 1 else 0.0 for place in ranks)
