"""The player that the engine is."""

from __future__ import annotations

import random
from collections.abc import Mapping
from numbers import Integral
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, ClassVar

from polyversi.engines import Engine
from polyversi.engines.engine import MEGABYTES
from polyversi.engines.levels import STRONGEST
from polyversi.engines.making import KNOWN, check_resources, is_known, is_whole
from polyversi.engines.weights import loaded
from polyversi.games.errors import PlayerError, PolyversiError
from polyversi.games.family import Number
from polyversi.games.limit import NO_LIMIT, Limit
from polyversi.players.player import register
from polyversi.players.search import Search, Searcher

if TYPE_CHECKING:
    from polyversi.games.game import Game
    from polyversi.games.state import State


@register("polyversi")
class PolyversiPlayer(Searcher):
    """The engine: looks far ahead with an evaluation that it learned by playing, and plays endings perfectly.

    It plays every game of two seats with straight lines, on boards of squares that fit into 8×8 and on
    hexagons up to side 5. Levels 1 to 9 make plausible mistakes, 10 to 19 look further and further ahead, and
    20 looks as far as the limit allows.

    >>> import polyversi as pv
    >>> state = pv.game("othello-4").start()
    >>> found = pv.player("polyversi").search(state)
    >>> found.move, found.value
    (Move('b1'), -8)
    """

    strength: ClassVar[int] = 100
    offered: ClassVar[Mapping[str, object]] = {"level": 5}

    level: Annotated[int, Number(1, STRONGEST)] = STRONGEST
    """1 to 20, 20 the strongest."""
    threads: int = 1
    """That think at the same time."""
    hash: int = MEGABYTES
    """Megabytes in which it remembers positions, rounded down to a power of two."""
    seed: int | None = None
    """Makes the mistakes of the lower levels repeatable."""
    weights: str = ""
    """A file that `polyversi train` has made, in place of the weights that come with the package."""

    def __post_init__(self) -> None:
        if not is_whole(self.level, 1, STRONGEST):
            raise PlayerError(f"level={self.level!r} is not possible; levels are 1 to {STRONGEST}")
        if self.seed is not None and not isinstance(self.seed, Integral):
            raise PlayerError(f"seed={self.seed!r} is not possible; a seed is a whole number")
        if not isinstance(self.weights, str):
            raise PlayerError(f"weights={self.weights!r} are not possible; write the name of a file")
        try:
            check_resources(self.threads, self.hash)
            if self.weights:
                loaded(Path(self.weights))
        except PolyversiError as error:
            raise PlayerError(str(error)) from None
        self._engine: Engine | None = None
        self._lot = random.getrandbits(32) if self.seed is None else self.seed

    def unsuited(self, game: Game) -> str | None:
        if not is_known(game):
            return f"it plays {KNOWN}"
        if self.weights and not (own := loaded(Path(self.weights))).fits(game):
            return f"its weights are of {own.header.spec}, and say nothing about this game"
        return None

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
                    game, self.level, threads=self.threads, megabytes=self.hash, seed=self._lot,
                    weights=self.weights or None)
            except PolyversiError as error:
                raise PlayerError(str(error)) from None
        return self._engine

    def __getstate__(self) -> dict[str, object]:
        """Itself without what it has learnt, which is of no use elsewhere."""
        return self.__dict__ | {"_engine": None}
