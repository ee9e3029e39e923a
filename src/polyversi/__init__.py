"""Polyversi: the home of every Reversi.

>>> import polyversi as pv
>>> state = pv.game("othello").start()
>>> state.moves
(Move('d3'), Move('c4'), Move('f5'), Move('e6'))
>>> state.play("f5").scores
(4, 1)
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from polyversi._core import Move
    from polyversi.engines.engine import engine
    from polyversi.gameplay import play
    from polyversi.games.batch import Batch, batch, playouts
    from polyversi.games.board import Board, Link
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
    from polyversi.games.game import Game
    from polyversi.games.limit import Limit
    from polyversi.games.result import Result
    from polyversi.games.state import State
    from polyversi.games.variants import game
    from polyversi.players.player import Player, player

__all__ = [
    "Batch",
    "Board",
    "Definition",
    "Game",
    "IllegalMoveError",
    "Limit",
    "LimitError",
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
    "VariantError",
    "batch",
    "engine",
    "game",
    "play",
    "player",
    "playouts",
]
__version__ = "0.1.0"


LATER = {
    "Batch": "games.batch",
    "Board": "games.board",
    "Definition": "games.definition",
    "Game": "games.game",
    "IllegalMoveError": "games.errors",
    "Limit": "games.limit",
    "LimitError": "games.errors",
    "Link": "games.board",
    "MapError": "games.errors",
    "Move": "_core",
    "NotationError": "games.errors",
    "Player": "players",
    "PlayerError": "games.errors",
    "PolyversiError": "games.errors",
    "RecordError": "games.errors",
    "Result": "games.result",
    "State": "games.state",
    "VariantError": "games.errors",
    "batch": "games.batch",
    "engine": "engines",
    "game": "games.variants",
    "play": "gameplay",
    "player": "players",
    "playouts": "games.batch",
}
"""Where each name is defined. It is loaded when it is first used, so that the command line starts at once."""


def __getattr__(name: str) -> object:
    if name in LATER:
        found: object = getattr(import_module(f"polyversi.{LATER[name]}"), name)
        globals()[name] = found
        return found
    raise AttributeError(f"module 'polyversi' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
