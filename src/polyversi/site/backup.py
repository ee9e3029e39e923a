"""Backups: a site in one archive, which is taken while the site runs.

The archive has each table as JSON Lines, all of them as they were at one moment, the files that the bots of
that moment are made of, the site's file, and a list of all that. It is the same for both kinds of databases:
a site can be restored from a file into PostgreSQL and the other way round (`site/restoring.py`).
"""

from __future__ import annotations

import hashlib
import os
import tarfile
import tempfile
import time
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path

import msgspec
import sqlalchemy as sql
from sqlalchemy.engine import Connection

from polyversi.site.bot_traces import DELETED
from polyversi.site.opened import STORES, make_tables
from polyversi.site.settings import SiteError, SiteFile
from polyversi.site.store import SiteStore
from polyversi.site.tables import VERSIONS
from polyversi.storage.database import ROWS
from polyversi.storage.tables import ANALYSES, WRITERS

FORMAT = 1
LEFT_OUT = (WRITERS, ANALYSES)
"""What belongs to a server that runs, and what can be found again by thinking."""
LIST, FILE, TABLES, UPLOADS = "contents.json", "site.toml", "tables", "uploads"
"""What the archive has; the list comes last, so that half an archive has none."""


class TableContents(msgspec.Struct, frozen=True):
    """What the archive has of a table."""

    columns: list[str]
    rows: int
    digest: str
    """The SHA-256 of its lines, in hexadecimal."""


class Contents(msgspec.Struct, frozen=True):
    """What an archive has."""

    format: int
    site: str
    created: float
    schemas: dict[str, int]
    """The version of the tables of each store."""
    tables: dict[str, TableContents]
    missing: list[str] = []
    """Versions of bots that were deleted while the backup was taken, as BOT/NUMBER."""


def tables() -> list[sql.Table]:
    """The tables of a site, in an order in which they can be filled again."""
    return [table for store in STORES for table in store.tables.sorted_tables if table not in LEFT_OUT]


def backup(file: SiteFile, target: Path) -> Contents:
    """Writes the whole site into an archive; there is a whole one or none. Others go on working meanwhile."""
    if not target.parent.is_dir():
        raise SiteError(f"there is no folder {target.parent}")
    part = target.with_name(f"{target.name}.part")
    try:
        make_tables(file)
        with closing(SiteStore.open(file.store)) as store:
            contents = _write(file, store, part)
        part.replace(target)
    except OSError as error:
        raise SiteError(f"the backup {target} cannot be written: {error.strerror or error}") from None
    finally:
        part.unlink(missing_ok=True)
    return contents


def _write(file: SiteFile, store: SiteStore, part: Path) -> Contents:
    part.unlink(missing_ok=True)
    descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)    # it has names of people
    with (os.fdopen(descriptor, "wb") as whole, tempfile.TemporaryDirectory(dir=part.parent) as folder,
          tarfile.open(fileobj=whole, mode="w:gz", compresslevel=4) as archive):
        with store.snapshot() as connection:
            kept = {str(table.name): _write_table(connection, table, Path(folder, table.name))
                    for table in tables()}
            versions = connection.execute(sql.select(VERSIONS.c.bot, VERSIONS.c.number).where(
                VERSIONS.c.phase != DELETED).order_by(VERSIONS.c.bot, VERSIONS.c.number)).all()
        for name in kept:
            archive.add(Path(folder, name), f"{TABLES}/{name}.jsonl")
        missing = _add_uploads(archive, file.uploads, [f"{bot}/{number}" for bot, number in versions])
        contents = Contents(FORMAT, file.settings.name, time.time(),
                            {each.__name__: each.version for each in STORES}, kept, missing)
        if file.path.is_file():
            archive.add(file.path, FILE)
        listed = Path(folder, LIST)
        listed.write_bytes(msgspec.json.format(msgspec.json.encode(contents)))
        archive.add(listed, LIST)
        archive.close()
        whole.flush()
        os.fsync(whole.fileno())
    return contents


def _write_table(connection: Connection, table: sql.Table, path: Path) -> TableContents:
    """Writes the rows of a table, each as a list of its values in the order of the columns."""
    digest, rows = hashlib.sha256(), 0
    with path.open("wb") as file:
        wanted = sql.select(table).order_by(*table.primary_key)
        for row in connection.execution_options(yield_per=ROWS).execute(wanted):
            line = msgspec.json.encode(list(row)) + b"\n"
            digest.update(line)
            file.write(line)
            rows += 1
    return TableContents([str(column.name) for column in table.columns], rows, digest.hexdigest())


def _add_uploads(archive: tarfile.TarFile, uploads: Path, versions: Iterable[str]) -> list[str]:
    """Adds the files of these versions; which of them were not there any more."""
    missing = []
    for version in versions:
        folder = uploads / version
        try:
            for path in sorted(path for path in folder.rglob("*") if path.is_file()):
                archive.add(path, f"{UPLOADS}/{version}/{path.relative_to(folder)}", filter=_anonymous)
        except FileNotFoundError:
            missing.append(version)
            continue
        if not folder.is_dir():
            missing.append(version)
    return missing


def _anonymous(member: tarfile.TarInfo) -> tarfile.TarInfo:
    member.uid = member.gid = 0
    member.uname = member.gname = ""
    return member
