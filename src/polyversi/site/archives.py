"""Unpacking what people hand in, however hostile: nothing outside of one folder, nothing without a bound."""

from __future__ import annotations

import bz2
import gzip
import lzma
import os
import stat
import tarfile
import unicodedata
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import IO, Any, BinaryIO, Protocol

from polyversi.gameplay.bots.process import shown
from polyversi.games.errors import PolyversiError

ENDINGS = (".zip", ".tar", ".tar.gz", ".tgz", ".tar.xz", ".txz", ".tar.bz2", ".tbz2")
"""What the name of an archive ends with; anything else is a file of its own, also a .jar."""
MAX_DEPTH = 8
"""Folders in each other."""
MAX_NAME = 120
"""Bytes of the name of a file or a folder."""
MAX_DIRECTORY = 1 << 20
"""Bytes of a zip's list of files, which is read as a whole."""
CHUNK = 1 << 16
BLOCK = 4096
"""Bytes of which a file or a folder takes a whole number on most disks: many small files are large, too."""
LEFT_OUT = ("__MACOSX", "__pycache__")
"""What lies in archives without being meant; hidden files and folders are left out, too."""
PROGRAMS = (b"\x7fELF", b"#!")
"""How files begin that run by themselves: the archives of some systems do not say which do."""
PACKED: tuple[tuple[bytes, Callable[[BinaryIO], Any]], ...] = (
    (b"\x1f\x8b", lambda source: gzip.GzipFile(fileobj=source)),
    (b"\xfd7zXZ\0", partial(lzma.LZMAFile, format=lzma.FORMAT_XZ)),
    (b"BZh", bz2.BZ2File),
)
"""How packed tar archives begin, and what unpacks them as far as they are read."""


class ArchiveError(PolyversiError):
    """Why something is not taken, in a sentence for whoever handed it in."""


class NoRoomError(PolyversiError):
    """What was handed in cannot be written."""


@dataclass(frozen=True)
class Bounds:
    """How much may come out of what somebody hands in."""

    bytes: int = 50_000_000
    files: int = 1000


class _Source(Protocol):
    def read(self, size: int, /) -> bytes: ...


@dataclass(frozen=True)
class _Member:
    """What an archive says that it has."""

    name: str
    is_folder: bool
    fault: str
    """What it is instead of a file or a folder, such as a link."""
    open: Callable[[], IO[bytes] | None]


def is_archive(name: str) -> bool:
    """Whether a file is unpacked, by its name.

    >>> is_archive("Bot.ZIP"), is_archive("bot.tar.gz"), is_archive("client.jar")
    (True, True, False)
    """
    return name.lower().endswith(ENDINGS)


def place(source: Path, name: str, folder: Path, bounds: Bounds) -> int:
    """Puts what was handed in under a name into an empty folder, unpacked if it is an archive.

    It returns the bytes that this takes on the disk. An ArchiveError says what is wrong with it; what was
    written until then is left to the caller.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as text:
    ...     source, folder = Path(text, "source"), Path(text, "folder")
    ...     _, _ = source.write_text("print(input())"), folder.mkdir()
    ...     print(place(source, "bot.py", folder, Bounds()), [path.name for path in folder.iterdir()])
    4096 ['bot.py']
    """
    writer = _Writer(folder, bounds)
    with source.open("rb") as file:
        if not is_archive(name):
            if "/" in name or not (parts := _parts(name)):
                raise ArchiveError(f"'{shown(name, 80)}' cannot be the name of a bot's file; rename it")
            writer.write(parts, file)
            return writer.room
        with _as_damage():
            for member in _members(file, name, bounds):
                writer.take(member)
    if not writer.written:
        raise ArchiveError("this archive has no files")
    return writer.room


def root_of(folder: Path) -> Path:
    """The folder that an archive is about: most have all their files in one."""
    while len(inside := list(folder.iterdir())) == 1 and inside[0].is_dir():
        folder = inside[0]
    return folder


class _Writer:
    """Writes files into a folder, each whole and on disk, within bounds."""

    def __init__(self, folder: Path, bounds: Bounds) -> None:
        self._folder = folder
        self._bounds = bounds
        self._members = 0
        self._folders = set[Path]()
        self._blocks = 0
        self.written = 0

    @property
    def room(self) -> int:
        """The bytes that all this takes on the disk."""
        return BLOCK * (self._blocks + len(self._folders))

    def take(self, member: _Member) -> None:
        """Writes a member of an archive, if it is a file."""
        self._members += 1
        if self._members > self._bounds.files:
            raise ArchiveError(f"this archive has more than {self._bounds.files:,} files; hand in only what "
                               "the bot needs")
        if not (parts := _parts(member.name)):
            return
        if member.fault:
            raise ArchiveError(f"'{shown(member.name, 80)}' in this archive is {member.fault}; it may have "
                               "only files and folders")
        if member.is_folder:
            return
        stream = member.open()
        if stream is not None:
            with stream:
                self.write(parts, stream)

    def write(self, parts: tuple[str, ...], stream: _Source) -> None:
        """Writes a file as far as there is room for it."""
        path = self._folder.joinpath(*parts)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
        except (FileExistsError, NotADirectoryError, IsADirectoryError):
            raise ArchiveError(f"this archive has '{shown('/'.join(parts), 80)}' twice") from None
        except OSError as error:
            raise NoRoomError(f"nothing can be handed in just now: {error.strerror}") from error
        self._folders |= {folder for folder in path.parents if self._folder in folder.parents}
        head, before = b"", self.written
        with os.fdopen(descriptor, "wb") as file:
            while chunk := stream.read(CHUNK):
                head = head or chunk[:4]
                self.written += len(chunk)
                if self.written > self._bounds.bytes:
                    raise ArchiveError(f"this is larger than {self._bounds.bytes / 1e6:,.3g} MB unpacked")
                _write(file, chunk)
            _write(file, b"", is_last=True)
        self._blocks += -(-(self.written - before) // BLOCK) or 1
        path.chmod(0o555 if head.startswith(PROGRAMS) else 0o444)


def _write(file: IO[bytes], data: bytes, *, is_last: bool = False) -> None:
    try:
        file.write(data)
        if is_last:
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        raise NoRoomError(f"nothing can be handed in just now: {error.strerror}") from error


@contextmanager
def _as_damage() -> Iterator[None]:
    """Turns whatever a damaged archive has made a library raise into a sentence."""
    try:
        yield
    except PolyversiError:
        raise
    except Exception as error:    # there is no list of what they raise
        raise ArchiveError(f"this archive cannot be read ({shown(str(error), 100) or type(error).__name__}); "
                           "pack it again") from error


def _parts(name: str) -> tuple[str, ...]:
    """The folders and the file that a name in an archive stands for; nothing for what is left out.

    >>> _parts("./bot/main.py"), _parts("bot/.git/config")
    (('bot', 'main.py'), ())
    >>> _parts("../main.py")
    Traceback (most recent call last):
    polyversi.site.archives.ArchiveError: '../main.py' leads out of the archive; pack it again ...
    """
    if name.startswith("/") or "\\" in name or name[1:2] == ":" or ".." in name.split("/"):
        raise ArchiveError(f"'{shown(name, 80)}' leads out of the archive; pack it again from the bot's own "
                           "folder")
    parts = tuple(part for part in unicodedata.normalize("NFC", name).split("/") if part not in ("", "."))
    if not all(part.isprintable() and part == part.strip() and len(part.encode()) <= MAX_NAME
               for part in parts):
        raise ArchiveError(f"'{shown(name, 80)}' is a name that files of bots may not have; rename it")
    if len(parts) > MAX_DEPTH:
        raise ArchiveError(f"'{shown(name, 80)}' lies in more than {MAX_DEPTH} folders")
    return () if any(part.startswith(".") or part in LEFT_OUT for part in parts) else parts


def _members(source: BinaryIO, name: str, bounds: Bounds) -> Iterator[_Member]:
    return _zip_members(source) if name.lower().endswith(".zip") else _tar_members(source, bounds)


def _zip_members(source: BinaryIO) -> Iterator[_Member]:
    _check_directory(source)
    with zipfile.ZipFile(source) as archive:
        for info in archive.infolist():
            kind = stat.S_IFMT(info.external_attr >> 16)
            fault = ""
            if kind not in (0, stat.S_IFREG, stat.S_IFDIR):
                fault = "a link" if kind == stat.S_IFLNK else "a device"
            elif info.flag_bits & 1:
                fault = "locked by a password"
            elif info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
                # The others unpack without a bound.
                fault = "packed in an unusual way"
            # The library cuts a name at a null byte; what it stands for must not depend on who reads it.
            yield _Member(info.orig_filename, info.is_dir(), fault, partial(archive.open, info))


def _check_directory(source: BinaryIO) -> None:
    """Refuses a zip whose list of files is too long to be read, before it is read."""
    size = source.seek(0, os.SEEK_END)
    source.seek(max(0, size - (1 << 16) - 22))
    tail = source.read()
    at = len(tail) - 22 if tail[-22:-18] == b"PK\5\6" and tail[-2:] == b"\0\0" else tail.rfind(b"PK\5\6")
    if at < 0 or len(tail) < at + 22:
        raise ArchiveError("this is not a zip archive; pack it again")
    is_huge = at >= 20 and tail[at - 20 : at - 16] == b"PK\6\7"    # made for more than 65,535 files or 4 GiB
    if is_huge or int.from_bytes(tail[at + 12 : at + 16], "little") > MAX_DIRECTORY:
        raise ArchiveError("this archive has far too many files; hand in only what the bot needs")
    source.seek(0)


def _tar_members(source: BinaryIO, bounds: Bounds) -> Iterator[_Member]:
    head = source.read(6)
    source.seek(0)
    opened = next((unpack(source) for magic, unpack in PACKED if head.startswith(magic)), source)
    # Besides the files there are headers, and what is left out: all of it is unpacked.
    bounded = _Bounded(opened, 2 * bounds.bytes + 2048 * bounds.files)
    with tarfile.open(fileobj=bounded, mode="r|") as archive:  # type: ignore[call-overload]
        for info in archive:
            fault = ""
            if info.issym() or info.islnk():
                fault = "a link"
            elif info.issparse() or not (info.isreg() or info.isdir()):
                fault = "neither a file nor a folder" if not info.issparse() else "packed in an unusual way"
            yield _Member(info.name, info.isdir(), fault, partial(archive.extractfile, info))


class _Bounded:
    """A stream that ends in an error when more comes out of it than anybody needs."""

    def __init__(self, stream: _Source, left: int) -> None:
        self._stream = stream
        self._left = left

    def read(self, size: int) -> bytes:
        data = self._stream.read(min(size, CHUNK))
        self._left -= len(data)
        if self._left < 0:
            raise ArchiveError("far too much comes out of this archive; hand in only what the bot needs")
        return data
