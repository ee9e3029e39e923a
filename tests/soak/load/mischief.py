"""Clients of Reversi XT that mean no good, and the small maps on which they meet honest ones."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable
from dataclasses import replace
from random import Random

from polyversi.games.errors import MapError
from polyversi.games.xtmap import Transition, XtMap
from polyversi.protocols.xt.frames import Answer, Ask, EndOfGame, Group, Played, encode
from polyversi.server.xt.server import ServerMap
from tests.testing.xt_clients import Client, Line, chart

TILES = "000000--cibx"
LARGEST_SIDE = 8


def small_chart(seats: int, chance: Random) -> ServerMap:
    """A random map for so many, with everything that maps have: holes, special tiles, transitions, stocks.

    >>> small_chart(3, Random(1)).game.seats
    3
    """
    while True:
        try:
            return chart(_random_map(seats, chance).text, f"{seats} seats")
        except MapError:
            continue    # nobody could move on it


def _random_map(seats: int, chance: Random) -> XtMap:
    height, width = chance.randint(3, LARGEST_SIDE), chance.randint(3, LARGEST_SIDE)
    stones = "".join(str(seat) for seat in range(1, seats + 1))
    tiles = "".join(chance.choice(stones if chance.random() < 0.4 else TILES) for _ in range(height * width))
    overrides, bombs, radius = (chance.randint(0, 2) for _ in range(3))
    bare = XtMap(seats, overrides, bombs, radius, height, width, tiles)
    open_sides = [(x, y, r) for y in range(height) for x in range(width) for r in range(8)
                  if bare.tile(x, y) != "-" and not _has_neighbour(bare, x, y, r)]
    chance.shuffle(open_sides)
    ends = open_sides[: 2 * chance.randint(0, min(6, len(open_sides) // 2))]
    joints = tuple(Transition(*one, *other) for one, other in zip(ends[::2], ends[1::2], strict=True))
    return replace(bare, transitions=joints)


def _has_neighbour(bare: XtMap, x: int, y: int, direction: int) -> bool:
    dx, dy = ((0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1))[direction]
    return bare.tile(x + dx, y + dy) != "-"


class Hostile(Client):
    """Plays like an honest client for a while, and then does something that no honest client does."""

    deed = ""
    """What it does."""
    honest_moves = 0
    """How many moves it lets pass before."""
    is_done = False

    async def play(self, chance: Random) -> Hostile:
        while (frame := await self.hear()) is not None:
            self.follow(frame)
            if isinstance(frame, EndOfGame):
                break
            self.honest_moves -= isinstance(frame, (Ask, Played))
            if self.honest_moves < 0 and not self.is_done:
                self.is_done = True
                DEEDS[self.deed](self, chance)
            elif isinstance(frame, Ask) and (not self.is_done or self.deed in FORGIVABLE):
                self.send(self.choice(chance))
        self.close()
        return self


def _leave(client: Line, chance: Random) -> None:
    client.close()


def _reset(client: Line, chance: Random) -> None:
    own = client.writer.get_extra_info("socket")
    own.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
    client.close()


def _stall(client: Line, chance: Random) -> None:
    """Says nothing any more."""


def _half(client: Line, chance: Random) -> None:
    client.writer.write(encode(Answer(1, 1, 0))[: chance.randint(1, 9)])


def _early(client: Line, chance: Random) -> None:
    client.send(Answer(chance.randint(0, 3), chance.randint(0, 3), 0))


def _flood(client: Line, chance: Random) -> None:
    client.writer.write(encode(Answer(0, 0, 0)) * chance.randint(3, 20_000))


def _illegal(client: Line, chance: Random) -> None:
    client.send(Answer(chance.randint(0, 9), chance.choice([0, 99, 65535]), chance.randint(0, 255)))


def _huge(client: Line, chance: Random) -> None:
    client.writer.write(b"\x05\xff\xff\xff\xff" + b"x" * chance.randint(0, 100_000))


def _garbage(client: Line, chance: Random) -> None:
    client.writer.write(chance.randbytes(chance.randint(1, 2000)))


def _introduction(client: Line, chance: Random) -> None:
    client.send(Group(chance.randint(0, 255)))


def _closed_ear(client: Line, chance: Random) -> None:
    """Reads nothing for a while, and answers nothing."""
    transport = client.writer.transport
    assert isinstance(transport, asyncio.ReadTransport)
    transport.pause_reading()
    asyncio.get_running_loop().call_later(1.0, _reopen, transport)


def _reopen(transport: asyncio.ReadTransport) -> None:
    if not transport.is_closing():
        transport.resume_reading()


DEEDS: dict[str, Callable[[Line, Random], None]] = {
    "leave": _leave, "reset": _reset, "stall": _stall, "half a message": _half, "early move": _early,
    "flood": _flood, "illegal move": _illegal, "4 GB": _huge, "garbage": _garbage,
    "group again": _introduction, "closed ear": _closed_ear,
}
FORGIVABLE = ("early move",)
"""After these it goes on as if nothing had been."""

NUISANCES: dict[str, Callable[[Line, Random], None]] = {
    "silence": _stall,
    "half a group": lambda line, _: line.writer.write(b"\x01\0"),
    "garbage first": _garbage,
    "a move first": _early,
    "leaves at once": _leave,
    "resets at once": _reset,
}
"""What those do who never say their group."""
