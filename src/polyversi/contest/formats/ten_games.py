"""The ten games of the course's page: every pair plays ten, and changes seats after five."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from polyversi.contest.formats.round_robin import RoundRobin
from polyversi.contest.model import SeatOrder


@dataclass(frozen=True)
class TenGames(RoundRobin):
    """Every pair of entrants plays ten games and changes seats after five, as on the course's page.

    >>> TenGames.games, TenGames.seats
    (10, 'course')
    """

    name: ClassVar[str] = "ten-games"
    games: ClassVar[int | None] = 10
    seats: ClassVar[SeatOrder] = "course"
    is_for_pairs: ClassVar[bool] = True
