"""The common part of the engine protocols: commands are read while the engine searches in another thread."""

from __future__ import annotations

import signal
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from queue import SimpleQueue
from threading import Semaphore, Thread
from types import FrameType
from typing import ClassVar

from polyversi.engines.engine import Engine
from polyversi.engines.levels import STRONGEST
from polyversi.engines.search import DEFAULT_MEGABYTES
from polyversi.engines.weights import Weights
from polyversi.gameplay.interrupt import may_hear_ctrl_c
from polyversi.games.errors import PolyversiError
from polyversi.games.game import Game

MAX_LINE = 1 << 16
"""Bytes of a command; longer lines are discarded."""
MAX_QUEUED = 1000
"""Commands that are read ahead; who sends more has to wait."""

Event = Callable[[], None]


@dataclass(frozen=True)
class Settings:
    """The options of the engine of a session."""

    level: int = STRONGEST
    threads: int = 1
    megabytes: int = DEFAULT_MEGABYTES
    weights: Weights | None = None
    """In place of those that come with the package."""

    def engine(self, game: Game) -> Engine:
        """An engine for a game."""
        return Engine(game, self.level, threads=self.threads, megabytes=self.megabytes, weights=self.weights)


class Search:
    """A search in a thread of its own, whose results are reported part by part in that of the session."""

    def __init__(self, engine: Engine, parts: Iterable[Event], post: Callable[[Event], None]) -> None:
        self._engine = engine
        self._found: deque[Event] = deque()
        self._error: Exception | None = None
        self._thread = Thread(target=self._run, args=(parts, post))
        self._thread.start()

    @property
    def is_running(self) -> bool:
        """Whether there may be something to report yet."""
        return self._thread.is_alive() or bool(self._found)

    def report(self) -> None:
        """Reports what has been found since the last time."""
        while self._found:
            self._found.popleft()()
        if self._error is not None:
            raise self._error

    def stop(self) -> None:
        """Stops it, and reports what it has found."""
        self._engine.stop()
        self._thread.join()
        self._engine.resume()
        self.report()

    def _run(self, parts: Iterable[Event], post: Callable[[Event], None]) -> None:
        try:
            for part in parts:
                self._found.append(part)
                post(self.report)
        except Exception as error:    # for the thread of the session, which would wait forever
            self._error = error
        post(self._finish)

    def _finish(self) -> None:
        self._thread.join()
        self.report()


class Session(ABC):
    """A session with a front end in one protocol."""

    is_sequential: ClassVar[bool]
    """Whether a command waits for the search that the one before it started."""

    def __init__(self, say: Callable[[str], None], settings: Settings, post: Callable[[Event], None]) -> None:
        self.say, self.settings = say, settings
        self.is_over = False
        self._post = post
        self._search: Search | None = None
        self._engine: Engine | None = None

    @abstractmethod
    def handle(self, line: str) -> None:
        """Runs a command; an error is raised for `report_error`, or reported."""

    @abstractmethod
    def report_error(self, sentence: str) -> None:
        """Reports what is wrong with a command, or with a line that is none."""

    @property
    def is_searching(self) -> bool:
        """Whether the engine is searching."""
        return self._search is not None and self._search.is_running

    def engine_for(self, game: Game) -> Engine:
        """The engine of a game, with its transposition table as long as the game is the same."""
        if self._engine is None or self._engine.game != game:
            self._engine = None    # frees its table first
            self._engine = self.settings.engine(game)
        return self._engine

    def change(self, settings: Settings) -> None:
        """Continues with an engine of other settings."""
        self.settings, self._engine = settings, None

    def search(self, engine: Engine, parts: Iterable[Event]) -> None:
        """Searches while commands are read; parts are found until the engine stops, and run in our thread."""
        self.stop()
        self._search = Search(engine, parts, self._post)

    def stop(self) -> None:
        """Stops the search; what it has found is reported first."""
        if self._search is not None:
            search, self._search = self._search, None
            search.stop()


def serve(
    choose: Callable[[str], type[Session]],
    say: Callable[[str], None],
    settings: Settings,
    descriptor: int = 0,
) -> None:
    """Runs a session until the front end quits or is gone, in the protocol that its first line chooses."""
    events: SimpleQueue[Event] = SimpleQueue()
    reader = _LineReader(descriptor, events.put)
    session: Session | None = None
    hears_ctrl_c = may_hear_ctrl_c()
    if hears_ctrl_c:
        signal.signal(signal.SIGINT, partial(_interrupt_between_commands, events.put))
    try:
        while session is None or not session.is_over:
            is_searching = session is not None and session.is_searching
            if session is not None and is_searching and reader.has_ended:
                session.stop()
            elif reader.lines and not (session is not None and is_searching and session.is_sequential):
                line = reader.next()
                if session is None and (line is None or line.strip()):
                    session = choose(line or "")(say, settings, events.put)
                if session is not None:
                    _handle(session, line)
            elif reader.has_ended:
                break
            else:
                events.get()()
    finally:
        if session is not None:
            session.stop()
        if hears_ctrl_c:
            signal.signal(signal.SIGINT, signal.default_int_handler)


def _interrupt_between_commands(post: Callable[[Event], None], number: int, frame: FrameType | None) -> None:
    """Raises KeyboardInterrupt when nothing is half done, such as a thread begun that nobody knows of yet.

    A second Ctrl-C does not wait for that.
    """
    signal.signal(number, signal.default_int_handler)
    post(partial(signal.default_int_handler, number, frame))


def _handle(session: Session, line: str | None) -> None:
    if line is None:
        session.report_error(f"a command has at most {MAX_LINE} bytes")
        return
    try:
        session.handle(line)
    except PolyversiError as error:
        session.report_error(str(error))


class _LineReader:
    """Reads lines in a thread of its own."""

    def __init__(self, descriptor: int, post: Callable[[Event], None]) -> None:
        self.lines: deque[str | None] = deque()
        """Queued commands; None for one that was too long."""
        self.has_ended = False
        self._capacity = Semaphore(MAX_QUEUED)
        # a daemon, since nothing wakes it from a blocking read
        Thread(target=self._run, args=(descriptor, post), daemon=True).start()

    def next(self) -> str | None:
        """The first command of the queue."""
        self._capacity.release()
        return self.lines.popleft()

    def _run(self, descriptor: int, post: Callable[[Event], None]) -> None:
        for line in _lines(descriptor):
            self._capacity.acquire()
            post(partial(self.lines.append, line))
        post(self._end)

    def _end(self) -> None:
        self.has_ended = True


def _lines(descriptor: int) -> Iterator[str | None]:
    """The lines that come in, without their ends; None for one that is too long."""
    # A reader of its own, since the lock of standard input's would outlive the program.
    with suppress(OSError), open(descriptor, "rb", closefd=False) as file:
        while line := file.readline(MAX_LINE + 1):
            is_too_long = len(line) > MAX_LINE and not line.endswith(b"\n")
            while is_too_long and line and not line.endswith(b"\n"):
                line = file.readline(MAX_LINE)
            yield None if is_too_long else line.decode(errors="replace").rstrip("\r\n")
