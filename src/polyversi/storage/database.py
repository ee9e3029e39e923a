"""Databases: SQLite files and PostgreSQL servers behind one interface, with errors that people can read."""

from __future__ import annotations

import json
import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, ClassVar, Self
from urllib.parse import quote

import msgspec

from polyversi.storage.errors import LockLostError, StoreError, StoreUnavailableError
from polyversi.storage.locks import FileLock, Lock, ServerLock, identity

try:
    import sqlalchemy as sql
    from sqlalchemy import exc
    from sqlalchemy.dialects import postgresql, sqlite
    from sqlalchemy.engine import URL, Connection, Engine, RowMapping
except ModuleNotFoundError as error:
    raise StoreError("the store needs SQLAlchemy: pip install 'polyversi[arena]'") from error

TIMEOUT = 10
"""Seconds to wait for a database server, or for another process that writes to the same file."""
CREATION_LOCK = 7_022_601_384
"""Whoever holds this lock of PostgreSQL creates the tables; any number that nobody else takes."""

ROWS = 256
"""Rows that are read at a time where there may be many."""

encode = partial(json.dumps, separators=(",", ":"), allow_nan=False, default=msgspec.to_builtins)


def columns(**types: type[sql.types.TypeEngine[Any]]) -> list[sql.Column[Any]]:
    """Columns of a table that always have a value."""
    return [sql.Column(name, kind, nullable=False) for name, kind in types.items()]


class Database:
    """Tables on a disk or a database server; any thread may use it. A subclass says which tables."""

    tables: ClassVar[sql.MetaData]
    schema: ClassVar[sql.Table]
    """One of the tables, with a row that has their version."""
    version: ClassVar[int]
    """Of the tables; a database of a later one is left alone."""
    older: ClassVar[tuple[int, ...]] = ()
    """Versions whose rows are read as they are; what is added to them makes them this version."""

    shares_file: ClassVar[bool] = False
    """Whether its tables may be in one file with those of other classes that share theirs."""
    _shared: ClassVar[set[str]] = set()
    """The tables of all classes that share their files."""

    def __init_subclass__(cls) -> None:
        if cls.shares_file:
            Database._shared |= set(cls.tables.tables)

    def __init__(self, engine: Engine, name: str) -> None:
        self._engine = engine
        self.name = name
        """What messages call it."""
        self.where = ""
        """As it was named to open it, perhaps with a password."""
        self.is_sqlite = engine.dialect.name == "sqlite"
        self.insert = sqlite.insert if self.is_sqlite else postgresql.insert
        """Begins a statement that may say what to do with rows that are there already."""
        self._file: tuple[int, int] | None = None
        self._lock: Lock | None = None

    @classmethod
    def open(cls, where: str) -> Self:
        """Opens or creates the store: a path, or a URL such as postgresql://user@host/name."""
        url = _url_of(where)
        if url.drivername == "sqlite":
            _make_folder(Path(url.database or ""))
        store = cls._at(url)
        store.where = where
        if store.is_sqlite:
            sql.event.listen(store._engine, "connect", _set_up_sqlite)
        with store._closing_on_error():
            store._create()
        store._file = store._file_there()
        return store

    @classmethod
    def open_read_only(cls, where: str) -> Self:
        """Opens a store that is there already, only to read it: also one that may not be written."""
        url, options = _url_of(where), dict[str, Any]()
        if url.drivername == "sqlite":
            file = Path(url.database or "")
            if not file.is_file():
                raise StoreError(f"there is no store {file}")
            options["creator"] = partial(_connect_read_only, file)
        store = cls._at(url, **options)
        store.where = where
        with store._closing_on_error(), store.readable_errors(), store._engine.connect() as connection:
            if not store._has_tables(connection):
                raise StoreError(f"{store.name} is empty")
        return store

    @classmethod
    def _at(cls, url: URL, **options: Any) -> Self:
        """The store in that place, still to be looked at."""
        name, timeouts = str(url.database), {"timeout": TIMEOUT}
        if url.drivername != "sqlite":
            name = url.set(drivername="postgresql").render_as_string(hide_password=True)
            timeouts = {"connect_timeout": TIMEOUT, "tcp_user_timeout": 3 * TIMEOUT * 1000,
                        "keepalives_idle": 6 * TIMEOUT}    # long games let nobody forget the connection
            options["pool_pre_ping"] = True
        try:
            engine = sql.create_engine(url, json_serializer=encode, connect_args=timeouts, **options)
        except ModuleNotFoundError:
            raise StoreError("a PostgreSQL store needs psycopg: pip install 'polyversi[postgres]'") from None
        return cls(engine, name)

    @contextmanager
    def _closing_on_error(self) -> Iterator[None]:
        try:
            yield
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Lets go of every connection."""
        self._engine.dispose()

    @contextmanager
    def locked(self, number: int, taken: str, part: str = "") -> Iterator[Lock]:
        """Within this no other program can have the lock of that number; a StoreError says that it is taken.

        It ends with the process, however that ends. The lock of a part of the store, such as one contest,
        has its name, of letters, digits and dashes: in a file each name has a lock of its own. Without a name
        it is the lock of the whole store, and nothing is written unless it is held.
        """
        with self.readable_errors():
            lock: Lock = (FileLock(self._lock_file(part), taken) if self.is_sqlite
                          else ServerLock(self, number, taken))
        if not part:
            self._lock = lock
        try:
            yield lock
        finally:
            if not part:
                self._lock = None
            lock.release()

    def _lock_file(self, part: str) -> Path:
        return Path(f"{self._real_file()}{part and f'.{part}'}.lock")

    def connect(self) -> Connection:
        """A connection, for whoever closes it."""
        return self._engine.connect()

    def _real_file(self) -> Path:
        """The file of the store, whatever links lead to it; one with several names is refused."""
        file = Path(str(self._engine.url.database)).resolve()
        if file.stat().st_nlink > 1:    # each name would have a lock and a log of its own
            raise StoreError(f"{file} has another name, a hard link; opened by both, SQLite would damage it; "
                             "remove one of them, or copy the file")
        return file

    @contextmanager
    def writing(self, lock: Lock | None = None) -> Iterator[Connection]:
        """Writes that are kept together or not at all; on disk when this is left without an error.

        With the lock of a part they are kept only if it was held all the time: a server's lock belongs to a
        connection and is gone when that is lost, so that they are written by that connection.
        """
        if isinstance(lock, ServerLock):
            with self._holding(lock.holder), lock.holder.begin():
                yield lock.holder
            return
        with self.readable_errors(), self._engine.connect() as connection, connection.begin():
            if self.is_sqlite:    # what is read before a write must still be so when it is written
                connection.exec_driver_sql("BEGIN IMMEDIATE")
            if self._file_there() != self._file and self._file:
                # SQLite would go on with a file that nobody finds any more.
                raise StoreError(f"the store {self.name} was moved or deleted while it was in use")
            for held in (self._lock, lock):
                if held is not None:
                    held.keep(connection)
            yield connection

    @contextmanager
    def _holding(self, holder: Connection) -> Iterator[None]:
        """Says that the lock is lost when its connection is; SQLAlchemy would quietly make another one."""
        lost = (f"the connection to {self.name} was lost, and with it the lock that keeps other programs "
                "out; nothing has been written since; continue with `polyversi tournament resume`")
        if holder.invalidated:
            raise LockLostError(lost)
        try:
            with self.readable_errors():
                yield
        except StoreError as error:
            if holder.invalidated or holder.closed:
                raise LockLostError(lost) from error
            raise

    def has(self, table: sql.Table) -> bool:
        """Whether a table is there; a store of an earlier version gets all when it is opened for writing."""
        with self.readable_errors(), self._engine.connect() as connection:
            return sql.inspect(connection).has_table(table.name)

    def read(self, wanted: sql.Select[Any]) -> list[RowMapping]:
        """The rows that a query finds."""
        with self.readable_errors(), self._engine.connect() as connection:
            return list(connection.execute(wanted).mappings())

    def stream(self, wanted: sql.Select[Any]) -> Iterator[RowMapping]:
        """The rows that a query finds, a few at a time."""
        with self.readable_errors(), self._engine.connect() as connection:
            yield from connection.execution_options(yield_per=ROWS).execute(wanted).mappings()

    @contextmanager
    def snapshot(self) -> Iterator[Connection]:
        """A connection that sees everything as it is at one moment, whatever others write meanwhile."""
        with self.readable_errors(), self._engine.connect() as connection:
            if not self.is_sqlite:
                connection = connection.execution_options(
                    isolation_level="REPEATABLE READ", postgresql_readonly=True)
            with connection.begin():
                if self.is_sqlite:
                    connection.exec_driver_sql("BEGIN")
                yield connection

    def _file_there(self) -> tuple[int, int] | None:
        """Which file there is where the store should be; none for a database server."""
        return identity(str(self._engine.url.database)) if self.is_sqlite else None

    def _create(self) -> None:
        """Makes the tables that are not there yet; refuses a store of a later version and other databases."""
        with self.writing() as connection:
            if not self.is_sqlite:
                connection.execute(sql.select(sql.func.pg_advisory_xact_lock(CREATION_LOCK)))
            is_new = not self._has_tables(connection)
            self.tables.create_all(connection)
            if is_new:
                connection.execute(sql.insert(self.schema).values(version=self.version))
            connection.execute(sql.update(self.schema).values(version=self.version))

    def _has_tables(self, connection: Connection) -> bool:
        """Whether the tables are there; refuses a store of another version and any other database."""
        names = set(sql.inspect(connection).get_table_names())
        if self.schema.name in names:
            version = connection.execute(sql.select(self.schema.c.version)).scalar()
            if version != self.version and version not in self.older:
                raise StoreError(
                    f"{self.name} was written by another version of Polyversi: its tables have version "
                    f"{version}, this one reads version {self.version}; upgrade, or use another store"
                )
            return True
        own = names & set(self.tables.tables)    # without their version
        others = names - self._shared if self.shares_file else names
        if own or (self.is_sqlite and others):
            raise StoreError(f"{self.name} is the database of another program; use another store")
        return False

    @contextmanager
    def readable_errors(self) -> Iterator[None]:
        """Turns the errors of the database into sentences, those apart that may pass."""
        try:
            yield
        except exc.SQLAlchemyError as error:
            reason = str(getattr(error, "orig", None) or error).strip().partition("\n")[0]
            if isinstance(error, exc.DBAPIError) and "file is not a database" in reason:
                raise StoreError(f"{self.name} is not a database; use another store") from error
            sentence = f"the store {self.name} cannot be used: {reason}"
            raise (StoreUnavailableError if _is_temporary(error) else StoreError)(sentence) from error


def place_of(where: str) -> Path | None:
    """The file in which a store is; None for one in a database server."""
    url = _url_of(where)
    return Path(str(url.database)) if url.drivername == "sqlite" else None


def _url_of(where: str) -> URL:
    if "://" not in where:
        return sql.URL.create("sqlite", database=str(Path(where).expanduser().absolute()))
    try:
        url = sql.make_url(where)
    except (exc.ArgumentError, ValueError):
        raise StoreError("this is not the URL of a store; write postgresql://user@host/name") from None
    if url.drivername in ("postgresql", "postgres", "postgresql+psycopg"):
        return url.set(drivername="postgresql+psycopg")
    if url.drivername != "sqlite" or not url.database:
        raise StoreError(f"a store is a file or postgresql://user@host/name, not {url.drivername}://…")
    return url


def _make_folder(path: Path) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StoreError(f"the folder {path.parent} cannot be created: {error.strerror}") from None
    if path.is_dir():
        raise StoreError(f"{path} is a folder; name a file in it, such as {path / 'polyversi.db'}")
    if not os.access(path if path.exists() else path.parent, os.W_OK):
        raise StoreError(f"{path} cannot be written; choose another place for the store")


def _connect_read_only(path: Path) -> sqlite3.Connection:
    """A connection to a file for reading, whether it or its folder may be written or not."""
    how = "mode=rw"    # not read-only, which would leave the files behind that readers share with writers
    if not os.access(path, os.W_OK) or not os.access(path.parent, os.W_OK):
        # Without a log beside it nobody writes to it, and SQLite need not make the files it cannot make.
        how = "mode=ro" if Path(f"{path}-wal").exists() else "immutable=1"
    place = f"file:{quote(os.fsencode(path))}?{how}"
    connection = sqlite3.connect(place, uri=True, timeout=TIMEOUT, check_same_thread=False)
    connection.text_factory = _readable_text
    return connection


def _set_up_sqlite(connection: Any, _: object) -> None:
    until = time.monotonic() + TIMEOUT
    while True:
        try:
            connection.execute("PRAGMA journal_mode=WAL")
            break
        except sqlite3.OperationalError as error:
            # SQLite itself does not wait for somebody else who is opening the same new file.
            if "locked" not in str(error) or time.monotonic() > until:
                raise
            time.sleep(0.005)
    connection.execute("PRAGMA synchronous=FULL")
    connection.text_factory = _readable_text
    connection.execute("PRAGMA foreign_keys=ON")


_readable_text = partial(str, encoding="utf-8", errors="replace")
"""Reads text in which some bytes are damaged; without this the whole query would fail."""


def _is_temporary(error: exc.SQLAlchemyError) -> bool:
    """Whether trying again may help: the line or the disk is at fault, not what was to be written."""
    if not isinstance(error, exc.DBAPIError):
        return isinstance(error, exc.TimeoutError)
    if error.connection_invalidated:
        return True
    wrong = (exc.IntegrityError, exc.DataError, exc.ProgrammingError, exc.NotSupportedError)
    return not isinstance(error, (*wrong, exc.InterfaceError))
