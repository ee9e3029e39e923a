"""What a record format is: how it is recognised, read and written, and what it holds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, TypeAlias, TypeVar

from polyversi.games.errors import PolyversiError, RecordError
from polyversi.games.game import Game
from polyversi.records.record import Record

if TYPE_CHECKING:
    from polyversi.records.problems import Problem

Item: TypeAlias = "Record | Problem"
"""What files hold."""

Part = TypeVar("Part")

MAX_LINE = 1 << 22
"""Bytes of a line, or of a game that spans lines; the longest game of any variant is far below this."""


@dataclass(frozen=True)
class Bounds:
    """How large the games of strangers may be; what is larger is refused before it is played through.

    >>> Bounds(tiles=10_000, moves=2, cells=200).check(64, 3)
    Traceback (most recent call last):
    polyversi.games.errors.RecordError: the game has more than 2 moves; longer ones are not possible here
    """

    tiles: int
    """Tiles of an XT map, holes included."""
    moves: int
    """Moves of a game."""
    cells: int
    """Cells of all positions of a game together."""

    def check(self, size: int, moves: int) -> None:
        """Refuses a game of so many moves on a board with so many cells."""
        most = min(self.moves, max(1, self.cells // size))
        if moves > most:
            raise RecordError(f"the game has more than {most:,} moves; longer ones are not possible here")


@dataclass(frozen=True)
class Context:
    """What a reader may need in addition to the bytes of the file."""

    game: Game | None = None
    """The game played, for formats that do not name it."""
    path: Path | None = None
    """Where the bytes come from."""
    jou: Path | None = None
    """WTHOR's file of player names."""
    trn: Path | None = None
    """WTHOR's file of tournament names."""
    on_error: Callable[[RecordError], None] | None = None
    """Called with each item that cannot be read, which is then left out; without it the first is raised."""
    bounds: Bounds | None = None
    """How large a game may be."""

    @property
    def max_tiles(self) -> int | None:
        """The largest XT map that is read."""
        return self.bounds.tiles if self.bounds else None

    def failed(self, error: RecordError) -> None:
        """Reports an item that cannot be read, or raises it."""
        if self.on_error is None:
            raise error
        self.on_error(error)


@dataclass(frozen=True)
class Format:
    """A way of storing games or problems; every one of them passes the same contract test."""

    name: str
    suffixes: tuple[str, ...]
    """File name endings, in lower case."""
    sentence: str
    """What it is and what it holds, in a sentence for people."""
    looks: Callable[[bytes], bool]
    """Whether the beginning of a file looks like this format."""
    decode: Callable[[BinaryIO, Context], Iterable[Item]]
    """Reads the items of a file; lazily where the format allows it."""
    fit: Callable[[Item], Item]
    """The item as this format holds it; a RecordError says why it cannot."""
    encode: Callable[[Iterable[Item]], Iterator[bytes]]
    """The bytes of a file with these items, in pieces; `fit` has accepted them."""
    beside: Callable[[Sequence[Item]], Mapping[str, bytes]] | None = None
    """More files to write next to the file, by suffix."""
    label: str = ""
    """What people call it where played games are offered in it; empty where they are not."""
    media_type: str = "text/plain; charset=utf-8"
    holds: Callable[[Game], bool] | None = None
    """Whether it can store finished games of a kind; without it, whether it can store their start."""
    needs_end: bool = False
    """Whether it stores only games that are over."""
    id_tag: str = "game"
    """The tag in which it keeps the id of a game among others."""
    pasted: str = ""
    """What a text in it is called where people paste one, inside a sentence; empty if they hardly ever do."""

    @property
    def kind(self) -> str:
        """Its usual ending without the dot, which stands in addresses, too."""
        return self.suffixes[0].removeprefix(".")

    def can_hold(self, game: Game) -> bool:
        """Whether played games of this kind can be stored in it."""
        if self.holds is not None:
            return self.holds(game)
        try:
            self.fit(Record(game.start()))
        except RecordError:
            return False
        return True


def numbered_lines(stream: BinaryIO) -> Iterator[tuple[int, bytes]]:
    """The lines of a stream with their numbers, each with its line end."""
    number = 0
    while line := stream.readline(MAX_LINE + 1):
        number += 1
        if len(line) > MAX_LINE:
            raise RecordError(f"line {number} has more than {MAX_LINE} bytes; this is not a file of games")
        yield number, line


def as_text(line: bytes) -> str:
    """The line as text: UTF-8, without a byte order mark."""
    try:
        return line.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise RecordError(f"byte {error.start + 1} is not UTF-8 text") from None


def parse_each(
    parts: Iterable[tuple[int, Part]],
    parse: Callable[[Part], Item | None],
    context: Context,
    unit: str = "line",
) -> Iterator[Item]:
    """The items of a file by its numbered parts; `parse` returns None for a part without an item."""
    for number, part in parts:
        try:
            item = parse(part)
        except PolyversiError as error:
            context.failed(RecordError(f"{unit} {number}: {error}"))
            continue
        if item is not None:
            yield item


def only_game(item: Item, what: str, *, from_start: bool = False) -> Record:
    """The main line if it is a game without disqualifications; with `from_start`, from its game's start."""
    if not isinstance(item, Record):
        raise RecordError(f"{what} holds games, not positions")
    if item.disqualified:
        raise RecordError(f"{what} cannot hold a disqualification")
    if from_start and item.start != item.game.start():
        spec = item.game.spec
        raise RecordError(f"{what} cannot store where a game began; this one does not begin as {spec} does")
    return replace(item, variations=()) if item.variations else item


def by_lines(write: Callable[[Any], str]) -> Callable[[Iterable[Item]], Iterator[bytes]]:
    """The encoder of a format that writes each item on a line of its own."""
    return lambda items: (write(item).encode() + b"\n" for item in items)
