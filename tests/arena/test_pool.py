"""The process pool: what its processes are at when it is left, they close, and begin nothing else."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

import pytest

from polyversi.arena.pool import process_pool


def endless(begun: Path, closed: Path) -> None:
    """A game that says when it has begun, never ends, and says when it is closed."""

    async def game() -> None:
        try:
            begun.write_text("begun\n")
            await asyncio.Event().wait()
        finally:
            closed.touch()

    asyncio.run(game())


def test_a_game_is_closed_and_the_next_one_is_not_begun(tmp_path: Path) -> None:
    begun, closed, other = tmp_path / "begun", tmp_path / "closed", tmp_path / "other"
    os.mkfifo(begun)
    with pytest.raises(KeyboardInterrupt), process_pool(1) as pool:
        pool.submit(endless, begun, closed)
        pool.submit(other.touch)
        begun.read_text()    # waits until the first one has begun
        raise KeyboardInterrupt
    assert closed.exists()
    assert not other.exists()
