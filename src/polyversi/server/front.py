"""The front of the page: every connection to its port, bounded in number, in time and in memory.

uvicorn speaks HTTP and WebSockets; what stands here is between it and asyncio, and knows only those two.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import Any, cast

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

from polyversi.server.connection import LINGER
from polyversi.server.limits import is_local, max_connections, visitor_at
from polyversi.server.responses import BODY_TIME, BodyTime, HttpError

HEAD_TIMEOUT = 10.0
"""Seconds in which a request must have said what it wants, from the connection or the last answer on."""
SEND_TIMEOUT, MIN_SENT = 30.0, 1 << 14
"""Seconds in which a visitor must have taken so many bytes of what waits for it."""
MAX_IGNORED = 1 << 23
"""Bytes that are read and thrown away, at most, while a visitor reads why its request was refused."""
CONTROL_CREDIT, CONTROL_PER_SECOND = 20.0, 2.0
"""Frames of a WebSocket that are no whole message, such as pings: so many at once, and then a second."""
RESERVED_FILES = 256
"""Open files that are left for the store, bots and pictures."""
MAX_LINES = 10_000
"""Connections at the same time, where the system lets us have so many open files."""
REFUSED = (408, 413, 429)
"""Statuses after which a connection is closed in any case."""
LINE = "line"
"""Where the state of a request has its connection."""
WHOLE_FRAMES = (0x81, 0x82)
"""First bytes of frames that are a message each, of text or of bytes."""


class Front:
    """All connections of one server, whose lines are what uvicorn makes for each of them.

    When there are too many, whoever has the most loses one, first of those on which nothing was asked.
    """

    def __init__(self, max_lines: int = MAX_LINES) -> None:
        self._max_lines = max_lines
        self.lines: dict[Line, None] = {}
        """The connections there are, the oldest first."""
        self._each: Counter[str] = Counter()
        self._requesting: Counter[str] = Counter()    # without WebSockets, which are counted by themselves

    def line(self, **given: Any) -> Line:
        """A protocol for a new connection."""
        return Line(self, **given)

    def enter(self, line: Line) -> None:
        """Somebody has connected; there may be no room for it, or for somebody else from now on."""
        self.lines[line] = None
        self._each[line.visitor] += 1
        self._requesting[line.visitor] += 1
        self._bound(line)
        if len(self.lines) > self._max_lines:
            (greediest, _), = self._each.most_common(1)
            theirs = [one for one in self.lines if one.visitor == greediest]
            next((one for one in theirs if one.is_waiting), theirs[0]).abort()

    def hand_over(self, line: Line, visitor: str) -> None:
        """A connection counts for another visitor from now on."""
        if line not in self.lines or line.visitor == visitor:
            return
        _subtract(self._each, line.visitor)
        self._each[visitor] += 1
        if not line.is_websocket:
            _subtract(self._requesting, line.visitor)
            self._requesting[visitor] += 1
        line.visitor = visitor
        self._bound(line)

    def _bound(self, line: Line) -> None:
        """Drops a connection that is one too many of its visitor."""
        if self._requesting[line.visitor] > max_connections(line.visitor):
            line.abort()

    def upgrade(self, line: Line) -> None:
        """A connection is one of the WebSockets from now on."""
        _subtract(self._requesting, line.visitor)

    def leave(self, line: Line) -> None:
        """A connection is gone, or about to be."""
        if line in self.lines:
            del self.lines[line]
            _subtract(self._each, line.visitor)
            if not line.is_websocket:
                _subtract(self._requesting, line.visitor)


def _subtract(counts: Counter[str], visitor: str) -> None:
    counts[visitor] -= 1
    if not counts[visitor]:
        del counts[visitor]


def max_lines() -> int:
    """How many connections this process can have; it is allowed as many open files as the system permits."""
    try:
        import resource
    except ImportError:    # Windows, where the number of sockets is not that of files
        return MAX_LINES
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MAX_LINES + RESERVED_FILES
    files = wanted if most == resource.RLIM_INFINITY else min(most, wanted)
    resource.setrlimit(resource.RLIMIT_NOFILE, (files, most))
    return max(files - RESERVED_FILES, files // 2)


class Line(asyncio.Protocol):
    """One connection: passes everything on to uvicorn's protocol as long as it keeps to the limits."""

    def __init__(self, front: Front, *, app_state: dict[str, Any], **given: Any) -> None:
        self.visitor = ""
        self.is_waiting = True
        """Whether it has asked for nothing that is not answered."""
        self.is_websocket = False
        self._front = front
        self._inner: asyncio.Protocol = H11Protocol(app_state={**app_state, LINE: self}, **given)
        self._loop = asyncio.get_running_loop()
        self._transport: asyncio.Transport
        self._deadline: asyncio.TimerHandle | None = None
        self._is_local = False
        self._has_begun = False    # a request, of which there may be more to come
        self._is_lingering = False
        self._ignored = 0
        self._written = self._taken = 0
        self._sending: asyncio.TimerHandle | None = None
        self._frames = FrameCounter()
        self._credit, self._counted = CONTROL_CREDIT, 0.0

    # From asyncio.

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)
        peer = transport.get_extra_info("peername")
        self.visitor = visitor_at(str(peer[0]) if peer else "unknown")
        self._is_local = is_local(self.visitor)
        self._inner.connection_made(cast("asyncio.Transport", _Guarded(self, self._transport)))
        self.await_request()
        self._front.enter(self)

    def connection_lost(self, exc: Exception | None) -> None:
        self._front.leave(self)
        self._set_deadline(None)
        self._stop_watching()
        self._inner.connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self._is_lingering:
            self._ignored += len(data)
            if self._ignored > MAX_IGNORED:
                self.abort()
        elif not self.is_websocket:
            self._has_begun = True
            self._inner.data_received(data)
        elif self._consume_credit(self._frames.count(data)):
            self._inner.data_received(data)
        else:
            self.abort()

    def eof_received(self) -> bool | None:
        self._watch_sending()
        return self._inner.eof_received()

    def pause_writing(self) -> None:
        self._watch_sending()
        self._inner.pause_writing()

    def resume_writing(self) -> None:
        self._stop_watching()
        self._inner.resume_writing()

    # From uvicorn, through the transport that it is given.

    def wrote(self, count: int) -> None:
        """So many bytes more are to be sent."""
        self._written += count

    def upgrade(self, inner: asyncio.BaseProtocol) -> None:
        """It is a WebSocket from now on."""
        self._inner = cast("asyncio.Protocol", inner)
        self._set_deadline(None)
        self.is_waiting, self.is_websocket = False, True
        self._counted = self._loop.time()
        self._front.upgrade(self)

    @property
    def is_closing(self) -> bool:
        """Whether nothing more is to be sent."""
        return self._is_lingering or self._transport.is_closing()

    def close(self) -> None:
        """Closes it when everything is sent.

        Where more of a request may be on its way, that is read: the system would throw the answer away with
        what nobody reads.
        """
        self._watch_sending()
        if self.is_closing:
            return
        if self.is_websocket or not self._has_begun:
            self._transport.close()
            return
        self._is_lingering = True
        self._transport.write_eof()
        self._transport.resume_reading()
        self._set_deadline(LINGER)

    def abort(self) -> None:
        """Drops it at once."""
        self._front.leave(self)
        self._transport.abort()

    # From the application.

    def begin(self) -> None:
        """What is wanted is known; whether the rest of it comes in time is the application's to see."""
        self.is_waiting = False
        self._set_deadline(None)

    def belongs_to(self, visitor: str) -> None:
        """Whose session its request came with; a proxy on this machine brings the requests of many."""
        if not self._is_local:
            self._front.hand_over(self, visitor)

    def complete(self) -> None:
        """All of the request is read."""
        self._has_begun = False

    def await_request(self) -> None:
        """All is answered: another request must come soon."""
        if not (self.is_closing or self.is_websocket):
            self.is_waiting = True
            self._set_deadline(HEAD_TIMEOUT)

    def _set_deadline(self, seconds: float | None) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
        self._deadline = None if seconds is None else self._loop.call_later(seconds, self.abort)

    def _consume_credit(self, count: int) -> bool:
        """Takes credit for so many frames; False when there is not enough."""
        now = self._loop.time()
        self._credit = min(CONTROL_CREDIT, self._credit + (now - self._counted) * CONTROL_PER_SECOND) - count
        self._counted = now
        return self._credit >= 0

    @property
    def is_stalled(self) -> bool:
        """Whether it waits for the visitor to take what it was sent."""
        return self._sending is not None

    @property
    def unsent(self) -> int:
        """Bytes that the visitor has not taken yet."""
        return self._transport.get_write_buffer_size()

    def _watch_sending(self) -> None:
        """Sees to it that whoever is sent something takes it, if slowly."""
        if self.unsent and self._sending is None:
            self._taken = self._written - self.unsent
            self._sending = self._loop.call_later(SEND_TIMEOUT, self._look)

    def _look(self) -> None:
        self._sending = None
        left, before = self.unsent, self._taken
        if left and self._written - left - before < MIN_SENT:
            self.abort()
        elif left:
            self._watch_sending()

    def _stop_watching(self) -> None:
        if self._sending is not None:
            self._sending.cancel()
            self._sending = None


class _Guarded:
    """A transport as uvicorn sees it; what concerns the line goes through the line."""

    def __init__(self, line: Line, transport: asyncio.Transport) -> None:
        self._line = line
        self._transport = transport
        self.set_protocol = line.upgrade
        self.close = line.close
        self.abort = line.abort

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)

    def is_closing(self) -> bool:
        return self._line.is_closing

    def write(self, data: bytes) -> None:
        if not self._line.is_closing:
            self._line.wrote(len(data))
            self._transport.write(data)

    def pause_reading(self) -> None:
        if not self._line.is_closing:
            self._transport.pause_reading()


class FrameCounter:
    """Counts frames of a WebSocket that are no whole message: pings, pongs, fragments.

    >>> hello, ping = bytes([0x81, 0x85, 0, 0, 0, 0]) + b"hello", bytes([0x89, 0x80, 0, 0, 0, 0])
    >>> counter = FrameCounter()
    >>> counter.count(hello + ping), counter.count(ping[:3]), counter.count(ping[3:] + hello[:7])
    (1, 0, 1)
    """

    def __init__(self) -> None:
        self._head = bytearray()
        self._skipped = 0    # bytes of the frame that are still to come

    def count(self, data: bytes) -> int:
        """How many such frames begin in the next bytes of a connection."""
        found = at = 0
        while at < len(data):
            if self._skipped:
                step = min(self._skipped, len(data) - at)
                self._skipped -= step
                at += step
                continue
            self._head.append(data[at])
            at += 1
            if (length := _payload(self._head)) is not None:
                found += self._head[0] not in WHOLE_FRAMES
                self._skipped = length
                self._head.clear()
        return found


def _payload(head: bytearray) -> int | None:
    """The length of what follows the head of a frame, or None when the head is not complete."""
    if len(head) < 2:
        return None
    extended = {126: 2, 127: 8}.get(head[1] & 0x7F, 0)
    if len(head) < 2 + extended + (4 if head[1] & 0x80 else 0):
        return None
    return int.from_bytes(head[2:2 + extended]) if extended else head[1] & 0x7F


class WholeRequests:
    """Has every request come whole and in time, and closes the connection of one that did not.

    Whoever answers before all is read would otherwise leave a connection on which the rest may come for ever.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        line: Line | None = scope.get("state", {}).get(LINE)
        is_whole = not _has_body(Headers(scope=scope))
        time = scope[BODY_TIME] = BodyTime(asyncio.get_running_loop().time())
        if line is not None:
            line.begin()
            if is_whole:
                line.complete()

        async def receive_in_time() -> Message:
            nonlocal is_whole
            try:
                async with asyncio.timeout_at(None if is_whole else time.ends_by):
                    message = await receive()
            except TimeoutError:
                raise HttpError(408, "the request was not complete in time") from None
            time.came(len(message.get("body", b"")))
            if message["type"] == "http.request" and not message.get("more_body"):
                is_whole = True
                if line is not None:
                    line.complete()
            return message

        async def send_and_close(message: Message) -> None:
            if message["type"] == "http.response.start" and (not is_whole or message["status"] in REFUSED):
                message["headers"] = [*message.get("headers", []), (b"connection", b"close")]
            await send(message)
            if message["type"] == "http.response.body" and not message.get("more_body") and line is not None:
                line.await_request()

        await self._app(scope, receive_in_time, send_and_close)


def _has_body(headers: Headers) -> bool:
    return "transfer-encoding" in headers or headers.get("content-length", "0") != "0"
