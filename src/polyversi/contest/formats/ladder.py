"""The ladder: whoever beats the entrants above takes their places."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from polyversi.contest.formats.format import Format, at_the_start, option, seats_in_round
from polyversi.contest.model import Field, Meeting, MeetingResult


@dataclass(frozen=True)
class Ladder(Format):
    """Entrants challenge those above them, play once in every seat, and take their places if they win.

    The ladder starts in the order of the list; late entrants start at the bottom. In odd rounds the second
    challenges the first, the fourth the third, and so on; in even rounds the third the second. So whoever
    keeps winning climbs in every round, and if the better one always wins, the order is right after as many
    rounds as there are entrants. With equal points both stay.

    With more seats so many neighbours play each other and share their places in the order of their points. In
    even rounds the groups are others: they end at the bottom, or begin half a group below the top. Different
    numbers of seats take turns, round by round.

    >>> [meeting.entrants for meeting in Ladder().meetings(Field(4))]    # the challengers first
    [(1, 0), (3, 2)]
    >>> [meeting.entrants for meeting in Ladder().meetings(Field(8, seats=(3,)))]
    [(2, 1, 0), (5, 4, 3)]
    """

    name: ClassVar[str] = "ladder"
    label: ClassVar[str] = "Ladder tournament"
    scored_by: ClassVar[str] = ""
    fills_seats: ClassVar[bool] = True

    rounds: int = option(0, minimum=0, label="Rounds (0: as many as needed)")
    """The number of rounds; 0 for as many as entrants, and as many again when somebody joins later.

    With different numbers of seats 0 stands for so many rounds with each of them.
    """

    def meetings(self, field: Field) -> list[Meeting]:
        return self._climbed(field)[0]

    def games_of(self, seats: int) -> int:
        return seats

    def rounds_of(self, field: Field) -> int | None:  # noqa: ARG002 it is an option, or it grows
        return self.rounds or None

    def ranking(self, field: Field) -> list[int]:
        """The ladder from the top, then those who left, the last one first, then those yet to join."""
        _, order, round = self._climbed(field)
        gone = [entrant for entrant in range(field.entrants) if entrant not in order]
        gone.sort(key=lambda one: (field.joined.get(one, 1) > round, -field.left.get(one, 0), one))
        return order + gone

    def _climbed(self, field: Field) -> tuple[list[Meeting], list[int], int]:
        """All meetings, the ladder, and the current round."""
        order, late = at_the_start(field)
        found: list[Meeting] = []
        before = max((field.joined[one] - 1 for one in late), default=0)
        rounds = self.rounds or before + field.entrants * len(field.seats)
        for round in range(1, rounds + 1):
            present = field.present(round)
            order += [one for one in late if field.joined[one] == round]
            order = [one for one in order if one in present]
            seats = seats_in_round(field, round, len(order)) or 2
            upper = _places(len(order), seats, (round - 1) // len(field.seats))
            due = [
                Meeting(f"{round}.{place}", round, tuple(reversed(order[first : first + seats])))
                for place, first in enumerate(upper, 1)
            ]
            found += due
            if any(meeting.id not in field.results for meeting in due):
                return found, order, round
            for first, meeting in zip(upper, due, strict=True):
                group = slice(first, first + seats)
                order[group] = _by_points(order[group], field.results[meeting.id])
        return found, order, rounds


def _by_points(group: list[int], result: MeetingResult) -> list[int]:
    """The best first; with equal points they stay as they are."""
    return sorted(group, key=lambda one: result.points.get(one, 0.0), reverse=True)


def _places(entrants: int, seats: int, turn: int) -> range:
    """The first place of each group; every two neighbours are in one group in this turn or in the next.

    >>> [list(_places(entrants, 4, turn)) for entrants in (8, 11) for turn in (0, 1)]
    [[0, 4], [2], [0, 4], [3, 7]]
    """
    first = (entrants % seats or seats // 2) if turn % 2 else 0
    return range(first, entrants - seats + 1, seats)
