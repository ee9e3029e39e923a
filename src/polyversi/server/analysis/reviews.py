"""Reviews of whole games in the background: with progress, kept in the store, resumed by the next one."""

from __future__ import annotations

import asyncio
import hashlib
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass

import msgspec

from polyversi.engines.judge import Finding
from polyversi.engines.review import ReviewFinding
from polyversi.games.errors import PolyversiError, RecordError
from polyversi.games.limit import Limit
from polyversi.records import Bounds, Record, jsonl
from polyversi.records.maps import embedded_map
from polyversi.server.analysis.cache import Cache, CanonicalPosition
from polyversi.server.analysis.shared_job import SharedJob
from polyversi.server.analysis.tasks import PartialReview, ReviewStep
from polyversi.server.analysis.workers import WorkerPool
from polyversi.server.limits import TooManyError
from polyversi.server.lobby import Lobby
from polyversi.server.new_game import MAX_TILES
from polyversi.storage.games import StoreError, Transaction

OnUpdate = Callable[[ReviewFinding, bool], None]
"""Gets the review so far, and whether it has stopped before its end."""
OnError = Callable[[str], None]
BOUNDS = Bounds(MAX_TILES, 1_000, 1_000_000)
"""What one review may hold."""
GRACE = 60.0
"""Seconds that a review goes on after the last one who watched it has left."""
MAX_PER_VISITOR = 2
"""Reviews that go on for one visitor at the same time."""
DEFAULT_SECONDS = 1.0
"""What a move counts as in the queue where its limit is not one of time."""
KEPT_EVERY = 10.0
"""Seconds between two times that an unfinished review is stored."""


class Watcher:
    """Somebody who waits for a review."""

    def __init__(self, visitor: str, on_update: OnUpdate, on_error: OnError) -> None:
        self.visitor = visitor
        self.on_update = on_update
        self.on_error = on_error


@dataclass(frozen=True)
class Watch:
    """What somebody who waits for a review can do."""

    leave: Callable[[], None] = lambda: None
    """Wait no longer; it goes on for a while."""
    stop: Callable[[], None] = lambda: None
    """Have it stopped, if nobody else waits for it."""


class Reviews:
    """The reviews that are being made, each once for everybody who asks."""

    def __init__(self, lobby: Lobby, pool: WorkerPool, cache: Cache) -> None:
        self.pool = pool
        self.cache = cache
        self._lobby = lobby
        self._running: dict[tuple[str, str], _ReviewJob] = {}
        self._unsaved: dict[tuple[str, str], PartialReview] = {}
        """What is on its way to the store."""

    async def stored(self, game: str) -> ReviewFinding | None:
        """The review of a game that is in the store: a whole one, or else as much as there is."""
        # Before the store is read: what is written meanwhile is not in what was read.
        kept = [kept for (name, _), kept in self._unsaved.items() if name == game]
        kept += map(_read, await asyncio.to_thread(self._lobby.store.reviews, game))
        found = [one.review for one in kept if one.review is not None]
        return max(found, key=lambda review: review.is_whole, default=None)

    async def begin(self, name: str, record: Record, limit: Limit, watcher: Watcher) -> Watch:
        """Has a game reviewed and tells what is found, at once what there is.

        The `name` is that of the game in the store, or none for a record that is not in it.
        """
        check_size(record)
        key = (name or name_of(record), settings_of(limit))
        if key not in self._running:
            kept = await self._kept(key)
            if kept.review is not None and kept.is_whole:
                watcher.on_update(kept.review, False)
                return Watch()
            if key not in self._running:
                own = sum(one.visitor == watcher.visitor for one in self._running.values())
                if own >= MAX_PER_VISITOR:
                    raise TooManyError(f"{own} reviews are being made for you already; wait or stop one")
                self._running[key] = _ReviewJob(self, key, record, limit, kept, watcher.visitor)
        running = self._running[key]
        running.join(watcher)
        return Watch(lambda: running.leave(watcher), lambda: running.stop(watcher))

    async def close(self) -> None:
        """Ends all reviews, and keeps what there is of them."""
        for running in list(self._running.values()):
            running.end()
        await asyncio.sleep(0)

    async def _kept(self, key: tuple[str, str]) -> PartialReview:
        if key in self._unsaved:
            return self._unsaved[key]
        with suppress(StoreError):    # it is made anew
            if text := await asyncio.to_thread(self._lobby.store.review, *key):
                return _read(text)
        return PartialReview()

    def keep(self, key: tuple[str, str], kept: PartialReview) -> None:
        """Stores what there is of a review."""
        text, now = msgspec.json.encode(kept).decode(), time.time()

        def job(transaction: Transaction) -> None:
            transaction.keep_review(*key, text, now)

        def then() -> None:
            if self._unsaved.get(key) is kept:
                del self._unsaved[key]

        self._unsaved[key] = kept
        self._lobby.write_queue.submit(job, then)

    def forget(self, running: _ReviewJob) -> None:
        """A review is over."""
        if self._running.get(running.key) is running:
            del self._running[running.key]


def _read(text: str) -> PartialReview:
    """A stored review; one that cannot be read is made anew."""
    try:
        return msgspec.json.decode(text, type=PartialReview)
    except msgspec.DecodeError:
        return PartialReview()


class _ReviewJob(SharedJob[Watcher]):
    """A review that is being made, a move at a time, each when it is its visitor's turn."""

    def __init__(self, reviews: Reviews, key: tuple[str, str], record: Record, limit: Limit,
                 kept: PartialReview, visitor: str) -> None:
        super().__init__(GRACE)
        self.key = key
        self.visitor = visitor
        self._reviews = reviews
        self._line = jsonl.write(record)
        self._limit = limit
        self._kept = kept
        self._stored = asyncio.get_running_loop().time()
        self._states = list(record.states())
        self._chart = embedded_map(record.game)
        self._task = asyncio.create_task(self._run())

    def tell(self, watcher: Watcher, *, is_stopped: bool = False) -> None:
        """Tells the review so far, if there is any."""
        if self._kept.review is not None:
            watcher.on_update(self._kept.review, is_stopped)

    def stop(self, watcher: Watcher) -> None:
        """Somebody wants it no longer; it ends if nobody else does."""
        self.leave(watcher)
        self.tell(watcher, is_stopped=True)
        if not self._watchers:
            self.end()

    def end(self) -> None:
        """Ends it; what there is of it is kept."""
        self._reviews.forget(self)
        self._task.cancel()

    async def _run(self) -> None:
        try:
            while not self._kept.is_whole:
                await self._step()
        except PolyversiError as error:
            self._fail(str(error))
        finally:
            self._reviews.forget(self)
            self._stop_timer()
            if self._kept.review and not self._kept.is_whole:
                self._reviews.keep(self.key, self._kept)

    async def _step(self) -> None:
        name, kept = " ".join(self.key), self._kept
        seconds = self._limit.seconds or DEFAULT_SECONDS
        known: dict[int, Finding] = {}
        while self._kept is kept:    # once more where the worker has forgotten what was before
            task = ReviewStep(name, self._line, self.key[1], len(kept.analyses), known)
            await self._reviews.pool.run(self.visitor, name, seconds, task, self._find, may_end_early=False)
            known = kept.analyses
        await self._share(self._kept.analyses.keys() - kept.analyses.keys())
        now = asyncio.get_running_loop().time()
        if self._kept.is_whole:
            self._kept = PartialReview(self._kept.review)
        if self._kept.is_whole or now - self._stored >= KEPT_EVERY:
            self._stored = now
            self._reviews.keep(self.key, self._kept)
        self._tell_all()

    def _find(self, found: PartialReview) -> None:
        if found.review is not None:
            self._kept = PartialReview(found.review, self._kept.analyses | found.analyses)

    async def _share(self, plies: Iterable[int]) -> None:
        """Lets whoever looks at these positions have what was found."""
        for ply in plies:
            position = await asyncio.to_thread(CanonicalPosition.of, self._states[ply - 1], self._chart)
            await self._reviews.cache.offer(position, self._kept.analyses[ply])


def check_size(record: Record) -> None:
    """Raises a RecordError when a game is too long to be reviewed."""
    BOUNDS.check(record.game.board.size, len(record.moves))
    if not record.moves:
        raise RecordError("there is no move in this game; play some first")


def name_of(record: Record) -> str:
    """By what a game that is not in the store is found again: its moves, whoever played them.

    >>> name_of(Record.of("othello", "f5d6"))[:20]
    'record 7e3d0fc16bc54'
    """
    words = record.game.spec, embedded_map(record.game), record.start.text, *map(str, record.moves)
    return "record " + hashlib.sha256("\n".join(words).encode()).hexdigest()[:40]


def settings_of(limit: Limit) -> str:
    """The settings by which a review is found again.

    >>> settings_of(Limit(seconds=0.1))
    'seconds=0.1'
    """
    return str(limit)
