"""Kinds that close up on themselves: joined sheets and rings of islands, for any number of players."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

from polyversi.games.board import SQUARE_DIRECTIONS
from polyversi.games.mapkinds.canvas import Canvas, Place, Symmetry, crowd, edge, shifted
from polyversi.games.mapkinds.registry import map_kind

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

    from polyversi.games.xtmap import XtMap

ANY = range(2, 9)
DIAGONALS = {2: 1, 3: 1, 4: 1, 5: 2, 6: 2, 7: 3, 8: 3}
"""How many homes further down the next player's home lies on a torus, so that the homes spread evenly."""
SIDES = {2: 4, 3: 4, 4: 3, 5: 3, 6: 3, 7: 3, 8: 3}
"""How wide the crowd at each home is; where there are few homes it has to be larger."""
RINGS = {
    2: [(0, 0), (1, 0), (1, 1), (0, 1)],
    3: [(0, 0), (1, 0), (2, 0), (2, 1), (1, 1), (0, 1)],
    4: [(0, 0), (1, 0), (2, 0), (2, 1), (2, 2), (1, 2), (0, 2), (0, 1)],
}
"""Clockwise places for islands, by half their number."""


def slides(
    players: int, width: int, height: int, dx: int, dy: int = 0, twisted: bool = False
) -> list[Symmetry]:
    """The slides of a sheet with joined edges onto itself, by (dx, dy) for each seat.

    On a `twisted` sheet the right edge meets the left one upside down; only two rounds bring one home.
    """
    def slide(times: int) -> Callable[[int, int, int], Place]:
        def moved(x: int, y: int, r: int) -> Place:
            rounds, x = divmod(x + dx * times, width)
            y = (y + dy * times) % height
            return (x, height - 1 - y, (4 - r) % 8) if twisted and rounds % 2 else (x, y, r)
        return moved

    count = players * (2 if twisted else 1)
    return [Symmetry(slide(times), shifted(players, times)) for times in range(count)]


@map_kind("torus", ANY)
def torus(rng: Random, players: int) -> XtMap:
    """A square whose opposite edges are joined: no corners, no edges, nothing is ever safe."""
    home = {2: rng.choice((4, 5)), 3: 4, 4: rng.choice((3, 4))}.get(players, 3)
    side = home * players
    canvas = Canvas(side, side, slides(players, side, side, home, home * DIAGONALS[players]))
    canvas.fill("0", 0, 0, side, side)
    canvas.stamp(0, 0, *crowd(players, 3))
    canvas.scatter(rng, "b", rng.randint(1, 2))
    canvas.scatter(rng, rng.choice("ci"), 1)

    def wrap(x: int, y: int, r: int) -> Place:
        dx, dy = SQUARE_DIRECTIONS[r]
        return (x + dx) % side, (y + dy) % side, r

    canvas.extend(wrap)
    return canvas.finish(rng, players, (1, 4), (0, 2), (1, 2))


@map_kind("moebius", ANY)
def moebius(rng: Random, players: int) -> XtMap:
    """A long strip whose ends are joined with half a twist: after one round one is upside down."""
    home, height = (8 if players < 4 else 6), rng.choice((7, 9))
    width = home * players
    canvas = Canvas(width, height, slides(players, width, height, home, twisted=True))
    canvas.fill("0", 0, 0, width, height)
    rows = crowd(players, SIDES[players])[:-1]
    canvas.stamp(home // 2 - 2, height // 2 + 1 - len(rows), *rows)    # the twist adds the rows further down
    canvas.scatter(rng, "b", 1)
    canvas.scatter(rng, rng.choice("ci"), 1)
    canvas.scatter(rng, "x", rng.randint(0, 1))

    def twist(x: int, y: int, r: int) -> Place | None:
        dx, dy = SQUARE_DIRECTIONS[r]
        inside = 0 <= x + dx < width
        return None if inside else ((x + dx) % width, height - 1 - y - dy, (4 - r) % 8)

    canvas.extend(twist)
    return canvas.finish(rng, players, (1, 4), (0, 2), (1, 2))


@map_kind("globe", ANY)
def globe(rng: Random, players: int) -> XtMap:
    """The map of a world: east meets west, and whoever walks over a pole comes down on the far side."""
    home, height = (8 if players < 4 else 6), rng.choice((8, 10))
    width = home * players
    canvas = Canvas(width, height, slides(players, width, height, home))
    canvas.fill("0", 0, 0, width, height)
    canvas.stamp(home // 2 - 2, height // 2 - 1, *crowd(players, SIDES[players]))
    canvas.put("b", (0, 0), (0, height - 1))
    canvas.scatter(rng, "-", rng.randint(1, 2))
    canvas.scatter(rng, "c", 1)

    def sail(x: int, y: int, r: int) -> Place | None:
        dx, dy = SQUARE_DIRECTIONS[r]
        if 0 <= y + dy < height:
            return None if 0 <= x + dx < width else ((x + dx) % width, y + dy, r)
        return (x + dx + width // 2) % width, y, (4 - r) % 8

    canvas.extend(sail)
    return canvas.finish(rng, players, (1, 4), (0, 3), (1, 2))


@map_kind("carousel", ANY)
def carousel(rng: Random, players: int) -> XtMap:
    """A merry-go-round full of inversions and choices: whose stones they are is settled last."""
    home, height = (7 if players < 4 else 6), rng.choice((8, 9))
    width = home * players
    canvas = Canvas(width, height, slides(players, width, height, home))
    canvas.fill("0", 0, 0, width, height)
    canvas.stamp(home // 2 - 2, rng.randint(2, 4), *crowd(players, SIDES[players]))
    canvas.scatter(rng, "i", rng.randint(2, 3))
    canvas.scatter(rng, "c", rng.randint(2, 3))
    canvas.scatter(rng, "x", 1)

    def ride(x: int, y: int, r: int) -> Place | None:
        dx, dy = SQUARE_DIRECTIONS[r]
        return None if 0 <= x + dx < width else ((x + dx) % width, y + dy, r)

    canvas.extend(ride)
    return canvas.finish(rng, players, (0, 3), (0, 1), (1, 1))


@map_kind("islands", ANY)
def islands(rng: Random, players: int) -> XtMap:
    """An island each, joined by nothing but transitions: east to the neighbour, north to somebody else."""
    side, slots = rng.choice((7, 9)), RINGS[max(2, (players + 1) // 2)][:players]
    pitch = side + 1
    columns, rows = (1 + max(slot[axis] for slot in slots) for axis in (0, 1))

    def sail(times: int) -> Callable[[int, int, int], Place]:
        def moved(x: int, y: int, r: int) -> Place:
            island = slots.index((x // pitch, y // pitch))
            column, row = slots[(island + times) % players]
            return column * pitch + x % pitch, row * pitch + y % pitch, r
        return moved

    voyages = [Symmetry(sail(times), shifted(players, times)) for times in range(players)]
    canvas = Canvas(columns * pitch - 1, rows * pitch - 1, voyages)
    canvas.fill("0", 0, 0, side, side)
    for left, top in product((0, side - 1), repeat=2):
        canvas.put("-", *((abs(left - x), abs(top - y)) for x, y in ((0, 0), (1, 0), (0, 1))))
    canvas.stamp(side // 2 - 1, side // 2 - 1, *crowd(players, SIDES[players]))
    canvas.put(rng.choice("bbc"), (side // 2, 0), (side // 2, side - 1))
    canvas.scatter(rng, "b", 1)

    def harbour(times: int, x: int, y: int, r: int, along: int) -> list[Place]:
        return [voyages[times % players].place(*place) for place in edge(x, y, r, along, side - 4)]

    canvas.join(harbour(0, side - 1, 2, 2, 4), harbour(1, 0, 2, 6, 4))
    canvas.join(harbour(0, 2, 0, 0, 2), harbour(rng.randint(1, players - 1), 2, side - 1, 4, 2))
    return canvas.finish(rng, players, (1, 5), (0, 2), (1, 2))
