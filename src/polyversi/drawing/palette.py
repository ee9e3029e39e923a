"""Colours and signs: how the stones of each seat and the cells of each kind of board look."""

from __future__ import annotations

from dataclasses import dataclass

from polyversi.games.board import Board


@dataclass(frozen=True, slots=True)
class Paint:
    """How the stones of one seat look."""

    name: str
    """The seat in words: `black`, `seat 3`."""
    fill: str
    """The colour of the stone."""
    ink: str
    """The colour of what is written on the stone."""
    letter: str
    """The stone where there is no colour."""
    sign: str
    """What is drawn on the stone, so that colours need not be told apart; black and white need none."""


@dataclass(frozen=True, slots=True)
class Theme:
    """The colours of a board without its stones."""

    frame: str
    cell: str
    line: str
    label: str
    hole: str
    symbol: str
    """The signs of the special tiles."""
    mark: str
    """The rings of the last move and of the stones it turned."""


INK = "#10151c"
"""What is written on bright colours."""
NOBODY = "#8b96a3"
"""Stones that belong to nobody."""
BLACK_AND_WHITE = (
    Paint("black", "#17191c", "#ffffff", "X", ""),
    Paint("white", "#f7f5ef", "#17191c", "O", ""),
)
RED_AND_BLUE = (
    Paint("red", "#c81d3a", "#ffffff", "X", "X"),
    Paint("blue", "#1d58b8", "#ffffff", "O", "O"),
)
X_AND_Y = (RED_AND_BLUE[0], Paint("blue", "#1d58b8", "#ffffff", "Y", "Y"))
"""The two sides of a series, on any board."""
COLOURS = {"red-blue": X_AND_Y}
"""Looks that a game can have instead of those of its board, by the name that its record has for them."""
# After Okabe and Ito, whose eight colours stay apart under every common colour blindness.
EIGHT_FILLS = ("#e0641a", "#3d8fd8", "#f0e442", "#cc79a7", "#12a67c", "#f7f5ef", "#a4e2f5", "#a98b6d")
EIGHT = tuple(
    Paint(f"seat {seat}", fill, INK, str(seat), str(seat)) for seat, fill in enumerate(EIGHT_FILLS, 1)
)

FELT = Theme("#4a3728", "#2c8a57", "#1a5c39", "#d9c9b4", "#3a2b1f", "#f2c94c", "#ffb000")
SAND = Theme("#3a332b", "#eadbb8", "#b39b6b", "#d8ccb6", "#2e2822", "#6b4e16", "#0b7a3b")
SLATE = Theme("#161b22", "#3b4552", "#161b22", "#93a1b0", "#1d232b", "#ffd166", "#ffffff")


def paints(board: Board, seats: int, colours: str = "") -> tuple[Paint, ...]:
    """The look of each seat's stones: black and white, red and blue on hexagons, or numbered colours.

    `colours` names another look for all of them; one that has not as many seats is ignored.

    >>> from polyversi.games.board import hexagon, rectangle
    >>> [paint.name for paint in paints(rectangle(8, 8), 2)]
    ['black', 'white']
    >>> [paint.name for paint in paints(hexagon(5), 3)]
    ['seat 1', 'seat 2', 'seat 3']
    >>> [paint.name for paint in paints(rectangle(8, 8), 2, "red-blue")]
    ['red', 'blue']
    """
    if len(COLOURS.get(colours, ())) == seats:
        return COLOURS[colours]
    if seats == 2 and board.notation == "letters":
        return BLACK_AND_WHITE if board.layout == "square" else RED_AND_BLUE
    return EIGHT[:seats]


def theme(board: Board) -> Theme:
    """Green felt for squares, sand for hexagons, slate for XT maps."""
    if board.notation == "pairs":
        return SLATE
    return FELT if board.layout == "square" else SAND
