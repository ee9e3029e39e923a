"""Hints: a quick suggestion in any game with its value, or from playouts where nothing can judge the game."""

from __future__ import annotations

import time
from collections import deque
from dataclasses import dataclass

from polyversi._core import Move
from polyversi.engines.engine import Engine, MoveValue, Unit
from polyversi.engines.judge import can_judge, judge
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
    """What the judge of the game expects, in stones or points."""
    share: float | None = None
    """The share of playouts that are won after it, where nothing can judge the game."""
    unit: Unit = "stones"
    """What the value is counted in."""
    is_exact: bool = False
    """Whether the value is proved."""

    def __str__(self) -> str:
        if self.value is None:
            return f"{self.move} ({self.share:.0%} of random games are won after it)"
        if self.unit == "points":
            return f"{self.move} (expects {self.value:.1f} points)"
        return f"{self.move} (expects {self.value:+} {'stone' if abs(self.value) == 1 else 'stones'})"


def hint(state: State, seed: int = 0) -> Hint:
    """The best move that the judge of the game finds in half a second; where nothing can judge the game, the
    one after which most playouts are won.

    >>> import polyversi as pv
    >>> print(hint(pv.game("othello-4").position("XXXX" "XXXX" "OOOO" "OOO- X")))
    d4 (expects +6 stones)
    >>> found = hint(pv.game("rolit").start())
    >>> found.move in pv.game("rolit").start().moves, found.unit, found.value > 5
    (True, 'points', True)
    >>> hint(pv.game("anti-10").start()).value is None
    True
    """
    best = None if can_judge(state.game) else _best(state)
    if best is None:
        return by_playouts(state, seed)
    unit: Unit = "stones" if best.points is None else "points"
    return Hint(best.move, value=best.value, unit=unit, is_exact=best.is_exact)


def _best(state: State) -> MoveValue | None:
    """The best move within the time: the engine looks for it alone, since that goes deeper.

    On huge maps there may be no time even for a first look.
    """
    judged, limit = judge(state.game, megabytes=MEGABYTES), Limit(seconds=SECONDS)
    if isinstance(judged, Engine):
        return judged.think(state, limit).best
    last = deque(judged.analyse(state, limit), maxlen=1)
    return last[0].best if last else None


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
