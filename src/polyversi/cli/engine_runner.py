"""Runs searches for `analyse` and `solve` in a thread of their own, so that Ctrl-C stops them."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from types import FrameType
from typing import TYPE_CHECKING, Generic, Self, TypeVar

from polyversi.cli.views.terminal import LiveTable, speed
from polyversi.engines.search import EngineError, GameSearch
from polyversi.games.errors import PolyversiError

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

    from polyversi.games.game import Game
    from polyversi.games.state import State

POSITION_SETTINGS = {"ignore_unknown_options": True}
"""For the command line: a position often begins with empty cells, which look like an option."""

E = TypeVar("E", bound=GameSearch)
T = TypeVar("T")


class Interrupted(Exception):  # noqa: N818 not an error
    """Ctrl-C has stopped the search; a task may raise it, too."""


class EngineRunner(Generic[E]):
    """Creates the engine of each game and runs tasks with it until Ctrl-C."""

    def __init__(self, console: Console, create: Callable[[Game], E], *, is_quiet: bool = False) -> None:
        self.console = console
        self.is_interrupted = False
        self._create, self._is_quiet = create, is_quiet
        self._engine: E | None = None

    def __enter__(self) -> Self:
        # An exception could come in the middle of a table; this stops the search instead.
        self._handler = signal.signal(signal.SIGINT, self._interrupt)
        return self

    def __exit__(self, *about: object) -> None:
        signal.signal(signal.SIGINT, self._handler)

    def _interrupt(self, number: int, frame: FrameType | None) -> None:  # noqa: ARG002
        self.is_interrupted = True
        if self._engine is not None:
            self._engine.stop()

    def engine_for(self, game: Game) -> E:
        """The engine of a game, with its transposition table as long as the game is the same."""
        if self._engine is None or self._engine.game != game:
            self._engine = None    # frees its table first
            self._engine = self._create(game)
        return self._engine

    def run(self, game: Game, task: Callable[[E], T], shown: Callable[[str], RenderableType]) -> T:
        """The result of a task, or Interrupted; on a terminal `shown` gets the speed in words meanwhile."""
        engine = self.engine_for(game)
        if self.is_interrupted:    # before there was an engine to stop
            engine.stop()
        with ThreadPoolExecutor(1) as thread, _LiveSpeed(self.console, engine, shown, self._is_quiet):
            future = thread.submit(task, engine)
            wait([future])
        try:
            return future.result()
        except EngineError:
            if not self.is_interrupted:
                raise
            raise Interrupted from None


class _LiveSpeed(LiveTable):
    """What there is while the engine searches, on a terminal; elsewhere and for programs nothing."""

    def __init__(
        self, console: Console, engine: GameSearch, shown: Callable[[str], RenderableType], is_quiet: bool
    ) -> None:
        super().__init__(console)
        self._engine, self._shown, self._is_quiet = engine, shown, is_quiet
        self._nodes_before, self._begin = engine.nodes, time.monotonic()

    def __enter__(self) -> Self:
        return self if self._is_quiet else super().__enter__()

    def table(self) -> RenderableType:
        return self._shown(speed(self._engine.nodes - self._nodes_before, time.monotonic() - self._begin))


def print_position(console: Console, name: str, state: State) -> None:
    """A name and the board below it."""
    from polyversi.cli.views.terminal import is_colourful, print_board

    print_board(console, [name, *state.draw(color=is_colourful(console), width=console.width).split("\n")])


def check_no_option(command: str, word: str) -> None:
    """Raises an error for an argument that was meant as an option."""
    if word.startswith("-"):
        raise PolyversiError(f"there is no option {word}; `polyversi {command} --help` lists them")


def default_threads() -> int:
    """One for each processor, as far as the search takes them."""
    from polyversi.contest.workers import default_jobs
    from polyversi.engines.search import MAX_THREADS

    return min(default_jobs(), MAX_THREADS)
