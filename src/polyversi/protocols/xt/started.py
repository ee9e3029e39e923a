"""Clients of Reversi XT that are started here: processes, each with a port for it alone, and their seats."""

from __future__ import annotations

import asyncio
import fcntl
import socket
import sys
from dataclasses import replace
from pathlib import Path

from polyversi.gameplay.bots import sandbox_port
from polyversi.gameplay.bots.process import EXIT_TIMEOUT, Child, Command
from polyversi.gameplay.bots.supervisor import OUTPUT
from polyversi.gameplay.verdict import SeatFailure
from polyversi.protocols.xt.seat import Bounds, XtSeat

OPENER = str(Path(sandbox_port.__file__))


class ClientProcess(Child):
    """The process of a client, and where it connects to: nobody else can, in a sandbox or not."""

    def __init__(self, command: Command) -> None:
        self._messenger, end = socket.socketpair()
        """Where the socket comes from that listens for the client."""
        self._messenger.setblocking(False)
        theirs = socket.socket(fileno=fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, OUTPUT + 1))
        end.close()
        opener = (sys.executable, "-I", "-S", "-B", OPENER, str(theirs.fileno()))
        super().__init__(replace(command, words=(*opener, *command.words)), is_asked=False, passed=theirs)

    async def seat(self, name: str, seconds: float, bounds: Bounds | None = None) -> StartedSeat:
        """Its seat, once it has connected and said its group; SeatFailure if it has not after so long."""
        seat = None
        try:
            async with asyncio.timeout(seconds):
                streams = await asyncio.open_connection(sock=await self._connection(seconds))
                seat = StartedSeat(self, name, *streams, bounds=bounds)
                await seat.introduced()
        except TimeoutError:
            lacking = "send its group number" if seat else "connect to its port"
            raise SeatFailure("stall", f"it did not {lacking} within {seconds:g} s") from None
        finally:
            if seat is not None and seat.group is None:
                seat.drop()
                await seat.gone()
        return seat

    async def stop(self) -> None:
        self._messenger.close()
        await super().stop()

    async def _connection(self, seconds: float) -> socket.socket:
        """Waits until the client connects; nobody else can, afterwards."""
        connecting = asyncio.create_task(self._accept())
        ending = asyncio.create_task(self.ended(seconds))
        try:
            await asyncio.wait((connecting, ending), return_when=asyncio.FIRST_COMPLETED)
            if connecting.done() and not connecting.exception():
                return connecting.result()
            raise SeatFailure("crash", await self.exit_reason("it did not connect"))
        finally:
            for task in (connecting, ending):
                task.cancel()
            await asyncio.wait((connecting, ending))

    async def _accept(self) -> socket.socket:
        loop, is_readable = asyncio.get_running_loop(), asyncio.Event()
        loop.add_reader(self._messenger, is_readable.set)
        try:
            await is_readable.wait()
            _, (number,), _, _ = socket.recv_fds(self._messenger, 16, 1)
        finally:
            loop.remove_reader(self._messenger)
        with socket.socket(fileno=number) as listener:
            listener.setblocking(False)
            return (await loop.sock_accept(listener))[0]


class StartedSeat(XtSeat):
    """The seat of a client that was started here: a verdict tells how its process ended."""

    def __init__(self, process: ClientProcess, name: str, reader: asyncio.StreamReader,
                 writer: asyncio.StreamWriter, *, bounds: Bounds | None = None) -> None:
        super().__init__(name, reader, writer, bounds=bounds)
        self.process = process

    def expel(self) -> None:
        """It is disqualified: it must not take the others' time any more."""
        super().expel()
        asyncio.get_running_loop().call_later(EXIT_TIMEOUT, self.process.kill)

    async def explain(self, detail: str) -> str:
        return await self.process.exit_reason(detail)
