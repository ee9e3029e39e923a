"""The data that the parts of a contest exchange: meetings, fixtures, results, and the field of entrants."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

SeatOrder = Literal["course", "alternate", "fixed"]
"""When two entrants change seats: after half of the games, as in a course's tournament, after each, never."""


@dataclass(frozen=True)
class Meeting:
    """Entrants that play each other, in one game or in several with seats changed.

    >>> Meeting("2.1", 2, (4, 0)).entrants
    (4, 0)
    """

    id: str
    """Round and place in the round; always the same for the same meeting."""
    round: int
    """From 1; a later round may depend on the results of earlier ones."""
    entrants: tuple[int, ...]
    """The index of the entrant in each seat of the first game; one may have several seats.

    The meeting is played on all variants with so many seats.
    """


@dataclass(frozen=True)
class Fixture:
    """A game to be played.

    >>> Fixture("2.1/3", Meeting("2.1", 2, (4, 0)), seating=(0, 4)).variant
    0
    """

    id: str
    """Unique in its contest: a number in a match, otherwise the id of the meeting and a number."""
    meeting: Meeting
    variant: int = 0
    """The index of the variant."""
    opening: int = 0
    """Games of a meeting with the same variant and opening start from the same position."""
    seating: tuple[int, ...] = ()
    """The index of the entrant in each seat."""


@dataclass(frozen=True)
class MeetingResult:
    """The points and stones of each entrant of a meeting."""

    points: Mapping[int, float]
    """More than the last rank has anyway: in Reversi XT it has 11 of two seats, and one cannot win those."""
    stones: Mapping[int, int]


@dataclass(frozen=True)
class Field:
    """The entrants and results, as a format sees them."""

    entrants: int
    """The number of entrants; each is known by its index, in the order of the file."""
    seats: tuple[int, ...] = (2,)
    """How many seats the variants have: each number once, in the order of the file."""
    seed: int = 0
    """Determines everything random in a format."""
    results: Mapping[str, MeetingResult] = field(default_factory=dict)
    """The results of finished meetings, by id."""
    begun: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    """The entrants of meetings with played games, by id; these meetings stay as they are."""
    joined: Mapping[int, int] = field(default_factory=dict)
    """The first round of each entrant that joined later."""
    left: Mapping[int, int] = field(default_factory=dict)
    """The first round without an entrant that failed too often."""

    def present(self, round: int) -> list[int]:
        """The entrants that take part in a round.

        >>> Field(4, joined={3: 2}, left={0: 2}).present(1), Field(4, joined={3: 2}, left={0: 2}).present(2)
        ([0, 1, 2], [1, 2, 3])
        """
        return [
            entrant
            for entrant in range(self.entrants)
            if self.joined.get(entrant, 1) <= round and round < self.left.get(entrant, round + 1)
        ]
