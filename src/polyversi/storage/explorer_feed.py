"""The games of a store in an explorer beside it: counted as they end, and older ones in the background."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from dataclasses import asdict
from functools import partial
from queue import SimpleQueue

from polyversi.gameplay.log import GameLog
from polyversi.games.errors import PolyversiError
from polyversi.records import Record
from polyversi.records.maps import named_game
from polyversi.storage.database import place_of
from polyversi.storage.errors import StoreError
from polyversi.storage.explorer import Explorer
from polyversi.storage.games import Store, StoredGame
from polyversi.storage.retention import DISPOSABLE, kind_of

BATCH = 50
"""Games that are counted with one commit."""
MAX_CELLS = 8_000_000
"""Cells of all positions of a game that is counted; only on the largest maps there are more."""
CLOSE_TIMEOUT = 10.0


def beside(where: str) -> str:
    """Where the explorer of a store is: in a file beside its file, or in the same database of a server.

    >>> beside("/var/games.db"), beside("postgresql://ann@localhost/club")
    ('/var/games.explorer.db', 'postgresql://ann@localhost/club')
    """
    file = place_of(where)
    return where if file is None else str(file.with_name(f"{file.stem}.explorer{file.suffix}"))


def count_all(store: Store, explorer: Explorer, *, stop: threading.Event | None = None,
              megabytes: float = 0.0, progress: Callable[[int, int], None] = lambda *_: None) -> None:
    """Counts every game of a store that is over and has not been counted; it may be stopped at any time.

    `progress` is told how many games have been looked at, and of how many. It rests as long as it works where
    something can stop it: whoever else has work to do in this process comes first.
    """
    ids = store.over()
    for first in range(0, len(ids), BATCH):
        begin = time.monotonic()
        count_games(store, explorer, ids[first:first + BATCH], megabytes)
        progress(min(first + BATCH, len(ids)), len(ids))
        if stop is not None and stop.wait(time.monotonic() - begin):
            return


def count_games(store: Store, explorer: Explorer, ids: Sequence[str], megabytes: float = 0.0) -> None:
    """Counts games of a store that are over, except for uploaded ones, which were not played here.

    With more megabytes than these, only games of people are counted: anybody can make any amount of others.
    """
    is_full = megabytes > 0 and explorer.bytes > 1e6 * megabytes
    games = []
    for id in explorer.uncounted(ids):
        with suppress(PolyversiError, ValueError):    # a damaged game, which others report
            stored = store.game(id)
            if stored is None or stored.phase != "over":
                continue
            kind = kind_of([asdict(seat) for seat in stored.seats], stored.series)
            if kind != "imports" and not (is_full and kind in DISPOSABLE):
                games += [(record, id)] if (record := _record(store, stored)) else []
    explorer.add_stored(games)


def _record(store: Store, stored: StoredGame) -> Record | None:
    """The game as it was played; None if it is too large to be counted."""
    start = named_game(stored.spec, stored.map).position(stored.start)
    log = GameLog(start, store.each_event(stored.id), is_thin=True)
    if len(log.plies) * start.board.size > MAX_CELLS:
        return None
    return log.record.with_tags((("date", time.strftime("%Y-%m-%d", time.gmtime(stored.created))),))


class Feed:
    """Keeps the explorer of a store up to date in a thread of its own, from `start` to `close`."""

    def __init__(self, store: Store, explorer: Explorer, say: Callable[[str], None] = print) -> None:
        self.explorer = explorer
        self._store = store
        self._say = say
        self._over: SimpleQueue[Collection[str] | None] = SimpleQueue()
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="explorer feed", daemon=True)

    def start(self) -> None:
        """Begins with the games that were over before."""
        self._store.on_over.append(self._over.put)
        self._thread.start()

    def close(self) -> None:
        """Ends when the games that are being counted are; what is left is counted after the next start."""
        self._store.on_over.remove(self._over.put)
        self._stop.set()
        self._over.put(None)
        self._thread.join(CLOSE_TIMEOUT)

    def _run(self) -> None:
        kept = self._store.retention
        megabytes = kept.megabytes if kept else 0.0
        self._try(lambda: count_all(self._store, self.explorer, stop=self._stop, megabytes=megabytes))
        while (over := self._next()) is not None and not self._stop.is_set():
            self._try(partial(count_games, self._store, self.explorer, over, megabytes))

    def _next(self) -> list[str] | None:
        """The games that are over since the last call, at least one; None when it ends."""
        found: list[str] = []
        while not found or not self._over.empty():
            ids = self._over.get()
            if ids is None:
                return None
            found += ids
        return found

    def _try(self, work: Callable[[], None]) -> None:
        try:
            work()
        except StoreError as error:    # what it leaves out now is counted after the next start
            self._say(f"the explorer misses some games until the server is started again: {error}")
