"""The graph of a report: how the ratings went while games were played, one line an entrant."""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from polyversi.contest.table import ratings_of
from polyversi.drawing.markup import element, label, number, text
from polyversi.games.board import shorten
from polyversi.stats.ratings import RatingsError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from polyversi.contest.tournament import Tournament
    from polyversi.storage.contests import PlayedGame

PARTS = 20
"""After how many parts of the games ratings are worked out anew."""
WIDTH, MIN_HEIGHT = 960.0, 320.0
LEFT, RIGHT, TOP, BOTTOM = 56.0, 196.0, 12.0, 42.0
BETWEEN_NAMES = 15.0
COLOURS, DASHES = 10, (None, "7 4", "2 4", "11 3 2 3")
"""Lines differ by the number of their colour, which the style sheet knows, and then by their dashes."""
LONGEST_NAME = 24


@dataclass(frozen=True)
class Course:
    """What changes while games are played: a value for each entrant after so many games."""

    what: str
    games: list[int]
    values: list[list[float | None]]
    """By entrants, then by the numbers of games."""


def course_of(tournament: Tournament, games: Sequence[PlayedGame]) -> Course:
    """The ratings after each part of the games, or the points where ratings cannot be worked out here."""
    ends = sorted({-(-len(games) * part // PARTS) for part in range(1, PARTS + 1)})
    entrants = range(len(tournament.plan.entrants))
    try:
        found = [ratings_of(tournament, games[:end], has_bounds=False) for end in ends]
    except RatingsError:
        points = [_points(games[:end]) for end in ends]
        return Course("Points", ends, [[after[entrant] for after in points] for entrant in entrants])
    values = [[rating.value if rating else None for rating in line] for line in zip(*found, strict=True)]
    return Course("Rating", ends, values)


def _points(games: Sequence[PlayedGame]) -> dict[int, float]:
    found: defaultdict[int, float] = defaultdict(float)
    for game in games:
        for entrant, points in zip(game.seating, game.points, strict=True):
            found[entrant] += points
    return found


def graph(course: Course, names: Sequence[str]) -> str:
    """The lines with a name at the end of each; nothing where there are no values."""
    drawn = [entrant for entrant, values in enumerate(course.values) if values and values[-1] is not None]
    if not drawn:
        return ""
    height = max(MIN_HEIGHT, TOP + BOTTOM + BETWEEN_NAMES * len(drawn))
    axes = _Axes(course, height)
    ends = {entrant: axes.down(course.values[entrant][-1] or 0.0) for entrant in drawn}
    places = spread(ends, BETWEEN_NAMES, TOP, height - BOTTOM)
    lines = [
        _line(axes, course, entrant, names[entrant], ends[entrant], places[entrant]) for entrant in drawn
    ]
    words = f"{course.what} over the games; the table has the numbers at the end"
    return element(
        "svg", axes.drawing(), element("g", *lines, class_="lines"), viewBox=f"0 0 {WIDTH:g} {height:g}",
        class_="graph", role="img", aria_label=words,
    )


class _Axes:
    """Where values lie, and the lines that say so."""

    def __init__(self, course: Course, height: float) -> None:
        values = [value for line in course.values for value in line if value is not None]
        self._course, self._height = course, height
        self._step = round_step((max(values) - min(values)) / 6)
        self._low = math.floor(min(values) / self._step) * self._step
        self._high = max(math.ceil(max(values) / self._step) * self._step, self._low + self._step)

    def across(self, games: int) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * games / self._course.games[-1]

    def down(self, value: float) -> float:
        room = self._height - TOP - BOTTOM
        return self._height - BOTTOM - room * (value - self._low) / (self._high - self._low)

    def drawing(self) -> str:
        right, bottom = WIDTH - RIGHT, self._height - BOTTOM
        parts = []
        for count in range(round((self._high - self._low) / self._step) + 1):
            value = self._low + count * self._step
            y = self.down(value)
            kind = "zero" if value == 0 else None
            parts.append(element("path", d=f"M{LEFT:g} {number(y)}H{right:g}", class_=kind))
            parts.append(label(f"{value:g}", complex(LEFT - 8, y), text_anchor="end"))
        for games in sorted({0, *self._course.games[PARTS // 4 - 1 :: PARTS // 4], self._course.games[-1]}):
            parts.append(label(f"{games:,}", complex(self.across(games), bottom + 14), text_anchor="middle"))
        parts.append(label("games played", complex((LEFT + right) / 2, bottom + 32), text_anchor="middle"))
        return element("g", *parts, class_="axes")


def _line(axes: _Axes, course: Course, entrant: int, name: str, end: float, place: float) -> str:
    points = [
        (axes.across(games), axes.down(value))
        for games, value in zip(course.games, course.values[entrant], strict=True)
        if value is not None
    ]
    path = "M" + "L".join(f"{number(x)} {number(y)}" for x, y in points)
    right = WIDTH - RIGHT
    return element(
        "g",
        element("title", text(name)),
        element("path", d=path, stroke_dasharray=DASHES[entrant // COLOURS % len(DASHES)]),
        element("path", d=f"M{right:g} {number(end)}L{right + 14:g} {number(place)}h4", class_="lead"),
        element("circle", cx=points[-1][0], cy=points[-1][1], r=3),
        label(shorten(name, LONGEST_NAME), complex(right + 22, place)),
        class_=f"line c{entrant % COLOURS}",
    )


def round_step(rough: float) -> float:
    """The next larger of the steps that people count in: 1, 2 or 5 with noughts.

    >>> round_step(33.0), round_step(0.3), round_step(0.0)
    (50.0, 0.5, 1.0)
    """
    if rough <= 0:
        return 1.0
    power = 10.0 ** math.floor(math.log10(rough))
    return next(step * power for step in (1, 2, 5, 10) if step * power >= rough)


def spread(wanted: dict[int, float], apart: float, low: float, high: float) -> dict[int, float]:
    """Places near those that are wanted, in their order, none closer to another than so much.

    >>> spread({0: 10.0, 1: 12.0, 2: 50.0}, 5.0, 0.0, 100.0)
    {0: 10.0, 1: 15.0, 2: 50.0}
    """
    order = sorted(wanted, key=wanted.__getitem__)
    places = {key: max(wanted[key], low + apart / 2) for key in order}
    for above, below in pairwise(order):
        places[below] = max(places[below], places[above] + apart)
    if order:
        places[order[-1]] = min(places[order[-1]], high)
    for below, above in pairwise(reversed(order)):
        places[above] = min(places[above], places[below] - apart)
    return places
