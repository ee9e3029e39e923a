"""A process that writes to a store through the queue until it is killed, and says what is on disk."""

from __future__ import annotations

import asyncio
import os
import resource
import sys

from polyversi.gameplay.events import Event, MoveEvent
from polyversi.storage.games import Store, StoredGame
from polyversi.storage.write_queue import WriteQueue

GAMES = 20
ROOM = 200_000
"""Bytes that a file may have in the process that runs out of room."""


def game_of(number: int) -> StoredGame:
    """One of the games that are written."""
    return StoredGame(f"g{number}", "othello", "", "", (), (), created=float(number), phase="running")


def event_of(number: int) -> Event:
    """One of the events of each game, large enough to fill a disk soon."""
    return MoveEvent(number, 1, "X" * 64, 0.5, (None, None), "")


def acknowledge(game: int, number: int) -> None:
    """Says that an event is on disk, in one piece, whenever the process may end."""
    os.write(1, f"{game} {number}\n".encode())


async def write(store: Store, most: int, queue: WriteQueue) -> None:
    """Continues every game from where it is in the store, each with one event at a time."""

    async def play(game: int) -> None:
        queue.submit(lambda tx: tx.add_game(game_of(game)), lambda: None)
        await queue.drain()
        for number in range(len(store.events(f"g{game}")), most):
            done = asyncio.Event()
            event = event_of(number)
            queue.submit(lambda tx, event=event: tx.append(f"g{game}", event), done.set)  # type: ignore[misc]
            await done.wait()
            acknowledge(game, number)

    await asyncio.gather(*(play(game) for game in range(GAMES)))


async def main(path: str, most: int, is_short_of_room: bool) -> None:
    def say(sentence: str) -> None:
        os.write(2, f"{sentence}\n".encode())
        if is_short_of_room and "again, nothing" not in sentence:
            resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))

    store = Store.open(path)
    if is_short_of_room:
        resource.setrlimit(resource.RLIMIT_FSIZE, (ROOM, resource.RLIM_INFINITY))
    queue = WriteQueue(store, say)
    await write(store, most, queue)
    await queue.close()
    store.close()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], int(sys.argv[2]), sys.argv[3:] == ["short"]))
