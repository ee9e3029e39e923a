"""The report of a tournament: fills the template `report.html` with tables, games, style and script."""

from __future__ import annotations

import base64
import hashlib
import json
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from polyversi.bundling import bundle
from polyversi.contest.contents import facts_of, rounds_of, variants_of
from polyversi.contest.redaction import folders_left_out, shown_spec
from polyversi.contest.report.graph import rating_graph
from polyversi.contest.report.replay import moves_text, seconds_text, tiles_text
from polyversi.contest.standings import table_of
from polyversi.drawing.layout import board_layout
from polyversi.drawing.markup import NOT_XML
from polyversi.drawing.words import counted
from polyversi.games.errors import PolyversiError
from polyversi.games.tiles import TILE_NAMES, XT_TILES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jinja2 import Template

    from polyversi.contest.standings import Score
    from polyversi.contest.tournament import Tournament
    from polyversi.gameplay.verdict import Verdict
    from polyversi.stats.ratings import Rating
    from polyversi.storage.stored import PlayedGame

HERE = Path(__file__).parent
STYLE = HERE.parents[1] / "page" / "style"
STYLES = [*(STYLE / f"{name}.css" for name in ("base", "components", "board")), HERE / "report.css"]
MAX_CROSSED = 150
"""The most entrants for a cross table; a larger one would be unreadable."""
MAX_OPEN = 40
"""Up to so many meetings, or failures of one entrant, are shown unfolded."""
MAX_TABLES = 4
"""Up to so many tables of single variants are shown unfolded."""
TAIL = 2000
"""Characters shown of the last output of a bot."""
SHADES = 8
"""Colours of the cross table, from no points to all points."""
BEYOND = 200.0
"""How far the scale of ratings extends beyond the weakest and the strongest; longer error bars are cut."""
GAME_FIELDS = ("id", "round", "variant", "seating", "scores", "points", "reason", "start", "moves", "seconds",
               "failures", "out")


def report_of(tournament: Tournament, *, has_outputs: bool = True) -> Iterator[str]:
    """The pieces of the page: one file that loads nothing else, with what bots wrote last or without."""
    plan = tournament.plan
    table = table_of(tournament)
    games = [game for game in tournament.played.values() if not tournament.left.keys() & set(game.seating)]
    style = "\n".join(path.read_text(encoding="utf-8") for path in STYLES)
    script = bundle(HERE / "report.js")
    return _template().generate(
        tournament=tournament,
        plan=plan,
        summary=_summary(tournament),
        table=table,
        scale=Scale.of([row.rating for row in table.rows if row.rating]),
        has_failures=bool(table.broken) or any(row.score.faults or row.is_set_aside for row in table.rows),
        is_crossed=2 < len(table.rows) <= MAX_CROSSED,
        variants=variants_of(tournament, table.rows) if len(plan.variants) > 1 else [],
        max_tables=MAX_TABLES,
        graph=rating_graph(tournament, games),
        failures=_failures(tournament),
        has_outputs=has_outputs,
        rounds=rounds_of(tournament),
        is_short=len(tournament.schedule.meetings) <= MAX_OPEN,
        facts=facts_of(tournament),
        players=[Path(bot.path).name for bot in plan.broken],
        style=style,
        script=script,
        policy=f"default-src 'none'; style-src '{_hash(style)}'; script-src '{_hash(script)}'",
        data=_data(tournament),
        shade=shade,
        shown_spec=shown_spec,
    )


def _template() -> Template:
    try:
        from jinja2 import Environment, FileSystemLoader, StrictUndefined
    except ImportError as error:
        raise PolyversiError("a report needs Jinja: pip install 'polyversi[arena]'") from error

    environment = Environment(
        loader=FileSystemLoader(HERE), autoescape=True, trim_blocks=True, lstrip_blocks=True,
        undefined=StrictUndefined,
        finalize=lambda value: NOT_XML.sub("\ufffd", value) if type(value) is str else value,
    )
    environment.filters |= {"plain": plain, "counted": counted}
    return environment.get_template("report.html")


def plain(number: float) -> str:
    """A number with as many decimals as it needs, up to two.

    >>> plain(1.5), plain(12.0), plain(1 / 3), plain(-0.001)
    ('1.5', '12', '0.33', '0')
    """
    return f"{round(number, 2) + 0.0:.2f}".rstrip("0").rstrip(".")


def shade(own: Score, theirs: Score) -> int:
    """The colour of a cell of the cross table; points below zero, as in Reversi XT, count as none.

    >>> from polyversi.contest.standings import Score
    >>> shade(Score(points=3), Score(points=1)), shade(Score(points=54), Score(points=-100))
    (6, 8)
    """
    gained, lost = max(own.points, 0), max(theirs.points, 0)
    return round(SHADES * gained / (gained + lost)) if gained + lost else SHADES // 2


@dataclass(frozen=True)
class Scale:
    """The range of ratings of the drawings in the table, which are 180 units wide."""

    low: float
    high: float

    @classmethod
    def of(cls, ratings: Sequence[Rating]) -> Scale | None:
        """The scale for these ratings, or None without ratings.

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

    def at(self, value: float) -> str:
        """The place of a rating; ratings beyond the bounds lie on them."""
        share = (value - self.low) / (self.high - self.low)
        return f"{6 + 168 * min(max(share, 0), 1):.1f}"


def _hash(code: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(code.encode()).digest()).decode()


def _summary(tournament: Tournament) -> str:
    plan, played = tournament.plan, tournament.played
    due = len(tournament.due())
    state = "finished" if tournament.is_over else f"{due:,} due" if due else "in progress"
    ends = [game.ended for game in (*list(played.values())[:1], *list(played.values())[-1:])]
    days = sorted({time.strftime("%Y-%m-%d", time.gmtime(end)) for end in ends})
    parts = [", ".join(plan.variants), plan.format, counted(len(plan.names), "entrant"),
             f"{counted(len(played), 'game')} played, {state}", " to ".join(days)]
    return " · ".join(part for part in parts if part)


def _failures(tournament: Tournament) -> list[tuple[str, bool, list[dict[str, str]]]]:
    """The failures by entrant: the name, whether it was set aside, and each failure."""
    failures: defaultdict[int, list[tuple[PlayedGame, Verdict]]] = defaultdict(list)
    for game in tournament.played.values():
        for failure in game.failures:
            failures[game.seating[(failure.seat or 1) - 1]].append((game, failure))
    without_folders = folders_left_out(tournament.plan)
    found = []
    for entrant, those in sorted(failures.items()):
        rows: list[dict[str, str]] = []
        first: dict[str, str] = {}    # many bots fail in the same way again and again
        for game, failure in those:
            seat = failure.seat or 1
            place = f"{game.id} {seat}"
            output = without_folders(game.outputs[seat - 1].strip()) if game.outputs else ""
            rows.append({
                "game": game.id, "kind": failure.kind, "detail": without_folders(failure.detail),
                "place": place, "first": first.setdefault(output, place),
                "output": "…" * (len(output) > TAIL) + output[-TAIL:],
            })
        found.append((tournament.plan.entrants[entrant].name, entrant in tournament.left, rows))
    return found


def _data(tournament: Tournament) -> Iterator[str]:
    """The games for the script; what many of them share is stored once."""
    plan = tournament.plan
    head = {
        "names": [one.name for one in plan.entrants], "variants": plan.variants, "fields": GAME_FIELDS,
        "boards": [board_layout(game) for game in plan.games_played],
        "symbols": XT_TILES, "tiles": TILE_NAMES,
    }
    yield _json(head)[:-1] + ',"games":['
    starts: dict[str, int] = {}
    without_folders = folders_left_out(plan)
    for number, game in enumerate(tournament.played.values()):
        yield (",\n" if number else "") + _json(_game(game, starts, without_folders))
    yield f'],"starts":{_json(list(starts))}}}'


def _game(game: PlayedGame, starts: dict[str, int], without_folders: Callable[[str], str]) -> list[Any]:
    """A game with the fields of `GAME_FIELDS`."""
    record = game.record
    start = starts.setdefault(tiles_text(next(record.states())), len(starts))
    failures = [[failure.seat or 1, without_folders(str(failure))] for failure in game.failures]
    return [
        game.id, game.round, game.variant, game.seating, game.scores, [round(one, 3) for one in game.points],
        game.ending, start, moves_text(record), seconds_text(record), failures, record.disqualified,
    ]


def _json(value: object) -> str:
    """JSON for a script element: nothing in it can end the element."""
    return json.dumps(value, ensure_ascii=True, separators=(",", ":")).replace("<", "\\u003c")
