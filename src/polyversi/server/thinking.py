"""Players that think in a thread of their own, so that whoever talks to the network goes on meanwhile."""

from __future__ import annotations

import asyncio
import threading
from typing import TYPE_CHECKING, Any

from polyversi.arena.seat import LocalSeat
from polyversi.arena.seating import seat_of
from polyversi.arena.verdict import SeatFailure

if TYPE_CHECKING:
    from polyversi.arena.seat import Request, Seat


class ThinkingSeat(LocalSeat):
    """A player of this process that never holds up the loop, with or without time to keep."""

    async def answer(self, request: Request) -> Any:
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[Any] = loop.create_future()

        def settle(value: Any) -> None:
            if not answer.done():
                answer.set_result(value)

        def think() -> None:
            try:
                value: Any = self._choose(request)
            except SeatFailure as failure:
                value = failure
            if not loop.is_closed():
                loop.call_soon_threadsafe(settle, value)

        # A daemon: one that never answers must not keep the program from ending.
        threading.Thread(target=think, name=self.name, daemon=True).start()
        chosen = await answer
        if isinstance(chosen, SeatFailure):
            raise chosen
        return chosen


def thinking_seat(spec: str) -> Seat:
    """The seat of a player or a bot, one that does not hold up the loop.

    >>> thinking_seat("random:seed=3").name
    'random:seed=3'
    """
    seat = seat_of(spec)
    return ThinkingSeat(seat.player, seat.name) if isinstance(seat, LocalSeat) else seat
