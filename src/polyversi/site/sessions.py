"""Signing in: by name and password or by a link, and the sessions that follow."""

from __future__ import annotations

import hashlib
import secrets
import time
from contextlib import suppress
from dataclasses import dataclass

import sqlalchemy as sql
from sqlalchemy.engine import Connection

from polyversi.site import audit, passwords
from polyversi.site.names import folded
from polyversi.site.people import person_from
from polyversi.site.roles import Person
from polyversi.site.settings import SiteError, SiteSettings
from polyversi.site.store import SiteStore, one
from polyversi.site.tables import LINKS, PEOPLE, SESSIONS
from polyversi.storage.errors import StoreError

DAY = 86_400.0
MAX_SESSIONS = 20
"""Sessions of a person; the one that was used least recently ends for another."""
SEEN_EVERY = 3_600.0
"""Seconds after which it is written down again that a session is used."""
INVITATION, RESET = "invitation", "reset"
"""Kinds of links: to come in, which leaves the password as it is, and to choose another password."""
WRONG = ("the name or the password is wrong; an organiser can make a link with which to choose another "
         "password")
USED = "this link was used already or is out of date; ask an organiser for another one"


@dataclass(frozen=True)
class Link:
    """What a link is for."""

    kind: str
    person: Person
    expires: float


class Sessions:
    """The links and sessions of a site; any thread may use it.

    Only hashes of their tokens are stored: who reads the store, or a backup of it, cannot come in with it.
    """

    def __init__(self, store: SiteStore, settings: SiteSettings) -> None:
        self._store = store
        self._settings = settings

    def person_of(self, token: str) -> Person | None:
        """Who has this session; None if it is unknown, over, or of somebody who may not come in any more."""
        now, key = time.time(), hashed(token)
        row = one(self._store.read(
            sql.select(PEOPLE, SESSIONS.c.seen).join(SESSIONS, SESSIONS.c.person == PEOPLE.c.id)
            .where(SESSIONS.c.token == key, SESSIONS.c.expires > now, ~PEOPLE.c.is_disabled)))
        if row is None:
            return None
        if row["seen"] < now - SEEN_EVERY:
            with suppress(StoreError), self._store.writing() as connection:    # a full disk keeps nobody out
                connection.execute(sql.update(SESSIONS).where(SESSIONS.c.token == key).values(
                    seen=now, expires=now + DAY * self._settings.session_days))
        return person_from(row)

    def start(self, person_id: str) -> str:
        """Begins a session of a person; its token."""
        with self._store.writing() as connection:
            return self._start(connection, person_id)

    def end(self, token: str) -> None:
        """Ends a session."""
        with self._store.writing() as connection:
            connection.execute(sql.delete(SESSIONS).where(SESSIONS.c.token == hashed(token)))

    def end_others(self, person_id: str, token: str) -> int:
        """Ends all sessions of a person but the one with this token; how many those were."""
        with self._store.writing() as connection:
            return connection.execute(sql.delete(SESSIONS).where(
                SESSIONS.c.person == person_id, SESSIONS.c.token != hashed(token))).rowcount

    def sign_in(self, name: str, password: str) -> tuple[Person, str]:
        """The person of that name and password, and the token of a new session; a SiteError otherwise.

        It says the same, and takes the same time, whether there is nobody of that name, or with another
        password, or with none.
        """
        row = one(self._store.read(sql.select(PEOPLE).where(PEOPLE.c.folded == folded(name))))
        kept = row["password"] if row is not None and not row["is_disabled"] else ""
        if not passwords.matches(password, kept):
            raise SiteError(WRONG)
        person = person_from(row)
        if passwords.needs_another_hash(kept):
            self._set_password(person, password)
        return person, self.start(person.id)

    def change_password(self, person: Person, old: str, new: str, token: str) -> None:
        """Gives a person who knows the old password, or had none, another one; other sessions end."""
        row = one(self._store.read(sql.select(PEOPLE.c.password).where(PEOPLE.c.id == person.id)))
        if row is None or (row["password"] and not passwords.matches(old, row["password"])):
            raise SiteError("the old password is wrong")
        self._set_password(person, new)
        self.end_others(person.id, token)

    def make_link(self, person_id: str, by: str = audit.AT_THE_TERMINAL) -> str:
        """A link for a person in place of those before: its token.

        It is an invitation for whoever has no password yet, and otherwise for choosing another password.
        """
        return self.make_links([person_id], by)[0]

    def make_links(self, person_ids: list[str], by: str = audit.AT_THE_TERMINAL) -> list[str]:
        """A link for each of these people in place of those before: their tokens."""
        now, tokens = time.time(), []
        with self._store.writing() as connection:
            for id in person_ids:
                person = connection.execute(sql.select(PEOPLE).where(PEOPLE.c.id == id)).mappings().first()
                if person is None:
                    raise SiteError("there is no such person")
                if person["is_disabled"]:
                    raise SiteError(f"'{person['name']}' is kept out; let them in again first")
                token = new_token()
                connection.execute(sql.delete(LINKS).where(LINKS.c.person == id))
                connection.execute(sql.insert(LINKS).values(
                    token=hashed(token), kind=RESET if person["password"] else INVITATION, person=id,
                    made_by=by, created=now, expires=now + DAY * self._settings.link_days, used=None))
                audit.note(connection, by, "person.link", id)
                tokens.append(token)
        return tokens

    def link(self, token: str) -> Link:
        """What a link is for; a SiteError if it cannot be used."""
        row = one(self._store.read(
            sql.select(PEOPLE, LINKS.c.kind, LINKS.c.expires).join(LINKS, LINKS.c.person == PEOPLE.c.id)
            .where(LINKS.c.token == hashed(token), LINKS.c.used.is_(None), LINKS.c.expires > time.time(),
                   ~PEOPLE.c.is_disabled)))
        if row is None:
            raise SiteError(USED)
        return Link(row["kind"], person_from(row), row["expires"])

    def use_link(self, token: str, password: str = "") -> tuple[Person, str]:
        """Signs a person in by a link, which is of no use afterwards: the person and the new session's token.

        A password is kept, with which to come again. Sessions before end: somebody else may have begun them,
        with a link that was stolen.
        """
        link = self.link(token)
        if link.kind == RESET and not password:
            raise SiteError("choose a password")
        kept = passwords.hash_of(password, link.person.name) if password else ""
        with self._store.writing() as connection:
            used = sql.update(LINKS).where(LINKS.c.token == hashed(token), LINKS.c.used.is_(None))
            if not connection.execute(used.values(used=time.time())).rowcount:
                raise SiteError(USED)    # by another window, just now
            if kept:
                connection.execute(
                    sql.update(PEOPLE).where(PEOPLE.c.id == link.person.id).values(password=kept))
            connection.execute(sql.delete(SESSIONS).where(SESSIONS.c.person == link.person.id))
            return link.person, self._start(connection, link.person.id)

    def sweep(self) -> None:
        """Forgets sessions and links that are over."""
        now = time.time()
        with self._store.writing() as connection:
            connection.execute(sql.delete(SESSIONS).where(SESSIONS.c.expires < now))
            connection.execute(sql.delete(LINKS).where(LINKS.c.expires < now))

    def _start(self, connection: Connection, person_id: str) -> str:
        now, token = time.time(), new_token()
        kept = (sql.select(SESSIONS.c.token).where(SESSIONS.c.person == person_id)
                .order_by(SESSIONS.c.seen.desc()).limit(MAX_SESSIONS - 1))
        connection.execute(sql.delete(SESSIONS).where(
            SESSIONS.c.person == person_id, SESSIONS.c.token.not_in(kept)))
        connection.execute(sql.insert(SESSIONS).values(
            token=hashed(token), person=person_id, created=now, seen=now,
            expires=now + DAY * self._settings.session_days))
        return token

    def _set_password(self, person: Person, password: str) -> None:
        kept = passwords.hash_of(password, person.name)
        with self._store.writing() as connection:
            connection.execute(sql.update(PEOPLE).where(PEOPLE.c.id == person.id).values(password=kept))


def new_token() -> str:
    """A token: 192 random bits."""
    return secrets.token_urlsafe(24)


def hashed(token: str) -> str:
    """What is stored of a token, from which nobody can get it back."""
    return hashlib.sha256(token.encode(errors="replace")).hexdigest()
