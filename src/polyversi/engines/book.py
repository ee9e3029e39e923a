"""Opening books: what the engine found out beforehand about the first moves of a game, and their files.

A file is text in three parts:

1. the line `polyversi book 1`;
2. a line of JSON, the `Header`: for which game, how each position was searched, and how it was made;
3. a line for each position: the position in its canonical form, a tab, and its moves with their values in
   stones for the seat to move, the best first. Of moves that are symmetric to each other it has one. Where
   the position after a move is in the book as well, the value is what best play makes of that one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from random import Random
from typing import Annotated

import msgspec

from polyversi._core import Move
from polyversi.engines.search import is_supported
from polyversi.games.errors import PolyversiError, RecordError
from polyversi.games.files import StrPath, read_limited, remembering, write_whole
from polyversi.games.game import Game
from polyversi.games.limit import Limit
from polyversi.games.state import State
from polyversi.games.variants import game as game_of
from polyversi.records.position_keys import equal_moves

SHIPPED = Path(__file__).parent / "data"
"""The books that come with the package."""
SUFFIX = ".book"
FIRST_LINE = "polyversi book 1"
MAX_FILE_BYTES = 100_000_000
MAX_HEADER_BYTES = 10_000
MARGIN = 2
"""Stones by which a move may be worse than the best one and still be played: the least by which the results
of two games on a full board differ."""

Values = dict[int, int]
"""What moves are worth, by their numbers in the canonical position."""


class Header(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a file says about its book."""

    spec: Annotated[str, msgspec.Meta(max_length=200)]
    """The game."""
    limit: Annotated[str, msgspec.Meta(max_length=200)]
    """How each position was searched."""
    command: Annotated[str, msgspec.Meta(max_length=1000)]
    """The command that makes the same book."""
    date: Annotated[str, msgspec.Meta(max_length=40)]
    """When it was last added to."""


@dataclass(frozen=True, eq=False)
class Book:
    """Positions of one game with the values of their moves.

    >>> import polyversi as pv
    >>> start = pv.game("othello-4").start()
    >>> book = Book(Header("othello-4", "depth=2", "", ""), {start.canonical()[0].text: {2: -8}})
    >>> {str(move): value for move, value in book.values(start).items()}
    {'d3': -8, 'c4': -8, 'b1': -8, 'a2': -8}
    >>> book.choose(start, seed=1) in start.moves, book.choose(start.play("b1")) is None
    (True, True)
    """

    header: Header
    positions: Mapping[str, Values]
    """By the lines of the canonical positions."""

    @property
    def game(self) -> Game:
        """The game it is for."""
        return game_of(self.header.spec, files=False)

    @property
    def depth(self) -> int:
        """The plies that each position was searched, or 0 where that was not the limit."""
        return Limit.parse(self.header.limit).depth or 0

    def values(self, state: State) -> dict[Move, int]:
        """The moves of a position with their values, the best first; empty if the book does not have it."""
        if state.game != self.game or state.is_over:
            return {}
        known = self.positions.get(state.canonical()[0].text)
        if known is None:
            return {}
        found = {move: known[number] for number, moves in equal_moves(state).items() for move in moves
                 if number in known}
        return dict(sorted(found.items(), key=lambda pair: -pair[1]))

    def choose(self, state: State, seed: int = 0, margin: int = MARGIN) -> Move | None:
        """One of the best moves, none more than `margin` stones worse than the best; None without any.

        The seed chooses: the same one gives the same move, different ones make games differ.
        """
        values = self.values(state)
        if not values:
            return None
        best = max(values.values())
        near = [move for move, value in values.items() if value >= best - margin]
        return Random(f"{seed} {state.text}").choice(near)

    def save(self, path: StrPath) -> None:
        """Writes the file, which is there whole or not at all."""
        write_whole(Path(path), (line.encode() + b"\n" for line in self._lines()))

    def _lines(self) -> Iterator[str]:
        yield FIRST_LINE
        yield msgspec.json.encode(self.header).decode()
        game = self.game
        for line, values in self.positions.items():
            best_first = sorted(values.items(), key=lambda pair: (-pair[1], pair[0]))
            words = (f"{game.action(number)} {value:+}" for number, value in best_first)
            yield f"{line}\t{' '.join(words)}"


def load(path: StrPath) -> Book:
    """Reads the book in a file, whoever may have made it; a RecordError says why that is not possible."""
    path = Path(path)
    data = read_limited(path, MAX_FILE_BYTES, "opening book")
    try:
        first, second, *lines = data.decode("ascii").splitlines()
    except ValueError:
        raise _no_book(path, f"it does not begin with the line '{FIRST_LINE}'") from None
    if first != FIRST_LINE:
        raise _no_book(path, f"it does not begin with the line '{FIRST_LINE}'")
    try:
        header = msgspec.json.decode(second[:MAX_HEADER_BYTES], type=Header)
        game = game_of(header.spec, files=False)
        Limit.parse(header.limit)
    except (msgspec.DecodeError, RecursionError, PolyversiError) as error:
        raise _no_book(path, f"its second line cannot be read, {error}") from None
    if not is_supported(game):
        raise _no_book(path, f"the engine does not play {game.spec}")
    positions: dict[str, Values] = {}
    for number, line in enumerate(lines, 3):
        try:
            text, values = _read_line(game, line)
        except (ValueError, PolyversiError) as error:
            raise _no_book(path, f"line {number}: {error}") from None
        positions[text] = values
    return Book(header, positions)


def _read_line(game: Game, line: str) -> tuple[str, Values]:
    """A position and the values of its moves; a ValueError or PolyversiError says what is wrong."""
    text, _, rest = line.partition("\t")
    state = game.position(text)
    words = rest.split(" ")
    legal = {str(move): move.index for move in state.moves}
    if state.text != text or not words or len(words) % 2 or len(words) > 2 * len(legal):
        raise ValueError("this is not a position with the values of its moves")
    values: Values = {}
    for name, figure in zip(words[::2], words[1::2], strict=True):
        if name not in legal:
            raise ValueError(f"'{name[:20]}' is not a legal move in its position")
        value = int(figure) if len(figure) <= 4 else game.board.size + 1
        if abs(value) > game.board.size:
            raise ValueError(f"'{figure[:20]}' is not a number of stones")
        values[legal[name]] = value
    return text, values


def _no_book(path: Path, why: str) -> RecordError:
    return RecordError(f"{path} is not an opening book: {why}")


cached = remembering(load)
"""The book in a file, read again only when the file has changed."""


def book_for(game: Game, folder: Path = SHIPPED) -> Book | None:
    """The book of a folder that is for a game, if any."""
    return next((book for path in _books_in(folder) if (book := cached(path)).game == game), None)


@lru_cache(maxsize=8)
def _books_in(folder: Path) -> list[Path]:
    return sorted(folder.glob(f"*{SUFFIX}"))


def book_values(state: State, books: Iterable[Book] = ()) -> dict[Move, int]:
    """What books say of a position: the first one that has it, and then the one that comes with the package.

    >>> import polyversi as pv
    >>> book_values(pv.game("anti").start())
    {}
    """
    shipped = book_for(state.game)
    for book in (*books, *([shipped] if shipped else [])):
        if values := book.values(state):
            return values
    return {}
