"""What a position is worth, as data for the page."""

from __future__ import annotations

from typing import Any

from polyversi.engines.engine import Analysis

Json = dict[str, Any]


def analysis_data(analysis: Analysis) -> Json:
    """An analysis as JSON-able data."""
    best = analysis.best
    return {
        "unit": "stones", "depth": best.depth, "selectivity": best.selectivity, "exact": analysis.is_exact,
        "nodes": analysis.nodes, "seconds": analysis.seconds,
        "moves": [
            {"move": str(one.move), "value": one.value, "points": None, "depth": one.depth,
             "selectivity": one.selectivity, "exact": one.is_exact,
             "line": [str(move) for move in one.principal_variation]} for one in analysis.moves],
    }
