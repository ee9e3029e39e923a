"""The engine: search, endgame solver, review of games, levels, weights and their training."""

from polyversi.engines.engine import Analysis, Engine, MoveValue, engine
from polyversi.engines.review import Review, ReviewedMove, review
from polyversi.engines.search import EngineError
from polyversi.engines.solver import Solution, Solver

__all__ = [
    "Analysis", "Engine", "EngineError", "MoveValue", "Review", "ReviewedMove", "Solution", "Solver",
    "engine", "review",
]
