"""Rounds between two players as a course's page plays them: seats, credits and a changeable pace."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Literal

from polyversi.gameplay.seat import Seat

if TYPE_CHECKING:
    from polyversi.gameplay.events import Event
    from polyversi.gameplay.seat import Request
    from polyversi.games.result import Result
    from polyversi.games.state import State


class Rounds:
    """Who sits where in each of a number of rounds, and what the results bring the players, not the seats.

    Player 0 is the one chosen for X and has seat 1. In a tournament the two change seats after half of the
    rounds. A server builds it anew by crediting the rounds that it has stored.

    >>> from polyversi.games.result import Result
    >>> rounds = Rounds(("t77", "random"), 2, tournament=True)
    >>> for number in (1, 2):    # seat 1 wins both: first t77, then random
    ...     rounds.credit(number, Result("board full", (40, 21), (1, 2), (1.0, 0.0)))
    >>> rounds.wins, rounds.stones, rounds.draws, rounds.winner
    ((1, 1), (61, 61), 0, 'draw')
    """

    def __init__(self, players: tuple[str, str], rounds: int, tournament: bool) -> None:
        self.players = players
        self.rounds = rounds
        self.tournament = tournament
        self._results: dict[int, Result] = {}

    def seats(self, number: int) -> tuple[int, int]:
        """Which of the players sit in seats 1 and 2 in a round; the first round is number 1.

        >>> [Rounds(("t77", "t34"), 10, tournament=True).seats(number) for number in (1, 5, 6, 10)]
        [(0, 1), (0, 1), (1, 0), (1, 0)]
        """
        changed = self.tournament and number > self.rounds - self.rounds // 2
        return (1, 0) if changed else (0, 1)

    def credit(self, number: int, result: Result) -> None:
        """Counts the result of a round; of the same round only the last one counts."""
        self._results[number] = result

    @property
    def wins(self) -> tuple[int, int]:
        """The rounds that each of the players won."""
        played = self._results.items()
        won = [self.seats(number)[result.winner - 1] for number, result in played if result.winner]
        return won.count(0), won.count(1)

    @property
    def stones(self) -> tuple[int, int]:
        """The stones that each of the players gathered over all rounds."""
        gathered = [0, 0]
        for number, result in self._results.items():
            for player, stones in zip(self.seats(number), result.scores, strict=True):
                gathered[player] += stones
        return gathered[0], gathered[1]

    @property
    def draws(self) -> int:
        """The rounds that nobody won."""
        return sum(result.winner is None for result in self._results.values())

    @property
    def winner(self) -> int | Literal["draw"] | None:
        """The player who won more rounds, or `draw`; None until all are played."""
        if len(self._results) < self.rounds:
            return None
        first, second = self.wins
        return "draw" if first == second else int(second > first)


class Pace:
    """When the next move may be made: after a delay, after a pause, or at once for a step.

    >>> pace = Pace(delay=0.0)
    >>> pace.pause()
    >>> pace.step()
    >>> asyncio.run(pace.wait())    # the step lets one move through, the next one would wait
    """

    def __init__(self, delay: float) -> None:
        self._delay = delay
        self._is_paused = False
        self._steps = 0
        self._changed = asyncio.Event()

    @property
    def delay(self) -> float:
        """Seconds before each move; a change counts for the move that is waited for, too."""
        return self._delay

    @delay.setter
    def delay(self, seconds: float) -> None:
        self._delay = seconds
        self._changed.set()

    def pause(self) -> None:
        """Lets no move through, except for steps."""
        self._is_paused = True
        self._changed.set()

    def resume(self) -> None:
        """Lets moves through again, each after its delay."""
        self._is_paused = False
        self._steps = 0
        self._changed.set()

    def step(self) -> None:
        """Lets one more move through at once: the one that waits, or the next one that comes."""
        self._steps += 1
        self._changed.set()

    async def wait(self) -> None:
        """Returns when the next move may be made."""
        clock = asyncio.get_running_loop().time
        begin = clock()
        while not self._steps:
            left = None if self._is_paused else begin + self._delay - clock()
            if left is not None and left <= 0:
                return
            self._changed.clear()
            with suppress(TimeoutError):
                async with asyncio.timeout(left):
                    await self._changed.wait()
        self._steps -= 1


class PacedSeat(Seat):
    """A seat that moves at a pace; no clock runs while it waits."""

    def __init__(self, seat: Seat, pace: Pace) -> None:
        self.name = seat.name
        self.is_person = seat.is_person
        self._seat = seat
        self._pace = pace

    async def begin(self, start: State, seat: int) -> None:
        await self._seat.begin(start, seat)

    async def prepare(self, request: Request) -> None:
        await self._pace.wait()
        await self._seat.prepare(request)

    async def answer(self, request: Request) -> Any:
        return await self._seat.answer(request)

    def hear(self, event: Event) -> None:
        self._seat.hear(event)

    async def close(self) -> None:
        await self._seat.close()
