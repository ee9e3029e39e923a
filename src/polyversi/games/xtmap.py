"""Maps of Reversi XT: reading and checking their text, writing it again, and the board a map describes."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, NoReturn

from polyversi.games.board import SQUARE_DIRECTIONS, Board, Link, shorten
from polyversi.games.errors import MapError
from polyversi.games.tiles import EXPANSION, XT_TILES

if TYPE_CHECKING:
    from collections.abc import Sequence

MAX_SIDE = 50
MAX_STOCK = 9999
"""Override stones or bombs that a map hands out; 16 bits hold them with every bonus tile added."""
MAX_RADIUS = 255
MAX_TEXT = 1_000_000

TOKEN = re.compile(r"[^ \t\n\r\v\f]+")
NEWLINE = re.compile(r"\r\n|\r|\n")
NOT_ASCII = re.compile(r"[^\x00-\x7f]")


@dataclass(frozen=True, slots=True)
class Transition:
    """Two sides of tiles that are joined: leaving tile 1 through r1 enters tile 2 through r2, and back.

    >>> print(Transition(0, 0, 6, 7, 0, 2))
    0 0 6 <-> 7 0 2
    """

    x1: int
    y1: int
    r1: int
    x2: int
    y2: int
    r2: int

    def __str__(self) -> str:
        return f"{self.x1} {self.y1} {self.r1} <-> {self.x2} {self.y2} {self.r2}"


@dataclass(frozen=True)
class XtMap:
    """A map: who plays with what, the tiles, and the transitions that join distant tiles.

    `XtMap.parse` is the checked way in; the constructor itself takes what it is given.

    >>> chart = XtMap.parse("2 0 0 0  2 3  0 1 2  0 2 1  0 0 6 <-> 2 0 2")
    >>> chart.players, chart.tiles, chart.transitions[0].r2
    (2, '012021', 2)
    >>> XtMap.parse(chart.text) == chart
    True
    """

    players: int
    overrides: int
    """Override stones each player begins with."""
    bombs: int
    """Bombs each player begins with."""
    radius: int
    """How many steps a bomb reaches."""
    height: int
    width: int
    tiles: str
    """A character for each place, row by row from the top: `0`, `1` to `8`, `-`, `c`, `i`, `b` or `x`."""
    transitions: tuple[Transition, ...] = ()

    @classmethod
    def parse(cls, text: str | bytes) -> XtMap:
        """The map that a text describes; a MapError says what is wrong, where, and what would be right.

        >>> XtMap.parse("2 0 0 0  1 3  0 1 9")
        Traceback (most recent call last):
        polyversi.games.errors.MapError: line 1, column 19: '9' is no tile; a tile is one of 0 1-8 - c i b x
        """
        return _Reader(text).read()

    @property
    def text(self) -> str:
        """The map in its canonical writing, one row of tiles and one transition a line."""
        rows = (self.tiles[start : start + self.width] for start in range(0, len(self.tiles), self.width))
        head = f"{self.players}\n{self.overrides}\n{self.bombs} {self.radius}\n{self.height} {self.width}"
        return "\n".join([head, *map(" ".join, rows), *map(str, self.transitions)]) + "\n"

    def tile(self, x: int, y: int) -> str:
        """The character of the tile in column x and row y; a hole outside the map."""
        return self.tiles[y * self.width + x] if 0 <= x < self.width and 0 <= y < self.height else "-"

    def board(self) -> Board:
        """The board of this map: holes have no cell, transitions are links.

        >>> XtMap.parse("2 0 1 0  1 3  0 - 1  0 0 2 <-> 2 0 6").board()
        <Board square 3×1, 2 cells, 1 links>
        """
        places = [(at % self.width, at // self.width) for at, tile in enumerate(self.tiles) if tile != "-"]
        index = {place: cell for cell, place in enumerate(places)}
        links = tuple(
            Link(index[joint.x1, joint.y1], joint.r1, index[joint.x2, joint.y2], joint.r2)
            for joint in self.transitions
        )
        return Board("square", self.width, self.height, tuple(places), links, "pairs")

    def start(self) -> tuple[int, ...]:
        """The tile of each cell of the board, as the numbers of `polyversi.games.tiles`."""
        return tuple(XT_TILES[tile] for tile in self.tiles if tile != "-")


def check_playable(chart: XtMap) -> None:
    """Raise a MapError when nobody can ever do anything: no move to begin with, and no bomb to throw.

    >>> check_playable(XtMap(2, 0, 0, 0, 1, 3, "012"))    # player 2 can enclose the stone of player 1
    >>> check_playable(XtMap(2, 0, 0, 0, 1, 3, "011"))
    Traceback (most recent call last):
    polyversi.games.errors.MapError: the map has neither a move nor a bomb; nobody could ever play
    """
    if set(chart.tiles) <= {"-"}:
        raise MapError("the map has nothing but holes; it needs tiles to play on")
    if chart.bombs == 0 and not _has_move(chart):
        raise MapError("the map has neither a move nor a bomb; nobody could ever play")


def _has_move(chart: XtMap) -> bool:
    """Whether any player has a building move at the start."""
    tiles = chart.start()
    if chart.overrides and EXPANSION in tiles:
        return True    # an expansion stone can be overridden without enclosing anything
    steps = chart.board().steps
    stones = [1 <= tile <= 8 or tile == EXPANSION for tile in tiles]
    return any(
        _encloses(cell * 8 + direction, tiles, stones, steps)
        for cell, occupied in enumerate(stones)
        if chart.overrides or not occupied
        for direction in range(8)
    )


def _encloses(start: int, tiles: Sequence[int], stones: Sequence[bool], steps: Sequence[int]) -> bool:
    """Whether somebody's stone on the cell of `start` encloses others along the line that leaves it this way.

    Whoever owns a stone further along the line, other than the first stone, encloses what lies before it.
    From a free cell the walk goes on to the end of the stones, and no two such walks share a stretch. From
    a stone (an override) it stops once it leaves the first cell: if a longer walk succeeds, so does the
    short one that begins nearer to its end. This keeps the whole search linear, whatever the transitions.
    """
    home, at = start // 8, steps[start]
    first = at // 8
    if at < 0 or first == home or not stones[first]:
        return False
    while True:
        at = steps[at]
        cell = at // 8
        if at < 0 or cell == home or not stones[cell]:
            return False
        if tiles[cell] not in (tiles[first], EXPANSION):
            return True
        if stones[home] and cell != first:
            return False


class _Reader:
    """Reads a map token by token and knows the place of each for its errors."""

    def __init__(self, text: str | bytes) -> None:
        if len(text) > MAX_TEXT:
            raise MapError(f"the text is longer than {MAX_TEXT:,} characters; the largest map needs far less")
        self.source = text.decode("latin-1") if isinstance(text, bytes) else text
        self.tokens = TOKEN.finditer(self.source)
        self.offset = 0    # where the token read last begins

    def fail(self, message: str, offset: int | None = None) -> NoReturn:
        before = self.source[: self.offset if offset is None else offset]
        lines = NEWLINE.split(before)
        raise MapError(f"line {len(lines)}, column {len(lines[-1]) + 1}: {message}")

    def next(self, wanted: str) -> str:
        match = next(self.tokens, None)
        if match is None:
            end = len(self.source.rstrip(" \t\n\r\v\f"))
            self.fail(f"the text ends here; {wanted} should follow", end)
        self.offset = match.start()
        return match[0]

    def number(self, name: str, low: int, high: int) -> int:
        token = self.next(f"{name} ({low} to {high})")
        return self.as_number(token, name, low, high)

    def as_number(self, token: str, name: str, low: int, high: int) -> int:
        if "<->" in token:
            self.fail(f"{shorten(token)!r} stands where {name} should; write <-> with a space on both sides, "
                      "between x1 y1 r1 and x2 y2 r2")
        digits = token.lstrip("0")[:9]
        if not (token.isascii() and token.isdigit()) or not low <= int(digits or "0") <= high:
            self.fail(f"{name} is {shorten(token)!r}; it must be a whole number from {low} to {high}")
        return int(digits or "0")

    def read(self) -> XtMap:
        if odd := NOT_ASCII.search(self.source):
            self.fail(f"{odd[0]!r} is no ASCII character; a map is written in plain ASCII", odd.start())
        players = self.number("the number of players", 2, 8)
        overrides = self.number("the number of override stones", 0, MAX_STOCK)
        bombs = self.number("the number of bombs", 0, MAX_STOCK)
        radius = self.number("the bomb radius", 0, MAX_RADIUS)
        height = self.number("the height", 1, MAX_SIDE)
        width = self.number("the width", 1, MAX_SIDE)
        tiles = "".join(self.read_tile(at, players, height, width) for at in range(height * width))
        bare = XtMap(players, overrides, bombs, radius, height, width, tiles)
        chart = XtMap(players, overrides, bombs, radius, height, width, tiles, self.transitions(bare))
        check_playable(chart)
        return chart

    def read_tile(self, at: int, players: int, height: int, width: int) -> str:
        row, column = divmod(at, width)
        token = self.next(f"the tile in column {column} of row {row} ({height} rows of {width})")
        if token not in XT_TILES:
            if all(char in XT_TILES for char in token):
                self.fail(f"{shorten(token)!r} runs tiles together; put a space between two tiles")
            self.fail(f"{shorten(token)!r} is no tile; a tile is one of 0 1-8 - c i b x")
        if token.isdigit() and int(token) > players:
            self.fail(f"there is a stone of player {token}, but the map is for {players} players")
        return token

    def transitions(self, bare: XtMap) -> tuple[Transition, ...]:
        found: list[Transition] = []
        used: set[tuple[int, int, int]] = set()
        for match in self.tokens:
            self.offset = match.start()
            first = self.endpoint(bare, used, 1, match[0])
            arrow = self.next("'<->' and the other end of the transition")
            if arrow != "<->":
                self.fail(f"{shorten(arrow)!r} stands where '<->' should; after the {len(bare.tiles)} tiles "
                          "only transitions follow, written x1 y1 r1 <-> x2 y2 r2")
            found.append(Transition(*first, *self.endpoint(bare, used, 2)))
        return tuple(found)

    def endpoint(
        self, bare: XtMap, used: set[tuple[int, int, int]], end: int, token: str | None = None
    ) -> tuple[int, int, int]:
        """One end of a transition; `token` is its x when that has been read already."""
        token = token or self.next(f"x{end} of a transition")
        offset = self.offset
        x = self.as_number(token, f"x{end} of a transition", 0, bare.width - 1)
        y = self.number(f"y{end} of a transition", 0, bare.height - 1)
        r = self.number(f"the direction r{end} of a transition", 0, 7)
        dx, dy = SQUARE_DIRECTIONS[r]
        if bare.tile(x, y) == "-":
            self.fail(f"the transition's end {x} {y} {r} lies on a hole; both ends must be tiles", offset)
        if bare.tile(x + dx, y + dy) != "-":
            self.fail(f"the transition's end {x} {y} {r} leads to the neighbour {x + dx} {y + dy} already; "
                      "transitions begin where a hole or the edge of the map lies", offset)
        if (x, y, r) in used:
            self.fail(f"the transition's end {x} {y} {r} is used twice; a side takes one transition", offset)
        used.add((x, y, r))
        return x, y, r
