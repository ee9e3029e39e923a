"""Three maps for eight players after the descriptions of a course group of 2019."""

from __future__ import annotations

from typing import TYPE_CHECKING

from polyversi.games.board import SQUARE_DIRECTIONS
from polyversi.games.mapkinds.canvas import Canvas, Place, edge, turns
from polyversi.games.mapkinds.registry import map_kind

if TYPE_CHECKING:
    from random import Random

    from polyversi.games.xtmap import XtMap


@map_kind("compressedSquare", (8,))
def compressed_square(rng: Random, players: int) -> XtMap:
    """A cross round a 2×2 hole, and in that hole, through transitions, a whole square of 20×20."""
    side, piece = 42, 10
    far = side - piece
    canvas = Canvas(side, side, turns(players, side))
    canvas.fill("0", piece + 1, 0, far - 1, side)
    canvas.put("-", (side // 2, side // 2))
    canvas.fill("0", 0, 0, piece, piece)
    canvas.stamp(20, 2, "12", "21")          # each arm of the cross, far out and near the square
    canvas.stamp(12, 15, "18", "81")
    canvas.stamp(20, 11, "12", "21")
    canvas.stamp(33, 4, "23", "32")          # the quarters of the square
    canvas.put("b", (20, 0), (18, 0), (15, 6), (35, 7))
    canvas.put("i", (20, 18))
    canvas.put("c", (41, 0))
    canvas.scatter(rng, "b", rng.randint(0, 2))
    canvas.scatter(rng, "x", rng.randint(1, 3))

    def unfolded(x: int, y: int, r: int) -> Place | None:
        """The quarters in the corners are one square: a step off one of them goes on in the next."""
        quarter = x < piece or x >= far, y < piece or y >= far
        dx, dy = SQUARE_DIRECTIONS[r]
        column, row = (at if at < piece else at - far + piece for at in (x, y))
        column, row = column + dx, row + dy
        if not all(quarter) or not (0 <= column < 2 * piece and 0 <= row < 2 * piece):
            return None
        x, y = (at if at < piece else at - piece + far for at in (column, row))
        return x, y, r

    canvas.extend(unfolded)
    for direction, x, y in ((7, 19, 19), (0, 20, 19), (6, 19, 20)):    # the square's corners touch the cross
        canvas.link((0, 0, direction), (x, y, (direction + 4) % 8))
    return canvas.finish(rng, players, (2, 5), (1, 3), (2, 3))


@map_kind("starfish", (8,))
def starfish(rng: Random, players: int) -> XtMap:
    """A wide field with a hole in the middle, four arms full of bonus tiles, and a ring of joined plates."""
    side, arm = 33, 17
    canvas = Canvas(side, side, turns(players, side))
    canvas.fill("0", 8, 8, 25, 25)
    canvas.put("-", (8, 8), (16, 16))
    canvas.fill("0", 8, 1, 8 + arm, 5)                       # a plate on each side
    canvas.stamp(9, 2, "81", "18")
    canvas.stamp(15, 2, "1x2", "2x1")
    canvas.put("b", (12, 1), (14, 4), (16, 1))
    canvas.fill("0", 3, 3, 7, 7)                             # an arm in each corner, with a thin tip
    canvas.fill("0", 1, 1, 3, 3)
    canvas.put("0", (0, 0))
    canvas.stamp(3, 3, "b81b", "1x.2", "8.x.", "b7.b")
    canvas.stamp(15, 10, "1x2", "8x3", "2x1")                # the field
    canvas.put("i", (16, 14))
    canvas.put("c", (16, 8))
    canvas.scatter(rng, "b", rng.randint(1, 3))
    rim = edge(8, 1, 6, 4, 4), edge(1, 8, 0, 2, 4)
    for here, there in zip(*rim, strict=True):
        canvas.link(here, there)                             # plates meet end to end: four circles
    canvas.link((0, 0, 0), (0, side - 1, 4))                 # so do the tips
    canvas.link((6, 6, 3), (17, 17, 7))                      # each arm comes out of the hole on its far side
    return canvas.finish(rng, players, (3, 6), (1, 2), (1, 2))


@map_kind("SierpinskiCarpet", (8,))
def sierpinski_carpet(rng: Random, players: int) -> XtMap:
    """Nine squares of nine squares of nine tiles; the way to the rich middle leads through the holes."""
    side = 27
    canvas = Canvas(side, side, turns(players, side))
    canvas.fill("0", 0, 0, side, side)
    canvas.put("-", *((x, y) for x in range(1, side, 3) for y in range(1, side, 3)))
    canvas.fill("-", 9, 9, 18, 18)
    canvas.stamp(3, 3, "xxx", "xcx", "xxx")
    canvas.stamp(12, 3, "1x2", "x0x", "2x1")
    canvas.stamp(12, 12, "bbb", "b.b", "bbb")
    canvas.put("b", (10, 10))
    canvas.put("c", (13, 10))
    canvas.put(rng.choice("xc"), (13, 13))
    canvas.scatter(rng, "b", rng.randint(0, 1))
    for dx, dy in SQUARE_DIRECTIONS:    # for each square at the rim, and each of its holes
        x, y = 13 + 9 * dx, 13 + 9 * dy
        for s, (ux, uy) in enumerate(SQUARE_DIRECTIONS):
            # A line into a hole from outside crosses the square's island and leaves by the hole opposite.
            canvas.link((x + 4 * ux, y + 4 * uy, (s + 4) % 8), (13 + 3 * dx, 13 + 3 * dy, s))
            # A line that leaves the middle comes out of a hole and runs through the square's centre.
            canvas.link((x - 2 * ux, y - 2 * uy, (s + 4) % 8), (13 + dx, 13 + dy, s))
    return canvas.finish(rng, players, (2, 4), (1, 3), (1, 1))
