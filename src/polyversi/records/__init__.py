"""Reading and writing games, positions and maps, in every format that players of Reversi use.

>>> from polyversi import records
>>> for record in records.parse("f5d6c3"):    # or records.games("games.ggf")
...     for state, move in record:
...         print(state.scores, move)
(2, 2) f5
(4, 1) d6
(3, 3) c3
"""

from __future__ import annotations

import io
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, TypeVar, cast

from polyversi.games.board import shorten
from polyversi.games.errors import PolyversiError, RecordError
from polyversi.games.files import StrPath, write_whole
from polyversi.games.game import Game
from polyversi.games.state import State
from polyversi.games.variants import game as named
from polyversi.records import ggf, jsonl, maps, problems, transcript, wthor, xt_log
from polyversi.records.formats import Bounds, Context, Format, Item
from polyversi.records.problems import Problem
from polyversi.records.record import Note, Outcome, Record, Variation
from polyversi.records.tree import Node, Tree

FORMATS: dict[str, Format] = {
    module.FORMAT.name: module.FORMAT for module in (jsonl, ggf, wthor, xt_log, problems, maps, transcript)
}
"""Every format by its name, in the order in which a file is asked whether it looks like one."""

HEAD = 1 << 16
"""Bytes at the beginning of a file that show its format; a log may begin with a whole map."""

Kind = TypeVar("Kind", Record, Problem)


def offered_formats() -> dict[str, Format]:
    """The formats in which played games are offered, by their kinds.

    >>> list(offered_formats())
    ['jsonl', 'ggf', 'log']
    """
    return {chosen.kind: chosen for chosen in FORMATS.values() if chosen.label}


def games(
    source: StrPath | BinaryIO,
    format: str | None = None,
    *,
    game: Game | str | None = None,
    jou: StrPath | None = None,
    trn: StrPath | None = None,
    on_error: Callable[[RecordError], None] | None = None,
) -> Iterator[Record]:
    """The games of a file, one after another; the arguments are those of `read`.

    A position in the file is an error: it is raised, or handed to `on_error` and left out.

    >>> import io
    >>> [len(record.moves) for record in games(io.BytesIO(b"f5d6c3"))]
    [3]
    """
    items = read(source, format, game=game, jou=jou, trn=trn, on_error=on_error)
    return _only(Record, items, source, "a position, not a game; records.positions reads those", on_error)


def positions(
    source: StrPath | BinaryIO,
    format: str | None = None,
    *,
    game: Game | str | None = None,
    on_error: Callable[[RecordError], None] | None = None,
) -> Iterator[Problem]:
    """The positions of a file with what is known about their moves, one after another, as `read` reads them.

    A game in the file is an error: it is raised, or handed to `on_error` and left out.

    >>> import io
    >>> [problem.state.turn for problem in positions(io.BytesIO(b"-----OX--XO----- X"))]
    [1]
    """
    items = read(source, format, game=game, on_error=on_error)
    return _only(Problem, items, source, "a game, not a position; records.games reads those", on_error)


def read(
    source: StrPath | BinaryIO,
    format: str | None = None,
    *,
    game: Game | str | None = None,
    jou: StrPath | None = None,
    trn: StrPath | None = None,
    on_error: Callable[[RecordError], None] | None = None,
    bounds: Bounds | None = None,
) -> Iterator[Item]:
    """Reads the games and positions of a file, lazily; the file is a path or an open binary file.

    The content shows the format unless it is given. `game` says what was played where the format does not.
    `jou` and `trn` are WTHOR's files of names; by default they are looked for next to the file. An item that
    cannot be read raises a RecordError; with `on_error` that is called with the error, and reading goes on.
    A game beyond the `bounds` cannot be read.

    >>> import io
    >>> [record.final.scores for record in read(io.BytesIO(b"f5d6c3"))]
    [(5, 2)]
    """
    path = Path(source) if isinstance(source, (str, os.PathLike)) else None
    with _opened(source) as stream:
        head = stream.peek(HEAD)[:HEAD]
        chosen = _by_name(format) if format else _by_look(head, path)
        context = Context(
            named(game) if isinstance(game, str) else game, path, Path(jou) if jou else None,
            Path(trn) if trn else None, on_error, bounds)
        try:
            yield from chosen.decode(stream, context)
        except PolyversiError as error:
            raise RecordError(f"{path.name}: {error}" if path else str(error)) from None
        except OSError as error:
            raise RecordError(f"{path or 'the input'} cannot be read: {error.strerror or error}") from None


def parse(
    content: str | bytes,
    format: str | None = None,
    *,
    game: Game | str | None = None,
    on_error: Callable[[RecordError], None] | None = None,
    bounds: Bounds | None = None,
) -> Iterator[Item]:
    r"""Reads games and positions like `read`, from the content of a file instead of a file.

    >>> [len(record.moves) for record in parse("f5d6c3\nf5f6")]
    [3, 2]
    """
    data = content.encode("utf-8", "surrogatepass") if isinstance(content, str) else content
    return read(io.BytesIO(data), format, game=game, on_error=on_error, bounds=bounds)


def write(
    items: Item | Iterable[Item], target: StrPath | BinaryIO, format: str | None = None
) -> int:
    """Writes one game or position, or many, and returns how many.

    The target is a path or an open binary file. The format follows from the file's ending unless it is given.
    A file appears whole or not at all: it is written under another name first.

    >>> import io
    >>> stream = io.BytesIO()
    >>> write(parse("f5d6c3"), stream, "jsonl"), stream.getvalue()[:30]
    (1, b'{"polyversi":1,"game":"othello')
    """
    many: Iterable[Item] = [items] if isinstance(items, (Record, Problem)) else items
    if isinstance(items, State) or not isinstance(many, Iterable):
        raise RecordError(_not_an_item(items))
    path = Path(target) if isinstance(target, (str, os.PathLike)) else None
    chosen = _by_name(format) if format else _by_suffix(path)
    count = 0

    def counted() -> Iterator[Item]:
        nonlocal count
        for item in many:
            count += 1
            if not isinstance(item, (Record, Problem)):
                raise RecordError(f"number {count}: {_not_an_item(item)}")
            try:
                yield chosen.fit(item)
            except PolyversiError as error:
                raise RecordError(f"number {count}: {error}") from None

    if path is None and chosen.beside is not None:
        raise RecordError(f"{chosen.name} takes more than one file; give a path to write to")
    if path is None:
        cast("BinaryIO", target).writelines(chosen.encode(counted()))
    elif chosen.beside is None:
        write_whole(path, chosen.encode(counted()))
    else:
        held = list(counted())
        others = chosen.beside(held)
        write_whole(path, chosen.encode(held))
        for suffix, data in others.items():
            write_whole(path.with_suffix(suffix), data)
    return count


def _not_an_item(given: object) -> str:
    is_state = isinstance(given, State)
    hint = "Problem(state) makes a position of a state" if is_state else "nothing else can be written"
    return f"{shorten(repr(given))} is not a Record or a Problem; {hint}"


def _only(
    kind: type[Kind], items: Iterable[Item], source: StrPath | BinaryIO, wrong: str,
    on_error: Callable[[RecordError], None] | None,
) -> Iterator[Kind]:
    """The items of one kind; those of the other kind are errors."""
    file = f"{Path(source).name}: " if isinstance(source, (str, os.PathLike)) else ""
    for number, item in enumerate(items, 1):
        if isinstance(item, kind):
            yield item
        else:
            Context(on_error=on_error).failed(RecordError(f"{file}number {number} is {wrong}"))


def _by_name(name: str) -> Format:
    if name not in FORMATS:
        raise RecordError(f"'{name}' is not a format; there are {', '.join(FORMATS)}")
    return FORMATS[name]


def _by_suffix(path: Path | None) -> Format:
    suffix = path.suffix.lower() if path else ""
    for chosen in FORMATS.values():
        if suffix in chosen.suffixes:
            return chosen
    endings = " ".join(suffix for chosen in FORMATS.values() for suffix in chosen.suffixes)
    raise RecordError(f"no format has the ending '{suffix}'; name a format, or use one of {endings}")


def _by_look(head: bytes, path: Path | None) -> Format:
    """The format a file is in: by its ending if that fits its content, otherwise by its content."""
    fitting = [chosen for chosen in FORMATS.values() if chosen.looks(head)]
    suffix = path.suffix.lower() if path else ""
    for chosen in fitting or FORMATS.values():
        if suffix in chosen.suffixes:
            return chosen
    if fitting:
        return fitting[0]
    what = path.name if path else "this"
    raise RecordError(f"{what} is in none of the known formats ({', '.join(FORMATS)})")


@contextmanager
def _opened(source: StrPath | BinaryIO) -> Iterator[io.BufferedReader[Any]]:
    if isinstance(source, (str, os.PathLike)):
        try:
            stream = io.BufferedReader(io.FileIO(os.fspath(source)), HEAD)
        except (OSError, ValueError) as error:    # a ValueError for names that no file can have
            hint = "; records.parse reads text itself" if isinstance(source, str) else ""
            name, why = shorten(str(source), 255), getattr(error, "strerror", error)
            raise RecordError(f"{name} cannot be opened: {why}{hint}") from None
        with stream:
            yield stream
    elif isinstance(source, io.BufferedReader):
        yield source
    elif isinstance(source, io.TextIOBase) or not hasattr(source, "readinto"):
        raise RecordError("give a path or a file opened in binary mode; records.parse reads text and bytes")
    else:
        stream = io.BufferedReader(cast("io.FileIO", source), HEAD)
        try:
            yield stream
        finally:
            stream.detach()    # so that the caller's stream stays open


__all__ = [
    "FORMATS", "Bounds", "Context", "Format", "Node", "Note", "Outcome", "Problem", "Record", "Tree",
    "Variation", "games", "offered_formats", "parse", "positions", "read", "write",
]
