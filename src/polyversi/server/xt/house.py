"""The server of Reversi XT: seats clients in the order they come, and plays game after game."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from polyversi.gameplay.referee import Finished, Referee
from polyversi.gameplay.verdict import failure_of
from polyversi.games.errors import LimitError, PlayerError
from polyversi.players import Limit
from polyversi.protocols.xt.announcer import Announcer
from polyversi.protocols.xt.frames import PORT, Map, Number
from polyversi.protocols.xt.seat import DEEPEST, XtSeat, announce
from polyversi.server.connection import NetworkError
from polyversi.server.host import MakeSeat, cannot_open
from polyversi.server.xt.results import PlayedGame
from polyversi.server.xt.waiting import Patience, WaitingRoom

if TYPE_CHECKING:
    from polyversi.gameplay.events import Event, Observer
    from polyversi.gameplay.seat import Seat
    from polyversi.gameplay.verdict import Verdict
    from polyversi.games.state import State
    from polyversi.server.xt.charts import Chart

LONGEST_PAUSE = 3600.0

Ready = Callable[[Referee], None]
"""Gets the referee of a game before that runs."""
Play = Callable[["State", "Sequence[Seat]", Limit, "Sequence[Observer]", Ready], Awaitable[Finished]]
"""Plays a game to its end, wherever else it is shown meanwhile."""


@dataclass(frozen=True)
class XtPlan:
    """What a server plays: the maps in turn, who of this machine plays, and the rules of the house."""

    charts: Sequence[Chart]
    limit: Limit
    """The growing bank, a depth, or both; `limit_of` makes one."""
    local: Sequence[MakeSeat] = ()
    """How to fill the last seats with players of this machine; clients have those before them."""
    games: int = 1
    """How many games are played, one after the other."""
    pause: float = 1.0
    """Seconds between the map and the first request."""
    patience: Patience = field(default_factory=Patience)

    def __post_init__(self) -> None:
        for chart in self.charts:
            if chart.game.seats <= len(self.local):
                raise PlayerError(f"{chart.name} has {chart.game.seats} seats; {len(self.local)} players of "
                                  "this machine leave none for a client")
        if not 0 <= self.pause <= LONGEST_PAUSE:
            raise LimitError(f"a pause of {self.pause:g} s is not possible; take 0 to {LONGEST_PAUSE:g}")


def limit_of(seconds: float, depth: int) -> Limit:
    """What clients may spend: seconds a move that add up to a bank, a depth, or both; 0 for none of it.

    >>> str(limit_of(2, 0)), str(limit_of(0, 3))
    ('bank=2,increment=2', 'depth=3')
    """
    if seconds == depth == 0:
        raise LimitError("a game needs a time or a depth; a client that is given neither would never move")
    if not 0 <= depth <= DEEPEST:
        raise LimitError(f"a depth of {depth} cannot be told to clients; take 1 to {DEEPEST}, or 0 for none")
    bank = Limit(bank=seconds, increment=seconds) if seconds else Limit()
    return Limit(bank=bank.bank, increment=bank.increment, depth=depth or None)


async def refereed(
    start: State, seats: Sequence[Seat], limit: Limit, observers: Sequence[Observer], ready: Ready
) -> Finished:
    """Plays a game with the referee alone."""
    referee = Referee(start, seats, limit, observers)
    ready(referee)
    return await referee.run()


class Audience:
    """Whoever follows a server from this machine; as it is, nobody."""

    def say(self, sentence: str) -> None:
        """Something about clients and games to come."""

    def begin(self, number: int, chart: Chart, start: State) -> None:
        """A game is about to begin."""

    def hear(self, event: Event) -> None:
        """Something happened in the game."""

    def finish(self, game: PlayedGame) -> None:
        """A game is over."""

    async def caught_up(self) -> None:
        """Waits until it has seen everything; the next game does not begin before."""


class XtServer:
    """Waits for clients of Reversi XT on a TCP port, plays the games with them, and closes it again.

    >>> import asyncio
    >>> import polyversi as pv
    >>> from polyversi.gameplay.seat import LocalSeat
    >>> from polyversi.server.xt.charts import chart_of
    >>> from polyversi.server.xt.client import XtClient
    >>> class Hall(Audience):
    ...     def finish(self, game):
    ...         print(*(row.player for row in game.seats), sep=", ")
    >>> async def evening():
    ...     here = lambda: LocalSeat(pv.player("random", seed=1))
    ...     plan = XtPlan([chart_of("torus,players=2")], limit_of(2, 0), [here], pause=0)
    ...     server = XtServer(plan, audience=Hall())
    ...     await server.open(port=0)
    ...     client = XtClient("127.0.0.1", server.port, LocalSeat(pv.player("random")), group=6)
    ...     await asyncio.gather(server.run(), client.play())
    >>> _ = asyncio.run(evening())
    group 6, random:seed=1
    """

    def __init__(self, plan: XtPlan, play: Play = refereed, audience: Audience | None = None) -> None:
        self.plan = plan
        self.port = 0
        self.play = play
        """How a game is played, and so where it is shown."""
        self._audience = audience or Audience()
        self._room = WaitingRoom(plan.patience, self._audience.say)
        self._server: asyncio.Server | None = None

    async def open(self, address: str = "127.0.0.1", port: int = PORT) -> None:
        """Opens the port; 0 takes any that is free."""
        try:
            self._server = await asyncio.start_server(self._room.come, address, port)
        except (OSError, UnicodeError) as error:
            broken = error if isinstance(error, OSError) else OSError(str(error))
            raise NetworkError(cannot_open(address, port, broken)) from None
        self.port = self._server.sockets[0].getsockname()[1]

    async def run(self) -> None:
        """Plays all games, then lets everybody go and closes the port."""
        try:
            for number in range(1, self.plan.games + 1):
                await self._game(number)
        finally:
            await self.close()

    async def close(self) -> None:
        """Closes the port and every connection."""
        self._close_port()
        await self._room.close()

    def _close_port(self) -> None:
        if self._server is not None:
            self._server.close()

    async def _game(self, number: int) -> None:
        """Waits for the clients of a game and plays it."""
        plan = self.plan
        chart = plan.charts[(number - 1) % len(plan.charts)]
        remote = chart.game.seats - len(plan.local)
        many = f"game {number} of {plan.games}, " if plan.games > 1 else ""
        self._audience.say(f"{many}{chart.name}: waiting for {remote} client{'s' if remote > 1 else ''}")
        clients = await self._room.first(remote)
        if number == plan.games:
            self._close_port()
            self._room.shut()
        began = datetime.now(UTC)
        finished = await _Table(chart, clients, plan, self._audience).play(number, self.play)
        groups = tuple(client.group for client in clients) + (None,) * len(plan.local)
        self._audience.finish(PlayedGame(number, began, chart.name, groups, finished))
        await self._audience.caught_up()


class _Table:
    """One game with its clients: what they are told, and what becomes of those that fail."""

    def __init__(self, chart: Chart, clients: Sequence[XtSeat], plan: XtPlan, audience: Audience) -> None:
        self._chart = chart
        self._clients = clients
        self._plan = plan
        self._audience = audience
        self._start = chart.game.start()
        self._announcer = Announcer(self._start)
        self._referee: Referee | None = None

    async def play(self, number: int, play: Play) -> Finished:
        """Sends everybody the map and a seat, and plays after a pause in which clients get ready."""
        for seat, client in enumerate(self._clients, 1):
            client.number, client.on_failure = seat, self._break_in
            client.tell(Map(self._chart.text))
            client.tell(Number(seat))
        self._audience.begin(number, self._chart, self._start)
        await asyncio.sleep(self._plan.pause)
        seats = [*self._clients, *(make() for make in self._plan.local)]
        observers = [self._tell, self._audience.hear]
        return await play(self._start, seats, self._plan.limit, observers, self._make_ready)

    def _make_ready(self, referee: Referee) -> None:
        self._referee = referee

    def _tell(self, event: Event) -> None:
        announce(self._announcer.frames(event), self._clients)
        # The referee passes over what comes just when somebody's time runs out.
        for client in self._clients:
            if client.failure is not None and client.number not in self._announcer.state.out:
                self._break_in(client.number, failure_of(client.number, client.failure))

    def _break_in(self, seat: int, verdict: Verdict) -> None:
        if self._referee is not None:
            self._referee.interrupt(seat, verdict)
