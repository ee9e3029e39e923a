"""Games of people on the page: counted when they are over, and followed by their rematches."""

from __future__ import annotations

import time
from collections.abc import Collection

import sqlalchemy as sql
from sqlalchemy.engine import Connection

from polyversi.site.ratings import begin_game, break_off, record_game, running_games
from polyversi.site.store import SiteStore
from polyversi.site.tables import RATED_GAMES
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


def follow(connection: Connection, before: str, rematch: StoredGame) -> None:
    """Notes the rematch of a game of people, in which everybody has moved on by a seat."""
    found = connection.execute(sql.select(RATED_GAMES).where(RATED_GAMES.c.id == before)).mappings().first()
    if found is not None:
        players = found["players"][1:] + found["players"][:1]
        begin_game(connection, rematch.id, found["pool"], players, rematch.created,
                   is_rated=found["is_rated"], first=found["first"])
