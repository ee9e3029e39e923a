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

from polyversi._core import Move
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
from polyversi.games.result import Result
from polyversi.games.state import State
from polyversi.games.variants import game

if TYPE_CHECKING:
    from polyversi.engines.engine import engine
    from polyversi.gameplay import play
    from polyversi.games.batch import Batch, batch, playouts
    from polyversi.games.limit import Limit
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
    "Batch": "polyversi.games.batch",
    "Limit": "polyversi.games.limit",
    "Player": "polyversi.players",
    "batch": "polyversi.games.batch",
    "engine": "polyversi.engines",
    "play": "polyversi.gameplay",
    "player": "polyversi.players",
    "playouts": "polyversi.games.batch",
}
"""Names of the layers above and of what needs NumPy: they are loaded when they are first used."""


def __getattr__(name: str) -> object:
    if name in LATER:
        return getattr(import_module(LATER[name]), name)
    raise AttributeError(f"module 'polyversi' has no attribute {name!r}")
