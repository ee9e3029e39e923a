"""A seat over a real connection: what its client may say and when, and what ends it."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from typing import Any, TypeVar

import pytest

from polyversi.gameplay import Request, Verdict
from polyversi.gameplay.verdict import SeatFailure
from polyversi.games.state import State
from polyversi.games.xt import xt_game
from polyversi.games.xtmap import XtMap
from polyversi.players import Limit
from polyversi.protocols.xt.frames import (
    FROM_SERVER,
    Answer,
    Ask,
    Decoder,
    Disqualified,
    EndOfGame,
    Frame,
    Group,
    Map,
    Played,
    encode,
)
from polyversi.protocols.xt.seat import Bounds, XtSeat, announce
from tests.testing.timeout import TIMEOUT

T = TypeVar("T")
BUILDING = xt_game(XtMap.parse("2 0 1 0  1 4  0 1 2 b")).start()
BOMBING = xt_game(XtMap.parse("2 0 1 0  1 3  0 1 1")).start()
QUICK = Bounds(message_timeout=0.01, linger=0.2, unread=1 << 16, ignored=1 << 12)


def run(coroutine: Coroutine[Any, Any, T]) -> T:
    return asyncio.run(asyncio.wait_for(coroutine, TIMEOUT))


class Line:
    """A seat, and the client's end of its connection."""

    def __init__(self, seat: XtSeat, seat_end: socket.socket, reader: asyncio.StreamReader,
                 writer: asyncio.StreamWriter) -> None:
        self.seat, self.seat_end = seat, seat_end
        self.failed: asyncio.Future[Verdict] = asyncio.get_running_loop().create_future()
        self.reader = reader
        self.writer = writer
        self._decoder = Decoder(FROM_SERVER)
        self._heard: list[Frame] = []
        seat.on_failure = lambda _, verdict: self.failed.set_result(verdict)

    def send(self, *frames: Frame) -> None:
        self.writer.write(b"".join(map(encode, frames)))

    async def hear(self) -> Frame | None:
        """The next message, or None when the connection is closed."""
        while not self._heard:
            data = await self.reader.read(1000)
            if not data:
                return None
            self._heard += self._decoder.feed(data)
        return self._heard.pop(0)


@asynccontextmanager
async def connected(bounds: Bounds | None = None, receives: int = 0) -> AsyncIterator[Line]:
    """A connection; `receives` makes what the system keeps for the client small."""
    before = asyncio.all_tasks()
    made: asyncio.Future[tuple[XtSeat, socket.socket]] = asyncio.get_running_loop().create_future()

    def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        seat = XtSeat("it", reader, writer, number=1, bounds=bounds)
        made.set_result((seat, writer.get_extra_info("socket")))

    server = await asyncio.start_server(accept, "127.0.0.1", 0)
    end = socket.socket()
    if receives:
        end.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receives)
    end.connect(server.sockets[0].getsockname())
    streams = await asyncio.open_connection(sock=end)
    line = Line(*await made, *streams)
    try:
        yield line
    finally:
        server.close()
        line.writer.transport.abort()
        line.seat.drop()
        await line.seat.gone()
        await asyncio.sleep(0)
        assert asyncio.all_tasks() <= before


def request(state: State = BUILDING, ply: int = 0, limit: Limit | None = None) -> Request:
    moves = (BUILDING.moves[0],) * ply
    return Request(state, 1, limit or Limit(bank=2, increment=2), state, moves)


def test_it_says_its_group_and_answers() -> None:
    async def scene() -> None:
        async with connected() as line:
            line.send(Group(42))
            assert await line.seat.introduced() == 42
            answer = asyncio.create_task(line.seat.answer(request(limit=Limit(bank=5.25, depth=3))))
            assert await line.hear() == Ask(5250, 3)
            line.send(Answer(3, 0, 21))
            assert await answer == "3,0:21"
            answer = asyncio.create_task(line.seat.answer(request(BOMBING, 1, Limit(depth=7))))
            assert await line.hear() == Ask(0, 7)
            line.send(Answer(2, 0, 99))
            assert await answer == "2,0"    # the special value of a bomb is ignored

    run(scene())


def test_nothing_waits_for_more_to_send() -> None:
    async def scene() -> None:
        async with connected() as line:
            assert line.seat_end.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)

    run(scene())


def test_an_early_move_is_kept_for_its_request() -> None:
    async def scene() -> None:
        async with connected() as line:
            line.send(Group(1), Answer(0, 0, 0))
            await line.seat.introduced()
            assert await line.seat.answer(request()) == "0,0:0"
            assert await line.hear() == Ask(2000, 0)
            answer = asyncio.create_task(line.seat.answer(request(ply=1)))
            assert await line.hear() == Ask(2000, 0)
            line.send(Answer(1, 0, 0), Answer(2, 0, 0))    # an answer, and an early one
            assert await answer == "1,0:0"
            assert await line.seat.answer(request(ply=2)) == "2,0:0"
            assert line.seat.failure is None

    run(scene())


def test_a_question_that_was_broken_off_is_not_asked_twice() -> None:
    async def scene() -> None:
        async with connected() as line:
            line.send(Group(1))
            first = asyncio.create_task(line.seat.answer(request()))
            assert await line.hear() == Ask(2000, 0)
            first.cancel()
            await asyncio.wait([first])
            again = asyncio.create_task(line.seat.answer(request(limit=Limit(bank=1.5))))
            await asyncio.sleep(0)
            line.seat.tell(Played(1, 1, 0, 2))
            assert await line.hear() == Played(1, 1, 0, 2)
            line.send(Answer(3, 0, 20))
            assert await again == "3,0:20"

    run(scene())


WRONG = {
    "a second early move": (encode(Answer(0, 0, 0)) * 2, "disqualified", "second move"),
    "its group again": (encode(Group(2)), "disqualified", "its group number twice"),
    "a type of the server": (bytes.fromhex("06 00000006 000100010001"), "disqualified", "type 6"),
    "an unknown type": (bytes.fromhex("c8 00000000"), "disqualified", "type 200"),
    "a wrong length": (bytes.fromhex("05 00000004 00010001"), "disqualified", "4 bytes; it must have 5"),
    "4 GB": (bytes.fromhex("05 ffffffff") + b"x" * 100_000, "disqualified", "4294967295 bytes"),
    "a flood": (encode(Answer(0, 0, 0)) * 100_000, "disqualified", "second move"),
    "half a header": (b"\x05\0", "stall", "a message did not end within 0.01 s"),
    "half a message": (bytes.fromhex("05 00000005 0001"), "stall", "a message did not end"),
}


@pytest.mark.parametrize("what", WRONG)
@pytest.mark.parametrize("is_asked", [False, True])
def test_what_is_wrong_has_failed_at_once(what: str, is_asked: bool) -> None:
    data, kind, detail = WRONG[what]

    async def scene() -> None:
        async with connected(QUICK) as line:
            line.send(Group(1))
            await line.seat.introduced()
            answer = asyncio.create_task(line.seat.answer(request())) if is_asked else None
            await asyncio.sleep(0)
            # With a question open, one move is its answer and the next an early one.
            line.writer.write(encode(Answer(1, 1, 1)) * (is_asked and "second" in detail) + data)
            verdict = await line.failed
            assert (verdict.kind, verdict.seat) == (kind, 1) and detail in verdict.detail
            if answer is not None and "second" not in detail:
                with pytest.raises(SeatFailure, match=r"it sent|did not end|its group"):
                    await answer
            elif answer is not None:
                await answer

    run(scene())


def test_a_move_before_the_group_is_wrong() -> None:
    async def scene() -> None:
        async with connected() as line:
            line.send(Answer(0, 0, 0))
            with pytest.raises(SeatFailure, match="before its group"):
                await line.seat.introduced()

    run(scene())


@pytest.mark.parametrize("how", ["closes", "resets", "stops sending"])
def test_whoever_leaves_has_failed(how: str) -> None:
    async def scene() -> None:
        async with connected(QUICK) as line:
            line.send(Group(1))
            await line.seat.introduced()
            if how == "stops sending":
                line.writer.write_eof()
            elif how == "closes":
                line.writer.close()
            else:
                own = line.writer.get_extra_info("socket")
                own.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
                line.writer.transport.abort()
            assert (await line.failed).kind == "disconnect"
            with pytest.raises(SeatFailure):
                await line.seat.begin(BUILDING, 1)

    run(scene())


def test_the_offender_hears_of_it_and_is_disconnected() -> None:
    async def scene() -> None:
        async with connected(QUICK) as line:
            line.send(Group(1))
            await line.seat.introduced()
            line.writer.write(b"\xff" * 5 + encode(Answer(1, 1, 1)) * 100)    # more than is ever read
            await line.failed
            announce([Disqualified(2), Disqualified(1), EndOfGame()], [line.seat])
            assert [await line.hear() for _ in range(3)] == [Disqualified(2), Disqualified(1), None]
            line.writer.close()
            await line.seat.gone()

    run(scene())


def test_a_client_that_stays_after_the_end_is_dropped() -> None:
    async def scene() -> None:
        async with connected(QUICK) as line:
            line.send(Group(1))
            await line.seat.introduced()
            line.seat.tell(EndOfGame())
            await line.seat.close()
            await line.seat.gone()    # although the client has neither read nor closed anything
            assert [await line.hear() for _ in range(2)] == [EndOfGame(), None]
            assert not line.failed.done()

    run(scene())


def test_a_client_that_reads_nothing_is_thrown_out() -> None:
    async def scene() -> None:
        async with connected(QUICK, receives=4096) as line:
            line.writer.transport.pause_reading()  # type: ignore[attr-defined]
            line.seat_end.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)
            line.send(Group(1))
            await line.seat.introduced()
            told = 0
            while not line.failed.done():
                line.seat.tell(Map(b"0" * 1000))
                told += 1000
                assert told < 10_000_000
            verdict = line.failed.result()
            assert (verdict.kind, verdict.detail) == ("disconnect", "it does not read what it is sent")
            await line.seat.gone()

    run(scene())
