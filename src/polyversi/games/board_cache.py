"""A cache of what is made of games and boards, which keeps few of the large ones."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import Any, ParamSpec, TypeVar, cast

from polyversi.games.board import Board

MAX_SMALL = 700
"""Cells up to which a board is small: on maps of one's own there can be thousands."""
LARGE_ONES = 4
"""Large boards of which something is kept at a time."""

P = ParamSpec("P")
T = TypeVar("T")


def board_cache(maxsize: int) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """Like `lru_cache` for a function whose first argument is a game or a board; hardly any large ones count.

    What is made of a board grows with it, so that a number of boards alone would be no bound on the memory.

    >>> from polyversi.games.board import rectangle
    >>> made = []
    >>> cells = board_cache(64)(lambda board: made.append(board.size) or board.size)
    >>> boards = [rectangle(20, height) for height in range(31, 41)]    # five small and five large ones
    >>> list(map(cells, boards)) == list(map(cells, boards)), len(made)
    (True, 15)
    """
    def decorate(make: Callable[P, T]) -> Callable[P, T]:
        small, large = (cast("Callable[P, T]", lru_cache(size)(make)) for size in (maxsize, LARGE_ONES))

        @wraps(make)
        def find(*given: P.args, **more: P.kwargs) -> T:
            of = cast("Any", given[0])
            board = of if isinstance(of, Board) else of.board
            return (small if board.size <= MAX_SMALL else large)(*given, **more)

        return find

    return decorate
