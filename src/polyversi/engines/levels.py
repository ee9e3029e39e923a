"""Levels: how far the engine looks and what it overlooks, from a beginner to full strength.

Nothing here depends on time, so that a level plays the same on every machine. `tests/soak/ladder.py` measures
the steps between levels, and docs/levels.md has the table.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from polyversi import _core
from polyversi.games.state import State

MISCOUNT = 4.0
"""Standard deviation of the error with which a beginner counts the stones that a move turns."""


@dataclass(frozen=True)
class Level:
    """How strong the engine plays; a depth of 0 leaves that to the limit of a move."""

    meaning: str
    """What to expect of it, for people."""
    depth: int
    """Plies searched."""
    exact: int
    """The number of empty cells at which it solves the endgame."""
    noise: float = 0.0
    """Standard deviation of the noise added to every value, in stones."""
    greed: float = 0.0
    """The share of its moves that it takes for the stones they turn, with no thought of the consequences."""


LEVELS = dict(enumerate((
    Level("Has just learned the rules, and goes by the stones that a move turns.", 1, 1, 20.0, 0.95),
    Level("Has played a few games, and now and then sees a good move.", 1, 1, 14.0, 0.4),
    Level("Sees many good moves, and overlooks as many.", 1, 2, 11.5, 0.15),
    Level("Beats most beginners.", 2, 3, 12.5),
    Level("Thinks of your reply, and still misjudges a lot.", 2, 4, 9.5),
    Level("Plays now and then, with a bad mistake or two in every game.", 2, 4, 7.0),
    Level("Plays often, and takes what you leave open.", 2, 5, 5.0),
    Level("A good player among friends.", 3, 6, 5.0),
    Level("Beats most people who have never studied the game.", 3, 7, 3.6),
    Level("Punishes careless moves.", 4, 8, 3.5),
    Level("Hardly ever gives anything away.", 4, 8, 2.5),
    Level("Looks four moves ahead, and is seldom wrong by much.", 4, 9, 1.4),
    Level("Looks four moves ahead, and makes no careless mistakes any more.", 4, 10),
    Level("Looks five moves ahead, and plays the last eleven cells without a fault.", 5, 11),
    Level("Looks six moves ahead, and plays the last twelve cells without a fault.", 6, 12),
    Level("Looks seven moves ahead, and plays the last fourteen cells without a fault.", 7, 14),
    Level("Looks eight moves ahead: a serious test for tournament players.", 8, 16),
    Level("Looks nine moves ahead, and plays the last seventeen cells without a fault.", 9, 17),
    Level("Looks twelve moves ahead, and plays the last twenty cells without a fault.", 12, 20),
    Level("Everything it has: as far ahead as the time allows.", 0, 0),
), 1))
"""Every level by its number; the strongest searches as deep as the limit of a move allows."""
STRONGEST = len(LEVELS)


def noisy_choice(
    state: State, moves: Sequence[_core.ScoredMove], level: Level, seed: int
) -> _core.ScoredMove:
    """The move of a level that makes mistakes; the same position and seed give the same one.

    It is the best move after noise is added to every value, or, for as many moves as the level is greedy, the
    one that seems to turn most stones: fewest where the fewest win.
    """
    random = Random(f"{seed} {state.text}")
    placed = [scored for scored in moves if not scored[0].is_pass]
    if placed and random.random() < level.greed:
        sign = 1 if state.game.definition.goal == "most" else -1
        return max(placed, key=lambda scored: sign * len(state.turned(scored[0])) + random.gauss(0, MISCOUNT))
    return max(moves, key=lambda scored: scored[1] + random.gauss(0, level.noise))
