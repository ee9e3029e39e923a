"""The seat of a bot: starts its process for a game, asks it, and ends it with everything it started."""

from __future__ import annotations

import asyncio
from abc import abstractmethod
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar

from polyversi._core import Move
from polyversi.gameplay.bots.process import Child, Command, shown
from polyversi.gameplay.bots.sandbox import Sandbox, own_files
from polyversi.gameplay.seat import Request, Seat
from polyversi.gameplay.verdict import SeatFailure
from polyversi.games.errors import PlayerError, PolyversiError
from polyversi.games.game import Game
from polyversi.games.state import State

READY = 55.0
"""Seconds a bot may take to get ready before its clock runs anyway."""


class BotSeat(Seat):
    """A player in a process of its own; what is said through the pipes is the subclass's business.

    The verdicts are the same for every kind of bot. An answer that cannot be read, that is not legal, or that
    comes out of turn is an illegal move. A crash means that there will be no more answers: the process ended,
    closed its pipes, or wrote more than anybody can read.
    """

    default_variant: ClassVar[str] = "othello"
    """On what bots of this kind are checked where nothing is said."""
    farewell: ClassVar[bytes] = b""
    """What it is sent before its input ends."""
    is_asked_to_pass: ClassVar[bool] = True
    """Whether it is asked where it can only pass; some refuse to be, or do not know what to say."""

    def __init__(self, command: Command, name: str, ready: float = READY) -> None:
        self.command = command
        self.name = name
        self.ready = ready
        self.protection: Sandbox | None = None
        """The sandbox it runs in; None when it is trusted."""
        self.suspends = False
        """Whether it stands still from its answer to the next request."""
        self.child: Child | None = None
        """The process of the game that is played, or that was played last."""
        self.is_ready = False
        """Whether it was ready before its clock ran."""
        self._is_broken_off = False

    def unsuited(self, game: Game) -> str | None:  # noqa: ARG002
        """Why it cannot play a game, in a sentence, or None when it may be able to."""
        return None

    def problem(self, *, in_sandbox: bool) -> str:  # noqa: ARG002
        """What is missing on this machine for it to play, in a sentence; empty when nothing is."""
        return ""

    @property
    def files(self) -> tuple[Path, ...]:
        """The files of its own that it is run from."""
        return own_files(self.command)

    @property
    def written(self) -> tuple[str, str]:
        """The ends of its standard output and standard error, 8 KiB of each, in printable lines."""
        return ("", "") if self.child is None else (_text(self.child.output), _text(self.child.errors))

    @property
    def last_output(self) -> str:
        """The end of what it wrote in the game that is played or was played last, as one text."""
        output, errors = self.written
        parts = (("standard output:", output), ("standard error:", errors))
        return "\n".join(f"{heading}\n{text}" for heading, text in parts if text)

    def new_process(self) -> Child:
        """Its process for a game, still to be started."""
        return Child(self.protected(self.command))

    def protected(self, command: Command) -> Command:
        """A command as it is run: in the sandbox, if there is one."""
        command = replace(command, is_suspended=self.suspends)
        return command if self.protection is None else self.protection.around(command)

    @abstractmethod
    async def make_ready(self, child: Child, start: State, seat: int) -> bool:
        """Waits until the process is ready to be asked; whether it is."""

    @abstractmethod
    async def choose(self, child: Child, request: Request) -> Any:
        """What the process answers to a request."""

    async def begin(self, start: State, seat: int) -> None:
        if reason := self.unsuited(start.game):
            raise PlayerError(f"{self.name} does not play {start.game.spec}: {reason}")
        await self.close()
        try:
            child = self.new_process()
            child.start()
        except (OSError, ValueError) as error:
            raise SeatFailure("crash", f"it cannot be started: {error}") from error
        self.child = child
        self.is_ready = await self.make_ready(child, start, seat)

    async def prepare(self, request: Request) -> None:
        """Has the process go on, or starts it anew after a question that was broken off."""
        self.wake()
        if self._is_broken_off:
            self._is_broken_off = False
            await self.begin(request.start, request.seat)

    async def answer(self, request: Request) -> Any:
        if self.child is None:
            raise SeatFailure("crash", "it has not been started")
        if request.state.moves[0].is_pass and not self.is_asked_to_pass:
            return request.state.moves[0]
        try:
            self.wake()    # not everybody lets it prepare
            answer = await self.choose(self.child, request)
            self.suspend()
            return answer
        except asyncio.CancelledError:
            self.child.kill()    # its time is up: whatever it does now must cost nobody anything
            self._is_broken_off = True
            raise

    def suspend(self) -> None:
        """Has the process stand still, if it is to, as soon as its answer has been taken: off its clock."""
        if self.suspends and self.child is not None:
            asyncio.get_running_loop().call_soon(self.child.suspend)

    def wake(self) -> None:
        """Has the process go on."""
        if self.child is not None:
            self.child.wake()

    async def close(self) -> None:
        if self.child is not None:
            self.child.send(self.farewell)
            await self.child.stop()


def _text(data: bytearray) -> str:
    """What a bot wrote, line by line, for a terminal or a page to show."""
    return "\n".join(shown(line, 2000) for line in data.decode("utf-8", "backslashreplace").splitlines())


def legal_move(request: Request, text: str, said: bytes) -> Move:
    """The move that a bot names, if the rules allow it; otherwise the verdict shows what the bot said."""
    try:
        move = request.state.game.move(text)
        request.state.play(move)
    except PolyversiError as error:
        raise SeatFailure("illegal move", f"{shown(str(error), 300)}; it answered {shown(said)}") from error
    return move


def is_plain_square(game: Game) -> bool:
    """Whether it is played as Othello is: two seats on a whole square board, a pass only without a move.

    >>> import polyversi as pv
    >>> [is_plain_square(pv.game(spec)) for spec in ("anti-6", "othello:start=parallel", "torus", "hex")]
    [True, True, False, False]
    """
    rules, board = game.definition, game.board
    return (
        game.seats == 2
        and board.layout == "square"
        and board.width == board.height
        and board.size == board.width**2
        and not board.links
        and rules.passing == "forced"
        and rules.placing == "capture"
        and not rules.opening
    )
