"""Ratings of people and bots: what each game did to them, kept together with the game.

Ratings are kept by pools whose members meet each other: the spec of a variant for people, `ladder:ID` for
bots. They are Glicko-2's (`stats/glicko.py`); docs/benchmarks.md says why.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import sqlalchemy as sql
from sqlalchemy.engine import Connection, RowMapping

from polyversi.site.store import SiteStore
from polyversi.site.tables import PLAYED_BY, RATED_GAMES, RATING_STEPS, RATINGS
from polyversi.stats.glicko import UNKNOWN, Strength, aged, rated, renewed

MAX_STEPS = 1000
"""Steps of a rating that a graph shows, the newest ones."""
MAX_GAMES = 50
"""Games of a list."""
RATING_LOCK = 7_022_601_500
"""The first of the numbers of PostgreSQL's locks for pools."""


@dataclass(frozen=True)
class PlayerRating:
    """What is known of how strong somebody is in a pool.

    >>> new = PlayerRating("othello", "person:ann")
    >>> str(new.at(0.0)), new.games
    ('1500 ± 686', 0)
    """

    pool: str
    player: str
    strength: Strength = UNKNOWN
    games: int = 0
    version: int = 0
    """Of a bot, when it last played; 0 for people."""
    updated: float | None = None
    """When the last game ended that counts, in seconds since 1970."""

    def at(self, now: float, version: int | None = None) -> Strength:
        """What is known at that time; less and less of those who do not play, and less of a new version."""
        known = self.strength
        if version is not None and self.games and version != self.version:
            known = renewed(known)
        return aged(known, now - self.updated) if self.updated is not None else known


@dataclass(frozen=True)
class Step:
    """What a rating was after a game."""

    game: str
    time: float
    rating: float
    deviation: float


@dataclass(frozen=True)
class RatedGame:
    """A game of people or bots; without ranks it goes on, or was broken off."""

    id: str
    pool: str
    players: tuple[str, ...]
    is_rated: bool
    created: float
    ranks: tuple[int, ...]
    ended: float | None
    first: str
    """The game that a row of rematches began with; itself if it is no rematch."""


def begin_game(connection: Connection, game: str, pool: str, players: Sequence[str], created: float, *,
               is_rated: bool, versions: Sequence[int] = (), first: str = "") -> None:
    """Notes a game that these play, in seat order; nobody is rated by playing with themselves.

    `first` is the game of which it is a rematch, or a rematch of a rematch.
    """
    connection.execute(sql.insert(RATED_GAMES).values(
        id=game, pool=pool, players=list(players), versions=list(versions) or [0] * len(players),
        is_rated=is_rated and len(set(players)) == len(players) > 1, created=created, first=first or game,
    ))
    connection.execute(sql.insert(PLAYED_BY), [{"player": player, "game": game} for player in set(players)])


def record_game(connection: Connection, game: str, pool: str, players: Sequence[str], ranks: Sequence[int],
                ended: float, versions: Sequence[int] = ()) -> bool:
    """Counts a game that is over, within the transaction that stores it; False if it has counted before.

    A game that nobody has begun here is rated. `versions` are those of bots: of a new one less is known.
    """
    _lock(connection, pool)
    found = connection.execute(sql.select(RATED_GAMES).where(RATED_GAMES.c.id == game)).mappings().first()
    if found is None:
        begin_game(connection, game, pool, players, ended, is_rated=True, versions=versions)
        found = connection.execute(sql.select(RATED_GAMES).where(RATED_GAMES.c.id == game)).mappings().one()
    if found["ended"] is not None:
        return False
    number = None
    if found["is_rated"]:
        last = sql.select(sql.func.max(RATED_GAMES.c.number)).where(RATED_GAMES.c.pool == pool)
        number = (connection.execute(last).scalar() or 0) + 1
        versions = found["versions"]
        before = _read(connection, pool, found["players"])
        for after in _rated(before, ranks, versions, ended):
            _keep(connection, after, game)
    connection.execute(sql.update(RATED_GAMES).where(RATED_GAMES.c.id == game).values(
        ranks=list(ranks), ended=ended, number=number))
    return True


def break_off(connection: Connection, game: str, ended: float) -> None:
    """Notes that a game has ended without a result."""
    connection.execute(sql.update(RATED_GAMES).where(
        RATED_GAMES.c.id == game, RATED_GAMES.c.ended.is_(None)).values(ended=ended))


def recompute(store: SiteStore, pool: str) -> dict[str, PlayerRating]:
    """The ratings of a pool from its games alone: exactly those that are kept."""
    ratings: dict[str, PlayerRating] = {}
    counted = RATED_GAMES.c.pool == pool, RATED_GAMES.c.number.is_not(None)
    for row in store.stream(sql.select(RATED_GAMES).where(*counted).order_by(RATED_GAMES.c.number)):
        before = [ratings.get(player) or PlayerRating(pool, player) for player in row["players"]]
        after = _rated(before, row["ranks"], row["versions"], row["ended"])
        ratings |= {rating.player: rating for rating in after}
    return ratings


def ranking(store: SiteStore, pool: str) -> list[PlayerRating]:
    """Everybody who has a rating in a pool, the strongest first."""
    wanted = sql.select(RATINGS).where(RATINGS.c.pool == pool)
    return [_rating(row) for row in store.read(wanted.order_by(RATINGS.c.rating.desc(), RATINGS.c.player))]


def pools_of_people(store: SiteStore) -> dict[str, int]:
    """The pools in which people have ratings, the most played first, and how many have one."""
    count = sql.func.count().label("people")
    wanted = sql.select(RATINGS.c.pool, count).where(RATINGS.c.player.startswith("person:"))
    played = sql.func.sum(RATINGS.c.games).desc()
    rows = store.read(wanted.group_by(RATINGS.c.pool).order_by(played, RATINGS.c.pool))
    return {row["pool"]: row["people"] for row in rows}


def ratings_of(store: SiteStore, player: str) -> list[PlayerRating]:
    """The ratings of somebody in all pools, the most played first."""
    wanted = sql.select(RATINGS).where(RATINGS.c.player == player)
    return [_rating(row) for row in store.read(wanted.order_by(RATINGS.c.games.desc(), RATINGS.c.pool))]


def ratings_among(store: SiteStore, players: Iterable[str]) -> dict[tuple[str, str], PlayerRating]:
    """The ratings of several players, by pool and player."""
    rows = store.read(sql.select(RATINGS).where(RATINGS.c.player.in_(sorted(set(players)))))
    return {(row["pool"], row["player"]): _rating(row) for row in rows}


def steps_of(store: SiteStore, pool: str, player: str, most: int = MAX_STEPS) -> list[Step]:
    """How a rating came about, the newest step last."""
    of = RATING_STEPS.c.pool == pool, RATING_STEPS.c.player == player
    joined = RATING_STEPS.join(RATED_GAMES, RATED_GAMES.c.id == RATING_STEPS.c.game)
    wanted = sql.select(RATING_STEPS).select_from(joined).where(*of)
    rows = store.read(wanted.order_by(RATED_GAMES.c.number.desc()).limit(most))
    return [_step(row) for row in reversed(rows)]


def changes_by(store: SiteStore, game: RatedGame) -> dict[str, tuple[float, Step]]:
    """What a game that counts did to its players: the rating of each before it, and the step it was."""
    number = sql.select(RATED_GAMES.c.number).where(RATED_GAMES.c.id == game.id).scalar_subquery()
    joined = RATING_STEPS.join(RATED_GAMES, RATED_GAMES.c.id == RATING_STEPS.c.game)
    changes = {}
    for player in game.players:
        of = RATING_STEPS.c.player == player, RATING_STEPS.c.pool == game.pool, RATED_GAMES.c.number <= number
        wanted = sql.select(RATING_STEPS).select_from(joined).where(*of)
        rows = store.read(wanted.order_by(RATED_GAMES.c.number.desc()).limit(2))
        if rows and rows[0]["game"] == game.id:
            before = rows[1]["rating"] if len(rows) > 1 else UNKNOWN.rating
            changes[player] = (before, _step(rows[0]))
    return changes


def game_of(store: SiteStore, game: str) -> RatedGame | None:
    """The game of that id, if people or bots of the site play it."""
    return next(_games(store.read(sql.select(RATED_GAMES).where(RATED_GAMES.c.id == game))), None)


def games_of(store: SiteStore, player: str, before: float | None = None,
             most: int = MAX_GAMES) -> list[RatedGame]:
    """The games of somebody, the newest first: those that began before that time."""
    joined = PLAYED_BY.join(RATED_GAMES, RATED_GAMES.c.id == PLAYED_BY.c.game)
    wanted = sql.select(RATED_GAMES).select_from(joined).where(PLAYED_BY.c.player == player)
    if before is not None:
        wanted = wanted.where(RATED_GAMES.c.created < before)
    newest = RATED_GAMES.c.created.desc(), RATED_GAMES.c.id
    return list(_games(store.read(wanted.order_by(*newest).limit(most))))


def running_games(store: SiteStore) -> list[RatedGame]:
    """The games of people that nobody knows the end of yet."""
    wanted = sql.select(RATED_GAMES).where(RATED_GAMES.c.ended.is_(None)).order_by(RATED_GAMES.c.created)
    return [game for game in _games(store.read(wanted))
            if all(player.startswith("person:") for player in game.players)]


def _lock(connection: Connection, pool: str) -> None:
    """Makes whoever counts another game of the pool wait; SQLite has one writer at a time anyway."""
    if connection.dialect.name == "postgresql":
        number = RATING_LOCK + zlib.crc32(pool.encode())
        connection.execute(sql.select(sql.func.pg_advisory_xact_lock(number)))


def _read(connection: Connection, pool: str, players: Sequence[str]) -> list[PlayerRating]:
    """The ratings of these, in their order."""
    wanted = sql.select(RATINGS).where(RATINGS.c.pool == pool, RATINGS.c.player.in_(players))
    known = {row["player"]: _rating(row) for row in connection.execute(wanted).mappings()}
    return [known.get(player) or PlayerRating(pool, player) for player in players]


def _rated(before: Sequence[PlayerRating], ranks: Sequence[int], versions: Sequence[int],
           ended: float) -> list[PlayerRating]:
    """The ratings of all who played a game, after it."""
    strengths = [rating.at(ended, version) for rating, version in zip(before, versions, strict=True)]
    return [
        replace(rating, strength=strength, games=rating.games + 1, version=version,
                updated=max(ended, rating.updated or ended))
        for rating, strength, version in zip(before, rated(strengths, ranks), versions, strict=True)
    ]


def _keep(connection: Connection, after: PlayerRating, game: str) -> None:
    assert after.updated is not None
    strength, key = after.strength, {"pool": after.pool, "player": after.player}
    values = {"rating": strength.rating, "deviation": strength.deviation, "volatility": strength.volatility,
              "games": after.games, "version": after.version, "updated": after.updated}
    if after.games == 1:
        connection.execute(sql.insert(RATINGS).values(**key, **values))
    else:
        own = RATINGS.c.pool == after.pool, RATINGS.c.player == after.player
        connection.execute(sql.update(RATINGS).where(*own).values(values))
    connection.execute(sql.insert(RATING_STEPS).values(
        **key, game=game, rating=strength.rating, deviation=strength.deviation, time=after.updated))


def _step(row: RowMapping) -> Step:
    return Step(row["game"], row["time"], row["rating"], row["deviation"])


def _rating(row: RowMapping) -> PlayerRating:
    strength = Strength(row["rating"], row["deviation"], row["volatility"])
    return PlayerRating(row["pool"], row["player"], strength, row["games"], row["version"], row["updated"])


def _games(rows: Iterable[RowMapping]) -> Iterator[RatedGame]:
    for row in rows:
        yield RatedGame(row["id"], row["pool"], tuple(row["players"]), row["is_rated"], row["created"],
                         tuple(row["ranks"] or ()), row["ended"], row["first"])
