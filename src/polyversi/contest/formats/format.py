"""What a format is: a small class that says who meets whom, from nothing but the field and its options."""

from __future__ import annotations

import dataclasses
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, ClassVar

from polyversi.contest.model import Field, Meeting, SeatOrder
from polyversi.games.errors import PlayerError

MAX_OPTION = 1000
"""The most that an option of a format takes."""


def option(default: int, minimum: int) -> Any:
    """A field of a format that a tournament's file can set, with the smallest number that it takes."""
    return dataclasses.field(default=default, metadata={"minimum": minimum})


@dataclass(frozen=True)
class Format(ABC):
    """Says who meets whom. A subclass is a frozen dataclass: its fields are its options.

    A format remembers nothing: what it says follows from the field. Who joins or leaves does so from a round
    of which no game has begun; only then do meetings that were played stay as they are.

    >>> from polyversi.contest.formats import format_from
    >>> [meeting.entrants for meeting in format_from("gauntlet", {}).meetings(Field(3))]
    [(0, 1), (0, 2)]
    """

    name: ClassVar[str]
    """What a tournament's file calls it."""
    games: ClassVar[int | None] = None
    """How many games a meeting has on every variant; None: as many as the tournament's file says."""
    seats: ClassVar[SeatOrder] = "alternate"
    """When the two of a meeting change seats."""
    is_for_pairs: ClassVar[bool] = False
    """Whether it is for games with two seats only."""

    def __post_init__(self) -> None:
        for known in dataclasses.fields(self):
            value, minimum = getattr(self, known.name), known.metadata["minimum"]
            if not isinstance(value, int) or isinstance(value, bool) or not minimum <= value <= MAX_OPTION:
                raise PlayerError(
                    f"{known.name} of {self.name} is no whole number from {minimum} to {MAX_OPTION}"
                )

    @abstractmethod
    def meetings(self, field: Field) -> list[Meeting]:
        """All that are fixed so far, those over and those due, in the order in which they should be played.

        With more results there are the same ones and perhaps further ones. A meeting of one entrant alone is
        a bye: nothing is played, and it has no result.
        """

    def opponents(self, field: Field, newcomer: int) -> set[int]:
        """Whom somebody who comes last can meet, also those who have left.

        >>> from polyversi.contest.formats import format_from
        >>> [format_from(name, {}).opponents(Field(4), 3) for name in ("ladder", "gauntlet")]
        [{0, 1, 2}, {0}]
        """
        return set(range(field.entrants)) - {newcomer}

    def rounds_of(self, entrants: int) -> int | None:  # noqa: ARG002 most have as many as it takes
        """How many rounds there are with so many entrants; None where newcomers bring further ones."""
        return None

    def ranking(self, field: Field) -> list[int] | None:  # noqa: ARG002 most go by points
        """All entrants, the best first, where points alone do not say it; else None."""
        return None

    def check(self, field: Field) -> None:
        """Raises a PlayerError when the format cannot be played by so many, or with so many seats."""
        if field.entrants < 2:
            raise PlayerError(f"a tournament needs two entrants or more, and has {field.entrants}")
        if self.is_for_pairs and field.seats != 2:
            raise PlayerError(
                f"{self.name} is for games with two seats, and this one has {field.seats}; "
                "round-robin and gauntlet take more"
            )


def at_the_start(field: Field) -> tuple[list[int], list[int]]:
    """Those that take part from the first round on, and those that came later.

    >>> at_the_start(Field(4, joined={3: 2}))
    ([0, 1, 2], [3])
    """
    first = [entrant for entrant in range(field.entrants) if field.joined.get(entrant, 1) <= 1]
    return first, sorted(set(range(field.entrants)) - set(first))


def numbered(field: Field, groups: Iterable[tuple[int, tuple[int, ...]]]) -> list[Meeting]:
    """Meetings of groups that are all known before the first game, each given with its round.

    Whoever left has no further meetings. Groups that are given later never change the ids of earlier ones.

    >>> [meeting.id for meeting in numbered(Field(3), [(1, (0, 1)), (2, (0, 2)), (1, (1, 2))])]
    ['1.1', '1.2', '2.1']
    """
    places: Counter[int] = Counter()
    found = []
    for round, entrants in groups:
        places[round] += 1
        meeting = Meeting(f"{round}.{places[round]}", round, entrants)
        if meeting.id in field.results or not field.left.keys() & set(entrants):
            found.append(meeting)
    return sorted(found, key=lambda meeting: meeting.round)
