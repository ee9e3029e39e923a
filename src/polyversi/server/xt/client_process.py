"""A client in a worker process, so that neither a slow terminal nor anything else here can make it late.

`ClientProcess` is the parent's side, `python -m polyversi.server.xt.client_process` the worker; they exchange
lines of JSON over the worker's standard input and output.
"""

from __future__ import annotations

import asyncio
import gc
import os
import sys
from collections.abc import AsyncIterator
from contextlib import suppress
from types import TracebackType
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct

from polyversi.gameplay.events import event_data
from polyversi.gameplay.human import PersonLeft
from polyversi.gameplay.person import PersonSeat
from polyversi.games.errors import PolyversiError
from polyversi.protocols.spec import bot_from, is_bot
from polyversi.records import jsonl
from polyversi.records.maps import map_of
from polyversi.server.xt.client import View, XtClient
from polyversi.server.xt.player_process import PlayerProcessSeat

if TYPE_CHECKING:
    from polyversi.gameplay.events import Event
    from polyversi.gameplay.seat import Request, Seat
    from polyversi.games.state import State
    from polyversi.server.xt.client import Ended

CHUNK = 1 << 16
EXIT_TIMEOUT = 3.0
"""Seconds that the worker has to let go of everything before it is killed."""
PERSON = "human"


class ClientJob(Struct, frozen=True, tag="job"):
    """What is to be played, where, and by whom."""

    host: str
    port: int
    player: str
    """A player, a bot, or `human` for a person, who is asked in the parent process."""
    group: int = 0
    games: int = 1
    retry: float = 0.0
    """Seconds to keep trying while no server is there yet."""


class Answered(Struct, frozen=True, tag="answered"):
    """The person's move, with the number of the question."""

    move: str
    number: int


class Left(Struct, frozen=True, tag="left"):
    """The person has left the game."""


class Began(Struct, frozen=True, tag="began"):
    """A game has begun."""

    map: str
    seat: int


class Happened(Struct, frozen=True, tag="happened"):
    """An event of the game, as it is stored and sent."""

    number: int
    kind: str
    data: dict[str, Any]


class Said(Struct, frozen=True, tag="said"):
    """Something about the connection or the player."""

    sentence: str


class Asked(Struct, frozen=True, tag="asked"):
    """A question for the person."""

    limit: str
    number: int


class Withdrawn(Struct, frozen=True, tag="withdrawn"):
    """The person's time is up."""


class GameEnded(Struct, frozen=True, tag="ended"):
    """A game is over."""

    seat: int
    record: str
    fault: str


class Failed(Struct, frozen=True, tag="failed"):
    """The sentence of what ended it all."""

    sentence: str


News = Began | Happened | Said | Asked | Withdrawn | GameEnded | Failed
"""What the worker tells its parent."""
Order = ClientJob | Answered | Left
"""What the parent tells the worker."""


class ClientProcess:
    """The parent's side: news in order, and what a person answers.

    >>> async def visit_nobody() -> None:
    ...     async with ClientProcess(ClientJob("127.0.0.1", 9, "random")) as client:
    ...         async for batch in client.news():
    ...             print(batch)
    >>> asyncio.run(visit_nobody())
    Traceback (most recent call last):
    polyversi.games.errors.PolyversiError: nobody can be reached at 127.0.0.1:9: ...
    """

    def __init__(self, job: ClientJob) -> None:
        self._job = job

    async def __aenter__(self) -> ClientProcess:
        self._process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "polyversi.server.xt.client_process",
            stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
            start_new_session=True,    # Ctrl-C is for this process alone, and the system treats them as two
        )
        self.send(self._job)
        return self

    def send(self, order: Order) -> None:
        """Tells the worker what to play, or what a person says."""
        assert self._process.stdin is not None
        self._process.stdin.write(msgspec.json.encode(order) + b"\n")

    async def news(self) -> AsyncIterator[list[News]]:
        """What the worker tells, as much as there is each time; an error that ended it is raised."""
        assert self._process.stdout is not None
        decoder, rest = msgspec.json.Decoder(News), b""
        while data := await self._process.stdout.read(CHUNK):
            *lines, rest = (rest + data).split(b"\n")
            batch = [decoder.decode(line) for line in lines]
            yield [news for news in batch if not isinstance(news, Failed)]
            for news in batch:
                if isinstance(news, Failed):
                    raise PolyversiError(news.sentence)
        status = await self._process.wait()
        if status:
            raise PolyversiError(f"the client's process has ended with status {status}")

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
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


class Reporter(View):
    """Sends what the client shows to the parent process, and never waits for that."""

    def __init__(self, pipe: asyncio.WriteTransport) -> None:
        self._pipe = pipe

    def begin(self, start: State, seat: int) -> None:
        """A game, and the seat in it."""
        self.send(Began(map_of(start.game).text, seat))

    def show(self, event: Event) -> None:
        """Something that happened in the game."""
        self.send(Happened(event.number, event.kind, event_data(event)))

    def say(self, sentence: str) -> None:
        """Something about the connection or the player."""
        self.send(Said(sentence))

    def end(self, ended: Ended) -> None:
        """The end of a game."""
        self.send(GameEnded(ended.seat, jsonl.write(ended.record), ended.fault))

    def send(self, news: News) -> None:
        """Sends something, now or as soon as there is room in the pipe."""
        self._pipe.write(msgspec.json.encode(news) + b"\n")

    async def flush(self) -> None:
        """Waits until the parent has taken everything, or is gone."""
        while self._pipe.get_write_buffer_size() and not self._pipe.is_closing():
            await asyncio.sleep(0.01)


class ParentChannel:
    """Asks the person at the terminal of the parent process."""

    def __init__(self, reporter: Reporter) -> None:
        self._reporter = reporter
        self._answer: asyncio.Future[str] | None = None
        self._number = 0

    async def ready(self) -> None:
        """The person can always be asked."""

    async def ask(self, request: Request) -> str:
        """The person's move."""
        self._answer = asyncio.get_running_loop().create_future()
        self._number += 1    # what was said to an earlier question may still be on its way
        self._reporter.send(Asked(str(request.limit), self._number))
        try:
            return await self._answer
        except asyncio.CancelledError:
            self._reporter.send(Withdrawn())
            raise
        finally:
            self._answer = None

    def take(self, order: Order) -> None:
        """The person has said something; too late, if nothing is asked any more."""
        if self._answer is None or self._answer.done():
            return
        if isinstance(order, Left):
            self._answer.set_exception(PersonLeft())
        elif isinstance(order, Answered) and order.number == self._number:
            self._answer.set_result(order.move)


async def _play(job: ClientJob, seat: Seat, reporter: Reporter) -> None:
    try:
        for _ in range(job.games):
            client = XtClient(job.host, job.port, seat, group=job.group, retry=job.retry, view=reporter)
            reporter.end(await client.play())
    except PersonLeft:
        pass    # they know
    except PolyversiError as error:
        reporter.send(Failed(str(error)))
    finally:
        await seat.close()


async def _listen(reader: asyncio.StreamReader, person: ParentChannel) -> None:
    """Takes what the person says, until the parent is gone."""
    decoder = msgspec.json.Decoder(Order)
    while line := await reader.readline():
        person.take(decoder.decode(line))


def _seat(player: str, person: ParentChannel) -> Seat:
    """Whoever plays; a player gets ready in its process while a server is looked for."""
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
    reporter = Reporter(pipe)
    person = ParentChannel(reporter)
    job = msgspec.json.decode(await reader.readline(), type=ClientJob)
    playing = asyncio.create_task(_play(job, _seat(job.player, person), reporter))
    listening = asyncio.create_task(_listen(reader, person))
    await asyncio.wait([playing, listening], return_when=asyncio.FIRST_COMPLETED)
    playing.cancel()    # if it goes on still, nobody is left to hear of it
    with suppress(asyncio.CancelledError):
        await playing
    await reporter.flush()
    listening.cancel()


def main() -> None:
    """Runs the worker; whatever else is printed goes to standard error."""
    answers = os.dup(1)
    os.dup2(2, 1)
    gc.freeze()    # what is loaded by now is not looked through again while a clock runs
    asyncio.run(_work(answers))


if __name__ == "__main__":
    main()
