"""Games: more than are allowed, crowds around them, and a server that is killed in the middle of one."""

from __future__ import annotations

import asyncio
import json
from contextlib import AsyncExitStack
from typing import Any

from websockets.asyncio.client import ClientConnection

from tests.soak.attack.attacks.connections import in_groups
from tests.soak.attack.registry import MIB, attack, hold
from tests.soak.attack.site import Site, hello, message

ALLOWED = 40
"""Games of one visitor that may go on at the same time."""
WINDOWS = 16
"""Windows in which one seat may be open."""
CROWD = 2_000
"""Spectators that fit around one game."""


async def answer(socket: ClientConnection, ask: dict[str, Any]) -> None:
    """Plays the first of the legal moves."""
    await socket.send(json.dumps({"type": "move", "number": ask["number"], "move": ask["moves"][0][0]}))


@attack("more games by rematches")
async def rematches(site: Site) -> str:
    new = await site.new_game("othello-4", "me", "random")
    async with site.socket(new["game"]) as eve:
        await hello(eve, new["token"])
        while (told := await message(eve, "request", "event")).get("kind") != "end":
            if told["type"] == "request":
                await answer(eve, told)
        for _ in range(ALLOWED):
            await site.new_game("othello-4", "me", "friend")
        async with site.http() as http:
            wanted = {"spec": "othello-4", "seats": [{"kind": "me"}, {"kind": "friend"}]}
            more = await http.post("/api/games", json=wanted)
        hold(more.status_code == 429, f"game {ALLOWED + 1} was answered with {more.status_code}")
        await eve.send('{"type":"rematch"}')
        told = await message(eve, "next")
        hold(told["type"] == "error", "a rematch began all the same")
        return f"{ALLOWED} were allowed; a rematch: {told['sentence']}"


@attack("a crowd that keeps a player out", memory=256 * MIB)
async def crowd(site: Site) -> str:
    new = await site.new_game("othello-4", "me", "friend")

    async def come(number: int) -> ClientConnection:
        socket = await site.socket(new["game"], f"198.51.100.{number // 150}")
        await hello(socket)
        return socket

    opened = await in_groups(come(number) for number in range(CROWD + 50))
    sockets = [one for one in opened if isinstance(one, ClientConnection)]
    hold(len(sockets) > CROWD // 2, f"only {len(sockets)} came: {opened[-1]}")
    async with site.socket(new["game"], "192.0.2.8") as ann:
        await hello(ann, new["token"])
        told = await message(ann, "welcome")
        hold(told["type"] == "welcome" and told["seat"] == 1, f"the player was refused: {told}")
        async with site.socket(new["game"], "192.0.2.9") as bob:
            await hello(bob, new["links"]["2"].partition("#")[2])
            ask = await message(ann, "request")
            await answer(ann, ask)
            hold((await message(bob, "request"))["type"] == "request", "the game does not go on")
    for one in sockets:
        one.transport.abort()    # a farewell would wait for all that they have not read
    return f"{len(sockets)} spectators, and both players got in"


@attack("one seat in hundreds of windows")
async def windows(site: Site) -> str:
    new = await site.new_game("othello-4", "me", "friend")
    async with AsyncExitStack() as stack:
        sockets = []
        for _ in range(150):
            sockets.append(await stack.enter_async_context(site.socket(new["game"])))
            await hello(sockets[-1], new["token"])
        hold((await message(sockets[-1], "welcome"))["type"] == "welcome", "the last window was refused")
        async with asyncio.timeout(30):
            while (open_ones := sum(one.close_code is None for one in sockets)) > WINDOWS:
                await asyncio.sleep(0.1)
    return f"{open_ones} of 150 windows stayed open"


@attack("kill −9 in the middle of games", disrupts=True)
async def kills(site: Site) -> str:
    """Every move whose event came back is there after the kill."""
    games = [await site.new_game("othello", "me", "random") for _ in range(8)]
    received: dict[str, list[Any]] = {one["game"]: [] for one in games}

    async def play(one: dict[str, Any], moves: int) -> None:
        async with site.socket(one["game"]) as ann:
            await hello(ann, one["token"], events=len(received[one["game"]]), game=1)
            while moves:
                told = await message(ann, "request", "event")
                if told["type"] == "event":
                    received[one["game"]].append(told)
                else:
                    await answer(ann, told)
                    moves -= 1

    for _ in range(4):
        await asyncio.gather(*(play(one, 5) for one in games))
        await asyncio.to_thread(site.served.kill)
        await asyncio.to_thread(site.served.start)
    for one in games:
        async with site.socket(one["game"]) as eve:
            await hello(eve)
            there = [await message(eve, "event") for _ in received[one["game"]]]
        hold(there == received[one["game"]], f"game {one['game']} is not what its player was told")
    count = sum(len(events) for events in received.values())
    return f"{count} events of 8 games survived 4 kills"
