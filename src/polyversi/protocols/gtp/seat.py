"""The referee's side of GTP: a seat for an engine that speaks it."""

from __future__ import annotations

import asyncio

from polyversi._core import Move
from polyversi.gameplay.bots.process import Child, shown
from polyversi.gameplay.bots.seat import BotSeat, is_plain_square, legal_move
from polyversi.gameplay.seat import Request, Resign
from polyversi.gameplay.verdict import SeatFailure
from polyversi.games.errors import PlayerError
from polyversi.games.game import Game
from polyversi.games.state import State
from polyversi.games.variants import game as named
from polyversi.protocols.gtp import COLORS
from polyversi.protocols.gtp.clock import time_settings

COMMAND_TIMEOUT = 10.0
"""Seconds for commands that need no search."""
OVERHEAD = 0.03
"""Seconds that an engine is told less than it has: what the way there and back takes."""
MAX_OPENING_MOVES = 16
"""Between the start of a game and a position that is reached by playing them."""


class GtpSeat(BotSeat):
    """An engine that is told every move with `play` and asked with `genmove`.

    Whatever it prints besides its responses is ignored. The board sizes are those that it accepts; the
    rules are its own business: one that knows only Othello plays anti badly.
    """

    farewell = b"quit\n"
    is_asked_to_pass = False

    def unsuited(self, game: Game) -> str | None:
        start = is_plain_square(game) and named(f"othello-{game.board.width}").definition.start
        if game.definition.start == start:
            return None
        return "GTP engines play only on square boards with the default start"

    async def make_ready(self, child: Child, start: State, seat: int) -> bool:  # noqa: ARG002
        opening = path_to(start)
        if opening is None:
            raise PlayerError(f"{self.name} cannot begin with {start.text}: GTP cannot set up positions")
        self._opening = opening
        self._known: tuple[Move, ...] = ()    # the moves on its board
        self._has_time_settings = False
        await self._prompt(child, "protocol_version", self.ready)
        _, commands = await self._prompt(child, "list_commands", whole=True)
        self._commands = frozenset(commands.split())
        size = f"boardsize {start.board.width}"
        accepted, reason = await self._prompt(child, size)
        if not accepted:
            raise PlayerError(f"{self.name} does not play {start.game.spec}: it refused '{size}' ({reason})")
        await self._prompt(child, "clear_board")
        return True

    async def choose(self, child: Child, request: Request) -> Move | Resign:
        await self._catch_up(child, (*self._opening, *request.moves), request.state.game.start())
        await self._tell_time(child, request)
        genmove = f"genmove {COLORS[request.seat]}"
        accepted, text = await self._ask(child, genmove)
        if not accepted:
            raise SeatFailure("crash", f"it refused '{genmove}': {text}")
        if text.lower() == "resign":
            return Resign()
        move = legal_move(request, text, text.encode())
        self._known = (*self._known, move)
        return move

    async def _catch_up(self, child: Child, moves: tuple[Move, ...], state: State) -> None:
        """Tells it what has been played since it was asked last; after a take-back, everything."""
        known = len(self._known)
        if moves[:known] != self._known:
            await self._prompt(child, "clear_board")
            known = 0
        for number, move in enumerate(moves):
            play, state = f"play {COLORS[state.turn]} {move}", state.play(move)
            if number < known:
                continue
            accepted, reason = await self._prompt(child, play)
            if not accepted and not move.is_pass:    # a pass that is forced goes without saying
                raise SeatFailure("crash", f"it refused '{play}': {reason}")
        self._known = moves

    async def _tell_time(self, child: Child, request: Request) -> None:
        limit = request.limit
        if limit.allowance is None:
            return
        if not self._has_time_settings and "time_settings" in self._commands:
            self._has_time_settings = True
            await self._prompt(child, f"time_settings {time_settings(limit)}")
        if "time_left" in self._commands:
            left = max(0.01, limit.allowance - OVERHEAD)
            stones = 0 if limit.seconds is None else 1
            await self._prompt(child, f"time_left {COLORS[request.seat]} {left:.4g} {stones}")

    async def _prompt(
        self, child: Child, command: str, seconds: float = COMMAND_TIMEOUT, whole: bool = False
    ) -> tuple[bool, str]:
        """Sends a command that needs no search."""
        try:
            async with asyncio.timeout(seconds):
                return await self._ask(child, command, whole)
        except TimeoutError:
            raise SeatFailure("stall", f"it did not answer '{command}' within {seconds:g} s") from None

    async def _ask(self, child: Child, command: str, whole: bool = False) -> tuple[bool, str]:
        """Whether it accepted a command, and its response: the first line, or all lines to an empty one."""
        child.send(command.encode() + b"\n")
        line = b""
        while not line.startswith((b"=", b"?")):
            line = await child.line()
        response = [line]
        while whole and line.strip():
            line = await child.line()
            response.append(line)
        text = b" ".join(response)
        return text.startswith(b"="), shown(text[1:].strip(), 4000)


def path_to(target: State) -> tuple[Move, ...] | None:
    """Moves that lead from the start of a game to an early position of it, or None when none are found.

    >>> import polyversi as pv
    >>> game = pv.game("othello")
    >>> path_to(game.start().play("f5").play("d6"))
    (Move('f5'), Move('d6'))
    """
    start, seen = target.game.start(), set()
    wanted = sum(target.scores)
    if wanted - sum(start.scores) > MAX_OPENING_MOVES:
        return None
    paths: list[tuple[State, tuple[Move, ...]]] = [(start, ())]
    while paths:
        state, moves = paths.pop()
        if state == target:
            return moves
        for move in state.moves:
            after = state.play(move)
            if after in seen or not (move.is_pass or target.tiles[move.cell]):
                continue
            seen.add(after)
            if sum(after.scores) <= wanted:
                paths.append((after, (*moves, move)))
    return None
