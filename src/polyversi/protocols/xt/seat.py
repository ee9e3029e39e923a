"""A seat whose player is a client at the other end of a connection and speaks Reversi XT's frames."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass

from polyversi.gameplay.seat import Request, Seat
from polyversi.gameplay.verdict import Kind, SeatFailure, Verdict
from polyversi.games.state import State
from polyversi.players import Limit
from polyversi.protocols.xt.frames import (
    FROM_CLIENT,
    MAX_MAP,
    Answer,
    Ask,
    Decoder,
    Disqualified,
    Frame,
    FrameError,
    Group,
    encode,
)

CHUNK = 1 << 16
MAX_MILLISECONDS = 2**32 - 1
MAX_DEPTH = 255


@dataclass(frozen=True)
class Bounds:
    """What a client may cost before it is given up."""

    message_timeout: float = 10.0
    """Seconds within which a message that has begun must end."""
    linger: float = 2.0
    """Seconds it has to read the last messages and to leave."""
    unread: int = 2 * MAX_MAP
    """Bytes that wait for it to read them; the map must fit in."""
    ignored: int = 1 << 20
    """Bytes of what it still says after its end that are read, so that it reads the last messages."""


OnFailure = Callable[[int, Verdict], None]
"""Hears, from the event loop, of a seat that has failed, whether it is being asked or not."""


class XtSeat(Seat):
    """A client of Reversi XT, from its connection on until that is gone.

    It is heard all the time, so that whoever leaves or breaks the protocol has failed at once. A move that
    comes before its request is kept for it; a second one is too many. What it is told never waits for it.

    One task of its own serves the connection. Whoever makes a seat closes it, and may wait until it is gone.
    """

    def __init__(
        self,
        name: str,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        *,
        number: int = 0,
        bounds: Bounds | None = None,
    ) -> None:
        self.name = name
        self.number = number
        """Its seat in the game; 0 as long as it has none."""
        self.group: int | None = None
        """Which group's it says it is."""
        self.failure: SeatFailure | None = None
        """Why it takes no more part, if so."""
        self.on_failure: OnFailure | None = None
        self._bounds = bounds or Bounds()
        self._reader = reader
        self._writer = writer
        self._decoder = Decoder(FROM_CLIENT)
        self._message_ends_by: float | None = None
        self._answers: deque[Answer] = deque()
        """The answer to the open question, and one that came before its request."""
        self.asked_at: int | None = None
        """After how many moves the open question was asked."""
        self._news = asyncio.Event()
        self._is_dismissed = asyncio.Event()
        self._last_call: asyncio.TimerHandle | None = None
        self._served = asyncio.create_task(self._serve())

    async def introduced(self) -> int:
        """Waits for its group message; SeatFailure when none will come. Wait with a deadline."""
        while self.group is None:
            await self._hear_of_something()
        return self.group

    def tell(self, frame: Frame) -> None:
        """Sends a message now or as soon as the client reads; one that never reads has failed."""
        if self._is_dismissed.is_set() or self._writer.is_closing():
            return
        self._writer.write(encode(frame))
        if self._writer.transport.get_write_buffer_size() > self._bounds.unread:
            self.fail("disconnect", "it does not read what it is sent")
            self._writer.transport.abort()

    def fail(self, kind: Kind, detail: str) -> None:
        """Its part in the game is over; whoever runs the game hears of it at once."""
        if self.failure is None and not self._is_dismissed.is_set():
            self.failure = SeatFailure(kind, detail)
            self._news.set()
            if self.on_failure is not None:
                self.on_failure(self.number, Verdict(kind, self.number, detail))

    def dismiss(self) -> None:
        """Lets it go: it can still read what it was told, for a while, and is not heard any more."""
        if not self._is_dismissed.is_set() and not self._served.done():
            self._is_dismissed.set()
            self._news.set()
            loop = asyncio.get_running_loop()
            self._last_call = loop.call_later(self._bounds.linger, self._writer.transport.abort)
            with suppress(OSError):
                self._writer.write_eof()

    def expel(self) -> None:
        """Lets it go since it is disqualified."""
        self.dismiss()

    async def explain(self, detail: str) -> str:
        """Why it left, in more words if there are more."""
        return detail

    def drop(self) -> None:
        """Ends the connection at once."""
        self.dismiss()
        self._writer.transport.abort()

    async def gone(self) -> None:
        """Waits until nothing is left of its connection: after `close`, as long as a client may linger."""
        await asyncio.wait([self._served])

    # What the referee asks for.

    async def begin(self, start: State, seat: int) -> None:  # noqa: ARG002
        self.number = seat
        if self.failure is not None:
            raise self.failure

    async def answer(self, request: Request) -> str:
        """Asks for a move; a question that was only broken off is open still, and is not asked twice."""
        ply = len(request.moves)
        if ply != self.asked_at:
            self.asked_at = ply
            self.tell(asking(request.limit))
        while not self._answers:
            await self._hear_of_something()
        answer, self.asked_at = self._answers.popleft(), None
        special = f":{answer.special}" if request.state.phase == "build" else ""    # bombs have none
        return f"{answer.x},{answer.y}{special}"

    async def close(self) -> None:
        self.dismiss()

    # The connection.

    async def _hear_of_something(self) -> None:
        if self.failure is not None:
            raise self.failure
        if self._is_dismissed.is_set():
            raise SeatFailure("disconnect", "the game is over for it")
        self._news.clear()
        await self._news.wait()

    async def _serve(self) -> None:
        try:
            try:
                await self._hear()
                await self._leave("it closed the connection")
            except FrameError as error:
                self.fail("disqualified", f"it sent {error}")
            except SeatFailure as failure:
                self.fail(failure.kind, failure.detail)
            except OSError as error:
                await self._leave(f"the connection broke: {error.strerror or error}")
            await self._see_off()
        finally:
            if self._last_call is not None:
                self._last_call.cancel()
            self._writer.transport.abort()

    async def _leave(self, detail: str) -> None:
        if self.failure is None and not self._is_dismissed.is_set():
            self.fail("disconnect", await self.explain(detail))

    async def _hear(self) -> None:
        """Takes what the client says until it leaves or is dismissed."""
        while data := await self._read():
            if self._is_dismissed.is_set():
                return
            for frame in self._decoder.feed(data):
                self._message_ends_by = None
                self._take(frame)

    async def _read(self) -> bytes:
        """The next bytes; waits as long as nothing comes, but not for the second half of a message."""
        if self._decoder.is_within_a_message and self._message_ends_by is None:
            self._message_ends_by = asyncio.get_running_loop().time() + self._bounds.message_timeout
        deadline = asyncio.timeout_at(self._message_ends_by)
        try:
            async with deadline:
                return await self._reader.read(CHUNK)
        except TimeoutError:
            if not deadline.expired():
                raise    # the system's: the client's machine does not answer any more
            within = f"within {self._bounds.message_timeout:g} s"
            raise SeatFailure("stall", f"a message did not end {within}") from None

    def _take(self, frame: Frame) -> None:
        if isinstance(frame, Group):
            if self.group is not None:
                raise SeatFailure("disqualified", "it sent its group number twice")
            self.group = frame.number
        elif isinstance(frame, Answer):
            if self.group is None:
                raise SeatFailure("disqualified", "it sent a move before its group number")
            if len(self._answers) > (self.asked_at is not None):
                raise SeatFailure("disqualified", "it sent a second move without being asked")
            self._answers.append(frame)
        self._news.set()

    async def _see_off(self) -> None:
        """Waits until it is dismissed and has read what it was told.

        What it has sent and nobody reads would make the system throw the last messages away.
        """
        if not self._writer.is_closing():
            await self._is_dismissed.wait()
        with suppress(OSError):
            async with asyncio.timeout(self._bounds.linger):
                ignored = 0
                while ignored < self._bounds.ignored and (data := await self._reader.read(CHUNK)):
                    ignored += len(data)
                self._writer.close()
                await self._writer.wait_closed()


def asking(limit: Limit) -> Ask:
    """The request for a move with these limits; 0 means no limit.

    >>> from polyversi.players import Limit
    >>> asking(Limit(bank=2.5, increment=2)), asking(Limit(depth=3))
    (Ask(milliseconds=2500, depth=0), Ask(milliseconds=0, depth=3))
    """
    seconds = limit.allowance
    milliseconds = 0 if seconds is None else max(1, min(int(seconds * 1000), MAX_MILLISECONDS))
    return Ask(milliseconds, min(limit.depth or 0, MAX_DEPTH))


def announce(frames: Iterable[Frame], seats: Iterable[Seat]) -> None:
    """Tells every client among the seats; who is disqualified hears that, and has to go."""
    clients = [seat for seat in seats if isinstance(seat, XtSeat)]
    for frame in frames:
        for client in clients:
            client.tell(frame)
            if isinstance(frame, Disqualified) and frame.seat == client.number:
                client.expel()
