"""The core's search for a game, and the search of the placing phase."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache, lru_cache
from numbers import Integral
from os import PathLike
from pathlib import Path
from random import Random

from polyversi import _core
from polyversi.engines.weights import Weights, cached, evaluation_for
from polyversi.games.board import shorten
from polyversi.games.errors import PolyversiError
from polyversi.games.files import StrPath
from polyversi.games.game import Game
from polyversi.games.state import State
from polyversi.games.tiles import EMPTY

MAX_THREADS = 256
DEFAULT_MEGABYTES = 64
"""The size of a transposition table."""
MAX_MEGABYTES = 1 << 20
SUPPORTED = (
    "games of two seats with straight lines, on boards of squares that fit into 8×8 and on hexagons up to "
    "side 5"
)
"""What can be searched, in words."""
EXACT = len(_core.SELECTIVITY) - 1
"""The selectivity that prunes nothing."""
DEPTH_AFTER_OPENING = 6
"""Plies searched after the end of the placing phase, unless the limit is lower."""
MAX_LEAD = 2
"""Stones by which a balanced opening may favour a side."""


class EngineError(PolyversiError):
    """The engine does not support this game, or cannot do what is asked."""


def is_supported(game: Game) -> bool:
    """Whether the engine can search a game."""
    return game.kernel != "graph"


def check_integer(name: str, value: object, maximum: int) -> None:
    """Raises an EngineError unless a value is an integer from 1 to a maximum."""
    if not isinstance(value, Integral) or isinstance(value, bool) or not 1 <= int(value) <= maximum:
        raise EngineError(f"{name}={value!r} is not possible; give a whole number from 1 to {maximum}")


class _Identity:
    """A game as a cache key by identity: to the core an equal game is another one."""

    def __init__(self, game: Game) -> None:
        self.game = game

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Identity) and other.game is self.game

    def __hash__(self) -> int:
        return id(self.game)


@lru_cache(maxsize=8)
def _evaluation(key: _Identity, weights: Weights | None) -> _core.PatternEvaluation | None:
    """The evaluation, created once for all searches of a game with the same weights."""
    return evaluation_for(key.game) if weights is None else weights.evaluation(key.game)


class GameSearch:
    """What an engine and a solver share: the core's search for one game."""

    def __init__(
        self, game: Game, threads: int = 1, megabytes: int = DEFAULT_MEGABYTES,
        weights: Weights | StrPath | None = None,
    ) -> None:
        """With these weights, or else with those that come with the package for the game, if any."""
        check_integer("threads", threads, MAX_THREADS)
        check_integer("megabytes", megabytes, MAX_MEGABYTES)
        if not is_supported(game):
            raise EngineError(f"the engine does not support {game.spec}: it searches {SUPPORTED}")
        if isinstance(weights, (str, PathLike)):
            weights = cached(Path(weights))
        elif weights is not None and not isinstance(weights, Weights):
            raise EngineError(f"weights={weights!r} is not possible; give a file, or weights read by `load`")
        self.game = game
        try:
            self._core = _core.Search(
                game.start(), threads, megabytes, _evaluation(_Identity(game), weights))
        except MemoryError:
            raise EngineError(f"there is not enough memory for a table of {megabytes} MB") from None
        except RuntimeError:
            raise EngineError(f"this machine cannot start {threads} threads") from None

    @property
    def nodes(self) -> int:
        """Nodes searched so far; also while another thread searches."""
        return self._core.nodes

    def stop(self) -> None:
        """Stops the search that another thread runs, and every later one until `resume`.

        An engine answers with what it has, a solver raises an EngineError.
        """
        self._core.stop()

    def resume(self) -> None:
        """Lets it search again after a stop."""
        self._core.resume()

    def _own(self, state: State) -> State:
        return own_state(self.game, state)


def own_state(game: Game, state: State) -> State:
    """The position as one of a game, if it is one of an equal game, e.g. from another process."""
    if not isinstance(state, State):
        raise EngineError(f"{shorten(repr(state))} is not a state; play or read one, such as "
                          f"pv.game('{game.spec}').start()")
    if state.game is game:
        return state
    if state.game != game:
        raise EngineError(f"this engine is for {game.spec}, not for {state.game.spec}")
    return game.position(state.text)


def final_value(state: State) -> int:
    """By how much the seat whose turn it would be has won a finished game, negative if it has lost.

    >>> import polyversi as pv
    >>> final_value(pv.game("othello").position("X" * 62 + "-- X"))
    64
    """
    own, other = state.credited_scores[state.next_seat - 1], state.credited_scores[2 - state.next_seat]
    return other - own if state.game.definition.goal == "fewest" else own - other


def in_opening(state: State) -> bool:
    """Whether players are still placing the first stones."""
    return any(state.tiles[cell] == EMPTY for cell in state.game.definition.opening)


def random_opening(state: State, random: Random) -> State:
    """The position after a placing phase of random moves."""
    while in_opening(state):
        state = state.play(random.choice(state.moves))
    return state


def balanced_opening(openings: Iterable[State], lead: Callable[[State], float]) -> State:
    """The first opening that gives neither side more than a small lead, or else the most even of them.

    `lead` says by how many stones a side is ahead.

    >>> import polyversi as pv
    >>> openings = [pv.game("othello").start().play(move) for move in ("d3", "c4", "f5")]
    >>> leads = dict(zip(openings, (5, -2, 0), strict=True))
    >>> openings.index(balanced_opening(openings, leads.__getitem__))
    1
    """
    judged: list[tuple[float, State]] = []
    for state in openings:
        by = abs(lead(state))
        if by <= MAX_LEAD:
            return state
        judged.append((by, state))
    return min(judged, key=lambda one: one[0])[1]


def search_opening(state: State, search: _core.Search, depth: int | None) -> list[_core.ScoredMove]:
    """The moves of a placing phase by minimax over all of it, the best first."""
    plies = DEPTH_AFTER_OPENING if depth is None else max(1, min(depth, DEPTH_AFTER_OPENING))

    @cache
    def value(after: State) -> int:
        """For the seat to move."""
        if in_opening(after):
            return max(-value(after.play(move)) for move in after.moves)
        found = search.best_move(after, plies, 0, None, None)
        return found[1] if found is not None else 0

    scored = [(move, -value(state.play(move)), [move]) for move in state.moves]
    return sorted(scored, key=lambda one: -one[1])
