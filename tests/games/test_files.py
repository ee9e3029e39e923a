"""Writing files whole: what was there before, links, devices, and what is left when it fails."""

from __future__ import annotations

import os
import stat
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from polyversi.games.errors import RecordError
from polyversi.games.files import write_whole
from tests.testing.timeout import TIMEOUT


def names(folder: Path) -> list[str]:
    return [path.name for path in folder.iterdir()]


def test_a_file_is_made_or_replaced_and_nothing_else_is_left(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    write_whole(path, b"one")
    assert path.read_bytes() == b"one"
    write_whole(path, iter([b"two", b"three"]))
    assert path.read_bytes() == b"twothree"
    assert names(tmp_path) == ["a.txt"]


def test_permissions_are_kept_and_new_files_have_the_usual_ones(tmp_path: Path) -> None:
    path, usual = tmp_path / "a.txt", tmp_path / "usual.txt"
    usual.touch()
    write_whole(path, b"one")
    assert path.stat().st_mode == usual.stat().st_mode
    path.chmod(0o640)
    write_whole(path, b"two")
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


def test_the_longest_name_can_be_written(tmp_path: Path) -> None:
    path = tmp_path / ("a" * 255)
    write_whole(path, b"one")
    assert path.read_bytes() == b"one"


@pytest.mark.parametrize("there", [True, False])
def test_a_link_stays_a_link(tmp_path: Path, there: bool) -> None:
    (tmp_path / "folder").mkdir()
    target, link, chain = tmp_path / "folder" / "a.txt", tmp_path / "link", tmp_path / "chain"
    if there:
        target.write_bytes(b"old")
    link.symlink_to(Path("folder", "a.txt"))
    chain.symlink_to(link)
    write_whole(chain, b"new")
    assert chain.is_symlink()
    assert link.is_symlink()
    assert not target.is_symlink()
    assert target.read_bytes() == b"new"
    assert names(tmp_path / "folder") == ["a.txt"]


def test_a_file_stays_as_it_was_when_writing_fails(tmp_path: Path) -> None:
    def broken() -> Iterator[bytes]:
        yield b"half"
        raise RuntimeError("no more")

    path = tmp_path / "a.txt"
    path.write_bytes(b"old")
    for target in (path, tmp_path / "b.txt"):
        with pytest.raises(RuntimeError, match="no more"):
            write_whole(target, broken())
    assert path.read_bytes() == b"old"
    assert names(tmp_path) == ["a.txt"]


def test_devices_and_pipes_are_written_to_as_they_are(tmp_path: Path) -> None:
    write_whole(Path("/dev/null"), b"gone")
    assert Path("/dev/null").is_char_device()
    pipe, heard = tmp_path / "pipe", list[bytes]()
    os.mkfifo(pipe)
    listener = threading.Thread(target=lambda: heard.append(pipe.read_bytes()))
    listener.start()
    write_whole(pipe, b"through")
    listener.join(timeout=TIMEOUT)
    assert heard == [b"through"]
    assert names(tmp_path) == ["pipe"]


def test_what_cannot_be_written_says_so(tmp_path: Path) -> None:
    (tmp_path / "a.txt").touch()
    loop = tmp_path / "loop"
    loop.symlink_to(loop)
    for path, why in (
        (tmp_path, "Is a directory"),
        (tmp_path / "no" / "a.txt", "No such file or directory"),
        (tmp_path / "a.txt" / "b.txt", "Not a directory"),
        (loop, ".*symbolic links"),
        (Path("a\0b"), "embedded null byte"),
    ):
        with pytest.raises(RecordError, match=f"cannot be written: {why}"):
            write_whole(path, b"")
