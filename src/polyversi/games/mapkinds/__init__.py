"""Generated maps of Reversi XT: kinds by name, the details of a map from a seed."""

from __future__ import annotations

from random import Random

from polyversi.games.board import shorten
from polyversi.games.errors import VariantError
from polyversi.games.mapkinds import course, joined, shapes
from polyversi.games.mapkinds.canvas import MapKind
from polyversi.games.registry import nearest
from polyversi.games.xtmap import XtMap

__all__ = ["KINDS", "MapKind", "find_kind", "generate"]

KINDS: dict[str, MapKind] = {
    kind.name: kind
    for kind in (
        course.compressed_square, course.starfish, course.sierpinski_carpet,
        shapes.arena, shapes.ring, shapes.cross, shapes.diamond,
        shapes.spiral, shapes.hourglass, shapes.snowflake,
        joined.torus, joined.moebius, joined.globe, joined.carousel, joined.islands, joined.cube,
        shapes.maze, shapes.wormholes, shapes.minefield, shapes.random,
    )
}
"""Every kind by its name."""


def find_kind(name: str) -> MapKind:
    """The kind of that name, in upper or lower case; a VariantError names the nearest one."""
    by_name = {known.lower(): kind for known, kind in KINDS.items()}
    if name.lower() not in by_name:
        hint = nearest(name.lower(), KINDS)
        raise VariantError(f"there is no kind of map called '{shorten(name)}'; {hint}")
    return by_name[name.lower()]


def generate(kind: str, seed: int = 0, players: int | None = None) -> XtMap:
    """A map of that kind; the same seed and number of players always give the same map.

    >>> chart = generate("torus", seed=3, players=5)
    >>> chart.players, chart.width, chart == generate("torus", seed=3, players=5)
    (5, 15, True)
    """
    found = find_kind(kind)
    number = found.default_players if players is None else players
    if number not in found.players:
        choices = ", ".join(map(str, found.players))
        raise VariantError(f"{found.name} is not for {number} players; it is for {choices}")
    return found.draw(Random(f"{found.name} {seed} {number}"), number)
