"""The explorer: how often each move was played in a position, by whom, and how those games ended."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any

from polyversi._core import Move
from polyversi.games.errors import RecordError
from polyversi.games.files import StrPath
from polyversi.games.game import Game
from polyversi.games.state import State
from polyversi.records import Record, games
from polyversi.records.position_keys import KEY_BYTES, equal_moves, position_key
from polyversi.storage.database import Database, columns
from polyversi.storage.errors import DamagedError
from polyversi.storage.explorer_counts import SAMPLE_DIGITS, SAMPLES, Counts, Facts, Row, facts_of, key_of_id

# isort: split
import sqlalchemy as sql
from sqlalchemy.engine import Connection

BATCH_CELLS = 64_000_000
"""Cells of all positions that are counted with one commit, about, which bounds the memory."""
ROWS = 50_000
"""Rows that go to the database at a time."""
LOOKED_UP = 500
"""Keys of games that are looked up at a time."""
EXAMPLES = 8
CACHE_KIB = 128 * 1024
"""Of a file's pages that are kept in memory while much is added."""
ADDING_LOCK = 7_022_601_386
"""Whoever holds this lock of PostgreSQL adds games; any number that nobody else takes."""
READ = 100
"""Games that are read before it is told how many were."""
Progress = Callable[[int, "Added"], None]
"""Told how many games have been read, and what came of those that are counted."""

TABLES = sql.MetaData()
SCHEMA = sql.Table("explorer_schema", TABLES, *columns(version=sql.Integer))
GAMES = sql.Table(
    "explorer_games",
    TABLES,
    sql.Column("number", sql.Integer, primary_key=True, autoincrement=False),
    sql.Column("key", sql.LargeBinary(KEY_BYTES), nullable=False, unique=True),
    *columns(players=sql.JSON, event=sql.Text),
    sql.Column("year", sql.Integer),
    *columns(scores=sql.JSON, stored=sql.Text),
)
MOVES = sql.Table(
    "explorer_moves",
    TABLES,
    sql.Column("key", sql.LargeBinary(KEY_BYTES), primary_key=True),
    sql.Column("move", sql.Integer, primary_key=True, autoincrement=False),
    *columns(games=sql.Integer, wins=sql.Integer, draws=sql.Integer, losses=sql.Integer),
    *columns(scored=sql.Integer, total=sql.Double, samples=sql.Text),
    sqlite_with_rowid=False,    # a position and its moves lie side by side, and are found in one step
)
FILES = sql.Table(
    "explorer_files",
    TABLES,
    sql.Column("digest", sql.Text, primary_key=True),
    *columns(name=sql.Text, games=sql.Integer, added=sql.Double),
)


@dataclass(frozen=True)
class Played:
    """How often a move was played, and how it ended for whoever played it."""

    move: Move
    same: tuple[Move, ...]
    """Other moves that lead to the same position but for a symmetry; they are counted with it."""
    games: int
    wins: int
    draws: int
    losses: int
    scored: int
    """Games whose margin is known."""
    total: float
    """The sum of the margins."""

    @property
    def mean(self) -> float | None:
        """The mean margin in stones, or None where none is known."""
        return self.total / self.scored if self.scored else None


@dataclass(frozen=True)
class Example:
    """A game in which the position occurred."""

    move: Move
    """What was played."""
    players: tuple[str, ...]
    event: str
    year: int | None
    scores: tuple[int, ...]
    stored: str
    """Its id in the store it comes from, or nothing."""


@dataclass(frozen=True)
class Report:
    """What games are known in which a position occurred, and how they went on."""

    state: State
    moves: tuple[Played, ...] = ()
    """Those that were played, the most frequent first."""
    examples: tuple[Example, ...] = ()
    """Some of the games, those that were counted last come first."""

    @property
    def games(self) -> int:
        """How many games went on from the position."""
        return sum(played.games for played in self.moves)


@dataclass
class Added:
    """What came of adding games."""

    games: int = 0
    """Those that were counted."""
    known: int = 0
    """Those that had been counted before."""
    positions: int = 0
    """The positions of the games that were counted, each as often as it occurred."""


class Explorer(Database):
    """The positions of many games with the moves that were played in them; any thread may use it.

    Positions that are symmetric to each other are one, and so are those that were reached by other moves.

    >>> import polyversi as pv, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     explorer = Explorer.open(f"{folder}/openings.db")
    ...     added = explorer.add(Record.of("othello", moves) for moves in ("f5d6", "d3c5", "f5f6", "f5f6"))
    ...     report = explorer.at(pv.Line("othello", "f5").state)
    ...     explorer.close()
    >>> added
    Added(games=3, known=1, positions=6)
    >>> report.games, [(str(played.move), played.games) for played in report.moves]
    (3, [('d6', 2), ('f6', 1)])
    """

    tables, schema, version = TABLES, SCHEMA, 1
    batch_games = 10_000
    """Games that are counted with one commit: the more, the less is written of a large database."""

    def add(self, records: Iterable[Record], *, progress: Progress = lambda *_: None) -> Added:
        """Counts games, each once however often it comes; what was counted is on the disk.

        It may be interrupted at any time: the same games again then add those that are missing.
        """
        return self._add(((record, "") for record in records), progress)

    def add_stored(self, games: Iterable[tuple[Record, str]]) -> Added:
        """Counts games of a store, each with its id there, by which it is told apart and can be opened."""
        return self._add(games)

    def _add(self, games: Iterable[tuple[Record, str]], progress: Progress = lambda *_: None) -> Added:
        added, read = Added(), 0

        def told() -> Iterator[tuple[Record, str]]:
            nonlocal read
            for read, one in enumerate(games, 1):
                if read % READ == 0:
                    progress(read, added)
                yield one

        rest = told()
        while batch := _batch(rest, self.batch_games):
            self._add_batch([(record, facts_of(record, id), id) for record, id in batch], added)
            progress(read, added)
        return added

    def _add_batch(self, batch: Sequence[tuple[Record, Facts, str]], added: Added) -> None:
        with self.writing() as connection:
            if self.is_sqlite:
                connection.exec_driver_sql(f"PRAGMA cache_size=-{CACHE_KIB}")
            else:
                connection.execute(sql.select(sql.func.pg_advisory_xact_lock(ADDING_LOCK)))
            known = self._known(connection, [facts.key for _, facts, _ in batch])
            number = connection.execute(sql.select(sql.func.max(GAMES.c.number))).scalar() or 0
            new, counts = [], dict[Game, Counts]()
            for record, facts, id in batch:
                if facts.key in known:
                    continue
                known.add(facts.key)
                number += 1
                new.append({"number": number, "key": facts.key, "players": facts.players, "stored": id,
                            "event": facts.event, "year": facts.year, "scores": facts.scores})
                counts.setdefault(record.game, Counts()).add(record, number)
            if new:
                connection.execute(sql.insert(GAMES), new)
            for counted in counts.values():
                self._add_rows(connection, counted.rows())
        added.games += len(new)
        added.known += len(batch) - len(new)
        added.positions += sum(map(len, counts.values()))

    def _known(self, connection: Connection, keys: Sequence[bytes]) -> set[bytes]:
        """Those of the games that have been counted."""
        found: set[bytes] = set()
        for first in range(0, len(keys), LOOKED_UP):
            wanted = sql.select(GAMES.c.key).where(GAMES.c.key.in_(keys[first:first + LOOKED_UP]))
            found |= {bytes(key) for key in connection.execute(wanted).scalars()}
        return found

    def _add_rows(self, connection: Connection, rows: Sequence[Row]) -> None:
        """Adds what was counted to what is there, past SQLAlchemy, which would take longer."""
        insert = self.insert(MOVES)
        names = ("games", "wins", "draws", "losses", "scored", "total")
        sums: dict[str, object] = {name: MOVES.c[name] + insert.excluded[name] for name in names}
        both, width = insert.excluded.samples.concat(MOVES.c.samples), str(SAMPLES * SAMPLE_DIGITS)
        sums["samples"] = sql.func.substr(both, sql.literal_column("1"), sql.literal_column(width))
        upsert = insert.on_conflict_do_update(index_elements=["key", "move"], set_=sums)
        statement = str(upsert.compile(dialect=connection.dialect))
        for first in range(0, len(rows), ROWS):
            part = rows[first:first + ROWS]
            given: Any = [tuple(row) for row in part] if self.is_sqlite else [row._asdict() for row in part]
            connection.exec_driver_sql(statement, given)

    def add_file(
        self, path: StrPath, *, game: Game | str | None = None,
        on_error: Callable[[RecordError], None] | None = None, progress: Progress = lambda *_: None,
    ) -> Added | None:
        """Counts the games of a file in any format of ours; None if just this file was counted before.

        The arguments are those of `records.games`.
        """
        file = Path(path)
        digest = _digest(file)
        if self.read(sql.select(FILES.c.name).where(FILES.c.digest == digest)):
            return None
        added = self.add(games(file, game=game, on_error=on_error), progress=progress)
        noted = self.insert(FILES).on_conflict_do_nothing()
        with self.writing() as connection:
            connection.execute(noted, {"digest": digest, "name": file.name,
                                       "games": added.games + added.known, "added": time.time()})
        return added

    def at(self, state: State, examples: int = EXAMPLES) -> Report:
        """What is known of a position: the moves that were played, and some of the games."""
        if state.is_over:
            return Report(state)
        equal = equal_moves(state)
        rows = self.read(sql.select(MOVES).where(MOVES.c.key == position_key(state)))
        moves, samples = [], dict[int, Move]()
        for row in rows:
            if row["move"] not in equal:
                raise DamagedError(f"{self.name} is damaged: it has a move that is not legal in {state.text}")
            move, *same = equal[row["move"]]
            figures = [row[name] for name in ("games", "wins", "draws", "losses", "scored", "total")]
            moves.append(Played(move, tuple(same), *figures))
            digits = row["samples"]
            samples |= {int(digits[at:at + SAMPLE_DIGITS], 16): move
                        for at in range(0, len(digits), SAMPLE_DIGITS)}
        moves.sort(key=lambda played: (-played.games, str(played.move)))
        chosen = sorted(samples, reverse=True)[:examples]
        return Report(state, tuple(moves), tuple(self._examples({at: samples[at] for at in chosen})))

    def _examples(self, moves: dict[int, Move]) -> Iterator[Example]:
        if not moves:
            return
        wanted = sql.select(GAMES).where(GAMES.c.number.in_(moves)).order_by(GAMES.c.number.desc())
        for row in self.read(wanted):
            yield Example(moves[row["number"]], tuple(row["players"]), row["event"], row["year"],
                          tuple(row["scores"]), row["stored"])

    def uncounted(self, ids: Sequence[str]) -> list[str]:
        """Those of the games of a store, by their ids, that have not been counted."""
        keys = {id: key_of_id(id) for id in ids}
        with self.readable_errors(), self.connect() as connection:
            known = self._known(connection, list(keys.values()))
        return [id for id, key in keys.items() if key not in known]

    def clear(self) -> None:
        """Forgets everything."""
        with self.writing() as connection:
            for table in (MOVES, GAMES, FILES):
                connection.execute(sql.delete(table))

    @property
    def size(self) -> tuple[int, int]:
        """How many games were counted, and how many moves in different positions there are."""
        games, moves = (self.read(sql.select(sql.func.count().label("count")).select_from(table))[0]["count"]
                        for table in (GAMES, MOVES))
        return games, moves

    @property
    def bytes(self) -> int:
        """The room that it takes, about."""
        with self.readable_errors(), self.connect() as connection:
            if self.is_sqlite:
                pages, free, size = (connection.exec_driver_sql(f"PRAGMA {name}").scalar_one()
                                     for name in ("page_count", "freelist_count", "page_size"))
                return int((pages - free) * size)
            tables = (sql.func.pg_total_relation_size(table.name) for table in (MOVES, GAMES))
            return sum(int(connection.execute(sql.select(size)).scalar_one()) for size in tables)


def merged(state: State, reports: Iterable[Report], examples: int = EXAMPLES) -> Report:
    """What several explorers know of a position, together; of none it is nothing."""
    moves: dict[Move, Played] = {}
    found: list[Example] = []
    for report in reports:
        found += report.examples
        for played in report.moves:
            known = moves.get(played.move)
            moves[played.move] = played if known is None else replace(
                known, games=known.games + played.games, wins=known.wins + played.wins,
                draws=known.draws + played.draws, losses=known.losses + played.losses,
                scored=known.scored + played.scored, total=known.total + played.total)
    ordered = sorted(moves.values(), key=lambda played: (-played.games, str(played.move)))
    return Report(state, tuple(ordered), tuple(found[:examples]))


def _batch(games: Iterator[tuple[Record, str]], most: int) -> list[tuple[Record, str]]:
    """The next games that are counted together."""
    found: list[tuple[Record, str]] = []
    cells = 0
    for record, id in islice(games, most):
        found.append((record, id))
        cells += record.game.board.size * len(record.moves)
        if cells > BATCH_CELLS:
            break
    return found


def _digest(path: Path) -> str:
    try:
        with path.open("rb") as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()
    except OSError as error:
        raise RecordError(f"{path} cannot be opened: {error.strerror}") from None
