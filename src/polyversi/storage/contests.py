"""The store of contests: their plans and every finished game, in SQLite or PostgreSQL."""

from __future__ import annotations

import time
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from polyversi.gameplay.verdict import Verdict, failures_among
from polyversi.records import Record, jsonl
from polyversi.storage.database import Database, LockLostError, StoreError

# isort: split
import sqlalchemy as sql
from sqlalchemy.dialects import postgresql, sqlite

if TYPE_CHECKING:
    from sqlalchemy.engine import Connection

LOCKS = 7_022_601_400_000_000
"""Above this, a lock of PostgreSQL for each tournament by its name."""

TABLES = sql.MetaData()
SCHEMA = sql.Table("tournament_schema", TABLES, sql.Column("version", sql.Integer, nullable=False))
TOURNAMENTS = sql.Table(
    "tournaments",
    TABLES,
    sql.Column("name", sql.Text, primary_key=True),
    sql.Column("created", sql.Double, nullable=False),
    sql.Column("plan", sql.JSON, nullable=False),
    sql.Column("joined", sql.JSON, nullable=False),
)
GAMES = sql.Table(
    "tournament_games",
    TABLES,
    sql.Column("tournament", sql.Text, sql.ForeignKey("tournaments.name"), primary_key=True),
    sql.Column("id", sql.Text, primary_key=True),
    sql.Column("meeting", sql.Text, nullable=False),
    sql.Column("round", sql.Integer, nullable=False),
    sql.Column("variant", sql.Integer, nullable=False),
    sql.Column("opening", sql.Integer, nullable=False),
    sql.Column("seating", sql.JSON, nullable=False),
    sql.Column("record", sql.Text, nullable=False),
    sql.Column("scores", sql.JSON, nullable=False),
    sql.Column("ranks", sql.JSON, nullable=False),
    sql.Column("points", sql.JSON, nullable=False),
    sql.Column("reason", sql.Text, nullable=False),
    sql.Column("verdict", sql.JSON, nullable=False),
    sql.Column("offences", sql.JSON, nullable=False),
    sql.Column("outputs", sql.JSON, nullable=False),
    sql.Column("ended", sql.Double, nullable=False),
    sql.Index("tournament_games_by_end", "tournament", "ended"),
)


@dataclass(frozen=True)
class PlayedGame:
    """A game that is over, as it is stored."""

    id: str
    meeting: str
    round: int
    variant: int
    opening: int
    seating: tuple[int, ...]
    stored: Record | str = field(compare=False, repr=False)
    """The record, or the line of JSON that a store or a worker has made of it; see `record` and `line`."""
    scores: tuple[int, ...]
    ranks: tuple[int, ...]
    points: tuple[float, ...]
    reason: str
    """What ended it."""
    verdict: Verdict
    offences: tuple[Verdict, ...] = ()
    """What seats did wrong on the way, in games that go on after it."""
    outputs: tuple[str, ...] = ()
    """What the bot in each seat wrote last; nothing for players of ours."""
    ended: float = 0.0
    """When, in seconds since 1970."""

    @cached_property
    def record(self) -> Record:
        """The game's record; of a line it is read when it is asked for."""
        found = jsonl.parse(self.stored) if isinstance(self.stored, str) else self.stored
        assert isinstance(found, Record)
        return found

    @cached_property
    def line(self) -> str:
        """The record as a line of JSON, for stores and other processes."""
        return self.stored if isinstance(self.stored, str) else jsonl.write(self.stored)

    def __getstate__(self) -> dict[str, Any]:
        """What goes to another process."""
        kept = {name: value for name, value in self.__dict__.items() if name not in ("record", "line")}
        return {**kept, "stored": self.line}

    @property
    def failures(self) -> tuple[Verdict, ...]:
        """What seats did wrong, other than losing.

        >>> lost = Verdict("crash", 2, "its process ended with status 1")
        >>> game = PlayedGame("1.1/1", "1.1", 1, 0, 0, (3, 5), "", (), (), (), "crash", lost)
        >>> [str(failure) for failure in game.failures]
        ['seat 2: crash (its process ended with status 1)']
        """
        return failures_among(*self.offences, self.verdict)


@dataclass(frozen=True)
class StoredContest:
    """A contest without its games."""

    name: str
    created: float
    plan: dict[str, Any]
    joined: dict[int, int]
    """The round from which on an entrant takes part who came later."""


class ContestStore(Database):
    """Contests on a disk or a database server; what is kept is on the disk when that returns.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     store = ContestStore.open(f"{folder}/cup.db")
    ...     store.create("cup", {"entrants": []})
    ...     print(store.names(), store.contest("cup").plan, store.played("cup"))
    ...     store.close()
    ['cup'] {'entrants': []} []
    """

    tables, schema, version = TABLES, SCHEMA, 1
    _holder: Connection | None = None
    """While a tournament is reserved on a server, the connection whose lock it is."""

    def create(self, name: str, plan: dict[str, Any]) -> None:
        """Keeps a new tournament."""
        insert = sqlite.insert if self.is_sqlite else postgresql.insert
        row = {"name": name, "created": time.time(), "plan": plan, "joined": {}}
        with self.writing() as connection:
            kept = insert(TOURNAMENTS).values(row).on_conflict_do_nothing().returning(TOURNAMENTS.c.name)
            if connection.execute(kept).first() is None:
                raise StoreError(f"there is a tournament '{name}' in {self.name} already; "
                                 f"go on with it by `polyversi tournament resume`, or choose another name")

    def names(self) -> list[str]:
        """The names of all tournaments, the latest first."""
        wanted = sql.select(TOURNAMENTS.c.name).order_by(TOURNAMENTS.c.created.desc())
        return [row["name"] for row in self.read(wanted)]

    def contest(self, name: str) -> StoredContest:
        """The tournament of that name; a StoreError says which there are."""
        rows = self.read(sql.select(TOURNAMENTS).where(TOURNAMENTS.c.name == name))
        if not rows:
            there = ", ".join(map(repr, self.names())) or "none at all"
            raise StoreError(f"there is no tournament '{name}' in {self.name}; there is {there}")
        joined = {int(entrant): round for entrant, round in rows[0]["joined"].items()}
        return StoredContest(**{**rows[0], "joined": joined})

    def change(self, name: str, plan: dict[str, Any], joined: dict[int, int]) -> None:
        """Keeps another plan, of a tournament that somebody joined."""
        changes = {"plan": plan, "joined": {str(entrant): round for entrant, round in joined.items()}}
        with self._reserved_writing() as connection:
            connection.execute(sql.update(TOURNAMENTS).where(TOURNAMENTS.c.name == name).values(changes))

    def keep(self, name: str, games: Sequence[PlayedGame]) -> None:
        """Keeps finished games, all of them or none; one that is kept already stays as it is."""
        insert = sqlite.insert if self.is_sqlite else postgresql.insert
        rows = [{"tournament": name, **_row_of(game)} for game in games]
        with self._reserved_writing() as connection:
            connection.execute(insert(GAMES).on_conflict_do_nothing(), rows)

    def played(self, name: str) -> list[PlayedGame]:
        """All finished games in the order of their ends."""
        wanted = sql.select(GAMES).where(GAMES.c.tournament == name)
        return [_game_of(dict(row)) for row in self.read(wanted.order_by(GAMES.c.ended, GAMES.c.id))]

    @contextmanager
    def reserved(self, name: str) -> Iterator[None]:
        """Within this nobody else can play the tournament; it ends with the process, however that ends."""
        which = "a tournament" if self.is_sqlite else f"the tournament '{name}'"    # a file has one lock
        taken = f"{which} in {self.name} is being played by another program"
        with self.locked(LOCKS + zlib.crc32(name.encode()), taken) as self._holder:
            try:
                yield
            finally:
                self._holder = None

    @contextmanager
    def _reserved_writing(self) -> Iterator[Connection]:
        """Writes that whoever has reserved a tournament makes; another program may have it since."""
        try:
            with self.writing(self._holder) as connection:
                yield connection
        except LockLostError as error:
            raise LockLostError(f"{error}; `polyversi tournament resume` goes on") from error


def _row_of(game: PlayedGame) -> dict[str, Any]:
    row = {name: getattr(game, name) for name in GAMES.columns.keys() if name not in ("tournament", "record")}  # noqa: SIM118
    offences = [asdict(offence) for offence in game.offences]
    return {**row, "record": game.line, "verdict": asdict(game.verdict), "offences": offences}


def _game_of(row: dict[str, Any]) -> PlayedGame:
    del row["tournament"]
    row["stored"] = row.pop("record")
    for several in ("seating", "scores", "ranks", "points", "outputs"):
        row[several] = tuple(row[several])
    row["verdict"] = Verdict(**row["verdict"])
    row["offences"] = tuple(Verdict(**offence) for offence in row["offences"])
    return PlayedGame(**row)
