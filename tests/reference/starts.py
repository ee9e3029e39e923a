"""Set-ups: the stones of Othello and of the hexagon's ring, and whole games from the text of an XT map."""

from .boards import Coordinate, hexagon_cells, neighbours, rectangle_cells
from .rules import EMPTY, RefGame

XT_TILES = {
    "0": 0, "1": 1, "2": 2, "3": 3, "4": 4, "5": 5, "6": 6, "7": 7, "8": 8, "c": 10, "i": 11, "b": 12, "x": 13
}  # fmt: skip


def _four_stones(width: int, height: int, stones: tuple[int, int, int, int]) -> tuple[int, ...]:
    x, y = (width - 2) // 2, (height - 2) // 2
    four = dict(zip([(x, y), (x + 1, y), (x, y + 1), (x + 1, y + 1)], stones, strict=True))
    return tuple(four.get(place, EMPTY) for place in rectangle_cells(width, height))


def cross(width: int, height: int) -> tuple[int, ...]:
    """Othello's start: two stones each, crosswise in the middle.

    >>> cross(4, 2)
    (0, 2, 1, 0, 0, 1, 2, 0)
    """
    return _four_stones(width, height, (2, 1, 1, 2))


def parallel(width: int, height: int) -> tuple[int, ...]:
    """The other start of old: two stones each, side by side in the middle.

    >>> parallel(4, 2)
    (0, 2, 2, 0, 0, 1, 1, 0)
    """
    return _four_stones(width, height, (2, 2, 1, 1))


def ring(side: int) -> tuple[int, ...]:
    """The hexagon's start: six stones of alternating seats round the empty centre.

    >>> ring(2)
    (2, 1, 1, 0, 2, 2, 1)
    """
    middle = side - 1
    around = [(0, -1), (1, 0), (1, 1), (0, 1), (-1, 0), (-1, -1)]
    stones: dict[Coordinate, int] = {
        (middle + dx, middle + dy): 1 + i % 2 for i, (dx, dy) in enumerate(around)
    }
    return tuple(stones.get(place, EMPTY) for place in hexagon_cells(side))


def from_xt_map(text: str) -> RefGame:
    """The game of a sound XT map; holes get no cell.

    >>> game = from_xt_map("2 3 1 0 1 4  1 2 0 -  0 0 6 <-> 2 0 2")
    >>> game.start, game.steps[0, 6], game.overrides
    ((1, 2, 0), (2, 6), 3)
    """
    tokens = text.split()
    seats, overrides, bombs, radius, height, width = (int(token) for token in tokens[:6])
    symbols, rest = tokens[6 : 6 + width * height], tokens[6 + width * height :]
    tiles = dict(zip(rectangle_cells(width, height), symbols, strict=True))
    places = [place for place, symbol in tiles.items() if symbol != "-"]
    cell_at = {place: cell for cell, place in enumerate(places)}
    links = []
    for i in range(0, len(rest), 7):
        x1, y1, r1, _, x2, y2, r2 = rest[i : i + 7]
        links.append((cell_at[int(x1), int(y1)], int(r1), cell_at[int(x2), int(y2)], int(r2)))
    return RefGame(
        steps=neighbours("square", places, links),
        directions=8,
        start=tuple(XT_TILES[tiles[place]] for place in places),
        seats=seats,
        passing="skip",
        overrides=overrides,
        bombs=bombs,
        radius=radius,
    )
