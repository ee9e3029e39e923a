"""Proofs of whole games, watched live: one at a time, in a process of its own that gives way to everybody."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Callable
from dataclasses import dataclass

from polyversi.engines.proof import ProofFinding
from polyversi.games.errors import PolyversiError
from polyversi.games.state import State
from polyversi.server.analysis.cache import Cache
from polyversi.server.analysis.shared_job import SharedJob
from polyversi.server.analysis.tasks import ProveTask
from polyversi.server.analysis.workers import FAILED, Worker, WorkerLostError
from polyversi.storage.write_queue import WriteQueue

NICE = 19
"""A proof takes what nobody else wants: beside the engine workers at least a tenth of a processor."""
GRACE = 10.0
"""Seconds that a proof goes on after the last one who watched it has left."""
TURN = 600.0
"""Seconds that a proof has to itself; after that it gives way to another one that is asked for."""


@dataclass(frozen=True, eq=False)
class ProofWatcher:
    """Somebody who watches a proof."""

    on_update: Callable[[ProofFinding], None]
    on_error: Callable[[str], None]


class Proofs:
    """The proof that goes on, if any; finished ones are kept like analyses."""

    def __init__(self, cache: Cache, write_queue: Callable[[], WriteQueue],
                 say: Callable[[str], None]) -> None:
        self._cache = cache
        self._write_queue = write_queue
        self._say = say
        self._running: _ProofJob | None = None
        self._ended: set[asyncio.Task[None]] = set()

    @property
    def is_busy(self) -> bool:
        """Whether a proof is being made, or has not stopped yet."""
        return self._running is not None or bool(self._ended)

    async def begin(self, state: State, chart: str, watcher: ProofWatcher) -> Callable[[], None]:
        """Has the values of all moves proved and tells how far it is; what is returned ends that."""
        key = key_of(state, chart)
        if (known := await self._cache.find_proof(key)) is not None:
            watcher.on_update(known)
            return lambda: None
        running = self._running
        if running is not None and running.key != key:
            left = TURN - running.age
            if left > 0:
                raise PolyversiError(
                    f"another proof is being made, of {running.title}; there is one at a time, and it gives "
                    f"way in {left:.0f} s if it is not done by then")
            running.end("another proof has its turn now; ask again later")
        if self._running is None:
            self._running = _ProofJob(self, key, state, chart)
        joined = self._running
        joined.join(watcher)
        return lambda: joined.leave(watcher)

    async def close(self) -> None:
        """Ends it."""
        if self._running is not None:
            self._running.end("the server is being closed")
        await asyncio.gather(*self._ended, return_exceptions=True)

    def keep(self, key: str, finding: ProofFinding) -> None:
        """Keeps a proof that is done."""
        self._cache.store(key, finding, self._write_queue())

    def say(self, sentence: str) -> None:
        """Tells the operator something."""
        self._say(sentence)

    def forget(self, running: _ProofJob, task: asyncio.Task[None]) -> None:
        """A proof is over; its process may need a moment."""
        if self._running is running:
            self._running = None
        self._ended.add(task)
        task.add_done_callback(self._ended.discard)


class _ProofJob(SharedJob[ProofWatcher]):
    """A proof that is being made."""

    def __init__(self, proofs: Proofs, key: str, state: State, chart: str) -> None:
        super().__init__(GRACE)
        self.key = key
        self.title = state.game.spec
        self._proofs = proofs
        self._since = asyncio.get_running_loop().time()
        self._known: ProofFinding | None = None
        self._task = asyncio.create_task(self._run(ProveTask(state.game.spec, chart, state.text)))

    @property
    def age(self) -> float:
        """Seconds since it was begun."""
        return asyncio.get_running_loop().time() - self._since

    def tell(self, watcher: ProofWatcher) -> None:
        """Tells what is proved, if anything is."""
        if self._known is not None:
            watcher.on_update(self._known)

    def end(self, reason: str = "") -> None:
        """Ends it; whoever watches is told why."""
        self._proofs.forget(self, self._task)
        if reason:
            self._fail(reason)
        self._task.cancel()

    async def _run(self, task: ProveTask) -> None:
        worker = Worker(NICE)
        try:
            answer = await worker.run(task, self._find, None)
            if answer.fault:
                self._proofs.say(f"a proof failed: {answer.fault}")
            if answer.fault or answer.problem:
                self._fail(answer.problem or FAILED)
        except WorkerLostError:
            self._proofs.say(f"the process ended that was proving {self.title}")
            self._fail(FAILED)
        finally:
            self._proofs.forget(self, self._task)
            self._stop_timer()
            await asyncio.shield(worker.close())

    def _find(self, finding: ProofFinding) -> None:
        self._known = finding
        if finding.done:
            self._proofs.keep(self.key, finding)
        self._tell_all()


def key_of(state: State, chart: str) -> str:
    """By what a proof is found again."""
    name = "\n".join((state.game.spec, chart, state.text))
    return "proof " + hashlib.sha256(name.encode()).hexdigest()[:40]
