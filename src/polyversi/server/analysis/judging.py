"""What a position is worth, as data for the page."""

from __future__ import annotations

from typing import Any

from polyversi.engines.engine import Analysis, Engine
from polyversi.engines.search import SUPPORTED, is_supported
from polyversi.games.game import Game

Json = dict[str, Any]


def can_judge(game: Game) -> str | None:
    return None if is_supported(game) else f"nothing can judge {game.spec}: there are values for {SUPPORTED}"


class _Engine(Engine):
    def analyse(self, state, limit, *, beyond=None):
        for one in super().analyse(state, limit):
            if beyond is None or (one.best.depth, one.best.selectivity) > beyond:
                yield one


def judge(game, *, threads=1, megabytes=64):
    return _Engine(game, threads=threads, megabytes=megabytes)


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
