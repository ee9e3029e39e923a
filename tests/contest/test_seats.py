"""Tournaments over variants with different numbers of seats, and in groups: everybody plays equally often."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from statistics import fmean

import pytest
from rich.console import Console

from polyversi.cli.views.tournament_table import table_grid
from polyversi.contest.export import HEADER, export, table_csv
from polyversi.contest.formats import FORMATS
from polyversi.contest.match import Match
from polyversi.contest.overview import table_part, variants_part
from polyversi.contest.plan import Entrant, Plan, entrants_of
from polyversi.contest.report import report_of
from polyversi.contest.schedule import FormatSchedule
from polyversi.contest.standings import Score, table_of
from polyversi.contest.tournament import Tournament
from polyversi.contest.workers import local_workers
from polyversi.gameplay.verdict import Verdict
from polyversi.games.limit import NO_LIMIT
from polyversi.storage.contests import ContestStore
from polyversi.storage.stored import PlayedGame

MAPS = ("xt:arena,players=2", "xt:cube,players=3", "xt:torus,players=4", "othello-4")
"""The number of seats is that of the players."""
PLAN = Plan(
    "cup",
    entrants_of(["Ann=greedy", "Bob=random", "Cid=random:seed=1", "Dora=random:seed=2", "Eve=mobility"]),
    MAPS, limit=NO_LIMIT, seed=3, trust=True,
)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[ContestStore]:
    opened = ContestStore.open(str(tmp_path / "cup.db"))
    yield opened
    opened.close()


def seats_of(cup: Tournament) -> dict[int, Counter[tuple[int, int]]]:
    """For each variant how often each entrant had each seat."""
    found: dict[int, Counter[tuple[int, int]]] = {}
    for game in cup.played.values():
        found.setdefault(game.variant, Counter()).update((who, at) for at, who in enumerate(game.seating))
    return found


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Tournament:
    """A round robin of a course that is over."""
    opened = ContestStore.open(str(tmp_path_factory.mktemp("course") / "cup.db"))
    cup = Tournament.create(opened, PLAN)
    cup.run(workers=local_workers(1))
    return cup


def test_all_play_all_maps_equally_often_in_every_seat(course: Tournament) -> None:
    assert course.is_over
    seats = seats_of(course)
    assert sorted(seats) == [0, 1, 2, 3]
    for variant, number in enumerate((2, 3, 4, 2)):
        times = seats[variant]
        assert len(times) == 5 * number, "everybody has had every seat"
        assert len(set(times.values())) == 1, "equally often"
    # Ten pairs play twice on each of their maps, five groups of three three times, five of four four times.
    assert Counter(game.variant for game in course.played.values()) == {0: 20, 1: 15, 2: 20, 3: 20}


def test_a_game_has_as_many_players_as_its_map_seats(course: Tournament) -> None:
    for game in course.played.values():
        assert len(set(game.seating)) == course.plan.games_played[game.variant].seats == len(game.scores)
    for meeting in course.schedule.meetings:
        games = course.schedule.games(meeting)
        assert {len(game.seating) for game in games} == {len(meeting.entrants)}
        assert len(games) == len(meeting.entrants) * (2 if len(meeting.entrants) == 2 else 1)


def test_the_table_adds_the_points_of_all_maps_up_and_rates_everybody(course: Tournament) -> None:
    table = table_of(course)
    standings = course.standings
    for row in table.rows:
        on_each = [standings.on(row.entrant, variant) for variant in range(4)]
        assert sum(score.points for score in on_each) == row.score.points
        assert sum(score.games for score in on_each) == row.score.games == 8 + 9 + 16 + 8
        assert row.rating is not None and row.rating.low < row.rating.value < row.rating.high
    means = [row.score.mean for row in table.rows]
    assert means == sorted(means, reverse=True)
    assert sum(row.rating.value for row in table.rows if row.rating) == pytest.approx(0, abs=1e-6)
    assert standings.is_by_rank and standings.games_on == {0: 20, 1: 15, 2: 20, 3: 20}


def test_the_table_of_each_map_is_exported(course: Tournament, tmp_path: Path) -> None:
    export(course, tmp_path / "table.csv")
    with (tmp_path / "table.csv").open(newline="") as file:
        found = list(csv.DictReader(file))
    assert tuple(found[0])[: len(HEADER)] == HEADER and len(found[0]) == len(HEADER) + 9
    for written, row in zip(found, table_of(course).rows, strict=True):
        for variant, spec in enumerate(MAPS):
            score = course.standings.on(row.entrant, variant)
            assert written[f"games on {spec}"] == str(score.games)
            assert float(written[f"points on {spec}"]) == score.points
    export(course, tmp_path / "cup.html")
    page = (tmp_path / "cup.html").read_text()
    for spec, seats, games in zip(MAPS, (2, 3, 4, 2), (20, 15, 20, 20), strict=True):
        assert f"<bdi>{spec}</bdi><small>{seats} seats, {games} games</small>" in page
        assert f"The table of {spec}</caption>" in page
    assert "2 on each variant with 2 seats, 3 on each variant with 3 seats, 4 on each" in page


@pytest.mark.parametrize("format", ["swiss", "knock-out", "ladder"])
@pytest.mark.parametrize("variants", [MAPS[1:2], MAPS[:3]], ids=["three seats", "all seats"])
def test_every_format_comes_to_its_end_wherever_it_is_broken_off(
    store: ContestStore, format: str, variants: tuple[str, ...]
) -> None:
    options = {} if format == "knock-out" else {"rounds": 3}
    plan = replace(PLAN, format=format, format_options=options, variants=variants, maps=())
    whole = Tournament.create(store, replace(plan, name="whole"))
    whole.run(workers=local_workers(1))
    assert whole.is_over and not whole.due()
    for times in seats_of(whole).values():
        for entrant in range(5):
            assert len({count for (who, _), count in times.items() if who == entrant}) <= 1
    parts = Tournament.create(store, replace(plan, name="parts"))
    while due := parts.due():
        fixture = due[len(due) // 2]
        parts.keep([whole.played[fixture.id]])    # as if it had just been played
        parts = Tournament(store, "parts")
    assert {id: game.seating for id, game in parts.played.items()} == {
        id: game.seating for id, game in whole.played.items()}
    assert [row.entrant for row in table_of(parts).rows] == [row.entrant for row in table_of(whole).rows]


def on_the_command_line(cup: Tournament) -> list[dict[str, str]]:
    console = Console(file=io.StringIO(), width=200)
    grid = table_grid(table_of(cup), console)
    cells = [[str(cell) for cell in column.cells] for column in grid.columns]
    return [dict(zip((str(column.header) for column in grid.columns), row, strict=True))
            for row in zip(*cells, strict=True)]


def in_the_report(cup: Tournament) -> list[dict[str, str]]:
    table = "".join(report_of(cup)).partition('<table class="standings">')[2].partition("</table>")[0]
    rows = [[re.sub("<[^>]*>", "", cell).strip() for cell in re.findall("<t[hd].*?</t[hd]>", row, re.DOTALL)]
            for row in re.findall("<tr>.*?</tr>", table, re.DOTALL)]
    return [dict(zip(rows[0], row, strict=True)) for row in rows[1:]]


def on_the_page(cup: Tournament) -> list[dict[str, str]]:
    part = table_part(cup)
    return [{"points": row["points"], part["scored_by"]: row["ranked_by"]} for row in part["rows"]]


def is_falling(rows: list[dict[str, str]], heading: str) -> bool:
    """Whether no row has more of something than the one above it."""
    values = [float(row[heading]) for row in rows]
    return values == sorted(values, reverse=True)


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize(
    "variants", [MAPS[3:], MAPS[1:2], MAPS[2:3], MAPS[:3]], ids=["2 seats", "3 seats", "4 seats", "all"])
def test_what_ranks_the_table_is_in_it_wherever_it_is_shown(
    store: ContestStore, format: str, variants: tuple[str, ...]
) -> None:
    if FORMATS[format].is_for_pairs and variants != MAPS[3:]:
        pytest.skip("it is for two seats")
    cup = Tournament.create(store, replace(PLAN, format=format, variants=variants, maps=()))
    cup.run(workers=local_workers(1))
    label, shown = table_of(cup).scored_by, on_the_command_line(cup)
    places = [row["entrant"] for row in shown]
    if FORMATS[format].scored_by == "":
        assert cup.schedule.ranking() == [cup.plan.names.index(name) for name in places]
        return    # on a ladder the place is all that there is
    assert len(places) == 5 and is_falling(shown, label.lower().replace(" per ", "/") or "points")
    assert is_falling(in_the_report(cup), label or "Points")
    assert is_falling(on_the_page(cup), label or "points")
    written = list(csv.DictReader("".join(table_csv(cup)).splitlines()))
    assert is_falling(written, "score") and [row["name"] for row in written] == places
    for one in variants_part(cup)["variants"]:
        assert is_falling(one["rows"], "mean")


def test_where_the_points_tell_the_same_there_is_no_score(course: Tournament, store: ContestStore) -> None:
    assert table_of(course).scored_by == "", "all have played equally often"
    cup = Tournament.create(store, replace(PLAN, variants=MAPS[3:], maps=(), format="swiss"))
    cup.run(workers=local_workers(1))
    assert table_of(cup).scored_by == "Score", "a bye brings no points, but as much as a win"
    four = replace(PLAN, name="four", entrants=PLAN.entrants[:4], variants=MAPS[3:], maps=(), format="swiss")
    even = Tournament.create(store, four)
    even.run(workers=local_workers(1))
    table = table_of(even)
    assert table.scored_by == ""
    assert [row.ranked_by for row in table.rows] == [row.score.points / 2 for row in table.rows]


def test_points_per_game_are_those_of_one_seat(store: ContestStore) -> None:
    plan = replace(PLAN, entrants=PLAN.entrants[:3], format="gauntlet", variants=MAPS[2:3], maps=())
    cup = Tournament.create(store, plan)
    cup.run(workers=local_workers(1))
    games, table = list(cup.played.values()), table_of(cup)
    assert len(games) == 8 and table.scored_by == "Points per game"
    for row in table.rows:
        seats = [points for game in games for who, points in zip(game.seating, game.points, strict=True)
                 if who == row.entrant]
        assert len(seats) == (8 if row.entrant == 0 else 12)
        assert row.score.points == sum(seats) and row.score.mean == pytest.approx(fmean(seats))
    challenger, *others = (cup.standings.scores[entrant].mean for entrant in range(3))
    assert challenger + 3 * fmean(others) == pytest.approx(fmean(sum(game.points) for game in games))


def test_one_that_comes_later_plays_on_every_map(store: ContestStore) -> None:
    cup = Tournament.create(store, replace(PLAN, variants=MAPS[:2], maps=()))
    cup.run(workers=local_workers(1))
    before = dict(cup.played)
    cup.add(Entrant("Fred", "random"))
    cup.run(workers=local_workers(1))
    assert cup.is_over and cup.played.items() >= before.items()
    assert Counter(game.variant for game in cup.played.values() if 5 in game.seating) == {0: 10, 1: 15}


def test_the_points_of_the_last_rank_are_nobodys_to_win(store: ContestStore) -> None:
    """So the winner of all games on a map of two seats has the whole point of a Swiss meeting, like a bye."""
    plan = replace(PLAN, entrants=PLAN.entrants[:2], variants=MAPS[:1], maps=(), format="swiss")
    cup = Tournament.create(store, plan)
    cup.run(workers=local_workers(1))
    schedule = cup.schedule
    assert isinstance(schedule, FormatSchedule)
    games = [cup.played["1.1/1"], cup.played["1.1/2"]]
    assert all(sorted(game.points) in ([11, 25], [25, 25]) for game in games)
    assert schedule.field.results["1.1"].points == {
        who: sum(game.points[game.seating.index(who)] - 11 for game in games) for who in (0, 1)}


FAILING = """
for line in open(0):
    print("hm", flush=True)
"""


@pytest.mark.parametrize("format", ["swiss", "knock-out", "ladder"])
def test_one_that_is_set_aside_leaves_its_group(store: ContestStore, tmp_path: Path, format: str) -> None:
    (tmp_path / "failing.py").write_text(FAILING)
    entrants = (Entrant("bad", f"bot:{tmp_path}/failing.py"), *PLAN.entrants)
    plan = replace(PLAN, entrants=entrants, variants=MAPS[1:2], maps=(), format=format, failures=2)
    cup = Tournament.create(store, plan)
    cup.run(workers=local_workers(1))
    assert cup.is_over and cup.left
    played = Counter(entrant for game in cup.played.values() for entrant in game.seating)
    assert played[0] == 2 and cup.schedule.meetings[-1].round > 1
    assert table_of(cup).rows[-1].name == "bad"
    assert Tournament(store, "cup").is_over


def test_a_plan_of_an_older_version_is_still_read() -> None:
    old = {"name": "cup", "entrants": [{"name": "a", "spec": "random"}, {"name": "b", "spec": "greedy"}],
           "variants": ["othello-4"], "format": "ten-games", "games": 2}
    plan = Plan.from_json(old)
    plan.check()
    assert plan.games_of(2) == 10
    ladder = Plan.from_json({**old, "format": "ladder"})
    ladder.check()
    assert ladder.games_of(2) == 2 and ladder.seat_counts == (2,)


def test_a_match_over_different_seats() -> None:
    match = Match(("Ann=greedy", "Bob=random", "Cid=random", "Dora=random"), MAPS[:3], games=12)
    contest = match.contest()
    groups = Counter((fixture.variant, fixture.meeting.entrants) for fixture in contest.plan.fixtures)
    assert set(groups.values()) == {12} and len(groups) == 6 + 4 + 1
    for variant in range(3):
        seats = Counter((who, at) for game in contest.plan.fixtures if game.variant == variant
                        for at, who in enumerate(game.seating))
        assert len(set(seats.values())) == 1


def test_a_game_in_which_everybody_is_lost_is_won_by_nobody() -> None:
    lost = PlayedGame("1", "1.1", 1, 0, 0, (0, 1), "", (5, 3), (2, 2), (-50.0, -50.0), "no seat left",
                      Verdict("disconnect", 1, "left"))
    score = Score()
    score.credit(lost, 0)
    assert (score.wins, score.draws, score.losses, score.points) == (0, 0, 1, -50)
