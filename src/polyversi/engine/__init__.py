"""The engine: exact values of positions, and the line with which both sides reach them."""

from polyversi.engine.solver import Solution, Solver

__all__ = ["Solution", "Solver"]
