"""Exports: everything a site knows, or everything about one person, as files in a folder."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import msgspec
import sqlalchemy as sql
from sqlalchemy.engine import Connection

from polyversi.site.backup import tables
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
    PEOPLE,
    PLAYED_BY,
    RATED_GAMES,
    RATING_STEPS,
    RATINGS,
    SECRETS,
    SESSIONS,
    VERSIONS,
)
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
    """Writes everything about one person as JSON Lines, and what that person has handed in."""
    _make(folder)
    bots = Bots(file, store)
    owned = bots.of(person.id)
    players = [person.player, *(bot.player for bot in owned)]
    played = sql.select(PLAYED_BY.c.game).where(PLAYED_BY.c.player.in_(players))
    own_bots = [bot.id for bot in owned]
    wanted: Mapping[str, sql.Select[Any]] = {
        "account": sql.select(*_told(PEOPLE)).where(PEOPLE.c.id == person.id),
        "sessions": sql.select(SESSIONS.c.created, SESSIONS.c.seen).where(SESSIONS.c.person == person.id),
        "bots": sql.select(BOTS).where(BOTS.c.id.in_(own_bots)),
        "versions": sql.select(VERSIONS).where(VERSIONS.c.bot.in_(own_bots)),
        "challenges": sql.select(CHALLENGES).where(
            (CHALLENGES.c.person == person.id) | (CHALLENGES.c.opponent == person.id)),
        "ratings": sql.select(RATINGS).where(RATINGS.c.player.in_(players)),
        "rating-steps": sql.select(RATING_STEPS).where(RATING_STEPS.c.player.in_(players)),
        "results": sql.select(RATED_GAMES).where(RATED_GAMES.c.id.in_(played)),
        "ladder-games": sql.select(*(c for c in LADDER_GAMES.columns if c.name != "outputs")).where(
            LADDER_GAMES.c.id.in_(played)),
        "games": sql.select(*(c for c in GAMES.columns if c.name != "seats")).where(GAMES.c.id.in_(played)),
        "events": sql.select(EVENTS).where(EVENTS.c.game.in_(played)),
        "changes": sql.select(AUDIT).where((AUDIT.c.person == person.id) | (AUDIT.c.subject == person.id)),
    }
    with store.snapshot() as connection:
        for name, rows in wanted.items():
            _write(connection, rows, folder, name)
    for id in own_bots:
        if (file.uploads / id).is_dir():
            shutil.copytree(file.uploads / id, folder / "uploads" / id)
    return _count(folder)


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
    with (folder / f"{name}.jsonl").open("wb") as file:
        for row in rows:
            file.write(msgspec.json.encode(dict(row)) + b"\n")


def _count(folder: Path) -> int:
    return sum(path.is_file() for path in folder.rglob("*"))
