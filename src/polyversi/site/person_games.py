"""Games of people on the page: counted when they are over, and followed by their rematches."""

from __future__ import annotations

import time
from collections.abc import Collection
from dataclasses import dataclass, replace

import sqlalchemy as sql
from sqlalchemy.engine import Connection

from polyversi.site.ratings import begin_game, break_off, record_game, running_games
from polyversi.site.settings import SiteError
from polyversi.site.store import SiteStore
from polyversi.site.tables import PEOPLE, RATED_GAMES
from polyversi.storage.games import Store
from polyversi.storage.stored import StoredGame


def settle(store: SiteStore, games: Store, ids: Collection[str] | None = None,
           going_on: Collection[str] = ()) -> list[str]:
    """Counts the games of people that are over and have not counted yet, all or those; gives their ids.

    Those that are known to go on need not be looked at.
    Whatever ends the server between the end of a game and this, the game counts when it starts again.
    """
    settled = []
    for game in running_games(store):
        if game.id in going_on or (ids is not None and game.id not in ids):
            continue
        found = games.game(game.id)
        if found is not None and found.phase != "over":
            continue
        ended = (found.ended if found else None) or time.time()
        ranks = _ranks(found) if found else []
        with store.writing() as connection:
            if ranks:
                record_game(connection, game.id, game.pool, game.players, ranks, ended)
            else:
                break_off(connection, game.id, ended)
        settled.append(game.id)
    return settled


def _ranks(stored: StoredGame) -> list[int]:
    """How a game ended for its seats; nothing for one that was broken off."""
    result = stored.summary.result
    return [] if result is None or result.is_aborted else list(result.ranks)


def follow(connection: Connection, before: str, rematch: StoredGame) -> StoredGame:
    """Notes the rematch of a game of people, in which everybody has moved on by a seat.

    It is the rematch with their names as they are now; a SiteError if somebody is not there any more.
    """
    found = connection.execute(sql.select(RATED_GAMES).where(RATED_GAMES.c.id == before)).mappings().first()
    if found is None:
        return rematch
    players = found["players"][1:] + found["players"][:1]
    wanted = sql.select(PEOPLE.c.id, PEOPLE.c.name).where(
        PEOPLE.c.id.in_([_person(player) for player in players]), ~PEOPLE.c.is_disabled)
    names = {row.id: row.name for row in connection.execute(wanted)}
    if len(names) < len(set(players)):
        raise SiteError("there is no rematch: somebody who played is not at this site any more")
    begin_game(connection, rematch.id, found["pool"], players, rematch.created,
               is_rated=found["is_rated"], first=found["first"])
    seats = zip(rematch.seats, players, strict=True)
    return replace(rematch, seats=tuple(replace(seat, name=names[_person(player)]) for seat, player in seats))


@dataclass(frozen=True)
class LostSeat:
    """The seat of somebody who may not play on."""

    game: str
    number: int
    player: str
    was_erased: bool
    """Whether there is no such person any more; otherwise organisers keep them out."""


def lost_seats(store: SiteStore) -> list[LostSeat]:
    """The seats of people who were kept out or erased in games that are not over."""
    games = running_games(store)
    players = {_person(player) for game in games for player in game.players}
    wanted = sql.select(PEOPLE.c.id, PEOPLE.c.is_disabled).where(PEOPLE.c.id.in_(sorted(players)))
    people = {row["id"]: row["is_disabled"] for row in store.read(wanted)} if players else {}
    return [LostSeat(game.id, number, player, _person(player) not in people)
            for game in games for number, player in enumerate(game.players, 1)
            if people.get(_person(player), True)]


def _person(player: str) -> str:
    return player.removeprefix("person:")
