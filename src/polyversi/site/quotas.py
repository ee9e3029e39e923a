"""Quotas: what a person uses of what a site has, and why more is refused."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sql
from sqlalchemy.engine import Connection

from polyversi.drawing.words import counted
from polyversi.site.roles import Person, Role
from polyversi.site.settings import Quotas, SiteError
from polyversi.site.tables import BOTS, CHECK_REQUESTS, PEOPLE, VERSIONS

DAY = 86_400.0
MB = 1_000_000


@dataclass(frozen=True)
class Usage:
    """What somebody uses of what the site has."""

    bots: int
    versions_today: int
    """Handed in or checked again, also those that were deleted since."""
    bytes: int
    site_bytes: int
    """Of everybody's bots."""


def check_bots(quotas: Quotas, person: Person, used: Usage) -> None:
    """Refuses one more bot than a person may have."""
    if person.role < Role.ORGANISER and used.bots >= quotas.bots:
        raise SiteError(f"you have {counted(used.bots, 'bot')}, as many as one person may have; "
                        "delete one first")


def check_room(quotas: Quotas, person: Person, used: Usage, size: int) -> None:
    """Refuses a version of that many bytes: more than a person may have, or than the site has room for."""
    if used.site_bytes + size > quotas.site_megabytes * MB:
        raise SiteError(f"the site has no room for more than {quotas.site_megabytes:,} MB of bots; "
                        "ask its organiser")
    check_rate(quotas, person, used)
    if person.role < Role.ORGANISER and used.bytes + size > quotas.megabytes * MB:
        raise SiteError(f"your bots may have {quotas.megabytes:,} MB together, of which "
                        f"{used.bytes / MB:,.1f} are taken; delete versions that you do not need")


def check_rate(quotas: Quotas, person: Person, used: Usage) -> None:
    """Refuses more checks within a day than a person may have."""
    if person.role < Role.ORGANISER and used.versions_today >= quotas.versions_per_day:
        versions = counted(used.versions_today, "version")
        raise SiteError(f"you have handed in {versions} within a day, counting "
                        "those that were checked again, as many as one person may; try again later")


def lock_owner(connection: Connection, person: Person) -> None:
    """Has whatever somebody does at the same time wait, so that quotas are not passed by many at once.

    Whoever is being deleted gets nothing new: it would stay.
    """
    there = sql.select(PEOPLE.c.id).where(PEOPLE.c.id == person.id, ~PEOPLE.c.is_disabled).with_for_update()
    if connection.execute(there).first() is None:
        raise SiteError("there is no such person")


def finds_usage(person: str) -> sql.Select[Any]:
    """What finds a person's usage."""
    own = sql.select(BOTS.c.id).where(BOTS.c.owner == person)
    is_own, size = VERSIONS.c.bot.in_(own), sql.func.coalesce(sql.func.sum(VERSIONS.c.size), 0)
    # PostgreSQL's sums of big integers are decimals.
    whole = sql.cast(size, sql.BigInteger)
    return sql.select(
        sql.select(sql.func.count()).select_from(own.subquery()).scalar_subquery().label("bots"),
        sql.select(sql.func.count()).select_from(CHECK_REQUESTS).where(
            CHECK_REQUESTS.c.person == person, CHECK_REQUESTS.c.created > time.time() - DAY
        ).scalar_subquery().label("versions_today"),
        sql.select(whole).where(is_own).scalar_subquery().label("bytes"),
        sql.select(whole).scalar_subquery().label("site_bytes"))


def usage_of(connection: Connection, person: Person) -> Usage:
    """What somebody uses, in a transaction."""
    return Usage(**connection.execute(finds_usage(person.id)).mappings().one())


def note_request(connection: Connection, person: Person) -> None:
    """Counts a check for whoever asks for it, and forgets those that count no longer."""
    now = time.time()
    connection.execute(sql.delete(CHECK_REQUESTS).where(CHECK_REQUESTS.c.created <= now - DAY))
    connection.execute(sql.insert(CHECK_REQUESTS).values(person=person.id, created=now))
