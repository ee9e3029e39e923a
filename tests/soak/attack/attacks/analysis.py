"""What keeps the engine workers busy, and what fills the store with studies."""

from __future__ import annotations

import asyncio
import json
import random
import time
from contextlib import AsyncExitStack
from typing import Any

from websockets.asyncio.client import ClientConnection, connect

import polyversi as pv
from tests.soak.attack.registry import MIB, attack, hold, hold_within
from tests.soak.attack.site import EVE, WITHIN, Site, message

BOARDS = 100
"""Analysis boards of one visitor."""
SECONDS = 12
LARGE = f"2 0 0 0  100 100  1 2 {'0 ' * 9998}"
"""A map as large as it may be."""
BOB = "192.0.2.8"


def board(site: Site, address: str = EVE) -> connect:
    """The socket of an analysis board."""
    url = f"ws://127.0.0.1:{site.served.port}/api/analysis/socket"
    return connect(url, additional_headers={"x-forwarded-for": address}, open_timeout=WITHIN, proxy=None,
                   ping_interval=None, max_size=None, compression=None)


def look(rng: random.Random, id: int = 1) -> dict[str, Any]:
    """A look at a position that nobody has seen."""
    state = pv.game("othello").start()
    for _ in range(rng.randrange(10, 25)):
        state = state.play(rng.choice(state.moves))
    return {"type": "look", "id": id, "spec": "othello", "position": state.text}


@attack("a hundred analysis boards of one visitor, with large maps", memory=256 * MIB)
async def boards(site: Site) -> str:
    rng = random.Random(1)

    async def turn_pages(line: ClientConnection) -> None:
        while True:
            large = {"type": "look", "id": 2, "spec": "xt:map", "map": LARGE}
            await line.send(json.dumps(look(rng) if rng.random() < 0.9 else large))
            await asyncio.sleep(rng.random())

    async def listen(line: ClientConnection) -> None:
        async for _ in line:
            pass

    async with AsyncExitStack() as stack:
        lines = [await stack.enter_async_context(board(site)) for _ in range(BOARDS)]
        tasks = [asyncio.create_task(work(line)) for line in lines for work in (turn_pages, listen)]
        waits: list[float] = []
        async with board(site, BOB) as bob:
            give_up = time.monotonic() + SECONDS
            while time.monotonic() < give_up:
                began = time.monotonic()
                await bob.send(json.dumps(look(rng, len(waits))))
                while True:
                    told = await message(bob, "values", "unable")
                    hold(told["type"] == "values", f"somebody else was told {told}")
                    if told["id"] == len(waits) and told["moves"]:
                        break
                waits.append(time.monotonic() - began)
        for line in lines:    # otherwise each would wait until everything is read that it has sent
            line.transport.abort()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    hold_within(2, max(waits), "first values for somebody else")
    return f"somebody else had {len(waits)} first values, after {max(waits):.2f} s at most"


@attack("studies without end")
async def studies(site: Site) -> str:
    line = json.dumps({"polyversi": 1, "game": "othello", "moves": ["f5"], "tags": {"comment": "x" * 60_000}})
    before = site.store_bytes
    async with site.http() as http:
        asked = [http.post("/api/studies", json={"record": line}) for _ in range(200)]
        answers = await asyncio.gather(*asked)
        made = [answer.json() for answer in answers if answer.status_code == 201]
        hold(0 < len(made) <= 40, f"{len(made)} of 200 studies were kept at once")
        stolen = await http.put(f"/api/studies/{made[0]['id']}", json={"token": "x", "record": line})
        hold(stolen.status_code == 403, "somebody else's study could be changed")
    grown = (site.store_bytes - before) / MIB
    hold(grown < 20, f"the store grew by {grown:.0f} MiB")
    return f"{len(made)} of 200 were kept, and the store grew by {grown:.1f} MiB"
