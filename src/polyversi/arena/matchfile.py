"""Match files: the games of a match as JSON Lines, each on the disk as soon as it is over."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import BinaryIO

from polyversi.games.errors import RecordError
from polyversi.records import Record, read

LINE_START = b'{"polyversi":'
"""How every line of ours begins, also one that was cut."""


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
        self._whole = 0
        """Where the last whole line ends; what was cut behind it goes when the next game is written."""

    def __enter__(self) -> MatchFile:
        try:
            if self.path.exists() and not self.path.is_file():
                raise RecordError(f"{self.path} is no ordinary file; a match can only go on in one")
            self.earlier = self._games(self.path.read_bytes() if self.path.exists() else b"")
            self._stream = self.path.open("ab")
        except OSError as error:
            raise self._unwritable(error) from None
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._stream is not None:
            with suppress(OSError):    # a full disk was told when the game was written
                self._stream.close()

    def append(self, line: str) -> None:
        """Writes one game; it is on the disk when this returns."""
        assert self._stream is not None, "the file is open within a with statement"
        data = line.encode() + b"\n"
        try:
            self._stream.truncate(self._whole)
            self._stream.write(data)
            self._stream.flush()
            os.fsync(self._stream.fileno())
        except OSError as error:
            raise self._unwritable(error) from None
        self._whole += len(data)

    def _games(self, data: bytes) -> list[Record]:
        """The games in the file, which is left as it is: it might be somebody's letter."""
        self._whole = data.rfind(b"\n") + 1
        cut = data[self._whole :]
        if not cut.startswith(LINE_START[: len(cut)]):
            raise RecordError(f"{self.path} holds something else than games; choose another file")
        try:
            items = list(read(data[: self._whole], "jsonl")) if self._whole else []
        except RecordError as error:
            raise RecordError(f"{self.path.name}: {error}") from None
        return [item for item in items if isinstance(item, Record)]

    def _unwritable(self, error: OSError) -> RecordError:
        return RecordError(f"{self.path} cannot be written: {error.strerror or error}")
