"""Watching: the keys that change the pace, and a page with the score above the board."""

from __future__ import annotations

import os
import select
import textwrap
import time
from collections.abc import Callable
from typing import cast

from polyversi.cli.views.board import wrapped
from polyversi.cli.views.game import RECENT, PageView
from polyversi.cli.views.tables import leads
from polyversi.cli.views.terminal import Keys
from polyversi.contest.standings import Standings
from polyversi.gameplay.events import Event

DELAYS = (0, 50, 100, 200, 500, 1000, 2000, 5000, 10_000)
"""The delays between moves, in milliseconds, that the keys step through."""
TICK = 1.0
"""Seconds between two calls while a move is awaited."""


class Quit(Exception):  # noqa: N818 no error: the person wants to leave
    """The person has seen enough."""


class Controls:
    """What the keys change: the delay, a pause, single steps.

    >>> controls = Controls(None, delay=1000)
    >>> controls.press("++- ")
    >>> controls.delay, controls.is_paused
    (2000, True)
    """

    def __init__(self, keys: Keys | None, delay: int) -> None:
        self.delay = delay
        self.is_paused = False
        self._keys = keys
        self._step = False

    def __str__(self) -> str:
        speed = "paused" if self.is_paused else f"delay {self.delay} ms"
        return f"{speed}   + slower   - faster   space pause   n next   q quit" if self._keys else speed

    def press(self, keys: str) -> None:
        """Takes in keys; none at all mean that the terminal is gone."""
        for key in keys or "q":
            if key in "+=":
                self.delay = next((delay for delay in DELAYS if delay > self.delay), self.delay)
            elif key in "-_":
                self.delay = next((delay for delay in reversed(DELAYS) if delay < self.delay), self.delay)
            elif key == " ":
                self.is_paused = not self.is_paused
            elif key == "n":
                self._step = True
            elif key == "q":
                raise Quit

    def wait_for(self, descriptor: int, redraw: Callable[[], None], wait: Callable[[], None]) -> None:
        """Listens to keys until the descriptor is readable; every second in between it calls `wait`."""
        while descriptor not in self._listen([descriptor], TICK, redraw):
            wait()

    def pace(self, redraw: Callable[[], None]) -> None:
        """Listens to keys until it is time for the next move."""
        begin = time.monotonic()
        while not self._step:
            left = None if self.is_paused else begin + self.delay / 1000 - time.monotonic()
            if left is not None and left <= 0:
                break
            self._listen([], left, redraw)
        self._step = False

    def _listen(self, others: list[int], timeout: float | None, redraw: Callable[[], None]) -> list[int]:
        typed = [self._keys.descriptor, self._keys.signals] if self._keys else []
        readable, _, _ = select.select(typed + others, [], [], timeout)    # then Python handles the signal
        if self._keys and self._keys.signals in readable:
            os.read(self._keys.signals, 64)
        if self._keys and self._keys.descriptor in readable:
            before = str(self)
            self.press(self._keys.pressed())
            if str(self) != before:
                redraw()
        return cast("list[int]", readable)


class WatchPage(PageView):
    """A page with the score above the board, and the keys below it."""

    def __init__(self, controls: Controls, standings: Standings, rounds: int) -> None:
        super().__init__()
        self._controls, self._standings, self._rounds = controls, standings, rounds
        self.number = 0
        """The round that is shown."""
        self._waiting = ""

    def __call__(self, event: Event) -> None:
        self._waiting = ""
        super().__call__(event)

    def show_waiting(self, sentence: str) -> None:
        """Shows below the board who is thinking, until the next event."""
        self._waiting = sentence
        self.redraw()

    def show_start(self) -> None:
        self.number += 1
        super().show_start()

    def show_end(self, sentence: str) -> None:
        self.recent.append(sentence.partition("\n")[0])
        self.redraw()

    def header(self) -> list[str]:
        score = " · ".join([f"round {self.number} of {self._rounds}", *leads(self._standings)])
        return [*super().header(), *textwrap.wrap(score, self.console.width - 1)]

    def footer(self) -> list[str]:
        recent = [*self.recent, self._waiting] if self._waiting else self.recent
        recent = wrapped(recent[-RECENT + 1 :], self.console.width - 1, RECENT - 1)
        return [*recent, str(self._controls)]
