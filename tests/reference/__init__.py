"""All the rules a second time, in plain Python for reading: what the core is checked against."""

from .boards import Steps, hexagon, hexagon_cells, neighbours, rectangle, rectangle_cells, torus
from .rules import RefGame
from .starts import cross, from_xt_map, parallel, ring
from .state import PASS, RefResult, RefState

__all__ = [
    "PASS",
    "RefGame",
    "RefResult",
    "RefState",
    "Steps",
    "cross",
    "from_xt_map",
    "hexagon",
    "hexagon_cells",
    "neighbours",
    "parallel",
    "rectangle",
    "rectangle_cells",
    "ring",
    "torus",
]
