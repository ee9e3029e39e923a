"""The engine: what positions are worth, as far as one looks or exactly, and how both sides reach it."""

from polyversi.engines.engine import Analysis, Engine, Valued, engine
from polyversi.engines.making import EngineError
from polyversi.engines.review import Review, Reviewed, review
from polyversi.engines.solver import Solution, Solver

__all__ = [
    "Analysis", "Engine", "EngineError", "Review", "Reviewed", "Solution", "Solver", "Valued",
    "engine", "review",
]
