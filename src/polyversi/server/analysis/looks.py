"""Looks: positions that visitors look at, thought about once for all of them, ever deeper while they do."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass

from msgspec import structs

from polyversi.engines.judge import Finding
from polyversi.games.errors import PolyversiError
from polyversi.server.analysis.cache import NOTHING_KNOWN, Cache, CanonicalPosition, Known
from polyversi.server.analysis.queue import next_slice
from polyversi.server.analysis.shared_job import SharedJob
from polyversi.server.analysis.tasks import Think
from polyversi.server.analysis.workers import WorkerPool
from polyversi.storage.write_queue import WriteQueue


@dataclass(frozen=True)
class Update:
    """What somebody who looks at a position is told: what is known, in the visitor's own orientation."""

    known: Known
    done: bool
    """Whether nobody thinks about it any further."""
    wait: float | None = None
    """Seconds until it is its turn again, about, where that is long."""


OnUpdate = Callable[[Update], None]
OnError = Callable[[str], None]


class Look:
    """A visitor who looks at a position."""

    def __init__(self, visitor: str, position: CanonicalPosition, on_update: OnUpdate,
                 on_error: OnError) -> None:
        self.visitor = visitor
        self.position = position
        self.on_error = on_error
        self._on_update = on_update

    def tell(self, known: Known, *, done: bool, wait: float | None = None) -> None:
        """Tells what is known."""
        self._on_update(Update(self.position.seen(known), done, wait))


class Looks:
    """All positions that are looked at just now."""

    def __init__(self, pool: WorkerPool, cache: Cache, write_queue: Callable[[], WriteQueue],
                 seconds: float) -> None:
        self.seconds = seconds
        """How long a position is thought about at most, for everybody together."""
        self.pool = pool
        self.cache = cache
        self.write_queue = write_queue
        self._thoughts: dict[str, Thought] = {}

    @property
    def positions(self) -> list[str]:
        """The keys of the positions that are thought about."""
        return list(self._thoughts)

    async def begin(self, look: Look) -> Callable[[], None]:
        """Tells what is known at once and whatever is found from then on; what is returned ends that."""
        key = look.position.key
        if key not in self._thoughts:
            known = await self.cache.find(key)
            if known is not None and self.is_done(known):
                look.tell(known, done=True)
                return lambda: None
            if key not in self._thoughts:    # nobody was faster
                self._thoughts[key] = Thought(self, look.position, known or NOTHING_KNOWN)
        thought = self._thoughts[key]
        thought.join(look)
        return lambda: thought.leave(look)

    async def find(self, position: CanonicalPosition) -> Known | None:
        """What is known of a position, also while it is thought about."""
        thought = self._thoughts.get(position.key)
        return thought.known if thought is not None else await self.cache.find(position.key)

    def is_done(self, known: Known) -> bool:
        """Whether a position is not thought about any further."""
        return known.exact or known.final or known.seconds >= self.seconds

    def end(self, thought: Thought) -> None:
        """Nobody looks at a position any more, or it is done."""
        if self._thoughts.get(thought.key) is thought:
            del self._thoughts[thought.key]
            if thought.known.is_worth_storing:
                self.cache.store(thought.key, thought.known, self.write_queue())
            elif thought.known.moves:
                self.cache.keep(thought.key, thought.known)


class Thought(SharedJob[Look]):
    """A position that somebody looks at: slices of thought, one after another, until it is done."""

    def __init__(self, looks: Looks, position: CanonicalPosition, known: Known) -> None:
        super().__init__()
        self.key = position.key
        self.known = known
        self._looks = looks
        self._position = position
        self._before = known
        """What was known before this slice."""
        self._task = asyncio.create_task(self._think())

    def tell(self, watcher: Look) -> None:
        """Tells what is known, if anything is."""
        if self.known.moves:
            watcher.tell(self.known, done=False)

    def end(self) -> None:
        """Nobody looks at it any more."""
        self._looks.end(self)
        self._task.cancel()

    async def _think(self) -> None:
        looks = self._looks
        try:
            while not looks.is_done(self.known):
                seconds = next_slice(self.known.seconds, looks.seconds)
                if wait := looks.pool.slices.wait(seconds):
                    self._tell(done=False, wait=wait)
                await self._slice(seconds)
                self._tell(done=looks.is_done(self.known))
        except PolyversiError as error:
            self._fail(str(error))
        finally:
            looks.end(self)

    async def _slice(self, seconds: float) -> None:
        """One slice; whatever comes of it, it has cost its time."""
        state, known = self._position.state, self.known
        self._before = known
        reached = known.reached if known.moves else None
        task = Think(state.game.spec, self._position.map, state.text, seconds, reached)
        visitor = self._watchers[0].visitor if self._watchers else ""
        spent = await self._looks.pool.run(visitor, self.key, seconds, task, self._find)
        self.known = structs.replace(
            self.known, seconds=round(known.seconds + spent.seconds, 3), final=spent.is_final)

    def _find(self, finding: Finding) -> None:
        """A worker has gone through another iteration."""
        before = self._before
        self.known = Known(**structs.asdict(finding) | {
            "seconds": round(before.seconds + finding.seconds, 3), "nodes": before.nodes + finding.nodes})
        self._tell(done=False)

    def _tell(self, *, done: bool, wait: float | None = None) -> None:
        for look in list(self._watchers):
            look.tell(self.known, done=done, wait=wait)
