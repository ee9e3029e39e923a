"""The games of a tournament: what identifies one before it is played, and what is kept of it afterwards."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from polyversi.contest.schedule import SeatOrder, schedule_in_turn
from polyversi.protocols.seating import draw_seed

if TYPE_CHECKING:
    from polyversi.contest.model import Meeting


@dataclass(frozen=True)
class TournamentGame:
    """A game to be played, the same whenever the tournament comes to it."""

    id: str
    """Its meeting's, and its number there."""
    meeting: Meeting
    variant: int
    """The index of what is played."""
    opening: int
    """Games of a meeting with the same variant and number here begin with the same position."""
    seating: tuple[int, ...]
    """The index of the entrant in each seat."""
    seed: int
    """Draws the lots of its players."""


def games_of(
    meeting: Meeting, variants: int, games: int, order: SeatOrder, seed: int
) -> list[TournamentGame]:
    """All games of a meeting, so many on each variant, with changed seats.

    >>> from polyversi.contest.model import Meeting
    >>> [(game.id, game.seating) for game in games_of(Meeting("1.1", 1, (4, 7)), 1, 2, "alternate", seed=0)]
    [('1.1/1', (4, 7)), ('1.1/2', (7, 4))]
    """
    if len(meeting.entrants) < 2:
        return []    # a bye
    found = schedule_in_turn([[meeting.entrants]] * variants, games, order)
    return [
        TournamentGame(
            f"{meeting.id}/{fixture.number}", meeting, fixture.variant, fixture.opening, fixture.seating,
            draw_seed(seed, "game", meeting.id, fixture.number),
        )
        for fixture in found
    ]
