"""Games that workers play on a page: begun again by another worker, hidden, and released."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest

import polyversi as pv
from polyversi.contest.live_feed import LiveAddress, LiveFeed
from polyversi.gameplay.events import EndEvent, Event, MoveEvent, StartEvent
from polyversi.gameplay.log import GameLog
from polyversi.players import NO_LIMIT
from polyversi.server.feeds import LOST, Feeds
from polyversi.server.lobby import Lobby
from polyversi.server.messages import Bye, Welcome
from tests.testing.clock import until
from tests.testing.lobby import opened, visit

GAME = "cup.1.1-1"


class Worker:
    """Plays a game of which it tells a page."""

    def __init__(self, live: LiveAddress, first: str, name: str = "Ann") -> None:
        start = pv.game("othello").start()
        self._log = GameLog(start)
        self._feed = LiveFeed(replace(live, game=GAME), start)
        self._feed.tell(self._log.begin([name, "Bob"], [NO_LIMIT] * 2))
        self.play(first)

    def play(self, move: str) -> None:
        self._feed.tell(self._log.play(self._log.state.game.move(move), 0.0))

    def end(self) -> None:
        """Its connection ends, as that of a process does that dies."""
        self._feed.close()


@asynccontextmanager
async def listening(folder: Path) -> AsyncIterator[tuple[Lobby, LiveAddress]]:
    async with opened(folder) as lobby:
        feeds = Feeds(lobby)
        yield lobby, await feeds.open()
        await feeds.close()


@pytest.mark.parametrize("is_noticed", [True, False])
def test_who_watches_goes_on_when_a_lost_game_is_played_again(tmp_path: Path, is_noticed: bool) -> None:
    async def evening() -> None:
        async with listening(tmp_path) as (lobby, live):
            first = Worker(live, "d3")
            await until(lambda: GAME in lobby.rooms)
            eve = visit(lobby.rooms[GAME])
            before = await eve.hear(Welcome)
            assert (await eve.hear(MoveEvent)).move == "d3"
            if is_noticed:    # or the other worker comes first
                first.end()
                assert (await eve.hear(EndEvent)).verdict.detail == LOST
            second = Worker(live, "c4", "Ann v2")
            again = await eve.hear(Welcome)
            assert again.number != before.number
            assert (await eve.hear(StartEvent)).players == ("Ann v2", "Bob")
            assert (await eve.hear(MoveEvent)).move == "c4"
            second.play("c3")
            assert (await eve.hear(MoveEvent)).move == "c3"
            room = lobby.rooms[GAME]
            assert room.summary().players == ["Ann v2", "Bob"] and len(room.guests) == 1
            first.end()
            second.end()

    asyncio.run(evening())


def test_a_hidden_game_is_seen_from_its_release_on(tmp_path: Path) -> None:
    async def evening() -> None:
        async with listening(tmp_path) as (lobby, live):
            lobby.hide("cup.", "not yet")
            worker = Worker(live, "d3")
            await until(lambda: GAME in lobby.unseen and len(lobby.unseen[GAME].lines) == 2)
            assert await lobby.find(GAME) is None and not await lobby.has(GAME) and not lobby.rooms
            lobby.show("cup.")
            room = await lobby.find(GAME)
            assert room is not None
            eve = visit(room)
            assert [(await eve.hear(Event)).number for _ in range(2)] == [0, 1]
            lobby.hide("cup.", "not any more")
            assert (await eve.hear(Bye)).reason == "not any more"
            assert await lobby.find(GAME) is None and not lobby.rooms
            worker.end()

    asyncio.run(evening())


def test_a_hidden_game_that_is_over_is_forgotten(tmp_path: Path) -> None:
    async def evening() -> None:
        async with listening(tmp_path) as (lobby, live):
            lobby.hide("cup.", "not yet")
            worker = Worker(live, "d3")
            await until(lambda: GAME in lobby.unseen)
            worker.end()
            await until(lambda: GAME not in lobby.unseen)
            lobby.show("cup.")
            assert await lobby.find(GAME) is None

    asyncio.run(evening())
