"""Hostile visitors of the day: each does one thing that costs the server something, again and again."""

from __future__ import annotations

import asyncio
import json
from contextlib import suppress

from websockets.exceptions import WebSocketException

from tests.soak.attack.attacks.connections import ENDLESS
from tests.soak.attack.attacks.pages import HOSTS, PATHS
from tests.soak.attack.attacks.uploads import GARBAGE, long_game
from tests.soak.day.people import new_game
from tests.soak.day.world import World

EVE = "192.0.2.66"
PAUSE = 2.0
"""Seconds between two misdeeds of the same visitor."""
OK = (200, 201, 400, 403, 404, 413, 415, 422, 429)
"""What a hostile request may be answered with."""


async def hang(world: World) -> None:
    """Begins requests and never ends them."""
    lines = [await asyncio.open_connection("127.0.0.1", world.served.port) for _ in range(10)]
    for _, writer in lines:
        writer.write(world.rng.choice(ENDLESS))
    await asyncio.sleep(15 * world.rng.random())
    world.counts["requests without end"] += len(lines)
    for _, writer in lines:
        writer.close()


async def upload(world: World) -> None:
    """Uploads what is no record, and what is as large as a record may be."""
    large = await asyncio.to_thread(long_game, 50, 400)
    async with world.http(EVE) as http:
        for data in (*GARBAGE, large, large):
            _check(world, "an upload", (await http.post("/api/records", content=data)).status_code)
    world.counts["hostile uploads"] += len(GARBAGE) + 2
    await asyncio.sleep(5 * PAUSE)


async def flood(world: World) -> None:
    """Sends messages faster than anybody would, until the server ends the connection."""
    new = await new_game(world, world.address(), "othello-4", "me", "random")
    async with world.socket(f"/api/games/{new['game']}/socket", EVE) as socket:
        await socket.send(json.dumps({"type": "hello", "version": 1, "name": "Eve", "token": new["token"]}))
        with suppress(WebSocketException):
            for _ in range(2000):
                await socket.send('{"type":"move","number":99999,"move":"a1"}')
    world.counts["floods"] += 1
    await asyncio.sleep(PAUSE)


async def starve(world: World) -> None:
    """Has the strongest engine play itself in game after game."""
    level = "polyversi:level=20"
    new = await new_game(world, EVE, "othello-6", level, level)
    async with world.socket(f"/api/games/{new['game']}/socket", EVE) as socket:
        await socket.send(json.dumps({"type": "hello", "version": 1, "name": "Eve", "seat": 0}))
        world.counts["games of engines"] += 1
        with suppress(TimeoutError):
            async with asyncio.timeout(20):
                while json.loads(await socket.recv()).get("kind") != "end":
                    pass


async def probe(world: World) -> None:
    """Asks for what is not there, under names that are not the server's."""
    for path, host in zip(world.rng.sample(PATHS, 5), world.rng.sample(HOSTS, 5), strict=True):
        for told in ("localhost", host):
            reader, writer = await asyncio.open_connection("127.0.0.1", world.served.port)
            writer.write(f"GET {path} HTTP/1.1\r\nhost: {told}\r\nconnection: close\r\n\r\n".encode())
            heard = await reader.read()
            writer.close()
            if heard:
                _check(world, path, int(heard.split(b" ")[1]))
            world.counts["probes"] += 1
    await asyncio.sleep(PAUSE)


async def abandon(world: World) -> None:
    """Asks for films and leaves."""
    if not world.uploads:
        return
    for _ in range(3):
        _, writer = await asyncio.open_connection("127.0.0.1", world.served.port)
        game = world.rng.choice(world.uploads[-20:])
        writer.write(f"GET /games/{game}.gif HTTP/1.1\r\nhost: localhost\r\n"
                     f"x-forwarded-for: {EVE}\r\n\r\n".encode())
        await asyncio.sleep(world.rng.random())
        writer.close()
    world.counts["films that nobody waited for"] += 3
    await asyncio.sleep(PAUSE)


def _check(world: World, what: str, status: int) -> None:
    if status not in OK:
        world.fault(f"{what} was answered with {status}")


ROLES = (hang, upload, flood, *[starve] * 2, probe, abandon)
