"""The Reversi XT server: seats clients in the order of their connections and plays one game after another."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from polyversi.gameplay.events import Event
from polyversi.gameplay.referee import Finished, Referee
from polyversi.gameplay.verdict import SeatFailure, Verdict, failure_of
from polyversi.games.errors import LimitError, PlayerError, VariantError
from polyversi.games.game import Game
from polyversi.games.state import State
from polyversi.games.variants import game as named
from polyversi.games.xt import is_kind, read_map, xt_game
from polyversi.players import Limit
from polyversi.protocols.xt.announcer import Announcer
from polyversi.protocols.xt.frames import PORT, Map, Number
from polyversi.protocols.xt.seat import MAX_DEPTH, Bounds, XtSeat, announce
from polyversi.records.maps import map_of
from polyversi.server.connection import keep_alive, opening
from polyversi.server.host import MakeSeat
from polyversi.server.xt.results import PlayedGame

MAX_PAUSE = 3600.0


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
    word = word.strip().removeprefix("xt:")
    if is_kind(word.partition(",")[0]):
        game = named(f"xt:{word}")
        if game.definition.goal != "most":
            raise VariantError(f"'{word}' is not possible: clients of Reversi XT play for the most stones")
        return ServerMap(game.spec.removeprefix("xt:"), game, map_of(game).text.encode())
    path = Path(word)
    game = xt_game(read_map(path), f"xt:{word}")
    return ServerMap(path.stem, game, path.read_bytes())


@dataclass(frozen=True)
class ClientLimits:
    """Limits on clients that wait for a game."""

    group_timeout: float = 10.0
    """Seconds that a newcomer has to say its group."""
    max_waiting: int = 64
    """How many clients may wait at a time; one that has not said its group makes room for a newcomer."""
    bounds: Bounds = field(default_factory=Bounds)


class ClientQueue:
    """Accepts connections, reads their groups, and provides the first clients when a game begins.

    A client that leaves or sends a wrong message is removed, and the others move up. The queue also knows the
    clients that are playing, until their connections are closed.
    """

    def __init__(self, limits: ClientLimits, say: Callable[[str], None]) -> None:
        self._limits = limits
        self._say = say
        self._line: list[XtSeat] = []    # in the order of connection, also those without a group yet
        self._attended: dict[asyncio.Task[None], XtSeat] = {}
        self._news = asyncio.Event()
        self._is_shut = False

    def connect(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """A connection was made."""
        if self._is_shut or not self._has_space():
            writer.transport.abort()
            return
        keep_alive(writer.get_extra_info("socket"))
        host, port = (writer.get_extra_info("peername") or ("an unknown address", 0))[:2]
        client = XtSeat(f"{host}:{port}", reader, writer, bounds=self._limits.bounds)
        client.on_failure = lambda _, verdict: self._part(client, verdict)
        self._line.append(client)
        task = asyncio.create_task(self._attend(client))
        self._attended[task] = client
        task.add_done_callback(self._attended.pop)

    async def first(self, count: int) -> list[XtSeat]:
        """Waits until the first `count` clients have said their groups, and takes them out of the queue."""
        while len(self._line) < count or any(client.group is None for client in self._line[:count]):
            self._news.clear()
            await self._news.wait()
        chosen = self._line[:count]
        del self._line[:count]
        return chosen

    def shut(self) -> None:
        """Turns away everybody who is waiting and everybody who connects from now on."""
        self._is_shut = True
        for client in self._line:
            if client.group is not None:
                self._say(f"{client.name} came too late for the last game")
            client.dismiss()
        self._line.clear()

    async def close(self) -> None:
        """Closes all connections and waits until they are closed."""
        for client in self._attended.values():
            client.dismiss()
        if self._attended:
            await asyncio.wait(self._attended)

    def _has_space(self) -> bool:
        if len(self._line) < self._limits.max_waiting:
            return True
        for client in self._line:
            if client.group is None:
                self._line.remove(client)
                client.drop()
                return True
        return False

    async def _attend(self, client: XtSeat) -> None:
        """Looks after one client until its connection is closed."""
        try:
            try:
                async with asyncio.timeout(self._limits.group_timeout):
                    group = await client.introduced()
            except TimeoutError:
                client.fail("stall", f"it did not say its group within {self._limits.group_timeout:g} s")
            except SeatFailure:
                pass    # it has already left the queue
            else:
                address, client.name = client.name, f"group {group}"
                self._say(f"{client.name} connected from {address}")
                self._news.set()
            await client.gone()
        finally:
            client.drop()

    def _part(self, client: XtSeat, verdict: Verdict) -> None:
        """A waiting client has left or must leave."""
        if client in self._line:
            self._line.remove(client)
            self._say(f"{client.name} left: {verdict.detail}")
            self._news.set()
        client.dismiss()


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

    def __post_init__(self) -> None:
        for map_ in self.maps:
            if map_.game.seats <= len(self.local):
                raise PlayerError(f"{map_.name} has {map_.game.seats} seats; {len(self.local)} local players "
                                  "leave no seat for a client")
        if not 0 <= self.pause <= MAX_PAUSE:
            raise LimitError(f"a pause of {self.pause:g} s is not possible; take 0 to {MAX_PAUSE:g}")


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

    def finish(self, game: PlayedGame) -> None:
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

    async def open(self, address: str = "127.0.0.1", port: int = PORT) -> None:
        """Opens the port; 0 takes any that is free."""
        with opening(address, port):
            self._server = await asyncio.start_server(self._queue.connect, address, port)
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
        remote = map_.game.seats - len(plan.local)
        many = f"game {number} of {plan.games}, " if plan.games > 1 else ""
        self._observer.say(f"{many}{map_.name}: waiting for {remote} client{'s' if remote > 1 else ''}")
        clients = await self._queue.first(remote)
        if number == plan.games:
            self._turn_away()
        began = datetime.now(UTC)
        finished = await self._play(number, map_, clients)
        groups = tuple(client.group for client in clients) + (None,) * len(plan.local)
        self._observer.finish(PlayedGame(number, began, map_.name, groups, finished))
        await self._observer.caught_up()

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
        referee = Referee(start, seats, self.plan.limit, [tell, self._observer.hear])
        for seat, client in enumerate(clients, 1):
            client.number, client.on_failure = seat, fail
            client.tell(Map(map_.text))
            client.tell(Number(seat))
        self._observer.begin(number, map_, start)
        await asyncio.sleep(self.plan.pause)
        return await self.play(referee)
