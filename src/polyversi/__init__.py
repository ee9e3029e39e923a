"""Polyversi: the home of every Reversi.

>>> import polyversi as pv
>>> state = pv.game("othello").start()
>>> state.moves
(Move('d3'), Move('c4'), Move('f5'), Move('e6'))
>>> state.play("f5").scores
(4, 1)
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from polyversi import records
    from polyversi import rl as rl  # it needs an extra, so that it is not among __all__
    from polyversi._core import Move
    from polyversi.engines.engine import engine
    from polyversi.engines.judge import judge
    from polyversi.gameplay import Finished, play
    from polyversi.games.batch import Batch, batch, playouts
    from polyversi.games.board import Board, Link, hexagon, rectangle
    from polyversi.games.definition import Definition
    from polyversi.games.errors import (
        IllegalMoveError,
        LimitError,
        MapError,
        NotationError,
        PlayerError,
        PolyversiError,
        RecordError,
        VariantError,
    )
    from polyversi.games.family import Family, Variant
    from polyversi.games.game import Game
    from polyversi.games.limit import NO_LIMIT, Limit
    from polyversi.games.result import Result
    from polyversi.games.state import State
    from polyversi.games.symmetry import Symmetry
    from polyversi.games.variants import game, register_variant
    from polyversi.players.player import Player, player, register_player
    from polyversi.records.line import Line
    from polyversi.records.opening_names import opening_name

_MODULES = {
    "polyversi._core": ["Move"],
    "polyversi.engines": ["engine", "judge"],
    "polyversi.gameplay": ["Finished", "play"],
    "polyversi.games.batch": ["Batch", "batch", "playouts"],
    "polyversi.games.board": ["Board", "Link", "hexagon", "rectangle"],
    "polyversi.games.definition": ["Definition"],
    "polyversi.games.errors": [
        "IllegalMoveError", "LimitError", "MapError", "NotationError", "PlayerError", "PolyversiError",
        "RecordError", "VariantError",
    ],
    "polyversi.games.family": ["Family", "Variant"],
    "polyversi.games.game": ["Game"],
    "polyversi.games.limit": ["NO_LIMIT", "Limit"],
    "polyversi.games.result": ["Result"],
    "polyversi.games.state": ["State"],
    "polyversi.games.symmetry": ["Symmetry"],
    "polyversi.games.variants": ["game", "register_variant"],
    "polyversi.players": ["Player", "player", "register_player"],
    "polyversi.records.line": ["Line"],
    "polyversi.records.opening_names": ["opening_name"],
}
"""Where each name comes from: it is loaded when it is first used, so that `import polyversi` is quick."""
_ORIGINS = {name: module for module, names in _MODULES.items() for name in names}

__all__ = [
    "NO_LIMIT",
    "Batch",
    "Board",
    "Definition",
    "Family",
    "Finished",
    "Game",
    "IllegalMoveError",
    "Limit",
    "LimitError",
    "Line",
    "Link",
    "MapError",
    "Move",
    "NotationError",
    "Player",
    "PlayerError",
    "PolyversiError",
    "RecordError",
    "Result",
    "State",
    "Symmetry",
    "Variant",
    "VariantError",
    "batch",
    "engine",
    "game",
    "hexagon",
    "judge",
    "opening_name",
    "play",
    "player",
    "playouts",
    "records",
    "rectangle",
    "register_player",
    "register_variant",
]
__version__ = "0.1.0"


def __getattr__(name: str) -> object:
    from importlib import import_module

    if name in ("records", "rl"):
        return import_module(f"polyversi.{name}")
    if name not in _ORIGINS:
        raise AttributeError(f"module 'polyversi' has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(_ORIGINS[name]), name)
    return value


def __dir__() -> list[str]:
    return [*globals(), *__all__]
