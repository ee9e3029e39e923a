"""A player that thinks in a worker process, so that nothing it does can delay the client.

`PlayerProcessSeat` is the parent's side; `python -m polyversi.server.xt.player_process SPEC` is the worker.
"""

from __future__ import annotations

import asyncio
import os
import sys
import time

import msgspec
from msgspec import Struct

from polyversi.gameplay.bots.process import Child, Command
from polyversi.gameplay.seat import Request, Seat
from polyversi.gameplay.verdict import SeatFailure
from polyversi.games.errors import PolyversiError
from polyversi.games.state import State
from polyversi.games.xt import xt_game
from polyversi.games.xtmap import XtMap
from polyversi.players import Limit, player
from polyversi.records.maps import map_of

PROGRAM = (sys.executable, "-m", "polyversi.server.xt.player_process")
MEMORY = 1 << 40
"""Bytes; no real limit, since our own players may use tables as large as the machine allows."""
STOP_TIMEOUT = 1.0
"""Seconds that a player may continue with a cancelled question before its process is replaced."""


class NewMap(Struct, frozen=True, tag="map"):
    """The map of the next questions."""

    text: str


class Question(Struct, frozen=True, tag="question"):
    """A position to move in."""

    position: str
    limit: str
    asked: float
    """When it was asked, on `time.monotonic`."""


class Reply(Struct, frozen=True):
    """A move, or what went wrong; neither in reply to a map that the player can play."""

    move: str | None = None
    fault: str = ""


class PlayerProcessSeat(Seat):
    """One of our players in a process that is started early, asked over a pipe, and replaced if it hangs.

    The parent only waits for a pipe: a player in pure Python, one that never releases the interpreter, or one
    that crashes in native code cannot delay it.

    >>> import polyversi as pv
    >>> async def move() -> str:
    ...     state, seat = pv.game("xt:torus").start(), PlayerProcessSeat("random:seed=1")
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
        self._answer_pending = False    # whether an answer is still outstanding
        self._has_failed = False

    def start(self) -> None:
        """Starts the process unless it is running; it needs a moment before it can answer."""
        if self._child is None:
            self._child, self._answer_pending, self._has_failed = Child(self._command), False, False
            self._child.start()

    async def begin(self, start: State, seat: int) -> None:  # noqa: ARG002 any seat can be asked for
        if self._answer_pending or self._has_failed:
            await self.close()
        self.start()
        await self._exchange(NewMap(map_of(start.game).text))

    async def prepare(self, request: Request) -> None:
        """Waits a moment for a cancelled search to end, and then replaces the process."""
        if self._answer_pending and self._child is not None:
            try:
                async with asyncio.timeout(STOP_TIMEOUT):
                    await self._child.line()
                self._answer_pending = False
            except (TimeoutError, SeatFailure):
                self._child.kill()
                self._has_failed = True
        if self._has_failed:
            await self.begin(request.start, request.seat)

    async def answer(self, request: Request) -> str | None:
        return await self._exchange(Question(request.state.text, str(request.limit), time.monotonic()))

    async def close(self) -> None:
        child, self._child = self._child, None
        if child is not None:
            if self._answer_pending:
                child.kill()
            await child.stop()

    async def _exchange(self, message: NewMap | Question) -> str | None:
        assert self._child is not None, "begin comes first"
        self._answer_pending = True
        self._child.send(msgspec.json.encode(message) + b"\n")
        try:
            reply = msgspec.json.decode(await self._child.line(), type=Reply)
        except SeatFailure:
            self._has_failed = True
            raise
        self._answer_pending = False
        if reply.fault:
            raise SeatFailure("crash", reply.fault)
        return reply.move


class PlayerWorker:
    """The worker's side: a player, and the game on the current map.

    >>> worker = PlayerWorker("random")
    >>> worker.reply(NewMap("2 0 0 0  1 3  1 2 0"))
    Reply(move=None, fault='')
    >>> worker.reply(Question("120 1", "seconds=1", time.monotonic()))
    Reply(move='2,0', fault='')
    >>> worker.reply(Question("what", "none", 0.0)).fault[:19]
    'a position is one l'
    """

    def __init__(self, spec: str) -> None:
        self._player = player(spec)

    def reply(self, message: NewMap | Question) -> Reply:
        """A move, or what went wrong."""
        try:
            if isinstance(message, NewMap):
                self._game = xt_game(XtMap.parse(message.text))
                return Reply(fault=self._player.unsuited(self._game) or "")
            # Both processes share the machine's clock: the question's time on the way is subtracted.
            limit = Limit.parse(message.limit).ticked(max(0.0, time.monotonic() - message.asked))
            return Reply(str(self._player.choose(self._game.position(message.position), limit)))
        except PolyversiError as error:
            return Reply(fault=str(error))
        except Exception as error:
            return Reply(fault=f"{type(error).__name__}: {error}")


def main() -> None:
    """Answers each line of standard input with a line of standard output."""
    answers = os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(2, 1)    # what a player prints is not an answer
    worker, decoder = PlayerWorker(sys.argv[1]), msgspec.json.Decoder(NewMap | Question)
    for line in sys.stdin.buffer:
        answers.write(msgspec.json.encode(worker.reply(decoder.decode(line))) + b"\n")


if __name__ == "__main__":
    main()
