"""The ladder: whoever beats the entrant above takes its place."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from polyversi.contest.formats.format import Format, at_the_start, option
from polyversi.contest.model import Field, Meeting


@dataclass(frozen=True)
class Ladder(Format):
    """Entrants challenge the one above them to two games with seats changed, and take its place if they win.

    The ladder starts in the order of the list; late entrants start at the bottom. In odd rounds the second
    challenges the first, the fourth the third, and so on; in even rounds the third the second. So whoever
    keeps winning climbs in every round, and if the better one always wins, the order is right after as many
    rounds as there are entrants. With equal points both stay.

    >>> [meeting.entrants for meeting in Ladder().meetings(Field(4))]    # the challengers first
    [(1, 0), (3, 2)]
    """

    name: ClassVar[str] = "ladder"
    games: ClassVar[int | None] = 2
    is_for_pairs: ClassVar[bool] = True

    rounds: int = option(0, minimum=0)
    """The number of rounds; 0 for as many as entrants, and as many again when somebody joins later."""

    def meetings(self, field: Field) -> list[Meeting]:
        return self._climbed(field)[0]

    def rounds_of(self, entrants: int) -> int | None:  # noqa: ARG002 it is an option, or it grows
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
        rounds = self.rounds or max((field.joined[one] - 1 for one in late), default=0) + field.entrants
        for round in range(1, rounds + 1):
            present = field.present(round)
            order += [one for one in late if field.joined[one] == round]
            order = [one for one in order if one in present]
            upper = range(1 - round % 2, len(order) - 1, 2)
            due = [
                Meeting(f"{round}.{place}", round, (order[above + 1], order[above]))
                for place, above in enumerate(upper, 1)
            ]
            found += due
            if any(meeting.id not in field.results for meeting in due):
                return found, order, round
            for above, meeting in zip(upper, due, strict=True):
                points = field.results[meeting.id].points
                challenger, defender = meeting.entrants
                if points.get(challenger, 0.0) > points.get(defender, 0.0):
                    order[above : above + 2] = challenger, defender
        return found, order, rounds
