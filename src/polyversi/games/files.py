"""Files: written so that they are there whole or not at all, and read up to a limit."""

from __future__ import annotations

import os
import secrets
import stat
from collections.abc import Callable, Iterable
from functools import lru_cache
from pathlib import Path
from typing import TypeAlias, TypeVar

from polyversi.games.errors import PolyversiError, RecordError

StrPath: TypeAlias = "str | os.PathLike[str]"
"""Where a file is, as `open` takes it."""
T = TypeVar("T")
MAX_REMEMBERED = 8
"""Files of one kind of which it is remembered what they hold."""


def write_whole(path: Path, data: bytes | Iterable[bytes]) -> None:
    """Writes a file under a temporary name beside it, and renames it when it is complete.

    A file that was there before keeps its permissions, and stays as it was if anything fails; a link stays
    a link. A device, a pipe or the like is written to as it is. A RecordError says
    why a file cannot be written.

    >>> import tempfile
    >>> from pathlib import Path
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_whole(Path(folder, "moves.txt"), b"f5d6c3")
    ...     Path(folder, "moves.txt").read_text()
    'f5d6c3'
    """
    try:
        _write(path, [data] if isinstance(data, bytes) else data)
    except OSError as error:
        raise RecordError(f"{path} cannot be written: {error.strerror or error}") from None


def _write(path: Path, pieces: Iterable[bytes]) -> None:
    try:
        mode = path.stat().st_mode
    except FileNotFoundError:
        mode = None
    except ValueError as error:    # for a name that no file can have
        raise OSError(str(error)) from None
    if mode is not None and not stat.S_ISREG(mode):
        with path.open("wb") as stream:
            stream.writelines(pieces)
        return
    target = path.resolve()
    temporary = target.with_name(f".{secrets.token_hex(8)}.part")    # short: names have a limit
    try:
        with temporary.open("xb") as stream:
            stream.writelines(pieces)
            stream.flush()
            os.fsync(stream.fileno())
        if mode is not None:
            temporary.chmod(stat.S_IMODE(mode))
        temporary.replace(target)
    finally:
        temporary.unlink(missing_ok=True)


def read_limited(path: Path, limit: int, what: str, error: type[PolyversiError] = RecordError) -> bytes:
    """The bytes of an ordinary file; the error says why it cannot be read, or that it is too large.

    >>> from pathlib import Path
    >>> read_limited(Path("/dev/zero"), 1000, "weights")
    Traceback (most recent call last):
    polyversi.games.errors.RecordError: the weights in /dev/zero cannot be read: it is not an ordinary file
    """
    try:
        if path.exists() and not path.is_file():
            raise OSError("it is not an ordinary file")
        with path.open("rb") as stream:
            data = stream.read(limit + 1)
    except (OSError, ValueError) as found:    # a ValueError for a name with a zero byte
        why = getattr(found, "strerror", None) or found
        raise error(f"the {what} in {path} cannot be read: {why}") from None
    if len(data) > limit:
        raise error(f"{path} is too large for a file of {what}")
    return data


def remembering(load: Callable[[Path], T]) -> Callable[[Path], T]:
    """The same as a function that loads a file, which does it again only when the file has changed.

    >>> import tempfile
    >>> from pathlib import Path
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path, loaded = Path(folder, "moves.txt"), []
    ...     read = remembering(lambda path: loaded.append(path) or path.read_text())
    ...     for text in ("f5", "f5d6"):
    ...         _ = path.write_text(text)
    ...         print(read(path), read(path), len(loaded))
    f5 f5 1
    f5d6 f5d6 2
    """
    @lru_cache(maxsize=MAX_REMEMBERED)
    def loaded(path: Path, stamp: tuple[int, ...]) -> T:  # noqa: ARG001 tells a file from its successor
        return load(path)

    def recall(path: Path) -> T:
        try:
            about = path.stat()
        except (OSError, ValueError):
            return load(path)    # which says what is wrong
        return loaded(path, (about.st_dev, about.st_ino, about.st_mtime_ns, about.st_size))

    return recall
