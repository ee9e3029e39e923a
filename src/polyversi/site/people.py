"""People of a site: their accounts, who they are, and what organisers change about them."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sql
from sqlalchemy.engine import Connection

from polyversi.site import audit
from polyversi.site.names import clean_name, folded
from polyversi.site.roles import Person, Role
from polyversi.site.settings import SiteError
from polyversi.site.store import SiteStore, new_id, one, unique
from polyversi.site.tables import BOTS, LINKS, PEOPLE, SESSIONS

MAX_PEOPLE = 20_000
LAST_ORGANISER = "a site needs an organiser, and this is the only one; make somebody else an organiser first"


@dataclass(frozen=True)
class Newcomer:
    """Somebody who is to have an account."""

    name: str
    role: Role = Role.MEMBER


@dataclass(frozen=True)
class Listed:
    """A person as organisers see one in the list."""

    person: Person
    seen: float | None
    """When somebody was last here in a session that has not ended."""
    link_until: float | None
    """Until when a link waits to be used."""


class People:
    """The people of a site; any thread may use it."""

    def __init__(self, store: SiteStore) -> None:
        self._store = store

    def by_id(self, id: str) -> Person | None:
        """The person with that id, or None."""
        return self._one(PEOPLE.c.id == id)

    def by_name(self, name: str) -> Person | None:
        """The person of that name, in whatever case it is written, or None."""
        return self._one(PEOPLE.c.folded == folded(name))

    def named(self, name: str) -> Person:
        """The person of that name; a SiteError if there is none."""
        if person := self.by_name(name):
            return person
        raise SiteError(f"there is nobody called '{name}'")

    def names(self, ids: Iterable[str]) -> dict[str, str]:
        """The names of people by their ids; whoever is not there any more is left out."""
        wanted = sql.select(PEOPLE.c.id, PEOPLE.c.name).where(PEOPLE.c.id.in_(sorted(set(ids))))
        return {row["id"]: row["name"] for row in self._store.read(wanted)}

    def all(self) -> list[Person]:
        """Everybody, by name."""
        return [person_from(row) for row in self._store.read(sql.select(PEOPLE).order_by(PEOPLE.c.folded))]

    def listed(self) -> list[Listed]:
        """Everybody, by name, with when they were here and whether a link waits for them."""
        seen = sql.select(sql.func.max(SESSIONS.c.seen)).where(SESSIONS.c.person == PEOPLE.c.id)
        until = sql.select(sql.func.max(LINKS.c.expires)).where(
            LINKS.c.person == PEOPLE.c.id, LINKS.c.used.is_(None), LINKS.c.expires > time.time())
        wanted = sql.select(PEOPLE, seen.scalar_subquery().label("seen"),
                            until.scalar_subquery().label("until")).order_by(PEOPLE.c.folded)
        return [Listed(person_from(row), row["seen"], row["until"]) for row in self._store.read(wanted)]

    def add(self, newcomers: Sequence[Newcomer], by: str = audit.AT_THE_TERMINAL) -> list[Person]:
        """Makes accounts, of all of them or none; a SiteError says whose name will not do."""
        with self._store.writing() as connection:
            there = connection.execute(sql.select(sql.func.count()).select_from(PEOPLE)).scalar_one()
            if there + len(newcomers) > MAX_PEOPLE:
                raise SiteError(f"a site has at most {MAX_PEOPLE:,} people")
            added = []
            for newcomer in newcomers:
                if newcomer.role == Role.ANYBODY:
                    raise SiteError("an account has the role of guest, member or organiser")
                person = Person(new_id(), clean_name(newcomer.name, "a person"), newcomer.role, time.time())
                self._refuse_twins(connection, person.name)
                with unique(taken(person.name)):
                    connection.execute(sql.insert(PEOPLE).values(
                        id=person.id, name=person.name, folded=folded(person.name), role=str(person.role),
                        password="", created=person.created, is_disabled=False))
                audit.note(connection, by, "person.add", person.id, role=str(person.role))
                added.append(person)
        return added

    def rename(self, id: str, name: str, by: str = audit.AT_THE_TERMINAL) -> None:
        """Gives a person another name."""
        new = clean_name(name, "a person")
        with self._store.writing() as connection:
            self._refuse_twins(connection, new, id)
            with unique(taken(new)):
                self._change(connection, id, name=new, folded=folded(new))
            audit.note(connection, by, "person.name", id)

    def set_role(self, id: str, role: Role, by: str = audit.AT_THE_TERMINAL) -> None:
        """Gives a person another role; the only organiser stays one."""
        if role == Role.ANYBODY:
            raise SiteError("an account has the role of guest, member or organiser")
        with self._store.writing() as connection:
            if role != Role.ORGANISER:
                refuse_last_organiser(connection, id)
            self._change(connection, id, role=str(role))
            audit.note(connection, by, "person.role", id, role=str(role))

    def set_disabled(self, id: str, is_disabled: bool, by: str = audit.AT_THE_TERMINAL) -> None:
        """Keeps a person out, who is signed out everywhere, or lets one in again.

        Bots of whoever is kept out rest until their owner has them play again.
        """
        with self._store.writing() as connection:
            if is_disabled:
                refuse_last_organiser(connection, id)
                connection.execute(sql.delete(SESSIONS).where(SESSIONS.c.person == id))
                connection.execute(sql.delete(LINKS).where(LINKS.c.person == id))
                connection.execute(sql.update(BOTS).where(BOTS.c.owner == id).values(active=0))
            self._change(connection, id, is_disabled=is_disabled)
            audit.note(connection, by, "person.disable" if is_disabled else "person.enable", id)

    def _one(self, which: sql.ColumnElement[bool]) -> Person | None:
        row = one(self._store.read(sql.select(PEOPLE).where(which)))
        return None if row is None else person_from(row)

    def _change(self, connection: Connection, id: str, **changes: Any) -> None:
        if not connection.execute(sql.update(PEOPLE).where(PEOPLE.c.id == id).values(changes)).rowcount:
            raise SiteError("there is no such person")

    def _refuse_twins(self, connection: Connection, name: str, but: str = "") -> None:
        wanted = sql.select(PEOPLE.c.name).where(PEOPLE.c.folded == folded(name), PEOPLE.c.id != but)
        if (other := connection.execute(wanted).scalar()) is not None:
            raise SiteError(taken(other))


def taken(name: str) -> str:
    """Says that there is somebody of that name."""
    return f"there is somebody called '{name}' already"


def person_from(row: Any) -> Person:
    """A person as the store has one."""
    return Person(row["id"], row["name"], Role.parse(row["role"]), row["created"], row["is_disabled"],
                  bool(row["password"]))


def refuse_last_organiser(connection: Connection, id: str) -> None:
    """A SiteError if nobody but this person could run the site; of two who leave, one waits for the other."""
    organisers = sql.select(PEOPLE.c.id).where(
        PEOPLE.c.role == str(Role.ORGANISER), ~PEOPLE.c.is_disabled).order_by(PEOPLE.c.id).with_for_update()
    there = set(connection.execute(organisers).scalars())
    role = connection.execute(sql.select(PEOPLE.c.role).where(PEOPLE.c.id == id)).scalar()
    if role == str(Role.ORGANISER) and not there - {id}:
        raise SiteError(LAST_ORGANISER)
