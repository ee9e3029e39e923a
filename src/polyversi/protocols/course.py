"""Course agents: files with a class `AI(chessboard_size, color, time_out)` and its `go(chessboard)`."""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

from polyversi._core import Move
from polyversi.gameplay.bots.process import Child, Command, shown
from polyversi.gameplay.bots.seat import READY, BotSeat, is_plain_square, legal_move
from polyversi.gameplay.seat import Request
from polyversi.gameplay.verdict import SeatFailure
from polyversi.games.errors import PlayerError
from polyversi.games.game import Game
from polyversi.games.state import State
from polyversi.players import Limit
from polyversi.protocols.agent_python import python_problem
from polyversi.protocols.json_bot import read_object, request_of

RUNNER = Path(__file__).with_name("course_runner.py")
DEFAULT_SECONDS = 5.0
"""Seconds for a move on the course's platform."""
SHARE = 15
"""With a bank alone, an agent gets this part of it for a move: it has no other way to share it out."""
MARGIN = 0.1
"""Seconds before the end of its time in which an agent is interrupted."""


class CourseSeat(BotSeat):
    """An agent in an unchanged file, run by a program of ours in a process of its own.

    Its candidates are reported as it finds them. When its time is up it is interrupted, and the last one
    counts, even when the agent does not let itself be interrupted.
    """

    default_variant = "anti"
    is_asked_to_pass = False

    def __init__(self, path: Path, name: str, ready: float = READY, python: Path | None = None) -> None:
        super().__init__(Command((), path.parent), name, ready)
        self.path = path
        self.python = python
        """The interpreter that runs it; None for ours."""
        self.candidates: list[str] | None = None
        """All candidates of the last move, if the agent came to its end."""

    @property
    def files(self) -> tuple[Path, ...]:
        return (self.path,)

    def unsuited(self, game: Game) -> str | None:
        return None if is_plain_square(game) else "course agents play only Othello and anti on square boards"

    def problem(self, *, in_sandbox: bool) -> str:
        return python_problem(self.python, in_sandbox=in_sandbox) if self.python else ""

    async def make_ready(self, child: Child, start: State, seat: int) -> bool:  # noqa: ARG002
        self._number = 0
        return await child.wait_until_reading(self.ready)

    async def begin(self, start: State, seat: int) -> None:
        # In a sandbox this was checked before the first game: an agent's own Python must not stop later ones.
        if self.python and self.protection is None and (
                problem := await asyncio.to_thread(self.problem, in_sandbox=False)):
            raise PlayerError(f"{self.name} cannot play: {problem}")
        options = (str(start.board.width), "-1" if seat == 1 else "1", f"{DEFAULT_SECONDS:g}")
        words = (str(self.python or sys.executable), "-I", "-B", str(RUNNER), str(self.path), *options)
        self.command = Command(words, self.path.parent)
        await super().begin(start, seat)

    async def choose(self, child: Child, request: Request) -> Move:
        self._number += 1
        self.candidates = None
        seconds = budget(request.limit)
        message = {**request_of(request), "seconds": seconds, "number": self._number}
        child.send(json.dumps(message).encode() + b"\n")
        last: dict[str, Any] = {}
        try:
            async with asyncio.timeout(seconds + MARGIN / 2):
                while "move" not in last:
                    answer = read_object(await child.line())
                    if answer.get("number") == self._number:    # otherwise a late word about an earlier move
                        last = answer
        except TimeoutError:
            last.setdefault("late", True)
        move = last.get("move", last.get("candidate"))
        if move is None and last.get("late"):
            raise SeatFailure("timeout", f"no candidate within {seconds:g} s")
        self.candidates = None if last.get("late") else last["candidates"]
        if move is None and request.state.moves[0].is_pass:
            return request.state.moves[0]
        if not isinstance(move, str):
            raise SeatFailure("illegal move", "its candidate list is empty")
        return legal_move(request, move, f"with {shown(move)} as its last candidate".encode())


def budget(limit: Limit) -> float:
    """The seconds after which an agent is interrupted.

    >>> from polyversi.players import Limit
    >>> budget(Limit()), budget(Limit(bank=30)), budget(Limit(seconds=1))
    (5.0, 2.0, 0.9)
    """
    if limit.allowance is None:
        return DEFAULT_SECONDS
    share = min(DEFAULT_SECONDS, limit.allowance / SHARE) if limit.seconds is None else limit.seconds
    return round(min(share, limit.allowance - min(MARGIN, limit.allowance / 4)), 3)
