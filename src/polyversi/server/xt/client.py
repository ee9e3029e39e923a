"""The client: plays a game on any Reversi XT server and answers before every time limit."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import ExitStack, suppress
from dataclasses import dataclass, replace
from typing import Any

from msgspec import Struct

from polyversi._core import Move
from polyversi.gameplay.events import Event
from polyversi.gameplay.referee import READY_TIMEOUT
from polyversi.gameplay.seat import Request, Seat
from polyversi.gameplay.verdict import GameAborted, SeatFailure
from polyversi.games.errors import PolyversiError
from polyversi.games.result import Result, rank
from polyversi.protocols.xt.frames import (
    FROM_SERVER,
    Answer,
    Ask,
    Decoder,
    Disqualified,
    EndOfBuilding,
    EndOfGame,
    Frame,
    FrameError,
    Group,
    Map,
    Number,
    Played,
    encode,
)
from polyversi.records.maps import map_of
from polyversi.records.record import Record
from polyversi.server.connection import CONNECT_TIMEOUT, Address, NetworkError, keep_alive, reaching
from polyversi.server.xt.budget import Budget
from polyversi.server.xt.client_game import ClientGame, ServerFault
from polyversi.server.xt.quick_move import quick_move

RETRY_INTERVAL = 0.2
"""Seconds between attempts to reach a server that is not running yet."""
DELAY_INTERVAL, DELAY_DECAY = 0.05, 0.99
"""Seconds between measurements of this process's delay, and the share of a delay that each one keeps."""


class Began(Struct, frozen=True, tag="began"):
    """A game has begun."""

    map: str
    seat: int


class Said(Struct, frozen=True, tag="said"):
    """Something about the connection or the player."""

    sentence: str


Report = Callable[["Began | Said | Event"], None]
"""Receives the client's news; it must not block."""


@dataclass(frozen=True)
class Ended:
    """A game that is over for the client: as the server says, or because of a fault."""

    seat: int
    record: Record
    """The game up to the last message; the seats that the server disqualified are out."""
    fault: str = ""
    """Why the game broke off, or why this seat was disqualified; empty if neither happened."""

    @property
    def result(self) -> Result:
        """The ranks of all seats; for a game that was not finished, those of the current position."""
        final = self.record.final
        ranks = rank(final.scores, final.game.definition.goal, final.out)
        return final.result or Result("", final.scores, ranks, final.game.definition.points(ranks, final.out))


@dataclass
class Question:
    """A move that the server asks for."""

    request: Request
    budget: Budget
    fallback: Move
    """The answer if the player does not answer in time."""
    guard: asyncio.TimerHandle
    thinking: asyncio.Task[Any] | None = None
    spent: float | None = None
    """Seconds after which it was answered."""
    answer: Move | None = None
    fallback_reason: str = ""
    """Why it was answered without the player, if it was."""


class XtClient(asyncio.Protocol):
    """One seat at a server, from the connection to the end of the game.

    Messages are handled the moment they arrive, without a task that would have to wait its turn. Every
    question is answered before its time is up: by the player, or with a quick legal move if it is too slow,
    raises, or answers with something that is not a move. A player that is still thinking is not asked again
    until it is done.
    """

    _transport: asyncio.Transport
    _over: asyncio.Future[str]    # the fault that ended the game, if there was one
    _closed: asyncio.Future[None]

    def __init__(self, host: str, port: int, seat: Seat, *, group: int = 0, retry: float = 0.0,
                 report: Report = lambda _: None) -> None:
        self._host = host
        self._port = port
        self._seat = seat
        self._group = group
        self._retry = retry
        self._report = report
        self._chart = b""
        self._game: ClientGame | None = None
        self._question: Question | None = None
        self._time_per_move: float | None = None
        self._round_trip = 0.0
        self._delay = 0.0    # how late this process has recently been
        self._last_change = 0.0    # when the current turn began
        self._bank: float | None = None
        self._ready: asyncio.Task[None] | None = None
        self._tasks: set[asyncio.Task[Any]] = set()
        self._decoder = Decoder(FROM_SERVER)

    async def play(self) -> Ended:
        """Plays one game; the seat is not closed and can play another game.

        Raises NetworkError or ServerFault if no game begins; `Ended.fault` says what goes wrong later.
        """
        loop = asyncio.get_running_loop()
        self._over, self._closed = loop.create_future(), loop.create_future()
        await loop.create_connection(lambda: self, sock=await self._connect())
        self._transport.write(encode(Group(self._group)))
        self._begin_task(self._measure_delay())
        try:
            fault = await self._over
        finally:
            self._transport.abort()
            await self._closed
            await self._stop_thinking()
        assert self._game is not None
        return Ended(self._game.seat, self._game.log.record, fault)

    async def _connect(self) -> socket.socket:
        """Connects as soon as the server is running."""
        where = str(Address(self._host, self._port))
        give_up, has_said = _now() + self._retry, False
        while True:
            try:
                with reaching(where, "polyversi xt-server"):
                    async with asyncio.timeout(CONNECT_TIMEOUT):
                        return await self._reach()
            except NetworkError as error:
                if _now() + RETRY_INTERVAL > give_up:
                    raise
                if not has_said:
                    self._report(Said(f"{error}; trying again for {self._retry:g} s"))
                has_said = True
            await asyncio.sleep(RETRY_INTERVAL)

    async def _reach(self) -> socket.socket:
        """Connects, and measures the round trip by the time that this takes."""
        loop, last = asyncio.get_running_loop(), OSError("it has no address")
        found = await loop.getaddrinfo(self._host, self._port, type=socket.SOCK_STREAM)
        for family, kind, protocol, _, address in found:
            with ExitStack() as unless_connected:
                line = unless_connected.enter_context(socket.socket(family, kind, protocol))
                line.setblocking(False)
                begin = _now()
                try:
                    await loop.sock_connect(line, address)
                except OSError as error:
                    last = error
                    continue
                self._round_trip = _now() - begin
                keep_alive(line)
                unless_connected.pop_all()
                return line
        raise last

    # The connection.

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """The event loop has taken over the connection."""
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        self._acknowledge_at_once()

    def data_received(self, data: bytes) -> None:
        """Handles data; the time of its arrival is taken before anything else."""
        arrived = _now()
        self._acknowledge_at_once()
        try:
            for frame in self._decoder.feed(data):
                self._take(frame, arrived)
        except PolyversiError as error:
            self._lose(error)
            self._transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection is gone."""
        self._lose(exc)
        self._closed.set_result(None)

    def _acknowledge_at_once(self) -> None:
        """Makes the system acknowledge data at once; this must be requested each time.

        If the server's system gathers small messages (Nagle's algorithm), it sends a question only when the
        previous message is acknowledged. That may take up to 40 ms, while the question's clock already runs.
        """
        with suppress(OSError, AttributeError):    # not every system supports it
            line: socket.socket = self._transport.get_extra_info("socket")
            line.setsockopt(socket.IPPROTO_TCP, socket.TCP_QUICKACK, 1)

    # What the server says.

    def _take(self, frame: Frame, arrived: float) -> None:
        if self._over.done():
            return
        game = self._game
        if isinstance(frame, Map):
            if self._chart:
                raise ServerFault("the server sent a second map")
            self._chart = frame.text
        elif isinstance(frame, Number):
            self._sit_down(frame.seat)
        elif game is None:
            raise ServerFault(f"the server sent a message of type {frame.type} before the map and the seat")
        elif isinstance(frame, Ask):
            self._consider(game, frame, arrived)
        elif isinstance(frame, Played):
            self._follow(game, frame, arrived)
        elif isinstance(frame, Disqualified):
            self._expel(game, frame.seat, arrived)
        elif isinstance(frame, EndOfBuilding):
            game.end_building()
        elif isinstance(frame, EndOfGame):
            self._report(game.end())
            self._over.set_result("")

    def _lose(self, error: Exception | None) -> None:
        """Ends the game because the connection is lost or the server made a mistake."""
        if self._over.done():
            return
        if isinstance(error, FrameError):
            error = ServerFault(f"the server sent {error}")
        if not isinstance(error, PolyversiError):
            when = "before the end of the game" if self._game else "before the game began"
            why = f" ({getattr(error, 'strerror', None) or error})" if error else ""
            error = NetworkError(f"the server closed the connection {when}{why}")
        if self._game is None:
            self._over.set_exception(error)
        else:
            suspicion = "" if isinstance(error, ServerFault) else f"; {self._likely_reason()}"
            self._over.set_result(f"{error}{suspicion}")

    def _sit_down(self, seat: int) -> None:
        if not self._chart or self._game is not None:
            when = "before the map" if self._game is None else "a second time"
            raise ServerFault(f"the server assigned a seat {when}")
        self._game = ClientGame(self._chart, seat, self._seat.name)
        start = self._game.state
        self._last_change = _now()
        self._get_ready(lambda: self._seat.begin(start, seat))
        self._report(Began(map_of(start.game).text, seat))
        self._report(self._game.start())
        if doubts := self._game.doubts:
            self._report(Said(f"the map is doubtful: {'; '.join(doubts)}"))

    def _follow(self, game: ClientGame, played: Played, arrived: float) -> None:
        seconds, question, reason = arrived - self._last_change, self._question, ""
        if played.seat == game.seat:
            if question is None or question.spent is None:
                raise ServerFault("the server reported a move of this seat before the seat had answered")
            seconds, reason, self._question = question.spent, question.fallback_reason, None
            self._bank = question.budget.bank_after(seconds)
        self._report(game.played(played, seconds, self._bank))
        if reason:
            self._report(Said(reason))    # after the move, whose new board would wipe it from the terminal
        self._last_change = arrived

    def _expel(self, game: ClientGame, seat: int, arrived: float) -> None:
        is_this = seat == game.seat
        why = self._likely_reason() if is_this else "the server says so"
        event = game.disqualified(seat, why)
        if event is not None:
            self._report(event)
        self._last_change = arrived
        if is_this:
            self._over.set_result(f"the server has disqualified this seat; {why}")

    def _likely_reason(self) -> str:
        """The likely reason why the server disqualified or disconnected this seat, as seen from here."""
        question = self._question
        if question is None:
            return "it had not been asked for a move"
        if question.answer is None:
            return f"it had not answered {question.budget.describe(_now() - question.budget.arrived)}"
        assert question.spent is not None
        reason = f"; {question.fallback_reason}" if question.fallback_reason else ""
        return f"its answer {question.answer} was sent {question.budget.describe(question.spent)}{reason}"

    # What the server asks.

    def _consider(self, game: ClientGame, ask: Ask, arrived: float) -> None:
        """Starts to think, with a fallback answer and a guard that sends it when the time is nearly up."""
        if self._question is not None:
            raise ServerFault("the server asked for another move before it reported the last one")
        game.check_turn()
        seconds = ask.milliseconds / 1000 or None
        if self._time_per_move is None:
            self._time_per_move = seconds    # the first bank is the time for one move
        lost = self._round_trip + 2 * self._delay    # late to notice the question, and late to answer it
        budget = Budget(arrived, seconds, self._time_per_move, ask.depth or None, lost)
        log, loop = game.log, asyncio.get_running_loop()
        request = Request(game.state, game.seat, budget.limit(arrived), log.start, log.moves,
                          tuple(log.disqualified))
        guard = loop.call_at(budget.answer_by, self._answer_anyway, "it takes too long")
        question = self._question = Question(request, budget, game.state.moves[0], guard)
        question.thinking = self._begin_task(self._think(question))
        question.thinking.add_done_callback(lambda task: self._settle(question, task))

        def improve_fallback() -> None:
            question.fallback = quick_move(question.request.state)

        loop.call_soon(improve_fallback)    # once the player has started to think

    async def _think(self, question: Question) -> Any:
        if self._ready is not None:
            await asyncio.shield(self._ready)
        limit = question.budget.limit(_now())
        return await self._seat.answer(replace(question.request, limit=limit))

    def _settle(self, question: Question, thinking: asyncio.Task[Any]) -> None:
        """Sends the player's answer, if it is a legal move and in time."""
        if thinking.cancelled():
            return
        error = thinking.exception()
        if question is not self._question or question.answer is not None or self._over.done():
            return
        if isinstance(error, GameAborted):
            self._over.set_exception(error)
            return
        try:
            if error is not None:
                raise error
            move = question.request.state.as_move(thinking.result())
            question.request.state.play(move)
        except Exception as fault:
            said = fault.detail if isinstance(fault, SeatFailure) else str(fault)
            self._answer_anyway(said or type(fault).__name__)
        else:
            self._answer(question, move)

    def _answer(self, question: Question, move: Move) -> None:
        x, y = question.request.state.board.coordinates[move.cell]
        self._transport.write(encode(Answer(x, y, move.special)))
        question.guard.cancel()
        question.answer, question.spent = move, _now() - question.budget.arrived

    def _answer_anyway(self, reason: str) -> None:
        """Answers without the player, who prepares for the next question in the meantime."""
        question = self._question
        if question is None or question.answer is not None or self._over.done():
            return
        self._answer(question, question.fallback)
        thinking = question.thinking
        assert thinking is not None
        request = question.request
        if thinking.done():
            self._get_ready(lambda: self._seat.begin(request.start, request.seat))
        else:
            thinking.cancel()
            self._get_ready(lambda: self._seat.prepare(request), after=thinking)
        who = "you have" if self._seat.is_person else f"{self._seat.name} has"
        question.fallback_reason = f"{who} not answered ({reason}); {question.fallback} is played instead"

    async def _measure_delay(self) -> None:
        """Measures how late this process is scheduled; questions are answered earlier by that much."""
        while True:
            due = _now() + DELAY_INTERVAL
            await asyncio.sleep(DELAY_INTERVAL)
            self._delay = max(_now() - due, DELAY_DECAY * self._delay)

    # The player.

    def _get_ready(self, how: Callable[[], Awaitable[None]], after: asyncio.Task[Any] | None = None) -> None:
        """Lets the player get ready in the background: for a game, or again after a failure."""
        before = [task for task in (self._ready, after) if task is not None]

        async def get_ready() -> None:
            if before:
                await asyncio.wait(before)
            async with asyncio.timeout(READY_TIMEOUT):
                await how()

        self._ready = self._begin_task(get_ready())
        self._ready.add_done_callback(lambda task: task.cancelled() or task.exception())    # read later

    def _begin_task(self, steps: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
        task = asyncio.create_task(steps, name=self._seat.name)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def _stop_thinking(self) -> None:
        if self._question is not None:
            self._question.guard.cancel()
        for task in self._tasks:
            task.cancel()
        if self._tasks:
            await asyncio.wait(self._tasks)


def _now() -> float:
    return asyncio.get_running_loop().time()
