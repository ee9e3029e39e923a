"""The referee's side of NBoard: a seat for an engine that speaks it."""

from __future__ import annotations

import asyncio
import re

from polyversi._core import Move
from polyversi.gameplay.bots.process import Child, shown
from polyversi.gameplay.bots.seat import BotSeat, is_plain_square, legal_move
from polyversi.gameplay.seat import Request
from polyversi.gameplay.verdict import SeatFailure
from polyversi.games.game import Game
from polyversi.games.state import State
from polyversi.records import ggf
from polyversi.records.record import Record

DEFAULT_DEPTH = 8
"""Where the limit has none; the protocol has no other limit."""
COMMAND_TIMEOUT = 10.0
"""Seconds for commands that need no search."""
MOVE = re.compile(rb"===\s*([A-Za-z][0-9]{1,2}|--|[Pp][Aa][a-zA-Z]*)(?=[\s/]|$)")


class NboardSeat(BotSeat):
    """An engine that is sent the whole game as GGF before each of its moves and then told to `go`.

    Whatever it reports about its search is ignored. It searches to the limit's depth, whatever that takes.
    """

    farewell = b"quit\n"
    is_asked_to_pass = False

    def unsuited(self, game: Game) -> str | None:
        return None if is_plain_square(game) else "NBoard engines play only Othello on square boards"

    async def make_ready(self, child: Child, start: State, seat: int) -> bool:  # noqa: ARG002
        self._pings = 0
        child.send(b"nboard 2\n")
        await self._ping(child, self.ready)
        return True

    async def choose(self, child: Child, request: Request) -> Move:
        depth = request.limit.depth or DEFAULT_DEPTH
        game = ggf.write(Record(request.start, request.moves, players=("black", "white")))
        child.send(f"set depth {depth}\nset game {game}\n".encode())
        await self._ping(child, COMMAND_TIMEOUT)
        child.send(b"go\n")
        line = b""
        while not line.startswith(b"==="):
            line = await child.line()
        found = MOVE.match(line)
        if found is None:
            raise SeatFailure("illegal move", f"there is no move in its answer {shown(line)}")
        return legal_move(request, found[1].decode(), line)

    async def _ping(self, child: Child, seconds: float) -> None:
        """Waits until it has done all that it was told so far."""
        self._pings += 1
        child.send(b"ping %d\n" % self._pings)
        wanted = [b"pong", b"%d" % self._pings]
        try:
            async with asyncio.timeout(seconds):
                while (await child.line()).split() != wanted:
                    pass
        except TimeoutError:
            raise SeatFailure("stall", f"it did not answer 'ping' within {seconds:g} s") from None
