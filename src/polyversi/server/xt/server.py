"""The Reversi XT server: seats clients in the order of their connections and plays one game after another."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from polyversi.gameplay.bots.seat import READY
from polyversi.gameplay.events import Event
from polyversi.gameplay.referee import Finished, Referee
from polyversi.gameplay.verdict import Verdict, failure_of
from polyversi.games.errors import LimitError, PlayerError, VariantError
from polyversi.games.game import Game
from polyversi.games.state import State
from polyversi.games.variants import file_of
from polyversi.games.variants import game as named
from polyversi.games.xt import MapSpec, read_map, xt_game
from polyversi.games.xtmap import MAX_BYTE
from polyversi.players import Limit
from polyversi.protocols.xt.announcer import Announcer
from polyversi.protocols.xt.client_seat import XtClientSeat
from polyversi.protocols.xt.frames import PORT, Map, Number
from polyversi.protocols.xt.seat import MAX_DEPTH, XtSeat, announce
from polyversi.records.maps import is_told_by_map, map_of, map_spec_of
from polyversi.server.connection import NetworkError, PortInUseError, opening
from polyversi.server.host import MakeSeat
from polyversi.server.xt.clients import ClientLimits, ClientQueue, Names, name_clients, started
from polyversi.server.xt.results import XtGameResult

MAX_PAUSE = 3600.0
TOGETHER = 0.2
"""Seconds within which connections that break are lost at once."""


@dataclass(frozen=True)
class ServerMap:
    """A map: its name, its game, and its text as it is sent to clients."""

    name: str
    game: Game
    text: bytes


def server_map(word: str) -> ServerMap:
    """The map that a word names: a kind of map with its options, or a file, which is sent as it is.

    >>> map_ = server_map("arena,players=3")
    >>> map_.name, map_.game.seats, map_.text[:2]
    ('arena,players=3', 3, b'3\\n')
    """
    asked = MapSpec.read(word.strip()) or MapSpec(word.strip())
    if file_of(str(asked)) is None:
        game = named(str(asked))
        found = ServerMap(map_spec_of(game).map, game, map_of(game).text.encode())
    else:
        path = Path(asked.map)
        game = xt_game(read_map(path), str(MapSpec(asked.map)), asked.goal)
        found = ServerMap(path.stem, game, path.read_bytes())
    if not is_told_by_map(game):
        raise VariantError(f"'{word}' is not possible: clients of Reversi XT play for the most stones")
    if max(found.game.definition.overrides, found.game.definition.bombs) > MAX_BYTE:
        raise VariantError(f"'{word}' is not possible: clients of Reversi XT count override stones and bombs "
                           f"in a byte; a map for them has at most {MAX_BYTE} of each")
    return found


@dataclass(frozen=True)
class XtPlan:
    """What a server plays: its maps in turn, its local players, and the limits for clients."""

    maps: Sequence[ServerMap]
    limit: Limit
    """The growing bank, a depth, or both; `limit_of` makes one."""
    local: Sequence[MakeSeat] = ()
    """Functions that make local players for the last seats; clients have the seats before them."""
    games: int = 1
    """How many games are played, one after the other."""
    pause: float = 1.0
    """Seconds between the map and the first request."""
    client_limits: ClientLimits = field(default_factory=ClientLimits)
    started: Sequence[XtClientSeat] = ()
    """Clients that are started for each game, in the seats before the local players."""
    names: Names = field(default_factory=dict)
    """Names of clients by their groups."""
    longest_wait: float | None = None
    """Seconds that all clients of a game have to connect; None for as long as they like."""

    def __post_init__(self) -> None:
        for map_ in self.maps:
            if map_.game.seats < len(self.local) + len(self.started):
                raise PlayerError(f"{map_.name} has {map_.game.seats} seats, too few for the "
                                  f"{len(self.local) + len(self.started)} players of this machine")
            if map_.game.seats == len(self.local):
                raise PlayerError(f"{map_.name} has {map_.game.seats} seats; {len(self.local)} local players "
                                  "leave no seat for a client")
        if not 0 <= self.pause <= MAX_PAUSE:
            raise LimitError(f"a pause of {self.pause:g} s is not possible; take 0 to {MAX_PAUSE:g}")

    def connecting(self, map_: ServerMap) -> int:
        """How many clients must connect by themselves for a game on a map."""
        return map_.game.seats - len(self.local) - len(self.started)

    @property
    def is_open(self) -> bool:
        """Whether any client connects by itself."""
        return any(map(self.connecting, self.maps))


def limit_of(seconds: float, depth: int) -> Limit:
    """The limit for clients: seconds per move that add up to a bank, a depth, or both; 0 means no such limit.

    >>> str(limit_of(2, 0)), str(limit_of(0, 3))
    ('bank=2,increment=2', 'depth=3')
    """
    if seconds == depth == 0:
        raise LimitError("a game needs a time or a depth limit; without either, a client could think forever")
    if not 0 <= depth <= MAX_DEPTH:
        raise LimitError(f"a depth of {depth} is not possible; take 1 to {MAX_DEPTH}, or 0 for none")
    return Limit(bank=seconds or None, increment=seconds, depth=depth or None)


class ServerObserver:
    """Receives a server's news; this base class ignores it."""

    def say(self, sentence: str) -> None:
        """A sentence about clients and the next game."""

    def begin(self, number: int, map_: ServerMap, start: State) -> None:
        """A game is about to begin."""

    def hear(self, event: Event) -> None:
        """Something happened in the game."""

    def finish(self, game: XtGameResult) -> None:
        """A game is over."""

    async def caught_up(self) -> None:
        """Waits until everything has been shown; the next game begins after that."""


class XtServer:
    """Waits for Reversi XT clients on a TCP port, plays the games with them, and closes the port.

    >>> import asyncio
    >>> import polyversi as pv
    >>> from polyversi.gameplay.seat import LocalSeat
    >>> from polyversi.server.xt.server import server_map
    >>> from polyversi.server.xt.client import XtClient
    >>> class Printed(ServerObserver):
    ...     def finish(self, game):
    ...         print(*(row.player for row in game.seats), sep=", ")
    >>> async def session():
    ...     here = lambda: LocalSeat(pv.player("random", seed=1))
    ...     plan = XtPlan([server_map("torus,players=2")], limit_of(2, 0), [here], pause=0)
    ...     server = XtServer(plan, observer=Printed())
    ...     await server.open(port=0)
    ...     client = XtClient("127.0.0.1", server.port, LocalSeat(pv.player("random")), group=6)
    ...     await asyncio.gather(server.run(), client.play())
    >>> _ = asyncio.run(session())
    group 6, random:seed=1
    """

    def __init__(self, plan: XtPlan, observer: ServerObserver | None = None) -> None:
        self.plan = plan
        self.port = 0
        self.play: Callable[[Referee], Awaitable[Finished]] = Referee.run
        """Runs a referee's game; a live page replaces it in order to show the game."""
        self._observer = observer or ServerObserver()
        self._queue = ClientQueue(plan.client_limits, self._observer.say)
        self._server: asyncio.Server | None = None

    async def open(self, address: str = "127.0.0.1", port: int = PORT, *, tries: int = 1) -> None:
        """Opens the port; 0 takes any that is free. With more tries, the next port follows one in use."""
        for number in range(port, min(port + tries, 65536)):
            try:
                with opening(address, number):
                    self._server = await asyncio.start_server(self._queue.connect, address, number)
                break
            except PortInUseError:
                if number + 1 == min(port + tries, 65536):
                    raise
        assert self._server is not None
        self.port = self._server.sockets[0].getsockname()[1]

    async def run(self) -> None:
        """Plays all games, then closes all connections and the port."""
        try:
            for number in range(1, self.plan.games + 1):
                await self._game(number)
        finally:
            await self.close()

    async def close(self) -> None:
        """Closes the port and every connection."""
        self._turn_away()
        await self._queue.close()

    def _turn_away(self) -> None:
        """Closes the port and turns away the clients that are still waiting."""
        if self._server is not None:
            self._server.close()
        self._queue.shut()

    async def _game(self, number: int) -> None:
        """Waits for the clients of a game and plays it."""
        plan = self.plan
        map_ = plan.maps[(number - 1) % len(plan.maps)]
        connected = await self._connected(number, map_)
        if number == plan.games:
            self._turn_away()
        seconds = READY if plan.longest_wait is None else min(READY, plan.longest_wait)
        async with started(plan.started, plan.client_limits.bounds, seconds) as own:
            clients = [*connected, *own]
            name_clients(clients, plan.names)
            began = datetime.now(UTC)
            finished = await self._play(number, map_, clients)
        groups = tuple(client.group for client in clients) + (None,) * len(plan.local)
        self._observer.finish(XtGameResult(number, began, map_.name, groups, finished, plan.limit))
        await self._observer.caught_up()

    async def _connected(self, number: int, map_: ServerMap) -> list[XtSeat]:
        """Waits for the clients that connect by themselves, but not longer than the plan says."""
        plan, count = self.plan, self.plan.connecting(map_)
        many = f"game {number} of {plan.games}, " if plan.games > 1 else ""
        awaited = f": waiting for {count} client{'s' if count > 1 else ''}" if count else ""
        self._observer.say(f"{many}{map_.name}{awaited}")
        try:
            async with asyncio.timeout(plan.longest_wait):
                return await self._queue.first(count)
        except TimeoutError:
            raise NetworkError(f"{self._queue.ready} of {count} clients had connected after "
                               f"{plan.longest_wait:g} s; the game needs all of them") from None

    async def _play(self, number: int, map_: ServerMap, clients: Sequence[XtSeat]) -> Finished:
        """Sends every client the map and its seat, and plays after a pause in which clients get ready."""
        start = map_.game.start()
        announcer = Announcer(start)

        def fail(seat: int, verdict: Verdict) -> None:
            referee.interrupt(seat, verdict)    # does nothing before the game; `tell` repeats it

        def tell(event: Event) -> None:
            announce(announcer.frames(event), clients)
            # The referee ignores a failure that arrives just as another seat's time runs out.
            for client in clients:
                if client.failure is not None and client.number not in announcer.state.out:
                    fail(client.number, failure_of(client.number, client.failure))

        seats = [*clients, *(make() for make in self.plan.local)]
        referee = Referee(start, seats, self.plan.limit, [tell, self._observer.hear], together=TOGETHER)
        for seat, client in enumerate(clients, 1):
            client.number, client.on_failure = seat, fail
            client.tell(Map(map_.text))
            client.tell(Number(seat))
        self._observer.begin(number, map_, start)
        await asyncio.sleep(self.plan.pause)
        return await self.play(referee)
