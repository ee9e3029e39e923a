"""Hints: a quick suggestion in any game, from the engine or, where it has no support, from playouts."""

from __future__ import annotations

import time
from dataclasses import dataclass

from polyversi._core import Move
from polyversi.engines import Engine
from polyversi.engines.search import is_supported
from polyversi.games.batch import playouts
from polyversi.games.limit import Limit
from polyversi.games.result import rank, shared_point
from polyversi.games.state import State

SECONDS = 0.5
"""No further playouts begin after this; the last ones take about as long as all before them."""
MAX_PLAYOUTS = 256
"""Playouts after each move; more would rarely change the suggestion."""
MEGABYTES = 16


@dataclass(frozen=True)
class Hint:
    """A move, and why."""

    move: Move
    value: float | None = None
    """What the engine expects, in stones."""
    share: float | None = None
    """The share of playouts that are won after it."""

    def __str__(self) -> str:
        if self.value is not None:
            return f"{self.move} (expects {self.value:+} {'stone' if abs(self.value) == 1 else 'stones'})"
        return f"{self.move} ({self.share:.0%} of random games are won after it)"


def hint(state: State, seed: int = 0) -> Hint:
    """The move that the engine would play; in games that it does not support, the one after which most
    playouts are won.

    >>> import polyversi as pv
    >>> print(hint(pv.game("othello-4").position("XXXX" "XXXX" "OOOO" "OOO- X")))
    d4 (expects +6 stones)
    >>> print(hint(pv.game("rolit").start()).move in pv.game("rolit").start().moves)
    True
    """
    if not is_supported(state.game):
        return by_playouts(state, seed)
    best = Engine(state.game, megabytes=MEGABYTES).think(state, Limit(seconds=SECONDS)).best
    return Hint(best.move, value=best.value)


def by_playouts(state: State, seed: int = 0) -> Hint:
    """The move after which most playouts are won.

    >>> import polyversi as pv
    >>> print(by_playouts(pv.game("othello-4").position("XXXX" "XXXX" "OOOO" "OOO- X")))
    d4 (100% of random games are won after it)
    """
    begin = time.monotonic()
    moves = [move for move in state.moves if not move.is_pass] or list(state.moves)
    after = [state.play(move) for move in moves]
    shares, games = [0.0] * len(moves), 0
    while games < MAX_PLAYOUTS and (games == 0 or time.monotonic() - begin < SECONDS):
        more = max(1, games)
        for number, position in enumerate(after):
            shares[number] += _won(position, state.turn, more, seed + games)
        games += more
    best = max(range(len(moves)), key=lambda number: shares[number])
    return Hint(moves[best], share=shares[best] / games)


def _won(state: State, seat: int, games: int, seed: int) -> float:
    """How many playouts a seat wins, shared wins in parts."""
    goal = state.game.definition.goal
    if state.result is not None:
        return games * shared_point(state.result.ranks)[seat - 1]
    ends = playouts(state, games, seed).tolist()
    return sum(shared_point(rank(tuple(scores), goal, state.out))[seat - 1] for scores in ends)
