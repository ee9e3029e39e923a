"""Drawings of states and XT maps as text for terminals, in colour or plain."""

from __future__ import annotations

import textwrap
from collections import defaultdict
from dataclasses import dataclass
from functools import cache
from itertools import groupby, product
from operator import itemgetter

from polyversi.drawing.geometry import axis_names, joined_edges
from polyversi.drawing.marks import Last, marked_moves
from polyversi.drawing.palette import INK, NOBODY, Paint, paints, theme
from polyversi.drawing.words import standing, stocks, summary
from polyversi.games.board import Board
from polyversi.games.game import Game
from polyversi.games.state import State
from polyversi.games.tiles import EMPTY, EXPANSION, HOLE, TILE_NAMES, XT_SYMBOLS
from polyversi.games.xtmap import XtMap

LAST, TURNED, LEGAL = ">", "~", "+"
"""Marks: the last move, a stone it turned, a legal move."""
SHADES = (1.0, 0.93, 0.86)
"""Neighbouring cells differ in shade, as a terminal draws no lines between them."""
LINE = 78
"""The longest line under a board; most terminals have 80 columns."""
PICTURED = 16
"""Boards with more rows than this are pictured with two rows a line."""


def state_terminal(
    state: State,
    *,
    color: bool = True,
    last: Last | None = None,
    legal: bool = True,
    width: int | None = None,
) -> str:
    """A state: its board with coordinates, the score, and who is to move.

    Legal cells are marked `+`, the last move `>` and the stones it turned `~`. A cell takes two columns, or
    one where a terminal of that `width` has no room for two; then only free cells carry their mark. Columns
    for which there is no room at all are left out.

    >>> import polyversi as pv
    >>> state_terminal(pv.game("othello-4").start(), color=False).splitlines()[:3]
    ['  a b c d', '1 · + · ·', '2 + O X ·']
    """
    cells = marked_moves(state) if legal else frozenset[int]()
    view = _View(state.board, state.tiles, state.game.seats, color, cells, state.turn, last)
    scores = []
    for seat, score in enumerate(state.scores, 1):
        stock = stocks(state, seat)
        scores.append(f"{_naming(view.looks[seat - 1], color)} {score}" + (f" ({stock})" if stock else ""))
    about = [standing(state), *view.legend(width)]
    return "\n".join([*view.lines(width), *_wrapped(scores, width), *_wrapped(about, width)])


def map_terminal(xtmap: XtMap, *, color: bool = True, width: int | None = None) -> str:
    """An XT map: its tiles with coordinates, and its stocks below.

    >>> from polyversi.games.xtmap import XtMap
    >>> print(map_terminal(XtMap.parse("2 0 1 0  2 3  b 1 2  - 2 1"), color=False))
      0 1 2
    0 b 1 2
    1   2 1
    3×2, 2 players, each 0 overrides and 1 bomb of radius 0, 0 transitions
    b bonus
    """
    view = _View(xtmap.board(), bytes(xtmap.start()), xtmap.players, color)
    about = textwrap.wrap(summary(xtmap), min(width or LINE, LINE))
    return "\n".join([*view.lines(width), *about, *_wrapped(view.legend(width), width)])


def picture(of: Game | State, *, color: bool = False) -> str:
    """A small picture of a state or of the start of a game: the board alone, large maps at half height.

    >>> import polyversi as pv
    >>> print(picture(pv.game("othello-4")))
    · · · ·
    · O X ·
    · X O ·
    · · · ·
    """
    from polyversi.games.game import Game

    state = of.start() if isinstance(of, Game) else of
    view = _View(state.board, state.tiles, state.game.seats, color)
    if state.board.height > PICTURED:
        return "\n".join(view.halves())
    return textwrap.dedent("\n".join(view.lines(None, labels=False)))


class _Sheet:
    """Characters at any row and column, each in a style of rich, such as `bold #ffffff on #2c8a57`."""

    def __init__(self, color: bool, width: int | None = None) -> None:
        self._color = color
        self._width = width
        self._rows = defaultdict[int, dict[int, tuple[str, str]]](dict)

    def put(self, row: int, column: int, piece: str, style: str) -> None:
        """Writes a piece of text."""
        self._rows[row] |= {at: (character, style) for at, character in enumerate(piece, column)}

    def lines(self) -> list[str]:
        """The lines from row 0 to the last one written."""
        return [self._line(self._rows[row]) for row in range(max(self._rows, default=-1) + 1)]

    def _line(self, row: dict[int, tuple[str, str]]) -> str:
        characters = [row.get(at, (" ", "")) for at in range(max(row, default=-1) + 1)][: self._width]
        if not self._color:
            return "".join(character for character, _ in characters).rstrip()
        from rich.style import Style  # takes 15 to 30 ms, for which plain text need not wait

        return "".join(Style.parse(style).render("".join(character for character, _ in run))
                       for style, run in groupby(characters, itemgetter(1)))


@dataclass(frozen=True)
class _View:
    """What is to be drawn, and the look of each cell."""

    board: Board
    tiles: bytes
    seats: int
    color: bool
    legal: frozenset[int] = frozenset()
    turn: int = 0
    last: Last | None = None

    @property
    def looks(self) -> tuple[Paint, ...]:
        return paints(self.board, self.seats)

    def lines(self, width: int | None, *, labels: bool = True) -> list[str]:
        """The board, with the names of columns and rows."""
        board, hexagonal = self.board, self.board.layout == "hexagon"
        sheet = _Sheet(self.color, None if hexagonal else width)
        columns, rows = axis_names(board)
        aside, above = (len(rows[-1]), len(columns[-1])) if labels else (0, 0)
        pitch = 2 if hexagonal or width is None or aside + 2 * board.width <= width else 1

        def column(x: int, y: int) -> int:
            """Where a cell ends: rows of hexagons begin half a cell further left than the one above."""
            return aside + pitch * x + 1 + (board.height // 2 - y if hexagonal else 0)

        for cell, (x, y) in enumerate(board.coordinates):
            sheet.put(above + y, column(x, y) + 1 - pitch, *self._piece(cell, pitch))
        if labels:
            # From the last cell to the first, so that the uppermost and the leftmost remain.
            top = {x: (y if hexagonal else 0) for x, y in reversed(board.coordinates)}
            left = {y: (x if hexagonal else 0) for x, y in reversed(board.coordinates)}
            for x, name in enumerate(columns):
                for down, character in enumerate(name.rjust(above)):
                    row = top.get(x, 0) - above
                    sheet.put(above + row + down, column(x, row), character, "dim")
            for y, name in enumerate(rows):
                sheet.put(above + y, column(left.get(y, 0), y) - 1 - len(name), name, "dim")
        return sheet.lines()

    def _piece(self, cell: int, pitch: int) -> tuple[str, str]:
        """The text of a cell, with a mark before it where there is room, and its style."""
        tile, mark, colours = self.tiles[cell], LEGAL if cell in self.legal else " ", theme(self.board)
        if self.last and (cell == self.last.cell or cell in self.last.turned):
            mark = LAST if cell == self.last.cell else TURNED
        shades = SHADES[:2] if self.board.layout == "square" else SHADES
        free = _shaded(colours.cell, shades[sum(self.board.coordinates[cell]) % len(shades)])
        letter, ink, ground = XT_SYMBOLS[tile], colours.symbol, free
        if 1 <= tile <= self.seats:
            look = self.looks[tile - 1]
            letter, ink, ground = look.letter, look.ink, look.fill
            if self.color and not look.sign:
                letter, ink, ground = "●", look.fill, free
        elif tile == EMPTY and mark == LEGAL:
            letter, mark, ink = LEGAL, " ", self.looks[self.turn - 1].fill
        elif tile == EMPTY:
            letter = " " if self.color else "·"
        elif tile == HOLE:
            ink, ground = colours.label, colours.hole
        elif tile == EXPANSION:
            ink, ground = INK, NOBODY
        style = "bold " * (tile != EMPTY) + "underline " * (pitch == 1 and mark != " ") + f"{ink} on {ground}"
        return (mark + letter)[-pitch:], style

    def halves(self) -> list[str]:
        """The board alone, with two rows of cells a line; without colour only its shape."""
        board, sheet, plain = self.board, _Sheet(self.color), theme(self.board)
        colours = dict.fromkeys(TILE_NAMES, plain.symbol)
        colours |= {EMPTY: plain.cell, EXPANSION: NOBODY, HOLE: plain.hole}
        colours |= {seat: look.fill for seat, look in enumerate(self.looks, 1)}
        for line, x in product(range((board.height + 1) // 2), range(board.width)):
            cells = board.at(x, 2 * line), board.at(x, 2 * line + 1)
            upper, lower = ("" if cell is None else colours[self.tiles[cell]] for cell in cells)
            if upper and lower:
                sheet.put(line, x, "▀" if self.color else "█", f"{upper} on {lower}")
            elif upper or lower:
                sheet.put(line, x, "▀" if upper else "▄", upper or lower)
        return sheet.lines()

    def legend(self, width: int | None) -> list[str]:
        """What the letters of special tiles mean, which edges are joined, and what is left out."""
        found = [f"{XT_SYMBOLS[tile]} {name}" for tile, name in TILE_NAMES.items()
                 if tile != EMPTY and tile in self.tiles]
        joined = joined_edges(self.board)
        edges = ["left and right joined"] * joined.columns + ["top and bottom joined"] * joined.rows
        columns, rows = axis_names(self.board)
        is_whole = width is None or self.board.layout == "hexagon"
        shown = len(columns) if is_whole else (width or 0) - len(rows[-1]) - 1
        hidden = [f"columns {columns[shown]} to {columns[-1]} not shown"] if 0 < shown < len(columns) else []
        return found + edges + hidden


@cache
def _shaded(colour: str, factor: float) -> str:
    """A colour made darker."""
    return "#" + "".join(f"{int(int(colour[at : at + 2], 16) * factor):02x}" for at in (1, 3, 5))


def _naming(look: Paint, color: bool) -> str:
    """A seat before its score, with the letter of its stones wherever the board shows it."""
    if look.letter in look.name:
        return f"{look.letter}:"
    return look.name if color and not look.sign else f"{look.letter} {look.name}"


def _wrapped(items: list[str], width: int | None) -> list[str]:
    """The items in as few lines as hold them, none of them broken."""
    lines = [""]
    for item in items:
        if lines[-1] and len(lines[-1]) + 3 + len(item) > min(width or LINE, LINE):
            lines.append("")
        lines[-1] += ("   " if lines[-1] else "") + item
    return lines if items else []
