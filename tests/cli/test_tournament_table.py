"""The tables of a tournament on narrow terminals: names stay whole, and what matters least goes first."""

from __future__ import annotations

import io
from collections import Counter

import pytest
from rich.console import Console
from rich.table import Table as Grid

from polyversi.cli.views.tournament_table import cross_grid, table_grid
from polyversi.contest.plan import BrokenBot
from polyversi.contest.standings import Row, Score, Table
from polyversi.stats.ratings import Rating

NAMES = ["cid-with-a-rather-long-name-for-his-bot", "polyversi:level=5", "ann"]


def a_table(names: list[str], *, is_plain: bool = False) -> Table:
    """Lopsided ratings, and one that failed; or none of that."""
    rows = [
        Row(number, name, Score(40, 30 - number, 2, 31.5 - number, 1234), Rating(645.0, 280.0, 1850.0))
        for number, name in enumerate(names)
    ]
    against = {(one, other): Score(20, 10, 1, 10.5) for one in range(len(names)) for other in range(one)}
    if is_plain:
        return Table(rows, against)
    rows[-1].score.faults = Counter({"illegal move": 4, "timeout": 11})
    rows[-1].is_set_aside, rows[-1].rating = True, None
    return Table(rows, against, (BrokenBot("bob", "bob.py", "bob.py is not a bot"),))


def lines(width: int, made: Grid) -> list[str]:
    """What a terminal of that width shows."""
    console = Console(file=io.StringIO(), width=width, force_terminal=False)
    console.print(made)
    return [line.rstrip() for line in console.file.getvalue().splitlines()]  # type: ignore[attr-defined]


@pytest.mark.parametrize(("width", "headings"), [
    (150, ["games", "won", "drawn", "lost", "points", "stones", "rating ± 95 %", "failures"]),
    (130, ["games", "w/d/l", "points", "rating ± 95 %", "failures"]),
    (100, ["w/d/l", "points", "rating ± 95 %", "failures"]),
    (84, ["w/d/l", "points", "rating", "failures"]),
    (80, ["points", "rating", "failures"]),
    (60, ["points", "rating"]),
])
def test_as_much_as_fits_beside_whole_names(width: int, headings: list[str]) -> None:
    shown = lines(width, table_grid(a_table(NAMES), Console(width=width)))
    assert shown[0].split("entrant")[1].replace("rating ± 95 %", "rating_±_95_%").split() == [
        heading.replace(" ", "_") for heading in headings]
    assert len(shown) == 5 and max(map(len, shown)) <= width
    for line, name in zip(shown[1:], [*NAMES, "bob"], strict=True):
        assert f"  {name}" in line
    assert ("set aside" in shown[3]) == ("set aside" in shown[4]) == ("failures" in headings)


def test_short_names_have_all_columns_on_eighty() -> None:
    shown = lines(80, table_grid(a_table(["ann", "bob", "cid"], is_plain=True), Console(width=80)))
    assert " ".join(shown[0].split()) == "entrant games won drawn lost points stones rating ± 95 %"
    assert " ".join(shown[1].split()) == "1 ann 40 30 2 8 31.5 1,234 +645 (+280 to +1850)"


@pytest.mark.parametrize(("width", "headings"), [
    (165, "games won drawn lost score points stones rating ± 95 % failures"),
    (90, "w/d/l score points rating failures"),
    (60, "score rating"),
])
def test_what_ranks_a_table_stays_longer_than_its_points(width: int, headings: str) -> None:
    table = a_table(NAMES)
    table.scored_by = "Score"
    for row, score in zip(table.rows, (2.125, 1.0), strict=False):
        row.ranked_by = score
    shown = lines(width, table_grid(table, Console(width=width)))
    assert " ".join(shown[0].split()) == f"entrant {headings}"
    assert "  2.12  " in shown[1] and "  1.00  " in shown[2] and max(map(len, shown)) <= width


def test_a_long_table_leaves_room_for_the_bar() -> None:
    shown = lines(80, table_grid(a_table([f"bot{number}" for number in range(40)]), Console(width=80), 19))
    assert len(shown) == 21 and shown[-1].strip() == "… and 22 more"
    assert shown[1].split()[:2] == ["1", "bot0"]


@pytest.mark.parametrize(("width", "first"), [
    (100, "2  polyversi:level=5                        10.5/20        ·  ·"),
    (62, "2  polyversi:level=5                        10.5     ·  ·"),
    (40, "2    10.5/20        ·  ·"),
    (20, "2    10.5     ·  ·"),
])
def test_a_cross_table_goes_without_names_before_it_breaks_them(width: int, first: str) -> None:
    shown = lines(width, cross_grid(a_table(NAMES), Console(width=width)))
    assert shown[2] == first and len(shown) == 4
