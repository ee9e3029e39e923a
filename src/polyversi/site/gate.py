"""The gate of XT events: groups connect their clients with a token, and games come for them."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import ipaddress
import secrets
import threading
from asyncio import StreamReader, StreamReaderProtocol, StreamWriter
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, Future
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import sqlalchemy as sql

from polyversi.contest.playing import Task
from polyversi.contest.workers import Workers
from polyversi.games.errors import PolyversiError
from polyversi.protocols.xt.group_seat import GateAddress
from polyversi.site.settings import SiteError
from polyversi.site.store import SiteStore
from polyversi.site.tables import ENTRANTS
from polyversi.storage.errors import StoreError

MAX_STRANGERS, MAX_AT_ADDRESS = 500, 20
"""Connections at a time that have not said a good token yet, of all and of those from one address.

Another one takes the place of the oldest, of all of those whose address has the most: whoever says a token at
once is not kept out by those who say nothing, also at the same address.
"""
MAX_LOOKUPS = 4
"""Tokens that are looked for at the same time."""
MAX_OF_GROUP = 4
"""Clients of one group that wait at a time; another one takes the place of the oldest."""
HELLO_TIMEOUT = 10.0
"""Seconds in which a client must have said its token."""
LINGER_SECONDS = 10.0
"""Seconds that one side has after the other has said everything."""
MAX_LINE = 400
CHUNK = 1 << 16
GROUP = "group:"
SPEC = "xtgroup:"

GroupKey = tuple[str, str]
"""An event and the name of a group in it."""
Line = tuple[StreamReader, StreamWriter]
Connected = dict[str, dict[str, tuple[int, int]]]
"""How many clients of a group wait and play, by the event and the name of the group."""


class _Reader(StreamReader):
    """Knows that the other side has gone, also before all that it has said was read."""

    has_ended = False

    def feed_eof(self) -> None:
        self.has_ended = True
        super().feed_eof()


class Gate:
    """Where clients of groups wait for their games, in a thread of its own.

    A client says its token in the first line, `TOKEN` and a line feed, and from then on speaks as on any
    server of Reversi XT. It plays one game, and connects again for the next.
    """

    def __init__(self, store: SiteStore, address: str, port: int) -> None:
        self._store = store
        self._ticket = secrets.token_urlsafe(24)
        self._waiting: defaultdict[GroupKey, deque[Line]] = defaultdict(deque)
        self._playing: Counter[GroupKey] = Counter()
        self._strangers: dict[StreamWriter, str] = {}    # with their addresses, the oldest first
        self._lookups = asyncio.Semaphore(MAX_LOOKUPS)
        self._news = asyncio.Condition()
        self._tasks: set[asyncio.Task[None]] = set()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="gate", daemon=True)
        self._thread.start()
        opening = asyncio.run_coroutine_threadsafe(self._open(address, port), self._loop)
        try:
            self.port, inner = opening.result()
        except OSError as error:
            raise SiteError(f"the port {port} for XT clients cannot be opened: {error.strerror}") from None
        self.address = GateAddress("127.0.0.1", inner, self._ticket)
        """Where games come for clients."""

    def workers(self, event: str, workers: Workers) -> Workers:
        """Workers for an event with groups: each group plays one game at a time, with its own client."""
        return replace(workers, executor=partial(_turns, self.address, event, workers))

    def connected(self) -> Connected:
        """Whose clients are there, and who is not named has none; for any thread but its own."""
        return asyncio.run_coroutine_threadsafe(self._connected(), self._loop).result()

    async def _connected(self) -> Connected:
        found: defaultdict[str, dict[str, tuple[int, int]]] = defaultdict(dict)
        for key in {*self._waiting, *self._playing}:
            waiting = sum(map(_is_there, self._waiting.get(key, ())))
            if waiting or self._playing[key]:
                event, group = key
                found[event][group] = waiting, self._playing[key]
        return dict(found)

    async def _open(self, address: str, port: int) -> tuple[int, int]:
        outer = await self._loop.create_server(lambda: StreamReaderProtocol(
            _Reader(CHUNK, self._loop), self._accept_client, self._loop), address, port)
        inner = await asyncio.start_server(self._accept_game, "127.0.0.1", 0, limit=CHUNK)
        return outer.sockets[0].getsockname()[1], inner.sockets[0].getsockname()[1]

    def _go(self, work: Any) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _accept_client(self, reader: StreamReader, writer: StreamWriter) -> None:
        peer = writer.get_extra_info("peername")
        address = self._strangers[writer] = network_of(str(peer[0]) if peer else "")
        counts = Counter(self._strangers.values())
        if counts[address] <= MAX_AT_ADDRESS:
            (address, _), = counts.most_common(1)
        if counts[address] > MAX_AT_ADDRESS or len(self._strangers) > MAX_STRANGERS:
            oldest = next(one for one, its in self._strangers.items() if its == address)
            del self._strangers[oldest]
            oldest.transport.abort()
        self._go(self._receive(reader, writer))

    async def _receive(self, reader: StreamReader, writer: StreamWriter) -> None:
        """Has a client wait for a game of its group, if its token is good."""
        try:
            async with asyncio.timeout(HELLO_TIMEOUT):
                said = await _line(reader)
            async with self._lookups:
                key = await asyncio.to_thread(self._key_of, said.strip())
        except (TimeoutError, OSError, EOFError, ValueError, StoreError):
            key = None
        finally:
            self._strangers.pop(writer, None)
        if key is None:
            writer.transport.abort()
            return
        async with self._news:
            queue = self._waiting[key]
            while len(queue) >= MAX_OF_GROUP:
                queue.popleft()[1].transport.abort()
            queue.append((reader, writer))
            self._news.notify_all()

    def _key_of(self, token: str) -> GroupKey | None:
        """The group whose token it is."""
        hashed = hashlib.sha256(token.encode()).hexdigest()
        rows = self._store.read(sql.select(ENTRANTS).where(ENTRANTS.c.token == hashed)) if token else []
        return (rows[0]["event"], rows[0]["who"].removeprefix(GROUP)) if rows else None

    def _accept_game(self, reader: StreamReader, writer: StreamWriter) -> None:
        self._go(self._bring(reader, writer))

    async def _bring(self, reader: StreamReader, writer: StreamWriter) -> None:
        """Waits for a client of the group that a game wants, and lets the two talk."""
        try:
            async with asyncio.timeout(HELLO_TIMEOUT):
                ticket, event, group = (await _line(reader)).split(" ", 2)
            if not hmac.compare_digest(ticket.encode(), self._ticket.encode()):
                return
            key = event, group.strip()
            client = await self._next(key, reader)
            if client is not None:
                self._playing[key] += 1
                try:
                    await _talk((reader, writer), client)
                finally:
                    self._playing[key] -= 1
        except (TimeoutError, OSError, EOFError, ValueError):
            pass
        finally:
            writer.transport.abort()

    async def _next(self, key: GroupKey, game: StreamReader) -> Line | None:
        """The first client of a group that is still there; None if the game waits no longer."""
        while not game.at_eof():
            async with self._news:
                while self._waiting[key]:
                    line = self._waiting[key].popleft()
                    if _is_there(line):
                        return line
                    line[1].transport.abort()
                with suppress(TimeoutError):
                    async with asyncio.timeout(1.0):
                        await self._news.wait()
        return None


def network_of(address: str) -> str:
    """By what the connections of one household are counted: of IPv6 it has a network of many addresses.

    >>> network_of("192.0.2.7"), network_of("::ffff:192.0.2.7"), network_of("2001:db8::7:1%eth0")
    ('192.0.2.7', '192.0.2.7', '2001:db8::')
    """
    try:
        parsed = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(parsed, ipaddress.IPv6Address):
        return str(parsed.ipv4_mapped or ipaddress.IPv6Address(int(parsed) >> 64 << 64))
    return str(parsed)


def _is_there(line: Line) -> bool:
    """Whether a client that waits has not gone."""
    reader, writer = line
    return not (writer.is_closing() or (isinstance(reader, _Reader) and reader.has_ended))


async def _line(reader: StreamReader) -> str:
    """The first line of a connection; a ValueError if it is none."""
    data = bytearray()
    while not data.endswith(b"\n"):
        data += await reader.readexactly(1)
        if len(data) > MAX_LINE:
            raise ValueError("too long")
    return data.decode()


async def _talk(one: Line, other: Line) -> None:
    """Passes on what either says until both have said everything."""
    async def copy(reader: StreamReader, writer: StreamWriter) -> None:
        with suppress(OSError):
            while data := await reader.read(CHUNK):
                writer.write(data)
                await writer.drain()
            writer.write_eof()

    tasks = [asyncio.create_task(copy(one[0], other[1])), asyncio.create_task(copy(other[0], one[1]))]
    try:
        _, left = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        if left:
            await asyncio.wait(left, timeout=LINGER_SECONDS)
    finally:
        for task in tasks:
            task.cancel()
        other[1].transport.abort()


@dataclass(eq=False)
class _Pending:
    submit: Callable[[], Future[Any]]
    groups: frozenset[str]
    done: Future[Any]


class GroupTurns(Executor):
    """Gives out games so that no group plays two at a time, and tells workers where clients are found."""

    def __init__(self, inner: Executor, gate: GateAddress, event: str) -> None:
        self._inner, self._gate, self._event = inner, gate, event
        self._pending: list[_Pending] = []
        self._busy: set[str] = set()
        self._lock = threading.Lock()

    def submit(self, work: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        tasks, *others = args
        groups = frozenset(name for task in tasks for name in _groups_of(task))
        placed = [self._placed(task) for task in tasks]
        done: Future[Any] = Future()
        begin = partial(self._inner.submit, work, placed, *others, **kwargs)
        with self._lock:
            self._pending.append(_Pending(begin, groups, done))
        self._begin()
        return done

    def _placed(self, task: Task) -> Task:
        """The task with the places of its clients, which are nobody else's business."""
        entrants = tuple(
            replace(one, spec=self._gate.spec(self._event, one.spec.removeprefix(SPEC)))
            if one.spec.startswith(SPEC) else one for one in task.entrants)
        return replace(task, entrants=entrants)

    def _begin(self) -> None:
        """Begins whatever has all its groups free, in order."""
        ready: list[_Pending] = []
        with self._lock:
            for one in list(self._pending):
                if one.groups & self._busy:
                    continue
                self._pending.remove(one)
                if one.done.set_running_or_notify_cancel():
                    self._busy |= one.groups
                    ready.append(one)
        for one in ready:
            try:
                playing = one.submit()
            except BaseException as error:
                self._release(one)
                one.done.set_exception(error)
            else:
                playing.add_done_callback(partial(self._finished, one))

    def _finished(self, one: _Pending, playing: Future[Any]) -> None:
        self._release(one)
        if playing.cancelled():
            one.done.set_exception(PolyversiError("the game was called off"))
        elif (error := playing.exception()) is not None:
            one.done.set_exception(error)
        else:
            one.done.set_result(playing.result())
        self._begin()

    def _release(self, one: _Pending) -> None:
        with self._lock:
            self._busy -= one.groups


def _groups_of(task: Task) -> Sequence[str]:
    return [one.spec.removeprefix(SPEC) for one in task.entrants if one.spec.startswith(SPEC)]


@contextmanager
def _turns(gate: GateAddress, event: str, workers: Workers) -> Iterator[Executor]:
    with workers.executor() as executor:
        yield GroupTurns(executor, gate, event)
