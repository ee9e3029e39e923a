"""Export of a tournament: its table, its games or a report; a file is written whole or not at all."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from polyversi.contest.redaction import shown_spec
from polyversi.contest.report import report_of
from polyversi.contest.standings import table_of
from polyversi.contest.tournament import Tournament
from polyversi.gameplay.bots.process import shown
from polyversi.games.errors import PolyversiError, RecordError
from polyversi.games.files import StrPath, write_whole
from polyversi.games.game import Game
from polyversi.records import Format, offered_formats

Json = dict[str, Any]
HEADER = (
    "place", "name", "player", "games", "won", "drawn", "lost", "points", "stones", "rating", "low", "high",
    "failures", "set aside", "reason",
)
EVERY_GAME = "jsonl"
"""The format that holds games of every variant."""
FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""First characters that a spreadsheet takes for the start of a formula."""


def export(tournament: Tournament, path: StrPath) -> None:
    """Writes the file, in the format of its suffix.

    `.csv` is the table, `.html` a report of everything, and the suffix of a format of records (`.jsonl`,
    `.ggf`, `.log` for Reversi XT) has the games. After an error, a file that existed before is unchanged.
    """
    path = Path(path)
    kind = path.suffix.lower().removeprefix(".")
    formats = offered_formats()
    writers = {"csv": table_csv, "html": report_of, **{one: games_in(formats[one]) for one in formats}}
    writer = writers.get(kind)
    if writer is None:
        *others, last = (f".{one}" for one in formats)
        raise RecordError(
            f"{path} has no known suffix; use .csv for the table, {', '.join(others)} or {last} for the "
            "games, or .html for a report"
        )
    write_whole(path, (piece.encode(errors="replace") for piece in writer(tournament)))


def table_csv(tournament: Tournament) -> Iterator[str]:
    """The table, with a row for each entrant; with several variants, the games and points on each, too.

    The last column is what ranks the rows: points per game, or the scores of the format if it has any.

    Files of bots appear with their names only. A name that a spreadsheet would take for a formula gets an
    apostrophe in front.
    """
    table, variants = table_of(tournament), tournament.plan.variants
    variants = variants if len(variants) > 1 else ()
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([*HEADER, *(f"{what} on {spec}" for spec in variants for what in ("games", "points")),
                     "score"])
    for place, row in enumerate(table.rows, 1):
        score, rating = row.score, row.rating
        on_each = [tournament.standings.on(row.entrant, number) for number in range(len(variants))]
        bounds = [f"{value:.1f}" for value in (rating.value, rating.low, rating.high)] if rating else [""] * 3
        writer.writerow([
            place, harmless(row.name), harmless(shown_spec(tournament.plan.entrants[row.entrant].spec)),
            score.games, score.wins, score.draws, score.losses,
            _decimal(score.points), score.stones, *bounds,
            sum(score.faults.values()), "yes" if row.is_set_aside else "no", score.troubles,
            *(value for one in on_each for value in (one.games, _decimal(one.points))),
            "" if row.ranked_by is None else _decimal(row.ranked_by),
        ])
    for place, bot in enumerate(table.broken, len(table.rows) + 1):
        nothing = [0] * 6 + [""] * 3 + [0]
        writer.writerow([place, harmless(bot.name), harmless(Path(bot.path).name), *nothing, "yes",
                         harmless(bot.reason), *[0] * (2 * len(variants)), ""])
    yield text.getvalue()


def _decimal(points: float) -> str:
    return f"{points:.4f}".rstrip("0").rstrip(".")


def harmless(words: str) -> str:
    """Words in a cell of a table, which no spreadsheet takes for a formula.

    >>> harmless("Ann"), harmless("=1+1")
    ('Ann', "'=1+1")
    """
    printable = shown(words, len(words))    # names of files may contain anything
    return f"'{printable}" if words.startswith(FORMULA) else printable


def files_of(games: Iterable[Game]) -> list[Json]:
    """The files besides .jsonl, which holds every game, that can hold all games of a tournament.

    >>> from polyversi.games.variants import game
    >>> [[one["kind"] for one in files_of([game(spec)])] for spec in ("othello", "hex", "xt:arena")]
    [['ggf'], [], ['log']]
    """
    games = list(games)
    return [{"kind": kind, "label": f"Games ({one.label})"} for kind, one in offered_formats().items()
            if one.name != EVERY_GAME and all(map(one.can_hold, games))]


def games_in(chosen: Format) -> Callable[[Tournament], Iterator[str]]:
    """A writer of the games in this format, tagged with event, round and game as far as it has tags.

    A RecordError names a variant that the format cannot express.
    """
    def write(tournament: Tournament) -> Iterator[str]:
        for game in tournament.played.values():
            id = game.id if chosen.id_tag == "game" else f"game {game.id}"
            tags = {"event": tournament.name, "round": str(game.round), chosen.id_tag: id}
            others = (tag for tag in game.record.tags if tag[0] not in tags)
            record = replace(game.record, tags=(*others, *tags.items()))
            try:
                fitted = chosen.fit(record)
            except PolyversiError as error:
                raise RecordError(f"game {game.id}: {error}; .jsonl holds games of every variant") from None
            yield b"".join(chosen.encode([fitted])).decode()
    return write
