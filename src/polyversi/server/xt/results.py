"""Results of a server's games: rows for each seat, totals by player, and the files that keep them."""

from __future__ import annotations

import csv
import io
import os
import re
from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields
from datetime import datetime
from functools import cached_property
from typing import ClassVar, Self

from polyversi.gameplay.referee import Finished
from polyversi.games.errors import RecordError
from polyversi.games.limit import Limit
from polyversi.records import xt_log
from polyversi.records.record import Note, Record
from polyversi.storage.line_file import DurableFile

MAX_FIRST = 4096
"""Bytes of a file's first line that show what it is."""


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
    worst: float
    """The seconds that its slowest move took."""
    left: float | None
    """The seconds in its bank after its last move, or 0 when its time ran out; None without a bank."""


@dataclass(frozen=True)
class XtGameResult:
    """A game that was played to its end."""

    number: int
    began: datetime
    map: str
    groups: tuple[int | None, ...]
    """The group of each seat; None for a local player."""
    finished: Finished
    limit: Limit
    """What each seat could spend at the start."""

    @property
    def record(self) -> Record:
        """The game as a record, with the details that moves alone do not have; times are in milliseconds."""
        record, reasons = self.finished.record, "; ".join(map(str, self.finished.offences))
        tags = {"date": self.began.isoformat(timespec="seconds"), "round": str(self.number),
                "time": str(self.limit), "comment": reasons}
        notes = tuple(Note(seconds=round(note.seconds or 0.0, 3)) for note in record.notes)
        return record.with_values(
            notes=notes, tags=tuple((name, text) for name, text in tags.items() if text))

    @cached_property
    def seats(self) -> tuple[SeatResult, ...]:
        """The results of all seats."""
        result, record = self.finished.result, self.finished.record
        offences = {offence.seat: (offence.kind, offence.detail) for offence in self.finished.offences}
        times: list[list[float]] = [[] for _ in self.groups]
        for (state, _), note in zip(record, record.notes, strict=False):
            times[state.turn - 1].append(note.seconds or 0.0)
        return tuple(
            SeatResult(
                self.number, self.began.isoformat(timespec="seconds"), self.map, seat, group,
                record.players[seat - 1], result.scores[seat - 1], result.ranks[seat - 1],
                result.points[seat - 1], *offences.get(seat, ("", "")), len(spent), round(sum(spent, 0.0), 3),
                round(max(spent, default=0.0), 3), self._left(spent, offences.get(seat)),
            )
            for seat, (group, spent) in enumerate(zip(self.groups, times, strict=True), 1)
        )

    def _left(self, spent: Sequence[float], offence: tuple[str, str] | None) -> float | None:
        """What is left of a bank after moves that took so long."""
        left = self.limit
        for seconds in spent:
            left = left.with_bank(left.bank_after(seconds))
        if left.bank is None:
            return None
        # What the bank grew by after the last move is for the next one.
        before = left.bank - self.limit.increment if spent else left.bank
        return 0.0 if offence and offence[0] == "timeout" else round(before, 3)


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
    worst: float = 0.0
    """The seconds that its slowest move took."""
    left: float | None = None
    """The least that was in its bank at the end of a game; None without a bank."""


class Totals:
    """The results of all players so far; the games themselves are not kept.

    >>> Totals().ranking()
    []
    """

    def __init__(self) -> None:
        self.games = 0
        self._found: dict[str, Total] = {}

    def add(self, game: XtGameResult) -> None:
        """Counts a game; each of a player's seats in it counts as one game."""
        self.games += 1
        for row in game.seats:
            total = self._found.setdefault(row.player, Total(row.player))
            total.games += 1
            total.points += row.points
            total.firsts += row.rank == 1
            total.stones += row.stones
            total.disqualified += bool(row.verdict)
            total.worst = max(total.worst, row.worst)
            if row.left is not None:
                total.left = row.left if total.left is None else min(total.left, row.left)

    def ranking(self) -> list[Total]:
        """The players by their points per game, the best first."""
        return sorted(self._found.values(), key=lambda total: (-total.points / total.games, total.player))


class GamesFile(DurableFile):
    """A text file to which each game is added as soon as it is over; a file of another kind is refused."""

    what: ClassVar[str]
    """What such a file is called."""
    header: ClassVar[bytes] = b""
    """Its first line, if all such files have the same."""

    def is_first_line(self, line: bytes) -> bool:
        """Whether such a file can begin with this line, or with the part of it that was read."""
        return line == self.header

    def __enter__(self) -> Self:
        try:
            stream = self.path.open("ab+")
            stream.seek(0)
            first = stream.readline(MAX_FIRST).replace(b"\r\n", b"\n")
            if first and not self.is_first_line(first):
                stream.close()
                raise RecordError(f"{self.path} is not a {self.what}; choose another file")
            self._stream = stream
            if self.header and not first:
                self._write(self.header)
            if stream.seek(0, os.SEEK_END):
                stream.seek(-1, os.SEEK_END)
                if stream.read() != b"\n":    # a program was killed in the middle of a line
                    self._write(b"\n")
        except OSError as error:
            raise self._unwritable(error) from None
        return self

    def append(self, game: XtGameResult) -> None:
        """Adds a game; it is on the disk when this returns."""
        try:
            self._write(self.text(game).encode())
        except OSError as error:
            raise self._unwritable(error) from None

    @abstractmethod
    def text(self, game: XtGameResult) -> str:
        """The lines of a game."""


class ResultsFile(GamesFile):
    """A table of results as CSV, with a row for each seat.

    >>> ResultsFile.header[:24]
    b'game,when,map,seat,group'
    """

    what = "results file"
    header = ",".join(field.name for field in fields(SeatResult)).encode() + b"\n"

    def text(self, game: XtGameResult) -> str:
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        for row in game.seats:
            writer.writerow((asdict(row) | {"points": f"{row.points:g}"}).values())
        return text.getvalue()


class CourseResultsFile(GamesFile):
    """The results as the courses' server keeps them: a line `group, seat, msecs, ok` for each seat.

    The milliseconds are those left in the bank, ok is 1 or 0 for a seat that was disqualified, and the group
    of a local player is -1.
    """

    what = "file of lines 'group, seat, msecs, ok'"

    def is_first_line(self, line: bytes) -> bool:
        return re.match(rb"-?[0-9]+, [1-8], [0-9]+, [01]\s*$", line) is not None

    def text(self, game: XtGameResult) -> str:
        rows = ((-1 if row.group is None else row.group, row.seat, round(1000 * (row.left or 0)),
                 0 if row.verdict else 1) for row in game.seats)
        return "".join(f"{', '.join(map(str, row))}\n" for row in rows)


class LogFile(GamesFile):
    """The games as the courses' server logs them, one after another; `polyversi convert` reads them."""

    what = "log of Reversi XT games"

    def is_first_line(self, line: bytes) -> bool:
        return xt_log.FORMAT.looks(line)

    def text(self, game: XtGameResult) -> str:
        held = xt_log.FORMAT.fit(game.record)
        assert isinstance(held, Record)
        return f"{xt_log.write(held)}\n"
