"""WTHOR, the French federation's database: .wtb files of games, .jou of players and .trn of tournaments."""

from __future__ import annotations

import re
import struct
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from typing import TYPE_CHECKING, Any, BinaryIO, overload

import numpy as np

from polyversi.games.errors import PolyversiError, RecordError
from polyversi.games.variants import game as named
from polyversi.records.formats import Context, Format, only_moves, only_record, parse_each, start_alone
from polyversi.records.record import Line, Outcome, Record, credited_margin, without_final_passes

if TYPE_CHECKING:
    from pathlib import Path

    from polyversi._core import Move
    from polyversi.games.game import Game
    from polyversi.records.formats import Item

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
"""The name of the first player of a .jou file, who stands for nobody."""


@dataclass(frozen=True)
class Header:
    """The first 16 bytes of each of the three files.

    >>> Header.parse(bytes([20, 5, 10, 8, 160, 0, 0, 0, 0, 0, 188, 7, 8, 0, 24, 0]))
    Header(created=(2005, 10, 8), games=160, names=0, year=1980, size=8, solitaires=False, depth=24)
    """

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
            raise RecordError(f"this is no WTHOR file: its board size is {size} and its kind {kind}")
        return cls((100 * century + short, month, day), games, names, year, size or 8, bool(kind), depth)

    def data(self) -> bytes:
        """The header as bytes."""
        year, month, day = self.created
        return HEADER.pack(year // 100, year % 100, month, day, self.games, self.names, self.year,
                           self.size, self.solitaires, self.depth, 0)


def parse_names(data: bytes, width: int) -> tuple[str, ...]:
    r"""The names of a .jou (width 20) or .trn (width 26) file.

    >>> parse_names(Header((2026, 1, 1), names=1).data() + b"Ann\0" + bytes(16), 20)
    ('Ann',)
    """
    header = Header.parse(data)
    body = data[HEADER.size :]
    if len(body) < header.names * width:
        held = len(body) // width
        raise RecordError(f"the file promises {header.names} names but holds {held}; it was cut")
    return tuple(body[at : at + width].split(b"\0", 1)[0].decode("latin-1")
                 for at in range(0, header.names * width, width))


def names_data(names: Sequence[str], width: int, created: date) -> bytes:
    """A .jou (width 20) or .trn (width 26) file with these names."""
    if len(names) > 0xFFFF:
        raise RecordError(f"{len(names)} different names do not fit a WTHOR file; it takes {0xFFFF}")
    header = Header((created.year, created.month, created.day), names=len(names))
    return header.data() + b"".join(name_bytes(name, width) for name in names)


def name_bytes(name: str, width: int) -> bytes:
    """A name as these files hold it; a RecordError says why they cannot."""
    try:
        data = name.encode("latin-1")
    except UnicodeEncodeError:
        raise RecordError(f"'{name[:40]}' does not fit a WTHOR file, which is in Latin-1") from None
    if len(data) >= width or b"\0" in data:
        raise RecordError(f"'{name[:40]}' does not fit a WTHOR file, which has {width - 1} characters for it")
    return data.ljust(width, b"\0")


class Games(Sequence[Record]):
    """The games of a .wtb file; each becomes a record when it is looked at.

    >>> header = Header((2026, 1, 1), games=1)
    >>> games = Games.parse(header.data() + bytes([0] * 6 + [35, 35, 56, 64] + [0] * 58))
    >>> len(games), [str(move) for move in games[0].moves]
    (1, ['f5', 'd6'])
    """

    def __init__(
        self,
        header: Header,
        table: np.ndarray[Any, Any],
        players: Sequence[str] = (),
        tournaments: Sequence[str] = (),
    ) -> None:
        self.header = header
        self.table = table
        """The games as a NumPy array with the fields event, black, white, score, theory and moves."""
        self.players = players
        self.tournaments = tournaments

    @classmethod
    def parse(cls, data: bytes, players: Sequence[str] = (), tournaments: Sequence[str] = ()) -> Games:
        """Reads a .wtb file; the names come from the other two files."""
        header = Header.parse(data)
        layout = _layout(header.size)
        held, spare = divmod(len(data) - HEADER.size, layout.itemsize)
        if held != header.games or spare:
            wrong = "it was cut" if held < header.games else "there is something behind them"
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
            return Games(self.header, self.table[index], self.players, self.tournaments)
        event, black, white, score, theory, moves = self.table[index].item()
        game, by_byte = _moves_by_byte(self.header.size)
        line = Line(game.start())
        codes = bytes(moves).rstrip(b"\0")
        for number, code in enumerate(codes, 1):
            move = by_byte[code]
            if move is None:
                raise RecordError(f"move {number}: {code} is no move; moves are 10·row + column")
            try:
                line.follow(move)
            except PolyversiError as error:
                raise RecordError(f"move {number}: {error}") from None
        if max(score, theory) > game.board.size:
            raise RecordError(f"black has {score} stones, in theory {theory}, on {game.board.size} cells")
        margin = 2 * score - game.board.size
        outcome = None if margin == credited_margin(line.state) else Outcome(margin=margin)
        players = (_named(self.players, black), _named(self.players, white))
        return Record(line.start, tuple(line.moves), players, self._tags(event, theory), outcome=outcome)

    def _tags(self, event: int, theory: int) -> tuple[tuple[str, str], ...]:
        tags = [("event", _named(self.tournaments, event))]
        if self.header.year:
            tags.append(("date", f"{self.header.year:04}"))
        if self.header.depth:
            tags += [("theory", str(theory)), ("theory-depth", str(self.header.depth))]
        return tuple((name, text) for name, text in tags if text)


def games_of(records: Sequence[Record], created: date) -> Games:
    """The games as a .wtb file holds them, with tables of the names.

    >>> from polyversi.records import transcript
    >>> games_of([transcript.parse("f5d6c3")], date(2026, 1, 1)).header.games
    1
    """
    held = [_fit(record) for record in records]
    size = held[0].game.board.width if held else 8
    if any(record.game.board.width != size for record in held):
        raise RecordError("a WTHOR file holds games on one size of board")
    year = _shared(held, "date", "games of one year")
    depth = _shared(held, "theory-depth", "theoretical scores of one depth")
    players = _table(name for record in held for name in record.players)
    tournaments = _table(record.tag("event") for record in held)
    table = np.zeros(len(held), _layout(size))
    for row, record in zip(table, held, strict=True):
        black, white = record.players or ("", "")
        score = _score(record)
        theory = int(record.tag("theory", str(score)))
        codes = bytes(_code(record.game, move) for move in record.moves if not move.is_pass)
        row["moves"][: len(codes)] = np.frombuffer(codes, np.uint8)
        row["event"] = tournaments[record.tag("event")]
        row["black"], row["white"] = players[black], players[white]
        row["score"], row["theory"] = score, theory
    header = Header((created.year, created.month, created.day), len(held), 0, year, size, False, depth)
    return Games(header, table, tuple(_shown(players)), tuple(_shown(tournaments)))


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
def _moves_by_byte(size: int) -> tuple[Game, tuple[Move | None, ...]]:
    played = named(f"othello-{size}")
    moves: list[Move | None] = [None] * 256
    for cell in range(played.board.size):
        move = played.move(played.board.name(cell))
        moves[_code(played, move)] = move
    return played, tuple(moves)


def _code(game: Game, move: Move) -> int:
    return game.board.number(move.cell)


def _named(names: Sequence[str], number: int) -> str:
    """The name with that number; the number itself where the table does not reach, as with an old table."""
    if number >= len(names):
        return f"#{number}" if number or names else ""
    return "" if names[number] == UNKNOWN else names[number]


def _table(names: Iterable[str]) -> dict[str, int]:
    """A number for each name, in the order of the alphabet behind the unknown one."""
    return {name: number for number, name in enumerate(["", *sorted({name for name in names if name})])}


def _shown(table: Mapping[str, int]) -> list[str]:
    return [name or UNKNOWN for name in table]


def _shared(records: Sequence[Record], tag: str, what: str) -> int:
    values = {int(record.tag(tag, "0")) for record in records}
    if len(values) > 1:
        raise RecordError(f"a WTHOR file holds {what}, not of {', '.join(map(str, sorted(values)[:4]))}")
    return values.pop() if values else 0


def _score(record: Record) -> int:
    margin = record.outcome.margin if record.outcome else None
    if margin is None:
        margin = credited_margin(record.final)
    cells = record.game.board.size
    if margin != int(margin) or (int(margin) + cells) % 2 or abs(margin) > cells:
        raise RecordError(f"WTHOR has no way to say a result of {margin:+}; it holds the stones of black")
    return (int(margin) + cells) // 2


def _fit(item: Item) -> Record:
    record = only_record(item, "a WTHOR file")
    if record.game not in {_moves_by_byte(size)[0] for size in MOVES}:
        raise RecordError(f"a WTHOR file holds Othello on 8×8 or 10×10, not {record.game.spec}")
    start_alone(record, "a WTHOR file")
    only_moves(record, "a WTHOR file")
    moves = without_final_passes(record)
    tags = {}
    if (event := record.tag("event")) and event != UNKNOWN:
        name_bytes(event, TOURNAMENT_BYTES)
        tags["event"] = event
    if (year := YEAR.match(record.tag("date"))) and int(year[0]):
        tags["date"] = year[0]
    tags.update(_theory(record))
    for name in record.players:
        name_bytes(name, PLAYER_BYTES)
    players = tuple("" if name == UNKNOWN else name for name in record.players)
    margin = 2 * _score(record) - record.game.board.size
    held = Record(record.start, moves, players, tuple(tags.items()))
    outcome = None if margin == credited_margin(held.final) else Outcome(margin=margin)
    return Record(held.start, moves, players, held.tags, outcome=outcome)


def _theory(record: Record) -> dict[str, str]:
    theory, depth = record.tag("theory"), record.tag("theory-depth")
    if not (NUMBER.fullmatch(theory) and NUMBER.fullmatch(depth)):
        return {}
    if int(theory) > record.game.board.size or not 0 < int(depth) <= 255:
        raise RecordError(f"a theoretical score of {theory} from {depth} empty cells does not fit")
    return {"theory": str(int(theory)), "theory-depth": str(int(depth))}


def _decode(stream: BinaryIO, context: Context) -> Iterable[Item]:
    data = _whole(stream)
    players = _names(context.jou, context.path, ".jou", PLAYER_BYTES)
    tournaments = _names(context.trn, context.path, ".trn", TOURNAMENT_BYTES)
    games = Games.parse(data, players, tournaments)
    return parse_each(enumerate(range(len(games)), 1), lambda at: games[at], context, "game")


def _whole(stream: BinaryIO) -> bytes:
    data = stream.read(MAX_FILE + 1)
    if len(data) > MAX_FILE:
        raise RecordError(f"the file has more than {MAX_FILE} bytes; this is no WTHOR file")
    return data


def _names(given: Path | None, path: Path | None, suffix: str, width: int) -> tuple[str, ...]:
    found = given or (names_beside(path, suffix) if path else None)
    if found is None:
        return ()
    try:
        with found.open("rb") as stream:
            return parse_names(_whole(stream), width)
    except OSError as error:
        raise RecordError(f"{found} cannot be read: {error.strerror}") from None
    except RecordError as error:
        raise RecordError(f"{found.name}: {error}") from None


def _encode(items: Iterable[Item]) -> Iterator[bytes]:
    yield games_of([only_record(item, "a WTHOR file") for item in items], date.today()).data()


def _beside(items: Sequence[Item]) -> dict[str, bytes]:
    today = date.today()
    games = games_of([only_record(item, "a WTHOR file") for item in items], today)
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
    encode=_encode,
    beside=_beside,
)
