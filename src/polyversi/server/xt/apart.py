"""Playing in a process apart, so that neither a slow terminal nor anything else here can make it late."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import asdict, dataclass
from types import TracebackType
from typing import Any

from polyversi.games.errors import PolyversiError

CHUNK = 1 << 16
FAREWELL = 3.0
"""Seconds that the process has to let go of everything before it is ended."""

News = dict[str, Any]
"""Something that the process tells: one name that says what it is, and what goes with it.

- `begin`: a map and a seat · `event`: of the game · `say`: a sentence · `ended`: a seat, a record and a fault
- `ask`: a limit and the number of the question, for the person who plays · `enough`: that was not fast enough
- `error`: the sentence of what ended it all
"""


@dataclass(frozen=True)
class Errand:
    """What is to be played, where, and by whom."""

    host: str
    port: int
    player: str
    """A player, a bot, or `human` for a person, who is asked here."""
    group: int = 0
    games: int = 1
    retry: float = 0.0
    """Seconds to keep trying while no server is there yet."""


class Apart:
    """The process that plays: tells its news in order, and is told what a person answers.

    >>> async def visit_nobody() -> None:
    ...     async with Apart(Errand("127.0.0.1", 9, "random")) as client:
    ...         async for batch in client.news():
    ...             print(batch)
    >>> asyncio.run(visit_nobody())
    Traceback (most recent call last):
    polyversi.games.errors.PolyversiError: nobody can be reached at 127.0.0.1:9: ...
    """

    def __init__(self, errand: Errand) -> None:
        self._errand = errand

    async def __aenter__(self) -> Apart:
        self._process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "polyversi.server.xt.errand",
            stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
            start_new_session=True,    # Ctrl-C is for this process alone, and the system treats them as two
        )
        self.tell(asdict(self._errand))
        return self

    def tell(self, message: News) -> None:
        """Tells the process what to play, or what a person says."""
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(message).encode() + b"\n")

    async def news(self) -> AsyncIterator[list[News]]:
        """What the process tells, as much as there is each time; an error that ended it is raised."""
        assert self._process.stdout is not None
        rest = b""
        while data := await self._process.stdout.read(CHUNK):
            *lines, rest = (rest + data).split(b"\n")
            batch: list[News] = [json.loads(line) for line in lines]
            yield [news for news in batch if "error" not in news]
            for news in batch:
                if "error" in news:
                    raise PolyversiError(news["error"])
        status = await self._process.wait()
        if status:
            raise PolyversiError(f"the process that plays has ended with status {status}")

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        try:
            async with asyncio.timeout(FAREWELL):
                await self._process.communicate()
        except TimeoutError:
            with suppress(ProcessLookupError):
                self._process.kill()
            await self._process.wait()
