"""Maps of Reversi XT: reading and checking their text, writing it again, and the board a map describes."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from itertools import islice
from typing import NoReturn

from polyversi.games.board import SQUARE_DIRECTIONS, Board, Link, shorten
from polyversi.games.definition import Definition, Goal
from polyversi.games.errors import MapError
from polyversi.games.game import Game
from polyversi.games.tiles import XT_TILES

MAX_SIDE = 300
"""Rows or columns; the courses' largest maps have 52."""
MAX_STOCK = 9999
"""Override stones or bombs that a map hands out."""
MAX_BYTE = 255
"""Steps of a bomb; and the courses' server counts stones and bombs in a byte, too."""
MAX_TEXT = 4_000_000
"""Characters; the largest map with a transition at every side that can have one fits."""

MAX_DOUBTS = 3
"""Doubts about a map that are told; the others are counted."""
TRANSITION_TOKENS = 7

TOKEN = re.compile(r"[^ \t\n\r\v\f]+")
TOLERANT_TOKEN = re.compile(r"<->|(?:(?!<->)[^ \t\n\r\v\f])+")
"""The arrow of a transition need not stand on its own."""
NUMBER = re.compile(r"[+-]?[0-9]+", re.ASCII)
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

    `XtMap.parse` is the checked way in; the constructor itself takes what it is given. Whether anybody can
    play on a map is another question, which `check_playable` answers for those who host games.

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
        return _Reader(text).map()

    @classmethod
    def parse_tolerantly(cls, text: str | bytes) -> tuple[XtMap, tuple[str, ...]]:
        """The map as far as the text can be understood, and a sentence for everything that is wrong with it.

        It is for clients, who can only play on the map that the server sends: transitions that cannot be are
        left out, what is not a tile is taken for a hole, and numbers are read as the courses' server does. A
        MapError says that no map can be made of the text.

        >>> chart, doubts = XtMap.parse_tolerantly("2 300 1 1  1 3  0 1 2  0 0 2 <-> 2 0 2")
        >>> chart.overrides, chart.transitions, [doubt.partition(":")[0] for doubt in doubts]
        (44, (), ['line 1, column 3', 'line 1, column 24'])
        """
        reader = _Reader(text, is_tolerant=True)
        return reader.map(), reader.doubtful()

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


def check_playable(game: Game) -> None:
    """Raise a MapError when nobody can ever do anything: no move to begin with, and no bomb to throw.

    It is for those who host a game; a client plays whatever it is sent.

    >>> from polyversi.games.xt import xt_game
    >>> check_playable(xt_game(XtMap.parse("2 0 0 0  1 3  0 1 2")))    # player 2 can enclose a stone
    >>> check_playable(xt_game(XtMap.parse("2 0 0 0  1 3  0 1 1")))
    Traceback (most recent call last):
    polyversi.games.errors.MapError: the map has neither a move nor a bomb; nobody could ever play
    """
    if game.start().is_over:
        raise MapError("the map has neither a move nor a bomb; nobody could ever play")


class _Problem(Exception):  # noqa: N818 a tolerant reader goes on
    """Something in the text that is wrong, and where."""

    def __init__(self, words: str, offset: int) -> None:
        super().__init__(words)
        self.words = words
        self.offset = offset


class _Reader:
    """Reads a map token by token and knows the place of each for its errors.

    A tolerant one keeps its doubts and goes on where a strict one fails.
    """

    def __init__(self, text: str | bytes, *, is_tolerant: bool = False) -> None:
        if len(text) > MAX_TEXT:
            raise MapError(f"the text is longer than {MAX_TEXT:,} characters; the largest map needs less")
        self.source = text.decode("latin-1") if isinstance(text, bytes) else text
        self.is_tolerant = is_tolerant
        self.doubts: list[_Problem] = []
        self.tokens = (TOLERANT_TOKEN if is_tolerant else TOKEN).finditer(self.source)
        self.upcoming = next(self.tokens, None)
        self.offset = 0    # where the token read last begins

    def map(self) -> XtMap:
        """The map, or a MapError with the place of what is wrong."""
        try:
            return self.read()
        except _Problem as problem:
            raise MapError(self.located(problem)) from None

    def doubtful(self) -> tuple[str, ...]:
        """The first doubts, and how many more there are."""
        more = len(self.doubts) - MAX_DOUBTS
        return (*map(self.located, self.doubts[:MAX_DOUBTS]), *([f"and {more} more"] if more > 0 else []))

    def located(self, problem: _Problem) -> str:
        lines = NEWLINE.split(self.source[: problem.offset])
        return f"line {len(lines)}, column {len(lines[-1]) + 1}: {problem.words}"

    def fail(self, words: str, offset: int | None = None) -> NoReturn:
        raise _Problem(words, self.offset if offset is None else offset)

    def doubt(self, words: str, remedy: str) -> None:
        """Fails, or goes on with the remedy."""
        if not self.is_tolerant:
            self.fail(words)
        self.doubts.append(_Problem(f"{words}; {remedy}", self.offset))

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
        value = _whole_number(token)
        if value is None or not low <= value <= high:
            self.fail(f"{name} is {shorten(token)!r}; it must be a whole number from {low} to {high}")
        return value

    def count(self, name: str, most: int) -> int:
        """Stones, bombs or steps; the courses' server takes the lowest byte of the digits in front."""
        high = MAX_BYTE if self.is_tolerant else most
        token = self.next(f"{name} (0 to {high})")
        value = _whole_number(token)
        if value is None or not 0 <= value <= high:
            begun = NUMBER.match(token)
            value = (_whole_number(begun[0]) or 0) % (MAX_BYTE + 1) if begun else 0
            self.doubt(f"{name} is {shorten(token)!r}; it must be a whole number from 0 to {high}",
                       f"{value} is used")
        return value

    def read(self) -> XtMap:
        if (odd := NOT_ASCII.search(self.source)) and not self.is_tolerant:
            self.fail(f"{odd[0]!r} is not an ASCII character; a map is written in plain ASCII", odd.start())
        players = self.number("the number of players", 2, 8)
        overrides = self.count("the number of override stones", MAX_STOCK)
        bombs = self.count("the number of bombs", MAX_STOCK)
        radius = self.count("the bomb radius", MAX_BYTE)
        height = self.number("the height", 1, MAX_SIDE)
        width = self.number("the width", 1, MAX_SIDE)
        tiles = "".join(self.tile(at, players, height, width) for at in range(height * width))
        if set(tiles) <= {"-"}:
            raise MapError("the map has nothing but holes; it needs tiles to play on")
        bare = XtMap(players, overrides, bombs, radius, height, width, tiles)
        return replace(bare, transitions=self.transitions(bare))

    def tile(self, at: int, players: int, height: int, width: int) -> str:
        match = self.upcoming
        if match is not None and match[0] in XT_TILES and not players < XT_TILES[match[0]] <= 8:
            self.offset, self.upcoming = match.start(), next(self.tokens, None)
            return match[0]
        row, column = divmod(at, width)
        token = self.next(f"the tile in column {column} of row {row} ({height} rows of {width})")
        if token in XT_TILES:
            problem = f"there is a stone of player {token}, but the map is for {players} players"
        elif all(char in XT_TILES for char in token):
            problem = f"{shorten(token)!r} runs tiles together; put a space between two tiles"
        else:
            problem = f"{shorten(token)!r} is not a tile; write one of 0 1-8 - c i b x"
        self.doubt(problem, "it is taken for a hole")
        return "-"

    def transitions(self, bare: XtMap) -> tuple[Transition, ...]:
        found: list[Transition] = []
        used: set[tuple[int, int, int]] = set()
        while self.upcoming:
            begin = self.upcoming.start()
            try:
                joint = self.transition(bare, used)
            except _Problem as problem:
                if not self.is_tolerant:
                    raise
                self.doubts.append(_Problem(f"{problem.words}; this transition is left out", problem.offset))
                self.skip_transition(begin)
                continue
            if self.is_tolerant and joint.is_edge:
                continue    # to the courses' server this is nothing, and the side can still be used
            found.append(joint)
            used |= {(joint.x1, joint.y1, joint.r1), (joint.x2, joint.y2, joint.r2)}
        return tuple(found)

    def transition(self, bare: XtMap, used: set[tuple[int, int, int]]) -> Transition:
        first = self.endpoint(bare, used, 1)
        arrow = self.next("'<->' and the other end of the transition")
        if arrow != "<->":
            self.fail(f"{shorten(arrow)!r} stands where '<->' should; after the {len(bare.tiles)} tiles "
                      "only transitions follow, written x1 y1 r1 <-> x2 y2 r2")
        second = self.endpoint(bare, used, 2)    # may be the first again: the courses join a side with itself
        return Transition(*first, *second)

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

    def skip_transition(self, begin: int) -> None:
        """Goes on behind the transition that begins there, whatever has been read of it."""
        self.tokens = TOLERANT_TOKEN.finditer(self.source, begin)
        self.upcoming = next(islice(self.tokens, TRANSITION_TOKENS, None), None)


def _whole_number(token: str) -> int | None:
    """The number that a token writes, also `+2` and `-0`; None if it is not one.

    >>> _whole_number("007"), _whole_number("-1"), _whole_number("1.0")
    (7, -1, None)
    """
    if not NUMBER.fullmatch(token):
        return None
    digits = int(token.lstrip("+-").lstrip("0")[:18] or "0")
    return -digits if token.startswith("-") else digits
