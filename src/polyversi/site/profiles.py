"""Profiles: what a site tells about a person, or about a bot, as a player."""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass

import sqlalchemy as sql

from polyversi.site.ratings import (
    PlayerRating,
    RatedGame,
    Step,
    changes_by,
    game_of,
    games_of,
    ratings_among,
    ratings_of,
    steps_of,
)
from polyversi.site.store import SiteStore
from polyversi.site.tables import BOTS, PEOPLE
from polyversi.stats.glicko import UNKNOWN, Strength


@dataclass(frozen=True)
class Rated:
    """A rating of a player in a pool as it is now, and how it came about."""

    rating: PlayerRating
    now: Strength
    steps: list[Step]


def ratings_now(store: SiteStore, player: str) -> list[Rated]:
    """The ratings of a player in all pools, the most played first."""
    now = time.time()
    return [Rated(rating, rating.at(now), steps_of(store, rating.pool, player))
            for rating in ratings_of(store, player)]


def games_with_names(store: SiteStore, player: str,
                     before: float | None = None) -> list[tuple[RatedGame, list[str]]]:
    """Games of a player, the newest first, with the names of those who played; empty for whoever is gone."""
    games = games_of(store, player, before)
    names = names_of(store, (one for game in games for one in game.players))
    return [(game, [names.get(one, "") for one in game.players]) for game in games]


def names_of(store: SiteStore, players: Iterable[str]) -> dict[str, str]:
    """What players are called, by `person:ID` and `bot:ID`; whoever is gone is left out."""
    kinds: dict[str, set[str]] = {"person": set(), "bot": set()}
    for player in players:
        kind, _, id = player.partition(":")
        kinds.setdefault(kind, set()).add(id)
    found: dict[str, str] = {}
    for kind, table in (("person", PEOPLE), ("bot", BOTS)):
        wanted = sql.select(table.c.id, table.c.name).where(table.c.id.in_(sorted(kinds[kind])))
        found |= {f"{kind}:{row['id']}": str(row["name"]) for row in store.read(wanted)}
    return found


def ratings_at(store: SiteStore, id: str) -> list[dict[str, float | None]]:
    """The ratings of those at a rated game, in seat order, with what it changed once it has counted."""
    game = game_of(store, id)
    if game is None or not game.is_rated:
        return []
    changes, known, now = changes_by(store, game), ratings_among(store, game.players), time.time()
    told: list[dict[str, float | None]] = []
    for player in game.players:
        if player in changes:
            before, step = changes[player]
            strength, change = Strength(step.rating, step.deviation), step.rating - before
            told.append({"rating": strength.rating, "error": strength.error, "change": change})
        else:
            rating = known.get((game.pool, player))
            strength = rating.at(now) if rating else UNKNOWN
            told.append({"rating": strength.rating, "error": strength.error, "change": None})
    return told
