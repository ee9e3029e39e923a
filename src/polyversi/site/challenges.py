"""Challenges: games that people want to play, with anybody or with somebody, until others accept them."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, fields
from typing import Literal

import sqlalchemy as sql
from sqlalchemy.engine import Connection, RowMapping

from polyversi.site.ratings import begin_game
from polyversi.site.roles import Role
from polyversi.site.settings import SiteError
from polyversi.site.store import SiteStore, new_id
from polyversi.site.tables import CHALLENGES, PEOPLE
from polyversi.storage.games import Store, Transaction
from polyversi.storage.stored import StoredGame

MAX_OPEN = 10
"""Challenges of a person that wait at the same time."""
OPEN_SECONDS, DIRECT_SECONDS = 3_600.0, 7 * 86_400.0
"""How long a challenge waits for anybody, and for somebody."""
KEPT_SECONDS = 86_400.0
"""How long one is remembered that is not open any more."""
NOT_OPEN = "this challenge is not open any more: somebody was faster, or it was taken back"

Phase = Literal["open", "accepted", "declined", "withdrawn", "expired"]


class NotOpenError(SiteError):
    """A challenge that is not there, or not for whoever wants it."""


@dataclass(frozen=True)
class Wanted:
    """What somebody wants to play."""

    spec: str
    limit: str
    seats: int
    is_rated: bool
    opponent: str = ""
    """The id of the person to play with; empty for anybody."""
    is_quick: bool = False
    """Whether the next one who wants the same will do, and only while whoever wants it is here."""


@dataclass(frozen=True)
class Challenge:
    """A game that somebody wants to play."""

    id: str
    person: str
    wanted: Wanted
    joined: tuple[str, ...]
    """Who has accepted, as long as seats are free."""
    phase: Phase
    created: float
    expires: float
    game: str
    """The game that came of it, or nothing."""

    @property
    def people(self) -> tuple[str, ...]:
        """Everybody who will play, whoever made it first."""
        return (self.person, *self.joined)

    def is_for(self, person: str) -> bool:
        """Whether that person could accept it."""
        return person not in self.people and self.wanted.opponent in ("", person)


MakeGame = Callable[[Challenge, Sequence[str]], StoredGame]
"""Makes the game of a challenge for these people, in seat order."""


class Challenges:
    """All challenges of a site, and the games that come of them; any thread may use it."""

    def __init__(self, store: SiteStore, games: Store, make_game: MakeGame) -> None:
        self._store = store
        self._games = games
        self._make_game = make_game

    def listed(self, since: float) -> list[Challenge]:
        """Those that are open, and those that were declined after that time; the newest first."""
        is_news = sql.and_(CHALLENGES.c.phase == "declined", CHALLENGES.c.created > since)
        wanted = sql.select(CHALLENGES).where(sql.or_(CHALLENGES.c.phase == "open", is_news))
        return [_challenge(row) for row in self._store.read(wanted.order_by(CHALLENGES.c.created.desc()))]

    def offer(self, person: str, wanted: Wanted, now: float) -> Challenge:
        """Takes what somebody wants, or accepts what fits of another: a quick one, or any for a quick one."""
        with self._store.writing() as connection:
            own = self._open_ones(connection, CHALLENGES.c.person == person)
            if wanted.is_quick:    # somebody waits for one game at a time
                _end(connection, [one.id for one in own if one.wanted.is_quick], "withdrawn")
                own = [one for one in own if not one.wanted.is_quick]
            if wanted.opponent == person:
                raise SiteError("nobody can challenge themselves")
            if any(one.wanted == wanted for one in own):
                raise SiteError("this challenge of yours is open already")
            if len(own) >= MAX_OPEN:
                raise SiteError(f"{MAX_OPEN} challenges of yours are open, which is the limit; "
                                "take some back first")
            if fitting := self._fitting(connection, person, wanted, now):
                return self._joined(connection, fitting, person, now)
            expires = now + (DIRECT_SECONDS if wanted.opponent else OPEN_SECONDS)
            made = Challenge(new_id(), person, wanted, (), "open", now, expires, "")
            connection.execute(sql.insert(CHALLENGES).values(_row(made)))
            return made

    def accept(self, id: str, person: str, now: float) -> Challenge:
        """Accepts a challenge; with the last one who is needed its game begins."""
        with self._store.writing() as connection:
            found = self._found(connection, id)
            if not found.is_for(person) or found.expires <= now:
                raise NotOpenError(NOT_OPEN)
            return self._joined(connection, found, person, now)

    def decline(self, id: str, person: str) -> Challenge:
        """Declines a challenge that is for this person alone."""
        with self._store.writing() as connection:
            found = self._found(connection, id)
            if found.wanted.opponent != person:
                raise NotOpenError(NOT_OPEN)
            _end(connection, [id], "declined")
            return found

    def withdraw(self, id: str, person: str) -> None:
        """Takes a challenge back, also one that was declined, or the place of one who has accepted it."""
        with self._store.writing() as connection:
            found = self._found(connection, id, "open", "declined")
            if person in found.joined:
                joined = [one for one in found.joined if one != person]
                connection.execute(sql.update(CHALLENGES).where(CHALLENGES.c.id == id).values(joined=joined))
            elif person == found.person:
                _end(connection, [id], "withdrawn")
            else:
                raise NotOpenError(NOT_OPEN)

    def expire(self, now: float, gone: Sequence[str] = ()) -> int:
        """Ends what has waited for too long; how many that were.

        That includes quick ones of people who are gone, and what is of or for people who may not play now.
        """
        members = sql.select(PEOPLE.c.id).where(
            PEOPLE.c.is_disabled.is_(False), PEOPLE.c.role.in_([str(Role.MEMBER), str(Role.ORGANISER)]))
        with self._store.writing() as connection:
            late = self._open_ones(connection, sql.or_(
                CHALLENGES.c.expires <= now,
                sql.and_(CHALLENGES.c.is_quick.is_(True), CHALLENGES.c.person.in_(gone)),
                CHALLENGES.c.person.not_in(members),
                sql.and_(CHALLENGES.c.opponent != "", CHALLENGES.c.opponent.not_in(members))))
            _end(connection, [one.id for one in late], "expired")
            connection.execute(sql.delete(CHALLENGES).where(
                CHALLENGES.c.phase != "open", CHALLENGES.c.created < now - KEPT_SECONDS))
        return len(late)

    def _open_ones(self, connection: Connection, *which: sql.ColumnElement[bool]) -> list[Challenge]:
        """Those that are open, the oldest first; nobody else can change them before this is written."""
        wanted = sql.select(CHALLENGES).where(CHALLENGES.c.phase == "open", *which)
        rows = connection.execute(wanted.order_by(CHALLENGES.c.created).with_for_update()).mappings()
        return [_challenge(row) for row in rows]

    def _found(self, connection: Connection, id: str, *phases: Phase) -> Challenge:
        which = CHALLENGES.c.id == id, CHALLENGES.c.phase.in_(phases or ("open",))
        row = connection.execute(sql.select(CHALLENGES).where(*which).with_for_update()).mappings().first()
        if row is None:
            raise NotOpenError(NOT_OPEN)
        return _challenge(row)

    def _fitting(self, connection: Connection, person: str, wanted: Wanted, now: float) -> Challenge | None:
        """The oldest challenge that is the same and that one of both sides wants at once."""
        if wanted.opponent:
            return None
        same = (CHALLENGES.c.spec == wanted.spec, CHALLENGES.c.limit == wanted.limit,
                CHALLENGES.c.is_rated.is_(wanted.is_rated), CHALLENGES.c.opponent == "",
                CHALLENGES.c.expires > now)
        found = [one for one in self._open_ones(connection, *same) if one.is_for(person)]
        return next((one for one in found if wanted.is_quick or one.wanted.is_quick), None)

    def _joined(self, connection: Connection, found: Challenge, person: str, now: float) -> Challenge:
        """The challenge with one more person; the game is stored with it when nobody is missing."""
        joined, changes = (*found.joined, person), dict[str, object]()
        if len(joined) + 1 == found.wanted.seats:
            people = random.sample((found.person, *joined), found.wanted.seats)
            stored = self._make_game(found, people)
            transaction = Transaction(self._games, connection)
            transaction.add_game(stored)
            transaction.flush()
            players = [f"person:{one}" for one in people]
            begin_game(connection, stored.id, found.wanted.spec, players, now, is_rated=found.wanted.is_rated)
            if found.wanted.limit != "none":    # whoever has to play now does not wait for anybody else
                of_people = CHALLENGES.c.person.in_(people), CHALLENGES.c.opponent == ""
                others = self._open_ones(connection, *of_people, CHALLENGES.c.id != found.id)
                _end(connection, [one.id for one in others], "withdrawn")
            changes = {"phase": "accepted", "game": stored.id}
        connection.execute(sql.update(CHALLENGES).where(CHALLENGES.c.id == found.id).values(
            joined=list(joined), **changes))
        return self._found(connection, found.id, "open", "accepted")


def forget(connection: Connection, person: str) -> None:
    """Removes the challenges of and for somebody who is erased, and the places they have taken in others."""
    own = (CHALLENGES.c.person == person) | (CHALLENGES.c.opponent == person)
    connection.execute(sql.delete(CHALLENGES).where(own))
    rows = connection.execute(sql.select(CHALLENGES).where(CHALLENGES.c.seats > 2)).mappings().all()
    for found in map(_challenge, rows):
        if person in found.joined:
            joined = [one for one in found.joined if one != person]
            connection.execute(
                sql.update(CHALLENGES).where(CHALLENGES.c.id == found.id).values(joined=joined))


def _end(connection: Connection, ids: Sequence[str], phase: Phase) -> None:
    connection.execute(sql.update(CHALLENGES).where(CHALLENGES.c.id.in_(ids)).values(phase=phase))


def _row(made: Challenge) -> dict[str, object]:
    return {
        **asdict(made.wanted), "id": made.id, "person": made.person, "joined": list(made.joined),
        "phase": made.phase, "created": made.created, "expires": made.expires, "game": made.game,
    }


def _challenge(row: RowMapping) -> Challenge:
    wanted = Wanted(**{field.name: row[field.name] for field in fields(Wanted)})
    return Challenge(row["id"], row["person"], wanted, tuple(row["joined"]), row["phase"], row["created"],
                     row["expires"], row["game"])
