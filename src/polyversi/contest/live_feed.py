"""The live feed: a worker tells a page of its game while it is played, and never waits for it."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Annotated

import msgspec

from polyversi.gameplay.events import (
    EndEvent,
    Event,
    Observer,
    StartEvent,
    VerdictEvent,
    compact,
)
from polyversi.gameplay.verdict import without_errors
from polyversi.games.errors import PolyversiError
from polyversi.games.state import State
from polyversi.records.maps import embedded_map, name_without_path

TIMEOUT = 5.0
"""Seconds in which the page must take what it is sent."""
RETRY = 2.0
"""Seconds between two attempts to reach a page that is not there."""
MAX_EVENTS = 20_000
"""Events after which a game is told no further."""
MAX_LINE = 2_000_000
"""Bytes of a line; the first one has the map of the game, if it is on one of somebody's own."""


@dataclass(frozen=True)
class LiveAddress:
    """Where a page listens to games, and what the game is called there.

    >>> LiveAddress("127.0.0.1", 9000, "secret", "Cup").of("2.1/3").game
    'Cup.2.1-3'
    """

    host: str
    port: int
    token: str
    """By which the page knows that it comes from one of its workers."""
    game: str = ""

    def of(self, fixture: str) -> LiveAddress:
        """The address for a game of a contest; its id has no slash, which ends a part of a link."""
        return replace(self, game=f"{self.game}.{fixture.replace('/', '-')}")


class Shown(msgspec.Struct, frozen=True):
    """The first line of a feed: which game it is; all others are its events."""

    token: Annotated[str, msgspec.Meta(max_length=200)]
    game: Annotated[str, msgspec.Meta(pattern=r"^[A-Za-z0-9_.~-]{1,120}$")]
    spec: Annotated[str, msgspec.Meta(max_length=400)]
    map: str
    start: str


class LiveFeed:
    """Tells a page of one game in a thread of its own, from the beginning whenever the page comes back."""

    def __init__(self, where: LiveAddress, start: State) -> None:
        chart = embedded_map(start.game)
        self._spec = name_without_path(start.game) if chart else start.game.spec
        first = Shown(where.token, where.game, self._spec, chart, start.text)
        self._where = where
        self._lines = [msgspec.json.encode(first) + b"\n"]
        self._is_over = False
        self._wakeup = threading.Condition()
        threading.Thread(target=self._send, name="live feed", daemon=True).start()

    def tell(self, event: Event) -> None:
        """Takes the next event of the game; returns at once."""
        if len(self._lines) > MAX_EVENTS:
            return
        line = msgspec.json.encode(self._public(compact(event))) + b"\n"
        with self._wakeup:
            self._lines.append(line)
            self._wakeup.notify()

    def _public(self, event: Event) -> Event:
        """An event without what is nobody's business: files of this machine, and what bots wrote."""
        match event:
            case StartEvent():
                return msgspec.structs.replace(event, game=self._spec)
            case VerdictEvent():
                return msgspec.structs.replace(event, detail=without_errors(event.detail))
            case EndEvent():
                return msgspec.structs.replace(event, verdict=event.verdict.public)
        return event

    def close(self) -> None:
        """There will be no more events; what was told still goes out if the page takes it."""
        with self._wakeup:
            self._is_over = True
            self._wakeup.notify()

    def _send(self) -> None:
        while True:
            try:
                with socket.create_connection((self._where.host, self._where.port), TIMEOUT) as line:
                    line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                    self._send_all(line)
                    return
            except OSError:    # nobody listens, or not any more
                with self._wakeup:
                    if self._is_over or self._wakeup.wait_for(lambda: self._is_over, RETRY):
                        return

    def _send_all(self, line: socket.socket) -> None:
        sent = 0
        while True:
            with self._wakeup:
                while not self._is_over and len(self._lines) == sent:
                    self._wakeup.wait()
                waiting, is_over = self._lines[sent:], self._is_over
            line.sendall(b"".join(waiting))
            sent += len(waiting)
            if is_over:
                return


@contextmanager
def shown_live(where: LiveAddress | None, start: State) -> Iterator[list[Observer]]:
    """Those who tell of a game while it is played within this: one if a page wants it and can show it."""
    try:
        feed = LiveFeed(where, start) if where is not None else None
    except PolyversiError:    # such as a variant that only this program knows: it is played unseen
        feed = None
    if feed is None:
        yield []
        return
    try:
        yield [feed.tell]
    finally:
        feed.close()
