"""WTHOR, the French federation's database: .wtb files of games, .jou of players and .trn of tournaments."""

from __future__ import annotations

import re
import struct
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import lru_cache
from pathlib import Path
from typing import Any, BinaryIO, overload

import numpy as np

from polyversi._core import Move
from polyversi.games.errors import RecordError
from polyversi.games.game import Game
from polyversi.games.variants import game as named
from polyversi.records.formats import Context, Format, Item, only_game, parse_each
from polyversi.records.line import Line
from polyversi.records.record import Outcome, Record, credited_margin

HEADER = struct.Struct("<4BIHH4B")
PLAYER_BYTES = 20
TOURNAMENT_BYTES = 26
MAX_FILE = 1 << 28
"""Bytes; every game of Othello ever written down fits into a fraction of this."""
MOVES = {8: 60, 10: 96}
"""The moves that a game has room for, by board size."""
NUMBER = re.compile(r"[0-9]{1,6}", re.ASCII)
YEAR = re.compile(r"[0-9]{4}", re.ASCII)
UNKNOWN = "???"
"""The name of the first player of a .jou file, which stands for an unknown player."""


@dataclass(frozen=True)
class Header:
    """The first 16 bytes of each of the three files."""

    created: tuple[int, int, int]
    """Year, month and day the file was made."""
    games: int = 0
    """The number of games (.wtb)."""
    names: int = 0
    """The number of names (.jou, .trn); in files of solitaires the number of empty cells."""
    year: int = 0
    """The year the games were played in (.wtb)."""
    size: int = 8
    """8 or 10: the side of the board."""
    solitaires: bool = False
    """Whether the games are end-game problems."""
    depth: int = 0
    """The number of empty cells from which the theoretical scores were computed."""

    @classmethod
    def parse(cls, data: bytes) -> Header:
        """Reads the header at the beginning of a file."""
        if len(data) < HEADER.size:
            raise RecordError(f"a WTHOR file begins with {HEADER.size} bytes, this one has {len(data)}")
        century, short, month, day, games, names, year, size, kind, depth, _ = HEADER.unpack_from(data)
        if size not in (0, *MOVES) or kind > 1:
            raise RecordError(f"this is not a WTHOR file: its board size is {size} and its kind {kind}")
        return cls((100 * century + short, month, day), games, names, year, size or 8, bool(kind), depth)

    def data(self) -> bytes:
        """The header as bytes."""
        year, month, day = self.created
        return HEADER.pack(year // 100, year % 100, month, day, self.games, self.names, self.year,
                           self.size, self.solitaires, self.depth, 0)


def parse_names(data: bytes, width: int) -> tuple[str, ...]:
    """The names of a .jou (width 20) or .trn (width 26) file."""
    count, held = Header.parse(data).names, (len(data) - HEADER.size) // width
    if held < count:
        raise RecordError(f"the file promises {count} names but holds {held}; it was cut off")
    places = range(HEADER.size, HEADER.size + count * width, width)
    return tuple(data[at : at + width].split(b"\0", 1)[0].decode("latin-1") for at in places)


def names_data(names: Sequence[str], width: int, created: date) -> bytes:
    """A .jou (width 20) or .trn (width 26) file with these names."""
    if len(names) > 0xFFFF:
        raise RecordError(f"{len(names)} different names do not fit a WTHOR file; it takes {0xFFFF}")
    header = Header((created.year, created.month, created.day), names=len(names))
    return header.data() + b"".join(name_bytes(name, width) for name in names)


def name_bytes(name: str, width: int) -> bytes:
    """A name as these files hold it; a RecordError says why they cannot."""
    if len(name) >= width or not re.fullmatch("[\x01-\xff]*", name):
        raise RecordError(f"'{name[:40]}' does not fit a WTHOR file: {width - 1} characters of Latin-1 do")
    return name.encode("latin-1").ljust(width, b"\0")


@dataclass(frozen=True, eq=False)
class Games(Sequence[Record]):
    """The games of a .wtb file; each becomes a record when it is looked at.

    >>> header = Header((2026, 1, 1), games=1)
    >>> games = Games.parse(header.data() + bytes([0] * 6 + [35, 35, 56, 64] + [0] * 58))
    >>> len(games), [str(move) for move in games[0].moves]
    (1, ['f5', 'd6'])
    """

    header: Header
    table: np.ndarray[Any, Any]
    """The games as a NumPy array with the fields event, black, white, score, theory and moves."""
    players: Sequence[str] = ()
    tournaments: Sequence[str] = ()

    @classmethod
    def parse(cls, data: bytes, players: Sequence[str] = (), tournaments: Sequence[str] = ()) -> Games:
        """Reads a .wtb file; the names come from the other two files."""
        header = Header.parse(data)
        layout = _layout(header.size)
        held, spare = divmod(len(data) - HEADER.size, layout.itemsize)
        if held != header.games or spare:
            wrong = "it was cut off" if held < header.games else "something follows them"
            raise RecordError(f"the file promises {header.games} games but has room for {held}: {wrong}")
        return cls(header, np.frombuffer(data, layout, offset=HEADER.size), players, tournaments)

    def data(self) -> bytes:
        """The file as bytes."""
        return self.header.data() + self.table.tobytes()

    def __len__(self) -> int:
        return len(self.table)

    @overload
    def __getitem__(self, index: int) -> Record: ...
    @overload
    def __getitem__(self, index: slice) -> Games: ...
    def __getitem__(self, index: int | slice) -> Record | Games:
        if isinstance(index, slice):
            return replace(self, table=self.table[index])
        event, black, white, score, theory, moves = self.table[index].item()
        game, by_code = _moves_by_code(self.header.size)
        codes = bytes(moves).rstrip(b"\0")
        for number, code in enumerate(codes, 1):
            if code not in by_code:
                raise RecordError(f"move {number}: {code} is not a move; moves are 10·row + column")
        line = Line(game.start())
        line.follow_all(by_code[code] for code in codes)
        if max(score, theory) > game.board.size:
            raise RecordError(f"black has {score} stones, in theory {theory}, on {game.board.size} cells")
        players = (_named(self.players, black), _named(self.players, white))
        year, depth = self.header.year, self.header.depth
        tags = {"event": _named(self.tournaments, event), "date": f"{year:04}" if year else ""}
        tags |= {"theory": str(theory), "theory-depth": str(depth)} if depth else {}
        known = tuple((name, text) for name, text in tags.items() if text)
        margin = 2 * score - game.board.size
        outcome = None if margin == credited_margin(line.state) else Outcome(margin=margin)
        return Record(line.start, tuple(line.moves), players, known, outcome=outcome)


def games_of(items: Iterable[Item], created: date) -> Games:
    """The games as a .wtb file holds them, with tables of the names.

    >>> from polyversi.records import transcript
    >>> games_of([transcript.parse("f5d6c3")], date(2026, 1, 1)).header.games
    1
    """
    records = [_othello(item) for item in items]
    size = _shared((record.game.board.width for record in records), "games on one size of board") or 8
    year = _shared(map(_year, records), "games of one year")
    depth = _shared((_theory(record)[1] for record in records), "theoretical scores of one depth")
    players = _numbered((name for record in records for name in record.players), PLAYER_BYTES)
    tournaments = _numbered((record.tag("event") for record in records), TOURNAMENT_BYTES)
    table = np.zeros(len(records), _layout(size))
    for row, record in zip(table, records, strict=True):
        codes = [record.game.board.number(move.cell) for move in record.moves if not move.is_pass]
        row["moves"][: len(codes)] = codes
        row["event"] = tournaments.get(record.tag("event"), 0)
        row["black"], row["white"] = (players.get(name, 0) for name in record.players or ("", ""))
        row["score"], row["theory"] = _score(record), _theory(record)[0]
    header = Header((created.year, created.month, created.day), len(records), 0, year, size, False, depth)
    return Games(header, table, tuple(players), tuple(tournaments))


def names_beside(path: Path, suffix: str) -> Path | None:
    """The .jou or .trn file that goes with a .wtb file: of its name, or WTHOR's own, in any case."""
    if not path.parent.is_dir():
        return None
    files = {other.name.lower(): other for other in sorted(path.parent.iterdir())}
    return files.get(path.stem.lower() + suffix) or files.get("wthor" + suffix)


def _layout(size: int) -> np.dtype[Any]:
    return np.dtype([("event", "<u2"), ("black", "<u2"), ("white", "<u2"), ("score", "u1"), ("theory", "u1"),
                     ("moves", "u1", (MOVES[size],))])


@lru_cache(maxsize=2)
def _moves_by_code(size: int) -> tuple[Game, dict[int, Move]]:
    game = named(f"othello-{size}")
    board = game.board
    return game, {board.number(cell): game.move(board.name(cell)) for cell in range(board.size)}


def _named(names: Sequence[str], number: int) -> str:
    """The name with that number; the number itself where the table does not reach, as with an old table."""
    if number >= len(names):
        return f"#{number}" if number or names else ""
    return "" if names[number] == UNKNOWN else names[number]


def _numbered(names: Iterable[str], width: int) -> dict[str, int]:
    """A number for each name, in alphabetical order after the unknown one."""
    known = sorted({*names} - {"", UNKNOWN})
    for name in known:
        name_bytes(name, width)
    return {name: number for number, name in enumerate([UNKNOWN, *known])}


def _shared(values: Iterable[int], what: str) -> int:
    different = sorted({*values}) or [0]
    if len(different) > 1:
        raise RecordError(f"a WTHOR file holds {what}, not of {', '.join(map(str, different[:4]))}")
    return different[0]


def _othello(item: Item) -> Record:
    if item.game not in [_moves_by_code(size)[0] for size in MOVES]:
        raise RecordError(f"a WTHOR file holds Othello on 8×8 or 10×10, not {item.game.spec}")
    return only_game(item, "a WTHOR file", from_start=True)


def _year(record: Record) -> int:
    return int(year[0]) if (year := YEAR.match(record.tag("date"))) else 0


def _theory(record: Record) -> tuple[int, int]:
    """The theoretical score and its depth; the score that was played, and 0, where there is none."""
    theory, depth = record.tag("theory"), record.tag("theory-depth")
    if not (NUMBER.fullmatch(theory) and NUMBER.fullmatch(depth)):
        return _score(record), 0
    if int(theory) > record.game.board.size or not 0 < int(depth) <= 255:
        raise RecordError(f"a theoretical score of {theory} from {depth} empty cells does not fit")
    return int(theory), int(depth)


def _score(record: Record) -> int:
    said = record.outcome.margin if record.outcome else None
    margin = credited_margin(record.final) if said is None else said
    cells = record.game.board.size
    if margin != int(margin) or (int(margin) + cells) % 2 or abs(margin) > cells:
        raise RecordError(f"WTHOR cannot store a result of {margin:+}; it stores the number of black stones")
    return (int(margin) + cells) // 2


def _fit(item: Item) -> Record:
    """The game as it comes back when it is read again."""
    return games_of([item], date.today())[0]


def _decode(stream: BinaryIO, context: Context) -> Iterable[Item]:
    data = _whole(stream)
    players = _names(context.jou, context.path, ".jou", PLAYER_BYTES)
    tournaments = _names(context.trn, context.path, ".trn", TOURNAMENT_BYTES)
    games = Games.parse(data, players, tournaments)
    return parse_each(enumerate(range(len(games)), 1), lambda at: games[at], context, "game")


def _whole(stream: BinaryIO) -> bytes:
    data = stream.read(MAX_FILE + 1)
    if len(data) > MAX_FILE:
        raise RecordError(f"the file has more than {MAX_FILE} bytes; this is not a WTHOR file")
    return data


def _names(given: Path | None, path: Path | None, suffix: str, width: int) -> tuple[str, ...]:
    if not (found := given or (names_beside(path, suffix) if path else None)):
        return ()
    try:
        with found.open("rb") as stream:
            return parse_names(_whole(stream), width)
    except OSError as error:
        raise RecordError(f"{found} cannot be read: {error.strerror}") from None
    except RecordError as error:
        raise RecordError(f"{found.name}: {error}") from None


def _beside(items: Sequence[Item]) -> dict[str, bytes]:
    today = date.today()
    games = games_of(items, today)
    return {".jou": names_data(games.players, PLAYER_BYTES, today),
            ".trn": names_data(games.tournaments, TOURNAMENT_BYTES, today)}


def _looks(head: bytes) -> bool:
    try:
        header = Header.parse(head)
    except RecordError:
        return False
    _, month, day = header.created
    return 1 <= month <= 12 and 1 <= day <= 31 and head[15] == 0


FORMAT = Format(
    name="wthor",
    suffixes=(".wtb",),
    sentence="WTHOR: Othello on 8×8 or 10×10, with players, tournament, year and theoretical score.",
    looks=_looks,
    decode=_decode,
    fit=_fit,
    encode=lambda items: iter([games_of(items, date.today()).data()]),
    beside=_beside,
)
