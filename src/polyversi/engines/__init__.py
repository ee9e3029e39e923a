"""The engine: search, endgame solver, review of games, levels, weights and their training."""

from polyversi.engines.engine import Analysis, Engine, MoveValue, engine
from polyversi.engines.judge import Judge, can_judge, judge
from polyversi.engines.review import Review, ReviewedMove, review
from polyversi.engines.search import EngineError
from polyversi.engines.solver import Solution, Solver

__all__ = [
    "Analysis", "Engine", "EngineError", "Judge", "MoveValue", "Review", "ReviewedMove", "Solution", "Solver",
    "can_judge", "engine", "judge", "review",
]
