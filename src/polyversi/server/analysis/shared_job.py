"""Shared jobs: work that is done once for everybody who watches it, and ends when nobody does."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Generic, Protocol, TypeVar


class AnyWatcher(Protocol):
    """Somebody who watches a job."""

    @property
    def on_error(self) -> Callable[[str], None]:
        """Gets a sentence when the job fails."""


W = TypeVar("W", bound=AnyWatcher)


class SharedJob(ABC, Generic[W]):
    """A job with those who watch it; without anybody it goes on for so many seconds."""

    def __init__(self, grace: float = 0.0) -> None:
        self._grace = grace
        self._watchers: list[W] = []
        self._timer: asyncio.TimerHandle | None = None

    @abstractmethod
    def tell(self, watcher: W) -> None:
        """Tells what has been found so far, if anything has."""

    @abstractmethod
    def end(self) -> None:
        """Ends the job."""

    def join(self, watcher: W) -> None:
        """Somebody watches it, and is told at once what there is."""
        self._stop_timer()
        self._watchers.append(watcher)
        self.tell(watcher)

    def leave(self, watcher: W) -> None:
        """Somebody has left; without anybody it ends, at once or after its grace time."""
        if watcher in self._watchers:
            self._watchers.remove(watcher)
            if self._watchers:
                return
            if self._grace:
                self._timer = asyncio.get_running_loop().call_later(self._grace, self.end)
            else:
                self.end()

    def _tell_all(self) -> None:
        for watcher in list(self._watchers):
            self.tell(watcher)

    def _fail(self, problem: str) -> None:
        for watcher in list(self._watchers):
            watcher.on_error(problem)

    def _stop_timer(self) -> None:
        """Stops the timer at whose end it would end."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
