"""The lines that visitors come over: bounded in number, and none of them waits for ever."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import ClassVar

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from polyversi.server.security import is_local

MOST_FOR_ONE = 200
"""Lines of one visitor from elsewhere, and WebSockets beside them."""
HEAD_WITHIN = 10.0
"""Seconds in which a request must have said what it wants, from its first line on."""


class BoundedProtocol(H11Protocol):
    """HTTP as uvicorn speaks it, for visitors who keep their lines to themselves, or say nothing on them."""

    _lines: ClassVar[Counter[str]] = Counter()
    _counted: str | None = None
    _deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        host = self.client[0] if self.client else ""
        if not is_local(host):
            self._counted = host
            self._lines[host] += 1
        if self._lines[host] > MOST_FOR_ONE:
            transport.abort()
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._let_go()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._watch()

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        self._let_go()    # from now on it is one of the WebSockets
        super().handle_websocket_upgrade(event)

    def _watch(self) -> None:
        """Sees to it that a request that has begun, or should, is said to its end."""
        if self.conn.their_state is not h11.IDLE:
            self._stop_watching()
        elif self._deadline is None:
            self._deadline = self.loop.call_later(HEAD_WITHIN, self.transport.abort)

    def _stop_watching(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _let_go(self) -> None:
        self._stop_watching()
        if self._counted is not None:
            self._lines[self._counted] -= 1
            if not self._lines[self._counted]:
                del self._lines[self._counted]
            self._counted = None
