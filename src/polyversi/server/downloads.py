"""Games to take away: records, text and pictures of any game at any move, and records that come in."""

from __future__ import annotations

import asyncio
import io
import multiprocessing
import os
import signal
import threading
import time
from collections import OrderedDict
from collections.abc import Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import replace

from polyversi.gameplay.events import Event
from polyversi.gameplay.log import GameLog
from polyversi.gameplay.verdict import Verdict
from polyversi.games.board import printable, shorten
from polyversi.games.errors import RecordError
from polyversi.players import NO_LIMIT
from polyversi.records import Bounds, Record, parse, write
from polyversi.records.pictures import gif, png, svg
from polyversi.server.new_game import MAX_TILES, new_stored_game
from polyversi.server.policy import RoomPolicy
from polyversi.server.summaries import standing
from polyversi.storage.games import StoredGame, StoredSeat

MAX_GAMES = 50
"""Games that are taken from one file."""
KINDS = {
    "txt": "text/plain; charset=utf-8",
    "jsonl": "application/x-ndjson",
    "ggf": "text/plain; charset=utf-8",
    "svg": "image/svg+xml",
    "png": "image/png",
    "gif": "image/gif",
}
"""What a game can be had as."""
WITH_ALL_MOVES = ("gif", "jsonl", "ggf")
"""Those that have all of its moves."""
MAX_NAME = 40
"""Characters of a player's name that are kept."""
MAX_CELLS = 32_000_000
"""Cells of all positions of the games in one file: what it costs to play them through."""
BOUNDS = Bounds(MAX_TILES, RoomPolicy.max_events, MAX_CELLS)
MAX_CACHED = 64
"""Downloads that are kept for the next one who asks."""
MAX_CACHED_BYTES = 2_000_000


def record_of(log: GameLog, stored: StoredGame) -> Record:
    """A game so far, with its outcome."""
    return log.record.with_tags((("date", time.strftime("%Y-%m-%d", time.gmtime(stored.created))),))


def download(record: Record, kind: str, ply: int) -> bytes:
    """The game in one of the KINDS; a picture or a text shows it after so many moves."""
    match kind:
        case "svg":
            return svg(record, ply).encode()
        case "png":
            return png(record, ply)
        case "gif":
            return gif(record)
        case "txt":
            return _text(record, ply).encode()
    stream = io.BytesIO()
    write([record], stream, kind)
    return stream.getvalue()


def _text(record: Record, ply: int) -> str:
    """The game for reading: who played what, the moves, and the board."""
    state = list(record.states())[ply]
    players = [f"{number}. {name}" for number, name in enumerate(record.players, 1)]
    moves = " ".join(f"{number}. {move}" for number, move in enumerate(record.moves[:ply], 1))
    result = [str(record.result)] if record.result and ply == len(record.moves) else []
    return "\n".join([record.game.spec, *players, "", moves, "", str(state), "", state.text, *result, ""])


def stored_records(data: bytes) -> list[tuple[StoredGame, tuple[Event, ...]]]:
    """The games of a record file, each as a game that is over, with its events."""
    games: list[tuple[StoredGame, tuple[Event, ...]]] = []
    cells = 0
    for item in parse(data, bounds=BOUNDS):
        if isinstance(item, Record):
            cells += item.game.board.size * (len(item.moves) + 1)
            if cells > BOUNDS.cells:
                raise RecordError("this file has too many games, or too long ones, to open at once")
            games.append(_stored(item))
        if len(games) == MAX_GAMES:
            break
    if not games:
        raise RecordError("there is no game in this file")
    return games


def _stored(record: Record) -> tuple[StoredGame, tuple[Event, ...]]:
    given = record.players or tuple(f"seat {seat}" for seat in range(1, record.game.seats + 1))
    names = tuple(shorten(printable(name), MAX_NAME) for name in given)
    log = _log_of(record, names)
    seats = [StoredSeat("human", "", name, "") for name in names]
    stored = new_stored_game(record.start, seats, [NO_LIMIT] * record.game.seats)
    over = replace(stored, phase="over", ended=stored.created, summary=standing(log))
    return over, tuple(log.events)


def _log_of(record: Record, names: Sequence[str]) -> GameLog:
    """The game as its referee would have told it."""
    log, result = GameLog(record.start, is_thin=True), record.result
    log.begin(names, [NO_LIMIT] * record.game.seats)
    for ply in range(len(record.moves) + 1):
        for place, seat in record.disqualified:
            if place == ply:
                log.judge(Verdict("disqualified", seat))
        if ply < len(record.moves):
            log.play(record.moves[ply], (record.notes[ply].seconds if record.notes else None) or 0.0)
    if result is not None:
        log.finish(result)
    else:
        log.abort((record.outcome.reason if record.outcome else "") or "the record ends here")
    return log


class Renderer:
    """Makes one download after the other, in a worker process so that no game waits, and caches the last."""

    def __init__(self) -> None:
        self._executor: Executor | None = None
        self._cache: OrderedDict[tuple[str, str, int], bytes] = OrderedDict()

    async def render(self, name: str, record: Record, kind: str, ply: int | None) -> bytes:
        """A game in one of the kinds of downloads, after so many moves; the name says how far it has come."""
        is_whole = ply is None or kind in WITH_ALL_MOVES
        at = len(record.moves) if is_whole else min(ply or 0, len(record.moves))
        key = (name, kind, at)
        if key in self._cache:
            self._cache.move_to_end(key)
            return self._cache[key]
        broken = self._executor
        try:
            made = await self._work(record, kind, at)
        except BrokenProcessPool:    # somebody ended the process: another one does it
            if self._executor is broken:
                self._executor = None
            made = await self._work(record, kind, at)
        if len(made) <= MAX_CACHED_BYTES:
            self._cache[key] = made
        if len(self._cache) > MAX_CACHED:
            self._cache.popitem(last=False)
        return made

    async def _work(self, record: Record, kind: str, ply: int) -> bytes:
        if self._executor is None:
            spawning = multiprocessing.get_context("spawn")
            self._executor = ProcessPoolExecutor(1, mp_context=spawning, initializer=_start_worker)
        return await asyncio.get_running_loop().run_in_executor(self._executor, download, record, kind, ply)

    def close(self) -> None:
        """Ends the worker and waits for that: a process that exits meanwhile could wait for it for ever."""
        if self._executor is not None:
            self._executor.shutdown(cancel_futures=True)


def _start_worker() -> None:
    """In the worker: it ends with its parent process, however that ends, and leaves Ctrl-C to it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)

    def end_with_parent() -> None:
        if (parent := multiprocessing.parent_process()) is not None:
            parent.join()
            os._exit(0)

    threading.Thread(target=end_with_parent, daemon=True).start()
