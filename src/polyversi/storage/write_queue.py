"""The write queue: writes to the store in order, many in one commit, and tells when each is on disk."""

from __future__ import annotations

import asyncio
import secrets
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from queue import Empty, SimpleQueue

from polyversi.storage.games import Store, StoreError, StoreUnavailableError, Transaction

MIN_PAUSE, MAX_PAUSE = 0.05, 2.0
"""Seconds between attempts to write to a store that does not take anything just now."""
MAX_BATCH = 1000
"""Jobs of one commit, so that the first of them need not wait long for the last."""
CLOSE_TIMEOUT = 5.0
"""Seconds in which a queue that is being closed goes on trying to write."""

Job = Callable[[Transaction], None]
Then = Callable[[], None]
Failed = Callable[[Exception], None]


class NotStoredError(StoreUnavailableError):
    """Something that is left out since the store cannot be written just now."""


@dataclass(eq=False)
class _Write:
    job: Job
    then: Then
    failed: Failed
    error: Exception | None = None
    is_withdrawn: bool = False


class WriteQueue:
    """Carries out jobs of an event loop on a store, in a thread of its own, in the order they are given.

    All jobs that wait are written with one commit. Only then are they told so, each exactly once and in
    order: whatever was told is on disk. A store that cannot be written is tried again until it can; a job
    that is wrong in itself fails alone.

    >>> import tempfile
    >>> from polyversi.gameplay.events import StartEvent
    >>> from polyversi.storage.games import StoredGame
    >>> async def write(store):
    ...     queue = WriteQueue(store)
    ...     game = StoredGame("g", "othello", "", "", (), (), created=1.0)
    ...     queue.submit(lambda tx: tx.add_game(game), lambda: None)
    ...     start = StartEvent(0, "othello", "…", ("Ann", "Bob"), ("none", "none"))
    ...     queue.submit(lambda tx: tx.append("g", start), lambda: print("on disk"))
    ...     await queue.close()
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     asyncio.run(write(Store.open(f"{folder}/games.db")))
    on disk
    """

    def __init__(self, store: Store, say: Callable[[str], None] = print) -> None:
        self.store = store
        self._say = say
        self._loop = asyncio.get_running_loop()
        self._queue: SimpleQueue[_Write | None] = SimpleQueue()
        self._submitted = 0
        self._settled = 0
        self._waiting: list[tuple[int, asyncio.Future[None]]] = []
        self._is_closed = False
        self._impatient: dict[_Write, asyncio.Future[None]] = {}
        self.trouble = ""
        """Why nothing can be written just now; empty as long as all is well."""
        self._closing = threading.Event()
        """Set when there is no more time to wait for the store."""
        self._name = secrets.token_hex(8)
        self._batch = 0
        self._thread = threading.Thread(target=self._run_thread, name="write queue", daemon=True)
        self._thread.start()

    def submit(self, job: Job, then: Then, failed: Failed | None = None) -> None:
        """Has a job done; `then` is called in the event loop when it is on disk.

        The job runs in another thread, perhaps more than once: it is to write to its transaction, no more.
        If it is wrong in itself, `failed` is called in place of `then`; without it the fault is only said.
        """
        self._submit(job, then, failed or self._report)

    def _submit(self, job: Job, then: Then, failed: Failed) -> _Write:
        if self._is_closed:
            raise StoreError("the write queue is closed")
        self._submitted += 1
        write = _Write(job, then, failed)
        self._queue.put(write)
        return write

    async def write(self, job: Job) -> None:
        """Has a job done and waits until it is on disk; raises what is wrong with it, if anything is."""
        await self._written(job)

    async def write_now(self, job: Job) -> None:
        """Has a job done like `write`, or raises a NotStoredError as soon as the store cannot be written.

        The job is then left out, unless it was on disk before the trouble was noticed.
        """
        if self.trouble:
            raise NotStoredError(self.trouble)
        await self._written(job, is_impatient=True)

    async def _written(self, job: Job, *, is_impatient: bool = False) -> None:
        done = self._loop.create_future()

        def settle(error: Exception | None = None) -> None:
            if done.done():
                return    # nobody waits any more
            if error is None:
                done.set_result(None)
            else:
                done.set_exception(error)

        write = self._submit(job, settle, settle)
        if is_impatient:
            self._impatient[write] = done
        try:
            await done
        finally:
            self._impatient.pop(write, None)

    @property
    def waiting(self) -> int:
        """How many jobs have been given that are not on disk yet."""
        return self._submitted - self._settled

    async def drain(self) -> None:
        """Waits until everything submitted so far is on disk and was told so."""
        if self.waiting:
            done = self._loop.create_future()
            self._waiting.append((self._submitted, done))
            await done

    async def close(self, timeout: float = CLOSE_TIMEOUT) -> None:
        """Writes what waits and ends; what cannot be written in that time is left out, and never told."""
        if self._is_closed:
            return
        self._is_closed = True
        self._queue.put(None)
        await asyncio.to_thread(self._thread.join, timeout)
        self._closing.set()
        await asyncio.to_thread(self._thread.join, timeout)
        if left := self.waiting:
            self._say(f"{left} writes to {self.store.name} are lost: it could not be written before the end")

    # In the event loop, called from the thread.

    def _settle(self, writes: Sequence[_Write]) -> None:
        for write in writes:
            self._settled += 1
            try:
                write.then() if write.error is None else write.failed(write.error)
            except Exception as error:
                fault = {"message": "a step that follows a write to the store failed", "exception": error}
                self._loop.call_exception_handler(fault)
        while self._waiting and self._waiting[0][0] <= self._settled:
            _, done = self._waiting.pop(0)
            if not done.done():
                done.set_result(None)

    def _note_trouble(self, trouble: str) -> None:
        self.trouble = trouble
        for write, done in self._impatient.items() if trouble else ():
            write.is_withdrawn = True
            if not done.done():
                done.set_exception(NotStoredError(trouble))

    def _report(self, error: Exception) -> None:
        self._say(f"something could not be stored: {error}")

    # In the thread.

    def _run_thread(self) -> None:
        is_last = False
        while not is_last:
            writes, is_last = self._next_batch()
            if writes and not self._write_batch(writes):
                return    # nothing that comes later may be kept without these
            with suppress(RuntimeError):    # the loop was closed: nobody is left to hear of it
                self._loop.call_soon_threadsafe(self._settle, writes)
        with suppress(StoreError), self.store.transaction() as tx:
            tx.forget_writer(self._name)

    def _next_batch(self) -> tuple[list[_Write], bool]:
        """The jobs that wait, at least one; and whether there will be no more."""
        writes: list[_Write] = []
        write = self._queue.get()
        while write is not None:
            writes.append(write)
            if len(writes) == MAX_BATCH:
                return writes, False
            try:
                write = self._queue.get_nowait()
            except Empty:
                return writes, False
        return writes, True

    def _write_batch(self, writes: Sequence[_Write]) -> bool:
        """Writes these jobs however long it takes; False when there is no time left."""
        self._batch += 1
        pause, has_failed = MIN_PAUSE, False
        while True:
            try:
                self._commit(writes, again=has_failed)
            except Exception as error:
                if not has_failed:
                    self._call_there(self._note_trouble, str(error))
                    self._say_there(f"{error}; the page waits until the store can be written again")
                has_failed = True
            else:
                if has_failed:
                    self._call_there(self._note_trouble, "")
                    self._say_there(f"the store {self.store.name} can be written again; nothing is lost")
                return True
            if self._closing.wait(pause):
                return False
            pause = min(2 * pause, MAX_PAUSE)

    def _commit(self, writes: Sequence[_Write], again: bool) -> None:
        try:
            self._run(writes, again, one_by_one=False)
        except StoreUnavailableError:
            raise
        except Exception:    # one of them is wrong: find out which
            self._run(writes, again, one_by_one=True)

    def _run(self, writes: Sequence[_Write], again: bool, one_by_one: bool) -> None:
        """One transaction for all; its number in the store tells whether an attempt was kept after all."""
        with self.store.transaction() as tx:
            if again and tx.last_batch(self._name) == self._batch:
                return
            for write in writes:
                write.error = None
                if write.is_withdrawn:
                    continue
                if not one_by_one:
                    write.job(tx)
                    continue
                try:
                    with tx.attempt():
                        write.job(tx)
                except StoreUnavailableError:
                    raise
                except Exception as error:
                    write.error = error
            tx.note_batch(self._name, self._batch)

    def _say_there(self, sentence: str) -> None:
        self._call_there(self._say, sentence)

    def _call_there(self, call: Callable[[str], None], sentence: str) -> None:
        with suppress(RuntimeError):
            self._loop.call_soon_threadsafe(call, sentence)
