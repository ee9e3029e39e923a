"""Runs searches for `analyse` and `solve` in a thread of their own, so that Ctrl-C stops them."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import nullcontext
from types import FrameType
from typing import Generic, Protocol, Self, TypeVar

from rich.console import RenderableType

from polyversi.cli.views.terminal import is_colourful, live, new_console, print_board, speed
from polyversi.engines.search import EngineError
from polyversi.games.board import shorten
from polyversi.games.errors import PolyversiError, VariantError
from polyversi.games.game import Game
from polyversi.games.state import State
from polyversi.records.formats import Item
from polyversi.records.sources import MOVES, POSITION, parse_source

SETTINGS = {"ignore_unknown_options": True}
"""For the command line: a position often begins with empty cells, which look like an option."""

WAKE_UP = 0.5
"""Seconds after which a wait ends to look whether Ctrl-C was pressed."""


class Stoppable(Protocol):
    """What searches positions of one game: an engine, a solver or another judge."""

    game: Game

    @property
    def nodes(self) -> int:
        """Nodes searched so far."""

    def stop(self) -> None:
        """Stops the search that another thread runs."""


E = TypeVar("E", bound=Stoppable)
T = TypeVar("T")


class Interrupted(Exception):  # noqa: N818 not an error
    """Ctrl-C has stopped the search; a task may raise it, too."""


class EngineRunner(Generic[E]):
    """Creates the engine of each game and runs tasks with it until Ctrl-C."""

    def __init__(self, create: Callable[[Game], E], *, is_quiet: bool = False) -> None:
        self.console = new_console()
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

    def print_position(self, name: str, state: State) -> None:
        """Shows a name and the board below it."""
        board = state.draw(color=is_colourful(self.console), width=self.console.width)
        print_board(self.console, [name, *board.split("\n")])

    def run(self, game: Game, task: Callable[[E], T], shown: Callable[[str], RenderableType]) -> T:
        """The result of a task, or Interrupted; on a terminal `shown` gets the speed in words meanwhile."""
        engine = self._engine
        if engine is None or engine.game != game:    # otherwise its transposition table is of use
            self._engine = engine = None    # frees its table first
            self._engine = engine = self._create(game)
        if self.is_interrupted:    # before there was an engine to stop
            engine.stop()
        nodes, begin = engine.nodes, time.monotonic()

        def table() -> RenderableType:
            return shown(speed(engine.nodes - nodes, time.monotonic() - begin))

        shows = nullcontext() if self._is_quiet else live(self.console, table)
        with ThreadPoolExecutor(1) as thread, shows:
            future = thread.submit(task, engine)
            while not future.done():
                # With a timeout: a signal that arrives just before the wait begins does not end it.
                wait([future], WAKE_UP)
        try:
            return future.result()
        except EngineError:
            if not self.is_interrupted:
                raise
            raise Interrupted from None


def parse_argument(command: str, words: str, game: Game | None) -> Item:
    """The game or position that an argument stands for; an error if it was meant as an option."""
    is_word = not (MOVES.match(words) or POSITION.fullmatch(words))
    if words.startswith("-") and is_word:
        raise PolyversiError(f"there is no option {words}; `polyversi {command} --help` lists them")
    try:
        [item] = parse_source(words, game)
    except VariantError as error:
        if not is_word or ":" in words:
            raise
        raise PolyversiError(f"'{shorten(words)}' is not a position, moves or a file, and {error}") from None
    return item
