"""Polyversi: the home of every Reversi.

>>> import polyversi as pv
>>> state = pv.game("othello").start()
>>> state.moves
(Move('d3'), Move('c4'), Move('f5'), Move('e6'))
>>> state.play("f5").scores
(4, 1)
"""

from typing import TYPE_CHECKING

from polyversi._core import Move
from polyversi.games.board import Board, Link
from polyversi.games.definition import Definition
from polyversi.games.errors import (
    IllegalMoveError,
    MapError,
    NotationError,
    PolyversiError,
    RecordError,
    VariantError,
)
from polyversi.games.game import Game
from polyversi.games.result import Result
from polyversi.games.state import State
from polyversi.games.variants import game

if TYPE_CHECKING:
    from polyversi.games.batch import Batch, batch, playouts

__all__ = [
    "Batch",
    "Board",
    "Definition",
    "Game",
    "IllegalMoveError",
    "Link",
    "MapError",
    "Move",
    "NotationError",
    "PolyversiError",
    "RecordError",
    "Result",
    "State",
    "VariantError",
    "batch",
    "game",
    "playouts",
]
__version__ = "0.1.0"


def __getattr__(name: str) -> object:
    """Batches need NumPy, which takes longer to load than everything else: it waits for its first use."""
    if name in ("Batch", "batch", "playouts"):
        from polyversi.games import batch as module

        return getattr(module, name)
    raise AttributeError(f"module 'polyversi' has no attribute {name!r}")
