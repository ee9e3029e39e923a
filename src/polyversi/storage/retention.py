"""Retention: which games a store lets go of, and when, so that it does not grow without bound."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, Literal

from polyversi.storage.games import Store
from polyversi.storage.stored import Retention
from polyversi.storage.tables import ANALYSES, EVENTS, GAMES, REVIEWS, SERIES, STUDIES

# isort: split
import sqlalchemy as sql

Kind = Literal["people", "shown", "computers", "imports", "series"]
"""Of people with seats of their own, run elsewhere, of computers alone, uploaded, or of a series."""
KINDS: tuple[Kind, ...] = ("people", "shown", "computers", "imports", "series")
DISPOSABLE: frozenset[Kind] = frozenset({"computers", "imports", "series"})
"""What anybody can make any amount of; all other games are kept for ever."""
BATCH = 100
"""Games that are removed at a time, so that no move waits long for it."""
ROW = 64
"""Bytes that an event takes in a database besides its data, about."""
FOUND: dict[sql.Table, int] = {ANALYSES: 50_000, REVIEWS: 5_000}
"""What the engine has found and can find again, and how many rows of it are kept at most."""
SIZES = sql.func.sum(sql.func.length(sql.cast(EVENTS.c.data, sql.Text)) + ROW)
OWN_SIZE = ROW + sum((sql.func.length(sql.cast(column, sql.Text)) for column in
                     (GAMES.c.map, GAMES.c.start, GAMES.c.seats, GAMES.c.summary)), sql.literal(0))
"""The bytes of a game without its events: on a map of its own they can be most of it."""
Progress = Callable[[int], None]


@dataclass(frozen=True)
class Pruned:
    """What was removed, or would be."""

    games: int
    series: int
    bytes: int
    studies: int = 0


@dataclass(frozen=True)
class Leaving:
    """A game that retention removes at some time."""

    id: str
    kind: Kind
    ended: float
    bytes: int
    leaves: float | None
    """When it is old enough, in seconds since 1970; None where only a store that is too large lets it go."""


def kind_of(seats: Sequence[dict[str, Any]], series: str | None) -> Kind:
    """What kind of game it is, by who sits at it.

    >>> kind_of([{"kind": "human", "token": "5e55…"}, {"kind": "computer"}], None)
    'people'
    >>> kind_of([{"kind": "human", "token": ""}] * 2, None)
    'imports'
    """
    kinds = {seat["kind"] for seat in seats}
    if series:
        return "series"
    if any(seat["kind"] == "human" and seat.get("token") for seat in seats):
        return "people"
    return "shown" if "remote" in kinds else "imports" if "human" in kinds else "computers"


def size_of(store: Store) -> int:
    """The bytes that are in use; a file may be larger, with room that is used again."""
    if not store.is_sqlite:
        texts = {ANALYSES: ANALYSES.c.data, REVIEWS: REVIEWS.c.data, STUDIES: STUDIES.c.record}
        sums = [SIZES, *(sql.func.sum(sql.func.length(text) + ROW) for table, text in texts.items()
                         if store.has(table))]
        return sum(int(store.read(sql.select(size.label("size")))[0]["size"] or 0) for size in sums)
    with store.readable_errors(), store.connect() as connection:
        pages, free, size = (int(connection.exec_driver_sql(f"PRAGMA {name}").scalar_one())
                             for name in ("page_count", "freelist_count", "page_size"))
    return (pages - free) * size


def sizes(store: Store) -> dict[Kind, tuple[int, int]]:
    """How many games there are of each kind, and their bytes."""
    found = dict.fromkeys(KINDS, (0, 0))
    events = {row["game"]: int(row["size"]) for row in
              store.stream(sql.select(EVENTS.c.game, SIZES.label("size")).group_by(EVENTS.c.game))}
    own = {row["id"]: int(row["size"] or 0) for row in
           store.stream(sql.select(GAMES.c.id, OWN_SIZE.label("size")))}
    for id, kind, _ in _games(store, sql.true()):
        games, size = found[kind]
        found[kind] = games + 1, size + own.get(id, 0) + events.get(id, 0)
    return found


def prune(store: Store, retention: Retention, *, is_dry: bool = False,
          progress: Progress = lambda _: None) -> Pruned:
    """Removes what is older than it need be kept, and more if there is too much of it; oldest first.

    Games that are not over, and series that are open, stay. `progress` is told how many games are gone.
    """
    now = time.time()
    old = now - 86_400 * retention.days if retention.days else float("-inf")
    candidates = [(id, ended) for id, _, ended in _candidates(store)]
    limit = 1e6 * retention.megabytes
    found = _prune_found(store, old, is_too_large=0 < limit < size_of(store), is_dry=is_dry)
    excess = _excess(store, [id for id, _ in candidates], limit)
    games = freed = 0
    for first in range(0, len(candidates), BATCH):
        batch = candidates[first:first + BATCH]
        weights = _weights(store, [id for id, _ in batch])
        chosen = []
        for id, ended in batch:
            if ended >= old and freed >= excess:
                break
            chosen.append(id)
            freed += weights.get(id, 0)
        if chosen and not is_dry:
            with store.writing() as connection:
                connection.execute(sql.delete(EVENTS).where(EVENTS.c.game.in_(chosen)))
                connection.execute(sql.delete(GAMES).where(GAMES.c.id.in_(chosen)))
        games += len(chosen)
        progress(games)
        if len(chosen) < len(batch):
            break
    studies = _prune_studies(store, old, is_dry=is_dry)
    return Pruned(games, _prune_series(store, old, is_dry=is_dry), found + freed, studies)


def _excess(store: Store, games: Sequence[str], limit: float) -> float:
    """By how many bytes there is too much of these games; without a limit, or in a small store, nothing is.

    What is kept for ever does not count: however much there is of it, the newest of the others stay.
    """
    if not limit or size_of(store) <= limit:    # which is known sooner
        return 0.0
    batches = (games[first:first + BATCH] for first in range(0, len(games), BATCH))
    return sum(sum(_weights(store, batch).values()) for batch in batches) - limit


def next_to_go(store: Store, retention: Retention, count: int = 10) -> list[Leaving]:
    """The games that are removed first, in that order."""
    first = list(islice(_candidates(store), count))
    weights = _weights(store, [id for id, _, _ in first])
    return [Leaving(id, kind, ended, weights.get(id, 0),
                    ended + 86_400 * retention.days if retention.days else None) for id, kind, ended in first]


def _candidates(store: Store) -> Iterator[tuple[str, Kind, float]]:
    """The games that may be removed, the oldest first: over, of no series that is open, and not of people."""
    is_open = sql.select(SERIES.c.id).where(SERIES.c.is_open)
    is_loose = sql.or_(GAMES.c.series.is_(None), GAMES.c.series.not_in(is_open))
    games = _games(store, sql.and_(GAMES.c.phase == "over", is_loose))
    return (game for game in games if game[1] in DISPOSABLE)


def _prune_series(store: Store, old: float, *, is_dry: bool) -> int:
    """Removes series that are done and have no games any more, or will not have."""
    left = sql.or_(GAMES.c.phase != "over", GAMES.c.ended >= old) if is_dry else sql.true()
    played = sql.select(GAMES.c.series).where(GAMES.c.series == SERIES.c.id, left).exists()
    done = sql.and_(sql.not_(SERIES.c.is_open), SERIES.c.created < old, sql.not_(played))
    if is_dry:
        return len(store.read(sql.select(SERIES.c.id).where(done)))
    with store.writing() as connection:
        return connection.execute(sql.delete(SERIES).where(done)).rowcount


def _prune_studies(store: Store, old: float, *, is_dry: bool) -> int:
    """Removes the studies that nobody has changed for so long."""
    if not store.has(STUDIES):
        return 0
    if is_dry:
        return len(store.read(sql.select(STUDIES.c.id).where(STUDIES.c.updated < old)))
    with store.writing() as connection:
        return connection.execute(sql.delete(STUDIES).where(STUDIES.c.updated < old)).rowcount


def _prune_found(store: Store, old: float, *, is_too_large: bool, is_dry: bool) -> int:
    """Removes analyses and reviews that are old or too many, of a store that is too large half; its bytes."""
    freed = 0
    for table, most in FOUND.items():
        if not store.has(table):
            continue
        count = int(store.read(sql.select(sql.func.count().label("rows")).select_from(table))[0]["rows"])
        kept = min(most, count // 2 if is_too_large else count)
        newest = sql.select(table.c.updated).order_by(table.c.updated.desc()).offset(kept).limit(1)
        row = store.read(newest)
        goes = sql.or_(table.c.updated < old, table.c.updated <= (row[0]["updated"] if row else -1.0))
        size = sql.func.sum(sql.func.length(table.c.data) + ROW).label("size")
        freed += int(store.read(sql.select(size).where(goes))[0]["size"] or 0)
        if not is_dry:
            with store.writing() as connection:
                connection.execute(sql.delete(table).where(goes))
    return freed


def _games(store: Store, which: sql.ColumnElement[bool]) -> Iterator[tuple[str, Kind, float]]:
    """The games, those that ended first come first; a damaged one counts as one of people, and is kept."""
    seats = sql.cast(GAMES.c.seats, sql.Text).label("who")
    wanted = sql.select(GAMES.c.id, seats, GAMES.c.series, GAMES.c.ended).where(which)
    for row in store.stream(wanted.order_by(GAMES.c.ended, GAMES.c.id)):
        try:
            kind = kind_of(json.loads(row["who"]), row["series"])
        except (AttributeError, KeyError, TypeError, ValueError):
            kind = "people"
        yield row["id"], kind, row["ended"] or 0.0


def _weights(store: Store, games: Sequence[str]) -> dict[str, int]:
    """The bytes of games, with their events."""
    own = store.read(sql.select(GAMES.c.id, OWN_SIZE.label("size")).where(GAMES.c.id.in_(games)))
    found = {row["id"]: int(row["size"] or 0) for row in own}    # nothing is known of a damaged one
    wanted = sql.select(EVENTS.c.game, SIZES.label("size")).where(EVENTS.c.game.in_(games))
    for row in store.read(wanted.group_by(EVENTS.c.game)):
        found[row["game"]] = found.get(row["game"], 0) + int(row["size"])
    return found


def table(store: Store) -> str:
    """The sizes of a store for people."""
    lines = [f"{kind:<10}{games:>10,} games {size / 1e6:>12,.1f} MB"
             for kind, (games, size) in sizes(store).items()]
    return "\n".join([*lines, f"in use{size_of(store) / 1e6:>33,.1f} MB"])
