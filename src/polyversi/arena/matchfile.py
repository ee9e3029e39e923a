"""Match files: the games of a match as JSON Lines, each on the disk as soon as it is over."""

from __future__ import annotations

import os
from pathlib import Path
from types import TracebackType
from typing import BinaryIO

from polyversi.games.errors import RecordError
from polyversi.records import Record, read


class MatchFile:
    """A file that games are appended to, and from which a match that was broken off goes on.

    A line that was cut when a program was killed is taken away: its game is played again.

    >>> import tempfile
    >>> from polyversi.records import Record, jsonl
    >>> path = Path(tempfile.mkdtemp()) / "games.jsonl"
    >>> with MatchFile(path) as file:
    ...     file.append(jsonl.write(Record.of("othello", "f5d6")))
    >>> with MatchFile(path) as file:
    ...     [len(record.moves) for record in file.earlier]
    [2]
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.earlier: list[Record] = []
        """The games that were there already."""
        self._stream: BinaryIO | None = None

    def __enter__(self) -> MatchFile:
        try:
            self._stream = self.path.open("a+b")
            self._take_away_what_was_cut(self._stream)
        except OSError as error:
            raise RecordError(f"{self.path} cannot be written: {error.strerror or error}") from None
        items = list(read(self.path, "jsonl")) if self.path.stat().st_size else []
        self.earlier = [item for item in items if isinstance(item, Record)]
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._stream is not None:
            self._stream.close()

    def append(self, line: str) -> None:
        """Writes one game; it is on the disk when this returns."""
        assert self._stream is not None, "the file is open within a with statement"
        self._stream.write(line.encode() + b"\n")
        self._stream.flush()
        os.fsync(self._stream.fileno())

    @staticmethod
    def _take_away_what_was_cut(stream: BinaryIO) -> None:
        stream.seek(0)
        whole = stream.read().rfind(b"\n") + 1
        stream.truncate(whole)
