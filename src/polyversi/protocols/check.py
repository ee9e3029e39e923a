"""Checking a bot: step by step what a referee will ask of it, each in a fresh process."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from polyversi.gameplay.bots.seat import BotSeat
from polyversi.gameplay.log import GameLog
from polyversi.gameplay.referee import MOVE_OVERHEAD, Referee
from polyversi.gameplay.seat import LocalSeat, Request, Resign
from polyversi.gameplay.verdict import SeatFailure
from polyversi.games.errors import PolyversiError
from polyversi.players import Limit, player
from polyversi.players.hexareversi import stone_moves
from polyversi.protocols.course import CourseSeat
from polyversi.protocols.json_bot import JsonSeat
from polyversi.protocols.xt.client_seat import XtClientSeat

if TYPE_CHECKING:
    from polyversi._core import Move
    from polyversi.gameplay.bots.process import Child
    from polyversi.games.game import Game

Work = Callable[[BotSeat], Awaitable[None]]

POSITIONS = 12
"""Positions in which it is asked for a move."""
QUIET = 0.3
"""Seconds in which it must say nothing when it is not asked."""
EXIT_TIMEOUT = 2.0
"""Seconds in which it must end when its input does."""
SEARCHED = 300
"""Random games in which a position with a forced pass is looked for."""


class _FailedError(Exception):
    pass


@dataclass(frozen=True)
class Step:
    """One step of a check, and how it went."""

    name: str
    fault: str | None = None
    """What went wrong, in a sentence; None when all went well."""
    output: str = ""
    """The end of what the bot wrote to standard output, if the step failed."""
    errors: str = ""
    """The end of what it wrote to standard error, if the step failed."""


@dataclass
class Check:
    """What is checked: a bot, a game, and seconds for a move."""

    make: Callable[[], BotSeat]
    game: Game
    seconds: float = 5.0
    short: float = 0.5
    """Seconds for a move in the step with a small limit."""
    seed: int = 1

    async def run(self) -> AsyncIterator[Step]:
        """The steps, one after the other; after one that leaves nothing to check, no more.

        >>> import polyversi as pv
        >>> from polyversi.protocols.spec import seat_from
        >>> async def names() -> list[str]:
        ...     check = Check(lambda: seat_from("bot:cat"), pv.game("othello"))
        ...     return [f"{step.name}: {step.fault}" async for step in check.run()]
        >>> print(*asyncio.run(names()), sep="\\n")   # doctest: +ELLIPSIS
        starts and waits for a request: None
        answers its first request: illegal move ("move" must be a text such as "f5"; it answered ...
        """
        for name, work, is_needed in self._steps():
            step = await self._try(name, work)
            yield step
            if step.fault and is_needed:
                return

    @property
    def steps(self) -> int:
        """How many steps there are."""
        return len(self._steps())

    def _steps(self) -> list[tuple[str, Work, bool]]:
        """Names, work, and whether the later steps need it."""
        seat, seats = self.make(), self.game.seats
        if isinstance(seat, XtClientSeat):
            return self._steps_of_a_client()
        limit, short = Limit(seconds=self.seconds), Limit(seconds=self.short)
        steps: list[tuple[str, Work, bool]] = [
            ("starts and waits for a request", self._starts, True),
            ("answers its first request", self._answers, True),
            (f"plays legal moves in {POSITIONS} positions", lambda bot: self._answers_all(bot, limit), False),
        ]
        if self._forced_pass is not None:
            steps.append(("passes when it must", self._passes, False))
        if isinstance(seat, CourseSeat):
            steps.append(("lists exactly the legal moves", self._lists_moves, False))
        if isinstance(seat, JsonSeat):
            steps.append(("says nothing unasked", self._is_quiet, False))
        steps += [
            (f"keeps a limit of {self.short:g} s a move", lambda bot: self._answers_all(bot, short), False),
            ("plays a whole game in the first seat", lambda bot: self._play(bot, 1, limit), False),
            ("plays a whole game in the last seat", lambda bot: self._play(bot, seats, limit), False),
            ("ends when its input ends", self._ends, False),
        ]
        return steps

    def _steps_of_a_client(self) -> list[tuple[str, Work, bool]]:
        """What a client of Reversi XT knows of is its game, from the map on; no position can be put to it."""
        bank, pace = Limit(bank=self.short, increment=self.short), f"with {self.short:g} s a move"
        seats = self.game.seats
        return [
            ("connects and says its group", self._begin, True),
            ("answers its first request", self._answers, True),
            (f"plays a whole game in the first seat {pace}", lambda bot: self._play(bot, 1, bank), False),
            (f"plays a whole game in the last seat {pace}", lambda bot: self._play(bot, seats, bank), False),
            ("ends when the game does", self._ends_with_the_game, False),
        ]

    async def _try(self, name: str, work: Work) -> Step:
        seat, fault = self.make(), None
        try:
            await work(seat)
        except SeatFailure as failure:
            fault = f"{failure.kind} ({failure.detail})"
        except (_FailedError, PolyversiError) as error:
            fault = str(error)
        finally:
            await seat.close()
        if fault is None or seat.child is None:
            return Step(name, fault)
        return Step(name, fault, *seat.written)

    async def _starts(self, seat: BotSeat) -> None:
        await self._begin(seat)
        if not seat.is_ready:
            raise _FailedError(f"it has not begun to read its input within {seat.ready:g} s")

    async def _answers(self, seat: BotSeat) -> None:
        start = self.game.start()
        await self._begin(seat)
        await self._ask(seat, Request(start, 1, Limit(seconds=self.seconds), start, ()))

    async def _answers_all(self, seat: BotSeat, limit: Limit) -> None:
        await self._begin(seat)
        for request in self._positions(limit):
            await self._ask(seat, request)

    async def _passes(self, seat: BotSeat) -> None:
        request = self._forced_pass
        assert request is not None
        await self._begin(seat)
        await self._ask(seat, request)

    async def _lists_moves(self, seat: BotSeat) -> None:
        assert isinstance(seat, CourseSeat)
        await self._begin(seat)
        requests = self._positions(Limit(seconds=self.seconds))
        for request in [*requests, *([self._forced_pass] if self._forced_pass else [])]:
            await seat.consider(_child(seat), request)
            legal = {str(move) for move in request.state.moves if not move.is_pass}
            listed = set(legal if seat.candidates is None else seat.candidates)
            if listed != legal:
                raise _FailedError(f"in {request.state.text} its candidates are {_words(listed)}; "
                                   f"the legal moves are {_words(legal)}")

    async def _is_quiet(self, seat: BotSeat) -> None:
        await self._begin(seat)
        child = _child(seat)
        for request in self._positions(Limit(seconds=self.seconds))[:2]:
            await self._ask(seat, request)
            await asyncio.sleep(QUIET)
            if unasked := child.unasked().strip():
                raise _FailedError(f"it wrote {len(unasked)} bytes that nobody had asked for")

    async def _ends(self, seat: BotSeat) -> None:
        await self._begin(seat)
        _child(seat).close_input()
        await self._wait_for_exit(seat, "its input had ended")

    async def _ends_with_the_game(self, seat: BotSeat) -> None:
        await self._begin(seat)
        seat.hear(GameLog(self.game.start()).abort("it was only a check"))
        await self._wait_for_exit(seat, "the end of the game")

    async def _wait_for_exit(self, seat: BotSeat, after: str) -> None:
        if await _child(seat).ended(EXIT_TIMEOUT) is None:
            raise _FailedError(f"it was still running {EXIT_TIMEOUT:g} s after {after}")

    async def _begin(self, seat: BotSeat) -> None:
        await seat.begin(self.game.start(), 1)

    async def _ask(self, seat: BotSeat, request: Request) -> None:
        seconds = request.limit.seconds or self.seconds
        await seat.prepare(request)
        try:
            answer = await asyncio.wait_for(seat.answer(request), seconds + MOVE_OVERHEAD)
        except TimeoutError:
            raise _FailedError(f"no answer within {seconds:g} s in {request.state.text}") from None
        if not isinstance(answer, Resign) and not request.state.is_legal(answer):
            raise _FailedError(f"{answer} is not legal in {request.state.text}")

    async def _play(self, seat: BotSeat, number: int, limit: Limit) -> None:
        """A whole game against random players; only what the bot itself does wrong counts."""
        seats: list[Any] = [LocalSeat(player(f"random:seed={other}")) for other in range(self.game.seats)]
        seats[number - 1] = seat
        finished = await Referee(self.game.start(), seats, limit).run()
        for verdict in (*finished.offences, finished.verdict):
            if verdict.seat == number and verdict.kind not in ("win", "resigned"):
                raise _FailedError(f"{verdict.kind} after {len(finished.record.moves)} moves "
                                   f"({verdict.detail})")

    def _positions(self, limit: Limit) -> list[Request]:
        """Requests of the first seat, from random games."""
        coin = random.Random(self.seed)
        found: list[Request] = []
        while len(found) < POSITIONS:
            asked = [request for request in random_game(self.game, limit, coin) if request.seat == 1]
            found += coin.sample(asked, min(len(asked), 4))
        return found[:POSITIONS]

    @cached_property
    def _forced_pass(self) -> Request | None:
        """A request of the first seat that only a pass answers, if random games come to one."""
        coin, limit = random.Random(self.seed), Limit(seconds=self.seconds)
        for _ in range(SEARCHED):
            for request in random_game(self.game, limit, coin):
                if request.seat == 1 and all(move.is_pass for move in request.state.moves):
                    return request
        return None


def random_game(game: Game, limit: Limit, coin: random.Random) -> Iterator[Request]:
    """The requests of a game in which everybody plays at random.

    >>> import polyversi as pv
    >>> requests = list(random_game(pv.game("othello-4"), Limit(), random.Random(1)))
    >>> requests[2].seat, len(requests[2].moves)
    (1, 2)
    """
    start = state = game.start()
    moves: tuple[Move, ...] = ()
    while not state.is_over:
        yield Request(state, state.turn, limit, start, moves)
        move = coin.choice(stone_moves(state))
        state, moves = state.play(move), (*moves, move)


def _child(seat: BotSeat) -> Child:
    assert seat.child is not None
    return seat.child


def _words(names: set[str]) -> str:
    return " ".join(sorted(names)) or "none"
