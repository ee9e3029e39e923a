"""Levels: search depth and evaluation noise, from beginner to full strength."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from polyversi import _core
from polyversi.games.state import State


@dataclass(frozen=True)
class Level:
    """How strong the engine plays; a depth of 0 leaves that to the limit of a move."""

    depth: int
    """Plies searched."""
    exact: int
    """The number of empty cells at which it solves the endgame."""
    noise: float = 0.0
    """Standard deviation of the noise added to every value, in stones."""


LEVELS = dict(enumerate((
    Level(1, 1, 10.0), Level(1, 2, 7.0), Level(1, 3, 5.0), Level(2, 4, 4.0), Level(2, 5, 3.0),
    Level(2, 6, 2.0), Level(3, 7, 1.5), Level(3, 8, 1.0), Level(4, 9, 0.5), Level(4, 10), Level(5, 11),
    Level(6, 12), Level(7, 14), Level(8, 16), Level(10, 18), Level(12, 20), Level(13, 21), Level(14, 21),
    Level(15, 22), Level(0, 0),
), 1))
"""Every level by its number; the strongest searches as deep as the limit of a move allows."""
STRONGEST = len(LEVELS)

SENTENCES = (
    "Has just learned the rules.",
    "Has played a few games.",
    "Likes corners, and often overlooks them.",
    "Beats most beginners.",
    "Knows what corners are worth, and looks a move ahead.",
    "Plays for few mistakes more than for big gains.",
    "A good player among friends.",
    "Wins most games among friends.",
    "Seldom gives a corner away.",
    "A beginner at a club.",
    "A regular at a club.",
    "A strong player at a club.",
    "Wins most games at a club.",
    "Plays in tournaments.",
    "Wins tournaments.",
    "As strong as the best people.",
    "Stronger than the best people.",
    "Out of reach for people.",
    "Looks fifteen moves ahead.",
    "All it can do: as deep as the time allows.",
)
"""What each level means to people, level 1 first."""


def noisy_choice(
    state: State, moves: Sequence[_core.ScoredMove], level: Level, seed: int
) -> _core.ScoredMove:
    """The best move after noise is added to every value; the same position and seed give the same noise."""
    random = Random(f"{seed} {state.text}")
    return max(moves, key=lambda scored: scored[1] + random.gauss(0, level.noise))
