"""Rendering: pictures and other downloads of games, made in a worker process so that no game waits."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import signal
import threading
from collections import OrderedDict
from concurrent.futures import Executor, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import TYPE_CHECKING

from polyversi.server.downloads import WITH_ALL_MOVES, download

if TYPE_CHECKING:
    from polyversi.records import Record

MAX_CACHED = 64
"""Downloads that are kept for the next one who asks."""
MAX_CACHED_BYTES = 2_000_000


class Renderer:
    """Makes one download after the other, and caches the last ones."""

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
                self.close()
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
        """Ends the worker."""
        if self._executor is not None:
            self._executor.shutdown(wait=False, cancel_futures=True)
            self._executor = None


def _start_worker() -> None:
    """In the worker: it ends with its parent process, however that ends, and leaves Ctrl-C to it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)

    def end_with_parent() -> None:
        if (parent := multiprocessing.parent_process()) is not None:
            parent.join()
            os._exit(0)

    threading.Thread(target=end_with_parent, daemon=True).start()
