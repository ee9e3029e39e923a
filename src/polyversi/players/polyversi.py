"""The player that the engine is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from polyversi.engines import Engine, EngineError
from polyversi.engines.engine import MEGABYTES
from polyversi.engines.levels import STRONGEST
from polyversi.games.errors import PlayerError
from polyversi.games.limit import NO_LIMIT, Limit
from polyversi.players.player import register
from polyversi.players.search import Search, Searcher

if TYPE_CHECKING:
    from polyversi.games.game import Game
    from polyversi.games.state import State


@register("polyversi")
class PolyversiPlayer(Searcher):
    """The engine: looks far ahead with an evaluation that it learned by playing, and plays endings perfectly.

    It plays every game of two seats on at most 64 cells with straight lines. Levels 1 to 9 make plausible
    mistakes, 10 to 19 look further and further ahead, and 20 looks as far as the limit allows.

    >>> import polyversi as pv
    >>> state = pv.game("othello-4").start()
    >>> found = pv.player("polyversi").search(state)
    >>> found.move, found.value
    (Move('b1'), -8)
    """

    level: int = STRONGEST
    """1 to 20, 20 the strongest."""
    threads: int = 1
    """That think at the same time."""
    hash: int = MEGABYTES
    """Megabytes in which it remembers positions."""
    seed: int = 0
    """Draws the mistakes of the lower levels."""

    def __post_init__(self) -> None:
        if not 1 <= self.level <= STRONGEST:
            raise PlayerError(f"level={self.level} is not possible; levels are 1 to {STRONGEST}")
        self._engine: Engine | None = None

    def unsuited(self, game: Game) -> str | None:
        is_searched = game.kernel != "graph"
        return None if is_searched else "it plays games of two seats on at most 64 cells with straight lines"

    def prepare(self, game: Game) -> None:
        self._engine_for(game)

    def stop(self) -> None:
        if self._engine is not None:
            self._engine.stop()

    def go_on(self) -> None:
        if self._engine is not None:
            self._engine.go_on()

    def search(self, state: State, limit: Limit = NO_LIMIT) -> Search:
        thought = self._engine_for(state.game).think(state, limit)
        best = thought.best
        return Search(best.move, best.value, thought.nodes, best.depth)

    def _engine_for(self, game: Game) -> Engine:
        """The engine of a game, which keeps what it has learnt for as long as the game is the same."""
        if self._engine is None or self._engine.game != game:
            try:
                self._engine = Engine(
                    game, self.level, threads=self.threads, megabytes=self.hash, seed=self.seed)
            except EngineError as error:
                raise PlayerError(str(error)) from None
        return self._engine

    def __getstate__(self) -> dict[str, object]:
        """Itself without what it has learnt, which is of no use elsewhere."""
        return self.__dict__ | {"_engine": None}
