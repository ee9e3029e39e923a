"""`polyversi join LINK`: processes that play and watch a game of a page through its WebSocket."""

from __future__ import annotations

import asyncio
import re
import subprocess

import polyversi as pv
from polyversi.server.client import Client
from polyversi.server.messages import MoveMessage
from tests.testing.command import Forked
from tests.testing.tcp_host import random_seat, run
from tests.testing.websocket_host import websocket_host

GAME = pv.game("othello-6")
TWO = {"one": (1,), "two": (2,)}


def joining(link: str, *arguments: str) -> Forked:
    return Forked("join", link, *arguments, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                  stderr=subprocess.STDOUT)


async def said(process: Forked) -> str:
    """What it said up to its end, which must be a good one."""
    output, _ = await asyncio.to_thread(process.communicate)
    assert process.returncode == 0, output.decode()
    return output.decode()


def test_two_players_and_a_spectator_by_their_links() -> None:
    async def evening() -> None:
        async with websocket_host(GAME, TWO) as house:
            watching = joining(str(house.link), "--watch", "--plain")
            await house.room.until(lambda: house.room.guests)
            players = [joining(f"{house.link}#one", "--player", "random:seed=1"),
                       joining(str(house.link), "--token", "two", "--player", "random", "--name", "Bob")]
            outputs = [await said(process) for process in (watching, *players)]
            result = re.search(r"^\w+ wins, \d+–\d+: .*$|^a draw .*$", outputs[0], re.MULTILINE)
            assert result is not None
            for output, place in zip(outputs, ("you watch", "you are black", "you are white"), strict=True):
                assert f"othello-6, {place}" in output and result[0] in output
                assert output.endswith("the host has closed the connection: the game is over\n")

    run(evening())


def test_a_killed_client_goes_on_where_it_was() -> None:
    async def evening() -> None:
        async with websocket_host(GAME, TWO) as house:
            first = joining(f"{house.link}#one", "--player", "random:seed=1")
            heard = house.room.heard
            await house.room.until(lambda: any(isinstance(message, MoveMessage) for message in heard))
            first.kill()
            first.close()
            await house.room.until(lambda: not house.room.guests)
            again = joining(f"{house.link}#one", "--player", "random:seed=2")
            other = Client(house.at("two"), random_seat(2), name="Bob", token="two")
            assert await other.run() == "the game is over"
            await said(again)
            assert other.follower is not None and len(other.follower.log.plies) >= 20

    run(evening())
