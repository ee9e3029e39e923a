"""Remote seats: players at the other end of a connection, as the referee sees them."""

from __future__ import annotations

import asyncio
import secrets
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from polyversi.gameplay.seat import Request, Resign, Seat
from polyversi.gameplay.verdict import SeatFailure
from polyversi.server.messages import Ask

if TYPE_CHECKING:
    from polyversi.gameplay.verdict import Kind
    from polyversi.players import Limit


class Holder(Protocol):
    """Whoever holds a remote seat at the moment."""

    def wake(self) -> None:
        """There is something new to send."""


@dataclass(frozen=True)
class _Question:
    number: int
    limit: Limit
    asked: float
    seconds: float


class RemoteSeat(Seat):
    """A seat for somebody elsewhere, who may lose the connection and come back to it with a token.

    A guest that is away has the grace time to come back; its clock goes on meanwhile. One that breaks the
    rules of talking to a host has failed at once. Either way the referee hears of it when it asks next.
    """

    def __init__(self, number: int, grace: float, patience: float) -> None:
        self.number = number
        self.name = f"seat {number}"
        self.holder: Holder | None = None
        self.is_playing = False
        self.failure: SeatFailure | None = None
        self._grace = grace
        self._patience = patience
        self.token = ""
        """What whoever holds it comes back with."""
        self._asked = 0
        self._question: _Question | None = None
        self._answer: asyncio.Future[Any] | None = None
        self._has_resigned = False
        self._away: asyncio.TimerHandle | None = None
        self.away_until: float | None = None
        """Until when, on the loop's clock, it may come back after a lost connection."""

    @property
    def is_free(self) -> bool:
        """Whether a newcomer may take it."""
        return self.holder is None and not self.is_playing

    @property
    def question(self) -> Ask | None:
        """What its holder is to answer, with the time that is left from now on."""
        if self._question is None:
            return None
        asked = self._question
        gone = asyncio.get_running_loop().time() - asked.asked
        return Ask(asked.number, asked.limit.ticked(gone), max(0.0, asked.seconds - gone), self.number)

    @property
    def question_number(self) -> int:
        """The number of what its holder is to answer, or 0."""
        return self._question.number if self._question else 0

    def take(self, holder: Holder, name: str) -> None:
        """Gives the seat to a newcomer, with a new token to come back with."""
        self.holder, self.name, self.away_until = holder, name, None
        self.token = secrets.token_urlsafe(12)

    def has_token(self, token: str) -> bool:
        """Whether this is the token that was given with the seat."""
        return bool(self.token) and secrets.compare_digest(token.encode(), self.token.encode())

    def come_back(self, holder: Holder) -> None:
        """Gives the seat to somebody with its token, in place of whoever holds it."""
        self.holder, self.away_until = holder, None
        self._stop_waiting()

    def lose(self, holder: Holder) -> bool:
        """The connection is lost; whether the seat waits for its return."""
        if self.holder is not holder:
            return False    # another connection has taken its place
        self.holder = None
        if not self.is_playing or self.failure:
            return False
        away = f"it lost the connection and did not come back within {self._grace:g} s"
        loop = asyncio.get_running_loop()
        self.away_until = loop.time() + self._grace
        self._away = loop.call_at(self.away_until, self.fail, "disconnect", away)
        return True

    def leave(self, holder: Holder, reason: str) -> None:
        """Its holder gives the seat up for good, and with it the game that is being played."""
        if self.holder is holder:
            self.fail("disconnect", f"it left: {reason}" if reason else "it left")
            self.holder = None

    def fail(self, kind: Kind, detail: str) -> None:
        """Its part in this game is over; the referee hears of it now, or when it asks next."""
        if not self.is_playing or self.failure:
            return
        self.failure, self.away_until = SeatFailure(kind, detail), None
        if self._answer is not None and not self._answer.done():
            self._answer.set_result(self.failure)

    def reply(self, number: int, move: str) -> bool:
        """Takes the answer to a question; False when that question is not the one that is open."""
        if number != self.question_number or self._answer is None or self._answer.done():
            return False
        self._answer.set_result(move)
        return True

    def resign(self) -> None:
        """Gives up, now or when it is asked next."""
        self._has_resigned = True
        if self._answer is not None and not self._answer.done():
            self._answer.set_result(Resign())

    def begin_game(self) -> None:
        """From now on the seat is kept for its holder."""
        self.is_playing = True

    async def answer(self, request: Request) -> Any:
        if self.failure is not None:
            raise self.failure
        if self._has_resigned:
            return Resign()
        loop = asyncio.get_running_loop()
        allowance = request.limit.allowance
        seconds = self._patience if allowance is None else allowance
        self._asked += 1
        self._question = _Question(self._asked, request.limit, loop.time(), seconds)
        self._answer = loop.create_future()
        late = loop.call_later(seconds, self._out_of_time)
        if self.holder is not None:
            self.holder.wake()
        try:
            answer = await self._answer
        finally:
            late.cancel()
            self._question = self._answer = None
        if isinstance(answer, SeatFailure):
            raise answer
        return answer

    def _out_of_time(self) -> None:
        """Just before the referee's own deadline: time that ran out while nobody was there has its reason."""
        if self.holder is None:
            self.fail("disconnect", "it lost the connection and its time ran out before it came back")

    async def close(self) -> None:
        self._stop_waiting()
        self.is_playing = self._has_resigned = False
        self.failure = None

    def _stop_waiting(self) -> None:
        if self._away is not None:
            self._away.cancel()
            self._away = None
