"""Seats: what the referee knows of whoever sits at the board: a class, a process, a person or a socket."""

from __future__ import annotations

import asyncio
import threading
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, Protocol

from msgspec import Struct

from polyversi._core import Move
from polyversi.gameplay.events import Event
from polyversi.gameplay.verdict import SeatFailure
from polyversi.games.errors import PlayerError, PolyversiError
from polyversi.games.state import State
from polyversi.players import Limit, Player

STOP_TIMEOUT = 600.0
"""Seconds a player without a limit may go on with a question that was broken off before it has stalled."""


@dataclass(frozen=True)
class Request:
    """What a seat is asked: the state, what it may spend, and how the game came here."""

    state: State
    seat: int
    limit: Limit
    """What is left to spend; `limit.allowance` is what this move may take."""
    start: State
    moves: tuple[Move, ...]
    disqualified: tuple[tuple[int, int], ...] = ()
    """Seats that are out, each as (after how many moves, seat), as in a record."""


class Resign(Struct, frozen=True, tag="resign", tag_field="type"):
    """The answer of a seat that gives up."""


class Undo(Struct, frozen=True, tag="undo", tag_field="type"):
    """The answer of a seat that wants its last move back."""


class Seat(ABC):
    """Someone at the board; the referee waits with a deadline and closes every seat at the end."""

    name: str
    is_person: bool = False
    """A person: may take any time where no limit is set."""
    begins_anywhere: bool = True
    """Whether any position can be put to it; others follow a game from its first position on."""

    async def begin(self, start: State, seat: int) -> None:  # noqa: B027 most have nothing to do
        """Gets ready for a game before any clock runs; raises SeatFailure when it cannot."""

    async def prepare(self, request: Request) -> None:  # noqa: B027 most have nothing to do
        """Gets ready for a question before its clock begins; for as long as it takes."""

    @abstractmethod
    async def answer(self, request: Request) -> Any:
        """A move, its text, Resign or Undo; raises SeatFailure when there will be no answer.

        It is cancelled when the time is up and when something is interjected.
        """

    def hear(self, event: Event) -> None:  # noqa: B027 most are only ever asked
        """Hears of everything that happens in its game, as observers do; it must not block."""

    @property
    def unfinished(self) -> asyncio.Future[Any] | None:
        """A thought that goes on although its question was broken off, until it is done."""
        return None

    async def close(self) -> None:  # noqa: B027 most have nothing to do
        """Lets go of whatever it holds."""


class LocalSeat(Seat):
    """A player of this process.

    With time to keep, or when asked to, it thinks in a thread of its own, so that the referee's clock goes on
    and a player that never answers costs only itself.
    """

    def __init__(self, player: Player, name: str | None = None, *, in_thread: bool = False) -> None:
        self.player = player
        self.name = name or player.spec()
        self.in_thread = in_thread
        self._thinking: asyncio.Future[tuple[Any, SeatFailure | None]] | None = None

    async def begin(self, start: State, seat: int) -> None:  # noqa: ARG002
        if reason := self.player.unsuited(start.game):
            raise PlayerError(f"{self.name} does not play {start.game.spec}: {reason}")
        self._thinking = None
        self.player.resume()
        if self.in_thread:
            await asyncio.to_thread(self.player.prepare, start.game)
        else:
            self.player.prepare(start.game)

    @property
    def unfinished(self) -> asyncio.Future[Any] | None:
        return self._thinking

    async def prepare(self, request: Request) -> None:
        """Waits for the end of a thought that was broken off: a player is never asked two things at once."""
        if self._thinking is not None:
            allowance = request.limit.allowance
            await asyncio.wait([self._thinking], timeout=STOP_TIMEOUT if allowance is None else allowance)
            if not self._thinking.done():
                raise SeatFailure("stall", "it does not come back from a question that was broken off")
            self._thinking = None
            self.player.resume()

    async def answer(self, request: Request) -> Any:
        if not (request.limit.is_timed or self.in_thread):
            return self._choose(request)
        loop = asyncio.get_running_loop()
        thinking = self._thinking = loop.create_future()

        def think() -> None:
            value, error = None, None
            try:
                value = self._choose(request)
            except SeatFailure as failure:
                error = failure
            if not loop.is_closed():
                loop.call_soon_threadsafe(thinking.set_result, (value, error))

        threading.Thread(target=think, name=self.name, daemon=True).start()
        try:
            value, error = await asyncio.shield(thinking)
        except asyncio.CancelledError:
            self.player.stop()
            raise
        self._thinking = None
        if error is not None:
            raise error
        return value

    def _choose(self, request: Request) -> Move:
        try:
            return self.player.choose(request.state, request.limit)
        except PolyversiError as error:
            raise SeatFailure("crash", str(error)) from error
        except Exception as error:
            raise SeatFailure("crash", f"{type(error).__name__}: {error}") from error


class Channel(Protocol):
    """How a person is asked: a dialogue in a terminal, or messages to the guests of a room."""

    async def ready(self) -> None:
        """Waits until the person can be asked; no clock runs before."""

    async def ask(self, request: Request) -> Any:
        """A move, its text, Resign or Undo; cancelled when the time is up."""


class PersonSeat(Seat):
    """A person, whose answers come from a channel.

    >>> import polyversi as pv
    >>> class FirstMove:
    ...     async def ready(self):
    ...         pass
    ...     async def ask(self, request):
    ...         return request.state.moves[0]
    >>> seats = [PersonSeat("Ann", FirstMove()), LocalSeat(pv.player("random", seed=1))]
    >>> pv.play(pv.game("othello-4").start(), seats).record.players
    ('Ann', 'random:seed=1')
    """

    def __init__(self, name: str, channel: Channel, *, is_person: bool = True) -> None:
        self.name = name
        self.is_person = is_person
        self._channel = channel

    async def prepare(self, request: Request) -> None:  # noqa: ARG002
        await self._channel.ready()

    async def answer(self, request: Request) -> Any:
        return await self._channel.ask(request)
