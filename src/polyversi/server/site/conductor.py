"""The conductor's process, as the server sees it: started when there is something to do, and kept alive."""

from __future__ import annotations

import asyncio
import os
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Callable
from contextlib import suppress

import msgspec

from polyversi.site.conductor import TOKEN, Status, has_work
from polyversi.site.settings import SiteFile
from polyversi.site.store import SiteStore
from polyversi.storage.errors import StoreError

POLL_SECONDS = 1.0
"""Seconds between two looks whether there is something to do."""
RESTART_SECONDS = 1.0, 30.0
"""Seconds before a conductor that has ended is started again, at first and at most."""
EXIT_TIMEOUT = 10.0
"""Seconds in which it must end when it is told to."""
MAX_LINE = 1 << 20
"""Bytes of what it says at a time, which names the groups whose clients are connected."""
STOPPED = "the process that plays the games of bots has stopped; it is being started again"


class ConductorProcess:
    """The conductor of a site. Nobody has to nudge it, but it is quicker then."""

    def __init__(self, file: SiteFile, store: SiteStore, say: Callable[[str], None]) -> None:
        self.status = Status()
        """What it has said last."""
        self._file, self._store, self._say = file, store, say
        self._process: Process | None = None
        self._running: asyncio.Task[None] | None = None
        self._news = asyncio.Event()

    @property
    def pid(self) -> int:
        """The number of its process, or 0 while there is none."""
        return self._process.pid if self._process is not None else 0

    def start(self, live: str, token: str) -> None:
        """Begins to see to it; its workers tell of their games at that address, with that token."""
        self._running = asyncio.create_task(self._run(live, token))

    def nudge(self) -> None:
        """There is something new to do."""
        self._news.set()
        if self._process is not None and self._process.stdin is not None:
            with suppress(OSError, RuntimeError):    # it is gone, which is noticed
                self._process.stdin.write(b"\n")

    async def close(self) -> None:
        """Ends it; what it was at is done again later."""
        if self._running is not None:
            self._running.cancel()
            await asyncio.gather(self._running, return_exceptions=True)

    async def _run(self, live: str, token: str) -> None:
        await self._work_to_come()
        pause, longest = RESTART_SECONDS
        while True:
            began = asyncio.get_running_loop().time()
            try:
                how = f"has ended with status {await self._conduct(live, token)}"
            except OSError as error:    # such as when the machine has no more processes
                how = f"cannot be started: {error}"
            self.status = msgspec.structs.replace(self.status, problem=STOPPED, detail="", busy=0, groups={})
            self._say(f"the conductor {how}; it is started again")
            is_quick = asyncio.get_running_loop().time() - began < longest
            pause = min(2 * pause, longest) if is_quick else RESTART_SECONDS[0]
            await asyncio.sleep(pause)

    async def _conduct(self, live: str, token: str) -> int:
        """Runs the process to its end; its status."""
        self._process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "polyversi.site.conductor", str(self._file.path), "--live", live,
            stdin=PIPE, stdout=PIPE, limit=MAX_LINE, env={**os.environ, TOKEN: token})
        try:
            await self._listen(self._process)
            return await self._process.wait()
        except asyncio.CancelledError:
            await self._end(self._process)
            raise
        finally:
            self._process = None

    async def _work_to_come(self) -> None:
        """Waits until there is something to do: a site that only has people needs no conductor."""
        while True:
            self._news.clear()
            with suppress(StoreError):    # which others notice, too
                if await asyncio.to_thread(has_work, self._store):
                    return
            with suppress(TimeoutError):
                async with asyncio.timeout(POLL_SECONDS):
                    await self._news.wait()

    async def _listen(self, process: Process) -> None:
        assert process.stdout is not None
        while line := await process.stdout.readline():
            with suppress(msgspec.DecodeError):
                self.status = msgspec.json.decode(line, type=Status)

    async def _end(self, process: Process) -> None:
        assert process.stdin is not None
        process.stdin.close()
        try:
            async with asyncio.timeout(EXIT_TIMEOUT):
                await process.wait()
        except TimeoutError:
            process.kill()
            await process.wait()
