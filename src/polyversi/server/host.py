"""TCP hosts: games that others join over a network, one after another in rooms of their own."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from polyversi.gameplay.events import Observer
from polyversi.gameplay.referee import STALL_TIMEOUT, Finished
from polyversi.gameplay.seat import Seat
from polyversi.games.errors import PlayerError
from polyversi.games.game import Game
from polyversi.players import NO_LIMIT, Limit
from polyversi.records.maps import embedded_map
from polyversi.server.connection import PORT, LineConnection, opening
from polyversi.server.guest import Guest
from polyversi.server.messages import FROM_GUEST
from polyversi.server.policy import NoStore, RoomPolicy
from polyversi.server.room import Room
from polyversi.storage.stored import StoredGame, StoredSeat

MAX_STRANGERS = 32
"""Connections that have not said hello; one more, and the oldest of them has to go."""
MAX_SPECTATORS = 64
CATCH_UP = 5.0
"""Seconds after the end of a game in which guests must have read the rest of it."""

MakeSeat = Callable[[], "Seat"]


@dataclass(frozen=True)
class HostPlan:
    """What a host plays: the game, who sits at it, and how long everybody may take."""

    game: Game
    seats: Sequence[MakeSeat | None]
    """How to fill each seat for a game; None is a seat for somebody elsewhere."""
    limit: Limit | Sequence[Limit] = NO_LIMIT
    grace: float = 30.0
    """Seconds to come back after a lost connection."""
    games: int = 1
    """How many games are played, one after the other."""
    seed: int | None = None
    """Repeats the set-ups, where they are drawn."""
    move_timeout: float = STALL_TIMEOUT
    """Seconds to wait for a move where no limit is set."""

    def __post_init__(self) -> None:
        if len(self.seats) != self.game.seats:
            raise PlayerError(f"{self.game.spec} has {self.game.seats} seats, not {len(self.seats)}")


class Host:
    """Waits for players on a TCP port, plays the games with them, and tells everybody who listens.

    >>> import asyncio
    >>> import polyversi as pv
    >>> from polyversi.gameplay import LocalSeat
    >>> from polyversi.server.client import Client
    >>> from polyversi.server.connection import Address
    >>> async def evening():
    ...     local = LocalSeat(pv.player("random", seed=1))
    ...     host = Host(HostPlan(pv.game("othello-4"), [lambda: local, None]))
    ...     await host.open(port=0)
    ...     here = Address("127.0.0.1", host.port)
    ...     guest = Client(here, lambda: LocalSeat(pv.player("random")), name="Ann")
    ...     (finished,), _ = await asyncio.gather(host.run(), guest.run())
    ...     return finished
    >>> asyncio.run(evening()).record.players
    ('random:seed=1', 'Ann')
    """

    def __init__(self, plan: HostPlan, observers: Sequence[Observer] = (),
                 say: Callable[[str], None] | None = None) -> None:
        self.plan = plan
        self.port = 0
        self.policy = RoomPolicy(
            plan.grace, forfeits=True, open_seats=True, for_people=False, move_timeout=plan.move_timeout,
            people_may_think=False, max_spectators=MAX_SPECTATORS, games=plan.games)
        self.write_queue = NoStore()
        self._observers = list(observers)
        self._say = say or (lambda _: None)
        self.room = self._new_room(1)
        """Where the current game is played."""
        self._connections: dict[asyncio.Task[None], Guest] = {}    # in the order they came
        self._server: asyncio.Server | None = None

    async def open(self, address: str = "127.0.0.1", port: int = PORT) -> None:
        """Opens the port; 0 takes any that is free."""
        with opening(address, port):
            self._server = await asyncio.start_server(self._connected, address, port)
        self.port = self._server.sockets[0].getsockname()[1]

    async def run(self) -> list[Finished]:
        """Plays all games, then lets everybody go and closes the port."""
        finished = []
        reason = "the host ended the game"
        try:
            for number in range(1, self.plan.games + 1):
                if number > 1:
                    self._go_on(self._new_room(number))
                finished.append(await self.room.play())
            await self.room.wait_for_the_absent()
            reason = "all games are played" if self.plan.games > 1 else "the game is over"
        finally:
            await self.close(reason)
        return finished

    async def close(self, reason: str) -> None:
        """Closes the port and lets every guest go, with a little time to read the rest."""
        if self._server is not None:
            self._server.close()
        self.room.close(reason)
        for stranger in self._strangers():
            stranger.abort()
        if self._connections:
            _, late = await asyncio.wait(self._connections, timeout=CATCH_UP)
            for task in late:
                task.cancel()
            await asyncio.gather(*late, return_exceptions=True)

    def _new_room(self, number: int) -> Room:
        plan = self.plan
        seed = random.getrandbits(32) if plan.seed is None else plan.seed + number - 1
        start = plan.game.start(seed)
        limits = [plan.limit] * len(plan.seats) if isinstance(plan.limit, Limit) else plan.limit
        stored = StoredGame(
            id=f"game {number}", spec=plan.game.spec, map=embedded_map(plan.game), start=start.text,
            seats=tuple(StoredSeat("human" if make is None else "computer") for make in plan.seats),
            limits=tuple(map(str, limits)), created=time.time())
        return Room(stored, (), self, start=start, observers=self._observers, report=self._say)

    def _go_on(self, room: Room) -> None:
        """Opens the room of the next game; who has not read the last one within a while has to go."""
        self.room.lead_to(room)
        for stranger in self._strangers():
            stranger.enter(room)
        self.room = room
        asyncio.get_running_loop().call_later(CATCH_UP, room.drop_laggards)

    def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        strangers = self._strangers()
        if len(strangers) >= MAX_STRANGERS:
            strangers[0].abort()
        guest = Guest(self.room, LineConnection(reader, writer, FROM_GUEST))
        task = asyncio.create_task(guest.serve())
        self._connections[task] = guest
        task.add_done_callback(self._connections.pop)

    def _strangers(self) -> list[Guest]:
        """Those who have not said hello, the oldest first."""
        return [guest for guest in self._connections.values() if guest.is_stranger]

    # What a room needs of its owner.

    def player(self, room: Room, number: int) -> Seat:  # noqa: ARG002
        """Makes the seat of a player of this machine."""
        make = self.plan.seats[number - 1]
        assert make is not None, "a guest's seat is the room's"
        return make()

    def rematch(self, room: Room) -> None:
        """There is none here: the plan says how many games are played."""
