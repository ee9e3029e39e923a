"""Kinds of maps whose edges are joined: sheets that close up on themselves, islands, and a cube."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from itertools import permutations, product
from math import prod
from random import Random

from polyversi.games.board import SQUARE_DIRECTIONS
from polyversi.games.mapkinds.canvas import Canvas, Side, Symmetry, crowd, edge, map_kind, shifted
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
    def slide(times: int, x: int, y: int, r: int) -> Side:
        rounds, x = divmod(x + dx * times, width)
        y = (y + dy * times) % height
        return (x, height - 1 - y, (4 - r) % 8) if twisted and rounds % 2 else (x, y, r)

    count = players * (2 if twisted else 1)
    return [Symmetry(partial(slide, times), shifted(players, times)) for times in range(count)]


@map_kind("torus", ANY)
def torus(rng: Random, players: int) -> XtMap:
    """A square whose opposite edges are joined: no corners, no edges, nothing is ever safe."""
    home = {2: rng.choice((4, 5)), 3: 4, 4: rng.choice((3, 4))}.get(players, 3)
    side = home * players
    canvas = Canvas(side, side, slides(players, side, side, home, home * DIAGONALS[players]), "0")
    canvas.stamp(0, 0, *crowd(players, 3))
    canvas.scatter(rng, "b", rng.randint(1, 2))
    canvas.scatter(rng, rng.choice("ci"), 1)
    canvas.extend(lambda x, y, r: (x % side, y % side, r))
    return canvas.finish(rng, players, (1, 4), (0, 2), (1, 2))


@map_kind("moebius", ANY)
def moebius(rng: Random, players: int) -> XtMap:
    """A long strip whose ends are joined with half a twist: after one round one is upside down."""
    home, height = (8 if players < 4 else 6), rng.choice((7, 9))
    width = home * players
    canvas = Canvas(width, height, slides(players, width, height, home, twisted=True), "0")
    rows = crowd(players, SIDES[players])[:-1]
    canvas.stamp(home // 2 - 2, height // 2 + 1 - len(rows), *rows)    # the twist adds the rows further down
    canvas.scatter(rng, "b", 1)
    canvas.scatter(rng, rng.choice("ci"), 1)
    canvas.scatter(rng, "x", rng.randint(0, 1))

    def twist(x: int, y: int, r: int) -> Side | None:
        inside = 0 <= x < width
        return None if inside else (x % width, height - 1 - y, (4 - r) % 8)

    canvas.extend(twist)
    return canvas.finish(rng, players, (1, 4), (0, 2), (1, 2))


@map_kind("globe", ANY)
def globe(rng: Random, players: int) -> XtMap:
    """The map of a world: east meets west, and whoever walks over a pole comes down on the far side."""
    home, height = (8 if players < 4 else 6), rng.choice((8, 10))
    width = home * players
    canvas = Canvas(width, height, slides(players, width, height, home), "0")
    canvas.stamp(home // 2 - 2, height // 2 - 1, *crowd(players, SIDES[players]))
    canvas.put("b", (0, 0), (0, height - 1))
    canvas.scatter(rng, "-", rng.randint(1, 2))
    canvas.scatter(rng, "c", 1)

    def sail(x: int, y: int, r: int) -> Side | None:
        if 0 <= y < height:
            return None if 0 <= x < width else (x % width, y, r)
        return (x + width // 2) % width, y - SQUARE_DIRECTIONS[r][1], (4 - r) % 8

    canvas.extend(sail)
    return canvas.finish(rng, players, (1, 4), (0, 3), (1, 2))


@map_kind("carousel", ANY)
def carousel(rng: Random, players: int) -> XtMap:
    """A merry-go-round full of inversions and choices: whose stones they are is settled last."""
    home, height = (7 if players < 4 else 6), rng.choice((8, 9))
    width = home * players
    canvas = Canvas(width, height, slides(players, width, height, home), "0")
    canvas.stamp(home // 2 - 2, rng.randint(2, 4), *crowd(players, SIDES[players]))
    canvas.scatter(rng, "i", rng.randint(2, 3))
    canvas.scatter(rng, "c", rng.randint(2, 3))
    canvas.scatter(rng, "x", 1)
    canvas.extend(lambda x, y, r: None if 0 <= x < width else (x % width, y, r))
    return canvas.finish(rng, players, (0, 3), (0, 1), (1, 1))


@map_kind("islands", ANY)
def islands(rng: Random, players: int) -> XtMap:
    """An island each, joined by nothing but transitions: east to the neighbour, north to somebody else."""
    side, slots = rng.choice((7, 9)), RINGS[max(2, (players + 1) // 2)][:players]
    pitch = side + 1
    columns, rows = (1 + max(slot[axis] for slot in slots) for axis in (0, 1))

    def sail(times: int, x: int, y: int, r: int) -> Side:
        island = slots.index((x // pitch, y // pitch))
        column, row = slots[(island + times) % players]
        return column * pitch + x % pitch, row * pitch + y % pitch, r

    voyages = [Symmetry(partial(sail, times), shifted(players, times)) for times in range(players)]
    canvas = Canvas(columns * pitch - 1, rows * pitch - 1, voyages)
    canvas.fill("0", 0, 0, side, side)
    for left, top in product((0, side - 1), repeat=2):
        canvas.put("-", *((abs(left - x), abs(top - y)) for x, y in ((0, 0), (1, 0), (0, 1))))
    canvas.stamp(side // 2 - 1, side // 2 - 1, *crowd(players, SIDES[players]))
    canvas.put(rng.choice("bbc"), (side // 2, 0), (side // 2, side - 1))
    canvas.scatter(rng, "b", 1)

    def harbour(times: int, x: int, y: int, r: int, along: int) -> list[Side]:
        return [voyages[times % players].place(*place) for place in edge(x, y, r, along, side - 4)]

    canvas.join(harbour(0, side - 1, 2, 2, 4), harbour(1, 0, 2, 6, 4))
    canvas.join(harbour(0, 2, 0, 0, 2), harbour(rng.randint(1, players - 1), 2, side - 1, 4, 2))
    return canvas.finish(rng, players, (1, 5), (0, 2), (1, 2))


Vector = tuple[int, int, int]
"""Right, down and away, seen from the front of the cube."""

NET: dict[tuple[int, int], tuple[Vector, Vector, Vector]] = {
    (1, 1): ((0, 0, -1), (1, 0, 0), (0, 1, 0)),
    (0, 1): ((-1, 0, 0), (0, 0, -1), (0, 1, 0)),
    (2, 1): ((1, 0, 0), (0, 0, 1), (0, 1, 0)),
    (3, 1): ((0, 0, 1), (-1, 0, 0), (0, 1, 0)),
    (1, 0): ((0, -1, 0), (1, 0, 0), (0, 0, -1)),
    (1, 2): ((0, 1, 0), (1, 0, 0), (0, 0, 1)),
}
"""For each face's place on the sheet: which way it looks, and what right and down on it are in space."""


def _sum(*terms: tuple[int, Vector]) -> Vector:
    x, y, z = (sum(factor * vector[axis] for factor, vector in terms) for axis in range(3))
    return x, y, z


def _dot(first: Vector, second: Vector) -> int:
    return sum(a * b for a, b in zip(first, second, strict=True))


@dataclass(frozen=True)
class Cube:
    """A cube, `side` by `side` cells a face; in space, cells are 2 apart, faces `side` from its centre."""

    side: int

    def lift(self, x: int, y: int, r: int) -> tuple[Vector, Vector]:
        """The point in space and the direction in space of a place on the sheet."""
        looks, right, down = NET[x // self.side, y // self.side]
        u, v = (2 * (at % self.side) + 1 - self.side for at in (x, y))
        dx, dy = SQUARE_DIRECTIONS[r]
        return _sum((self.side, looks), (u, right), (v, down)), _sum((dx, right), (dy, down))

    def lower(self, point: Vector, heading: Vector) -> Side:
        """The place on the sheet of a point and a direction in space."""
        (column, row), (_, right, down) = next(
            (slot, face) for slot, face in NET.items() if _dot(point, face[0]) == self.side
        )
        u, v = ((_dot(point, axis) + self.side - 1) // 2 for axis in (right, down))
        direction = SQUARE_DIRECTIONS.index((_dot(heading, right), _dot(heading, down)))
        return column * self.side + u, row * self.side + v, direction

    def roll(self, x: int, y: int, r: int) -> Side | None:
        """Where a step over an edge leads; over a corner it leads nowhere."""
        dx, dy = SQUARE_DIRECTIONS[r]
        point, heading = self.lift(x - dx, y - dy, r)
        looks, right, down = NET[(x - dx) // self.side, (y - dy) // self.side]
        ahead = _sum((1, point), (2, heading))
        over = [_sum((sign, axis)) for axis in (right, down) for sign in (-1, 1)
                if sign * _dot(ahead, axis) > self.side]
        if len(over) != 1:
            return None
        # The edge is crossed half way: the rest of what went outwards goes down along the next face.
        bend = _sum((-1, over[0]), (-1, looks))
        return self.lower(_sum((1, ahead), (1, bend)), _sum((1, heading), (1, bend)))


def rotations() -> list[Callable[[Vector], Vector]]:
    """The 24 ways to turn a cube onto itself."""
    def turn(order: tuple[int, ...], signs: tuple[int, ...], v: Vector) -> Vector:
        return signs[0] * v[order[0]], signs[1] * v[order[1]], signs[2] * v[order[2]]

    even = ((0, 1, 2), (1, 2, 0), (2, 0, 1))
    return [partial(turn, order, signs)
            for order in permutations(range(3)) for signs in product((-1, 1), repeat=3)
            if (prod(signs) == 1) == (order in even)]


def owners(players: int) -> list[set[Vector]]:
    """What belongs to each player: corners with 2, 4 or 8 players, faces with 3 or 6.

    Two players own every other corner, three the opposite faces, four the opposite corners.
    """
    corners: list[Vector] = list(product((-1, 1), (-1, 1), (-1, 1)))
    axes: list[Vector] = [(1, 0, 0), (0, 1, 0), (0, 0, 1)]
    by_players: dict[int, list[set[Vector]]] = {
        2: [{c for c in corners if prod(c) == sign} for sign in (-1, 1)],
        3: [{axis, _sum((-1, axis))} for axis in axes],
        4: [{c, _sum((-1, c))} for c in corners[:4]],
        6: [{_sum((sign, axis))} for sign in (-1, 1) for axis in axes],
        8: [{c} for c in corners],
    }
    return by_players[players]


@map_kind("cube", (2, 3, 4, 6, 8))
def cube(rng: Random, players: int) -> XtMap:
    """The six faces of a cube, unfolded: walk over an edge and you go on, turned, on the next face."""
    side = 5 if players < 4 else 7
    body, owned = Cube(side), owners(players)

    def image(turn: Callable[[Vector], Vector], x: int, y: int, r: int) -> Side:
        point, heading = body.lift(x, y, r)
        return body.lower(turn(point), turn(heading))

    def seat(thing: Vector) -> int:
        return 1 + next(index for index, own in enumerate(owned) if thing in own)

    symmetries = [Symmetry(partial(image, turn), [seat(turn(min(own))) for own in owned])
                  for turn in rotations()]
    canvas = Canvas(4 * side, 3 * side, symmetries)
    front = [(side + u, side + v) for u in range(side) for v in range(side)]
    # Faces have no corner cells: where three faces meet, no line could go straight on.
    canvas.put("0", *((x, y) for x, y in front if not {x - side, y - side} <= {0, side - 1}))
    # The stone up left of a face's middle belongs to the corner it points at, or to the face on the left.
    mark = (-1, 0, 0) if players in (3, 6) else (-1, -1, -1)
    middle = side + side // 2
    canvas.stamp(middle - 1, middle - 1, f"{seat(mark)}x", "." + rng.choice("bc"))
    canvas.extend(body.roll)
    return canvas.finish(rng, players, (1, 4), (0, 2), (1, 1))
