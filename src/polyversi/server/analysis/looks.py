"""Looks: positions that visitors look at, thought about once for all of them, ever deeper while they do."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from polyversi.games.errors import PolyversiError
from polyversi.server.analysis.cache import NOTHING, Cache, Place
from polyversi.server.analysis.queue import next_slice
from polyversi.server.analysis.tasks import Think
from polyversi.server.analysis.workers import Pool
from polyversi.storage.write_queue import WriteQueue

Json = dict[str, Any]


@dataclass(frozen=True)
class Known:
    """What is known of a position, in the visitor's own orientation."""

    data: Json
    done: bool
    """Whether nobody thinks about it any further."""
    wait: float | None = None
    """Seconds until it is its turn again, about, where that is long."""


Told = Callable[[Known], None]
Failed = Callable[[str], None]


class Look:
    """A visitor who looks at a position."""

    def __init__(self, visitor: str, place: Place, told: Told, failed: Failed) -> None:
        self.visitor = visitor
        self.place = place
        self.failed = failed
        self._told = told

    def tell(self, data: Json, *, done: bool, wait: float | None = None) -> None:
        """Tells what is known."""
        self._told(Known(self.place.seen(data), done, wait))


class Looks:
    """All positions that are looked at just now."""

    def __init__(self, pool: Pool, cache: Cache, write_queue: Callable[[], WriteQueue],
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
        key = look.place.key
        if key not in self._thoughts:
            known = await self.cache.find(key)
            if known is not None and self.is_done(known):
                look.tell(known, done=True)
                return lambda: None
            if key not in self._thoughts:    # nobody was faster
                self._thoughts[key] = Thought(self, look.place, known or NOTHING)
        thought = self._thoughts[key]
        thought.join(look)
        return lambda: thought.leave(look)

    def is_done(self, known: Json) -> bool:
        """Whether a position is not thought about any further."""
        return bool(known["exact"] or known.get("final")) or known["seconds"] >= self.seconds

    def end(self, thought: Thought) -> None:
        """Nobody looks at a position any more, or it is done."""
        if self._thoughts.get(thought.key) is thought:
            del self._thoughts[thought.key]
            self.cache.store(thought.key, self.write_queue())


class Thought:
    """A position that somebody looks at: slices of thought, one after another, until it is done."""

    def __init__(self, looks: Looks, place: Place, known: Json) -> None:
        self.key = place.key
        self._looks = looks
        self._place = place
        self._known = known
        self._before = known
        """What was known before this slice."""
        self._watching: list[Look] = []
        self._task = asyncio.create_task(self._think())

    def join(self, look: Look) -> None:
        """Somebody else looks at it."""
        self._watching.append(look)
        if self._known["moves"]:
            look.tell(self._known, done=False)

    def leave(self, look: Look) -> None:
        """Somebody looks elsewhere; with the last one the thought ends."""
        if look in self._watching:
            self._watching.remove(look)
            if not self._watching:
                self._looks.end(self)
                self._task.cancel()

    async def _think(self) -> None:
        looks = self._looks
        try:
            while not looks.is_done(self._known):
                seconds = next_slice(self._known["seconds"], looks.seconds)
                if wait := looks.pool.slices.wait(seconds):
                    self._tell(done=False, wait=wait)
                await self._slice(seconds)
                looks.cache.keep(self.key, self._known)
                self._tell(done=looks.is_done(self._known))
        except PolyversiError as error:
            for look in self._watching:
                look.failed(str(error))
        finally:
            looks.end(self)

    async def _slice(self, seconds: float) -> None:
        """One slice; whatever comes of it, it has cost its time."""
        place, known = self._place, self._known
        self._before = known
        reached = (known["depth"], known["selectivity"]) if known["moves"] else None
        task = Think(place.state.game.spec, place.map, place.state.text, seconds, reached)
        visitor = self._watching[0].visitor if self._watching else ""
        spent = await self._looks.pool.run(visitor, self.key, seconds, task, self._find)
        spent_by_all = round(known["seconds"] + spent.seconds, 3)
        self._known = self._known | {"seconds": spent_by_all, "final": spent.is_final}

    def _find(self, data: Json) -> None:
        """A worker has gone through another iteration."""
        before = self._before
        self._known = data | {"seconds": round(before["seconds"] + data["seconds"], 3),
                              "nodes": before["nodes"] + data["nodes"]}
        self._looks.cache.keep(self.key, self._known)
        self._tell(done=False)

    def _tell(self, *, done: bool, wait: float | None = None) -> None:
        for look in list(self._watching):
            look.tell(self._known, done=done, wait=wait)
