"""The players of the page: what they get of this machine, and how they share the processors."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from functools import partial
from typing import Any
from weakref import ref

from polyversi.gameplay.events import Event
from polyversi.gameplay.seat import LocalSeat, Request, Seat
from polyversi.gameplay.verdict import SeatFailure
from polyversi.games.game import Game
from polyversi.games.state import State
from polyversi.players import Player, check_visitor_options, player, visitor_shares
from polyversi.protocols.spec import is_bot
from polyversi.server.bots import BotFolder, BotProcesses, OnDemandSeat
from polyversi.server.turns import MAX_THINKING, Attendance, Release, Turns

MAX_SECONDS = 20.0
"""Seconds that a player may think about a move, whatever the game allows."""
DEFAULT_SECONDS = 1.0
"""Seconds that our own players think about a move in a game without a clock, so that people need not wait. A
player that ignores limits takes what it needs, up to the maximum."""
MAX_TABLES = 2 * MAX_THINKING + 12
"""Players that remember something between their moves, such as a transposition table."""
QUICK_CELLS = 400
"""Cells of a board up to which a quick player is quick."""


def visitor_player(spec: str) -> Player:
    """The player of a specification, with the resources that it gets here.

    >>> visitor_player("polyversi:level=5").spec(), visitor_player("t77").spec()
    ('polyversi:level=5,hash=16', 't77')
    """
    check_visitor_options(spec)
    return player(spec, **visitor_shares(type(player(spec))))


class PlayerPool:
    """Makes the seats of players and lets them think in turn; while they wait, their clocks stand still.

    Quick players have turns of their own, so that they never wait for the others.
    """

    def __init__(self, bots: BotFolder, say: Callable[[str], None]) -> None:
        self._bots = bots
        self._say = say
        self._turns, self._quick_turns = Turns(), Turns()
        self._processes = BotProcesses()
        self._tables = PlayerCache()

    def seat(self, spec: str, game: Game, visitor: str, attendance: Attendance) -> Seat:
        """A seat for one of our players or a bot of this server, in a game that a visitor has set up."""
        if is_bot(spec):
            bot = OnDemandSeat(self._bots.seat(spec), self._processes, attendance)
            return QueuedSeat(bot, partial(self._turns.take, visitor), self._say, attendance, MAX_SECONDS)
        player = visitor_player(spec)
        is_quick = player.is_quick and game.board.size <= QUICK_CELLS
        turns = self._quick_turns if is_quick else self._turns

        async def take(seconds: float) -> Release:
            release = await turns.take(visitor, seconds)
            return self._tables.lend(player, release)

        seat = ForgetfulSeat(player, spec, self._tables, attendance)
        return QueuedSeat(seat, take, self._say, attendance)


class PlayerCache:
    """What players remember between their moves: of the last so many that were asked, the others forget it.

    Otherwise every game of the engine, even one that waits, would keep megabytes of a transposition table.
    """

    def __init__(self, limit: int | None = None) -> None:
        self._limit = MAX_TABLES if limit is None else limit
        self._thinking: set[int] = set()
        # By their numbers, since players may compare as equal; who was asked longest ago comes first.
        self._remembering: dict[int, ref[Player]] = {}

    def lend(self, player: Player, release: Release) -> Release:
        """Notes that a player is asked now; what is returned ends that, and the turn."""
        key = id(player)
        self._remembering.pop(key, None)
        self._remembering[key] = ref(player, lambda _: self._remembering.pop(key, None))
        self._thinking.add(key)

        def end() -> None:
            self._thinking.discard(key)
            self._trim()
            release()

        self._trim()
        return end

    def drop(self, player: Player) -> None:
        """Has a player forget that is not thinking."""
        self._remembering.pop(id(player), None)
        player.forget()

    def _trim(self) -> None:
        for key in [key for key in self._remembering if key not in self._thinking]:
            if len(self._remembering) <= self._limit:
                break
            player = self._remembering.pop(key)()
            if player is not None:
                player.forget()


class ForgetfulSeat(LocalSeat):
    """The seat of a player that remembers nothing before its first turn, nor when nobody attends its game.

    Otherwise tables would stay for as long as anything refers to a game that was left, or that is over.
    """

    def __init__(self, player: Player, name: str, tables: PlayerCache, attendance: Attendance) -> None:
        super().__init__(player, name, in_thread=True)
        self._tables = tables
        self._attendance = attendance
        attendance.on_end.append(self._forget)

    async def begin(self, start: State, seat: int) -> None:
        await super().begin(start, seat)
        self._forget()

    async def close(self) -> None:
        self._attendance.on_end.remove(self._forget)
        self._forget()

    def _forget(self) -> None:
        """At once, or after the thought that goes on: a search that was forgotten could not be stopped."""
        thought = self.unfinished
        if thought is None or thought.done():
            self._tables.drop(self.player)
        else:
            thought.add_done_callback(lambda _: self._tables.drop(self.player))


class QueuedSeat(Seat):
    """A seat that waits until somebody attends its game and for its turn to think before its clock runs.

    In a game without a clock it is told how many seconds to think. When it crashes, the operator learns the
    reason, and visitors only that it crashed.
    """

    def __init__(
        self, seat: Seat, take: Callable[[float], Awaitable[Release]], say: Callable[[str], None],
        attendance: Attendance, default_seconds: float = DEFAULT_SECONDS,
    ) -> None:
        self.name = seat.name
        self._seat = seat
        self._take = take
        self._say = say
        self._attendance = attendance
        self._default_seconds = default_seconds
        self._turn = ExitStack()

    async def begin(self, start: State, seat: int) -> None:
        with self._hiding_crashes():
            await self._seat.begin(start, seat)

    async def prepare(self, request: Request) -> None:
        self._release()    # a turn that was aborted before it was used
        with ExitStack() as turn:
            turn.callback(await self._next_turn(request))
            with self._hiding_crashes():
                await self._seat.prepare(_timed(request, MAX_SECONDS))
            self._turn = turn.pop_all()

    async def _next_turn(self, request: Request) -> Release:
        """Waits for a turn that comes while somebody attends the game."""
        allowed = _timed(request, self._default_seconds).limit.allowance
        while True:
            await self._attendance.is_on.wait()
            release = await self._take(MAX_SECONDS if allowed is None else min(allowed, MAX_SECONDS))
            if self._attendance.is_on.is_set():
                return release
            release()

    async def answer(self, request: Request) -> Any:
        try:
            with self._hiding_crashes():
                return await self._seat.answer(_timed(request, self._default_seconds))
        finally:
            self._release()

    def hear(self, event: Event) -> None:
        self._seat.hear(event)

    async def close(self) -> None:
        self._release()
        await self._seat.close()

    def _release(self) -> None:
        """Lets the next player think as soon as this one has really stopped."""
        turn, self._turn = self._turn, ExitStack()
        thought = self._seat.unfinished
        if thought is None or thought.done():
            turn.close()
        else:
            thought.add_done_callback(lambda _: turn.close())

    @contextmanager
    def _hiding_crashes(self) -> Iterator[None]:
        try:
            yield
        except SeatFailure as failure:
            if failure.kind != "crash":
                raise
            self._say(f"{self.name} crashed: {failure.detail}")
            raise SeatFailure("crash", "its program failed") from None


def _timed(request: Request, seconds: float) -> Request:
    """The request, with so many seconds if the game has no clock."""
    if request.limit.is_timed:
        return request
    return replace(request, limit=replace(request.limit, seconds=seconds))
