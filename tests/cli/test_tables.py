"""Tables on narrow terminals: every name can be read in full, and no other name can be read in its place."""

from __future__ import annotations

import io
import re
from collections import Counter
from datetime import UTC, datetime

import pytest
from rich.console import Console, RenderableType

import polyversi as pv
from polyversi.cli.views.tables import meetings_table, shown_names, standings_table, variants_table
from polyversi.cli.views.terminal import fold_names, new_table
from polyversi.cli.views.tournament_table import cross_grid, table_grid
from polyversi.cli.views.xt_client import result_table
from polyversi.cli.views.xt_server import game_table, totals_table
from polyversi.contest.standings import Row, Score, Standings, Table
from polyversi.gameplay.referee import Finished
from polyversi.gameplay.verdict import Verdict
from polyversi.games.limit import Limit
from polyversi.records import Record
from polyversi.server.xt.client import Ended
from polyversi.server.xt.results import Totals, XtGameResult
from polyversi.stats.ratings import Rating

NAMES = ["six-factor:level=1", "six-factor:level=12", "polyversi:level=12,threads=2,hash=256", "t77"]
WIDTHS = (40, 60, 80, 120)


def lines(width: int, shown: RenderableType) -> list[str]:
    """What a terminal of that width shows."""
    file = io.StringIO()
    Console(file=file, width=width, force_terminal=False, highlight=False, markup=False).print(shown)
    return [line.rstrip() for line in file.getvalue().splitlines()]


def names_in(shown: list[str]) -> set[str]:
    """The names that can be read: those in one piece, and those that go on in the next line after a comma."""
    # Figures may stand beside the first line.
    whole = re.sub(r"([^\s,]+,)(?: {2,}.*)?\n *", r"\1", "\n".join(shown))
    return {word.rstrip(",") for word in whole.split()}


def standings() -> Standings:
    """A match with something in every column."""
    made = Standings(NAMES)
    for number, score in enumerate(made.scores):
        score.games, score.wins, score.points, score.stones = 100, 40 + number, 41.5 + number, 3210
        score.faults = Counter({"timeout": 3, "illegal move": 2})
    return made


@pytest.mark.parametrize("width", WIDTHS)
def test_the_tables_of_a_match(width: int) -> None:
    made = standings()
    for table in (standings_table(made, Console(width=width)), meetings_table(made, len(NAMES))):
        shown = lines(width, table)
        assert set(NAMES) <= names_in(shown)
        assert max(map(len, shown)) <= width


@pytest.mark.parametrize(("width", "headings"), [
    (120, ["player", "games", "won", "drawn", "lost", "points", "stones", "faults"]),
    (93, ["player", "games", "w/d/l", "points", "faults"]),
    (86, ["player", "w/d/l", "points", "faults"]),
])
def test_a_match_does_without_columns_before_it_breaks_names(width: int, headings: list[str]) -> None:
    shown = lines(width, standings_table(standings(), Console(width=width)))
    assert shown[0].split() == headings and len(shown) == 1 + len(NAMES)
    assert all(any(line.startswith(f"{name}  ") for line in shown) for name in NAMES)


TEAMS = ["Ann and Bob", "The team with the longest name of all", "Cid"]


@pytest.mark.parametrize("width", [40, 50, 60, 80, 120])
def test_names_are_not_broken_at_spaces(width: int) -> None:
    made = Standings(TEAMS, ["xt:arena,players=2", "xt:cube,players=3", "xt:torus,players=4"])
    for score in made.scores:
        score.games, score.points = 100, 1234.0
    everything = [standings_table(made, Console(width=width)), meetings_table(made, 3),
                  variants_table(made, [1, 0, 2], Console(width=width))]
    for table in everything:
        shown = lines(width, table)
        assert max(map(len, shown)) <= width
        for name in TEAMS:
            assert any(name in line for line in shown), name


def test_lists_of_names_are_broken_between_names() -> None:
    assert fold_names("–".join([*TEAMS, "t77"]), 42) == [
        "Ann and Bob–", "The team with the longest name of all–Cid–", "t77"]
    assert fold_names("The team with the longest name of all", 20) == [
        "The team with the", "longest name of all"], "longer than a line"


@pytest.mark.parametrize(("width", "first"), [
    (80, "points/game         xt:arena,players=2  xt:cube,players=3"),
    (50, "points/game             1  2"),
])
def test_the_points_on_each_variant(width: int, first: str) -> None:
    made = Standings(["Ann", "polyversi:level=12"], ["xt:arena,players=2", "xt:cube,players=3"])
    made.each_on[0, 0], made.each_on[1, 0] = Score(4, 4, per_seat=100.0), Score(4, per_seat=44.0)
    made.games_on[0] = 4
    shown = lines(width, variants_table(made, [0, 1], Console(width=width)))
    assert shown[0] == first
    assert [line.split() for line in shown[1:4]] == [
        ["Ann", "25.00"], ["polyversi:level=12", "11.00"], ["games", "4", "0"]]
    assert [line.split() for line in shown[4:]] == ([] if width == 80 else [
        ["1", "xt:arena,players=2"], ["2", "xt:cube,players=3"]])


@pytest.mark.parametrize("width", WIDTHS)
def test_the_tables_of_a_tournament(width: int) -> None:
    rows = [Row(number, name, Score(40, 30, 2, 31.5, 1234), Rating(645.0, 280.0, 1850.0))
            for number, name in enumerate(NAMES)]
    against = {(one, other): Score(20, 10, 1, 10.5) for one in range(len(NAMES)) for other in range(one)}
    table, console = Table(rows, against), Console(width=width)
    shown = lines(width, table_grid(table, console))
    assert set(NAMES) <= names_in(shown)
    assert max(map(len, [*shown, *lines(width, cross_grid(table, console))])) <= width


@pytest.mark.parametrize("width", WIDTHS)
def test_a_row_too_long_for_the_terminal_is_a_list(width: int) -> None:
    table = new_table("player", "games", "points", "stones", "seconds", left=("player",))
    for name in NAMES:
        table.add_row(name, "100", "50.5", "3,210", "12.3")
    shown = lines(width, table)
    assert set(NAMES) <= names_in(shown)
    assert (shown[0].split()[0] == "player") == (width > 40)
    assert "3,210" in " ".join(shown)


@pytest.mark.parametrize("width", [60, 80, 120])
def test_the_tables_of_games_of_clients(width: int) -> None:
    names = ("The client with the longest name (group 6)", "Ann and Bob (group 7)")
    start = pv.game("xt:torus,players=2").start()
    record = Record(start, players=names, disqualified=((0, 1),))
    assert record.result is not None
    out = Verdict("disconnect", 1, "it closed the connection before it had answered")
    finished = Finished(record.result, Verdict("win", 2), record, (out,))
    limit = Limit(bank=2.0, increment=2.0)
    game, totals = XtGameResult(1, datetime.now(UTC), "torus", (6, 7), finished, limit), Totals()
    totals.add(game)
    for table in (game_table(game), totals_table(totals), result_table(Ended(1, record))):
        shown = lines(width, table)
        assert max(map(len, shown)) <= width
        assert any(names[0] in line for line in shown)


def test_nothing_is_a_table_too() -> None:
    assert lines(80, totals_table(Totals()))[0].split()[:2] == ["player", "games"]
    assert lines(10, new_table("player", "games", left=("player",))) == []


@pytest.mark.parametrize(("name", "shown"), [
    ("course:agent.py,python=/x/.venv/bin/python", "course:agent.py"),
    ("bot:python3 bots/bob/bot.py --level=1", "bot:bot.py --level=1"),
    ("xtclient:/home/ann/clients/bacon {host} {port}", "xtclient:bacon {host} {port}"),
])
def test_a_bot_is_called_after_its_file_and_options(name: str, shown: str) -> None:
    assert shown_names([name, "random"]) == [shown, "random"]


def test_bots_that_would_share_a_short_name_keep_their_folders() -> None:
    names = ["bot:python3 bots/ann/bot.py --level=1", "bot:python3 bots/bob/bot.py --level=1"]
    assert shown_names(names) == names
