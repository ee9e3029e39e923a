"""Writing files so that they are there whole or not at all."""

from __future__ import annotations

import os
import secrets
import stat
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path


def write_whole(path: Path, data: bytes | Iterable[bytes]) -> None:
    """Writes a file under a temporary name beside it, and renames it when it is complete.

    A file that was there before keeps its permissions, and stays as it was if anything fails; a link stays
    a link. What is no ordinary file, such as a device or a pipe, is written to as it is.

    >>> import tempfile
    >>> from pathlib import Path
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_whole(Path(folder, "moves.txt"), b"f5d6c3")
    ...     Path(folder, "moves.txt").read_text()
    'f5d6c3'
    """
    pieces = [data] if isinstance(data, bytes) else data
    try:
        mode = path.stat().st_mode
    except FileNotFoundError:
        mode = None
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
