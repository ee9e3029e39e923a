"""The engine as a player."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, ClassVar

from polyversi.engines import Engine
from polyversi.engines.book import Book
from polyversi.engines.book import cached as cached_book
from polyversi.engines.levels import LEVELS, STRONGEST
from polyversi.engines.search import (
    DEFAULT_MEGABYTES,
    MAX_MEGABYTES,
    MAX_THREADS,
    SUPPORTED,
    is_supported,
)
from polyversi.engines.weights import Weights, cached
from polyversi.games.errors import PlayerError, PolyversiError, RecordError
from polyversi.games.family import Number
from polyversi.games.game import Game
from polyversi.games.limit import NO_LIMIT, Limit
from polyversi.games.state import State
from polyversi.players.options import HARMLESS, NAMES_FILE, Resource
from polyversi.players.player import register_player
from polyversi.players.search import Search, Searcher


@register_player("polyversi")
class PolyversiPlayer(Searcher):
    """The engine: a deep search with an evaluation trained by self-play, and perfect endgames.

    It plays every game of two seats with straight lines, on boards of squares that fit into 8×8 and on
    hexagons up to side 5. Levels 1 to 12 make plausible mistakes, fewer from level to level, 13 to 19 search
    ever deeper, and 20 searches as deep as the limit allows.

    >>> import polyversi as pv
    >>> state = pv.game("othello-4").start()
    >>> found = pv.player("polyversi").search(state)
    >>> found.move, found.value
    (Move('b1'), -8)
    """

    label: ClassVar[str] = "Polyversi"
    sentence: ClassVar[str] = ("Our own engine, from a beginner at level 1 to far beyond human play at "
                               "level 20.")
    strength: ClassVar[int] = 100
    offered: ClassVar[Mapping[str, object]] = {"level": 5}
    levels: ClassVar[Sequence[str]] = tuple(level.meaning for level in LEVELS.values())

    level: Annotated[int, Number(1, STRONGEST), HARMLESS] = STRONGEST
    """How strong it plays; the highest is the strongest."""
    threads: Annotated[int, Number(1, MAX_THREADS), Resource(1)] = 1
    """Threads of the search."""
    hash: Annotated[int, Number(1, MAX_MEGABYTES), Resource(16)] = DEFAULT_MEGABYTES
    """Megabytes of the transposition table, rounded down to a power of two."""
    seed: Annotated[int | None, HARMLESS] = None
    """Makes the mistakes of the lower levels repeatable."""
    weights: Annotated[str, NAMES_FILE] = ""
    """A file that `polyversi train` has made, in place of the weights that come with the package."""
    book: bool = False
    """Plays the first moves from the opening book that comes with the package, from level 13 on."""
    own_book: Annotated[str, NAMES_FILE] = ""
    """A file that `polyversi book grow` has made, to play the first moves from."""

    def __post_init__(self) -> None:
        self._engine: Engine | None = None
        self._seed = random.getrandbits(32) if self.seed is None else self.seed
        self._own_weights()
        self._chosen_book()

    def unsuited(self, game: Game) -> str | None:
        if not is_supported(game):
            return f"it plays {SUPPORTED}"
        if (own := self._own_weights()) and not own.fits(game):
            return f"its weights are of {own.header.spec}, and of no use for this game"
        if isinstance(book := self._chosen_book(), Book) and book.game != game:
            return f"its book is of {book.header.spec}, and of no use for this game"
        return None

    def _own_weights(self) -> Weights | None:
        try:
            return cached(Path(self.weights)) if self.weights else None
        except RecordError as error:
            raise PlayerError(str(error)) from None

    def _chosen_book(self) -> Book | bool:
        try:
            return cached_book(Path(self.own_book)) if self.own_book else self.book
        except RecordError as error:
            raise PlayerError(str(error)) from None

    def prepare(self, game: Game) -> None:
        self._engine_for(game)

    def stop(self) -> None:
        if self._engine is not None:
            self._engine.stop()

    def resume(self) -> None:
        if self._engine is not None:
            self._engine.resume()

    def search(self, state: State, limit: Limit = NO_LIMIT) -> Search:
        found = self._engine_for(state.game).think(state, limit)
        return Search(found.best.move, found.best.value, found.nodes, found.best.depth)

    def _engine_for(self, game: Game) -> Engine:
        """The engine of a game, with its transposition table as long as the game is the same."""
        engine = self._engine    # another thread may play another game with this player
        if engine is None or engine.game != game:
            try:
                engine = self._engine = Engine(
                    game, self.level, threads=self.threads, megabytes=self.hash, seed=self._seed,
                    weights=self._own_weights(), book=self._chosen_book())
            except PolyversiError as error:
                raise PlayerError(str(error)) from None
        return engine

    def forget(self) -> None:
        self._engine = None

    def __getstate__(self) -> dict[str, object]:
        """Without the engine, which is of no use in another process."""
        return self.__dict__ | {"_engine": None}
