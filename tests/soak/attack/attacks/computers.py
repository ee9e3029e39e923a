"""What keeps processors, processes and memory of the server busy: engines, bots, films."""

from __future__ import annotations

import asyncio
import json
import shutil
import time
from contextlib import AsyncExitStack, suppress

import httpx
from websockets.asyncio.client import connect

from tests.soak.attack.attacks.uploads import long_game
from tests.soak.attack.registry import MIB, SkippedError, attack, hold, hold_within
from tests.soak.attack.site import EVE, Site, descendants, hello, latencies, until
from tests.testing.page_server import Served

ENGINES = 31
"""Games of the strongest level against itself, by one visitor."""
BOT = """
import json, sys
for line in sys.stdin:
    print(json.dumps({"move": json.loads(line)["moves"][0]}), flush=True)
"""
MAX_BOTS = 16
WITHOUT_ANALYSIS = ("--analysis-workers", "0")
"""Where the processes of the server are counted, there are no engine workers among them."""
PER_BOT = 4
"""Processes of a bot: its own, its sandbox and what watches over it."""


@attack("31 games of the strongest engine, a restart", disrupts=True, memory=384 * MIB)
async def engines(site: Site) -> str:
    level = "polyversi:level=20"
    games = []
    for _ in range(ENGINES):
        games.append((await site.new_game("othello", level, level, limit="seconds=20"))["game"])
    told = []
    for name in ("before", "after"):
        async with AsyncExitStack() as stack:
            for game in games:
                await hello(await stack.enter_async_context(site.socket(game)))
            began = time.monotonic()
            await asyncio.sleep(12)
            waits, _, cut = latencies(site.noted(began))
            hold(waits.count > 20 and not cut, f"{name} a restart the honest visitor was not answered")
            told.append(f"{waits.share(0.99):.0f} ms {name} a restart")
        if name == "before":
            await asyncio.to_thread(site.served.kill)
            await asyncio.to_thread(site.served.start)
    return "p99 of the honest visitor " + ", ".join(told)


@attack("bots of a visitor who has left")
async def bots(site: Site) -> str:
    """In a server of its own, since the one under attack has no bots."""
    if not shutil.which("bwrap"):
        raise SkippedError("bots need bubblewrap, which is not installed")
    folder = site.folder / "bots"
    folder.mkdir()
    (folder / "first.py").write_text(BOT)
    other = site.folder / "second"
    other.mkdir()
    served = Served(other, "--bots", str(folder), *WITHOUT_ANALYSIS)
    await asyncio.to_thread(served.start)
    try:
        async with httpx.AsyncClient(base_url=served.address, timeout=60) as http:
            for _ in range(6):
                seats = [{"kind": "computer", "player": "bot:first.py"}] * 8
                answer = await http.post("/api/games", json={"spec": "xt:starfish", "seats": seats})
                hold(answer.status_code == 201, f"a game was refused: {answer.text[:200]}")
        most, give_up = 0, time.monotonic() + 20
        while time.monotonic() < give_up:
            most = max(most, len(descendants(served.pid)))
            await asyncio.sleep(0.2)
        hold(most, "no bot was started at all")
        hold(most <= MAX_BOTS * PER_BOT, f"there were {most} processes")
        await until(lambda: not descendants(served.pid), 90, "their processes do not end")
    finally:
        await asyncio.to_thread(served.kill)
    return f"48 bots were at most {most} processes, and none in the end"


@attack("films that nobody waits for", options=WITHOUT_ANALYSIS)
async def films(site: Site) -> str:
    data = await asyncio.to_thread(long_game, 50, 600)
    async with site.http() as http:
        games = [(await http.post("/api/records", content=data)).json()["games"][0] for _ in range(3)]
    lines = []
    for game in games:
        line = await site.line()
        line[1].write(f"GET /games/{game}.gif HTTP/1.1\r\nhost: localhost\r\n"
                      f"x-forwarded-for: {EVE}\r\n\r\n".encode())
        lines.append(line)
    await until(lambda: descendants(site.served.pid), 30, "no film was begun")
    waits = []
    async with site.http("192.0.2.8") as bob:
        for kind in ("txt", "jsonl", "svg", "png") * 2:
            began = time.monotonic()
            answer = await bob.get(f"/games/{games[0]}.{kind}?ply=3")
            hold(answer.status_code == 200, f"{kind} was answered with {answer.status_code}")
            waits.append((time.monotonic() - began, kind))
        slowest = max(waits)
        hold_within(10, slowest[0], f"a download of somebody else, as {slowest[1]},")
        for _, writer in lines:
            writer.close()
        began = time.monotonic()
        hold((await bob.get(f"/games/{games[1]}.png?ply=5")).status_code == 200, "no picture any more")
        after = time.monotonic() - began
        hold_within(10, after, "a picture after the films were called off")
    return f"others waited {slowest[0]:.2f} s at most, for {slowest[1]}; {after:.2f} s after they were left"


@attack("hints and checks without end", memory=192 * MIB)
async def hints(site: Site) -> str:
    new = await site.new_game("othello", "me", "random")
    wanted = {"map": f"2 0 0 0  100 100  1 2 {'0 ' * 9998}"}
    async with site.socket(new["game"]) as eve, site.http() as http:
        await hello(eve, new["token"])
        hints = [http.post(f"/api/games/{new['game']}/hint", json={"token": new["token"]}) for _ in range(60)]
        checks = [http.post("/api/check", json=wanted) for _ in range(60)]
        answers = await asyncio.gather(*hints, *checks)
    codes = [answer.status_code for answer in answers]
    hold(set(codes) <= {200, 403, 429}, f"answers were {sorted(set(codes))}")
    hold(codes[:60].count(200) <= 30, "every one of 60 hints was given at once")
    return f"{codes.count(200)} of {len(codes)} were answered, {codes.count(429)} were too many"


@attack("series that their visitor has left", memory=320 * MIB)
async def series(site: Site) -> str:
    wanted = {"spec": "othello", "players": ["polyversi:level=20"] * 2, "rounds": 1000, "delay": 0,
              "next_delay": 0}
    async with site.http() as http:
        answers = [await http.post("/api/arena", json=wanted) for _ in range(10)]
        begun = [answer.json() for answer in answers if answer.status_code == 201]
        hold(0 < len(begun) <= 4, f"{len(begun)} series were begun at the same time")
        for one in begun:
            url = f"ws://127.0.0.1:{site.served.port}/api/arena/{one['arena']}/socket"
            async with connect(url, proxy=None) as eve:
                await eve.send(json.dumps({"type": "control", "token": one["token"], "do": "start"}))
                with suppress(TimeoutError):
                    async with asyncio.timeout(5):
                        while json.loads(await eve.recv())["phase"] != "running":
                            pass
        give_up = time.monotonic() + 90
        while running := [one for one in (await http.get("/api/arena")).json() if one["phase"] == "running"]:
            hold(time.monotonic() < give_up, f"{len(running)} series still run after 90 s")
            await asyncio.sleep(2)
    return f"{len(begun)} of 10 were begun, and none runs a minute later"
