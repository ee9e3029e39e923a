"""A game in a thread of its own, and its events for whoever shows them."""

from __future__ import annotations

import asyncio
import os
import threading
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress

from polyversi.gameplay.events import Event, Observer
from polyversi.gameplay.referee import Asked, Finished, Referee

CLOSE_TIMEOUT = 2.0
"""Seconds a game that is broken off has for closing its seats."""


class GameThread:
    """A game that goes on by itself while this thread shows its events at leisure and listens to a person.

    >>> import polyversi as pv
    >>> from polyversi.gameplay import LocalSeat, Referee
    >>> seats = [LocalSeat(pv.player("random", seed=seed)) for seed in (1, 2)]
    >>> start = pv.game("othello-4").start()
    >>> with GameThread(lambda observers: Referee(start, seats, observers=observers)) as game:
    ...     kinds = [event.kind for event in iter(game.next, None)]
    >>> kinds[0], kinds[-1], game.finished().record.result is not None
    ('start', 'end', True)
    """

    def __init__(self, referee_with: Callable[[Sequence[Observer]], Referee]) -> None:
        self._finished: Finished | None = None
        self._referee = referee_with([self._take])
        self._events: deque[Event] = deque()
        self._error: BaseException | None = None
        self._task: asyncio.Task[Finished] | None = None
        self.descriptor, self._signal = os.pipe()
        """Readable whenever `next` has something to give, for those who wait for more than one thing."""
        self._thread = threading.Thread(target=self._run, name="game", daemon=True)

    def __enter__(self) -> GameThread:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        task = self._task
        if task is not None and not task.done():
            with suppress(RuntimeError):    # the loop may have closed by itself meanwhile
                task.get_loop().call_soon_threadsafe(task.cancel)
        self._thread.join(CLOSE_TIMEOUT)
        if not self._thread.is_alive():
            os.close(self.descriptor)
            os.close(self._signal)

    def next(self) -> Event | None:
        """The next event, as soon as there is one; None after the last."""
        os.read(self.descriptor, 1)
        if self._events:
            return self._events.popleft()
        if self._error is not None:
            raise self._error
        return None

    @property
    def asked(self) -> Asked | None:
        """Whose move is awaited and since when, or None between moves."""
        return self._referee.asked

    def finished(self) -> Finished:
        """The game after its last event."""
        self._thread.join()
        if self._error is not None:
            raise self._error
        assert self._finished is not None
        return self._finished

    def _take(self, event: Event) -> None:
        self._events.append(event)
        os.write(self._signal, b".")

    def _run(self) -> None:
        async def run() -> Finished:
            self._task = asyncio.current_task()
            return await self._referee.run()

        try:
            self._finished = asyncio.run(run())
        except BaseException as error:    # it is raised where the events are read
            self._error = error
        os.write(self._signal, b".")
