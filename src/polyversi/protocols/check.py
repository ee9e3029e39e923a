"""Checking a bot: step by step what a referee will ask of it, each in a fresh process."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import chain, islice
from typing import Any

from polyversi._core import Move
from polyversi.gameplay.bots.process import Child
from polyversi.gameplay.bots.seat import BotSeat
from polyversi.gameplay.log import GameLog
from polyversi.gameplay.referee import MOVE_OVERHEAD, Referee
from polyversi.gameplay.seat import LocalSeat, Request, Resign
from polyversi.gameplay.verdict import SeatFailure
from polyversi.games.errors import PolyversiError
from polyversi.games.game import Game
from polyversi.games.rules import Sentence
from polyversi.players import Limit, player
from polyversi.players.hexareversi import stone_moves
from polyversi.protocols.course import CourseSeat
from polyversi.protocols.json_bot import JsonSeat

Work = Callable[[BotSeat], Awaitable[object]]

POSITIONS = 12
"""Positions in which it is asked for a move."""
QUIET = 0.3
"""Seconds in which it must say nothing when it is not asked."""
EXIT_TIMEOUT = 2.0
"""Seconds in which it must end when its input does."""
SEARCHED = 300
"""Random games in which a position with a forced pass is looked for."""
STEPS = {
    "starts": "starts and waits for a request",
    "answers": "answers its first request",
    "positions": "plays legal moves in {positions} positions",
    "passes": "passes when it must",
    "lists": "lists exactly the legal moves",
    "quiet": "writes nothing unasked",
    "hurries": "keeps a limit of {seconds} s a move",
    "first": "plays a whole game in the first seat",
    "last": "plays a whole game in the last seat",
    "ends": "ends when its input ends",
    "connects": "connects and sends its group number",
    "first at a pace": "plays a whole game in the first seat with {seconds} s a move",
    "last at a pace": "plays a whole game in the last seat with {seconds} s a move",
    "ends with the game": "ends when the game does",
}
"""What the steps are about, for people; a page translates these texts before it fills in the values."""


class _FailedError(Exception):
    pass


@dataclass(frozen=True)
class Step:
    """One step of a check, and how it went."""

    title: Sentence
    """What it is about."""
    fault: str | None = None
    """What went wrong, in a sentence; None when all went well."""
    output: str = ""
    """The end of what the bot wrote to standard output, if the step failed."""
    errors: str = ""
    """The end of what it wrote to standard error, also if all went well and it was asked something."""
    is_last: bool = False
    """Whether it leaves nothing to check."""

    @property
    def name(self) -> str:
        """What it is about, in English."""
        return str(self.title)


@dataclass
class Check:
    """What is checked: a bot, a game, and seconds for a move."""

    make: Callable[[], BotSeat]
    game: Game
    seconds: float = 5.0
    short: float = 0.5
    """Seconds for a move in the step with a small limit; 0 for no such step."""
    limit: Limit | None = None
    """The limit of whole games; None for these seconds alone."""
    seed: int = 1

    async def run(self) -> AsyncIterator[Step]:
        """The steps, one after the other; after one that leaves nothing to check, no more.

        >>> import polyversi as pv
        >>> from polyversi.protocols.spec import bot_from
        >>> async def names() -> list[str]:
        ...     check = Check(lambda: bot_from("bot:cat"), pv.game("othello"))
        ...     return [f"{step.name}: {step.fault}" async for step in check.run()]
        >>> print(*asyncio.run(names()), sep="\\n")   # doctest: +ELLIPSIS
        starts and waits for a request: None
        answers its first request: illegal move ("move" must be a text such as "f5"; it answered ...
        """
        for number in range(self.steps):
            step = await self.step(number)
            yield step
            if step.is_last:
                return

    async def step(self, number: int) -> Step:
        """One of the steps, which are numbered from 0 on."""
        title, work, is_needed = self._steps[number]
        step = await self._try(title, work)
        is_last = number == self.steps - 1 or (is_needed and step.fault is not None)
        return replace(step, is_last=is_last)

    @property
    def steps(self) -> int:
        """How many steps there are."""
        return len(self._steps)

    @cached_property
    def _steps(self) -> list[tuple[Sentence, Work, bool]]:
        """What they are about, work, and whether the later steps need it."""
        seat, start, last = self.make(), self.game.start(), self.game.seats
        limit, pace = Limit(seconds=self.seconds), f"{self.short or self.seconds:g}"
        first_request = partial(self._answers, requests=[Request(start, 1, limit, start, ())])
        if not seat.begins_anywhere:
            pause = self.short or self.seconds
            bank = self.limit or Limit(bank=pause, increment=pause)
            return [
                (_about("connects"), self._begin, True),
                (_about("answers"), first_request, True),
                (_about("first at a pace", seconds=pace), partial(self._plays, number=1, limit=bank), False),
                (_about("last at a pace", seconds=pace), partial(self._plays, number=last, limit=bank),
                 False),
                (_about("ends with the game"), self._ends_with_the_game, False),
            ]
        positions, passes = self._positions(limit), self._forced_passes
        whole = self.limit or limit
        steps: list[tuple[Sentence, Work, bool]] = [
            (_about("starts"), self._starts, True),
            (_about("answers"), first_request, True),
            (_about("positions", positions=len(positions)),
             partial(self._answers, requests=positions), False),
        ]
        if passes:
            steps.append((_about("passes"), partial(self._answers, requests=passes), False))
        if isinstance(seat, CourseSeat):
            steps.append((_about("lists"),
                          partial(self._lists_moves, requests=[*positions, *passes]), False))
        if isinstance(seat, JsonSeat):
            steps.append((_about("quiet"), partial(self._is_quiet, requests=positions[:2]), False))
        if self.short:
            hurried = self._positions(Limit(seconds=self.short))
            steps.append((_about("hurries", seconds=pace), partial(self._answers, requests=hurried), False))
        return [
            *steps,
            (_about("first"), partial(self._plays, number=1, limit=whole), False),
            (_about("last"), partial(self._plays, number=last, limit=whole), False),
            (_about("ends"), self._ends, False),
        ]

    async def _try(self, title: Sentence, work: Work) -> Step:
        seat, fault = self.make(), None
        try:
            await work(seat)
        except SeatFailure as failure:
            fault = f"{failure.kind} ({failure.detail})"
        except (_FailedError, PolyversiError) as error:
            fault = str(error)
        finally:
            await seat.close()
        output, errors = seat.written
        if fault:
            return Step(title, fault, output, errors)
        # These two end in the middle of a request, so that it may complain without being wrong.
        return Step(title, errors="" if work in (self._starts, self._ends) else errors)

    async def _begin(self, seat: BotSeat) -> Child:
        await seat.begin(self.game.start(), 1)
        assert seat.child is not None
        return seat.child

    async def _starts(self, seat: BotSeat) -> None:
        await self._begin(seat)
        if not seat.is_ready:
            raise _FailedError(f"it did not begin to read its input within {seat.ready:g} s")

    async def _answers(self, seat: BotSeat, requests: Sequence[Request]) -> None:
        await self._begin(seat)
        for request in requests:
            await self._ask(seat, request)

    async def _ask(self, seat: BotSeat, request: Request) -> None:
        seconds = request.limit.seconds or self.seconds
        await seat.prepare(request)
        try:
            answer = await asyncio.wait_for(seat.answer(request), seconds + MOVE_OVERHEAD)
        except TimeoutError:
            raise _FailedError(f"no answer within {seconds:g} s in {request.state.text}") from None
        if not isinstance(answer, Resign) and not request.state.is_legal(answer):
            raise _FailedError(f"{answer} is not legal in {request.state.text}")

    async def _lists_moves(self, seat: BotSeat, requests: Sequence[Request]) -> None:
        assert isinstance(seat, CourseSeat)
        child = await self._begin(seat)
        for request in requests:
            await seat.choose(child, request)
            legal = {str(move) for move in request.state.moves if not move.is_pass}
            listed = set(legal if seat.candidates is None else seat.candidates)
            if listed != legal:
                raise _FailedError(f"in {request.state.text} its candidates are {_words(listed)}; "
                                   f"the legal moves are {_words(legal)}")

    async def _is_quiet(self, seat: BotSeat, requests: Sequence[Request]) -> None:
        child = await self._begin(seat)
        for request in requests:
            await self._ask(seat, request)
            await asyncio.sleep(QUIET)
            if unasked := child.unasked().strip():
                raise _FailedError(f"it wrote {len(unasked)} bytes without being asked")

    async def _ends(self, seat: BotSeat) -> None:
        child = await self._begin(seat)
        child.close_input()
        await self._wait_for_exit(child, "its input had ended")

    async def _ends_with_the_game(self, seat: BotSeat) -> None:
        child = await self._begin(seat)
        seat.hear(GameLog(self.game.start()).abort("the check is over"))
        await self._wait_for_exit(child, "the end of the game")

    async def _wait_for_exit(self, child: Child, after: str) -> None:
        if await child.ended(EXIT_TIMEOUT) is None:
            raise _FailedError(f"it was still running {EXIT_TIMEOUT:g} s after {after}")

    async def _plays(self, seat: BotSeat, number: int, limit: Limit) -> None:
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

    @property
    def _forced_passes(self) -> list[Request]:
        """A request of the first seat that only a pass answers, if random games come to one."""
        coin, limit = random.Random(self.seed), Limit(seconds=self.seconds)
        games = (random_game(self.game, limit, coin) for _ in range(SEARCHED))
        found = (request for request in chain.from_iterable(games)
                 if request.seat == 1 and all(move.is_pass for move in request.state.moves))
        return list(islice(found, 1))


def _about(step: str, **values: str | int) -> Sentence:
    return Sentence(STEPS[step], values)


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


def _words(names: set[str]) -> str:
    return " ".join(sorted(names)) or "none"
