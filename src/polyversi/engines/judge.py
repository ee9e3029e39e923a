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


class MoveWorth(msgspec.Struct, frozen=True):
    """A move with its value for the seat to move, as it is sent and stored."""

    move: str
    value: float
    points: list[float] | None
    """The expected rank points of every seat, where values are points."""
    depth: int
    selectivity: int
    """How sure the value is, in percent."""
    exact: bool
    line: list[str]
    """The move and the best play that follows."""

    @classmethod
    def of(cls, scored: MoveValue) -> MoveWorth:
        """A value of the engine."""
        points = None if scored.points is None else list(scored.points)
        return cls(str(scored.move), scored.value, points, scored.depth, scored.selectivity, scored.is_exact,
                   list(map(str, scored.principal_variation)))

    def read(self, game: Game) -> MoveValue:
        """The value of the engine that this was made of."""
        value = self.value if self.points is not None else round(self.value)
        points = None if self.points is None else tuple(self.points)
        return MoveValue(game.move(self.move), value, self.depth, self.selectivity, self.exact,
                         tuple(map(game.move, self.line)), points)


class Finding(msgspec.Struct, frozen=True, kw_only=True):
    """An analysis as it is sent and stored; `depth` and `selectivity` are those of the best move.

    >>> import polyversi as pv
    >>> *_, last = judge("othello-4").analyse(pv.game("othello-4").start().play("b1"), pv.Limit())
    >>> found = Finding.of(last)
    >>> found.unit, found.depth, found.exact, [(one.move, one.value) for one in found.moves]
    ('stones', 11, True, [('a1', 8), ('c1', -8), ('a3', -9)])
    """

    unit: Unit
    depth: int
    selectivity: int
    exact: bool
    nodes: int
    seconds: float
    """Thought about it so far, by everybody together."""
    moves: list[MoveWorth]
    """The best first; none while nothing is known."""

    @classmethod
    def of(cls, analysis: Analysis) -> Finding:
        """What an analysis has found."""
        best = analysis.best
        return cls(unit=analysis.unit, depth=best.depth, selectivity=best.selectivity,
                   exact=analysis.is_exact, nodes=analysis.nodes, seconds=round(analysis.seconds, 6),
                   moves=[MoveWorth.of(scored) for scored in analysis.moves])

    @property
    def reached(self) -> Reached:
        """How far the search has come."""
        return self.depth, self.selectivity

    def read(self, state: State) -> Analysis:
        """The analysis that this was made of; an EngineError where it is of another position."""
        try:
            moves = tuple(one.read(state.game) for one in self.moves)
        except PolyversiError as error:
            raise EngineError(f"this is not the data of an analysis: {error}") from None
        if {one.move for one in moves} != set(state.moves):
            raise EngineError(f"this is not an analysis of '{state.text}': it has other moves")
        return Analysis(state, moves, self.nodes, self.seconds, self.unit)


def analysis_data(analysis: Analysis) -> dict[str, Any]:
    """An analysis as data for JSON, which `read_analysis` reads: a `Finding`."""
    data: dict[str, Any] = msgspec.to_builtins(Finding.of(analysis))
    return data


def move_data(scored: MoveValue) -> dict[str, Any]:
    """A move with its value as data for JSON: a `MoveWorth`."""
    data: dict[str, Any] = msgspec.to_builtins(MoveWorth.of(scored))
    return data


def read_analysis(state: State, data: object) -> Analysis:
    """The analysis of a position that `analysis_data` made data of.

    >>> import polyversi as pv
    >>> *_, last = judge("othello-4").analyse(pv.game("othello-4").start(), pv.Limit())
    >>> read_analysis(last.state, analysis_data(last)).moves == last.moves
    True
    """
    try:
        found = msgspec.convert(data, Finding)
    except msgspec.ValidationError as error:
        raise EngineError(f"this is not the data of an analysis: {error}") from None
    return found.read(state)
