"""The tables of a tournament on a terminal: as much of them as fits beside the entrants' whole names."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from rich.console import Console
from rich.table import Table as Grid

from polyversi.cli.views.terminal import new_table, widest_that_fits
from polyversi.contest.standings import Row, Table

MAX_CROSS = 12
"""Entrants of which a cross table has room on a terminal."""


@dataclass(frozen=True)
class _Column:
    """What it is called, and what it says of an entrant."""

    heading: str
    cell: Callable[[Row], str]
    justify: Literal["left", "right"] = "right"


def _kinds(row: Row) -> str:
    return ("set aside: " if row.is_set_aside else "") + row.score.troubles


def _number(row: Row) -> str:
    return str(sum(row.score.faults.values()) or "") + (", set aside" if row.is_set_aside else "")


_GAMES = _Column("games", lambda row: str(row.score.games))
_WON = _Column("won", lambda row: str(row.score.wins))
_DRAWN = _Column("drawn", lambda row: str(row.score.draws))
_LOST = _Column("lost", lambda row: str(row.score.losses))
_ENDS = _Column("w/d/l", lambda row: f"{row.score.wins}/{row.score.draws}/{row.score.losses}")
_POINTS = _Column("points", lambda row: f"{row.score.points:g}")
_STONES = _Column("stones", lambda row: f"{row.score.stones:,}")
_RATING = _Column("rating ± 95 %", lambda row: str(row.rating) if row.rating else "")
_VALUE = _Column("rating", lambda row: f"{row.rating.value:+.0f}" if row.rating else "")
_KINDS = _Column("failures", _kinds, "left")
_NUMBER = _Column("failures", _number, "left")

FORMS = (
    (_GAMES, _WON, _DRAWN, _LOST, _POINTS, _STONES, _RATING, _KINDS),
    (_GAMES, _ENDS, _POINTS, _RATING, _KINDS),
    (_ENDS, _POINTS, _RATING, _NUMBER),
    (_ENDS, _POINTS, _VALUE, _NUMBER),
    (_POINTS, _VALUE, _NUMBER),
    (_POINTS, _VALUE),
)
"""From the widest to the narrowest: what one can do without goes first."""


def table_grid(table: Table, console: Console, max_rows: int | None = None) -> Grid:
    """What every entrant has, the best first, in the widest form that fits; at most so many entrants."""
    has_failures = bool(table.broken) or any(row.score.faults or row.is_set_aside for row in table.rows)
    forms = (
        [column for column in _ranked(table, form) if has_failures or column not in (_KINDS, _NUMBER)]
        for form in FORMS
    )
    return widest_that_fits(console, (_grid(table, form, max_rows) for form in forms))


def _ranked(table: Table, form: Sequence[_Column]) -> Sequence[_Column]:
    """The columns with that of what ranks the rows; the narrowest form has it instead of the points."""
    if not table.scored_by:
        return form
    heading = table.scored_by.lower().replace(" per ", "/")
    score, place = _Column(heading, table.ranked_by), form.index(_POINTS)
    return (*form[:place], score, *form[place + (form is FORMS[-1]) :])


def _grid(table: Table, columns: list[_Column], max_rows: int | None) -> Grid:
    grid = new_table("", "entrant", names=("entrant",))
    for column in columns:
        grid.add_column(column.heading, justify=column.justify, no_wrap=True)
    rows = [[row.name, *(column.cell(row) for column in columns)] for row in table.rows]
    blank = [""] * (len(columns) - 1)
    rows += [[bot.name, *blank, "set aside" if columns[-1] in (_KINDS, _NUMBER) else ""]
             for bot in table.broken]
    for place, cells in enumerate(rows[:max_rows], 1):
        grid.add_row(str(place), *cells)
    if max_rows is not None and len(rows) > max_rows:
        grid.add_row("", f"… and {len(rows) - max_rows} more")
    return grid


def cross_grid(table: Table, console: Console) -> Grid:
    """The points of each against each, row against column, both in the order of the table.

    Where names do not fit, the places stand for them, as they do above the columns.
    """
    return widest_that_fits(console, (
        _cross(table, has_names=has_names, has_games=has_games)
        for has_names, has_games in ((True, True), (True, False), (False, True), (False, False))
    ))


def _cross(table: Table, *, has_names: bool, has_games: bool) -> Grid:
    grid = new_table("")
    grid.add_names("points against" if has_names else "")
    for place in range(1, len(table.rows) + 1):
        grid.add_column(str(place), justify="right", no_wrap=True)
    for place, row in enumerate(table.rows, 1):
        scores = [table.against.get((row.entrant, other.entrant)) for other in table.rows]
        cells = [
            f"{score.points:g}" + (f"/{score.games}" if has_games else "") if score else "·"
            for score in scores
        ]
        grid.add_row(str(place), row.name if has_names else "", *cells)
    return grid
