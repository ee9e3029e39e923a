"""The process that plays, and the person at the terminal of another one."""

from __future__ import annotations

import asyncio
import os

import polyversi as pv
from polyversi.gameplay.seat import Request
from polyversi.server.xt.client_process import Answered, ParentChannel, Reporter
from tests.testing.xt_clients import run


def test_what_was_said_to_an_earlier_question_is_no_answer_to_this_one() -> None:
    """The clock ran out while the person's answer was on its way, and the next question came before it."""
    async def scene() -> None:
        reading, writing = os.pipe()
        loop = asyncio.get_running_loop()
        pipe, _ = await loop.connect_write_pipe(asyncio.Protocol, os.fdopen(writing, "wb"))
        person, start = ParentChannel(Reporter(pipe)), pv.game("xt:torus").start()
        request = Request(start, 1, pv.Limit(seconds=1), start, ())
        first = asyncio.create_task(person.ask(request))
        await asyncio.sleep(0)
        first.cancel()
        await asyncio.wait([first])
        second = asyncio.create_task(person.ask(request))
        await asyncio.sleep(0)
        person.take(Answered("0,0", 1))
        person.take(Answered("1,1", 2))
        assert await second == "1,1"
        pipe.close()
        os.close(reading)

    run(scene())
