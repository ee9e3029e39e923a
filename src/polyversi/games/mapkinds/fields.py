"""Kinds where luck draws the land: mazes, wormholes, minefields and what comes as it comes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from polyversi.games.board import SQUARE_DIRECTIONS
from polyversi.games.mapkinds.canvas import Canvas, crowd, turns
from polyversi.games.mapkinds.registry import map_kind
from polyversi.games.mapkinds.shapes import TURNING, melee

if TYPE_CHECKING:
    from random import Random

    from polyversi.games.xtmap import XtMap


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
    """Small rooms, and doors where luck has put them."""
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
    canvas = Canvas(side, side, turns(players, side))
    canvas.fill("0", 0, 0, side, side)
    melee(canvas, players)
    if players > 2:
        canvas.stamp(side // 2 - 1, 1, "12", "21")
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
    canvas = Canvas(side, side, turns(players, side))
    canvas.fill("0", 0, 0, side, side)
    melee(canvas, players)
    if players > 2:
        canvas.stamp(side // 2 - 1, 2, "12", "21")
    canvas.scatter(rng, "-", side // 4)
    canvas.scatter(rng, "b", side // 2)
    canvas.scatter(rng, "x", side // 8)
    return canvas.finish(rng, players, (0, 2), (2, 5), (1, 3))


@map_kind("random", TURNING)
def random(rng: Random, players: int) -> XtMap:
    """Anything goes: land, special tiles, transitions and stocks are all drawn by lot."""
    side = 2 * rng.randint(*{2: (4, 7), 4: (6, 9), 8: (9, 13)}[players])
    canvas = Canvas(side, side, turns(players, side))
    canvas.fill("0", 0, 0, side, side)
    melee(canvas, players)
    if players > 2:
        canvas.stamp(side // 2 - 1, rng.randint(1, 2), "12", "21")
    canvas.scatter(rng, "-", int(side * side * rng.uniform(0, 0.3)) // len(canvas.symmetries))
    mainland = reachable(canvas, side // 2 - 1, side // 2 - 2)
    canvas.put("-", *((x, y) for x in range(side) for y in range(side) if (x, y) not in mainland))
    for tile in "bcix":
        canvas.scatter(rng, tile, rng.randint(0, side // 5))
    sides = [(x, y, r) for x in range(side) for y in range(side) for r in range(8) if canvas.is_open(x, y, r)]
    for _ in range(rng.randint(0, 2 * side)):
        canvas.link(*rng.sample(sides, 2))
    return canvas.finish(rng, players, (0, 8), (0, 5), (0, 3))
