"""The table of a tournament: what every entrant has, against whom, how strong it is and how sure that is."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from polyversi.contest.standings import Score
from polyversi.stats.ratings import Rating, Witness, bradley_terry

if TYPE_CHECKING:
    from polyversi.contest.plan import BrokenBot
    from polyversi.contest.tournament import Tournament
    from polyversi.storage.contests import PlayedGame


@dataclass
class Row:
    """What one entrant has."""

    entrant: int
    name: str
    score: Score = field(default_factory=Score)
    rating: Rating | None = None
    is_set_aside: bool = False
    """Whether it failed too often; its games do not count for the others."""


@dataclass
class Table:
    """The rows of all entrants in their order, and what each has against each."""

    rows: list[Row]
    against: Mapping[tuple[int, int], Score]
    """By the indices of two entrants: what the first has from games with the second."""
    broken: tuple[BrokenBot, ...] = ()
    """Those that are set aside from the start."""


def table_of(tournament: Tournament, *, is_rated: bool = True) -> Table:
    """The table after all games that were played; ratings take a moment."""
    plan, left, standings = tournament.plan, tournament.left, tournament.standings
    rows = [
        Row(number, entrant.name, standings.scores[number], is_set_aside=number in left)
        for number, entrant in enumerate(plan.entrants)
    ]
    if is_rated:
        counted = (game for game in tournament.played.values() if not left.keys() & set(game.seating))
        for row, rating in zip(rows, ratings_of(tournament, counted), strict=True):
            row.rating = rating
    return Table([rows[entrant] for entrant in _order(tournament, rows)], standings.each, plan.broken)


def ratings_of(
    tournament: Tournament, games: Iterable[PlayedGame], *, has_bounds: bool = True
) -> list[Rating | None]:
    """How strong the entrants are, by who ended ahead of whom; games that began alike are one witness."""
    plan, entrants = tournament.plan, len(tournament.plan.entrants)
    alike: defaultdict[tuple[str, int, int], list[PlayedGame]] = defaultdict(list)
    for game in games:
        alike[game.meeting, game.variant, game.opening].append(game)
    witnesses = [Witness.of((game.seating, game.ranks) for game in together) for together in alike.values()]
    numbers = {entrant.name: number for number, entrant in enumerate(plan.entrants)}
    anchors = {numbers[name]: value for name, value in plan.anchors.items() if name in numbers}
    return bradley_terry(witnesses, entrants, anchors, plan.seed, has_bounds=has_bounds)


def _order(tournament: Tournament, rows: list[Row]) -> list[int]:
    """The format's own order, or by points a game; those that were set aside last."""
    order = tournament.schedule.ranking()
    if order is None:
        scores = [(row.score.mean, row.score.stones) for row in rows]
        order = sorted(range(len(rows)), key=scores.__getitem__, reverse=True)
    return sorted(order, key=lambda entrant: rows[entrant].is_set_aside)
