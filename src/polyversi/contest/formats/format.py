"""The base class of tournament formats: who plays whom follows from the field and the options."""

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
"""The largest value of an option."""


def option(default: int, minimum: int, label: str) -> Any:
    """A field of a format that a tournament file can set, with its smallest value and what forms call it."""
    return dataclasses.field(default=default, metadata={"minimum": minimum, "label": label})


@dataclass(frozen=True)
class Format(ABC):
    """Determines who plays whom. A subclass is a frozen dataclass, and its fields are its options.

    A format has no memory: its meetings follow from the field. Entrants join and leave from a round of which
    no game has started, so that meetings that were played stay as they are.

    >>> from polyversi.contest.formats import format_from
    >>> [meeting.entrants for meeting in format_from("gauntlet", {}).meetings(Field(3))]
    [(0, 1), (0, 2)]
    """

    name: ClassVar[str]
    """Its name in a tournament file."""
    label: ClassVar[str]
    """What people read."""
    is_bracket: ClassVar[bool] = False
    """Whether whoever loses is out, so that its rounds are drawn as a bracket."""
    seats: ClassVar[SeatOrder] = "alternate"
    """When two players change seats."""
    is_for_pairs: ClassVar[bool] = False
    """Whether it takes only games with two seats."""
    scored_by: ClassVar[str] = "Points per game"
    """What people call the scores that rank; empty where the place itself is all that there is."""
    fills_seats: ClassVar[bool] = False
    """Whether it takes only games with a seat for each of a group of entrants."""

    def __post_init__(self) -> None:
        for known in dataclasses.fields(self):
            value, minimum = getattr(self, known.name), known.metadata["minimum"]
            if not isinstance(value, int) or isinstance(value, bool) or not minimum <= value <= MAX_OPTION:
                raise PlayerError(
                    f"{known.name} of {self.name} must be a whole number from {minimum} to {MAX_OPTION}"
                )

    @abstractmethod
    def meetings(self, field: Field) -> list[Meeting]:
        """All meetings known so far, finished and due, in the order in which they should be played.

        More results only add meetings. A meeting of a single entrant is a bye: nothing is played, and it has
        no result.
        """

    def opponents(self, field: Field, newcomer: int) -> set[int]:
        """Whom a new entrant can meet, including those who have left.

        >>> from polyversi.contest.formats import format_from
        >>> [format_from(name, {}).opponents(Field(4), 3) for name in ("ladder", "gauntlet")]
        [{0, 1, 2}, {0}]
        """
        return set(range(field.entrants)) - {newcomer}

    def games_of(self, seats: int) -> int | None:  # noqa: ARG002 most have no number of their own
        """Games of a meeting on each variant with so many seats; None for those of the tournament file."""
        return None

    def rounds_of(self, field: Field) -> int | None:  # noqa: ARG002 most have no fixed number
        """The number of rounds; None if new entrants bring further rounds."""
        return None

    def ranking(self, field: Field) -> list[int] | None:  # noqa: ARG002 most rank by points
        """All entrants, the best first; None if points decide."""
        return None

    def scores(self, field: Field) -> list[float] | None:  # noqa: ARG002 most rank by points
        """By the index of an entrant what ranks it first of all; None where `ranking` has no scores.

        >>> from polyversi.contest.formats import format_from
        >>> format_from("swiss", {}).scores(Field(3)), format_from("ladder", {}).scores(Field(3))
        ([0.0, 0.0, 0.0], None)
        """
        return None

    def check(self, field: Field) -> None:
        """Raises a PlayerError if the format does not work with so many entrants or seats."""
        if field.entrants < 2:
            raise PlayerError(f"a tournament needs at least two entrants, not {field.entrants}")
        most = max(field.seats)
        if self.is_for_pairs and field.seats != (2,):
            raise PlayerError(
                f"{self.name} is for games with two seats, and this one has {most}; use another format"
            )
        if self.fills_seats and field.entrants < most:
            raise PlayerError(f"{field.entrants} entrants are too few for {self.name} with {most} seats")


def at_the_start(field: Field) -> tuple[list[int], list[int]]:
    """The entrants of the first round, and those that joined later.

    >>> at_the_start(Field(4, joined={3: 2}))
    ([0, 1, 2], [3])
    """
    first = [entrant for entrant in range(field.entrants) if field.joined.get(entrant, 1) <= 1]
    return first, sorted(set(range(field.entrants)) - set(first))


def seats_in_round(field: Field, round: int, entrants: int) -> int | None:
    """The number of seats in a round of which the next depends: the numbers take turns.

    A number for which there are too few entrants is skipped; None if all are too large.

    >>> [seats_in_round(Field(8, seats=(2, 4)), round, 8) for round in (1, 2, 3)]
    [2, 4, 2]
    >>> [seats_in_round(Field(8, seats=(2, 4)), 2, entrants) for entrants in (3, 1)]
    [2, None]
    """
    turn = (round - 1) % len(field.seats)
    order = field.seats[turn:] + field.seats[:turn]
    return next((seats for seats in order if seats <= entrants), None)


def numbered(field: Field, groups: Iterable[tuple[int, tuple[int, ...]]]) -> list[Meeting]:
    """Meetings for groups that are known before the first game, each with its round.

    Entrants that left have no further meetings. Later groups never change the ids of earlier ones.

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
