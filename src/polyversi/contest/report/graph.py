"""The graph of a report: the ratings over the games, with a line for each entrant."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from unicodedata import east_asian_width

from polyversi.contest.standings import ratings_of
from polyversi.contest.tournament import Tournament
from polyversi.drawing.markup import element, label, number, text
from polyversi.storage.stored import PlayedGame

PARTS = 20
"""The number of points on each line."""
MIN_WIDTH, MIN_HEIGHT = 960.0, 320.0
LEFT, RIGHT, TOP, BOTTOM = 56.0, 764.0, 12.0, 42.0
"""Where the lines begin and end, and the room above and below them."""
TO_NAME, LETTER = 22.0, 7.2
"""The distance of the names from the lines, and the room that a letter takes."""
BETWEEN_NAMES = 15.0
COLOURS, DASHES = 10, (None, "7 4", "2 4", "11 3 2 3")
"""Lines differ by their colour, which the style sheet sets, and then by their dashes."""


def rating_lines(tournament: Tournament, games: Sequence[PlayedGame]) -> dict[int, list[tuple[int, float]]]:
    """The rating of each entrant after so many games, at up to twenty moments; none for who has none."""
    ends = sorted({-(-len(games) * part // PARTS) for part in range(1, PARTS + 1)})
    found = [ratings_of(tournament, games[:end], has_bounds=False) for end in ends]
    return {
        entrant: [(end, rating.value) for end, rating in zip(ends, ratings, strict=True) if rating]
        for entrant, ratings in enumerate(zip(*found, strict=True))
        if ratings[-1]
    }


def rating_graph(tournament: Tournament, games: Sequence[PlayedGame]) -> str:
    """The lines with a name at the end of each; empty without ratings."""
    values = rating_lines(tournament, games)
    if not values:
        return ""
    ends = sorted({end for line in values.values() for end, _ in line})
    height = max(MIN_HEIGHT, TOP + BOTTOM + BETWEEN_NAMES * len(values))
    axes = _Axes([value for line in values.values() for _, value in line], ends, height)
    lines = {
        entrant: [(axes.across(end), axes.down(value)) for end, value in line]
        for entrant, line in values.items()
    }
    ends_at = {entrant: line[-1][1] for entrant, line in lines.items()}
    places = spread(ends_at, TOP, height - BOTTOM, BETWEEN_NAMES)
    names = {entrant: tournament.plan.entrants[entrant].name for entrant in lines}
    width = max(MIN_WIDTH, RIGHT + TO_NAME + LETTER * max(map(letters, names.values())))
    drawn = [_line(entrant, names[entrant], line, places[entrant]) for entrant, line in lines.items()]
    return element(
        "svg", axes.drawing(), element("g", *drawn, class_="lines"), viewBox=f"0 0 {width:g} {height:g}",
        class_="graph", role="img",
        aria_label="Ratings over the games; the table has the final numbers",
    )


class _Axes:
    """The scales of the graph, and their grid."""

    def __init__(self, values: Sequence[float], ends: Sequence[int], height: float) -> None:
        self._ends, self._bottom = ends, height - BOTTOM
        self._step = round_step((max(values) - min(values)) / 6)
        self._low = math.floor(min(values) / self._step) * self._step
        self._high = max(math.ceil(max(values) / self._step) * self._step, self._low + self._step)

    def across(self, games: int) -> float:
        return LEFT + (RIGHT - LEFT) * games / self._ends[-1]

    def down(self, value: float) -> float:
        return self._bottom - (self._bottom - TOP) * (value - self._low) / (self._high - self._low)

    def drawing(self) -> str:
        parts, bottom = [], self._bottom
        for count in range(round((self._high - self._low) / self._step) + 1):
            value = self._low + count * self._step
            y = self.down(value)
            kind = "zero" if value == 0 else None
            parts.append(element("path", d=f"M{LEFT:g} {number(y)}H{RIGHT:g}", class_=kind))
            parts.append(label(f"{value:g}", complex(LEFT - 8, y), text_anchor="end"))
        for games in sorted({0, *self._ends[PARTS // 4 - 1 :: PARTS // 4], self._ends[-1]}):
            parts.append(label(f"{games:,}", complex(self.across(games), bottom + 14), text_anchor="middle"))
        parts.append(label("games played", complex((LEFT + RIGHT) / 2, bottom + 32), text_anchor="middle"))
        return element("g", *parts, class_="axes")


def _line(entrant: int, name: str, points: Sequence[tuple[float, float]], place: float) -> str:
    """The line of an entrant, and its name at a place beside the end."""
    x, y = points[-1]
    path = "M" + "L".join(f"{number(x)} {number(y)}" for x, y in points)
    return element(
        "g",
        element("title", text(name)),
        element("path", d=path, stroke_dasharray=DASHES[entrant // COLOURS % len(DASHES)]),
        element("path", d=f"M{RIGHT:g} {number(y)}L{RIGHT + 14:g} {number(place)}h4", class_="lead"),
        element("circle", cx=x, cy=y, r=3),
        label(name, complex(RIGHT + TO_NAME, place)),
        class_=f"line c{entrant % COLOURS}",
    )


def letters(name: str) -> int:
    """How wide a name is, in letters: those of some scripts take two.

    >>> letters("Zoé"), letters("黒白")
    (3, 4)
    """
    return sum(2 if east_asian_width(letter) in "WF" else 1 for letter in name)


def round_step(rough: float) -> float:
    """The next larger round step: 1, 2 or 5 times a power of ten.

    >>> round_step(33.0), round_step(0.3), round_step(0.0)
    (50.0, 0.5, 1.0)
    """
    if rough <= 0:
        return 1.0
    power = 10.0 ** math.floor(math.log10(rough))
    return next(step * power for step in (1, 2, 5, 10) if step * power >= rough)


def spread(wanted: dict[int, float], low: float, high: float, apart: float) -> dict[int, float]:
    """Places near the wanted ones, in their order, at least so far apart.

    >>> spread({0: 10.0, 1: 12.0, 2: 50.0}, 0.0, 100.0, 5.0)
    {0: 10.0, 1: 15.0, 2: 50.0}
    """
    order = sorted(wanted, key=wanted.__getitem__)
    places = {key: max(wanted[key], low + apart / 2) for key in order}
    for above, below in pairwise(order):
        places[below] = max(places[below], places[above] + apart)
    places[order[-1]] = min(places[order[-1]], high)
    for below, above in pairwise(reversed(order)):
        places[above] = min(places[above], places[below] - apart)
    return places
