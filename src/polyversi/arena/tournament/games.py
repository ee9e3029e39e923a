"""The games of a tournament: what identifies one before it is played, and what is kept of it afterwards."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from polyversi.arena.schedule import SeatOrder, schedule_in_turn
from polyversi.arena.seating import draw_seed
from polyversi.arena.verdict import Verdict, failures_among

if TYPE_CHECKING:
    from polyversi.arena.tournament.model import Meeting


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

    >>> from polyversi.arena.tournament.model import Meeting
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


@dataclass(frozen=True)
class PlayedGame:
    """A game that is over, as it is stored."""

    id: str
    meeting: str
    round: int
    variant: int
    opening: int
    seating: tuple[int, ...]
    record: str
    """A line of JSON."""
    scores: tuple[int, ...]
    ranks: tuple[int, ...]
    points: tuple[float, ...]
    reason: str
    """What ended it."""
    verdict: Verdict
    offences: tuple[Verdict, ...] = ()
    """What seats did wrong on the way, in games that go on after it."""
    outputs: tuple[str, ...] = ()
    """What the bot in each seat wrote last; nothing for players of ours."""
    ended: float = 0.0
    """When, in seconds since 1970."""

    @property
    def failures(self) -> tuple[Verdict, ...]:
        """What seats did wrong, other than losing.

        >>> lost = Verdict("crash", 2, "its process ended with status 1")
        >>> game = PlayedGame("1.1/1", "1.1", 1, 0, 0, (3, 5), "", (), (), (), "crash", lost)
        >>> [str(failure) for failure in game.failures]
        ['seat 2: crash (its process ended with status 1)']
        """
        return failures_among(*self.offences, self.verdict)
