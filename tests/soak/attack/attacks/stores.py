"""The store: two servers on one, no room left, damaged rows, and games without end."""

from __future__ import annotations

import asyncio
import os
import resource
import sqlite3
import time
from contextlib import closing
from pathlib import Path

import httpx

from tests.soak.attack.attacks.uploads import long_game
from tests.soak.attack.registry import MIB, attack, hold, hold_within
from tests.soak.attack.site import Site, until
from tests.testing.command import polyversi
from tests.testing.page_server import Served

TAKEN = "another Polyversi server uses"


@attack("a second server on the same store")
async def second_server(site: Site) -> str:
    store = Path(site.served.store)
    link = site.folder / "link.db"
    link.symlink_to(store)
    for name in (store, link):
        await _refused(str(name), TAKEN)
    hard = site.folder / "hard.db"
    os.link(store, hard)
    await _refused(str(hard), "hard link")
    hard.unlink()
    Path(f"{store}.lock").unlink()
    await site.new_game("othello-4", "me", "friend")    # the first one locks again as it writes
    await _refused(str(store), TAKEN)
    return "refused by its name, by links, and after its lock file was removed"


async def _refused(store: str, why: str) -> None:
    second = await asyncio.to_thread(polyversi, "run", "--port", "0", "--no-browser", "--store", store)
    hold(second.returncode == 1 and why in second.stderr, f"a second one on {store}: {second.stderr[:200]}")


@attack("a full disk", disrupts=True, is_slow=True)
async def full_disk(site: Site) -> str:
    """Files may not grow any more; the honest visitor's own games wait meanwhile."""
    pid = site.served.pid
    new = await site.new_game("othello-4", "me", "friend")
    before = resource.prlimit(pid, resource.RLIMIT_FSIZE)
    resource.prlimit(pid, resource.RLIMIT_FSIZE, (1024, before[1]))
    seats = [{"kind": "me"}, {"kind": "friend"}]
    wanted = {"map": f"2 0 0 0  90 90  1 2 {'0 ' * 8098}", "seats": seats}
    slowest = 0.0
    async with site.http("192.0.2.8") as http:
        series = {"spec": "othello", "players": ["random"] * 2}
        for path, data in (("/api/games", wanted), ("/api/arena", series)):
            began = time.monotonic()
            answer = await http.post(path, json=data)
            slowest = max(slowest, time.monotonic() - began)
            hold(answer.status_code == 503, f"{path} was answered with {answer.status_code}")
            hold("cannot store anything" in answer.json()["problem"], f"{path}: {answer.text[:200]}")
        hold("polyversi-store" in (await http.get("/api/variants")).headers, "visitors are not told")
        hold((await http.get(f"/api/games/{new['game']}")).status_code == 200, "games cannot be looked at")
        resource.prlimit(pid, resource.RLIMIT_FSIZE, before)
        give_up = time.monotonic() + 60
        while (await http.post("/api/games", json=wanted)).status_code != 201:
            hold(time.monotonic() < give_up, "it does not recover when there is room again")
            await asyncio.sleep(0.5)
    hold_within(10, slowest, "the refusal")
    return f"503 after {slowest:.2f} s at most, and it goes on by itself"


@attack("a damaged row")
async def damaged(site: Site) -> str:
    new = await site.new_game("othello-4", "random", "random")
    with closing(sqlite3.connect(site.served.store, timeout=30)) as store:
        def is_over() -> bool:
            row = store.execute("SELECT phase FROM games WHERE id = ?", [new["game"]]).fetchone()
            return bool(row == ("over",))

        await until(is_over, 30, "a game of computers does not end")
        store.execute("UPDATE games SET seats = '{broken', start = x'ff' WHERE id = ?", [new["game"]])
        store.commit()
    listed = await site.text("/api/games")
    hold(listed.status_code == 200 and listed.json()["damaged"] == 1, f"the list: {listed.text[:200]}")
    hold(new["game"] not in listed.text, "the damaged game is listed")
    return "it is left out of the list, which says so"


@attack("games without end in the store", disrupts=True, memory=192 * MIB)
async def retention(site: Site) -> str:
    """A server that may keep 2 MB is given more, and lets the oldest go when it starts again."""
    folder = site.folder / "small"
    folder.mkdir()
    served = Served(folder, "--keep-megabytes", "2")
    data = await asyncio.to_thread(long_game, 100, 400)

    def fill() -> tuple[int, int]:
        served.start()
        try:
            games = 0
            while _in_use(served) < 6_000_000:
                httpx.post(f"{served.address}/api/records", content=data, timeout=60).raise_for_status()
                games += 1
            most = _in_use(served)
            served.kill()
            served.start()
            give_up = time.monotonic() + 60
            while (left := _in_use(served)) > 2_500_000:
                hold(time.monotonic() < give_up, f"{left:,} bytes are still in use")
                time.sleep(0.2)
        finally:
            served.kill()
        return games, most

    games, most = await asyncio.to_thread(fill)
    return f"{games} uploads of {most / 1e6:.1f} MB were cut down to 2 MB"


def _in_use(served: Served) -> int:
    with closing(sqlite3.connect(served.store, timeout=30)) as store:
        pages, free, size = (int(store.execute(f"PRAGMA {name}").fetchone()[0])
                             for name in ("page_count", "freelist_count", "page_size"))
    return (pages - free) * size
