"""What the parts of a contest say to each other: who meets whom, in which games, and what came of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

SeatOrder = Literal["course", "alternate", "fixed"]
"""When two entrants change seats: after half of the games, as in a course's tournament, after each, never."""


@dataclass(frozen=True)
class Meeting:
    """Entrants that play games among themselves: for a pair of them all games with changed seats.

    >>> Meeting("2.1", 2, (4, 0)).entrants
    (4, 0)
    """

    id: str
    """Round and place in it; the same whenever the contest comes to it."""
    round: int
    """From 1; a later round may depend on the results of earlier ones."""
    entrants: tuple[int, ...]
    """By their index, one for each seat of the first game; who takes several seats is named as often."""


@dataclass(frozen=True)
class Fixture:
    """A game to be played, the same whenever the contest comes to it.

    >>> Fixture("2.1/3", Meeting("2.1", 2, (4, 0)), seating=(0, 4)).variant
    0
    """

    id: str
    """Unique in its contest: the number of a match's game, or the id of its meeting and its number there."""
    meeting: Meeting
    variant: int = 0
    """The index of what is played."""
    opening: int = 0
    """Games of a meeting with the same variant and number here begin with the same position."""
    seating: tuple[int, ...] = ()
    """The index of the entrant in each seat."""


@dataclass(frozen=True)
class MeetingResult:
    """What all games of a meeting brought each entrant in it."""

    points: Mapping[int, float]
    stones: Mapping[int, int]


@dataclass(frozen=True)
class Field:
    """Who takes part, as a format sees it."""

    entrants: int
    """How many there are; they are known by their index, in the order of the file."""
    seats: int = 2
    """Of the game that is played."""
    seed: int = 0
    """Whatever a format draws, it draws from this."""
    results: Mapping[str, MeetingResult] = field(default_factory=dict)
    """Of the meetings that are over, by their id."""
    begun: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    """The entrants of meetings of which games were played, by their id; they stay, whoever is drawn now."""
    joined: Mapping[int, int] = field(default_factory=dict)
    """The round from which on somebody takes part who came later; the others from the first."""
    left: Mapping[int, int] = field(default_factory=dict)
    """The round from which on somebody does not take part any more: one that failed too often."""

    def present(self, round: int) -> list[int]:
        """Those that take part in a round.

        >>> Field(4, joined={3: 2}, left={0: 2}).present(1), Field(4, joined={3: 2}, left={0: 2}).present(2)
        ([0, 1, 2], [1, 2, 3])
        """
        return [
            entrant
            for entrant in range(self.entrants)
            if self.joined.get(entrant, 1) <= round and round < self.left.get(entrant, round + 1)
        ]
