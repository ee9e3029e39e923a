"""Making the core's search for a game, with errors that say what would be possible."""

from __future__ import annotations

from functools import lru_cache
from numbers import Integral
from pathlib import Path
from typing import TYPE_CHECKING

from polyversi import _core
from polyversi.engines.weights import Weights, evaluation_for, loaded
from polyversi.games.errors import PolyversiError

if TYPE_CHECKING:
    from polyversi.games.game import Game
    from polyversi.games.state import State

MOST_THREADS = 256
MOST_MEGABYTES = 1 << 20
KNOWN = (
    "games of two seats with straight lines, on boards of squares that fit into 8×8 and on hexagons up to "
    "side 5"
)
"""What can be searched, in words."""


class EngineError(PolyversiError):
    """The engine does not know this game, or cannot do what is asked."""


def is_known(game: Game) -> bool:
    """Whether the engine can search a game.

    >>> import polyversi as pv
    >>> is_known(pv.game("othello:width=8,height=4")), is_known(pv.game("othello:width=9,height=4"))
    (True, False)
    """
    return game.kernel != "graph"


def is_whole(value: object, least: int, most: int) -> bool:
    """Whether something is a whole number within bounds, and nothing that only looks like one.

    >>> is_whole(3, 1, 20), is_whole(3.0, 1, 20), is_whole("3", 1, 20), is_whole(0, 1, 20)
    (True, False, False, False)
    """
    return isinstance(value, Integral) and not isinstance(value, bool) and least <= int(value) <= most


def check_resources(threads: int, megabytes: int) -> None:
    """Raises an EngineError for threads or a table that there cannot be."""
    if not is_whole(threads, 1, MOST_THREADS):
        raise EngineError(f"{threads!r} threads are not possible; 1 to {MOST_THREADS} are")
    if not is_whole(megabytes, 1, MOST_MEGABYTES):
        raise EngineError(f"a table of {megabytes!r} MB is not possible; 1 to {MOST_MEGABYTES} are")


def new_search(
    game: Game, threads: int, megabytes: int, weights: Weights | Path | str | None = None
) -> _core.Search:
    """A search by so many threads over a table of that size, with weights or a file of them.

    Without any it takes those that come with the package, if there are some for the game.
    """
    check_resources(threads, megabytes)
    if not is_known(game):
        raise EngineError(f"the engine does not know {game.spec}: it searches {KNOWN}")
    evaluation = _evaluation(_Itself(game), _given(weights))
    try:
        return _core.Search(game.start(), threads, megabytes, evaluation)
    except MemoryError:
        raise EngineError(f"there is no memory for a table of {megabytes} MB") from None
    except RuntimeError:
        raise EngineError(f"this machine gives no {threads} threads") from None


class _Itself:
    """A game as a key that is no other game's, not even an equal one's: the core tells them apart."""

    def __init__(self, game: Game) -> None:
        self.game = game

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Itself) and other.game is self.game

    def __hash__(self) -> int:
        return id(self.game)


def _given(weights: Weights | Path | str | None) -> Weights | None:
    if weights is None or isinstance(weights, Weights):
        return weights
    if not isinstance(weights, (Path, str)):
        raise EngineError(f"{weights!r} is no weights; give a file of them or what `load` has read from one")
    return loaded(Path(weights))


@lru_cache(maxsize=8)
def _evaluation(of: _Itself, weights: Weights | None) -> _core.LearnedEvaluation | None:
    """What positions are worth, made once for all searches of a game with the same weights."""
    return evaluation_for(of.game) if weights is None else weights.evaluation(of.game)


def position_in(game: Game, state: State) -> State:
    """A position as one of a game, if it is one of an equal game, such as one from another process."""
    if state.game is game:
        return state
    if state.game != game:
        raise EngineError(f"this engine is for {game.spec}, not for {state.game.spec}")
    return game.position(state.text)
