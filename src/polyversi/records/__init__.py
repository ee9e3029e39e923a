"""Reading and writing games, positions and maps, in every format that players of Reversi use.

>>> from polyversi import records
>>> [record.final.scores for record in records.read("f5d6c3")]
[(5, 2)]
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, cast

from polyversi.games.errors import PolyversiError, RecordError
from polyversi.games.files import write_whole
from polyversi.games.game import Game
from polyversi.records import ggf, jsonl, maps, positions, transcript, wthor
from polyversi.records.formats import Context, Format, Item
from polyversi.records.positions import Problem
from polyversi.records.record import Note, Outcome, Record

FORMATS: dict[str, Format] = {
    module.FORMAT.name: module.FORMAT for module in (jsonl, ggf, wthor, positions, maps, transcript)
}
"""Every format by its name, in the order in which a file is asked whether it looks like one."""

HEAD = 4096
"""Bytes from the beginning of a file that tell its format."""


def read(
    source: Path | str | bytes | BinaryIO,
    format: str | None = None,
    *,
    game: Game | None = None,
    jou: Path | None = None,
    trn: Path | None = None,
    on_error: Callable[[RecordError], None] | None = None,
) -> Iterator[Item]:
    r"""Reads games or problems, one after another: from a file (a Path or a stream), or from text or bytes.

    The content tells the format unless it is given, `game` says what was played where the format does
    not, and `jou` and `trn` are WTHOR's files of names, looked for beside the file. The first thing that
    cannot be read is raised as a RecordError; with `on_error` it is handed over and reading goes on.

    >>> [len(record.moves) for record in read("f5d6c3\nf5f6")]
    [3, 2]
    """
    path = source if isinstance(source, Path) else None
    with _opened(source) as stream:
        head = stream.peek(HEAD)[:HEAD]
        chosen = _by_name(format) if format else _by_look(head, path, source)
        context = Context(game, path, jou, trn, on_error)
        try:
            yield from chosen.decode(stream, context)
        except PolyversiError as error:
            raise RecordError(f"{path.name}: {error}" if path else str(error)) from None
        except OSError as error:
            raise RecordError(f"{path or 'the input'} cannot be read: {error.strerror or error}") from None


def write(items: Iterable[Item], target: Path | BinaryIO, format: str | None = None) -> int:
    """Writes games or problems and says how many; the format goes by the file's ending unless it is given.

    A file appears whole or not at all: it is written under another name first.

    >>> import io
    >>> stream = io.BytesIO()
    >>> write(read("f5d6c3"), stream, "jsonl"), stream.getvalue()[:30]
    (1, b'{"polyversi":1,"game":"othello')
    """
    chosen = _by_name(format) if format else _by_suffix(target)
    count = 0

    def counted() -> Iterator[Item]:
        nonlocal count
        for item in items:
            count += 1
            try:
                yield chosen.fit(item)
            except PolyversiError as error:
                raise RecordError(f"number {count}: {error}") from None

    if not isinstance(target, Path) and chosen.beside is not None:
        raise RecordError(f"{chosen.name} takes more than one file; give a path to write to")
    if not isinstance(target, Path):
        target.writelines(chosen.encode(counted()))
    elif chosen.beside is None:
        write_whole(target, chosen.encode(counted()))
    else:
        held = list(counted())
        others = chosen.beside(held)
        write_whole(target, chosen.encode(held))
        for suffix, data in others.items():
            write_whole(target.with_suffix(suffix), data)
    return count


def _by_name(name: str) -> Format:
    if name not in FORMATS:
        raise RecordError(f"'{name}' is no format; there are {', '.join(FORMATS)}")
    return FORMATS[name]


def _by_suffix(target: Path | BinaryIO) -> Format:
    suffix = target.suffix.lower() if isinstance(target, Path) else ""
    for chosen in FORMATS.values():
        if suffix in chosen.suffixes:
            return chosen
    endings = " ".join(suffix for chosen in FORMATS.values() for suffix in chosen.suffixes)
    raise RecordError(f"no format has the ending '{suffix}'; name one, or use one of {endings}")


def _by_look(head: bytes, path: Path | None, source: object) -> Format:
    """The format a file is in: by its ending if that fits its content, otherwise by its content."""
    fitting = [chosen for chosen in FORMATS.values() if chosen.looks(head)]
    suffix = path.suffix.lower() if path else ""
    for chosen in fitting or FORMATS.values():
        if suffix in chosen.suffixes:
            return chosen
    if fitting:
        return fitting[0]
    hint = "; to read a file, give a Path" if isinstance(source, str) and Path(source[:255]).suffix else ""
    raise RecordError(f"this is in no format we know ({', '.join(FORMATS)}){hint}")


@contextmanager
def _opened(source: Path | str | bytes | BinaryIO) -> Iterator[io.BufferedReader]:
    if isinstance(source, Path):
        try:
            stream = source.open("rb")
        except (OSError, ValueError) as error:    # a ValueError for names that no file can have
            raise RecordError(f"{source} cannot be opened: {getattr(error, 'strerror', error)}") from None
        with stream:
            yield stream
    elif isinstance(source, io.BufferedReader):
        yield source
    else:
        if isinstance(source, str):
            source = source.encode("utf-8", "surrogatepass")
        raw = io.BytesIO(source) if isinstance(source, bytes) else source
        stream = io.BufferedReader(cast("io.RawIOBase", raw))
        try:
            yield stream
        finally:
            stream.detach()    # so that the caller's stream stays open


__all__ = ["FORMATS", "Context", "Format", "Note", "Outcome", "Problem", "Record", "read", "write"]
