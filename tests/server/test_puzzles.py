"""The routes of the puzzles: long lists come in parts, and visitors from elsewhere can ask only so often."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial

import httpx
import pytest
from msgspec import Struct
from starlette.requests import Request

import polyversi as pv
from polyversi.server import puzzles
from polyversi.server.app import application
from polyversi.server.limits import RateLimit
from polyversi.server.responses import limited

BURST = 3


def test_long_lists_come_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(puzzles, "MAX_LISTED", 7)
    found, after = list[str](), ""
    while True:
        part = puzzles.listed({"spec": "reversi", "after": after})
        assert part.total == len(pv.puzzles("reversi")) and len(part.puzzles) <= 7
        found += [one.id for one in part.puzzles]
        if part.next is None:
            break
        after = part.next
    assert found == [one.id for one in pv.puzzles("reversi")]


def test_a_visitor_asks_only_so_often() -> None:
    async def work(_: Request, do: Callable[[], Struct]) -> Struct:
        return do()

    async def ask() -> list[int]:
        routes = puzzles.routes(partial(limited, limit=RateLimit(BURST, 0.0)), work)
        transport = httpx.ASGITransport(application((), routes), client=("192.0.2.7", 1234))
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
            return [(await client.get(f"/api/puzzles{path}")).status_code
                    for path in ("", "/daily", "/nothing", "")]

    assert asyncio.run(ask()) == [200, 200, 404, 429]
