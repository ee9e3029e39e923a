"""The core's search for a game: creating it with checked arguments, and searching the placing phase."""

from __future__ import annotations

from functools import lru_cache
from numbers import Integral
from pathlib import Path
from typing import TYPE_CHECKING

from polyversi import _core
from polyversi.engines.weights import Weights, cached, evaluation_for
from polyversi.games.errors import PolyversiError
from polyversi.games.tiles import EMPTY

if TYPE_CHECKING:
    from random import Random

    from polyversi.games.game import Game
    from polyversi.games.state import State

MAX_THREADS = 256
DEFAULT_MEGABYTES = 64
"""Of a transposition table."""
MAX_MEGABYTES = 1 << 20
SUPPORTED = (
    "games of two seats with straight lines, on boards of squares that fit into 8×8 and on hexagons up to "
    "side 5"
)
"""What can be searched, in words."""
EXACT = len(_core.SELECTIVITY) - 1
"""The selectivity that prunes nothing."""
DEPTH_AFTER_OPENING = 6
"""Plies searched from the end of the placing phase, unless the limit says fewer."""


class EngineError(PolyversiError):
    """The engine does not support this game, or cannot do what is asked."""


def is_supported(game: Game) -> bool:
    """Whether the engine can search a game.

    >>> import polyversi as pv
    >>> is_supported(pv.game("othello:width=8,height=4")), is_supported(pv.game("othello:width=9,height=4"))
    (True, False)
    """
    return game.kernel != "graph"


def is_integer(value: object, minimum: int, maximum: int) -> bool:
    """Whether something is an integer within bounds, and nothing that only looks like one.

    >>> is_integer(3, 1, 20), is_integer(3.0, 1, 20), is_integer("3", 1, 20), is_integer(0, 1, 20)
    (True, False, False, False)
    """
    return isinstance(value, Integral) and not isinstance(value, bool) and minimum <= int(value) <= maximum


def check_resources(threads: int, megabytes: int) -> None:
    """Raises an EngineError for an impossible number of threads or size of the transposition table."""
    if not is_integer(threads, 1, MAX_THREADS):
        raise EngineError(f"{threads!r} threads are not possible; 1 to {MAX_THREADS} are")
    if not is_integer(megabytes, 1, MAX_MEGABYTES):
        raise EngineError(f"a table of {megabytes!r} MB is not possible; 1 to {MAX_MEGABYTES} are")


def new_search(
    game: Game, threads: int, megabytes: int, weights: Weights | Path | str | None = None
) -> _core.Search:
    """A search with these weights, or else with those that come with the package for the game, if any."""
    check_resources(threads, megabytes)
    if not is_supported(game):
        raise EngineError(f"the engine does not support {game.spec}: it searches {SUPPORTED}")
    if isinstance(weights, (Path, str)):
        weights = cached(Path(weights))
    elif weights is not None and not isinstance(weights, Weights):
        raise EngineError(f"{weights!r} is no weights; give a file of them or what `load` has read from one")
    try:
        return _core.Search(game.start(), threads, megabytes, _evaluation(_Identity(game), weights))
    except MemoryError:
        raise EngineError(f"there is no memory for a table of {megabytes} MB") from None
    except RuntimeError:
        raise EngineError(f"this machine gives no {threads} threads") from None


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
    """What an engine and a solver have in common: the core's search for one game, stopped and resumed."""

    def __init__(
        self, game: Game, threads: int, megabytes: int, weights: Weights | Path | str | None
    ) -> None:
        self.game = game
        self._core = new_search(game, threads, megabytes, weights)

    @property
    def nodes(self) -> int:
        """Nodes searched so far; also while another thread searches."""
        return self._core.nodes

    def stop(self) -> None:
        """Stops the search that another thread runs, and every later one until `resume`.

        So a stop that comes a moment before the search is not lost. An engine answers with what it has, a
        solver raises an EngineError.
        """
        self._core.stop()

    def resume(self) -> None:
        """Lets it search again after a stop."""
        self._core.resume()

    def _own(self, state: State) -> State:
        """The position as one of this game, if it is one of an equal game, e.g. from another process."""
        if state.game is self.game:
            return state
        if state.game != self.game:
            raise EngineError(f"this engine is for {self.game.spec}, not for {state.game.spec}")
        return self.game.position(state.text)


def in_opening(state: State) -> bool:
    """Whether players are still placing the first stones.

    >>> import polyversi as pv
    >>> in_opening(pv.game("reversi").start()), in_opening(pv.game("othello").start())
    (True, False)
    """
    return any(state.tiles[cell] == EMPTY for cell in state.game.definition.opening)


def random_opening(state: State, random: Random) -> State:
    """The position after a placing phase of random moves.

    >>> import polyversi as pv
    >>> from random import Random
    >>> random_opening(pv.game("reversi").start(), Random(1)).scores
    (2, 2)
    """
    while in_opening(state):
        state = state.play(random.choice(state.moves))
    return state


def search_opening(state: State, search: _core.Search, depth: int | None) -> list[_core.ScoredMove]:
    """The moves of a placing phase by minimax over all of it, the best first."""
    values: dict[str, int] = {}
    plies = DEPTH_AFTER_OPENING if depth is None else max(1, min(depth, DEPTH_AFTER_OPENING))

    def value(after: State) -> int:
        """For the seat to move."""
        if after.text not in values:
            if in_opening(after):
                values[after.text] = max(-value(after.play(move)) for move in after.moves)
            else:
                found = search.best_move(after, plies, 0, None, None)
                values[after.text] = found[1] if found is not None else 0
        return values[after.text]

    scored = [(move, -value(state.play(move)), [move]) for move in state.moves]
    return sorted(scored, key=lambda one: -one[1])
