"""What a kind of map is: a name, a sentence, the numbers of players it takes, and a function that draws."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from random import Random

from polyversi.games.xtmap import XtMap

Draw = Callable[[Random, int], XtMap]


@dataclass(frozen=True)
class MapKind:
    """A generator of maps that look alike; its random source varies sizes, stocks and special tiles."""

    name: str
    sentence: str
    players: tuple[int, ...]
    """The numbers of players it can draw for."""
    draw: Draw

    @property
    def usual_players(self) -> int:
        """How many players there are when nobody says: four if the kind allows it, else as many as it can."""
        return 4 if 4 in self.players else self.players[-1]


def map_kind(name: str, players: Iterable[int]) -> Callable[[Draw], MapKind]:
    """Make the decorated function a kind of map; its docstring is the kind's sentence."""
    return lambda draw: MapKind(name, (draw.__doc__ or "").strip(), tuple(players), draw)
