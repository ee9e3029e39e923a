"""Three maps for eight players after the descriptions of a course group of 2019."""

from __future__ import annotations

from random import Random

from polyversi.games.board import SQUARE_DIRECTIONS
from polyversi.games.mapkinds.canvas import Canvas, Side, Symmetry, edge, map_kind, turns
from polyversi.games.xtmap import XtMap

SIDE, CORE, STRIP = 36, 20, 5
"""The sides of the compressed square's sheet and of its core, and how many rows of the core a strip has."""


def core_place(column: int, row: int, r: int) -> Side:
    """Where a place of the core lies on the sheet: in one of four strips, each a quarter turn further."""
    x, y = column, row % STRIP
    for _ in range(row // STRIP):
        x, y, r = SIDE - 1 - y, x, (r + 2) % 8
    return x, y, r


ON_CORE = {
    core_place(column, row, r): (column, row, r)
    for row in range(CORE) for column in range(CORE) for r in range(8)
}
"""The way back: for places of the sheet where the core lies, the column, row and direction in it."""


def core_step(x: int, y: int, r: int) -> Side | None:
    """Where a step off a strip goes on in the core; None from elsewhere, and at the core's edge."""
    dx, dy = SQUARE_DIRECTIONS[r]
    column, row, direction = ON_CORE.get((x - dx, y - dy, r), (-9, -9, r))
    dx, dy = SQUARE_DIRECTIONS[direction]
    inside = 0 <= column + dx < CORE and 0 <= row + dy < CORE
    return core_place(column + dx, row + dy, direction) if inside else None


def compressed(field: Symmetry, core: Symmetry) -> Symmetry:
    """The symmetry that lays the field onto itself on the sheet, and the core as if it were in one piece."""
    def place(x: int, y: int, r: int) -> Side:
        on_core = ON_CORE.get((x, y, r))
        return core_place(*core.place(*on_core)) if on_core else field.place(x, y, r)

    return Symmetry(place, field.seats)


@map_kind("compressedSquare", (8,))
def compressed_square(rng: Random, players: int) -> XtMap:
    """A field round a 2×2 hole that holds a whole square of 20×20, laid round the field in four strips."""
    middle = SIDE // 2
    canvas = Canvas(SIDE, SIDE, list(map(compressed, turns(players, SIDE), turns(players, CORE))))
    canvas.put("0", *{(x, y) for x, y, _ in ON_CORE})
    canvas.fill("0", STRIP + 1, STRIP + 1, middle, middle)
    canvas.put("-", (middle, middle))
    canvas.stamp(8, 8, "x1.", ".x8", "..x")                  # stones near the field's corners and its hole
    canvas.stamp(15, 9, "2x12x1")
    canvas.stamp(15, 13, "2x12x1")
    canvas.stamp(9, 1, "12", "21")                           # and at the sides of the core
    canvas.put("c", core_place(CORE // 2, CORE // 2, 0)[:2])
    canvas.put("i", (middle, 11))
    canvas.put("b", (0, 0), (6, 6), (12, 6), (13, 13))
    canvas.scatter(rng, "b", rng.randint(0, 2))
    canvas.scatter(rng, "x", rng.randint(1, 3))
    canvas.extend(core_step)
    # The two middle lanes of the core run on in the field, straight and aslant, and so do its diagonals.
    canvas.join(edge(middle - 1, middle - 2, 4, 2, 2), edge(CORE // 2 - 1, 0, 0, 2, 2))
    canvas.link((middle - 2, middle - 2, 3), (0, 0, 7))
    return canvas.finish(rng, players, (2, 5), (1, 3), (2, 3))


@map_kind("starfish", (8,))
def starfish(rng: Random, players: int) -> XtMap:
    """A round body and eight arms full of bonus tiles; three circles run through all the arms."""
    side, middle = 33, 16
    canvas = Canvas(side, side, turns(players, side))
    for up in range(middle + 1):
        for right in range(up + 1):    # an eighth of the sheet, between an upright and a slanting arm
            body = right**2 + up**2 <= 85
            upright = right <= min(3, (19 - up) // 2)
            slanting = up - right <= min(3, (31 - up - right) // 2)
            if body or upright or slanting:
                canvas.put("0", (middle + right, middle - up))
    canvas.stamp(16, 4, "x2", "x1")                          # stones on both sorts of arms and on the body
    canvas.stamp(24, 6, ".3", "2x")
    canvas.stamp(16, 10, "x2", "x5", "x1")
    canvas.put("b", (16, 0), (18, 2), (19, 4), (30, 2), (28, 3), (26, 5))
    canvas.put("i", (22, 10))
    canvas.put("c", (middle, middle))
    canvas.scatter(rng, "b", rng.randint(1, 3))
    # Each circle turns by an eighth on its way from one arm to the next.
    canvas.link((18, 1, 2), (28, 2, 7))
    canvas.link((19, 3, 2), (26, 3, 7))
    canvas.link((19, 5, 2), (25, 5, 7))
    return canvas.finish(rng, players, (3, 6), (1, 2), (1, 2))


@map_kind("SierpinskiCarpet", (8,))
def sierpinski_carpet(rng: Random, players: int) -> XtMap:
    """Nine squares of nine squares of nine tiles; the way to the rich middle leads through the holes."""
    side = 27
    canvas = Canvas(side, side, turns(players, side), "0")
    canvas.put("-", *((x, y) for x in range(1, side, 3) for y in range(1, side, 3)))
    canvas.fill("-", 3, 3, 6, 6)                             # the middle of each square: in the corners,
    canvas.fill("-", 12, 3, 15, 6)                           # at the sides,
    canvas.fill("-", 9, 9, 18, 18)                           # and of the whole carpet
    canvas.stamp(10, 10, "0b0", "bcb", "0b0")                # what was cut out of the corners
    canvas.stamp(17, 2, "23", "32")
    canvas.stamp(17, 5, "21", "12")
    canvas.put("b", (26, 0))
    canvas.scatter(rng, "b", rng.randint(0, 1))
    canvas.scatter(rng, "x", rng.randint(1, 2))
    # A line into a corner's hole crosses its island; one into a side's hole comes out of the hole opposite.
    for ahead, (dx, dy) in enumerate(SQUARE_DIRECTIONS):
        back = (ahead + 4) % 8
        for shift in (-1, 0, 1) if ahead % 2 == 0 else (0,):
            u, v = -dy * shift, dx * shift
            canvas.link((4 + u - 2 * dx, 4 + v - 2 * dy, ahead), (11 + u - dx, 11 + v - dy, back))
            canvas.link((13 + u - 2 * dx, 4 + v - 2 * dy, ahead), (13 + u + 2 * dx, 22 + v + 2 * dy, back))
    return canvas.finish(rng, players, (2, 4), (1, 3), (1, 1))
