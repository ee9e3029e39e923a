"""Maps of Reversi XT: reading and checking their text, writing it again, and the board a map describes."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import NoReturn

from polyversi.games.board import SQUARE_DIRECTIONS, Board, Link, shorten
from polyversi.games.definition import Definition, Goal
from polyversi.games.errors import MapError
from polyversi.games.game import Game
from polyversi.games.tiles import XT_TILES

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

    @property
    def is_edge(self) -> bool:
        """Whether it joins a side with itself: a line comes back the way it went, as if at an edge."""
        return (self.x1, self.y1, self.r1) == (self.x2, self.y2, self.r2)

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
        polyversi.games.errors.MapError: line 1, column 19: '9' is not a tile; write one of 0 1-8 - c i b x
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
            for joint in self.transitions if not joint.is_edge
        )
        return Board("square", self.width, self.height, tuple(places), links, "pairs")

    def start(self) -> tuple[int, ...]:
        """The tile of each cell of the board, as the numbers of `polyversi.games.tiles`."""
        return tuple(XT_TILES[tile] for tile in self.tiles if tile != "-")


def define_map(chart: XtMap, goal: Goal = "most") -> Definition:
    """Reversi XT on a map."""
    return Definition(
        chart.board(),
        start=chart.start(),
        seats=chart.players,
        goal=goal,
        passing="skip",
        overrides=chart.overrides,
        bombs=chart.bombs,
        radius=chart.radius,
        bad_move="disqualify",
        scoring="ranks",
    )


def check_playable(chart: XtMap) -> None:
    """Raise a MapError when nobody can ever do anything: no move to begin with, and no bomb to throw.

    >>> check_playable(XtMap(2, 0, 0, 0, 1, 3, "012"))    # player 2 can enclose the stone of player 1
    >>> check_playable(XtMap(2, 0, 0, 0, 1, 3, "011"))
    Traceback (most recent call last):
    polyversi.games.errors.MapError: the map has neither a move nor a bomb; nobody could ever play
    """
    if set(chart.tiles) <= {"-"}:
        raise MapError("the map has nothing but holes; it needs tiles to play on")
    if chart.bombs == 0 and not Game("xt:map", define_map(chart)).start().moves:
        raise MapError("the map has neither a move nor a bomb; nobody could ever play")


class _Reader:
    """Reads a map token by token and knows the place of each for its errors."""

    def __init__(self, text: str | bytes) -> None:
        if len(text) > MAX_TEXT:
            raise MapError(f"the text is longer than {MAX_TEXT:,} characters; the largest map needs far less")
        self.source = text.decode("latin-1") if isinstance(text, bytes) else text
        self.tokens = TOKEN.finditer(self.source)
        self.upcoming = next(self.tokens, None)
        self.offset = 0    # where the token read last begins

    def fail(self, message: str, offset: int | None = None) -> NoReturn:
        before = self.source[: self.offset if offset is None else offset]
        lines = NEWLINE.split(before)
        raise MapError(f"line {len(lines)}, column {len(lines[-1]) + 1}: {message}")

    def next(self, wanted: str) -> str:
        match = self.upcoming
        if match is None:
            end = len(self.source.rstrip(" \t\n\r\v\f"))
            self.fail(f"the text ends here; {wanted} should follow", end)
        self.offset, self.upcoming = match.start(), next(self.tokens, None)
        return match[0]

    def number(self, name: str, low: int, high: int) -> int:
        token = self.next(f"{name} ({low} to {high})")
        if "<->" in token:
            self.fail(f"{shorten(token)!r} stands where {name} should; write <-> with a space on both sides, "
                      "between x1 y1 r1 and x2 y2 r2")
        digits = token.lstrip("0")[:9]
        if not (token.isascii() and token.isdigit()) or not low <= int(digits or "0") <= high:
            self.fail(f"{name} is {shorten(token)!r}; it must be a whole number from {low} to {high}")
        return int(digits or "0")

    def read(self) -> XtMap:
        if odd := NOT_ASCII.search(self.source):
            self.fail(f"{odd[0]!r} is not an ASCII character; a map is written in plain ASCII", odd.start())
        players = self.number("the number of players", 2, 8)
        overrides = self.number("the number of override stones", 0, MAX_STOCK)
        bombs = self.number("the number of bombs", 0, MAX_STOCK)
        radius = self.number("the bomb radius", 0, MAX_RADIUS)
        height = self.number("the height", 1, MAX_SIDE)
        width = self.number("the width", 1, MAX_SIDE)
        tiles = "".join(self.read_tile(at, players, height, width) for at in range(height * width))
        bare = XtMap(players, overrides, bombs, radius, height, width, tiles)
        chart = replace(bare, transitions=self.transitions(bare))
        check_playable(chart)
        return chart

    def read_tile(self, at: int, players: int, height: int, width: int) -> str:
        row, column = divmod(at, width)
        token = self.next(f"the tile in column {column} of row {row} ({height} rows of {width})")
        if token not in XT_TILES:
            if all(char in XT_TILES for char in token):
                self.fail(f"{shorten(token)!r} runs tiles together; put a space between two tiles")
            self.fail(f"{shorten(token)!r} is not a tile; write one of 0 1-8 - c i b x")
        if token.isdigit() and int(token) > players:
            self.fail(f"there is a stone of player {token}, but the map is for {players} players")
        return token

    def transitions(self, bare: XtMap) -> tuple[Transition, ...]:
        found: list[Transition] = []
        used: set[tuple[int, int, int]] = set()
        while self.upcoming:
            first = self.endpoint(bare, used, 1)
            arrow = self.next("'<->' and the other end of the transition")
            if arrow != "<->":
                self.fail(f"{shorten(arrow)!r} stands where '<->' should; after the {len(bare.tiles)} tiles "
                          "only transitions follow, written x1 y1 r1 <-> x2 y2 r2")
            second = self.endpoint(bare, used, 2)
            used |= {first, second}    # only now: the courses join a side with itself
            found.append(Transition(*first, *second))
        return tuple(found)

    def endpoint(self, bare: XtMap, used: set[tuple[int, int, int]], end: int) -> tuple[int, int, int]:
        x = self.number(f"x{end} of a transition", 0, bare.width - 1)
        offset = self.offset
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
        return x, y, r
