"""Joins an event of Reversi XT: runs a client for each game, and connects it with a token."""

from __future__ import annotations

import asyncio
import shlex
from asyncio import StreamReader, StreamWriter
from collections.abc import Callable
from contextlib import suppress

from polyversi.games.errors import PlayerError
from polyversi.server.connection import NetworkError, keep_alive

HOST, PORT = "{host}", "{port}"
CHUNK = 1 << 16
CONNECT_SECONDS = 30.0
"""Seconds in which a client that was started must connect."""
END_SECONDS = 5.0
"""Seconds that a client has to end after its game."""
RETRY_SECONDS = 2.0
"""Seconds between two attempts to reach an event that is not there."""
REFUSED = "the event does not take this token, or has ended"


class Joined:
    """A group's place in an event: game after game until it is stopped."""

    def __init__(self, host: str, port: int, token: str, command: str, say: Callable[[str], None]) -> None:
        if PORT not in command:
            raise PlayerError(f"write {HOST} and {PORT} where the client takes address and port, as in "
                              f"'java -jar client.jar -s {HOST} -p {PORT}'")
        self._host, self._port, self._token = host, port, token
        self._command, self._say = command, say

    async def play(self, games: int = 0) -> None:
        """Plays so many games, 0 for any number; a NetworkError if the event refuses the token."""
        played = 0
        while not games or played < games:
            event = await self._connect()
            played += 1
            if not await self._game(*event):
                raise NetworkError(REFUSED)
            self._say(f"game {played} is over")

    async def _connect(self) -> tuple[StreamReader, StreamWriter]:
        """A connection to the event, which may not be there yet, or not any more for a moment."""
        while True:
            try:
                reader, writer = await asyncio.open_connection(self._host, self._port)
            except OSError as error:
                self._say(f"{self._host}:{self._port} cannot be reached: {error.strerror or error}; "
                          "trying again")
                await asyncio.sleep(RETRY_SECONDS)
                continue
            keep_alive(writer.get_extra_info("socket"))
            writer.write(f"{self._token}\n".encode())
            return reader, writer

    async def _game(self, reader: StreamReader, writer: StreamWriter) -> bool:
        """Runs a client for one game; whether the event has said anything to it."""
        connected: asyncio.Future[tuple[StreamReader, StreamWriter]] = asyncio.Future()

        def accept(*line: *tuple[StreamReader, StreamWriter]) -> None:
            if connected.done():
                line[1].transport.abort()
            else:
                connected.set_result(line)

        server = await asyncio.start_server(accept, "127.0.0.1", 0)
        port = str(server.sockets[0].getsockname()[1])
        words = [word.replace(HOST, "127.0.0.1").replace(PORT, port) for word in shlex.split(self._command)]
        try:
            process = await asyncio.create_subprocess_exec(*words)
        except OSError as error:
            raise PlayerError(f"the client cannot be started: {error}") from None
        try:
            async with asyncio.timeout(CONNECT_SECONDS):
                client = await connected
            speaking = asyncio.create_task(_copy(client[0], writer))
            heard = await _copy(reader, client[1])
            await asyncio.wait([speaking], timeout=END_SECONDS)
            speaking.cancel()
            return bool(heard)
        except TimeoutError:
            raise PlayerError(f"the client did not connect within {CONNECT_SECONDS:g} s") from None
        finally:
            server.close()
            writer.transport.abort()
            await _end(process)


async def _copy(reader: StreamReader, writer: StreamWriter) -> int:
    """Passes on what is said until its end; how many bytes that were."""
    size = 0
    with suppress(OSError):
        while data := await reader.read(CHUNK):
            size += len(data)
            writer.write(data)
            await writer.drain()
    with suppress(OSError):
        writer.close()    # the other side has nobody to talk to any more
    return size


async def _end(process: asyncio.subprocess.Process) -> None:
    """Lets a client end by itself, or ends it."""
    try:
        async with asyncio.timeout(END_SECONDS):
            await process.wait()
    except TimeoutError:
        process.kill()
        await process.wait()
