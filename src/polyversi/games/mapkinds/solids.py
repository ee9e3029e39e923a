"""The kind that is a solid body: a cube unfolded onto the sheet, its edges joined again by transitions."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import permutations, product
from typing import TYPE_CHECKING

from polyversi.games.board import SQUARE_DIRECTIONS
from polyversi.games.mapkinds.canvas import Canvas, Place, Symmetry
from polyversi.games.mapkinds.registry import map_kind

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

    from polyversi.games.xtmap import XtMap

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

    def lower(self, point: Vector, heading: Vector) -> Place:
        """The place on the sheet of a point and a direction in space."""
        (column, row), (_, right, down) = next(
            (slot, face) for slot, face in NET.items() if _dot(point, face[0]) == self.side
        )
        u, v = ((_dot(point, axis) + self.side - 1) // 2 for axis in (right, down))
        direction = SQUARE_DIRECTIONS.index((_dot(heading, right), _dot(heading, down)))
        return column * self.side + u, row * self.side + v, direction

    def roll(self, x: int, y: int, r: int) -> Place | None:
        """Where a step over an edge leads; over a corner it leads nowhere."""
        point, heading = self.lift(x, y, r)
        looks, right, down = NET[x // self.side, y // self.side]
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
    def turn(order: tuple[int, ...], signs: tuple[int, ...]) -> Callable[[Vector], Vector]:
        return lambda v: (signs[0] * v[order[0]], signs[1] * v[order[1]], signs[2] * v[order[2]])

    def is_even(order: tuple[int, ...]) -> bool:
        return order in ((0, 1, 2), (1, 2, 0), (2, 0, 1))

    return [turn(order, signs) for order in permutations(range(3)) for signs in product((-1, 1), repeat=3)
            if (signs[0] * signs[1] * signs[2] == 1) == is_even(order)]


def owners(players: int) -> list[set[Vector]]:
    """What belongs to each player: corners with 2, 4 or 8 players, faces with 3 or 6.

    Two players own every other corner, three the opposite faces, four the opposite corners.
    """
    corners: list[Vector] = [(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]
    axes: list[Vector] = [(1, 0, 0), (0, 1, 0), (0, 0, 1)]
    by_players: dict[int, list[set[Vector]]] = {
        2: [{c for c in corners if c[0] * c[1] * c[2] == sign} for sign in (-1, 1)],
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

    def image(turn: Callable[[Vector], Vector]) -> Callable[[int, int, int], Place]:
        def moved(x: int, y: int, r: int) -> Place:
            point, heading = body.lift(x, y, r)
            return body.lower(turn(point), turn(heading))
        return moved

    def seat(thing: Vector) -> int:
        return 1 + next(index for index, own in enumerate(owned) if thing in own)

    symmetries = [Symmetry(image(turn), [seat(turn(min(own))) for own in owned]) for turn in rotations()]
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
