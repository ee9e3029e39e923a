"""Judges: one interface to what every move is worth, in every game that anything can judge."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Protocol

import msgspec

from polyversi.engines.engine import SELECTIVITIES, Analysis, Engine, MoveValue, Reached, Unit
from polyversi.engines.points import PointsJudge
from polyversi.engines.search import DEFAULT_MEGABYTES, SUPPORTED, EngineError, is_supported
from polyversi.engines.weights import Weights
from polyversi.games.errors import PolyversiError
from polyversi.games.files import StrPath
from polyversi.games.game import Game
from polyversi.games.limit import Limit
from polyversi.games.state import State
from polyversi.games.variants import game as game_of


class Judge(Protocol):
    """Says what every move of a position is worth. An `Engine` is one."""

    game: Game

    @property
    def unit(self) -> Unit:
        """What its values are counted in."""

    @property
    def nodes(self) -> int:
        """Nodes searched so far; also while another thread searches."""

    def analyse(self, state: State, limit: Limit, *, beyond: Reached | None = None) -> Iterator[Analysis]:
        """Every move with its value, surer with each iteration, until the limit.

        With `beyond`, the depth and selectivity that are known already, only iterations that go further.
        """

    def stop(self) -> None:
        """Stops the search that another thread runs, and every later one until `resume`."""

    def resume(self) -> None:
        """Lets it search again after a stop."""


def can_judge(game: Game) -> str | None:
    """Why nothing can say what the moves of a game are worth, in a sentence, or None when something can.

    >>> import polyversi as pv
    >>> can_judge(pv.game("othello")), can_judge(pv.game("rolit"))
    (None, None)
    >>> can_judge(pv.game("anti-10"))
    'nothing can judge anti-10: where the fewest stones win, there are values for games of two seats with \
straight lines, on boards of squares that fit into 8×8 and on hexagons up to side 5'
    """
    if is_supported(game) or game.definition.goal == "most":
        return None
    return f"nothing can judge {game.spec}: where the fewest stones win, there are values for {SUPPORTED}"


def judge(
    game: Game | str, *, threads: int = 1, megabytes: int = DEFAULT_MEGABYTES,
    weights: Weights | StrPath | None = None, selectivity: int = SELECTIVITIES[0],
) -> Judge:
    """What can judge the moves of a game; an EngineError with the sentence of `can_judge` where nothing can.

    It is the engine, in stones, where it plays the game, and otherwise a `PointsJudge`, which has one thread
    and takes no other weights.

    >>> import polyversi as pv
    >>> othello = judge("othello-4")
    >>> *_, last = othello.analyse(pv.game("othello-4").start(), pv.Limit())
    >>> last.unit, last.best.move, last.best.value, last.is_exact
    ('stones', Move('b1'), -8, True)
    """
    game = game if isinstance(game, Game) else game_of(game)
    if problem := can_judge(game):
        raise EngineError(problem)
    if not is_supported(game):
        if weights is not None:
            raise EngineError(f"weights from training are for {SUPPORTED}, not for {game.spec}")
        return PointsJudge(game, megabytes=megabytes)
    return Engine(game, threads=threads, megabytes=megabytes, weights=weights, selectivity=selectivity)


class _MoveData(msgspec.Struct):
    move: str
    value: float
    depth: int
    selectivity: int
    exact: bool
    line: list[str]
    points: tuple[float, ...] | None = None


class _AnalysisData(msgspec.Struct):
    unit: Unit
    nodes: int
    seconds: float
    moves: list[_MoveData]


def analysis_data(analysis: Analysis) -> dict[str, Any]:
    """An analysis as data for JSON, which `read_analysis` reads.

    Values are for the seat to move; `depth` and `selectivity` are those of the best move.

    >>> import polyversi as pv
    >>> *_, last = judge("othello-4").analyse(pv.game("othello-4").start().play("b1"), pv.Limit())
    >>> data = analysis_data(last)
    >>> data["unit"], data["depth"], data["exact"], [(one["move"], one["value"]) for one in data["moves"]]
    ('stones', 11, True, [('a1', 8), ('c1', -8), ('a3', -9)])
    """
    best = analysis.best
    return {
        "unit": analysis.unit, "depth": best.depth, "selectivity": best.selectivity,
        "exact": analysis.is_exact, "nodes": analysis.nodes, "seconds": round(analysis.seconds, 6),
        "moves": [move_data(scored) for scored in analysis.moves],
    }


def move_data(scored: MoveValue) -> dict[str, Any]:
    """A move with its value as data for JSON."""
    return {
        "move": str(scored.move), "value": scored.value,
        "points": None if scored.points is None else list(scored.points),
        "depth": scored.depth, "selectivity": scored.selectivity, "exact": scored.is_exact,
        "line": list(map(str, scored.principal_variation)),
    }


def read_analysis(state: State, data: object) -> Analysis:
    """The analysis of a position that `analysis_data` made data of.

    >>> import polyversi as pv
    >>> *_, last = judge("othello-4").analyse(pv.game("othello-4").start(), pv.Limit())
    >>> read_analysis(last.state, analysis_data(last)).moves == last.moves
    True
    """
    try:
        given = msgspec.convert(data, _AnalysisData)
        moves = tuple(_read_move(state, one) for one in given.moves)
    except (msgspec.ValidationError, PolyversiError) as error:
        raise EngineError(f"this is not the data of an analysis: {error}") from None
    if {one.move for one in moves} != set(state.moves):
        raise EngineError(f"this is not an analysis of '{state.text}': it has other moves")
    return Analysis(state, moves, given.nodes, given.seconds, given.unit)


def _read_move(state: State, data: _MoveData) -> MoveValue:
    value = data.value if data.points is not None else round(data.value)
    line = tuple(map(state.game.move, data.line))
    return MoveValue(
        state.game.move(data.move), value, data.depth, data.selectivity, data.exact, line, data.points)
