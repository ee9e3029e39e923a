"""Bad lines: messages are lost, doubled and reordered, and the game is that of a quiet evening."""

from __future__ import annotations

import asyncio

import pytest

import polyversi as pv
from polyversi.server import guest
from polyversi.server.client import Client, RetryTimes
from tests.testing.bad_network import BadWay
from tests.testing.tcp_host import hosted, random_seat, run, seat_of
from tests.testing.timeout import TIMEOUT
from tests.testing.websocket_host import websocket_host

GAME = pv.game("othello-6")
QUICK = RetryTimes(have=0.5, again=0.03)


QUIET = pv.play(GAME.start(), [seat_of(1), seat_of(2)]).record.moves
"""The moves of the same players without any line between them."""


@pytest.fixture(autouse=True)
def _patient_hosts(monkeypatch: pytest.MonkeyPatch) -> None:
    """The clients of these tests ask more often than hosts like, so that the tests are quick."""
    monkeypatch.setattr(guest, "CREDIT", 10_000)


def test_games_on_the_page_over_bad_lines() -> None:
    async def evening(seed: int) -> None:
        async with websocket_host(GAME, {"one": (1,), "two": (2,)}) as house:
            ways = [BadWay(house.at(token), seed + 10 * number)
                    for number, token in enumerate(("one", "two", ""))]
            clients = [
                Client(ways[0], random_seat(1), name="Ann", token="one", retry_times=QUICK),
                Client(ways[1], random_seat(2), name="Bob", token="two", retry_times=QUICK),
                Client(ways[2], None, name="watcher", retry_times=QUICK),
            ]
            assert await asyncio.gather(*(client.run() for client in clients)) == ["the game is over"] * 3
            for way, client in zip(ways, clients, strict=True):
                assert client.follower is not None and client.follower.has_ended
                assert client.follower.log.record.moves == QUIET
                assert way.fates.keys() == {"lost", "doubled", "late", "fine"}

    async def evenings() -> None:
        await asyncio.gather(*(evening(seed) for seed in range(3)))

    run(evenings())


def test_games_of_a_host_over_a_bad_line() -> None:
    async def evening() -> None:
        async with hosted(GAME, [random_seat(1), None], grace=TIMEOUT) as house:
            way = BadWay(house.address, 5)
            client = Client(way, random_seat(2), name="Bob", retry_times=QUICK)
            playing = asyncio.create_task(client.run())
            finished = await house.finished()
            playing.cancel()    # where the end and the host's good-bye got lost, it would try to come back
            await asyncio.gather(playing, return_exceptions=True)
            assert finished.record.moves == QUIET
            assert way.fates["lost"] and way.fates["doubled"]

    run(evening())
