"""The pace of games that people watch: a delay, pauses and single steps."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Any

from polyversi.gameplay.events import Event
from polyversi.gameplay.seat import Request, Seat
from polyversi.games.state import State


class Pace:
    """Holds moves back: for a delay, during a pause, or not at all for a single step.

    >>> pace = Pace(delay=0.0)
    >>> pace.pause()
    >>> pace.step()
    >>> asyncio.run(pace.wait())    # the step lets one move through, the next one would wait
    """

    def __init__(self, delay: float) -> None:
        self._delay = delay
        self._is_paused = False
        self._steps = 0
        self._changed = asyncio.Event()

    @property
    def delay(self) -> float:
        """Seconds before each move; a change counts for the move that is waited for, too."""
        return self._delay

    @delay.setter
    def delay(self, seconds: float) -> None:
        self._delay = seconds
        self._changed.set()

    def pause(self) -> None:
        """Lets no move through, except for steps."""
        self._is_paused = True
        self._changed.set()

    def resume(self) -> None:
        """Lets moves through again, each after its delay."""
        self._is_paused = False
        self._steps = 0
        self._changed.set()

    def step(self) -> None:
        """Lets one more move through at once: the one that waits, or the next one that comes."""
        self._steps += 1
        self._changed.set()

    async def wait(self) -> None:
        """Returns when the next move may be made."""
        clock = asyncio.get_running_loop().time
        begin = clock()
        while not self._steps:
            left = None if self._is_paused else begin + self._delay - clock()
            if left is not None and left <= 0:
                return
            self._changed.clear()
            with suppress(TimeoutError):
                async with asyncio.timeout(left):
                    await self._changed.wait()
        self._steps -= 1


class PacedSeat(Seat):
    """A seat that moves at a pace; no clock runs while it waits."""

    def __init__(self, seat: Seat, pace: Pace) -> None:
        self.name = seat.name
        self.is_person = seat.is_person
        self._seat = seat
        self._pace = pace

    async def begin(self, start: State, seat: int) -> None:
        await self._seat.begin(start, seat)

    async def prepare(self, request: Request) -> None:
        await self._pace.wait()
        await self._seat.prepare(request)

    async def answer(self, request: Request) -> Any:
        return await self._seat.answer(request)

    def hear(self, event: Event) -> None:
        self._seat.hear(event)

    async def close(self) -> None:
        await self._seat.close()
