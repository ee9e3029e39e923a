"""The Swiss system: entrants with about equal points play each other, and nobody is out."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import combinations
from typing import ClassVar

from polyversi.contest.formats.format import Format, option, seats_in_round
from polyversi.contest.formats.grouping import group_tables
from polyversi.contest.formats.swiss_pairing import WHOLE, Card, tables
from polyversi.contest.model import Field, Meeting, MeetingResult


@dataclass(frozen=True)
class Swiss(Format):
    """In every round entrants with about equal points meet, not twice if that can be avoided.

    The two of a meeting share one point by their scores, and a bye is worth one. The order is by points, then
    by Buchholz (the sum of the opponents' points), then by Sonneborn-Berger (the same, each times the score
    against that opponent), then by the list. There a bye counts as an opponent with one's own points. Nobody
    has two byes: if that cannot be avoided, the round is left out.

    With more than two seats neighbours in the standings form groups, and as few as possible meet again. Any
    two of a meeting share one point by their scores, and everybody gets the mean of its shares. If the groups
    do not come out even, some rest, which is worth half a point; all play equally often, but for one round.
    Different numbers of seats take turns, round by round.

    >>> [meeting.entrants for meeting in Swiss().meetings(Field(5))]    # and a bye
    [(0, 2), (3, 1), (4,)]
    >>> [meeting.entrants for meeting in Swiss().meetings(Field(8, seats=(3, 2)))]    # and two rest
    [(0, 2, 4), (1, 3, 5), (7,), (6,)]
    """

    name: ClassVar[str] = "swiss"
    label: ClassVar[str] = "Swiss system"
    scored_by: ClassVar[str] = "Score"
    fills_seats: ClassVar[bool] = True

    rounds: int = option(0, minimum=0, label="Rounds (0: as many as needed)")
    """The number of rounds; 0 for one more than a knock-out of pairs would have.

    With different numbers of seats that is rounded up, so that each number has equally many rounds.
    """

    def meetings(self, field: Field) -> list[Meeting]:
        return self._played(field)[0]

    def ranking(self, field: Field) -> list[int]:
        """By the finished rounds."""
        return [card.entrant for card in _in_order(self._played(field)[1])]

    def scores(self, field: Field) -> list[float]:
        """The shares of the points of all finished rounds, of which each is worth at most one."""
        cards = self._played(field)[1]
        return [cards[entrant].points / WHOLE for entrant in range(field.entrants)]

    def rounds_of(self, field: Field) -> int:
        turns = len(field.seats)
        return self.rounds or -(-((field.entrants - 1).bit_length() + 1) // turns) * turns

    def _played(self, field: Field) -> tuple[list[Meeting], dict[int, Card]]:
        """All meetings, and the cards of all entrants after the finished rounds."""
        cards = {entrant: Card(entrant) for entrant in range(field.entrants)}
        found: list[Meeting] = []
        for round in range(1, self.rounds_of(field) + 1):
            present = set(field.present(round))
            seats = seats_in_round(field, round, len(present))
            if seats is None:
                continue
            there = tuple(card for card in _in_order(cards) if card.entrant in present)
            begun = _begun(field, round, present)
            if seats == 2:
                drawn = tables(there, self._is_crowded(field, round, len(there)), begun)
            else:
                drawn = group_tables(there, seats, begun)
            due = [Meeting(f"{round}.{place}", round, group) for place, group in enumerate(drawn, 1)]
            found += due
            if any(len(meeting.entrants) > 1 and meeting.id not in field.results for meeting in due):
                break
            for meeting in due:
                if meeting.id in field.results:
                    _note(cards, meeting.entrants, field.results[meeting.id])
                else:
                    _note_bye(cards, meeting.entrants[0], seats)
        return found, cards

    def _is_crowded(self, field: Field, round: int, there: int) -> bool:
        """Whether most entrants meet most others in games of two seats."""
        # Nothing here may depend on late entrants, or rounds that were played would change.
        known = sum(field.joined.get(entrant, 1) <= round for entrant in range(field.entrants))
        return 3 * self.rounds_of(replace(field, entrants=known)) >= 2 * there * len(field.seats)


def _begun(field: Field, round: int, present: set[int]) -> tuple[tuple[int, tuple[int, ...]], ...]:
    """The meetings of a round that have played games, by table."""
    ids = ((id.partition("."), pair) for id, pair in field.begun.items() if present.issuperset(pair))
    return tuple(sorted((int(place) - 1, pair) for (number, _, place), pair in ids if int(number) == round))


def _note_bye(cards: dict[int, Card], entrant: int, seats: int) -> None:
    """Enters on its card that somebody does not play in a round with so many seats."""
    card = cards[entrant]
    if seats == 2:
        cards[entrant] = replace(card, points=card.points + WHOLE, had_bye=True)
    else:
        cards[entrant] = replace(card, points=card.points + WHOLE // 2, rests=(*card.rests, seats))


def _note(cards: dict[int, Card], entrants: tuple[int, ...], result: MeetingResult) -> None:
    """Enters a meeting on the cards of its entrants."""
    # A disqualification in Reversi XT costs points, but nobody has less than nothing to share.
    points = {entrant: max(result.points.get(entrant, 0.0), 0.0) for entrant in entrants}
    shares: dict[tuple[int, int], int] = {}
    for one, other in combinations(entrants, 2):
        both = points[one] + points[other]
        shares[one, other] = round(WHOLE * points[one] / both) if both else WHOLE // 2
        shares[other, one] = WHOLE - shares[one, other]
    for place, entrant in enumerate(entrants):
        card, others = cards[entrant], (*entrants[:place], *entrants[place + 1 :])
        gained = [shares[entrant, other] for other in others]
        cards[entrant] = replace(
            card,
            points=card.points + round(sum(gained) / len(gained)),
            met=card.met + others,
            seats=card.seats + (len(entrants),) * len(others),
            shares=(*card.shares, *gained),
            firsts=(*card.firsts, (1, -1)[place]) if len(entrants) == 2 else card.firsts,
        )


def _in_order(cards: dict[int, Card]) -> list[Card]:
    """The standings."""

    def value(card: Card) -> tuple[int, int, int, int]:
        # Without an opponent one has played against oneself: won a bye, and drawn with a group when resting.
        alone, resting = card.points * card.had_bye, card.points * sum(seats - 1 for seats in card.rests)
        others = [cards[other].points for other in card.met]
        berger = sum(share * other for share, other in zip(card.shares, others, strict=True))
        return (card.points, sum(others) + alone + resting, berger + WHOLE * alone + WHOLE // 2 * resting,
                -card.entrant)

    return sorted(cards.values(), key=value, reverse=True)
