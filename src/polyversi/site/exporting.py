"""Exports: everything a site knows, or everything about one person, as files in a folder."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
import sqlalchemy as sql
from sqlalchemy.engine import Connection

from polyversi.site.backup import tables
from polyversi.site.bot_traces import contests_of
from polyversi.site.bots import Bots
from polyversi.site.opened import STORES
from polyversi.site.roles import Person
from polyversi.site.settings import SiteError, SiteFile
from polyversi.site.store import SiteStore
from polyversi.site.tables import (
    AUDIT,
    BOTS,
    CHALLENGES,
    ENTRANTS,
    LADDER_GAMES,
    LINKS,
    MATCHES,
    PEOPLE,
    PLAYED_BY,
    RATED_GAMES,
    RATING_STEPS,
    RATINGS,
    SECRETS,
    SESSIONS,
    VERSIONS,
)
from polyversi.site.tables import EVENTS as SITE_EVENTS
from polyversi.storage.contests import GAMES as CONTEST_GAMES
from polyversi.storage.contests import TOURNAMENTS
from polyversi.storage.tables import EVENTS, GAMES, SERIES, STUDIES

SECRET = {PEOPLE.c.password, SERIES.c.token, STUDIES.c.token, ENTRANTS.c.token}
"""Columns that nobody needs who reads."""
EXCLUDED_TABLES = {LINKS, SECRETS, SESSIONS, *(store.schema for store in STORES)}
"""Tables that are left out whole."""


def export(file: SiteFile, store: SiteStore, folder: Path) -> int:
    """Writes every table as JSON Lines, and what was handed in; how many files these are."""
    _make(folder)
    with store.snapshot() as connection:
        for table in tables():
            if table not in EXCLUDED_TABLES:
                _write(connection, sql.select(*_told(table)), folder, table.name)
    if file.uploads.is_dir():
        shutil.copytree(file.uploads, folder / "uploads", ignore=shutil.ignore_patterns(".*"))
    return _count(folder)


def export_person(file: SiteFile, store: SiteStore, person: Person, folder: Path) -> int:
    """Writes everything about one person as JSON Lines, and what that person has handed in.

    Of bots that were deleted nothing leads to their owners any more.
    """
    _make(folder)
    bots = Bots(file, store)
    owned = bots.of(person.id)
    players = [person.player, *(bot.player for bot in owned)]
    played = sql.select(PLAYED_BY.c.game).where(PLAYED_BY.c.player.in_(players))
    set_up = GAMES.c.seats[(0, "visitor")].as_string() == person.mark    # against computers and friends
    games = sql.select(GAMES.c.id).where(GAMES.c.id.in_(played) | set_up)
    own_bots = [bot.id for bot in owned]
    is_in_match = MATCHES.c.challenger.in_(own_bots) | MATCHES.c.challenged.in_(own_bots)
    took_part = [ENTRANTS.c.who.startswith(f"bot:{id}/", autoescape=True) for id in own_bots]
    wanted: Mapping[str, sql.Select[Any]] = {
        "account": sql.select(*_told(PEOPLE)).where(PEOPLE.c.id == person.id),
        "sessions": sql.select(SESSIONS.c.created, SESSIONS.c.seen).where(SESSIONS.c.person == person.id),
        "bots": sql.select(BOTS).where(BOTS.c.id.in_(own_bots)),
        "versions": sql.select(VERSIONS).where(VERSIONS.c.bot.in_(own_bots)),
        "links": sql.select(LINKS.c.kind, LINKS.c.created, LINKS.c.expires, LINKS.c.used).where(
            LINKS.c.person == person.id),
        "challenges": sql.select(CHALLENGES).where(
            (CHALLENGES.c.person == person.id) | (CHALLENGES.c.opponent == person.id)
            | sql.cast(CHALLENGES.c.joined, sql.Text).contains(person.id, autoescape=True)),
        "ratings": sql.select(RATINGS).where(RATINGS.c.player.in_(players)),
        "rating-steps": sql.select(RATING_STEPS).where(RATING_STEPS.c.player.in_(players)),
        "results": sql.select(RATED_GAMES).where(RATED_GAMES.c.id.in_(played)),
        "ladder-games": sql.select(*(c for c in LADDER_GAMES.columns if c.name != "outputs")).where(
            LADDER_GAMES.c.id.in_(played)),
        "matches": sql.select(
            *(c for c in MATCHES.columns if c.name not in ("asked_by", "reason")),
            (MATCHES.c.asked_by == person.id).label("is_asked_by_them")).where(
                is_in_match | (MATCHES.c.asked_by == person.id)),
        "entrants": sql.select(*(c for c in _told(ENTRANTS) if c.name != "spec")).where(
            sql.or_(sql.false(), *took_part)),
        "series": sql.select(*_told(SERIES)).where(SERIES.c.settings["visitor"].as_string() == person.mark),
        "studies": sql.select(*_told(STUDIES)).where(STUDIES.c.visitor == person.mark),
        "games": sql.select(*(c for c in GAMES.columns if c.name != "seats")).where(GAMES.c.id.in_(games)),
        "events": sql.select(EVENTS).where(EVENTS.c.game.in_(games)),
        "events-made": sql.select(SITE_EVENTS).where(SITE_EVENTS.c.made_by == person.id),
        "changes": sql.select(AUDIT).where(
            (AUDIT.c.person == person.id) | AUDIT.c.subject.in_([person.id, *own_bots])),
    }
    with store.snapshot() as connection:
        for name, rows in wanted.items():
            _write(connection, rows, folder, name)
        _write_rows(_event_games(connection, own_bots), folder, "event-games")
        _write_rows(_outputs(connection, own_bots), folder, "outputs")
    for id in own_bots:
        if (file.uploads / id).is_dir():
            shutil.copytree(file.uploads / id, folder / "uploads" / id)
    return _count(folder)


def _event_games(connection: Connection, bots: Sequence[str]) -> Iterator[Mapping[str, Any]]:
    """The games of bots in events, without what anybody wrote in them."""
    columns = [column for column in CONTEST_GAMES.columns if column.name != "outputs"]
    for contest, own in _contests(connection, bots).items():
        wanted = sql.select(*columns).where(CONTEST_GAMES.c.tournament == contest)
        for game in connection.execute(wanted).mappings().all():
            if own & {*game["seating"]}:
                yield dict(game)


def _outputs(connection: Connection, bots: Sequence[str]) -> Iterator[Mapping[str, Any]]:
    """What bots have written, on ladders and in events, and not what others wrote in the same games."""
    matches = sql.select(MATCHES.c.id).where(MATCHES.c.challenger.in_(bots) | MATCHES.c.challenged.in_(bots))
    wanted = sql.select(LADDER_GAMES.c.id, LADDER_GAMES.c.versions, LADDER_GAMES.c.outputs).where(
        LADDER_GAMES.c.match.in_(matches))
    for id, versions, outputs in connection.execute(wanted).all():
        for version, output in zip(versions, outputs, strict=False):
            if output and version.partition("/")[0] in bots:
                yield {"game": id, "bot": version, "output": output}
    for contest, own in _contests(connection, bots).items():
        stored = sql.select(TOURNAMENTS.c.plan).where(TOURNAMENTS.c.name == contest)
        names = [entrant["name"] for entrant in connection.execute(stored).scalar_one()["entrants"]]
        games = sql.select(CONTEST_GAMES.c.id, CONTEST_GAMES.c.seating, CONTEST_GAMES.c.outputs).where(
            CONTEST_GAMES.c.tournament == contest)
        for id, seating, outputs in connection.execute(games).all():
            for entrant, output in zip(seating, outputs, strict=False):
                if output and entrant in own:
                    yield {"contest": contest, "game": id, "bot": names[entrant], "output": output}


def _contests(connection: Connection, bots: Sequence[str]) -> dict[str, set[int]]:
    """The contests of events in which any of these bots takes part, and their numbers there."""
    found: dict[str, set[int]] = {}
    for bot in bots:
        for contest, own in contests_of(connection, bot).items():
            found.setdefault(contest, set()).update(own)
    return found


def _told(table: sql.Table) -> list[sql.Column[Any]]:
    return [column for column in table.columns if column not in SECRET]


def _make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, mode=0o700)
    except FileExistsError:
        raise SiteError(f"there is something at {folder} already; name a new folder") from None
    except OSError as error:
        raise SiteError(f"the folder {folder} cannot be made: {error.strerror}") from None


def _write(connection: Connection, wanted: sql.Select[Any], folder: Path, name: str) -> None:
    rows: Iterable[Any] = connection.execution_options(yield_per=256).execute(wanted).mappings()
    _write_rows(rows, folder, name)


def _write_rows(rows: Iterable[Mapping[str, Any]], folder: Path, name: str) -> None:
    with (folder / f"{name}.jsonl").open("wb") as file:
        for row in rows:
            file.write(msgspec.json.encode(dict(row)) + b"\n")


def _count(folder: Path) -> int:
    return sum(path.is_file() for path in folder.rglob("*"))
