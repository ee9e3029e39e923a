"""The store of a site: its own tables, beside those of games and contests in the same database."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from polyversi.site.settings import SiteError
from polyversi.site.tables import SCHEMA, TABLES
from polyversi.storage.database import Database

# isort: split
from sqlalchemy.exc import IntegrityError

CONDUCTOR_LOCK = 7_022_601_387
"""Whoever holds this lock of PostgreSQL plays the games of the site's bots."""


class SiteStore(Database):
    """People, bots, ladders and events on a disk or a database server; any thread may use it.

    What it knows is read and written by the modules of this package: `people`, `bots`, `ladder`, `events`.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     store = SiteStore.open(f"{folder}/site.db")
    ...     print(store.has(SCHEMA))
    ...     store.close()
    True
    """

    tables, schema, version, shares_file = TABLES, SCHEMA, 1, True

    @contextmanager
    def conducted(self) -> Iterator[None]:
        """Within this no other conductor works on the site; it ends with the process, however that ends."""
        taken = f"another conductor plays the games of {self.name}"
        with self.locked(CONDUCTOR_LOCK, taken, "conductor"):
            yield


def new_id() -> str:
    """The id of something new: 72 random bits, which nobody guesses.

    >>> len(new_id())
    12
    """
    return secrets.token_urlsafe(9)


@contextmanager
def unique(sentence: str) -> Iterator[None]:
    """Raises a SiteError with this sentence if somebody else has just taken what nobody may have twice."""
    try:
        yield
    except IntegrityError:
        raise SiteError(sentence) from None


def one(rows: list[Any]) -> Any:
    """The only row that a query has found, or None."""
    return rows[0] if rows else None
