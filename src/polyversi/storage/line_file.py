"""Line files: the steps of a long work as lines of JSON, each on the disk as soon as it is done."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Self

from polyversi.games.errors import RecordError
from polyversi.records import Record, parse

LINE_START = b'{"polyversi":'
"""How every line of ours begins, also one that was cut."""


class DurableFile:
    """A file that is written at its end; what was written is on the disk when that returns."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._stream: BinaryIO | None = None

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._stream is not None:
            with suppress(OSError):    # a full disk was told when something was written
                self._stream.close()
            self._stream = None

    def _write(self, data: bytes) -> None:
        assert self._stream is not None, "open the file with a with statement first"
        self._stream.write(data)
        self._stream.flush()
        os.fsync(self._stream.fileno())

    def _unwritable(self, error: OSError) -> RecordError:
        return RecordError(f"{self.path} cannot be written: {error.strerror or error}")


class LineFile(DurableFile):
    """A file that lines are appended to, and from which a work that was broken off goes on.

    A line that was cut when a program was killed is taken away: its step is done again.

    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "steps.jsonl"
    >>> with LineFile(path) as file:
    ...     file.append('{"polyversi":"step"}')
    >>> _ = path.write_bytes(path.read_bytes() + b'{"poly')
    >>> with LineFile(path) as file:
    ...     file.whole
    b'{"polyversi":"step"}\\n'
    """

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.whole = b""
        """The whole lines that were there already."""
        self._end = 0
        """Where the last whole line ends; what was cut behind it goes when the next one is written."""

    def __enter__(self) -> Self:
        try:
            self.load()
            self._stream = self.path.open("ab")
        except OSError as error:
            raise self._unwritable(error) from None
        return self

    def load(self) -> None:
        """Reads what is there; a RecordError says that it is something else, and leaves it as it is."""
        if self.path.exists() and not self.path.is_file():
            raise RecordError(f"{self.path} is not an ordinary file; a match can only be continued in one")
        data = self.path.read_bytes() if self.path.exists() else b""
        self._end = data.rfind(b"\n") + 1
        self.whole, cut = data[: self._end], data[self._end :]
        if not cut.startswith(LINE_START[: len(cut)]):
            raise RecordError(f"{self.path} contains lines that Polyversi did not write; choose another file")
        self.parse()

    def parse(self) -> None:
        """Parses the whole lines; a RecordError leaves the file as it is."""

    def append(self, line: str) -> None:
        """Writes one line; it is on the disk when this returns."""
        assert self._stream is not None, "open the file with a with statement first"
        data = line.encode() + b"\n"
        try:
            self._stream.truncate(self._end)
            self._write(data)
        except OSError as error:
            raise self._unwritable(error) from None
        self._end += len(data)


class RecordFile(LineFile):
    """A file of games as JSON Lines.

    >>> import tempfile
    >>> from polyversi.records import jsonl
    >>> path = Path(tempfile.mkdtemp()) / "games.jsonl"
    >>> with RecordFile(path) as file:
    ...     file.append(jsonl.write(Record.of("othello", "f5d6")))
    >>> with RecordFile(path) as file:
    ...     [len(record.moves) for record in file.records]
    [2]
    """

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.records: list[Record] = []
        """The games that were there already."""

    def parse(self) -> None:
        try:
            items = list(parse(self.whole, "jsonl")) if self.whole else []
        except RecordError as error:
            raise RecordError(f"{self.path.name}: {error}") from None
        self.records = [item for item in items if isinstance(item, Record)]
