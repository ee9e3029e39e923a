"""Drawings of boards, states and XT maps as self-contained SVG that can be put into any page as it is."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping

from polyversi.drawing.layers import Scene
from polyversi.drawing.marks import Last, marked_moves
from polyversi.drawing.markup import element, label, number, text
from polyversi.drawing.words import describe, describe_tiles, standing, stocks, summary
from polyversi.games.board import Board
from polyversi.games.state import State
from polyversi.games.xtmap import XtMap

MAX_SIZE = 960
"""The longer side of a drawing in pixels, unless another size is asked for."""
LINE = 40.0
"""The height of a line under the board."""
CHIP, CHIP_WITH_STOCKS = 82.0, 236.0
"""The width of a seat's score in that line."""


def state_svg(
    state: State, *, last: Last | None = None, legal: bool = True, words: Mapping[int, str] | None = None,
    size: int | None = None, colours: str = "",
) -> str:
    """A state: its board, the legal cells as dots, the last move ringed, and the score below.

    `words` are short texts to write on cells, `size` is the longer side in pixels, and `colours` are other
    looks of the stones than the board's own: `red-blue`.

    >>> import polyversi as pv
    >>> state_svg(pv.game("othello").start())[:47]
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox'
    """
    cells = marked_moves(state) if legal else frozenset[int]()
    scene = Scene(state.board, state.tiles, state.game.seats, colours)
    lines, height = _scores(scene, state)
    title = f"{state.game.spec}, {standing(state, colours)}, {' : '.join(map(str, state.scores))}"
    marks = scene.legal(cells, state.turn) + scene.last(last) + scene.words(words or {})
    return _document(scene, marks + lines, title, describe(state, last, cells, colours), size, height)


def board_svg(
    board: Board, tiles: bytes, *, seats: int = 2, last: Last | None = None, size: int | None = None
) -> str:
    """A board with a tile on each cell, as in `State.tiles`.

    >>> from polyversi.games.board import rectangle
    >>> "black 1: b1" in board_svg(rectangle(2, 1), bytes([0, 1]))
    True
    """
    scene = Scene(board, tiles, seats)
    title = f"{board.layout} board of {board.size} cells"
    return _document(scene, scene.last(last), title, f"{title}. {describe_tiles(board, tiles, seats)}.", size)


def map_svg(xtmap: XtMap, *, size: int | None = None) -> str:
    """An XT map: its tiles, its transitions with a numbered port at either end, and its stocks below.

    >>> from polyversi.games.xtmap import XtMap
    >>> "2,0 right" in map_svg(XtMap.parse("2 0 0 0  2 3  0 1 2  0 2 1  0 0 6 <-> 2 0 2"))
    True
    """
    scene = Scene(xtmap.board(), bytes(xtmap.start()), xtmap.players)
    layout, title = scene.layout, summary(xtmap)
    font = max(15, layout.width / 64)  # still readable when a large map is scaled down to the screen
    line = 1.5 * font
    words = textwrap.wrap(title, int((layout.width - 40) / font / 0.55))
    below = [label(part, complex(20, layout.height + (row + 0.5) * line)) for row, part in enumerate(words)]
    caption = element("g", *below, fill=scene.theme.label, font_size=font)
    description = f"{title}. {describe_tiles(scene.board, scene.tiles, scene.seats)}."
    return _document(scene, caption, title, description, size, line * len(words) + 8)


def _document(scene: Scene, marks: str, title: str, words: str, size: int | None, extra: float = 0.0) -> str:
    width, height = scene.layout.width, scene.layout.height + extra
    longer = max(width, height)
    scale = (size or min(longer, MAX_SIZE)) / longer
    return element(
        "svg",
        element("title", text(title)),
        element("rect", width=width, height=height, rx=10, fill=scene.theme.frame),
        scene.cells(),
        scene.edges(),
        scene.specials(),
        scene.arcs(),
        scene.stones(),
        marks,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {number(width)} {number(height)}",
        width=width * scale,
        height=height * scale,
        role="img",
        aria_label=words,
        font_family="Helvetica, Arial, sans-serif",
    )


def _scores(scene: Scene, state: State) -> tuple[str, float]:
    """What every seat has, below the board, who is to move or has won framed; and the height it takes."""
    layout, words = scene.layout, standing(state, scene.colours)
    ahead = (state.turn,) if state.turn else state.result.winners if state.result else ()
    wide = CHIP_WITH_STOCKS if state.game.definition.has_stocks else CHIP
    in_line = max(1, int((layout.width - layout.margin) // wide))
    parts, colour = [], scene.theme.label
    for seat in range(1, state.game.seats + 1):
        down, across = divmod(seat - 1, in_line)
        at = complex(layout.margin + across * wide, layout.height + (down + 0.4) * LINE)
        parts.append(scene.stone(scene.looks[seat - 1], [at + LINE / 2]))
        parts.append(label(str(state.scores[seat - 1]), at + 42, font_weight="bold"))
        if stock := stocks(state, seat):
            parts.append(label(stock, at + 84, font_size=12))
        if seat in ahead:
            half = LINE / 2 - 1
            sides = {"x": at.real, "y": at.imag - half, "width": wide - 8, "height": 2 * half, "rx": half}
            parts.append(element("rect", **sides, fill="none", stroke=colour))
    lines, in_last = down + 1, across + 1
    if layout.margin + in_last * wide + 9 * len(words) < layout.width - layout.margin:
        parts.append(label(words, complex(layout.width - layout.margin, at.imag), text_anchor="end"))
    return element("g", *parts, class_="pv-scores", fill=colour, stroke_width=1.5, font_size=16), lines * LINE
