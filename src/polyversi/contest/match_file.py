"""Match files: the games of a match as JSON Lines, each on the disk as soon as it is over."""

from __future__ import annotations

from pathlib import Path

from polyversi.games.errors import RecordError
from polyversi.records import Record, read
from polyversi.storage.line_file import LineFile


class MatchFile(LineFile):
    """A file that games are appended to, and from which a match that was broken off goes on.

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
        super().__init__(path)
        self.earlier: list[Record] = []
        """The games that were there already."""

    def understand(self) -> None:
        try:
            items = list(read(self.whole, "jsonl")) if self.whole else []
        except RecordError as error:
            raise RecordError(f"{self.path.name}: {error}") from None
        self.earlier = [item for item in items if isinstance(item, Record)]
