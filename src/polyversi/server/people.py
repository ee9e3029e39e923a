"""People on the page, as the referee sees them: seats that wait for whoever holds their token."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

from polyversi.gameplay.seat import Seat

if TYPE_CHECKING:
    from polyversi.gameplay.seat import Request


class PersonSeat(Seat):
    """A person somewhere, in any number of windows; the first answer to a question counts.

    No clock runs before the person can know of the question, which is when all before it is `stored`.
    """

    is_patient = True

    def __init__(self, name: str, on_change: Callable[[], None],
                 stored: Callable[[], Awaitable[None]]) -> None:
        self.name = name
        self.request: Request | None = None
        """What the person is asked at the moment."""
        self._answer: asyncio.Future[Any] | None = None
        self._on_change = on_change
        self._stored = stored

    async def prepare(self, request: Request) -> None:  # noqa: ARG002
        await self._stored()

    async def answer(self, request: Request) -> Any:
        self.request = request
        self._answer = asyncio.get_running_loop().create_future()
        self._on_change()
        try:
            return await self._answer
        finally:
            self.request = self._answer = None
            self._on_change()

    def reply(self, move: str) -> bool:
        """Takes the person's move; False when nobody asked or it has been answered."""
        if self._answer is None or self._answer.done():
            return False
        self._answer.set_result(move)
        return True
