"""The gauntlet: a few entrants against all the others."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from polyversi.contest.formats.format import Format, numbered, option
from polyversi.contest.model import Field, Meeting
from polyversi.games.errors import PlayerError


@dataclass(frozen=True)
class Gauntlet(Format):
    """The first entrant, or the first few, play all the others, who do not play each other.

    With more than two seats a challenger has one seat, and its opponent all the others. Variants with
    different numbers of seats have meetings of their own.

    >>> [meeting.entrants for meeting in Gauntlet(challengers=2).meetings(Field(4))]
    [(0, 2), (1, 3), (0, 3), (1, 2)]
    >>> [meeting.entrants for meeting in Gauntlet().meetings(Field(2, seats=(2, 3)))]
    [(0, 1), (0, 1, 1)]
    """

    name: ClassVar[str] = "gauntlet"
    label: ClassVar[str] = "Gauntlet"

    challengers: int = option(1, minimum=1, label="Challengers")
    """How many of the first entrants are challengers; they do not play each other."""

    def meetings(self, field: Field) -> list[Meeting]:
        joined = [field.joined.get(entrant, 1) for entrant in range(field.entrants)]
        others = range(self.challengers, field.entrants)
        first = [other for other in others if joined[other] <= 1]
        found = []
        turns = max(self.challengers, len(first)) if first else 0
        for turn in range(turns):
            for place in range(min(self.challengers, len(first))):
                # The longer of the two lists rotates past the shorter one.
                challenger, other = (
                    (place, first[(turn + place) % turns]) if turns == len(first)
                    else ((turn + place) % turns, first[place])
                )
                found.append((max(turn + 1, joined[challenger]), challenger, other))
        for other in others:
            if joined[other] > 1:
                challengers = range(self.challengers)
                found += [(max(joined[other] + turn, joined[turn]), turn, other) for turn in challengers]
        return numbered(field, [
            (round, (one, *[other] * (seats - 1))) for round, one, other in found for seats in field.seats
        ])

    def opponents(self, field: Field, newcomer: int) -> set[int]:  # noqa: ARG002 a new entrant is never a challenger
        return set(range(self.challengers))

    def check(self, field: Field) -> None:
        super().check(field)
        if field.entrants <= self.challengers:
            raise PlayerError(
                f"{self.challengers} challengers need opponents; there are only {field.entrants} entrants"
            )
