"""Computers on the page: players that think in threads, a few at once, fairly shared among visitors."""

from __future__ import annotations

import asyncio
import os
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING, Any

from polyversi.arena.seat import Seat
from polyversi.server.thinking import thinking_seat
from polyversi.server.web.bots import BotFolder, names_bot

if TYPE_CHECKING:
    from polyversi.arena.seat import Request
    from polyversi.games.state import State

AT_ONCE = max(2, os.cpu_count() or 2)
"""Computers that think at the same time."""
AT_ONCE_FOR_ONE = 2
"""Of these, for one visitor."""


class Computers:
    """Makes the seats of computers, and lets them think in turn; waiting costs them no time on the clock."""

    def __init__(self, bots: BotFolder) -> None:
        self._bots = bots
        self._all = asyncio.Semaphore(AT_ONCE)
        self._each: dict[str, asyncio.Semaphore] = {}

    def seat(self, spec: str, visitor: str) -> Seat:
        """A seat for a player of ours or a bot of the operator."""
        seat = self._bots.seat(spec) if names_bot(spec) else thinking_seat(spec)
        own = self._each.setdefault(visitor, asyncio.Semaphore(AT_ONCE_FOR_ONE))
        return QueuedSeat(seat, (own, self._all))


class QueuedSeat(Seat):
    """A seat that waits for its turn to think before its clock runs."""

    def __init__(self, seat: Seat, queues: tuple[asyncio.Semaphore, ...]) -> None:
        self.name = seat.name
        self._seat = seat
        self._queues = queues
        self._turn = AsyncExitStack()

    async def begin(self, start: State, seat: int) -> None:
        await self._seat.begin(start, seat)

    async def prepare(self, request: Request) -> None:
        await self._turn.aclose()    # a turn that was broken off before it was used
        async with AsyncExitStack() as turn:
            for queue in self._queues:
                await turn.enter_async_context(queue)
            await self._seat.prepare(request)
            self._turn = turn.pop_all()

    async def answer(self, request: Request) -> Any:
        try:
            return await self._seat.answer(request)
        finally:
            await self._turn.aclose()

    async def close(self) -> None:
        await self._turn.aclose()
        await self._seat.close()
