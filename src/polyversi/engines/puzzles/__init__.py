"""Puzzles of every game that the engine plays: found in its own games, proved by the solver, and graded."""

from polyversi.engines.puzzles.files import PuzzleFile, daily, puzzles, read, shipped_games
from polyversi.engines.puzzles.model import (
    FAILURES,
    GRADES,
    KINDS,
    LABELS,
    TASKS,
    TASKS_FOR_FEWEST,
    Answer,
    Kind,
    Puzzle,
    Step,
)

__all__ = [
    "FAILURES", "GRADES", "KINDS", "LABELS", "TASKS", "TASKS_FOR_FEWEST", "Answer", "Kind", "Puzzle",
    "PuzzleFile", "Step", "daily", "puzzles", "read", "shipped_games",
]
