"""Logs of XT servers, which may be longer than anything else that visitors open, and what they may cost."""

from __future__ import annotations

import asyncio
import tracemalloc
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.requests import Request
from starlette.types import Message

import polyversi as pv
from polyversi.games.errors import RecordError
from polyversi.games.state import State
from polyversi.records import FORMATS, Record
from polyversi.records.xt_log_reader import TILES
from polyversi.server.api import MAX_CONCURRENT, Api
from polyversi.server.downloads import Renderer
from polyversi.server.paste import MAX_LOG, recognise
from polyversi.server.responses import MAX_BODY
from polyversi.server.series import SeriesRegistry
from tests.testing import http
from tests.testing.lobby import opened
from tests.testing.page_server import Served
from tests.testing.timeout import TIMEOUT


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with Served(tmp_path_factory.mktemp("served")) as served:
        yield served


@pytest.fixture(scope="module")
def record() -> Record:
    return pv.play("xt:torus,players=2", ["random:seed=1", "random:seed=2"]).record


def drawn(state: State) -> str:
    """The board as a server draws it."""
    rows = [["-"] * state.board.width for _ in range(state.board.height)]
    for (x, y), tile in zip(state.board.coordinates, state.tiles.translate(TILES).decode(), strict=True):
        rows[y][x] = tile
    return "\n".join(["Board:", *map("".join, rows)])


def long_log(record: Record, size: int) -> bytes:
    """A log of at least that size, in which each move is followed by the board, again and again."""
    log = FORMATS["xt-log"]
    lines = b"".join(log.encode([log.fit(record)])).decode().splitlines()
    states = list(record.states())
    boards = {f"move {ply}:": drawn(state) for ply, state in enumerate(states[1:])}
    times = size // sum(map(len, boards.values())) + 1
    for place, line in enumerate(lines):
        if line.startswith("move "):
            lines[place] = "\n".join([line, *[boards[line[: line.index(":") + 1]]] * times])
    return "\n".join([*lines, ""]).encode()


def test_a_long_log_is_opened(server: Served, record: Record) -> None:
    data = long_log(record, 4 * MAX_BODY)
    assert 4 * MAX_BODY < len(data) < MAX_LOG
    answer = http.post(f"{server.address}/api/records", content=data)
    (name,) = answer.json()["games"]
    assert server.get(f"/api/games/{name}")["position"] == record.final.text
    cut = http.post(f"{server.address}/api/records", content=data[:-20])
    assert cut.status_code == 400 and ": the log ends here, but the game has not ended after" in cut.text


def test_only_a_log_may_be_long_and_not_endless(server: Served, record: Record) -> None:
    game = b'{"polyversi": 1, "game": "othello", "moves": [], "tags": {"comment": "%s"}}' % (b"x" * MAX_BODY)
    for data, limit in ((game, 1), (b"f5d6c3\n" * (MAX_BODY // 7 + 1), 1), (long_log(record, MAX_LOG), 8)):
        answer = http.post(f"{server.address}/api/records", content=data)
        assert answer.status_code == 413
        assert answer.json() == {"problem": f"this is too large; the limit is {limit} MiB"}


@pytest.mark.parametrize(
    "line", [b"Player 1 is a\n", b"Board:\n", b"Scores:\nPlayer 1: 2 points\n", "é\n".encode()])
def test_a_long_log_takes_little_memory(record: Record, line: bytes) -> None:
    log = FORMATS["xt-log"]
    head = b"".join(log.encode([log.fit(record)])).partition(b"move 0:")[0]
    data = head + line * (2 * MAX_BODY // len(line))
    tracemalloc.start()
    try:
        with pytest.raises(RecordError, match=r"the log ends here|has 2 points here"):
            recognise(data)
        assert tracemalloc.get_traced_memory()[1] < 4 * MAX_BODY
    finally:
        tracemalloc.stop()


def test_long_logs_of_a_visitor_take_turns(tmp_path: Path, record: Record) -> None:
    """Those that come slowly hold back only further long ones of the same visitor."""
    data = long_log(record, MAX_BODY)

    class Upload:
        """A long log of which the last byte comes when it may."""

        def __init__(self, visitor: str) -> None:
            scope = {"type": "http", "method": "POST", "path": "/api/records", "headers": [],
                     "query_string": b"", "client": (visitor, 4711)}
            self.request = Request(scope, self._receive)
            self.is_begun, self.is_admitted, self.may_end = False, asyncio.Event(), asyncio.Event()

        async def _receive(self) -> Message:
            if not self.is_begun:
                self.is_begun = True
                return {"type": "http.request", "body": data[:-1], "more_body": True}
            self.is_admitted.set()
            await self.may_end.wait()
            return {"type": "http.request", "body": data[-1:], "more_body": False}

    async def evening() -> None:
        async with opened(tmp_path) as lobby, asyncio.timeout(TIMEOUT):
            api = Api(lobby, SeriesRegistry(lobby), renderer)
            slow = [Upload("192.0.2.7") for _ in range(MAX_CONCURRENT)]
            late, other = Upload("192.0.2.7"), Upload("192.0.2.8")
            answers = [asyncio.create_task(api.records(one.request)) for one in (*slow, late, other)]
            for one in (*slow, other):
                await one.is_admitted.wait()
            for _ in range(100):
                await asyncio.sleep(0)
            assert late.is_begun and not late.is_admitted.is_set()
            slow[0].may_end.set()
            await late.is_admitted.wait()
            for one in (*slow, late, other):
                one.may_end.set()
            assert [(await answer).status_code for answer in answers] == [201] * 4

    renderer = Renderer()
    try:
        asyncio.run(evening())
    finally:
        renderer.close()
