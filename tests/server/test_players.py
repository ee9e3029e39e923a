"""PlayerPool on the page: what their queue passes on."""

from __future__ import annotations

import asyncio
from functools import partial

import polyversi as pv
from polyversi.gameplay import Event, LocalSeat, Referee
from polyversi.server.players import QueuedSeat
from polyversi.server.turns import Attendance, Turns


class Listening(LocalSeat):
    """Keeps what it hears."""

    def __init__(self, seed: int) -> None:
        super().__init__(pv.player("random", seed=seed))
        self.heard: list[Event] = []

    def hear(self, event: Event) -> None:
        self.heard.append(event)


def test_computers_hear_what_happens() -> None:
    told: list[Event] = []
    said: list[str] = []

    async def game() -> list[list[Event]]:
        seats, take = [Listening(1), Listening(2)], partial(Turns(1).take, "Ann")
        queued = [QueuedSeat(seat, take, said.append, Attendance(30.0)) for seat in seats]
        await Referee(pv.game("othello-4").start(), queued, observers=[told.append]).run()
        return [seat.heard for seat in seats]

    assert asyncio.run(game()) == [told, told]
    assert said == []
