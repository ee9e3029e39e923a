"""Results of a server's games: a CSV file with a row for each seat, and totals by player."""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields
from datetime import datetime
from functools import cached_property

from polyversi.gameplay.referee import Finished
from polyversi.games.errors import RecordError
from polyversi.records.record import Record
from polyversi.storage.line_file import DurableFile


@dataclass(frozen=True)
class SeatResult:
    """The result of one seat in one game; its fields are the columns of the results file."""

    game: int
    """The number of the game, from 1."""
    when: str
    """When the game began."""
    map: str
    seat: int
    group: int | None
    """The group of the seat's client; None for a local player."""
    player: str
    stones: int
    rank: int
    points: float
    verdict: str
    """Why the seat was disqualified, in a word; empty when it was not."""
    reason: str
    """The same in a sentence."""
    moves: int
    seconds: float
    """The seconds that its moves took in total."""


@dataclass(frozen=True)
class PlayedGame:
    """A game that was played to its end."""

    number: int
    began: datetime
    map: str
    groups: tuple[int | None, ...]
    """The group of each seat; None for a local player."""
    finished: Finished

    @property
    def record(self) -> Record:
        """The game as a record, with the details that moves alone do not have."""
        tags = [("date", self.began.isoformat(timespec="seconds")), ("round", str(self.number))]
        if self.finished.offences:
            tags.append(("comment", "; ".join(map(str, self.finished.offences))))
        return self.finished.record.with_tags(tuple(tags))

    @cached_property
    def seats(self) -> tuple[SeatResult, ...]:
        """The results of all seats."""
        result, record = self.finished.result, self.finished.record
        offences = {offence.seat: (offence.kind, offence.detail) for offence in self.finished.offences}
        movers = [state.turn for state, _ in zip(record.states(), record.moves, strict=False)]
        spent = [(seat, note.seconds or 0.0) for seat, note in zip(movers, record.notes, strict=False)]
        return tuple(
            SeatResult(
                self.number, self.began.isoformat(timespec="seconds"), self.map, seat, group,
                record.players[seat - 1], result.scores[seat - 1], result.ranks[seat - 1],
                result.points[seat - 1], *offences.get(seat, ("", "")), movers.count(seat),
                round(sum((seconds for mover, seconds in spent if mover == seat), 0.0), 3),
            )
            for seat, group in enumerate(self.groups, 1)
        )


@dataclass
class Total:
    """The results of one player or group over several games."""

    player: str
    games: int = 0
    points: float = 0.0
    firsts: int = 0
    """How often it was first, alone or with others."""
    stones: int = 0
    disqualified: int = 0


class Totals:
    """The results of all players so far; the games themselves are not kept.

    >>> Totals().ranking()
    []
    """

    def __init__(self) -> None:
        self.games = 0
        self._found: dict[str, Total] = {}

    def add(self, game: PlayedGame) -> None:
        """Counts a game; each of a player's seats in it counts as one game."""
        self.games += 1
        for row in game.seats:
            total = self._found.setdefault(row.player, Total(row.player))
            total.games += 1
            total.points += row.points
            total.firsts += row.rank == 1
            total.stones += row.stones
            total.disqualified += bool(row.verdict)

    def ranking(self) -> list[Total]:
        """The players by their points per game, the best first."""
        return sorted(self._found.values(), key=lambda total: (-total.points / total.games, total.player))


class ResultsFile(DurableFile):
    """A table of results in a file: a row for each seat, on the disk as soon as its game is over.

    New rows are added to an existing results file; a file that holds anything else is left alone.

    >>> import tempfile
    >>> from pathlib import Path
    >>> path = Path(tempfile.mkdtemp()) / "results.csv"
    >>> with ResultsFile(path) as file:
    ...     file.append([SeatResult(1, "2026-11-22", "a", 1, 6, "group 6", 20, 1, 25.0, "", "", 9, 1.5)])
    >>> print(path.read_text(), end="")
    game,when,map,seat,group,player,stones,rank,points,verdict,reason,moves,seconds
    1,2026-11-22,a,1,6,group 6,20,1,25,,,9,1.5
    """

    HEADER = ",".join(field.name for field in fields(SeatResult)).encode() + b"\n"

    def __enter__(self) -> ResultsFile:
        try:
            stream = self.path.open("ab+")
            stream.seek(0)
            first = stream.readline(len(self.HEADER) + 1)
            if first.replace(b"\r\n", b"\n") not in (b"", self.HEADER):
                stream.close()
                raise RecordError(f"{self.path} is not a results file; choose another file")
            self._stream = stream
            if not first:
                self._write(self.HEADER)
            stream.seek(-1, os.SEEK_END)
            if stream.read() != b"\n":    # a program was killed in the middle of a row
                self._write(b"\n")
        except OSError as error:
            raise self._unwritable(error) from None
        return self

    def append(self, rows: Sequence[SeatResult]) -> None:
        """Writes the rows of a game; they are on the disk when this returns."""
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        for row in rows:
            writer.writerow((asdict(row) | {"points": f"{row.points:g}"}).values())
        try:
            self._write(text.getvalue().encode())
        except OSError as error:
            raise self._unwritable(error) from None
