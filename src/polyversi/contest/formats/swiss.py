"""The Swiss system: entrants with equal points play each other, and nobody is out."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from polyversi.contest.formats.format import Format, option
from polyversi.contest.formats.swiss_pairing import WHOLE, Card, tables
from polyversi.contest.model import Field, Meeting, MeetingResult


@dataclass(frozen=True)
class Swiss(Format):
    """In every round entrants with about equal points meet, not twice if that can be avoided.

    The two of a meeting share one point by their scores, and a bye is worth one. The order is by points, then
    by Buchholz (the sum of the opponents' points), then by Sonneborn-Berger (the same, each times the score
    against that opponent), then by the list. There a bye counts as an opponent with one's own points. Nobody
    has two byes: if that cannot be avoided, the round is left out.

    >>> [meeting.entrants for meeting in Swiss().meetings(Field(5))]    # and a bye
    [(0, 2), (3, 1), (4,)]
    """

    name: ClassVar[str] = "swiss"
    is_for_pairs: ClassVar[bool] = True

    rounds: int = option(0, minimum=0)
    """The number of rounds; 0 for one more than a knock-out would have."""

    def meetings(self, field: Field) -> list[Meeting]:
        return self._played(field)[0]

    def ranking(self, field: Field) -> list[int]:
        """By the finished rounds."""
        return [card.entrant for card in _in_order(self._played(field)[1])]

    def rounds_of(self, entrants: int) -> int:
        return self.rounds or (entrants - 1).bit_length() + 1

    def _played(self, field: Field) -> tuple[list[Meeting], dict[int, Card]]:
        """All meetings, and the cards of all entrants after the finished rounds."""
        cards = {entrant: Card(entrant) for entrant in range(field.entrants)}
        found: list[Meeting] = []
        for round in range(1, self.rounds_of(field.entrants) + 1):
            present = set(field.present(round))
            if len(present) < 2:
                continue
            there = tuple(card for card in _in_order(cards) if card.entrant in present)
            # Nothing here may depend on late entrants, or rounds that were played would change.
            known = sum(field.joined.get(entrant, 1) <= round for entrant in cards)
            drawn = tables(there, 3 * self.rounds_of(known) >= 2 * len(there), _begun(field, round, present))
            due = [Meeting(f"{round}.{place}", round, pair) for place, pair in enumerate(drawn, 1)]
            found += due
            if any(len(meeting.entrants) > 1 and meeting.id not in field.results for meeting in due):
                break
            for meeting in due:
                _note(cards, meeting.entrants, field.results.get(meeting.id))
        return found, cards


def _begun(field: Field, round: int, present: set[int]) -> tuple[tuple[int, tuple[int, ...]], ...]:
    """The meetings of a round that have played games, by table."""
    ids = ((id.partition("."), pair) for id, pair in field.begun.items() if present.issuperset(pair))
    return tuple(sorted((int(place) - 1, pair) for (number, _, place), pair in ids if int(number) == round))


def _note(cards: dict[int, Card], entrants: tuple[int, ...], result: MeetingResult | None) -> None:
    """Enters a meeting, or a bye, on the cards of its entrants."""
    if result is None:
        bye = cards[entrants[0]]
        cards[bye.entrant] = replace(bye, points=bye.points + WHOLE, had_bye=True)
        return
    first, second = (result.points.get(entrant, 0.0) for entrant in entrants)
    share = round(WHOLE * first / (first + second)) if first + second else WHOLE // 2
    for place, (entrant, gained) in enumerate(zip(entrants, (share, WHOLE - share), strict=True)):
        card = cards[entrant]
        cards[entrant] = replace(
            card,
            points=card.points + gained,
            met=(*card.met, entrants[1 - place]),
            shares=(*card.shares, gained),
            firsts=(*card.firsts, (1, -1)[place]),
        )


def _in_order(cards: dict[int, Card]) -> list[Card]:
    """The standings."""

    def value(card: Card) -> tuple[int, int, int, int]:
        own = card.points if card.had_bye else 0
        others = [cards[other].points for other in card.met]
        berger = sum(share * other for share, other in zip(card.shares, others, strict=True))
        return card.points, sum(others) + own, berger + WHOLE * own, -card.entrant

    return sorted(cards.values(), key=value, reverse=True)
