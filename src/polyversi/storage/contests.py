"""The store of contests: their plans and every finished game, in SQLite or PostgreSQL."""

from __future__ import annotations

import time
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from typing import Any

from polyversi.gameplay.verdict import Verdict
from polyversi.storage.database import Database, columns
from polyversi.storage.errors import StoreError
from polyversi.storage.locks import Lock
from polyversi.storage.stored import PlayedGame

# isort: split
import sqlalchemy as sql
from sqlalchemy.engine import Connection, Engine

LOCKS = 7_022_601_400_000_000
"""Above this, a lock of PostgreSQL for each tournament by its name."""

TABLES = sql.MetaData()
SCHEMA = sql.Table("tournament_schema", TABLES, *columns(version=sql.Integer))
TOURNAMENTS = sql.Table(
    "tournaments",
    TABLES,
    sql.Column("name", sql.Text, primary_key=True),
    *columns(created=sql.Double, plan=sql.JSON, joined=sql.JSON),
)
GAMES = sql.Table(
    "tournament_games",
    TABLES,
    sql.Column("tournament", sql.Text, sql.ForeignKey("tournaments.name"), primary_key=True),
    sql.Column("id", sql.Text, primary_key=True),
    *columns(meeting=sql.Text, round=sql.Integer, variant=sql.Integer, opening=sql.Integer, seating=sql.JSON),
    *columns(record=sql.Text, scores=sql.JSON, ranks=sql.JSON, points=sql.JSON, reason=sql.Text),
    *columns(verdict=sql.JSON, offences=sql.JSON, outputs=sql.JSON, ended=sql.Double),
    sql.Index("tournament_games_by_end", "tournament", "ended"),
)


@dataclass(frozen=True)
class WrittenGame:
    """What was written in a game, in seat order."""

    id: str
    seating: tuple[int, ...]
    outputs: tuple[str, ...]
    verdict: Verdict


class ContestStore(Database):
    """Contests on a disk or a database server; what is kept is on the disk when that returns.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     store = ContestStore.open(f"{folder}/cup.db")
    ...     store.create("cup", {"entrants": []})
    ...     print(store.names(), store.contest("cup"), store.played("cup"))
    ...     store.close()
    ['cup'] ({'entrants': []}, {}) []
    """

    tables, schema, version, shares_file = TABLES, SCHEMA, 1, True

    def __init__(self, engine: Engine, name: str) -> None:
        super().__init__(engine, name)
        self._locks: dict[str, Lock] = {}
        """The locks of the tournaments that are reserved here, by their names."""

    def create(self, name: str, plan: dict[str, Any], within: Connection | None = None) -> None:
        """Keeps a new tournament, perhaps `within` a transaction that writes other things there, too."""
        row = {"name": name, "created": time.time(), "plan": plan, "joined": {}}
        with self.writing() if within is None else nullcontext(within) as connection:
            kept = self.insert(TOURNAMENTS).values(row).on_conflict_do_nothing().returning(TOURNAMENTS.c.name)
            if connection.execute(kept).first() is None:
                raise StoreError(f"{self.name} already has a tournament '{name}'; continue it with "
                                 "`polyversi tournament resume`, or choose another name")

    def names(self) -> list[str]:
        """The names of all tournaments, the latest first."""
        wanted = sql.select(TOURNAMENTS.c.name).order_by(TOURNAMENTS.c.created.desc())
        return [row["name"] for row in self.read(wanted)]

    def contest(self, name: str) -> tuple[dict[str, Any], dict[int, int]]:
        """The plan of a tournament, and the rounds from which on those take part who came later."""
        rows = self.read(sql.select(TOURNAMENTS).where(TOURNAMENTS.c.name == name))
        if not rows:
            there = ", ".join(map(repr, self.names())) or "none"
            raise StoreError(f"there is no tournament '{name}' in {self.name}; its tournaments: {there}")
        joined = {int(entrant): round for entrant, round in rows[0]["joined"].items()}
        return rows[0]["plan"], joined

    def created(self, name: str) -> float:
        """When a tournament was created, in seconds since 1970."""
        rows = self.read(sql.select(TOURNAMENTS.c.created).where(TOURNAMENTS.c.name == name))
        return float(rows[0]["created"])

    def change(self, name: str, plan: dict[str, Any], joined: dict[int, int]) -> None:
        """Keeps another plan, of a tournament that somebody joined."""
        changes = {"plan": plan, "joined": joined}
        with self.writing(self._locks.get(name)) as connection:
            connection.execute(sql.update(TOURNAMENTS).where(TOURNAMENTS.c.name == name).values(changes))

    def remove(self, name: str, within: Connection) -> int:
        """Removes a tournament with all its games, which are counted, within a transaction."""
        games = within.execute(sql.delete(GAMES).where(GAMES.c.tournament == name)).rowcount
        within.execute(sql.delete(TOURNAMENTS).where(TOURNAMENTS.c.name == name))
        return games

    def keep(self, name: str, games: Sequence[PlayedGame]) -> None:
        """Keeps finished games, all of them or none; one that is kept already stays as it is."""
        rows = [{"tournament": name, **_row_of(game)} for game in games]
        with self.writing(self._locks.get(name)) as connection:
            connection.execute(self.insert(GAMES).on_conflict_do_nothing(), rows)

    def played(self, name: str, since: float = -1.0) -> list[PlayedGame]:
        """All finished games in the order of their ends, or those that ended later than a moment."""
        wanted = sql.select(GAMES).where(GAMES.c.tournament == name, GAMES.c.ended > since)
        return [_game_of(dict(row)) for row in self.read(wanted.order_by(GAMES.c.ended, GAMES.c.id))]

    def forget_outputs(self, before: float) -> None:
        """Removes what was written in games that ended before that time."""
        with self.writing() as connection:
            connection.execute(sql.update(GAMES).where(
                GAMES.c.ended < before, sql.cast(GAMES.c.outputs, sql.Text) != "[]").values(outputs=[]))

    def written(self, name: str, entrants: Sequence[int], limit: int) -> list[WrittenGame]:
        """So many games at most in which one of these took part and anybody has written, the last first.

        The database looks for them, without reading what the games themselves are.
        """
        seats: sql.ColumnElement[str] = sql.cast(GAMES.c.seating, sql.Text)    # such as [0, 12]
        for apart in "[", "]", " ":
            seats = sql.func.replace(seats, apart, "" if apart == " " else ",")
        texts: sql.ColumnElement[str] = sql.cast(GAMES.c.outputs, sql.Text)    # such as ["", "thinking"]
        for apart in '"', ",", " ":
            texts = sql.func.replace(texts, apart, "")
        columns = GAMES.c.id, GAMES.c.seating, GAMES.c.outputs, GAMES.c.verdict
        wanted = sql.select(*columns).where(
            GAMES.c.tournament == name, texts != "[]",
            sql.or_(sql.false(), *(seats.like(f"%,{entrant},%") for entrant in entrants)))
        rows = self.read(wanted.order_by(GAMES.c.ended.desc(), GAMES.c.id.desc()).limit(limit))
        return [WrittenGame(row["id"], tuple(row["seating"]), tuple(row["outputs"]),
                            Verdict(**row["verdict"])) for row in rows]

    def counts(self) -> dict[str, int]:
        """How many games of each tournament are finished; none of those without any."""
        wanted = sql.select(GAMES.c.tournament, sql.func.count().label("games")).group_by(GAMES.c.tournament)
        return {row["tournament"]: row["games"] for row in self.read(wanted)}

    def game(self, name: str, id: str) -> PlayedGame | None:
        """One finished game."""
        rows = self.read(sql.select(GAMES).where(GAMES.c.tournament == name, GAMES.c.id == id))
        return _game_of(dict(rows[0])) if rows else None

    @contextmanager
    def reserved(self, name: str) -> Iterator[None]:
        """Within this nobody else can play the tournament; it ends with the process, however that ends."""
        taken = f"the tournament '{name}' in {self.name} is being played by another program"
        number = zlib.crc32(name.encode())
        with self.locked(LOCKS + number, taken, f"contest-{number:08x}") as lock:
            self._locks[name] = lock
            try:
                yield
            finally:
                del self._locks[name]


def _row_of(game: PlayedGame) -> dict[str, Any]:
    row = {name: getattr(game, name) for name in GAMES.columns.keys() if name not in ("tournament", "record")}  # noqa: SIM118
    return {**row, "record": game.line}


def _game_of(row: dict[str, Any]) -> PlayedGame:
    del row["tournament"]
    row["stored"] = row.pop("record")
    for several in ("seating", "scores", "ranks", "points", "outputs"):
        row[several] = tuple(row[several])
    row["verdict"] = Verdict(**row["verdict"])
    row["offences"] = tuple(Verdict(**offence) for offence in row["offences"])
    return PlayedGame(**row)
