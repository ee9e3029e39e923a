"""What map generators are made of: the kinds, and the canvas that repeats whatever is drawn by symmetry."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import product
from random import Random

from polyversi.games.board import SQUARE_DIRECTIONS
from polyversi.games.xtmap import Transition, XtMap

Side = tuple[int, int, int]
"""A column, a row and a direction: one of the eight sides of a tile, or a step that leaves it there."""
Edge = Sequence[Side]
"""The sides of neighbouring tiles, in order, all facing the same way."""
Range = tuple[int, int]
"""The minimum and maximum of a random number."""
Rule = Callable[[int, int, int], Side | None]
"""Where a step leads that comes, in a direction, to a column and a row without land."""

Draw = Callable[[Random, int], XtMap]
"""Draws a map from a random source, for so many players."""


@dataclass(frozen=True)
class MapKind:
    """A generator of maps that look alike; its random source varies sizes, stocks and special tiles."""

    name: str
    sentence: str
    players: tuple[int, ...]
    """The numbers of players it can draw for."""
    draw: Draw

    @property
    def label(self) -> str:
        """What people call it: `compressedSquare` is "Compressed square"."""
        return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", self.name).capitalize()

    @property
    def default_players(self) -> int:
        """How many players there are when nobody says: four if the kind allows it, else as many as it can."""
        return 4 if 4 in self.players else self.players[-1]


def map_kind(name: str, players: Iterable[int]) -> Callable[[Draw], MapKind]:
    """Makes the decorated function a kind of map; its docstring is the kind's sentence."""
    return lambda draw: MapKind(name, (draw.__doc__ or "").strip(), tuple(players), draw)


@dataclass(frozen=True)
class Symmetry:
    """One way to lay the map onto itself, and which seat takes the place of which."""

    place: Callable[[int, int, int], Side]
    seats: Sequence[int]
    """The seat that takes the place of seat 1, of seat 2, …"""

    def tile(self, tile: str) -> str:
        """A tile's image: stones change hands, everything else stays."""
        return str(self.seats[int(tile) - 1]) if tile in "12345678" else tile


@dataclass
class Canvas:
    """A sheet with the symmetries that everything drawn on it obeys.

    >>> canvas = Canvas(4, 4, turns(2, 4), "0")
    >>> canvas.put("1", (1, 1))
    >>> [canvas.at(x, y) for y in (1, 2) for x in (1, 2)]
    ['1', '2', '2', '1']
    """

    width: int
    height: int
    symmetries: Sequence[Symmetry]
    ground: str = "-"
    """The tile that lies everywhere at first."""
    transitions: list[Transition] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._tiles = {(x, y): self.ground for y in range(self.height) for x in range(self.width)}
        self._linked: set[Side] = set()

    def at(self, x: int, y: int) -> str:
        """The tile in column x and row y; a hole outside the sheet."""
        return self._tiles.get((x, y), "-")

    def is_open(self, x: int, y: int, direction: int) -> bool:
        """Whether a step from here leads nowhere yet, so that a transition may begin here."""
        dx, dy = SQUARE_DIRECTIONS[direction]
        ends_here = self.at(x, y) != "-" and self.at(x + dx, y + dy) == "-"
        return ends_here and (x, y, direction) not in self._linked

    def orbit(self, x: int, y: int) -> set[tuple[int, int]]:
        """The place and all its images."""
        return {symmetry.place(x, y, 0)[:2] for symmetry in self.symmetries}

    def put(self, tile: str, *places: tuple[int, int]) -> None:
        """Put a tile on each place and on all its images; stones change hands as the symmetry says."""
        for x, y in places:
            for symmetry in self.symmetries:
                self._tiles[symmetry.place(x, y, 0)[:2]] = symmetry.tile(tile)

    def fill(self, tile: str, left: int, top: int, right: int, bottom: int) -> None:
        """Put a tile on the rectangle from (left, top) up to but without (right, bottom)."""
        self.put(tile, *((x, y) for y in range(top, bottom) for x in range(left, right)))

    def stamp(self, x: int, y: int, *rows: str) -> None:
        """Put a small picture with its top left corner at (x, y); a `.` leaves what is there."""
        for dy, row in enumerate(rows):
            for dx, tile in enumerate(row):
                if tile != ".":
                    self.put(tile, (x + dx, y + dy))

    def scatter(self, rng: Random, tile: str, count: int) -> None:
        """Put a tile on that many random places that are free, and on their images."""
        places = [place for place, found in self._tiles.items() if found == "0"]
        rng.shuffle(places)
        for x, y in places:
            if count <= 0:
                return
            if self.at(x, y) == "0":
                self.put(tile, (x, y))
                count -= 1

    def link(self, first: Side, second: Side) -> None:
        """Join two sides of tiles, and all their images: either all of them, or none when one is taken."""
        images = ((symmetry.place(*first), symmetry.place(*second)) for symmetry in self.symmetries)
        self._link_all(list(dict.fromkeys((min(pair), max(pair)) for pair in images)))

    def _link_all(self, pairs: Sequence[tuple[Side, Side]]) -> None:
        ends = [end for pair in pairs for end in pair]
        if len(set(ends)) == len(ends) and all(self.is_open(*end) for end in ends):
            self._linked.update(ends)
            self.transitions += [Transition(*here, *there) for here, there in pairs]

    def join(self, first: Edge, second: Edge) -> None:
        """Join two edges side by side, so that straight and diagonal lines cross the seam as on paper.

        Straight steps pair the edges in order. A diagonal step shifts by one along both edges; on the
        far edge it turns the same way, or the other way round where the seam mirrors the plane.
        """
        for (x1, y1, r1), (x2, y2, r2) in zip(first, second, strict=True):
            self.link((x1, y1, r1), (x2, y2, r2))
        along, across = _bend(first), _bend(second)
        for slant in (-1, 1):
            for index, (x, y, direction) in enumerate(first):
                target = index + slant * along
                if 0 <= target < len(second):
                    tx, ty, entry = second[target]
                    self.link((x, y, (direction + slant) % 8), (tx, ty, (entry - slant * along * across) % 8))

    def extend(self, rule: Rule, directions: Iterable[int] = range(8)) -> None:
        """Join every step that leads off the land, in these directions, to where the rule says it arrives.

        The rule has to treat all images alike; it is not applied to them again.
        """
        for (x, y), direction in product(self._tiles, directions):
            dx, dy = SQUARE_DIRECTIONS[direction]
            if self.is_open(x, y, direction) and (arrival := rule(x + dx, y + dy, direction)):
                to_x, to_y, onwards = arrival
                self._link_all([((x, y, direction), (to_x, to_y, (onwards + 4) % 8))])

    def across(self, x: int, y: int, direction: int) -> Side | None:
        """The rule that lets lines jump straight over holes to the next land."""
        dx, dy = SQUARE_DIRECTIONS[direction]
        while 0 <= x < self.width and 0 <= y < self.height:
            if self.at(x, y) != "-":
                return x, y, direction
            x, y = x + dx, y + dy
        return None

    def finish(self, rng: Random, players: int, overrides: Range, bombs: Range, radius: Range) -> XtMap:
        """The finished map, with random stocks; fewer bombs where they could clear all the land."""
        tiles = "".join(self._tiles.values())
        land = len(tiles) - tiles.count("-")
        each, reach = rng.randint(*bombs), rng.randint(*radius)
        extra = tiles.count("b") // 2    # bombs that bonus tiles may add
        minimum = bombs[0], radius[0]
        while (each, reach) != minimum and (players * each + extra) * (2 * reach + 1) ** 2 > land:
            each, reach = (each, reach - 1) if reach > radius[0] else (each - 1, reach)
        stocks = rng.randint(*overrides), each, reach
        return XtMap(players, *stocks, self.height, self.width, tiles, tuple(self.transitions))


def _bend(edge: Edge) -> int:
    """1 when an edge runs to the right of the direction it faces, -1 when it runs to the left."""
    (x1, y1, direction), (x2, y2, _) = edge[0], edge[1]
    return 1 if (x2 - x1, y2 - y1) == SQUARE_DIRECTIONS[(direction + 2) % 8] else -1


def edge(x: int, y: int, direction: int, along: int, length: int) -> Edge:
    """The sides facing `direction` of the tiles from (x, y) on in the direction `along`."""
    dx, dy = SQUARE_DIRECTIONS[along]
    return [(x + dx * step, y + dy * step, direction) for step in range(length)]


def shifted(players: int, by: int) -> list[int]:
    """The seats that take the place of seat 1, 2, … when everybody moves on by so many seats."""
    return [(seat + by) % players + 1 for seat in range(players)]


def crowd(players: int, side: int) -> list[str]:
    """A square of stones so mixed that hardly any play makes them all alike, which would end the game."""
    return ["".join(str((x + y) % players + 1) for x in range(side)) for y in range(side)]


def unmoved(players: int) -> Symmetry:
    """The symmetry that leaves everything where it is."""
    return Symmetry(lambda x, y, r: (x, y, r), shifted(players, 0))


def turns(players: int, side: int) -> list[Symmetry]:
    """The quarter turns of a square sheet for 2 or 4 players; for 8 players its mirror images as well.

    A quarter turn to the right gives each seat's place to the next one; with eight players, to the next
    but one, and mirroring left and right swaps the two neighbours at the top, seats 1 and 2.
    """
    quarter = shifted(players, 2 if players == 8 else 1)
    found = [unmoved(players)]
    for _ in range(3):
        found.append(_then(found[-1], lambda x, y, r: (side - 1 - y, x, (r + 2) % 8), quarter))
    if players == 8:
        swapped = [2, 1, 8, 7, 6, 5, 4, 3]
        found += [_then(turn, lambda x, y, r: (side - 1 - x, y, -r % 8), swapped) for turn in found]
    return found


def quarters(players: int, width: int, height: int) -> list[Symmetry]:
    """The half turn of an oblong sheet for 2 players; for 4 players its two mirror images as well."""
    found = [unmoved(players)]
    found.append(_then(found[0], lambda x, y, r: (width - 1 - x, height - 1 - y, (r + 4) % 8),
                       shifted(players, players // 2)))
    if players == 4:
        found += [_then(turn, lambda x, y, r: (width - 1 - x, y, -r % 8), [2, 1, 4, 3]) for turn in found]
    return found


def _then(first: Symmetry, place: Callable[[int, int, int], Side], seats: Sequence[int]) -> Symmetry:
    """One symmetry after another."""
    return Symmetry(lambda x, y, r: place(*first.place(x, y, r)), [seats[seat - 1] for seat in first.seats])
