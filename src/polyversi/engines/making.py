"""Making the core's search for a game, with errors that say what would be possible."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from polyversi import _core
from polyversi.engines.weights import evaluation_for
from polyversi.games.errors import PolyversiError

if TYPE_CHECKING:
    from polyversi.games.game import Game
    from polyversi.games.state import State

MOST_THREADS = 256
MOST_MEGABYTES = 1 << 20


class EngineError(PolyversiError):
    """The engine does not know this game, or cannot do what is asked."""


def new_search(game: Game, threads: int, megabytes: int) -> _core.Search:
    """A search with the weights there are for a game, by so many threads over a table of that size."""
    if not 1 <= threads <= MOST_THREADS:
        raise EngineError(f"{threads} threads are not possible; 1 to {MOST_THREADS} are")
    if not 1 <= megabytes <= MOST_MEGABYTES:
        raise EngineError(f"a table of {megabytes} MB is not possible; 1 to {MOST_MEGABYTES} are")
    try:
        return _core.Search(game.start(), threads, megabytes, _evaluation(_Itself(game)))
    except ValueError as error:
        raise EngineError(f"the engine does not know {game.spec}: {error}") from None
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


@lru_cache(maxsize=8)
def _evaluation(of: _Itself) -> _core.LearnedEvaluation | None:
    """What positions are worth, made once for all searches of a game."""
    return evaluation_for(of.game)


def position_in(game: Game, state: State) -> State:
    """A position as one of a game, if it is one of an equal game, such as one from another process."""
    if state.game is game:
        return state
    if state.game != game:
        raise EngineError(f"this engine is for {game.spec}, not for {state.game.spec}")
    return game.position(state.text)
