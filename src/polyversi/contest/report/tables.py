"""The tables of a report: what every entrant has, with its rating drawn, and each against each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from polyversi.contest.redaction import shown_spec
from polyversi.contest.report.html import counted, grid, named, plain, scrolled, tag
from polyversi.drawing.markup import element, text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from polyversi.contest.plan import BrokenBot, Entrant
    from polyversi.contest.standings import Score
    from polyversi.contest.table import Row, Table
    from polyversi.stats.ratings import Rating

BAR, HEIGHT = 180.0, 18.0
"""The size of the drawing of a rating."""
BEYOND = 200.0
"""How much the scale of ratings goes on beyond the weakest and the strongest; longer errors are cut there."""
LONG = 60
"""Rows of the table from which on it scrolls within itself."""
ASIDE = tag("strong", "set aside", class_="aside")
SHADES = 8
"""Colours of the cross table between nothing and everything."""


def standings_table(table: Table, entrants: Sequence[Entrant]) -> str:
    """Everybody in the order of their places."""
    scale = Scale.of([row.rating for row in table.rows if row.rating])
    has_failures = bool(table.broken) or any(row.score.faults or row.is_set_aside for row in table.rows)
    words = ["Place", "Entrant", "Games", "Won", "Drawn", "Lost", "Points", "Stones"]
    words += ["Rating (95 %)"] * (scale is not None) + ["Failures"] * has_failures
    headings = [_heading(word) for word in words]
    if scale is not None:
        headings.insert(9, tag("th", tag("span", "Rating drawn", class_="unseen"), scale.axis(), scope="col"))
    rows = [
        _standings_row(place, row, shown_spec(entrants[row.entrant].spec), scale, has_failures)
        for place, row in enumerate(table.rows, 1)
    ]
    rows += [
        _broken_row(place, bot, len(headings) - 2) for place, bot in enumerate(table.broken, len(rows) + 1)
    ]
    content = grid(headings, rows, "The table after all games that were played", "standings")
    return scrolled(content, "Table", "tall" if len(rows) > LONG else "")


def _heading(word: str) -> str:
    return tag("th", word, scope="col", class_=None if word in ("Entrant", "Failures") else "number")


def _standings_row(place: int, row: Row, spec: str, scale: Scale | None, has_failures: bool) -> str:
    score = row.score
    player = tag("span", text(spec), class_="spec", title=spec) if spec != row.name else ""
    cells = [
        tag("td", str(place), class_="number"),
        tag("th", named(row.name), player, scope="row"),
        *(tag("td", value, class_="number") for value in _numbers(score)),
    ]
    if scale is not None:
        cells.append(tag("td", text(str(row.rating)) if row.rating else "–", class_="number"))
        cells.append(tag("td", scale.bar(row.rating) if row.rating else "", class_="drawn"))
    if has_failures:
        aside = ASIDE if row.is_set_aside else ""
        cells.append(tag("td", aside, " " if aside and row.faults else "", text(row.faults), class_="faults"))
    return tag("tr", *cells)


def _broken_row(place: int, bot: BrokenBot, columns: int) -> str:
    """Somebody who has played nothing, and why, in the room of so many columns."""
    return tag(
        "tr",
        tag("td", str(place), class_="number"),
        tag("th", named(bot.name), scope="row"),
        tag("td", ASIDE, " ", text(bot.reason), class_="faults", colspan=columns),
    )


def _numbers(score: Score) -> list[str]:
    counts = [f"{value:,}" for value in (score.games, score.wins, score.draws, score.losses)]
    return [*counts, plain(score.points), f"{score.stones:,}"]


@dataclass(frozen=True)
class Scale:
    """From which rating to which one the drawings go."""

    low: float
    high: float

    @classmethod
    def of(cls, ratings: Sequence[Rating]) -> Scale | None:
        """The scale that has room for ratings, or None where there are none.

        >>> from polyversi.stats.ratings import Rating
        >>> Scale.of([Rating(100.0, 50.0, 2000.0), Rating(-100.0, -150.0, -50.0)])
        Scale(low=-150.0, high=300.0)
        """
        if not ratings:
            return None
        values = [rating.value for rating in ratings]
        low = max(min(rating.low for rating in ratings), min(values) - BEYOND)
        high = min(max(rating.high for rating in ratings), max(values) + BEYOND)
        return cls(low, max(high, low + 1))

    def bar(self, rating: Rating) -> str:
        """A rating as a dot on the line of its error; without a cap where that goes on beyond the drawing."""
        middle, low, high = HEIGHT / 2, self.at(rating.low), self.at(rating.high)
        caps = [
            element("path", d=f"M{x:.1f} {middle - 4:g}v8")
            for x, value in ((low, rating.low), (high, rating.high))
            if self.low <= value <= self.high
        ]
        line = element("path", d=f"M{low:.1f} {middle:g}H{high:.1f}")
        dot = element("circle", cx=self.at(rating.value), cy=middle, r=4)
        return self._drawing(self._zero(), line, *caps, dot)

    def axis(self) -> str:
        """The bounds of the scale in numbers, for the heading."""
        ends = [(2.0, self.low, "start"), (BAR - 2, self.high, "end")]
        words = [element("text", f"{value:+.0f}", x=x, y=13.0, text_anchor=end) for x, value, end in ends]
        return self._drawing(*words)

    def at(self, value: float) -> float:
        """Where a rating lies; those beyond the bounds lie upon them."""
        share = (value - self.low) / (self.high - self.low)
        return 6 + (BAR - 12) * min(max(share, 0), 1)

    def _zero(self) -> str:
        if not self.low < 0 < self.high:
            return ""
        return element("path", d=f"M{self.at(0):.1f} 0v{HEIGHT:g}", class_="zero")

    def _drawing(self, *parts: str) -> str:
        box = f"0 0 {BAR:g} {HEIGHT:g}"
        return element("svg", *parts, viewBox=box, width=BAR, height=HEIGHT, class_="bar", aria_hidden="true")


def cross_table(table: Table) -> str:
    """The points of each against each, row against column, coloured by their share."""
    columns = [
        tag("th", tag("span", str(place), aria_hidden="true"), tag("span", text(row.name), class_="unseen"),
            scope="col", title=row.name)
        for place, row in enumerate(table.rows, 1)
    ]
    headings = [tag("th", "Points against", scope="col"), *columns]
    rows = [_cross_row(place, row, table) for place, row in enumerate(table.rows, 1)]
    content = grid(headings, rows, "Points of each entrant, row against column", "cross")
    return scrolled(content, "Cross table", "tall")


def _cross_row(place: int, row: Row, table: Table) -> str:
    cells = [_cross_cell(row, other, table) for other in table.rows]
    return tag("tr", tag("th", f"{place}&nbsp;", named(row.name), scope="row"), *cells)


def _cross_cell(row: Row, other: Row, table: Table) -> str:
    if row is other:
        return '<td class="self"></td>'
    own = table.against.get((row.entrant, other.entrant))
    if own is None:
        return "<td>·</td>"
    theirs = table.against[other.entrant, row.entrant].points
    share = own.points / (own.points + theirs) if own.points + theirs else 0.5
    told = (f"{row.name} – {other.name}: {plain(own.points)} of {plain(own.points + theirs)} points in "
            f"{counted(own.games, 'game')}, {own.wins} won, {own.draws} drawn, {own.losses} lost")
    pair = f"{row.entrant} {other.entrant}"
    return tag("td", plain(own.points), class_=f"s{round(share * SHADES)}", data_pair=pair, title=told)
