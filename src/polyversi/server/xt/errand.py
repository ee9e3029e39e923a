"""The program of a process that plays on a server, and tells whoever started it in lines of JSON."""

from __future__ import annotations

import asyncio
import gc
import json
import os
import sys
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from polyversi.gameplay.events import event_data
from polyversi.gameplay.human import PersonLeft
from polyversi.gameplay.seat import Request, Seat
from polyversi.games.errors import PolyversiError
from polyversi.protocols.spec import bot_from, is_bot
from polyversi.records import jsonl
from polyversi.records.maps import map_of
from polyversi.server.xt.apart import Errand, News
from polyversi.server.xt.client import XtClient
from polyversi.server.xt.thinker import Thinker

if TYPE_CHECKING:
    from polyversi.gameplay.events import Event
    from polyversi.games.state import State
    from polyversi.server.xt.client import Ended

PERSON = "human"


class Reporter:
    """Tells the other process what happens, and never waits for it."""

    def __init__(self, pipe: asyncio.WriteTransport) -> None:
        self._pipe = pipe

    def begin(self, start: State, seat: int) -> None:
        """A game, and the seat in it."""
        self.tell({"begin": {"map": map_of(start.game).text, "seat": seat}})

    def show(self, event: Event) -> None:
        """Something that happened in the game."""
        self.tell({"event": [event.number, event.kind, event_data(event)]})

    def say(self, sentence: str) -> None:
        """Something about the connection or the player."""
        self.tell({"say": sentence})

    def end(self, ended: Ended) -> None:
        """The end of a game."""
        self.tell({"ended": {"seat": ended.seat, "record": jsonl.write(ended.record), "fault": ended.fault}})

    def tell(self, news: News) -> None:
        """Tells something, now or as soon as there is room in the pipe."""
        self._pipe.write(json.dumps(news).encode() + b"\n")

    async def all_told(self) -> None:
        """Waits until the other process has taken everything, or is gone."""
        while self._pipe.get_write_buffer_size() and not self._pipe.is_closing():
            await asyncio.sleep(0.01)


class PersonElsewhere(Seat):
    """A person at the terminal of the other process."""

    name = PERSON
    is_person = True

    def __init__(self, reporter: Reporter) -> None:
        self._reporter = reporter
        self._answer: asyncio.Future[Any] | None = None
        self._number = 0

    async def answer(self, request: Request) -> Any:
        self._answer = asyncio.get_running_loop().create_future()
        self._number += 1    # what was said to an earlier question may still be on its way
        self._reporter.tell({"ask": {"limit": str(request.limit), "number": self._number}})
        try:
            return await self._answer
        except asyncio.CancelledError:
            self._reporter.tell({"enough": ""})
            raise
        finally:
            self._answer = None

    def take(self, said: News) -> None:
        """The person has said something; too late, if nothing is asked any more."""
        if self._answer is None or self._answer.done():
            return
        if "left" in said:
            self._answer.set_exception(PersonLeft())
        elif said["number"] == self._number:
            self._answer.set_result(said["move"])


async def play(errand: Errand, seat: Seat, reporter: Reporter) -> None:
    """Plays the games of an errand."""
    try:
        for _ in range(errand.games):
            client = XtClient(errand.host, errand.port, seat, group=errand.group, retry=errand.retry,
                              view=reporter)
            reporter.end(await client.play())
    except PersonLeft:
        pass    # they know
    except PolyversiError as error:
        reporter.tell({"error": str(error)})
    finally:
        await seat.close()


async def listen(reader: asyncio.StreamReader, seat: Seat) -> None:
    """Hears what the person says, until there is nobody any more."""
    while line := await reader.readline():
        if isinstance(seat, PersonElsewhere):
            seat.take(json.loads(line))


def seat_of(player: str, reporter: Reporter) -> Seat:
    """Whoever plays; a player gets ready in its process while a server is looked for."""
    if player == PERSON:
        return PersonElsewhere(reporter)
    if is_bot(player):
        return bot_from(player)
    thinker = Thinker(player)
    thinker.start()
    return thinker


async def run(answers: int) -> None:
    """Does the errand on the first line, until it is done or the other process is gone."""
    loop, reader = asyncio.get_running_loop(), asyncio.StreamReader()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    pipe, _ = await loop.connect_write_pipe(asyncio.Protocol, os.fdopen(answers, "wb"))
    reporter = Reporter(pipe)
    errand = Errand(**json.loads(await reader.readline()))
    seat = seat_of(errand.player, reporter)
    playing = asyncio.create_task(play(errand, seat, reporter))
    listening = asyncio.create_task(listen(reader, seat))
    await asyncio.wait([playing, listening], return_when=asyncio.FIRST_COMPLETED)
    playing.cancel()    # if it goes on still, nobody is left to hear of it
    with suppress(asyncio.CancelledError):
        await playing
    await reporter.all_told()
    listening.cancel()


def main() -> None:
    """Runs the program; whatever else is printed goes to standard error."""
    answers = os.dup(1)
    os.dup2(2, 1)
    gc.freeze()    # what is loaded by now is not looked through again while a clock runs
    asyncio.run(run(answers))


if __name__ == "__main__":
    main()
