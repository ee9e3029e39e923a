"""Kinds of maps on a sheet that looks alike from every side: shapes, mazes, minefields and random land."""

from __future__ import annotations

from random import Random

from polyversi.games.board import SQUARE_DIRECTIONS
from polyversi.games.mapkinds.canvas import Canvas, crowd, edge, map_kind, quarters, shifted, turns, unmoved
from polyversi.games.xtmap import XtMap

TURNING = (2, 4, 8)
"""The numbers of players that the turns and mirror images of a square treat alike."""


def melee(canvas: Canvas, players: int, row: int = 0) -> None:
    """Stones of everybody in the middle of an even sheet, and of four or eight players also from a row on."""
    quarter = {2: ("12", "21"), 4: ("13", "23"), 8: ("x237", "7x68", "63x1", "218x")}[players]
    middle = canvas.width // 2
    canvas.stamp(middle - len(quarter), middle - len(quarter), *quarter)
    if row and players > 2:
        canvas.stamp(middle - 1, row, "12", "21")


@map_kind("arena", range(2, 9))
def arena(rng: Random, players: int) -> XtMap:
    """The classic square, everybody in the middle; the only tricks are in the corners."""
    side = {2: 8, 3: 11, 4: 12, 5: 15, 6: 16, 7: 17, 8: 20}[players] + 2 * rng.randint(0, 1)
    if players in (4, 8):
        canvas = Canvas(side, side, turns(players, side), "0")
        melee(canvas, players)
    else:
        # Two begin as ever. No turn of a square treats three, five, six or seven alike: the best there is
        # for them is that each row and column of the middle has a stone of everybody.
        canvas = Canvas(side, side, [unmoved(players)], "0")
        corner = (side - players) // 2
        canvas.stamp(corner, corner, *("".join(map(str, shifted(players, row))) for row in range(players)))
    canvas.put(rng.choice("b0"), *((x, y) for x in (0, side - 1) for y in (0, side - 1)))
    return canvas.finish(rng, players, (0, 3), (0, 2), (1, 2))


@map_kind("ring", TURNING)
def ring(rng: Random, players: int) -> XtMap:
    """A road round a large hole that lines cross in one leap, up and down, left and right."""
    road = rng.choice((4, 5)) if players < 8 else rng.choice((6, 7))
    side = {2: 12, 4: 16, 8: 26}[players]
    canvas = Canvas(side, side, turns(players, side))
    canvas.fill("0", 0, 0, side, road)
    if players == 8:
        canvas.stamp(side // 2 - 1, 2, "12", "21")
        canvas.stamp(side - road - 2, 2, "23", "32")
    else:
        canvas.stamp(side // 2 - 2, road // 2 - 1, *crowd(players, 3))
    canvas.put("b", (1, 1))
    canvas.scatter(rng, rng.choice("ci"), 1)
    canvas.extend(canvas.across, (0, 2, 4, 6))
    return canvas.finish(rng, players, (1, 4), (0, 2), (1, 2))


@map_kind("cross", TURNING)
def cross(rng: Random, players: int) -> XtMap:
    """Four arms, and the end of each leads round the corner into its neighbours."""
    half = {2: 2, 4: 3, 8: 4}[players]
    reach = {2: 3, 4: 5, 8: 8}[players] + rng.randint(0, 1)
    side = 2 * (half + reach)
    canvas = Canvas(side, side, turns(players, side))
    canvas.fill("0", reach, 0, side - reach, side)
    melee(canvas, players, 2)
    canvas.put("b", (reach, 0), (side - 1 - reach, 0))
    canvas.put(rng.choice("ci"), (reach, reach + 1))
    # The right half of the upper arm's end and the upper half of the right arm's end are one bend.
    canvas.join(edge(side // 2, 0, 0, 2, half), edge(side - 1, side // 2 - 1, 2, 0, half))
    return canvas.finish(rng, players, (1, 4), (0, 3), (1, 2))


@map_kind("diamond", TURNING)
def diamond(rng: Random, players: int) -> XtMap:
    """A square on its tip: the edges are diagonals, and each tip leads to the one opposite."""
    half = {2: 6, 4: 9, 8: 14}[players] + rng.randint(0, 1)
    canvas = Canvas(2 * half, 2 * half, turns(players, 2 * half))
    for row in range(half):
        canvas.fill("0", half - 1 - row, row, half + 1 + row, row + 1)
    melee(canvas, players, 3)
    canvas.put("b", (half - 1, 0), (half, 0))
    canvas.scatter(rng, rng.choice("xci"), 1)
    for x in (half - 1, half):
        canvas.link((x, 0, 0), (x, 2 * half - 1, 4))
    return canvas.finish(rng, players, (1, 3), (0, 2), (1, 3))


@map_kind("spiral", (2, 4))
def spiral(rng: Random, players: int) -> XtMap:
    """Four winding ways from the edge to a court in the middle."""
    court, way = 4, 4
    distances = [court + (way + 1) * wind for wind in range(2 if players == 2 else 3)]
    middle = distances[-1] - 1
    side = 2 * middle + 1
    canvas = Canvas(side, side, turns(players, side), "0")
    x, y, (dx, dy) = middle - court + way + 1, middle - court, (1, 0)
    for distance in distances[1:]:    # the wall runs on to the next distance from the middle, then bends
        while 0 <= x < side and 0 <= y < side and dx * (x - middle) + dy * (y - middle) <= distance:
            canvas.put("-", (x, y))
            x, y = x + dx, y + dy
        x, y, (dx, dy) = x - dx - dy, y - dy + dx, (-dy, dx)
    canvas.put("c", (middle, middle))
    canvas.stamp(middle - 2, middle - 2, *(("132", "423") if players == 4 else ("121", "212")))
    canvas.stamp(side - way, side - 8, *crowd(players, way))
    if players == 4:
        canvas.stamp(middle + way, way + 1, *crowd(players, way))
    canvas.put("b", (side - 2, side - 1))
    canvas.scatter(rng, "b", rng.randint(0, 1))
    canvas.scatter(rng, "x", rng.randint(1, 3))
    return canvas.finish(rng, players, (3, 6), (0, 2), (1, 2))


@map_kind("hourglass", (2, 4))
def hourglass(rng: Random, players: int) -> XtMap:
    """Two bulbs and a narrow neck; what falls out at the bottom comes in again at the top."""
    half = {2: 5, 4: 7}[players] + rng.randint(0, 1)
    width = height = 2 * half
    canvas = Canvas(width, height, quarters(players, width, height))
    for row in range(height // 2):
        inset = max(0, min(row - 1, half - 2))
        canvas.fill("0", inset, row, width - inset, row + 1)
    canvas.stamp(half - 1, height // 2 - 1, "12")
    canvas.stamp(half - 1, 2, "12", "21")
    canvas.put("b", (0, 0), (width - 1, 0))
    canvas.scatter(rng, rng.choice("ci"), 1)
    canvas.extend(lambda x, y, r: None if 0 <= y < height else (x, y % height, r))
    return canvas.finish(rng, players, (0, 3), (0, 2), (1, 2))


@map_kind("snowflake", TURNING)
def snowflake(rng: Random, players: int) -> XtMap:
    """Six-fold in nature, four-fold here: a stem on each side, with twigs that no two flakes share."""
    stem = {2: 6, 4: 9, 8: 14}[players]
    side = 2 * (stem + 3)
    middle = side // 2
    canvas = Canvas(side, side, turns(players, side))

    def grow(left: int, top: int, right: int, bottom: int) -> None:
        canvas.fill("0", left, top, right, bottom)
        canvas.fill("0", side - right, top, side - left, bottom)

    grow(middle - 2, 0, middle, middle)
    grow(middle - 4, middle - 4, middle, middle)
    row = 1
    while row < stem - 2:
        reach = rng.randint(2, 2 + row // 2)
        grow(max(0, middle - 2 - reach), row, middle - 2, row + 2)
        row += rng.choice((2, 3, 3))
    melee(canvas, players)
    canvas.stamp(middle - 1, 2, "12", "21")
    canvas.put("b", (middle - 2, 0), (middle + 1, 0))
    canvas.scatter(rng, rng.choice("bxci"), 2)
    return canvas.finish(rng, players, (1, 4), (0, 2), (1, 2))


def reachable(canvas: Canvas, x: int, y: int) -> set[tuple[int, int]]:
    """The land one can walk to from (x, y) without transitions."""
    found, todo = {(x, y)}, [(x, y)]
    while todo:
        x, y = todo.pop()
        for dx, dy in SQUARE_DIRECTIONS:
            place = x + dx, y + dy
            if canvas.at(*place) != "-" and place not in found:
                found.add(place)
                todo.append(place)
    return found


@map_kind("maze", TURNING)
def maze(rng: Random, players: int) -> XtMap:
    """Small rooms, and doors where chance has put them."""
    rooms = 7 if players == 8 else 5
    side = 4 * rooms - 1
    middle = side // 2
    canvas = Canvas(side, side, turns(players, side))
    corners = [(4 * column, 4 * row) for row in range(rooms) for column in range(rooms)]
    for x, y in corners:
        canvas.fill("0", x, y, x + 3, y + 3)
    doors = [door for x, y in corners for door in ((x + 3, y + 1, 0, 1), (x + 1, y + 3, 1, 0))
             if door[:2] == min(canvas.orbit(*door[:2])) and max(door[:2]) < side]
    rng.shuffle(doors)
    for x, y, along_x, along_y in doors:
        beyond, before = (x + along_y, y + along_x), (x - along_y, y - along_x)
        if beyond not in reachable(canvas, *before) or rng.random() < 0.3:
            canvas.put("0", *((x + along_x * step, y + along_y * step) for step in (-1, 0, 1)))
    if players == 8:
        canvas.stamp(middle - 1, 4, "1x2", "8x3", "2x1")
        canvas.stamp(middle + 7, 8, "2x3", "x0x", "3x2")
    else:
        canvas.stamp(middle - 1, 4, *crowd(players, 3))
        canvas.stamp(4, 4, *crowd(players, 3))
    canvas.put("c", (middle, middle))
    canvas.put("b", (1, 1))
    canvas.scatter(rng, "b", 1)
    return canvas.finish(rng, players, (3, 6), (1, 3), (1, 2))


@map_kind("wormholes", TURNING)
def wormholes(rng: Random, players: int) -> XtMap:
    """A square full of pits, two and two the ends of a wormhole: fall in here, come out there, turned."""
    side = {2: 10, 4: 14, 8: 20}[players] + 2 * rng.randint(0, 1)
    canvas = Canvas(side, side, turns(players, side), "0")
    melee(canvas, players, 1)
    pits: list[tuple[int, int]] = []
    places = [(x, y) for x in range(1, side - 1) for y in range(1, side - 1)]
    rng.shuffle(places)
    for x, y in places:
        around = [(x + dx, y + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1)]
        alone = canvas.orbit(x, y).isdisjoint(around[:4] + around[5:])
        whole = len(canvas.orbit(x, y)) == len(canvas.symmetries)
        if alone and whole and all(canvas.at(*place) == "0" for place in around):
            canvas.put("-", (x, y))
            pits.append((x, y))
    for (x, y), (far_x, far_y) in zip(pits[::2], pits[1::2], strict=False):
        turn = rng.choice((2, 4, 6))
        for into, (dx, dy) in enumerate(SQUARE_DIRECTIONS):
            out = (into + turn) % 8
            ux, uy = SQUARE_DIRECTIONS[out]
            canvas.link((x - dx, y - dy, into), (far_x + ux, far_y + uy, (out + 4) % 8))
    canvas.scatter(rng, "b", 1)
    canvas.scatter(rng, rng.choice("ci"), 1)
    return canvas.finish(rng, players, (1, 4), (0, 2), (1, 2))


@map_kind("minefield", TURNING)
def minefield(rng: Random, players: int) -> XtMap:
    """Craters, bonus tiles everywhere and strong bombs: the second half of the game decides."""
    side = {2: 10, 4: 14, 8: 22}[players] + 2 * rng.randint(0, 1)
    canvas = Canvas(side, side, turns(players, side), "0")
    melee(canvas, players, 2)
    canvas.scatter(rng, "-", side // 4)
    canvas.scatter(rng, "b", side // 2)
    canvas.scatter(rng, "x", side // 8)
    return canvas.finish(rng, players, (0, 2), (2, 5), (1, 3))


@map_kind("random", TURNING)
def random(rng: Random, players: int) -> XtMap:
    """Anything goes: land, special tiles, transitions and stocks are all random."""
    side = 2 * rng.randint(*{2: (4, 7), 4: (6, 9), 8: (9, 13)}[players])
    canvas = Canvas(side, side, turns(players, side), "0")
    melee(canvas, players, rng.randint(1, 2) if players > 2 else 0)
    canvas.scatter(rng, "-", int(side * side * rng.uniform(0, 0.3)) // len(canvas.symmetries))
    mainland = reachable(canvas, side // 2 - 1, side // 2 - 2)
    canvas.put("-", *((x, y) for x in range(side) for y in range(side) if (x, y) not in mainland))
    for tile in "bcix":
        canvas.scatter(rng, tile, rng.randint(0, side // 5))
    sides = [(x, y, r) for x in range(side) for y in range(side) for r in range(8) if canvas.is_open(x, y, r)]
    for _ in range(rng.randint(0, 2 * side)):
        canvas.link(*rng.sample(sides, 2))
    return canvas.finish(rng, players, (0, 8), (0, 5), (0, 3))
