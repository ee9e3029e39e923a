"""The store: games, their events and the series they belong to, in SQLite or PostgreSQL."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Generator, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple, TypeVar

import msgspec

from polyversi.gameplay.events import Event, compact, event_data, read_event
from polyversi.storage.database import Database, encode
from polyversi.storage.errors import DamagedError, StoreError, StoreUnavailableError
from polyversi.storage.stored import Retention, StoredGame, StoredSeat, StoredSeries, StoredStudy
from polyversi.storage.tables import (
    ANALYSES,
    EVENTS,
    GAMES,
    REVIEWS,
    SCHEMA,
    SERIES,
    STUDIES,
    TABLES,
    WRITERS,
)

# isort: split
import sqlalchemy as sql
from sqlalchemy import exc
from sqlalchemy.engine import Connection, Engine, RowMapping

__all__ = [
    "Chosen", "DamagedError", "PageCursor", "Store", "StoreError", "StoreUnavailableError", "StoredGame",
    "StoredSeat", "StoredSeries", "Transaction",
]

MAX_LOOKED_AT = 20_000
"""Games that one list of those that are over goes through; then it says where to go on."""
SERVER_LOCK = 7_022_601_385
"""Whoever holds this lock of PostgreSQL goes on with the games; any number that nobody else takes."""

T = TypeVar("T")

class PageCursor(NamedTuple):
    """Where a list of games that are over goes on: after this one."""

    ended: float
    id: str


@dataclass(frozen=True)
class Chosen:
    """Which games that are over are wanted."""

    fits: Callable[[str], bool] = lambda _: True
    """Whether the specification of a game is one that is looked for."""
    with_people: bool | None = None
    """With a person at a seat, with none, or any."""
    without: frozenset[str] = frozenset()
    """Series whose games are left out."""
    after: PageCursor | None = None


class Store(Database):
    """Games on a disk or a database server; any thread may use it.

    >>> import tempfile
    >>> from polyversi.gameplay.events import StartEvent
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     store = Store.open(f"{folder}/games.db")
    ...     with store.transaction() as write:
    ...         write.add_game(StoredGame("g1", "othello", "", "", (), (), created=1.0))
    ...         write.append("g1", StartEvent(0, "othello", "…", ("Ann", "Bob"), ("none", "none")))
    ...     print(len(store.running()), store.events("g1")[0].kind)
    ...     store.close()
    1 start
    """

    tables, schema, version, shares_file = TABLES, SCHEMA, 2, True
    older = (1,)    # where every event had its position

    def __init__(self, engine: Engine, name: str) -> None:
        super().__init__(engine, name)
        self.retention: Retention | None = None
        """What a server lets go of; None keeps everything."""
        self.damaged: dict[str, str] = {}
        """Games and series that were found damaged, by their ids, and how; lists leave them out."""
        self.on_over: list[Callable[[Collection[str]], None]] = []
        """Told of games that are over, by their ids, when that is on disk; in the thread that wrote it."""

    def reserved(self) -> AbstractContextManager[object]:
        """Within this no other program can reserve the store: two that go on with its games would clash."""
        return self.locked(
            SERVER_LOCK, f"another Polyversi server uses {self.name}; stop that one, or use another store"
        )

    @contextmanager
    def transaction(self) -> Iterator[Transaction]:
        """Writes that are kept together or not at all; on disk when this is left without an error."""
        with self.writing() as connection:
            transaction = Transaction(self, connection)
            yield transaction
            transaction.flush()
        if transaction.over:
            for tell in self.on_over:
                tell(transaction.over)

    def game(self, id: str) -> StoredGame | None:
        """The game with that id, or None; a DamagedError if it cannot be read."""
        self.damaged.pop(id, None)    # it may have been mended
        games = self._games(sql.select(GAMES).where(GAMES.c.id == id))
        if id in self.damaged:
            raise DamagedError(f"the game {id} in {self.name} is damaged: {self.damaged[id]}")
        return games[0] if games else None

    def events(self, id: str, since: int = 0) -> list[Event]:
        """The events of a game, from that number on, most of them without positions."""
        return list(self.each_event(id, since))

    def each_event(self, id: str, since: int = 0) -> Iterator[Event]:
        """The same events one by one; whoever reads them need not have room for all of a long game."""
        wanted = sql.select(EVENTS).where(EVENTS.c.game == id, EVENTS.c.number >= since)
        try:
            for row in self.stream(wanted.order_by(EVENTS.c.number)):
                yield read_event(row["number"], row["kind"], {"position": "", **row["data"]})
        except (TypeError, ValueError) as error:
            raise DamagedError(f"the game {id} in {self.name} is damaged: {error}") from error

    def running(self) -> list[StoredGame]:
        """The games that are not over, oldest first."""
        unfinished = sql.select(GAMES).where(GAMES.c.phase.in_(("waiting", "running")))
        return self._games(unfinished.order_by(GAMES.c.created, GAMES.c.id))

    def recent(self, limit: int, chosen: Chosen = Chosen()) -> tuple[list[StoredGame], PageCursor | None]:
        """The games that are over, those that ended last first; of a series only its last one.

        With them comes the cursor to go on from, or None when there are no more.
        """
        rows = self._ids_of_recent(chosen)
        found: list[str] = []
        for number, row in enumerate(rows, 1):
            if chosen.fits(row["spec"]):
                found.append(row["id"])
            if len(found) == limit or number == MAX_LOOKED_AT:
                cursor = PageCursor(row["ended"], row["id"])
                break
        else:
            cursor = None
        rows.close()
        order = {id: at for at, id in enumerate(found)}
        games = self._games(sql.select(GAMES).where(GAMES.c.id.in_(found))) if found else []
        return sorted(games, key=lambda game: order[game.id]), cursor

    def _ids_of_recent(self, chosen: Chosen) -> Generator[RowMapping]:
        """Which games are over, without what takes long to read."""
        later = GAMES.alias()
        is_last = ~sql.exists().where(
            later.c.series == GAMES.c.series, later.c.phase == "over", later.c.ended > GAMES.c.ended)
        wanted = sql.select(GAMES.c.id, GAMES.c.spec, GAMES.c.ended).where(
            GAMES.c.phase == "over", GAMES.c.series.is_(None) | is_last)
        if chosen.without:
            wanted = wanted.where(GAMES.c.series.is_(None) | GAMES.c.series.not_in(chosen.without))
        if chosen.with_people is not None:
            has_people = sql.cast(GAMES.c.seats, sql.Text).contains('"kind":"human"')
            wanted = wanted.where(has_people if chosen.with_people else ~has_people)
        if chosen.after is not None:
            ended, id = chosen.after
            wanted = wanted.where((GAMES.c.ended < ended) | ((GAMES.c.ended == ended) & (GAMES.c.id > id)))
        yield from self.stream(wanted.order_by(GAMES.c.ended.desc(), GAMES.c.id))

    def existing(self, ids: Collection[str]) -> set[str]:
        """Those of the ids that games have."""
        return {row["id"] for row in self.read(sql.select(GAMES.c.id).where(GAMES.c.id.in_(ids)))}

    def over(self) -> list[str]:
        """The ids of the games that are over, those that ended first come first."""
        wanted = sql.select(GAMES.c.id).where(GAMES.c.phase == "over").order_by(GAMES.c.ended, GAMES.c.id)
        return [row["id"] for row in self.stream(wanted)]

    def games_of(self, series: str) -> list[StoredGame]:
        """The games of a series by their numbers, whether over or not."""
        return self._games(sql.select(GAMES).where(GAMES.c.series == series).order_by(GAMES.c.number))

    def series(self, id: str) -> StoredSeries | None:
        """The series with that id, or None."""
        return self.several_series([id]).get(id)

    def several_series(self, ids: Collection[str]) -> dict[str, StoredSeries]:
        """The series with these ids, as far as there are any."""
        found = self._readable(SERIES, sql.select(SERIES).where(SERIES.c.id.in_(ids)), StoredSeries)
        return {series.id: series for series in found}

    def open_series(self) -> list[StoredSeries]:
        """The series that are not over, oldest first."""
        wanted = sql.select(SERIES).where(SERIES.c.is_open).order_by(SERIES.c.created, SERIES.c.id)
        return self._readable(SERIES, wanted, StoredSeries)

    def analysis(self, key: str) -> str | None:
        """What is known of the position of that key, as JSON, or None."""
        found = self.read(sql.select(ANALYSES.c.data).where(ANALYSES.c.key == key))
        return found[0]["data"] if found else None

    def review(self, game: str, settings: str) -> str | None:
        """The review of a game with these settings, as JSON, or None."""
        wanted = sql.select(REVIEWS.c.data).where(REVIEWS.c.game == game, REVIEWS.c.settings == settings)
        found = self.read(wanted)
        return found[0]["data"] if found else None

    def reviews(self, game: str) -> list[str]:
        """All reviews of a game, the last one first."""
        wanted = sql.select(REVIEWS.c.data).where(REVIEWS.c.game == game)
        return [row["data"] for row in self.read(wanted.order_by(REVIEWS.c.updated.desc()))]

    def study(self, id: str) -> StoredStudy | None:
        """The study with that id, or None."""
        found = self.read(sql.select(STUDIES).where(STUDIES.c.id == id))
        return _read(found[0], StoredStudy) if found else None

    def count_studies(self, visitor: str = "") -> int:
        """How many studies there are, or how many of the visitor with that mark."""
        wanted = sql.select(sql.func.count().label("studies")).select_from(STUDIES)
        return int(self.read(wanted.where(STUDIES.c.visitor == visitor) if visitor else wanted)[0]["studies"])

    def _games(self, wanted: sql.Select[Any]) -> list[StoredGame]:
        return self._readable(GAMES, wanted, StoredGame)

    def _readable(self, table: sql.Table, wanted: sql.Select[Any], kind: type[T]) -> list[T]:
        """What a query finds, without the rows that cannot be read: those are noted in `damaged`."""
        try:
            found = [_read(row, kind) for row in self.read(wanted)]
        except (TypeError, ValueError):
            found = []
            for id in [str(row["id"]) for row in self.read(wanted.with_only_columns(table.c.id))]:
                try:
                    rows = self.read(sql.select(table).where(table.c.id == id))
                    found += [_read(row, kind) for row in rows]
                except (TypeError, ValueError) as error:
                    self.damaged[id] = str(error)
        return found


class Transaction:
    """Writes to a store that are kept together or not at all."""

    def __init__(self, store: Store, connection: Connection) -> None:
        self._store = store
        self.connection = connection
        """For what is written to other tables of the same database and kept with this."""
        self._events: list[dict[str, Any]] = []
        """What was appended; it goes to the database all at once, which is many times as fast."""
        self.over: list[str] = []
        """Games that are over when this is kept, by their ids."""

    def add_game(self, game: StoredGame) -> None:
        """Stores a new game; storing it twice is harmless, another game with the same id is an error."""
        self._add(GAMES, {**asdict(game), "series": game.series or None})
        if game.phase == "over":
            self.over.append(game.id)

    def change_game(self, id: str, **changes: Any) -> None:
        """Sets fields of a game, by the names that StoredGame has for them."""
        self._change(GAMES, id, changes)
        if changes.get("phase") == "over":
            self.over.append(id)

    def append(self, game: str, event: Event) -> None:
        """Stores the next event of a game; twice is harmless, another event with that number is an error.

        Positions are left out where the rules tell them, so that a game on a large board takes little room.
        """
        data = event_data(compact(event))
        if not data.get("position", True):
            del data["position"]
        self._events.append({"game": game, "number": event.number, "kind": event.kind, "data": data})

    def flush(self) -> None:
        """Sends what was appended to the database; this is done before the transaction is kept."""
        rows, self._events = self._events, []
        if not rows:
            return
        try:
            with self.connection.begin_nested():
                self.connection.execute(sql.insert(EVENTS), rows)
        except exc.IntegrityError:    # some are there already: see which, and whether they are the same
            for row in rows:
                self._add(EVENTS, row)

    def add_series(self, series: StoredSeries) -> None:
        """Stores a new series; storing it twice is harmless, another series with the same id is an error."""
        self._add(SERIES, asdict(series))

    def change_series(self, id: str, **changes: Any) -> None:
        """Sets fields of a series, by the names that StoredSeries has for them."""
        self._change(SERIES, id, changes)

    def keep_analysis(self, key: str, data: str, now: float) -> None:
        """Stores what is known of a position, in place of what was known before."""
        self._put(ANALYSES, {"key": key, "data": data, "updated": now})

    def keep_review(self, game: str, settings: str, data: str, now: float) -> None:
        """Stores a review, in place of the one before with the same settings."""
        self._put(REVIEWS, {"game": game, "settings": settings, "data": data, "updated": now})

    def keep_study(self, study: StoredStudy) -> None:
        """Stores a study, new or changed."""
        self._put(STUDIES, asdict(study))

    @contextmanager
    def attempt(self) -> Iterator[None]:
        """A part that is undone alone when it fails."""
        self.flush()
        try:
            with self._store.readable_errors(), self.connection.begin_nested():
                yield
                self.flush()
        finally:
            self._events.clear()

    def last_batch(self, writer: str) -> int:
        """The number of the last transaction that this writer completed, 0 before the first."""
        wanted = sql.select(WRITERS.c.batch).where(WRITERS.c.id == writer)
        return self.connection.execute(wanted).scalar() or 0

    def note_batch(self, writer: str, batch: int) -> None:
        """Numbers this transaction, so that a writer that lost its connection can tell if it was kept."""
        numbered = self._store.insert(WRITERS).values(id=writer, batch=batch)
        self.connection.execute(numbered.on_conflict_do_update(index_elements=["id"], set_={"batch": batch}))

    def forget_writer(self, writer: str) -> None:
        """Removes what `note_batch` noted."""
        self.connection.execute(sql.delete(WRITERS).where(WRITERS.c.id == writer))

    def _add(self, table: sql.Table, row: dict[str, Any]) -> None:
        """Inserts a row; if there is one with its key, that must be the same."""
        if self.connection.execute(self._store.insert(table).on_conflict_do_nothing(), row).rowcount > 0:
            return
        key = {column: row[column.name] for column in table.primary_key}
        known = sql.select(table).where(*(column == value for column, value in key.items()))
        if dict(self.connection.execute(known).mappings().one()) != json.loads(encode(row)):
            raise StoreError(f"{table.name} already has another row {' '.join(map(str, key.values()))}")

    def _put(self, table: sql.Table, row: dict[str, Any]) -> None:
        """Inserts a row, or replaces the one with its key."""
        key = [column.name for column in table.primary_key]
        put = self._store.insert(table).values(row)
        rest = {name: value for name, value in row.items() if name not in key}
        self.connection.execute(put.on_conflict_do_update(index_elements=key, set_=rest))

    def _change(self, table: sql.Table, id: str, changes: dict[str, Any]) -> None:
        changed = self.connection.execute(sql.update(table).where(table.c.id == id).values(changes))
        if not changed.rowcount:
            raise StoreError(f"the store has no {table.name} with the id {id}")


def _read(row: RowMapping, kind: type[T]) -> T:
    """What a row holds; a ValueError says what is wrong with it."""
    return msgspec.convert({str(name): value for name, value in row.items() if value is not None}, kind)
