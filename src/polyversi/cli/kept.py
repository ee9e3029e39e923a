"""Kept games: the file of JSON lines that games are added to as they end."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path

from polyversi.games.errors import RecordError
from polyversi.storage.line_file import RecordFile


def kept_in(path: Path | None) -> RecordFile | nullcontext[None]:
    """The file with that name, to be opened before anybody is bothered; nothing where none is wanted.

    >>> kept_in(Path("game.ggf"))
    Traceback (most recent call last):
    polyversi.games.errors.RecordError: games are kept as JSON lines; name the file game.jsonl
    """
    if path is None:
        return nullcontext()
    if path.suffix.lower() != ".jsonl":
        raise RecordError(f"games are kept as JSON lines; name the file {path.with_suffix('.jsonl').name}")
    return RecordFile(path)
