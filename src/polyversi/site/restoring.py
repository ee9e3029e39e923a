"""Restoring a site from a backup into an empty place: all of it or nothing."""

from __future__ import annotations

import gzip
import hashlib
import shutil
import tarfile
import tempfile
import zlib
from collections.abc import Iterator
from contextlib import ExitStack, closing
from itertools import islice
from pathlib import Path, PurePosixPath
from typing import Any

import msgspec
import sqlalchemy as sql
from sqlalchemy.engine import Connection

from polyversi.site.backup import FILE, FORMAT, LIST, TABLES, UPLOADS, Contents, TableContents, tables
from polyversi.site.bot_traces import DELETED
from polyversi.site.opened import STORES, make_tables, open_private
from polyversi.site.settings import SiteError, SiteFile
from polyversi.site.store import SiteStore
from polyversi.site.tables import BOTS, VERSIONS

BATCH = 500
"""Rows that are written at a time."""
CHUNK = 1 << 20
"""Bytes that are read at a time."""
NOT_ONE = "is not a backup of a site, or is damaged"
DAMAGED = tarfile.TarError, zlib.error, gzip.BadGzipFile, EOFError, msgspec.DecodeError
"""What reading an archive fails with that is not whole."""


def restore(archive: Path, file: SiteFile) -> Contents:
    """Fills the empty place that a site's file names from a backup; a SiteError says why it cannot be."""
    if file.uploads.exists() and any(file.uploads.iterdir()):
        raise SiteError(f"the folder {file.uploads} is not empty; name another one in the site's file, or "
                        "move what is in it away")
    file.uploads.parent.mkdir(parents=True, exist_ok=True)
    with ExitStack() as stack:
        unpacked = Path(stack.enter_context(tempfile.TemporaryDirectory(dir=file.uploads.parent)))
        contents = _unpack(archive, unpacked)
        make_tables(file)
        site = stack.enter_context(closing(SiteStore.open(file.store)))
        with site.writing() as connection:
            for table in tables():
                _fill(connection, table, contents.tables.get(table.name), unpacked / TABLES)
            _forget(connection, contents.missing)
            (unpacked / UPLOADS).mkdir(exist_ok=True)
            (unpacked / UPLOADS).chmod(0o700)
            if file.uploads.exists():
                file.uploads.rmdir()
            (unpacked / UPLOADS).rename(file.uploads)    # just before all of it counts
    return contents


def restore_file(archive: Path, target: Path) -> None:
    """Writes the site's file that a backup has."""
    with tempfile.TemporaryDirectory() as folder:
        _unpack(archive, Path(folder))
        source = Path(folder, FILE)
        if not source.is_file():
            raise SiteError(f"{archive} has no site's file; write {target} first")
        target.parent.mkdir(parents=True, exist_ok=True)
        with open(target, "xb", opener=open_private) as file:
            file.write(source.read_bytes())


def _unpack(archive: Path, folder: Path) -> Contents:
    """Unpacks a backup; its list is checked, and no file leaves the folder."""
    try:
        with tarfile.open(archive, "r:gz") as opened:
            for member in opened:
                _unpack_member(opened, member, folder)
            while opened.fileobj is not None and opened.fileobj.read(CHUNK):
                pass    # to the end, where the checksum of the whole is
        contents = msgspec.json.decode((folder / LIST).read_bytes(), type=Contents)
    except FileNotFoundError:
        raise SiteError(f"there is no backup {archive}" if not archive.exists() else
                        f"{archive} {NOT_ONE}") from None
    except SiteError:
        raise
    except (*DAMAGED, ValueError) as error:
        raise SiteError(f"{archive} {NOT_ONE}: {error}") from None
    except OSError as error:
        raise SiteError(f"{archive} cannot be unpacked: {error.strerror or error}") from None
    known = {store.__name__: (store.version, *store.older) for store in STORES}
    if contents.format != FORMAT or any(
            version not in known.get(store, ()) for store, version in contents.schemas.items()):
        raise SiteError(f"{archive} was made by another version of Polyversi; upgrade, and restore it then")
    return contents


def _unpack_member(opened: tarfile.TarFile, member: tarfile.TarInfo, folder: Path) -> None:
    name = PurePosixPath(member.name)
    source = opened.extractfile(member) if member.isfile() else None
    if source is None or name.is_absolute() or ".." in name.parts:
        raise SiteError(f"the backup has something that is not one of its files: {member.name!a}")
    target = folder / name
    target.parent.mkdir(parents=True, exist_ok=True)
    with source, target.open("xb") as file:
        shutil.copyfileobj(source, file)
    target.chmod(member.mode & 0o555 | 0o400)


def _fill(connection: Connection, table: sql.Table, kept: TableContents | None, folder: Path) -> None:
    """Fills an empty table with the rows of the backup; columns that are new since then are empty."""
    is_schema = any(table is store.schema for store in STORES)
    if is_schema:
        return    # it says how the tables are here
    if connection.execute(sql.select(sql.literal(1)).select_from(table).limit(1)).first():
        raise SiteError(f"there is something in the table {table.name} already; restore a site into a store "
                        "that is empty")
    if kept is None:
        return
    rows = _rows(kept, folder / f"{table.name}.jsonl")
    while some := list(islice(rows, BATCH)):
        # What is absent is NULL, where a JSON column would make `null` of None.
        by_columns: dict[tuple[str, ...], list[dict[str, Any]]] = {}
        for row in some:
            present = {name: value for name, value in row.items()
                       if value is not None or not table.c[name].nullable}
            by_columns.setdefault(tuple(present), []).append(present)
        for alike in by_columns.values():
            connection.execute(sql.insert(table), alike)
    _go_on_counting(connection, table)


def _rows(kept: TableContents, path: Path) -> Iterator[dict[str, Any]]:
    digest, count = hashlib.sha256(), 0
    try:
        with path.open("rb") as file:
            for line in file:
                digest.update(line)
                count += 1
                yield dict(zip(kept.columns, msgspec.json.decode(line), strict=True))
    except (OSError, TypeError, ValueError, msgspec.DecodeError):
        raise SiteError(f"the table {path.stem} is damaged in this backup") from None
    if (digest.hexdigest(), count) != (kept.digest, kept.rows):
        raise SiteError(f"the table {path.stem} is damaged in this backup")


def _go_on_counting(connection: Connection, table: sql.Table) -> None:
    """Has PostgreSQL number new rows after those that were filled in; SQLite does so by itself."""
    column = table.autoincrement_column
    if column is not None and connection.dialect.name == "postgresql":
        last = sql.select(sql.func.max(column)).scalar_subquery()
        sequence = sql.func.pg_get_serial_sequence(table.name, column.name)
        connection.execute(sql.select(sql.func.setval(sequence, sql.func.coalesce(last, 1))))


def _forget(connection: Connection, missing: list[str]) -> None:
    """Notes that versions are gone that were deleted while the backup was taken."""
    for version in missing:
        bot, _, number = version.partition("/")
        connection.execute(sql.update(VERSIONS).where(
            VERSIONS.c.bot == bot, VERSIONS.c.number == int(number)).values(phase=DELETED, size=0))
        connection.execute(sql.update(BOTS).where(
            BOTS.c.id == bot, BOTS.c.active == int(number)).values(active=0))
