"""The page of a report: its sections one after another, with style, script and games within it."""

from __future__ import annotations

import base64
import hashlib
import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from polyversi.contest.redaction import folders_left_out, shown_spec
from polyversi.contest.report.boards import BoardDrawing
from polyversi.contest.report.graph import course_of, graph
from polyversi.contest.report.html import counted, named, scrolled, tag
from polyversi.contest.report.replay import moves_text, record_of, seconds_text, tiles_text
from polyversi.contest.report.rounds import failures_section, rounds_section
from polyversi.contest.report.tables import cross_table, standings_table
from polyversi.contest.table import Table, table_of
from polyversi.drawing.markup import text
from polyversi.stats.ratings import RatingsError

if TYPE_CHECKING:
    from polyversi.contest.tournament import Tournament
    from polyversi.storage.contests import PlayedGame

HERE = Path(__file__).parent
CROSSED = 150
"""Entrants up to which there is a cross table; beyond that nobody could find anything in it."""


def report_of(tournament: Tournament) -> Iterator[str]:
    """The pieces of the page; it is one file that asks nothing of any other."""
    style, script = ((HERE / name).read_text(encoding="utf-8") for name in ("report.css", "report.js"))
    policy = f"default-src 'none'; style-src '{_hash(style)}'; script-src '{_hash(script)}'"
    yield "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
    # Whatever a name or a bot's output might smuggle in, a browser runs nothing but the script below.
    yield f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
    yield tag("title", text(f"{tournament.name} – tournament report")) + "\n"
    yield f"<style>{style}</style>\n</head>\n<body>\n"
    yield from _sections(tournament)
    for number, game in enumerate(tournament.plan.games_played):
        yield tag("template", BoardDrawing(game, f"t{number}").svg(), id=f"board-{number}") + "\n"
    yield '<script type="application/json" id="data">'
    yield from _data(tournament)
    yield f'</script>\n<script type="module">{script}</script>\n</body>\n</html>\n'


def _hash(code: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(code.encode()).digest()).decode()


def _sections(tournament: Tournament) -> Iterator[str]:
    plan = tournament.plan
    table, why = _table(tournament)
    games = [game for game in tournament.played.values() if not tournament.left.keys() & set(game.seating)]
    yield tag("header", tag("h1", named(tournament.name)), tag("p", text(_summary(tournament)))) + "\n"
    yield "<main>\n"
    yield _section("Table", "table", standings_table(table, plan.entrants), why)
    if 2 < len(table.rows) <= CROSSED:
        words = "Points of the row against the column. A click on a cell shows its games."
        note = tag("p", words, class_="note")
        yield _section("Cross table", "cross", note, cross_table(table))
    course = course_of(tournament, games)
    if drawn := graph(course, [entrant.name for entrant in plan.entrants]):
        heading = f"{course.what} over the games"
        yield _section(heading, "course", scrolled(drawn, heading))
    if failed := failures_section(tournament):
        yield _section("Failures", "failures", failed)
    yield _section("Rounds", "rounds", rounds_section(tournament))
    yield _section("Games", "games", (HERE / "games.html").read_text(encoding="utf-8"))
    yield _section("Settings", "settings", _settings(tournament))
    yield "</main>\n" + (HERE / "viewer.html").read_text(encoding="utf-8")


def _section(heading: str, id: str, *content: str) -> str:
    return tag("section", tag("h2", text(heading), id=f"{id}-heading"), *content, "\n", id=id,
               aria_labelledby=f"{id}-heading") + "\n"


def _table(tournament: Tournament) -> tuple[Table, str]:
    """The table, with ratings where they can be worked out, and otherwise a line on why they cannot."""
    try:
        return table_of(tournament), ""
    except RatingsError as error:
        return table_of(tournament, is_rated=False), tag("p", text(f"There are no ratings here: {error}."))


def _summary(tournament: Tournament) -> str:
    plan, played = tournament.plan, tournament.played
    due = len(tournament.due())
    state = "over" if tournament.is_over else f"{due:,} to play" if due else "going on"
    days = sorted({_day(game) for game in (*list(played.values())[:1], *list(played.values())[-1:])})
    parts = [", ".join(plan.variants), plan.format, counted(len(plan.names), "entrant"),
             f"{counted(len(played), 'game')} played, {state}", " to ".join(days)]
    return " · ".join(part for part in parts if part)


def _day(game: PlayedGame) -> str:
    return time.strftime("%Y-%m-%d", time.gmtime(game.ended))


def _settings(tournament: Tournament) -> str:
    plan = tournament.plan
    options = ", ".join(f"{name} {value}" for name, value in sorted(plan.format_options.items()))
    facts = {
        "Variants": ", ".join(plan.variants),
        "Format": plan.format + (f" ({options})" if options else ""),
        "Games of a meeting": f"{tournament.format.games or plan.games} on each variant",
        "Openings": str(plan.openings),
        "Limit": str(plan.limit),
        "Seed": str(plan.seed),
        "Set aside after": counted(plan.failures, "failure") if plan.failures else "",
        "Bots": "run without a sandbox" if plan.trust else "",
        "Anchors": ", ".join(f"{name} {value:+g}" for name, value in plan.anchors.items()),
    }
    pairs = [tag("dt", text(name)) + tag("dd", text(value)) for name, value in facts.items() if value]
    specs = [shown_spec(one.spec) for one in plan.entrants] + [Path(bot.path).name for bot in plan.broken]
    players = [
        tag("li", named(name), " ", tag("code", text(spec)))
        for name, spec in zip(plan.names, specs, strict=True)
    ]
    entrants = tag("summary", "Entrants and their players") + tag("ol", *players)
    return tag("dl", *pairs) + tag("details", entrants)


def _data(tournament: Tournament) -> Iterator[str]:
    """The games for the script: what is alike in many of them is kept once."""
    plan = tournament.plan
    boards = [BoardDrawing(game, "").facts for game in plan.games_played]
    head = {"names": [one.name for one in plan.entrants], "variants": plan.variants, "boards": boards}
    yield _json(head)[:-1] + ',"games":['
    starts: dict[str, int] = {}
    without_folders = folders_left_out(plan)
    for number, game in enumerate(tournament.played.values()):
        yield (",\n" if number else "") + _json(_game(game, starts, without_folders))
    yield f'],"starts":{_json(list(starts))}}}'


def _game(game: PlayedGame, starts: dict[str, int], without_folders: Callable[[str], str]) -> list[Any]:
    record = record_of(game.record)
    start = starts.setdefault(tiles_text(next(record.states())), len(starts))
    failures = [[failure.seat or 1, without_folders(str(failure))] for failure in game.failures]
    return [
        game.id, game.round, game.variant, game.seating, game.scores, [round(one, 3) for one in game.points],
        game.reason, start, moves_text(record), seconds_text(record), failures, record.disqualified,
    ]


def _json(value: object) -> str:
    """JSON that can stand in a page: no word in it can end the element that it stands in."""
    return json.dumps(value, ensure_ascii=True, separators=(",", ":")).replace("<", "\\u003c")
