"""The bots of a server: a folder of them, which visitors choose by name, and the processes they run in."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Any

from polyversi.gameplay.bots import BotSeat, Sandbox
from polyversi.gameplay.bots.process import shown
from polyversi.gameplay.events import Event
from polyversi.gameplay.seat import Request, Seat
from polyversi.games.board import shorten
from polyversi.games.errors import PlayerError, PolyversiError
from polyversi.games.game import Game
from polyversi.games.state import State
from polyversi.protocols.bot_files import FoundBot, files_to_hide, find_bots, is_folder
from polyversi.protocols.spec import bot_from, sandbox_of
from polyversi.server.turns import MAX_THINKING, Attendance

MAX_BOTS = max(16, 2 * MAX_THINKING)
"""Bots that have a process at the same time: more than think at the same time."""


class BotFolder:
    """The bots in a folder as it is when the server starts; with None there are none.

    Visitors call a bot `bot:NAME`, after its file or folder, and never by a path.

    >>> BotFolder(None).specs()
    []
    >>> BotFolder(None).seat("bot:/bin/cat")
    Traceback (most recent call last):
    polyversi.games.errors.PlayerError: this server has no bot '/bin/cat'
    """

    def __init__(self, folder: Path | None, *, trust: bool = False) -> None:
        self._found: dict[str, FoundBot] = {}
        self._protection: Sandbox | None = None
        if folder is None:
            return
        if not is_folder(folder):
            raise PlayerError(f"there is no folder {shown(str(folder))}; --bots takes a folder of bots")
        self._found = {f"bot:{shown(bot.path.name)}": bot for bot in find_bots("*", folder)}
        if not trust:
            sandbox = sandbox_of(bot.spec for bot in self._found.values() if bot.spec)
            hidden = files_to_hide(bot.path for bot in self._found.values() if bot.problem)
            self._protection = replace(sandbox, entrants=(*sandbox.entrants, *hidden))

    @property
    def problems(self) -> list[str]:
        """Why some of what is in the folder cannot play, in sentences for the operator."""
        return [bot.problem for bot in self._found.values() if bot.problem]

    def specs(self) -> list[str]:
        """What visitors call the bots."""
        return list(self._found)

    def seat(self, spec: str) -> BotSeat:
        """A seat for the bot; a PlayerError if it cannot play."""
        bot = self._found.get(spec)
        if bot is None:
            raise PlayerError(f"this server has no bot '{shorten(spec.partition(':')[2])}'")
        if bot.problem:
            raise PlayerError(bot.problem)
        try:
            seat = bot_from(bot.spec, self._protection)
        except PolyversiError as error:    # visitors may not see in which folder the files are
            raise PlayerError(shown(str(error).replace(f"{bot.path.parent}/", ""))) from None
        seat.name = spec
        return seat

    def unsuited(self, spec: str, game: Game) -> str | None:
        """Why the bot cannot play a game, in a sentence, or None when it may be able to."""
        try:
            return self.seat(spec).unsuited(game)
        except PolyversiError as error:
            return str(error)


class BotProcesses:
    """The bots that have a process, at most so many: then whoever was asked longest ago loses its own.

    A bot that lost its process gets another when it is asked again.
    """

    def __init__(self, limit: int | None = None) -> None:
        self._limit = MAX_BOTS if limit is None else limit
        self.running: dict[OnDemandSeat, None] = {}
        """Those that have one, who was asked longest ago first."""

    async def make_room(self, seat: OnDemandSeat) -> None:
        """Counts a bot that is about to be asked; there are always more places than bots that are asked."""
        self.running.pop(seat, None)
        while len(self.running) >= self._limit:
            idle = next((one for one in self.running if not one.is_asked), None)
            if idle is None:
                break
            await idle.rest()
        self.running[seat] = None

    def leave(self, seat: OnDemandSeat) -> None:
        """A bot has no process any more."""
        self.running.pop(seat, None)


class OnDemandSeat(Seat):
    """The seat of a bot that has a process from its first move on, while somebody attends the game."""

    def __init__(self, seat: BotSeat, processes: BotProcesses, attendance: Attendance) -> None:
        self.name = seat.name
        self.is_asked = False
        """Whether it thinks, or is about to."""
        self._seat = seat
        self._processes = processes
        self._attendance = attendance
        self._has_process = False
        self._changing = asyncio.Lock()
        self._tasks: set[asyncio.Task[None]] = set()
        attendance.on_end.append(self._rest_soon)

    async def begin(self, start: State, seat: int) -> None:  # noqa: ARG002
        if reason := self._seat.unsuited(start.game):
            raise PlayerError(f"{self.name} does not play {start.game.spec}: {reason}")

    async def prepare(self, request: Request) -> None:
        self.is_asked = True
        async with self._changing:
            await self._processes.make_room(self)
            if not self._has_process:
                self._has_process = True
                await self._seat.begin(request.start, request.seat)
        await self._seat.prepare(request)

    async def answer(self, request: Request) -> Any:
        try:
            return await self._seat.answer(request)
        finally:
            self.is_asked = False
            if not self._attendance.is_on.is_set():
                self._rest_soon()

    def hear(self, event: Event) -> None:
        self._seat.hear(event)

    async def rest(self) -> None:
        """Ends its process, unless it is asked just now."""
        async with self._changing:
            if self._has_process and not self.is_asked:
                self._has_process = False
                await self._seat.close()
                self._processes.leave(self)

    def _rest_soon(self) -> None:
        task = asyncio.create_task(self.rest())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def close(self) -> None:
        self._attendance.on_end.remove(self._rest_soon)
        self.is_asked = False
        await self.rest()
