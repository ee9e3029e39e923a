"""The process that plays, and the person at the terminal of another one."""

from __future__ import annotations

import asyncio

import polyversi as pv
from polyversi.gameplay.seat import Request
from polyversi.server.messages import MoveMessage, RequestMessage
from polyversi.server.xt.client_process import News, ParentChannel, Withdrawn
from tests.testing.xt_clients import run


def test_what_was_said_to_an_earlier_question_is_no_answer_to_this_one() -> None:
    """The clock ran out while the person's answer was on its way, and the next question came before it."""
    async def scene() -> None:
        sent: list[News] = []
        person, start = ParentChannel(sent.append), pv.game("xt:torus").start()
        request = Request(start, 1, pv.Limit(seconds=1), start, ())
        first = asyncio.create_task(person.ask(request))
        await asyncio.sleep(0)
        first.cancel()
        await asyncio.wait([first])
        second = asyncio.create_task(person.ask(request))
        await asyncio.sleep(0)
        person.take(MoveMessage(1, "0,0"))
        person.take(MoveMessage(2, "1,1"))
        assert await second == "1,1"
        assert [type(news) for news in sent] == [RequestMessage, Withdrawn, RequestMessage]

    run(scene())
