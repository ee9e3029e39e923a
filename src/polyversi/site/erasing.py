"""Erasing a person: what tells who somebody was goes; the games stay, as games of somebody who has left.

Ratings of others depend on these games, so they keep the id of the account, which leads to nobody any more.
"""

from __future__ import annotations

from collections.abc import Sequence

import sqlalchemy as sql
from sqlalchemy.engine import Connection

from polyversi.site import audit
from polyversi.site.bots import Bots
from polyversi.site.challenges import forget
from polyversi.site.ladder import CANCELLED
from polyversi.site.names import folded
from polyversi.site.people import People, refuse_last_organiser
from polyversi.site.roles import Person
from polyversi.site.settings import SiteError, SiteFile
from polyversi.site.store import SiteStore
from polyversi.site.tables import (
    AUDIT,
    CHECK_REQUESTS,
    LINKS,
    MATCHES,
    PEOPLE,
    PLAYED_BY,
    RATED_GAMES,
    SESSIONS,
)
from polyversi.storage.tables import EVENTS, GAMES

GONE = "somebody who left"
"""The name of whoever was erased, in games that stay."""
HAS_CANCELLED = " has cancelled it"
"""The end of reasons that earlier versions have begun with the name of whoever cancelled a match."""


def erase(file: SiteFile, store: SiteStore, person_id: str, by: str = audit.AT_THE_TERMINAL) -> None:
    """Erases a person: account, sessions, links, challenges, what bots were made of and have written.

    Bots go first and the account last: if this is interrupted, it can be done again.
    """
    person = People(store).by_id(person_id)
    if person is None:
        raise SiteError("there is no such person")
    with store.writing() as connection:    # from now on nothing new comes from them
        refuse_last_organiser(connection, person_id)
        connection.execute(sql.update(PEOPLE).where(PEOPLE.c.id == person_id).values(is_disabled=True))
    bots = Bots(file, store)
    owned = bots.of(person_id)
    for bot in owned:
        bots.delete(person, bot)
    with store.writing() as connection:
        refuse_last_organiser(connection, person_id)
        erase_names(connection, person.player)
        _erase_games_set_up(connection, person)
        forget(connection, person_id)
        named = MATCHES.c.reason.endswith(HAS_CANCELLED), MATCHES.c.reason.not_in(CANCELLED)
        connection.execute(sql.update(MATCHES).where(*named).values(reason=f"somebody{HAS_CANCELLED}"))
        for table in (SESSIONS, LINKS, CHECK_REQUESTS):
            connection.execute(sql.delete(table).where(table.c.person == person_id))
        connection.execute(sql.delete(PEOPLE).where(PEOPLE.c.id == person_id))
        connection.execute(sql.update(AUDIT).where(AUDIT.c.subject == person_id).values(detail={}))
        audit.note(connection, by, "person.delete", person_id, bots=len(owned))


def erase_names(connection: Connection, player: str) -> None:
    """The name of a player in stored games."""
    wanted = (sql.select(RATED_GAMES.c.id, RATED_GAMES.c.players)
              .join(PLAYED_BY, PLAYED_BY.c.game == RATED_GAMES.c.id).where(PLAYED_BY.c.player == player))
    for game in connection.execute(wanted).mappings().all():
        own = [at for at, one in enumerate(game["players"]) if one == player]
        stored = sql.select(GAMES.c.seats).where(GAMES.c.id == game["id"])
        if seats := connection.execute(stored).scalar():
            changed = [{**seat, "name": GONE} if at in own else seat for at, seat in enumerate(seats)]
            connection.execute(sql.update(GAMES).where(GAMES.c.id == game["id"]).values(seats=changed))
        begun = (EVENTS.c.game == game["id"]) & (EVENTS.c.kind == "start")
        if data := connection.execute(sql.select(EVENTS.c.data).where(begun)).scalar():
            players = [GONE if at in own else one for at, one in enumerate(data["players"])]
            connection.execute(sql.update(EVENTS).where(begun).values(data={**data, "players": players}))


def _erase_games_set_up(connection: Connection, person: Person) -> None:
    """The name of a person in games that they have set up, against computers or friends."""
    def named(names: Sequence[str]) -> list[str]:
        return [GONE if folded(name) == folded(person.name) else name for name in names]

    set_up = GAMES.c.seats[(0, "visitor")].as_string() == person.mark
    for id, seats in connection.execute(sql.select(GAMES.c.id, GAMES.c.seats).where(set_up)).all():
        changed = [{**seat, "name": name}
                   for seat, name in zip(seats, named([seat["name"] for seat in seats]), strict=True)]
        connection.execute(sql.update(GAMES).where(GAMES.c.id == id).values(seats=changed))
        begun = (EVENTS.c.game == id) & (EVENTS.c.kind == "start")
        if data := connection.execute(sql.select(EVENTS.c.data).where(begun)).scalar():
            connection.execute(sql.update(EVENTS).where(begun).values(
                data={**data, "players": named(data["players"])}))
