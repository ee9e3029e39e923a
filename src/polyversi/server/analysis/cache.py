"""What is known of positions: in canonical form, shared by all, in memory and in the store, both bounded."""

from __future__ import annotations

import asyncio
import hashlib
import time
from collections import OrderedDict
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TypeVar

import msgspec
from msgspec import structs

from polyversi.engines.judge import Finding
from polyversi.engines.proof import ProofFinding
from polyversi.games.game import Game
from polyversi.games.state import State
from polyversi.games.symmetry import Symmetry
from polyversi.storage.games import Store, StoreError, Transaction
from polyversi.storage.write_queue import WriteQueue

F = TypeVar("F", bound=Finding)
K = TypeVar("K", bound=msgspec.Struct)
MAX_BYTES = 32_000_000
"""Of what is kept in memory."""
WORTH_STORING = 0.09
"""Seconds of thought above which it is kept in the store."""


class Known(Finding, frozen=True, kw_only=True):
    """What everybody who has thought about a position has found together."""

    final: bool = False
    """Whether thinking further would find nothing more."""

    @property
    def is_worth_storing(self) -> bool:
        """Whether it is exact or has cost enough."""
        return self.exact or self.seconds >= WORTH_STORING


NOTHING_KNOWN = Known(unit="stones", depth=0, selectivity=0, exact=False, nodes=0, seconds=0.0, moves=[])
"""Of a position that nobody has thought about."""


@dataclass(frozen=True)
class CanonicalPosition:
    """A position in the form that stands for all that are symmetric to it.

    >>> import polyversi as pv
    >>> start = pv.game("othello").start()
    >>> len({CanonicalPosition.of(start.play(move)).key for move in start.moves})
    1
    """

    state: State
    map: str
    """The text of the XT map, where the game has no name that says it all."""
    symmetry: Symmetry = field(compare=False)
    """What has led from the visitor's position to this one."""

    @classmethod
    def of(cls, state: State, chart: str = "") -> CanonicalPosition:
        """The one that stands for a visitor's position."""
        canonical, symmetry = state.canonical()
        return cls(canonical, chart, symmetry)

    @property
    def key(self) -> str:
        """By what it is found again."""
        name = "\n".join((self.state.game.spec, self.map, self.state.text))
        return hashlib.sha256(name.encode()).hexdigest()[:40]

    def seen(self, finding: F) -> F:
        """What is known of it, with the moves as the visitor sees them."""
        return _renamed(finding, _names(self.state.game, self.symmetry)[1])

    def canonical(self, finding: F) -> F:
        """What was found in the visitor's position, with the moves of this one."""
        return _renamed(finding, _names(self.state.game, self.symmetry)[0])


def _renamed(finding: F, names: dict[str, str]) -> F:
    return structs.replace(finding, moves=[
        structs.replace(one, move=names[one.move], line=[names[move] for move in one.line])
        for one in finding.moves])


@lru_cache(maxsize=64)
def _names(game: Game, symmetry: Symmetry) -> tuple[dict[str, str], dict[str, str]]:
    """What each move is called on the transformed board, and what each of its moves was called before."""
    pairs = [(str(game.action(index)), str(after)) for index, after in enumerate(symmetry.moves)]
    return dict(pairs), {after: before for before, after in pairs}


class Cache:
    """Findings by the keys of their positions; those that were used last stay in memory, all in the store.

    They are kept as the JSON that the store has: so their memory is bounded by its bytes.
    """

    def __init__(self, store: Store, max_bytes: int = MAX_BYTES) -> None:
        self._store = store
        self._max_bytes = max_bytes
        self._bytes = 0
        self._known: OrderedDict[str, bytes] = OrderedDict()

    async def find(self, key: str) -> Known | None:
        """What is known of a position; a store that cannot be read knows nothing."""
        return await self._find(key, Known)

    async def find_proof(self, key: str) -> ProofFinding | None:
        """The proof of that key."""
        return await self._find(key, ProofFinding)

    async def _find(self, key: str, kind: type[K]) -> K | None:
        if key in self._known:
            self._known.move_to_end(key)
            return msgspec.json.decode(self._known[key], type=kind)
        try:
            stored = await asyncio.to_thread(self._store.analysis, key)
            found = None if stored is None else msgspec.json.decode(stored, type=kind)
        except (StoreError, msgspec.DecodeError):
            return None
        if key in self._known:    # it was found meanwhile
            return msgspec.json.decode(self._known[key], type=kind)
        if stored is not None:
            self._keep(key, stored.encode())
        return found

    def keep(self, key: str, finding: Known | ProofFinding) -> None:
        """Remembers what was found."""
        self._keep(key, msgspec.json.encode(finding))

    async def offer(self, position: CanonicalPosition, finding: Finding) -> None:
        """Remembers what was found elsewhere, unless more is known."""
        known = await self.find(position.key)
        if known is None or known.reached < finding.reached:
            self.keep(position.key, Known(**structs.asdict(position.canonical(finding))))

    def store(self, key: str, finding: Known | ProofFinding, write_queue: WriteQueue) -> None:
        """Remembers what was found, and has it stored."""
        data, now = msgspec.json.encode(finding), time.time()
        self._keep(key, data)
        text = data.decode()

        def job(transaction: Transaction) -> None:
            transaction.keep_analysis(key, text, now)

        write_queue.submit(job, lambda: None)

    def _keep(self, key: str, data: bytes) -> None:
        self._bytes += len(data) - len(self._known.pop(key, b""))
        self._known[key] = data
        while self._bytes > self._max_bytes and len(self._known) > 1:
            _, gone = self._known.popitem(last=False)
            self._bytes -= len(gone)
