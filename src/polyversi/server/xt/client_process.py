"""A client in a worker process, so that neither a slow terminal nor anything else here can make it late.

`ClientProcess` is the parent's side, `python -m polyversi.server.xt.client_process` the worker; they exchange
lines of JSON over the worker's standard input and output.
"""

from __future__ import annotations

import asyncio
import gc
import os
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import suppress

import msgspec
from msgspec import Struct

from polyversi.gameplay.events import Event
from polyversi.gameplay.human import PersonLeft
from polyversi.gameplay.seat import PersonSeat, Request, Seat
from polyversi.games.board import shorten
from polyversi.games.errors import PolyversiError
from polyversi.protocols.spec import bot_from, is_bot
from polyversi.server.messages import (
    MAX_SENTENCE,
    Bye,
    ErrorMessage,
    EventMessage,
    MoveMessage,
    RequestMessage,
    encode,
)
from polyversi.server.xt.client import Began, Said, XtClient
from polyversi.server.xt.player_process import PlayerProcessSeat

CHUNK = 1 << 16
EXIT_TIMEOUT = 3.0
"""Seconds that the worker has to shut down before it is killed."""
PERSON = "human"


class ClientJob(Struct, frozen=True, tag="job"):
    """The server, the player and the number of games."""

    host: str
    port: int
    player: str
    """A player, a bot, or `human` for a person, who is asked in the parent process."""
    group: int = 0
    games: int = 1
    retry: float = 0.0
    """Seconds to keep trying while the server is not running yet."""


class Withdrawn(Struct, frozen=True, tag="withdrawn"):
    """The person's time is up."""


class GameEnded(Struct, frozen=True, tag="ended"):
    """A game is over: as its events have told, or because of a fault."""

    seat: int
    fault: str


News = Began | EventMessage | Said | RequestMessage | Withdrawn | GameEnded | ErrorMessage
"""What the worker sends its parent: a request is for the person, an error has ended the worker."""
Order = ClientJob | MoveMessage | Bye
"""What the parent sends the worker: the job, then the person's moves, or that the person has left."""


class ClientProcess:
    """The parent's side: news in order, and what a person answers.

    >>> async def visit_nobody() -> None:
    ...     async with ClientProcess(ClientJob("127.0.0.1", 9, "random")) as client:
    ...         async for batch in client.news():
    ...             print(batch)
    >>> asyncio.run(visit_nobody())
    Traceback (most recent call last):
    polyversi.games.errors.PolyversiError: cannot connect to 127.0.0.1:9: ...
    """

    def __init__(self, job: ClientJob) -> None:
        self._job = job

    async def __aenter__(self) -> ClientProcess:
        self._process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "polyversi.server.xt.client_process",
            stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
            start_new_session=True,    # Ctrl-C is for this process alone; the two are scheduled separately
        )
        self.send(self._job)
        return self

    def send(self, order: Order) -> None:
        """Sends the worker its job or a person's answer."""
        assert self._process.stdin is not None
        self._process.stdin.write(msgspec.json.encode(order) + b"\n")

    async def news(self) -> AsyncIterator[list[News]]:
        """The worker's messages, all that have arrived at a time; raises the error that ended it."""
        assert self._process.stdout is not None
        decoder, rest = msgspec.json.Decoder(News), b""
        while data := await self._process.stdout.read(CHUNK):
            *lines, rest = (rest + data).split(b"\n")
            batch = [decoder.decode(line) for line in lines]
            yield [news for news in batch if not isinstance(news, ErrorMessage)]
            for news in batch:
                if isinstance(news, ErrorMessage):
                    raise PolyversiError(news.sentence)
        if status := await self._process.wait():
            raise PolyversiError(f"the client's worker process ended with status {status}")

    async def __aexit__(self, *_: object) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        try:
            async with asyncio.timeout(EXIT_TIMEOUT):
                await self._process.communicate()
        except TimeoutError:
            with suppress(ProcessLookupError):
                self._process.kill()
            await self._process.wait()


# In the worker.


class ParentChannel:
    """Asks the person at the terminal of the parent process."""

    def __init__(self, send: Callable[[News], None]) -> None:
        self._send = send
        self._answer: asyncio.Future[str] | None = None
        self._number = 0

    async def ready(self) -> None:
        """The person can always be asked."""

    async def ask(self, request: Request) -> str:
        self._answer = asyncio.get_running_loop().create_future()
        self._number += 1    # the answer to an earlier question may still be on its way
        self._send(RequestMessage(self._number, request.limit, 0.0))
        try:
            return await self._answer
        except asyncio.CancelledError:
            self._send(Withdrawn())
            raise
        finally:
            self._answer = None

    def take(self, order: Order) -> None:
        """Takes the person's answer; without an open question it comes too late and is ignored."""
        if self._answer is None or self._answer.done():
            return
        match order:
            case Bye():
                self._answer.set_exception(PersonLeft())
            case MoveMessage(number=number, move=move) if number == self._number:
                self._answer.set_result(move)


async def _play(job: ClientJob, seat: Seat, send: Callable[[News | Event], None]) -> None:
    try:
        for _ in range(job.games):
            client = XtClient(job.host, job.port, seat, group=job.group, retry=job.retry, report=send)
            ended = await client.play()
            send(GameEnded(ended.seat, ended.fault))
    except PersonLeft:
        pass    # the person has already been told
    except PolyversiError as error:
        send(ErrorMessage(shorten(str(error), MAX_SENTENCE)))
    finally:
        await seat.close()


async def _listen(reader: asyncio.StreamReader, person: ParentChannel) -> None:
    """Reads the person's answers until the parent is gone."""
    decoder = msgspec.json.Decoder(Order)
    while line := await reader.readline():
        person.take(decoder.decode(line))


def _seat(player: str, person: ParentChannel) -> Seat:
    """The seat of the job; a player gets ready in its process while the server is being reached."""
    if player == PERSON:
        return PersonSeat(PERSON, person)
    if is_bot(player):
        return bot_from(player)
    seat = PlayerProcessSeat(player)
    seat.start()
    return seat


async def _work(answers: int) -> None:
    """Does the job on the first line, until it is done or the parent is gone."""
    loop, reader = asyncio.get_running_loop(), asyncio.StreamReader()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    pipe, _ = await loop.connect_write_pipe(asyncio.Protocol, os.fdopen(answers, "wb"))

    def send(news: News | Event) -> None:
        """Sends a message now or as soon as the pipe has room, without waiting."""
        pipe.write(encode(news) if isinstance(news, Event) else msgspec.json.encode(news) + b"\n")

    person = ParentChannel(send)
    job = msgspec.json.decode(await reader.readline(), type=ClientJob)
    playing = asyncio.create_task(_play(job, _seat(job.player, person), send))
    listening = asyncio.create_task(_listen(reader, person))
    await asyncio.wait([playing, listening], return_when=asyncio.FIRST_COMPLETED)
    playing.cancel()    # a game that is still running has nobody left to report to
    with suppress(asyncio.CancelledError):
        await playing
    while pipe.get_write_buffer_size() and not pipe.is_closing():    # until the parent has everything
        await asyncio.sleep(0.01)
    listening.cancel()


def main() -> None:
    """Runs the worker; whatever else is printed goes to standard error."""
    answers = os.dup(1)
    os.dup2(2, 1)
    gc.freeze()    # what is loaded by now need not be collected while a clock runs
    asyncio.run(_work(answers))


if __name__ == "__main__":
    main()
