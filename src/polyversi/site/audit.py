"""The audit list: every change by an organiser, written in the transaction that makes the change.

It names people and things by their ids, so that nothing in it has to be erased with a person.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sql
from sqlalchemy.engine import Connection

from polyversi.site.store import SiteStore
from polyversi.site.tables import AUDIT

AT_THE_TERMINAL = ""
"""Who does what is done with `polyversi site`: whoever can read the store can do everything."""
BY_SCHEDULE = "schedule"
"""Who does what an organiser has set a time for."""


@dataclass(frozen=True)
class Entry:
    """One change: who did what to whom or what, and when."""

    number: int
    time: float
    person: str
    """The id of the organiser, AT_THE_TERMINAL or BY_SCHEDULE."""
    action: str
    """A short word such as `person.role` or `event.start`."""
    subject: str
    """The id of what was changed."""
    detail: dict[str, Any]


def note(connection: Connection, person_id: str, action: str, subject: str, **detail: Any) -> None:
    """Writes down a change, kept or lost together with it."""
    connection.execute(sql.insert(AUDIT).values(
        time=time.time(), person=person_id, action=action, subject=subject, detail=detail))


def entries(store: SiteStore, limit: int = 100, before: int | None = None) -> list[Entry]:
    """The latest changes, the latest first; with `before` those before the entry of that number."""
    wanted = sql.select(AUDIT).order_by(AUDIT.c.number.desc()).limit(limit)
    if before is not None:
        wanted = wanted.where(AUDIT.c.number < before)
    return [Entry(**row) for row in store.read(wanted)]
