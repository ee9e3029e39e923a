"""Unpacking hostile archives: every trick is refused with a sentence, and nothing lands outside."""

from __future__ import annotations

import gzip
import io
import os
import stat
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as some

from polyversi.site.archives import ArchiveError, Bounds, place, root_of

BOUNDS = Bounds(1 << 20, 50)
Pack = Callable[[dict[str, bytes]], bytes]


def zipped(files: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", method) as archive:
        for name, data in files.items():
            info = zipfile.ZipInfo(name)
            info.filename = name    # whatever characters it has
            info.compress_type = method
            archive.writestr(info, data)
    return packed.getvalue()


def zip_entry(mode: int = 0, flags: int = 0) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        info = zipfile.ZipInfo("bot.py")
        info.external_attr = mode << 16
        archive.writestr(info, b"/etc/passwd")
        info.flag_bits |= flags
    return packed.getvalue()


def tarred(files: dict[str, bytes], mode: str = "w:gz") -> bytes:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode=mode) as archive:  # type: ignore[call-overload]
        for name, data in files.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    return packed.getvalue()


def tar_entry(kind: bytes, name: str = "bot.py") -> bytes:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as archive:
        info = tarfile.TarInfo(name)
        info.type, info.linkname = kind, "/etc/passwd"
        archive.addfile(info)
    return packed.getvalue()


def put(folder: Path, data: bytes, name: str, bounds: Bounds = BOUNDS) -> Path:
    """The folder in which something was unpacked."""
    source, target = folder / "source", folder / "target"
    source.write_bytes(data)
    target.mkdir()
    place(source, name, target, bounds)
    return target


def refusal(folder: Path, data: bytes, name: str, bounds: Bounds = BOUNDS) -> str:
    """Why something is refused; nothing but its own folder has been written to, and no link."""
    with pytest.raises(ArchiveError) as caught:
        put(folder, data, name, bounds)
    assert {path.name for path in folder.iterdir()} == {"source", "target"}
    assert not any(path.is_symlink() for path in folder.rglob("*"))
    return str(caught.value)


@pytest.mark.parametrize(("pack", "name"), [
    (zipped, "bot.zip"), (tarred, "bot.tar.gz"), (tarred, "bot.tgz"),
    (lambda files: tarred(files, "w"), "bot.tar"), (lambda files: tarred(files, "w:xz"), "bot.tar.xz"),
    (lambda files: tarred(files, "w:bz2"), "Bot.TAR.BZ2"),
])
def test_archives_are_unpacked(pack: Pack, name: str, tmp_path: Path) -> None:
    files = {
        "./ann/agent.py": b"class AI: ...", "ann/data/böok.bin": b"\0" * 70_000, "ann/run": b"#!/bin/sh\n",
        "ann/.git/config": b"secret", "ann/__pycache__/agent.pyc": b"old", "__MACOSX/ann/._agent.py": b"?",
        "ann/inner.zip": zipped({"../../out.py": b""}),
    }
    root = root_of(put(tmp_path, pack(files), name))
    found = {str(path.relative_to(root)): path for path in root.rglob("*") if path.is_file()}
    assert root.name == "ann"
    assert sorted(found) == ["agent.py", "data/böok.bin", "inner.zip", "run"]
    assert found["data/böok.bin"].read_bytes() == bytes(70_000)
    assert stat.S_IMODE(found["agent.py"].stat().st_mode) == 0o444
    assert stat.S_IMODE(found["run"].stat().st_mode) == 0o555


def test_other_files_stay_as_they_are(tmp_path: Path) -> None:
    jar = zipped({"Main.class": b""})
    assert (put(tmp_path, jar, "client.jar") / "client.jar").read_bytes() == jar


@pytest.mark.parametrize("name", [
    "../out.py", "a/../../out.py", "/etc/out.py", "..", "a/..", "C:out.py", "..\\out.py", "a\\b.py",
    "a\nb.py", "\x1b[2Jb.py", "a\0b.py", "\u202ebot.py", "a\u200b.py", "bot.py ", " bot.py", "x" * 121,
    "/".join("abcdefghi") + ".py",
])
@pytest.mark.parametrize("pack", [zipped, tarred])
def test_names_that_lead_out_or_deceive(pack: Pack, name: str, tmp_path: Path) -> None:
    if pack is tarred and "\0" in name:
        return    # it cannot be written
    packed = pack({"bot.py": b"", name: b"x"})
    sentence = refusal(tmp_path, packed, "bot.zip" if pack is zipped else "bot.tar")
    assert sentence.isprintable()
    assert len(sentence) < 400


@pytest.mark.parametrize("name", ["../bot.py", "a/bot.py", "", "..", ".hidden", "bot\x1b.py", "C:bot.py"])
def test_names_of_single_files(name: str, tmp_path: Path) -> None:
    assert refusal(tmp_path, b"print()", name).isprintable()


@pytest.mark.parametrize(("mode", "fault"), [
    (stat.S_IFLNK | 0o777, "a link"), (stat.S_IFCHR, "a device"), (stat.S_IFIFO, "a device")])
def test_links_and_devices_in_zips(mode: int, fault: str, tmp_path: Path) -> None:
    assert f"'bot.py' in this archive is {fault}" in refusal(tmp_path, zip_entry(mode), "bot.zip")


@pytest.mark.parametrize(("kind", "fault"), [
    (tarfile.SYMTYPE, "a link"), (tarfile.LNKTYPE, "a link"), (tarfile.CHRTYPE, "neither a file nor"),
    (tarfile.BLKTYPE, "neither a file nor"), (tarfile.FIFOTYPE, "neither a file nor"),
])
def test_links_and_devices_in_tars(kind: bytes, fault: str, tmp_path: Path) -> None:
    assert fault in refusal(tmp_path, tar_entry(kind), "bot.tar")


def test_links_that_are_left_out_harm_nobody(tmp_path: Path) -> None:
    links = tar_entry(tarfile.SYMTYPE, ".venv/bin/python")
    assert "has no files" in refusal(tmp_path, links, "bot.tar")


ZEROS = {"zeros": bytes(20 << 20)}


@pytest.mark.parametrize(("pack", "name"), [
    (lambda: zipped(ZEROS), "bomb.zip"),
    (lambda: tarred(ZEROS), "bomb.tar.gz"),
    (lambda: tarred(ZEROS, "w:xz"), "bomb.tar.xz"),
    (lambda: gzip.compress(gzip.compress(bytes(1000))), "bomb.tgz"),
    (lambda: gzip.compress(bytes(1 << 20)), "empty.tar.gz"),
    (lambda: zipped({f"{number}": bytes(100_000) for number in range(20)}), "many.zip"),
])
def test_bombs(pack: Callable[[], bytes], name: str, tmp_path: Path) -> None:
    data = pack()
    assert len(data) < 50_000
    refusal(tmp_path, data, name)
    assert sum(path.stat().st_size for path in (tmp_path / "target").rglob("*")) < 3 << 20


def test_a_list_that_is_too_long_is_not_even_read(tmp_path: Path) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for number in range(25_000):
            archive.writestr(str(number), b"")
    assert "far too many files" in refusal(tmp_path, packed.getvalue(), "many.zip")


@pytest.mark.parametrize("pack", [zipped, tarred])
def test_too_many_files(pack: Pack, tmp_path: Path) -> None:
    files = {f"{number}.py": b"" for number in range(51)}
    assert "more than 50 files" in refusal(tmp_path, pack(files), "x.zip" if pack is zipped else "x.tar")


def test_many_small_files_take_room(tmp_path: Path) -> None:
    source, target = tmp_path / "source", tmp_path / "target"
    source.write_bytes(tarred({f"{number}/a/b": b"" if number else b"x" * 5000 for number in range(20)}))
    target.mkdir()
    assert place(source, "many.tgz", target, BOUNDS) == 4096 * (20 + 1 + 2 * 20)


@pytest.mark.parametrize("second", ["bot.py/x", "./bot.py", "bo\u0308t.py"])
def test_the_same_name_twice(second: str, tmp_path: Path) -> None:
    first = "b\u00f6t.py" if "\u0308" in second else "bot.py"
    assert "twice" in refusal(tmp_path, tarred({first: b"1", second: b"2"}), "bot.tar")


def test_what_would_unpack_without_a_bound(tmp_path: Path) -> None:
    for number, method in enumerate((zipfile.ZIP_LZMA, zipfile.ZIP_BZIP2)):
        folder = tmp_path / str(number)
        folder.mkdir()
        assert "an unusual way" in refusal(folder, zipped({"bot.py": b"x" * 99}, method), "bot.zip")


def test_passwords(tmp_path: Path) -> None:
    assert "a password" in refusal(tmp_path, zip_entry(flags=1), "bot.zip")


def test_sparse_files(tmp_path: Path) -> None:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as archive:
        info = tarfile.TarInfo("bot.py")
        info.size = 3
        info.pax_headers = {"GNU.sparse.map": "0,3", "GNU.sparse.size": str(1 << 60)}
        archive.addfile(info, io.BytesIO(b"abc"))
    assert "an unusual way" in refusal(tmp_path, packed.getvalue(), "bot.tar")


def test_a_chain_of_long_names(tmp_path: Path) -> None:
    header = tarfile.TarInfo("././@LongLink")
    header.type, header.size = tarfile.GNUTYPE_LONGNAME, 2
    chain = (header.tobuf(tarfile.GNU_FORMAT) + b"a\0".ljust(512, b"\0")) * 5000
    assert "cannot be read" in refusal(tmp_path, gzip.compress(chain), "bot.tgz", Bounds(10 << 20))


@given(noise=some.binary(max_size=300), name=some.sampled_from(["b.zip", "b.tar", "b.tgz", "b.tar.xz"]),
       at=some.integers(0, 400), is_cut=some.booleans())
def test_damage_is_told_in_a_sentence(noise: bytes, name: str, at: int, is_cut: bool,
                                      tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("damage")
    modes = {"b.tar": "w", "b.tgz": "w:gz", "b.tar.xz": "w:xz"}
    files = {"ann/agent.py": b"class AI: ..." * 30, "ann/b.bin": os.urandom(300)}
    whole = zipped(files) if name == "b.zip" else tarred(files, modes[name])
    data = whole[:at] + noise + (b"" if is_cut else whole[at + len(noise):])
    try:
        put(folder, data, name)
    except ArchiveError as error:
        assert str(error).isprintable()
    assert {path.name for path in folder.iterdir()} == {"source", "target"}
