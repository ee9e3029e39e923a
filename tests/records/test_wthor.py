"""WTHOR: the bytes of its three files, both ways."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

import pytest

import polyversi as pv
from polyversi.records import Outcome, Record, read, write
from polyversi.records import parse as parse_text
from polyversi.records.transcript import parse
from polyversi.records.wthor import Games, Header, games_of, name_bytes, names_beside, names_data, parse_names
from tests.testing.sample_records import played

if TYPE_CHECKING:
    from pathlib import Path

WIPEOUT = "f5d6c5f4e3f6g5e6e7"
DAY = date(2026, 11, 15)


def row(moves: bytes = bytes([56, 64]), score: int = 35, theory: int = 33, *, room: int = 60) -> bytes:
    return bytes([1, 0, 2, 0, 1, 0, score, theory]) + moves.ljust(room, b"\0")


def wtb(*rows: bytes, year: int = 2004, depth: int = 24, size: int = 8) -> bytes:
    return Header((2005, 10, 8), len(rows), 0, year, size, False, depth).data() + b"".join(rows)


def test_the_header_byte_by_byte() -> None:
    data = bytes.fromhex("14050a08a0000000 0000bc0708001800")
    header = Header.parse(data)
    assert header == Header((2005, 10, 8), 160, 0, 1980, 8, False, 24)
    assert header.data() == data
    assert Header.parse(data[:12] + b"\0" + data[13:]).size == 8
    other = Header.parse(data[:12] + b"\x0a\x01" + data[14:])
    assert other == Header((2005, 10, 8), 160, 0, 1980, 10, True, 24)


def test_a_game() -> None:
    (record,) = Games.parse(wtb(row()), ("???", "Ann", "Bob"), ("Cup", "Open de Périgueux"))
    assert [str(move) for move in record.moves] == ["f5", "d6"]
    assert record.players == ("Bob", "Ann")
    tags = {"event": "Open de Périgueux", "date": "2004", "theory": "33", "theory-depth": "24"}
    assert dict(record.tags) == tags
    assert record.outcome == Outcome(margin=6)


def test_a_whole_game_needs_no_outcome() -> None:
    places = zip(WIPEOUT[::2], WIPEOUT[1::2], strict=True)
    codes = bytes(10 * int(row) + ord(column) - 96 for column, row in places)
    (record,) = Games.parse(wtb(row(codes, score=64)))
    assert record.final.is_over and record.outcome is None


def test_names_without_tables_are_numbers() -> None:
    (record,) = Games.parse(wtb(row()))
    assert record.players == ("#2", "#1") and record.tag("event") == "#1"


def test_names() -> None:
    data = names_data(["???", "Zoé", "x" * 19], 20, DAY)
    assert len(data) == 16 + 60 and data[:4] == bytes([20, 26, 11, 15]) and data[8] == 3
    assert parse_names(data, 20) == ("???", "Zoé", "x" * 19)
    with pytest.raises(pv.RecordError, match="promises 3 names but holds 2; it was cut"):
        parse_names(data[:-1], 20)
    for name in ("x" * 20, "a\0b", "Łukasz"):
        with pytest.raises(pv.RecordError):
            name_bytes(name, 20)


def test_ten_by_ten() -> None:
    start = pv.game("othello-10").start()
    record = Record(start, played(start, 3, 300))
    games = games_of([record], DAY)
    assert games.header.size == 10 and len(games.data()) == 16 + 104
    (again,) = Games.parse(games.data())
    assert again.moves == record.moves


def test_games_are_a_sequence() -> None:
    games = Games.parse(wtb(row(), row(bytes([56])), row(bytes([56, 66]))))
    assert len(games) == 3
    assert [len(record.moves) for record in games] == [2, 1, 2]
    assert len(games[1:]) == 2 and games[-1] == games[2] and games[1:][0] == games[1]
    assert games.table["moves"][:, 0].tolist() == [56, 56, 56]
    with pytest.raises(IndexError):
        games[3]


def test_files_beside_each_other(tmp_path: Path) -> None:
    record = parse("f5d6c3")
    held = Record(record.start, record.moves, ("Ann", "Bob"), (("event", "Cup"), ("date", "2026")))
    target = tmp_path / "games.wtb"
    assert write([held], target) == 1
    assert sorted(path.name for path in tmp_path.iterdir()) == ["games.jou", "games.trn", "games.wtb"]
    assert list(read(target)) == [held]
    assert list(parse_text(target.read_bytes())) != [held]
    (tmp_path / "games.jou").rename(tmp_path / "WTHOR.JOU")
    assert names_beside(target, ".jou") == tmp_path / "WTHOR.JOU"
    assert list(read(target)) == [held]
    (tmp_path / "WTHOR.JOU").rename(tmp_path / "others")
    assert list(read(target, jou=tmp_path / "others")) == [held]
    with pytest.raises(pv.RecordError, match="none cannot be read"):
        list(read(target, jou=tmp_path / "none"))


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "begins with 16 bytes, this one has 0"),
        (wtb(row())[:-1], "promises 1 games but has room for 0: it was cut"),
        (wtb(row()) + b"x", "something follows them"),
        (wtb(row(score=65)), "game 1: black has 65 stones"),
        (wtb(row(bytes([19]))), "game 1: move 1: 19 is not a move"),
        (wtb(row(bytes([56, 0, 64]))), "game 1: move 2: 0 is not a move"),
        (wtb(row(), row(bytes([11]))), "game 2: move 1: "),
        (bytes([20, 5, 10, 8, 0, 0, 0, 0, 0, 0, 0, 0, 9, 0, 0, 0]), "board size is 9"),
    ],
)
def test_what_is_wrong_is_said(data: bytes, message: str) -> None:
    with pytest.raises(pv.RecordError, match=message):
        list(parse_text(data, "wthor"))


@pytest.mark.parametrize(
    ("record", "message"),
    [
        (Record(pv.game("hex").start(seed=1)), "Othello on 8×8 or 10×10, not hex"),
        (Record(pv.game("anti").start()), "not anti"),
        (Record(pv.game("othello").start().play("f5")), "cannot store where a game began"),
        (Record(pv.game("othello").start(), players=("a" * 20, "")), "19 characters"),
        (Record(pv.game("othello").start(), outcome=Outcome(margin=1)), "a result of +1".replace("+", r"\+")),
        (Record(pv.game("othello").start(), tags=(("theory", "65"), ("theory-depth", "24"))), "does not fit"),
    ],
)
def test_what_wthor_cannot_hold(record: Record, message: str) -> None:
    with pytest.raises(pv.RecordError, match=message):
        games_of([record], DAY)


def test_one_year_and_one_size_a_file() -> None:
    small, large = pv.game("othello").start(), pv.game("othello-10").start()
    with pytest.raises(pv.RecordError, match="games of one year, not of 2003, 2004"):
        games_of([Record(small, tags=(("date", year),)) for year in ("2003", "2004.1.1")], DAY)
    with pytest.raises(pv.RecordError, match="one size of board"):
        games_of([Record(small), Record(large)], DAY)
