"""Clients of a Reversi XT server: those that connect and wait for a game, and those that it starts itself."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from polyversi.gameplay.verdict import SeatFailure, Verdict
from polyversi.games.errors import PlayerError
from polyversi.protocols.xt.client_seat import XtClientSeat
from polyversi.protocols.xt.seat import Bounds, XtSeat
from polyversi.protocols.xt.started import ClientProcess, StartedSeat
from polyversi.server.connection import keep_alive

Names = Mapping[int, Sequence[str]]
"""The names of clients by their group: of the first client of a group in a game, of the second, …"""


@dataclass(frozen=True)
class ClientLimits:
    """Limits on clients that wait for a game."""

    group_timeout: float = 10.0
    """Seconds that a newcomer has to say its group."""
    max_waiting: int = 64
    """How many clients may wait at a time; one that has not said its group makes room for a newcomer."""
    bounds: Bounds = field(default_factory=Bounds)


class ClientQueue:
    """Accepts connections, reads their groups, and provides the first clients when a game begins.

    A client that leaves or sends a wrong message is removed, and the others move up. The queue also knows the
    clients that are playing, until their connections are closed.
    """

    def __init__(self, limits: ClientLimits, say: Callable[[str], None]) -> None:
        self._limits = limits
        self._say = say
        self._line: list[XtSeat] = []    # in the order of connection, also those without a group yet
        self._attended: dict[asyncio.Task[None], XtSeat] = {}
        self._news = asyncio.Event()
        self._is_shut = False

    def connect(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """A connection was made."""
        if self._is_shut or not self._has_space():
            writer.transport.abort()
            return
        keep_alive(writer.get_extra_info("socket"))
        host, port = (writer.get_extra_info("peername") or ("an unknown address", 0))[:2]
        client = XtSeat(f"{host}:{port}", reader, writer, bounds=self._limits.bounds)
        client.on_failure = lambda _, verdict: self._part(client, verdict)
        self._line.append(client)
        task = asyncio.create_task(self._attend(client))
        self._attended[task] = client
        task.add_done_callback(self._attended.pop)

    @property
    def ready(self) -> int:
        """How many clients wait that have said their group."""
        return sum(client.group is not None for client in self._line)

    async def first(self, count: int) -> list[XtSeat]:
        """Waits until the first `count` clients have said their groups, and takes them out of the queue."""
        while len(self._line) < count or any(client.group is None for client in self._line[:count]):
            self._news.clear()
            await self._news.wait()
        chosen = self._line[:count]
        del self._line[:count]
        return chosen

    def shut(self) -> None:
        """Turns away everybody who is waiting and everybody who connects from now on."""
        self._is_shut = True
        for client in self._line:
            if client.group is not None:
                self._say(f"{client.name} came too late for the last game")
            client.dismiss()
        self._line.clear()

    async def close(self) -> None:
        """Closes all connections and waits until they are closed."""
        for client in self._attended.values():
            client.dismiss()
        if self._attended:
            await asyncio.wait(self._attended)

    def _has_space(self) -> bool:
        if len(self._line) < self._limits.max_waiting:
            return True
        for client in self._line:
            if client.group is None:
                self._line.remove(client)
                client.drop()
                return True
        return False

    async def _attend(self, client: XtSeat) -> None:
        """Looks after one client until its connection is closed."""
        try:
            try:
                async with asyncio.timeout(self._limits.group_timeout):
                    group = await client.introduced()
            except TimeoutError:
                client.fail("stall", f"it did not say its group within {self._limits.group_timeout:g} s")
            except SeatFailure:
                pass    # it has already left the queue
            else:
                address, client.name = client.name, f"group {group}"
                self._say(f"{client.name} connected from {address}")
                self._news.set()
            await client.gone()
        finally:
            client.drop()

    def _part(self, client: XtSeat, verdict: Verdict) -> None:
        """A waiting client has left or must leave."""
        if client in self._line:
            self._line.remove(client)
            self._say(f"{client.name} left: {verdict.detail}")
            self._news.set()
        client.dismiss()


def name_clients(clients: Sequence[XtSeat], names: Names) -> None:
    """Calls each client by its name and group; clients of one group without names are numbered.

    >>> from types import SimpleNamespace
    >>> clients = [SimpleNamespace(group=group, name="") for group in (6, 7, 6)]
    >>> name_clients(clients, {7: ["Ann"]})
    >>> [client.name for client in clients]
    ['group 6', 'Ann (group 7)', 'group 6 #2']
    """
    seen = dict[int | None, int]()
    for client in clients:
        group, number = client.group, seen.get(client.group, 0)
        seen[group] = number + 1
        given = names.get(-1 if group is None else group, ())
        if number < len(given):
            client.name = f"{given[number]} (group {group})"
        else:
            client.name = f"group {group} #{number + 1}" if number else f"group {group}"


@asynccontextmanager
async def started(
    bots: Sequence[XtClientSeat], bounds: Bounds, seconds: float
) -> AsyncIterator[list[StartedSeat]]:
    """Starts clients for a game and waits until they have said their groups; their processes end with it.

    The bots say how each client is started. A PlayerError tells of one that does not connect within so many
    seconds, and why.
    """
    processes: list[tuple[str, ClientProcess]] = []
    starting: list[asyncio.Task[StartedSeat]] = []
    seats: list[StartedSeat] = []
    try:
        for bot in bots:
            process, name = bot.new_process(), bot.name.removeprefix("xtclient:")
            try:
                process.start()
            except (OSError, ValueError) as error:
                raise PlayerError(f"the client '{name}' cannot be started: {error}") from None
            processes.append((name, process))
        starting = [asyncio.create_task(process.seat(name, seconds, bounds)) for name, process in processes]
        for (name, _), task in zip(processes, starting, strict=True):
            try:
                seats.append(await task)
            except SeatFailure as failure:
                raise PlayerError(f"the client '{name}' does not play: {failure.detail}") from None
        yield seats
    finally:
        for task in starting:
            task.cancel()
        await asyncio.gather(*starting, return_exceptions=True)
        for seat in seats:
            seat.dismiss()
        await asyncio.gather(*(process.stop() for _, process in processes))
        for seat in seats:
            seat.drop()
            await seat.gone()
