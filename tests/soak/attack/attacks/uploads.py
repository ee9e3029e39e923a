"""Uploads that are far too much, exactly as much as is allowed, or no records at all."""

from __future__ import annotations

import asyncio
import io
import json
import time
from functools import cache

from polyversi.records import Record, write
from polyversi.records.maps import named_game
from tests.soak.attack.registry import MIB, attack, hold
from tests.soak.attack.site import Site, hello, message

GARBAGE = (b"", b"\xff\xfe", b"{" * 100_000, b"(;GM[Othello]", b"[" * 10_000, b"a1" * 999,
           b"\x00" * 1_000_000, b'{"polyversi":1,"game":"xt:/etc/passwd","moves":[]}',
           b"(;GM[Othello]TY[999]BO[8 *];)" * 9_000)


@cache
def long_game(size: int, moves: int) -> bytes:
    """The record of a game on a square map of that size, with so many legal moves."""
    middle = size // 2
    rows = [["0"] * size for _ in range(size)]
    for x, y, stone in ((0, 0, "1"), (1, 0, "2"), (0, 1, "2"), (1, 1, "1")):
        rows[middle + y][middle + x] = stone
    chart = f"2 9999 0 0  {size} {size}  " + "  ".join(" ".join(row) for row in rows)
    state = start = named_game("xt:long", chart).start()
    played = []
    for number in range(moves):
        played.append(state.moves[number * 7919 % len(state.moves)])
        state = state.play(played[-1])
    saved = io.BytesIO()
    write([Record(start, tuple(played))], saved, "jsonl")
    return saved.getvalue()


@attack("an upload of 80,000 moves on a large board")
async def huge(site: Site) -> str:
    tiles = " ".join(str(1 + number % 8) for number in range(2500))
    line = {"polyversi": 1, "game": "xt:huge", "map": f"8 9999 0 0  50 50  {tiles}",
            "moves": ["10,10"] * 79_993}
    data = json.dumps(line, separators=(",", ":")).encode()
    async with site.http() as http:
        answers = await asyncio.gather(*(http.post("/api/records", content=data) for _ in range(8)))
    hold({answer.status_code for answer in answers} == {400}, f"it got {answers[0].status_code}")
    return f"{len(data):,} bytes, eight times: {answers[0].json()['problem']}"


@attack("uploads that are as long as is allowed", memory=192 * MIB)
async def largest(site: Site) -> str:
    data, before = await asyncio.to_thread(long_game, 50, 3000), site.store_bytes
    async with site.http() as http:
        began = time.monotonic()
        answer = await http.post("/api/records", content=data)
        hold(answer.status_code == 201, f"it was refused: {answer.text[:200]}")
        (game,) = answer.json()["games"]
        took = time.monotonic() - began
        stored = site.store_bytes - before
        hold(stored < 8_000_000, f"it takes {stored:,} bytes in the store")
        hold((await http.get(f"/api/games/{game}")).status_code == 200, "it cannot be looked at")
    async with site.socket(game) as eve:
        await hello(eve)
        while (await message(eve, "event")).get("kind") not in ("end", None):
            pass
    return f"{len(data):,} bytes and 3,000 moves took {took:.1f} s, and {stored / 1e6:.1f} MB in the store"


@attack("uploads that are no records")
async def garbage(site: Site) -> str:
    async with site.http() as http:
        for data in GARBAGE:
            answer = await http.post("/api/records", content=data)
            hold(answer.status_code in (400, 413), f"{data[:20]!r} was answered with {answer.status_code}")
            hold("Traceback" not in answer.text and "root:" not in answer.text,
                 f"{data[:20]!r} was answered with {answer.text[:200]}")
        answer = await http.post("/api/records", content=b"x" * (3 * MIB))
        hold(answer.status_code == 413, f"3 MiB were answered with {answer.status_code}")
        flood = await asyncio.gather(*(http.post("/api/records", content=b"f5d6c3\n") for _ in range(100)))
    taken = sum(answer.status_code == 201 for answer in flood)
    hold(taken <= 30, f"{taken} of 100 at once were taken in")
    hold("Traceback" not in site.served.log, "the server wrote a traceback")
    return f"{len(GARBAGE) + 1} were refused, and {100 - taken} of 100 at once"
