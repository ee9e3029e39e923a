"""Lines: commands are read and obeyed while the engine thinks in a thread of its own."""

from __future__ import annotations

import os
import signal
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from queue import SimpleQueue
from threading import Semaphore, Thread
from types import FrameType
from typing import TYPE_CHECKING, ClassVar

from polyversi.engines.engine import MEGABYTES, Engine
from polyversi.engines.levels import STRONGEST
from polyversi.gameplay.interrupt import may_hear_ctrl_c
from polyversi.games.board import shorten
from polyversi.games.errors import PolyversiError

if TYPE_CHECKING:
    from polyversi.engines.weights import Weights
    from polyversi.games.game import Game

LONGEST_LINE = 1 << 16
"""Bytes of a command; whatever is longer is no command, and nothing of it is kept."""
MOST_WAITING = 1000
"""Commands that are read before the first of them is obeyed; whoever sends more has to wait."""
CHUNK = 1 << 16

Event = Callable[[], None]


@dataclass(frozen=True)
class Settings:
    """How the engine of a session is made."""

    level: int = STRONGEST
    threads: int = 1
    megabytes: int = MEGABYTES
    weights: Weights | None = None
    """Others than those that come with the package."""

    def engine(self, game: Game) -> Engine:
        """An engine for a game."""
        return Engine(
            game, self.level, threads=self.threads, megabytes=self.megabytes, weights=self.weights)


class Thought:
    """Something that is thought about in a thread of its own, told part by part in that of the session."""

    def __init__(
        self, engine: Engine, parts: Iterable[Event], end: Event | None, post: Callable[[Event], None]
    ) -> None:
        self._engine = engine
        self._found: deque[Event] = deque()
        self._error: Exception | None = None
        self._is_stopped = False
        self._thread = Thread(target=self._think, args=(parts, end, post))
        self._thread.start()

    @property
    def is_going_on(self) -> bool:
        """Whether there may be something to tell yet."""
        return self._thread.is_alive() or bool(self._found)

    def tell(self) -> None:
        """Tells what has been found since the last time."""
        while self._found:
            self._found.popleft()()
        if self._error is not None:
            raise self._error

    def stop(self) -> None:
        """Ends it, and tells what it has led to."""
        self._is_stopped = True
        self._engine.stop()
        self._thread.join()
        self._engine.go_on()
        self.tell()

    def _think(self, parts: Iterable[Event], end: Event | None, post: Callable[[Event], None]) -> None:
        try:
            for part in parts:
                self._found.append(part)
                post(self.tell)
                if self._is_stopped:
                    break
            if end is not None:
                self._found.append(end)
        except Exception as error:    # for the thread of the session, which would wait for ever
            self._error = error
        post(self._finish)

    def _finish(self) -> None:
        self._thread.join()
        self.tell()


class Session(ABC):
    """A talk with a front end in one protocol."""

    in_turn: ClassVar[bool]
    """Whether a command waits until what the one before it asks for has been thought."""

    def __init__(self, say: Callable[[str], None], settings: Settings, post: Callable[[Event], None]) -> None:
        self.say, self.settings = say, settings
        self.is_over = False
        self._post = post
        self._thought: Thought | None = None
        self._engine: Engine | None = None

    @abstractmethod
    def take(self, line: str) -> None:
        """Obeys a command; what is wrong with it is said, or raised as an error for `complain`."""

    @abstractmethod
    def complain(self, sentence: str) -> None:
        """Says what is wrong with a command, or with something that is none."""

    @property
    def is_thinking(self) -> bool:
        """Whether the engine is at work."""
        return self._thought is not None and self._thought.is_going_on

    def engine_for(self, game: Game) -> Engine:
        """The engine of a game, which keeps what it has learnt for as long as the game is the same."""
        if self._engine is None or self._engine.game != game:
            self._engine = None    # its memory is free for the next
            self._engine = self.settings.engine(game)
        return self._engine

    def change(self, settings: Settings) -> None:
        """Goes on with an engine that is made in another way."""
        self.settings, self._engine = settings, None

    def think(self, engine: Engine, parts: Iterable[Event], end: Event | None = None) -> None:
        """Thinks while commands are read; parts and then the end are done in the thread of the session."""
        self.stop()
        self._thought = Thought(engine, parts, end, self._post)

    def stop(self) -> None:
        """Ends what is being thought about; what it has led to is said first."""
        if self._thought is not None:
            thought, self._thought = self._thought, None
            thought.stop()


def serve(
    choose: Callable[[str], type[Session]],
    say: Callable[[str], None],
    settings: Settings,
    descriptor: int = 0,
) -> None:
    """Talks until the front end says goodbye or is gone, in the protocol that is chosen by its first line."""
    events: SimpleQueue[Event] = SimpleQueue()
    read = _Read(descriptor, events.put)
    session: Session | None = None
    hears_ctrl_c = may_hear_ctrl_c()
    if hears_ctrl_c:
        signal.signal(signal.SIGINT, partial(_interrupt_between_commands, events.put))
    try:
        while session is None or not session.is_over:
            is_thinking = session is not None and session.is_thinking
            if session is not None and is_thinking and read.has_ended:
                session.stop()
            elif read.lines and not (session is not None and is_thinking and session.in_turn):
                line = read.next()
                if session is None and (line is None or line.strip()):
                    session = choose(line or "")(say, settings, events.put)
                if session is not None:
                    _obey(session, line)
            elif read.has_ended:
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

    Whoever presses Ctrl-C again does not wait for that.
    """
    signal.signal(number, signal.default_int_handler)
    post(partial(signal.default_int_handler, number, frame))


def _obey(session: Session, line: str | None) -> None:
    if line is None:
        session.complain(f"a line of more than {LONGEST_LINE} bytes is no command")
        return
    try:
        session.take(line)
    except PolyversiError as error:
        session.complain(str(error))


class _Read:
    """What has been read so far, by a thread of its own."""

    def __init__(self, descriptor: int, post: Callable[[Event], None]) -> None:
        self.lines: deque[str | None] = deque()
        """Commands that wait, in place of one that was too long None."""
        self.has_ended = False
        self._may_read = Semaphore(MOST_WAITING)
        # a daemon, since nothing wakes it from a read to which nothing comes
        Thread(target=self._go, args=(descriptor, post), daemon=True).start()

    def next(self) -> str | None:
        """The command that has waited longest."""
        self._may_read.release()
        return self.lines.popleft()

    def _go(self, descriptor: int, post: Callable[[Event], None]) -> None:
        for line in _lines(descriptor):
            self._may_read.acquire()
            post(partial(self.lines.append, line))
        post(self._end)

    def _end(self) -> None:
        self.has_ended = True


def _lines(descriptor: int) -> Iterator[str | None]:
    """The lines that come in, without their ends; None for one that is too long."""
    kept, is_too_long = b"", False
    while chunk := _some(descriptor):
        *whole, rest = chunk.split(b"\n")
        for part in whole:
            line = kept + part
            is_too_long = is_too_long or len(line) > LONGEST_LINE
            yield None if is_too_long else line.decode(errors="replace").rstrip("\r")
            kept, is_too_long = b"", False
        kept += rest
        if len(kept) > LONGEST_LINE:
            kept, is_too_long = b"", True
    if kept or is_too_long:
        yield None if is_too_long else kept.decode(errors="replace")


def _some(descriptor: int) -> bytes:
    """The next bytes that come in; none at the end, or when there is nothing to read from."""
    try:
        return os.read(descriptor, CHUNK)    # past Python's own buffer, whose lock would outlive the program
    except OSError:
        return b""


def shown(text: str) -> str:
    """Part of a command as it can be shown in one line of an answer.

    >>> shown("a\\x00b\\nc")
    'a?b?c'
    """
    return "".join(letter if letter.isprintable() else "?" for letter in shorten(text))
