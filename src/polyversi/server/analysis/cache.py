"""What is known of positions: in canonical form, shared by all, in memory and in the store, both bounded."""

from __future__ import annotations

import asyncio
import hashlib
import time
from collections import OrderedDict
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import msgspec

from polyversi.games.game import Game
from polyversi.games.state import State
from polyversi.games.symmetry import Symmetry
from polyversi.storage.games import Store, StoreError, Transaction
from polyversi.storage.write_queue import WriteQueue

Json = dict[str, Any]
MAX_BYTES = 32_000_000
"""Of what is kept in memory."""
WORTH_STORING = 0.09
"""Seconds of thought above which it is kept in the store."""
NOTHING: Json = {"unit": "stones", "depth": 0, "selectivity": 0, "exact": False, "nodes": 0, "seconds": 0.0,
                 "moves": []}
"""The data of a position of which nothing is known."""


@dataclass(frozen=True)
class Place:
    """A position in the form that stands for all that are symmetric to it.

    >>> import polyversi as pv
    >>> start = pv.game("othello").start()
    >>> len({Place.of(start.play(move)).key for move in start.moves})
    1
    """

    state: State
    map: str
    """The text of the XT map, where the game has no name that says it all."""
    symmetry: Symmetry = field(compare=False)
    """What has led from the visitor's position to this one."""

    @classmethod
    def of(cls, state: State, chart: str = "") -> Place:
        """The place of a visitor's position."""
        canonical, symmetry = state.canonical()
        return cls(canonical, chart, symmetry)

    @property
    def key(self) -> str:
        """By what it is found again."""
        name = "\n".join((self.state.game.spec, self.map, self.state.text))
        return hashlib.sha256(name.encode()).hexdigest()[:40]

    def seen(self, data: Json) -> Json:
        """What is known of it, with the moves as the visitor sees them."""
        return _renamed(data, _names(self.state.game, self.symmetry)[1])

    def canonical(self, data: Json) -> Json:
        """What was found in the visitor's position, with the moves of this one."""
        return _renamed(data, _names(self.state.game, self.symmetry)[0])


def _renamed(data: Json, names: dict[str, str]) -> Json:
    return data | {"moves": [
        one | {"move": names[one["move"]], "line": [names[move] for move in one["line"]]}
        for one in data["moves"]]}


@lru_cache(maxsize=64)
def _names(game: Game, symmetry: Symmetry) -> tuple[dict[str, str], dict[str, str]]:
    """What each move is called on the transformed board, and what each of its moves was called before."""
    pairs = [(str(game.action(index)), str(after)) for index, after in enumerate(symmetry.moves)]
    return dict(pairs), {after: before for before, after in pairs}


class Cache:
    """Analyses by the keys of their places; those that were used last stay in memory, all in the store."""

    def __init__(self, store: Store, max_bytes: int = MAX_BYTES) -> None:
        self._store = store
        self._max_bytes = max_bytes
        self._bytes = 0
        self._known: OrderedDict[str, bytes] = OrderedDict()

    async def find(self, key: str) -> Json | None:
        """What is known of a place; a store that cannot be read knows nothing."""
        if key in self._known:
            self._known.move_to_end(key)
            return _read(self._known[key])
        try:
            stored = await asyncio.to_thread(self._store.analysis, key)
        except StoreError:
            return None
        if stored is not None and key not in self._known:
            self._keep(key, stored.encode())
        return _read(self._known[key]) if key in self._known else None

    def keep(self, key: str, data: Json) -> None:
        """Remembers what was found."""
        self._keep(key, msgspec.json.encode(data))

    async def offer(self, place: Place, data: Json) -> None:
        """Remembers what was found elsewhere, unless more is known."""
        known = await self.find(place.key)
        if known is None or (known["depth"], known["selectivity"]) < (data["depth"], data["selectivity"]):
            self.keep(place.key, place.canonical(data))

    def store(self, key: str, write_queue: WriteQueue) -> None:
        """Has what is known of a place stored, if it is exact or has cost enough."""
        known = self._known.get(key)
        data = _read(known) if known else NOTHING
        if known is None or not (data["exact"] or data["seconds"] >= WORTH_STORING):
            return
        text, now = known.decode(), time.time()

        def job(transaction: Transaction) -> None:
            transaction.keep_analysis(key, text, now)

        write_queue.submit(job, lambda: None)

    def _keep(self, key: str, data: bytes) -> None:
        self._bytes += len(data) - len(self._known.pop(key, b""))
        self._known[key] = data
        while self._bytes > self._max_bytes and len(self._known) > 1:
            _, gone = self._known.popitem(last=False)
            self._bytes -= len(gone)


def _read(data: bytes) -> Json:
    read: Json = msgspec.json.decode(data)
    return read
