"""Two who change the same at the same time: the second one comes before the first has finished."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import sqlalchemy as sql
from sqlalchemy.engine import Connection

from polyversi.site.store import SiteStore
from tests.testing.waiting import until

WAITING = sql.select(sql.func.count().label("count")).select_from(
    sql.table("pg_stat_activity", sql.column("wait_event_type"), sql.column("datname"))).where(
        sql.column("wait_event_type") == "Lock", sql.column("datname") == sql.func.current_database())
"""How many connections to a database of PostgreSQL wait for somebody else."""


def meanwhile(store: SiteStore, first: Callable[[Connection], None], second: Callable[[], None]) -> None:
    """Has the second begin while the first has not ended; raises what the second raises.

    On PostgreSQL: SQLite has one writer at a time.
    """
    with ThreadPoolExecutor(1) as pool:
        with store.writing() as connection:
            first(connection)
            done = pool.submit(second)
            until(lambda: done.done() or store.read(WAITING)[0]["count"])
        done.result()
