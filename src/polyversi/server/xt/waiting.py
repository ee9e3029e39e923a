"""The waiting room: clients in the order they connect, until a game has a seat for them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field

from polyversi.gameplay.verdict import SeatFailure, Verdict
from polyversi.protocols.xt.seat import Bounds, XtSeat
from polyversi.server.connection import keep_alive


@dataclass(frozen=True)
class Patience:
    """What the server puts up with from its clients."""

    group_within: float = 10.0
    """Seconds that a newcomer has to say its group."""
    most_waiting: int = 64
    """Clients that wait for a game at a time; a silent one makes room for a newcomer."""
    bounds: Bounds = field(default_factory=Bounds)


class WaitingRoom:
    """Takes connections, hears their groups, and hands out the first of them when a game begins.

    Who leaves or says something wrong is out of the line, and the others move up. The room knows every client
    until its connection is gone, also those that play.
    """

    def __init__(self, patience: Patience, say: Callable[[str], None]) -> None:
        self._patience = patience
        self._say = say
        self._line: list[XtSeat] = []
        """Who waits, in the order of connection, also those that have not said their group yet."""
        self._attended: dict[asyncio.Task[None], XtSeat] = {}
        self._news = asyncio.Event()
        self._is_shut = False

    def come(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """A connection was made."""
        if self._is_shut or not self._make_room():
            writer.transport.abort()
            return
        keep_alive(writer.get_extra_info("socket"))
        host, port = (writer.get_extra_info("peername") or ("somebody who left", 0))[:2]
        client = XtSeat(f"{host}:{port}", reader, writer, bounds=self._patience.bounds)
        client.on_failure = lambda _, verdict: self._part(client, verdict)
        self._line.append(client)
        task = asyncio.create_task(self._attend(client))
        self._attended[task] = client
        task.add_done_callback(self._attended.pop)

    async def first(self, count: int) -> list[XtSeat]:
        """Waits until the first so many in line have said their groups, and takes them out of it."""
        while len(self._line) < count or any(client.group is None for client in self._line[:count]):
            self._news.clear()
            await self._news.wait()
        chosen = self._line[:count]
        del self._line[:count]
        return chosen

    def shut(self) -> None:
        """Turns everybody away who waits, and whoever comes from now on."""
        self._is_shut = True
        for client in self._line:
            if client.group is not None:
                self._say(f"{client.name} came too late for the last game")
            client.dismiss()
        self._line.clear()

    async def close(self) -> None:
        """Lets every client go, and waits until all of them are gone."""
        self.shut()
        for client in self._attended.values():
            client.dismiss()
        if self._attended:
            await asyncio.wait(self._attended)

    def _make_room(self) -> bool:
        if len(self._line) < self._patience.most_waiting:
            return True
        silent = next((client for client in self._line if client.group is None), None)
        if silent is not None:
            self._line.remove(silent)
            silent.drop()
        return silent is not None

    async def _attend(self, client: XtSeat) -> None:
        """Meets a newcomer, and stays with it until it is gone."""
        try:
            try:
                async with asyncio.timeout(self._patience.group_within):
                    group = await client.introduced()
            except TimeoutError:
                client.fail("stall", f"it did not say its group within {self._patience.group_within:g} s")
            except SeatFailure:
                pass    # it has left the line already
            else:
                address, client.name = client.name, f"group {group}"
                self._say(f"{client.name} is here, from {address}")
                self._news.set()
            await client.gone()
        finally:
            client.drop()

    def _part(self, client: XtSeat, verdict: Verdict) -> None:
        """Somebody in line has left, or has to."""
        if client in self._line:
            self._line.remove(client)
            self._say(f"{client.name} is gone again: {verdict.detail}")
            self._news.set()
        client.dismiss()
