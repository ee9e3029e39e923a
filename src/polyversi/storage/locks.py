"""Locks that keep a second program from a store, and that notice when they were lost."""

from __future__ import annotations

import fcntl
import os
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from polyversi.storage.errors import LockLostError, StoreError

if TYPE_CHECKING:
    from sqlalchemy.engine import Connection

    from polyversi.storage.database import Database

LOCK_TIMEOUT, LOCK_INTERVAL = 3.0, 0.02
"""Seconds in which PostgreSQL notices that whoever had a lock is gone, and between two attempts to get it."""
HELD = ("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND objsubid = 1 AND granted AND pid = %s "
        "AND (classid::bigint << 32) + objid::bigint = %s")


class FileLock:
    """The lock of a file that is there only as long as somebody holds it, or was killed holding it.

    The database itself cannot be locked like this: closing it once more would end the locks of SQLite.
    """

    def __init__(self, path: Path, taken: str) -> None:
        self._path = path
        self._taken = taken
        self._file = self._acquire()

    def keep(self, _: Connection) -> None:
        """Locks another file if somebody has removed this one; a LockLostError if others have locked that."""
        if identity(self._path) == identity(self._file.fileno()):
            return
        try:
            file = self._acquire()
        except StoreError:
            raise LockLostError(f"the lock {self._path} was removed; {self._taken}") from None
        self._file.close()
        self._file = file

    def release(self) -> None:
        """Removes the file only while nobody else can hold it; others have their own if it was removed."""
        with self._file:
            if identity(self._path) == identity(self._file.fileno()):
                with suppress(OSError):
                    self._path.unlink()

    def _acquire(self) -> TextIO:
        while True:
            try:
                file = self._path.open("a")
            except OSError as error:
                raise StoreError(f"{self._path} cannot be written: {error.strerror}") from None
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                file.close()
                raise StoreError(self._taken) from None
            if identity(self._path) == identity(file.fileno()):
                return file
            file.close()    # whoever held it has removed it since it was opened: others lock another file


class ServerLock:
    """An advisory lock of PostgreSQL; it belongs to a connection, and is gone when that is lost."""

    def __init__(self, database: Database, number: int, taken: str) -> None:
        self._database, self._number, self._taken = database, number, taken
        self.holder, self._pid = self._acquire(LOCK_TIMEOUT)
        """The connection whose lock it is."""

    def keep(self, connection: Connection) -> None:
        """Takes the lock again if the server has forgotten it; a LockLostError if others have it by now."""
        if connection.exec_driver_sql(HELD, (self._pid, self._number)).scalar():
            return
        self.release()
        try:
            self.holder, self._pid = self._acquire(0.0)
        except StoreError:
            raise LockLostError(f"the lock was lost with the connection; {self._taken}") from None

    def release(self) -> None:
        """Ends the connection; one that is used again would keep the lock."""
        if not self.holder.closed:
            self.holder.invalidate()
            self.holder.close()

    def _acquire(self, within: float) -> tuple[Connection, int]:
        connection = self._database.connect()
        until = time.monotonic() + within
        try:
            while not connection.exec_driver_sql(f"SELECT pg_try_advisory_lock({self._number})").scalar():
                if time.monotonic() > until:
                    raise StoreError(self._taken)
                time.sleep(LOCK_INTERVAL)
            pid = int(connection.exec_driver_sql("SELECT pg_backend_pid()").scalar() or 0)
            connection.commit()    # the lock is the connection's, not the transaction's
        except BaseException:
            connection.invalidate()
            connection.close()
            raise
        return connection, pid


Lock = FileLock | ServerLock


def identity(file: Path | str | int) -> tuple[int, int] | None:
    """Which file that is, whatever it is called; None if there is none."""
    try:
        found = os.stat(file)  # noqa: PTH116
    except OSError:
        return None
    return found.st_dev, found.st_ino
