"""A job for process pools that never ends by itself."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path


def endless(begun: Path, closed: Path) -> None:
    """A game that says in which process it has begun, never ends, and says when it is closed."""

    async def game() -> None:
        try:
            begun.write_text(f"{os.getpid()}\n")
            await asyncio.Event().wait()
        finally:
            closed.touch()

    asyncio.run(game())
