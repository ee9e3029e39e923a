"""The seat of a player that thinks in a process of its own, so that nothing it does holds anybody up."""

from __future__ import annotations

import asyncio
import json
import sys
import time
from typing import TYPE_CHECKING, Any

from polyversi.gameplay.bots.process import Child, Command
from polyversi.gameplay.seat import Request, Seat
from polyversi.gameplay.verdict import SeatFailure
from polyversi.records.maps import map_of

if TYPE_CHECKING:
    from polyversi.games.state import State

PROGRAM = (sys.executable, "-m", "polyversi.server.xt.mind")
MEMORY = 1 << 40
"""Bytes: it is a player of ours, whose tables may be as large as the machine."""
LINGERING = 1.0
"""Seconds that a player may go on with a question that was broken off before its process is ended."""


class Thinker(Seat):
    """A player of ours in a process that is started early, asked over a pipe, and replaced when it hangs.

    The parent only ever waits for a pipe: a player in pure Python, one that never lets go of the interpreter,
    or one that crashes in native code cannot make it late.

    >>> import polyversi as pv
    >>> async def move() -> str:
    ...     state, seat = pv.game("xt:torus").start(), Thinker("random:seed=1")
    ...     try:
    ...         await seat.begin(state, 1)
    ...         return await seat.answer(Request(state, 1, pv.Limit(seconds=1), state, ()))
    ...     finally:
    ...         await seat.close()
    >>> pv.game("xt:torus").start().is_legal(asyncio.run(move()))
    True
    """

    def __init__(self, spec: str, program: tuple[str, ...] = PROGRAM) -> None:
        self.name = spec
        self._command = Command((*program, spec), memory=MEMORY)
        self._child: Child | None = None
        self._owes = False    # whether an answer is still to come
        self._has_failed = False

    def start(self) -> None:
        """Starts the process, unless there is one already; it needs a moment until it can be asked."""
        if self._child is None:
            self._child, self._owes, self._has_failed = Child(self._command), False, False
            self._child.start()

    async def begin(self, start: State, seat: int) -> None:  # noqa: ARG002 it can be asked for any
        if self._owes or self._has_failed:
            await self.close()
        self.start()
        await self._exchange({"map": map_of(start.game).text})

    async def prepare(self, request: Request) -> None:
        """Waits a moment for the end of a thought that was broken off; after that it is another process."""
        if self._owes and self._child is not None:
            try:
                async with asyncio.timeout(LINGERING):
                    await self._child.line()
                self._owes = False
            except (TimeoutError, SeatFailure):
                self._child.kill()
                self._has_failed = True
        if self._has_failed:
            await self.begin(request.start, request.seat)

    async def answer(self, request: Request) -> Any:
        asked = {"position": request.state.text, "limit": str(request.limit), "asked": time.monotonic()}
        return (await self._exchange(asked)).get("move")

    async def close(self) -> None:
        child, self._child = self._child, None
        if child is not None:
            if self._owes:
                child.kill()
            await child.stop()

    async def _exchange(self, request: dict[str, Any]) -> dict[str, str]:
        assert self._child is not None, "begin comes first"
        self._owes = True
        self._child.send(json.dumps(request).encode() + b"\n")
        try:
            answer: dict[str, str] = json.loads(await self._child.line())
        except SeatFailure:
            self._has_failed = True
            raise
        self._owes = False
        if fault := answer.get("fault"):
            raise SeatFailure("crash", fault)
        return answer
