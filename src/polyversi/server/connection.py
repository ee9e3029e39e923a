"""Connections: messages in both directions, bounded in size and time whatever the other side does."""

from __future__ import annotations

import asyncio
import errno
import os
import re
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import ClassVar, Protocol

from polyversi.games.board import printable, shorten
from polyversi.games.errors import PolyversiError
from polyversi.server.messages import FROM_HOST, Kinds, Message, MessageError, decode, encode

PORT = 7778
"""Where a host waits unless it is told otherwise."""
CONNECT_TIMEOUT = 10.0
"""Seconds that a connection may take to come about."""
LINE_TIMEOUT = 10.0
"""Seconds within which a line that has begun must end."""
LINGER = 5.0
"""Seconds that the other side has to read the last words."""
MAX_IGNORED = 1 << 20
"""Bytes that are read and thrown away, at most, while the other side reads the last words."""
CHUNK = 1 << 16
KEEPALIVE = {"TCP_KEEPIDLE": 10, "TCP_KEEPINTVL": 5, "TCP_KEEPCNT": 3, "TCP_USER_TIMEOUT": 25_000}
"""The system asks after a silent peer, so that one whose machine is gone is noticed within half a minute."""
ADDRESS = re.compile(r"(?:\[(?P<six>[0-9a-fA-F:.%\w]+)\]|(?P<host>[\w.%-]*))(?::(?P<port>[0-9]{1,5}))?")


class NetworkError(PolyversiError):
    """A port that cannot be opened, a host that cannot be reached or that refuses."""


class PortInUseError(NetworkError):
    """A port on which another program listens."""


class Connection(Protocol):
    """One end of a connection, of whatever kind.

    Whatever goes wrong on the way is an OSError; whatever is wrong with a message is a MessageError.
    """

    async def receive(self) -> Message:
        """The next message; waits as long as nothing comes, and loses nothing when it is called off."""

    async def send(self, message: Message | bytes) -> None:
        """Sends a message, or a line that is one already, when the other side has room for it."""

    async def close(self, last: Message, within: float = LINGER) -> None:
        """Closes the connection after a last message, with time for the other side to read it."""

    def abort(self) -> None:
        """Drops the connection at once."""


class Endpoint(Protocol):
    """Where a client can go to play or to watch."""

    @property
    def ends_with_the_game(self) -> bool:
        """Whether a guest leaves by itself at the end of the game, without a good-bye of the host."""

    async def connect(self) -> Connection:
        """Goes there; NetworkError when nobody can be reached."""


@dataclass(frozen=True)
class Address:
    """Where `polyversi host` waits."""

    host: str
    port: int
    ends_with_the_game: ClassVar[bool] = False

    def __str__(self) -> str:
        host = printable(self.host)
        return f"[{host}]:{self.port}" if ":" in host else f"{host}:{self.port}"

    async def connect(self) -> Connection:
        """Connects to the host."""
        with reaching(str(self), "polyversi host"):
            async with asyncio.timeout(CONNECT_TIMEOUT):
                return LineConnection(*await asyncio.open_connection(self.host, self.port), FROM_HOST)


def parse_address(text: str) -> Address:
    """Reads HOST:PORT, HOST or :PORT.

    >>> parse_address("example.org"), str(parse_address(":9000")), parse_address("[::1]:9000").host
    (Address(host='example.org', port=7778), '127.0.0.1:9000', '::1')
    """
    match = ADDRESS.fullmatch(text.strip())
    port = int(match["port"] or PORT) if match else 0
    if match is None or not 0 < port < 65536:
        raise NetworkError(f"'{shorten(text)}' is not an address; write HOST:PORT, such as 127.0.0.1:{PORT}")
    return Address(match["six"] or match["host"] or "127.0.0.1", port)


@contextmanager
def reaching(where: str, command: str) -> Iterator[None]:
    """Puts into a sentence what goes wrong on the way to a place where that command should be running."""
    try:
        yield
    except TimeoutError:
        raise NetworkError(f"{where} does not answer") from None
    except (OSError, UnicodeError) as error:
        raise NetworkError(f"cannot connect to {where}: {_reason(error)}; "
                           f"start `{command}` there first") from None


@contextmanager
def opening(address: str, port: int) -> Iterator[None]:
    """Puts into a sentence why a port cannot be opened."""
    try:
        yield
    except (OSError, UnicodeError) as error:
        is_in_use = isinstance(error, OSError) and error.errno == errno.EADDRINUSE
        kind = PortInUseError if is_in_use else NetworkError
        raise kind(f"port {port} of {printable(address)} cannot be opened: {_reason(error)}; "
                   "choose another with --port, or 0 for a free one") from None


def _reason(error: OSError | UnicodeError) -> str:
    code = error.errno if isinstance(error, OSError) else None
    return os.strerror(code) if code and code > 0 else str(error)


class LineConnection:
    """A connection over TCP, each message on a line of its own."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, kinds: Kinds) -> None:
        self._reader = reader
        self._writer = writer
        self._kinds = kinds
        self._held = bytearray()
        self._line_ends_by: float | None = None
        keep_alive(writer.get_extra_info("socket"))

    async def receive(self) -> Message:
        """The next message; waits as long as nothing comes, but not for the second half of a line."""
        while (end := self._held.find(b"\n")) < 0 and len(self._held) <= self._kinds.max_bytes:
            data = await self._read()
            if not data:
                raise ConnectionResetError("the other side closed the connection")
            self._held += data
        line = bytes(self._held if end < 0 else self._held[:end])
        del self._held[: len(line) + 1]
        self._line_ends_by = None
        return decode(line, self._kinds)

    async def _read(self) -> bytes:
        loop = asyncio.get_running_loop()
        if self._held and self._line_ends_by is None:
            self._line_ends_by = loop.time() + LINE_TIMEOUT
        deadline = asyncio.timeout_at(self._line_ends_by)
        try:
            async with deadline:
                return await self._reader.read(CHUNK)
        except TimeoutError:
            if not deadline.expired():
                raise    # the system's: the peer does not answer any more
            raise MessageError(f"a line did not end within {LINE_TIMEOUT:g} s") from None

    async def send(self, message: Message | bytes) -> None:
        self._writer.write(message if isinstance(message, bytes) else encode(message))
        await self._writer.drain()

    async def close(self, last: Message, within: float = LINGER) -> None:
        """Reads on, within bounds: the system would throw the last message away with what nobody reads."""
        with suppress(OSError):
            async with asyncio.timeout(within):
                await self.send(last)
                self._writer.write_eof()
                ignored = 0
                while ignored < MAX_IGNORED and (data := await self._reader.read(CHUNK)):
                    ignored += len(data)
        self.abort()

    def abort(self) -> None:
        self._writer.transport.abort()


def keep_alive(line: socket.socket | None) -> None:
    """Has the system notice a peer whose machine is gone, or who takes nothing of what it is sent."""
    if line is None:
        return
    with suppress(OSError):
        line.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        for name, value in KEEPALIVE.items():
            if hasattr(socket, name):
                line.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)
