"""Computers on the page: players that think in threads, a few at once, fairly shared among visitors."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from polyversi.gameplay.seat import LocalSeat, Seat
from polyversi.gameplay.verdict import SeatFailure
from polyversi.server.bots import BotFolder, names_bot
from polyversi.server.security import Turns
from polyversi.server.setup import THINKING
from polyversi.server.visitors import modest_player

if TYPE_CHECKING:
    from polyversi.gameplay.events import Event
    from polyversi.gameplay.seat import Request
    from polyversi.games.state import State

AT_ONCE = max(2, os.cpu_count() or 2)
"""Computers that think at the same time."""
AT_ONCE_FOR_ONE = 2
"""Of these, for one visitor."""
UNHURRIED = 1.0
"""Seconds that a player of ours is told to think about a move where there is no clock: people do not like to
wait. Whoever takes no notice of limits takes what it needs, within the referee's patience."""


class Computers:
    """Makes the seats of computers, and lets them think in turn; waiting costs them no time on the clock."""

    def __init__(self, bots: BotFolder, say: Callable[[str], None]) -> None:
        self._bots = bots
        self._say = say
        self._all = asyncio.Semaphore(AT_ONCE)
        self._each = Turns(AT_ONCE_FOR_ONE)

    def seat(self, spec: str, visitor: str) -> Seat:
        """A seat for a player of ours or a bot of the operator."""
        turns = self._each.of(visitor), self._all
        if names_bot(spec):
            return QueuedSeat(self._bots.seat(spec), turns, self._say, THINKING)
        return QueuedSeat(LocalSeat(modest_player(spec), spec, in_thread=True), turns, self._say)


class QueuedSeat(Seat):
    """A seat that waits for its turn to think before its clock runs.

    Where there is no clock, it is told to think for so many seconds. What it crashes of is the operator's
    business: visitors are told that it did.
    """

    def __init__(
        self, seat: Seat, queues: tuple[asyncio.Semaphore, ...], say: Callable[[str], None],
        unhurried: float = UNHURRIED,
    ) -> None:
        self.name = seat.name
        self._seat = seat
        self._queues = queues
        self._say = say
        self._unhurried = unhurried
        self._turn = ExitStack()

    async def begin(self, start: State, seat: int) -> None:
        with self._discreetly():
            await self._seat.begin(start, seat)

    async def prepare(self, request: Request) -> None:
        self._give_back()    # a turn that was broken off before it was used
        with ExitStack() as turn:
            for queue in self._queues:
                await queue.acquire()
                turn.callback(queue.release)
            with self._discreetly():
                await self._seat.prepare(_timed(request, THINKING))
            self._turn = turn.pop_all()

    async def answer(self, request: Request) -> Any:
        try:
            with self._discreetly():
                return await self._seat.answer(_timed(request, self._unhurried))
        finally:
            self._give_back()

    def hear(self, event: Event) -> None:
        self._seat.hear(event)

    async def close(self) -> None:
        self._give_back()
        await self._seat.close()

    def _give_back(self) -> None:
        """Lets the next one think, as soon as this one really thinks no more."""
        turn, self._turn = self._turn, ExitStack()
        thought = self._seat.lingering
        if thought is None or thought.done():
            turn.close()
        else:
            thought.add_done_callback(lambda _: turn.close())

    @contextmanager
    def _discreetly(self) -> Iterator[None]:
        try:
            yield
        except SeatFailure as failure:
            if failure.kind != "crash":
                raise
            self._say(f"{self.name} crashed: {failure.detail}")
            raise SeatFailure("crash", "its program failed") from None


def _timed(request: Request, seconds: float) -> Request:
    """The request as it is where there is a clock, and otherwise with so many seconds."""
    if request.limit.is_timed:
        return request
    return replace(request, limit=replace(request.limit, seconds=seconds))
