"""Clients of Reversi XT: programs that connect to a server, each to one that is there for it alone."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace

from polyversi._core import Move
from polyversi.gameplay.bots.process import Child, Command
from polyversi.gameplay.bots.sandbox_port import HOST, PORT
from polyversi.gameplay.bots.seat import READY, BotSeat
from polyversi.gameplay.events import EndEvent, Event, MoveEvent, VerdictEvent
from polyversi.gameplay.seat import Request
from polyversi.gameplay.verdict import SeatFailure
from polyversi.games.errors import PlayerError
from polyversi.games.game import Game
from polyversi.games.state import State
from polyversi.games.tiles import HOLE, XT_SYMBOLS
from polyversi.games.xt import xt_game
from polyversi.games.xtmap import MAX_BYTE, XtMap
from polyversi.players import Limit
from polyversi.protocols.xt.announcer import Announcer
from polyversi.protocols.xt.frames import EndOfGame, Map, Number
from polyversi.protocols.xt.seat import XtSeat, announce
from polyversi.protocols.xt.started import ClientProcess
from polyversi.records.maps import is_told_by_map, map_of

DEFAULT_LIMIT = Limit(seconds=2.0)
"""What a client is told to spend where the limit says neither a time nor a depth; some would never move."""
PAUSE = 1.0
"""Seconds between the map and the first request, in which clients get ready."""

Step = Move | int
"""What happens in a game: a move, or the seat that is disqualified."""


class XtClientSeat(BotSeat):
    """A client program with a server that plays this one seat of the game.

    It is told of events as the seat hears of them, and at the latest before it is asked. A client cannot take
    moves back: when the game does, another process is started and told the game from the start. A request
    that is only interrupted stays open, and its answer is awaited when the client is asked again.
    """

    default_variant = "xt:arena,players=2"
    begins_anywhere = False

    def __init__(self, command: Command, name: str, ready: float = READY, pause: float = PAUSE) -> None:
        super().__init__(command, name, ready)
        if not any(PORT in word for word in command.words):
            raise PlayerError(f"'{name}' has no {PORT}; write {HOST} and {PORT} where the client takes "
                              f"address and port, as in 'xtclient:java -jar client.jar -s {HOST} -p {PORT}'")
        self._pause = pause
        self._client: XtSeat | None = None
        self._announcer: Announcer | None = None
        """What the client is told of the game, once it has the map."""
        self._ready_at = 0.0

    def unsuited(self, game: Game) -> str | None:
        is_fit = is_told_by_map(game)
        return None if is_fit else "XT clients play only on XT maps, and only for the most stones"

    def new_process(self) -> ClientProcess:
        return ClientProcess(self.protected(self.command))

    async def make_ready(self, child: Child, start: State, seat: int) -> bool:
        """Waits for the client's connection and its group, and sends it the map and its seat."""
        map_ = map_from(start)
        if map_ is None:
            raise PlayerError(f"{self.name} cannot start from this position: XT clients are sent a map, so "
                              f"all stocks must be equal, at most {MAX_BYTE}, and seat 1 must be to move; "
                              f"try an opening of a multiple of {start.game.seats} plies")
        assert isinstance(child, ClientProcess)
        client = self._client = await child.seat(self.name, self.ready)
        client.number = seat
        client.tell(Map(map_.text.encode()))
        client.tell(Number(seat))
        announcer = self._announcer = Announcer(start)
        announce(announcer.begin(), [client])
        self._ready_at = asyncio.get_running_loop().time() + self._pause
        return True

    async def prepare(self, request: Request) -> None:
        self.wake()
        await self._catch_up(request)
        await asyncio.sleep(self._ready_at - asyncio.get_running_loop().time())

    async def answer(self, request: Request) -> str:
        self.wake()    # not everybody lets it prepare
        await self._catch_up(request)
        assert self.child is not None
        answer = await self.choose(self.child, request)
        self.suspend()
        return answer

    async def choose(self, child: Child, request: Request) -> str:  # noqa: ARG002
        assert self._client is not None
        if request.limit.allowance is None and request.limit.depth is None:
            request = replace(request, limit=DEFAULT_LIMIT)
        return await self._client.answer(request)

    def hear(self, event: Event) -> None:
        """Tells the client at once, or before its next turn if it is not ready yet."""
        client, announcer = self._client, self._announcer
        if client is None or announcer is None:
            return
        # It may not have heard of what comes before.
        match event:
            case EndEvent():
                announce([EndOfGame()], [client])
                client.dismiss()
            case MoveEvent(step=step) if step is not None and step.before == announcer.state:
                self._tell(client, announcer, step.move)
            case VerdictEvent():
                with suppress(ValueError):
                    if announcer.state.disqualify(event.seat).text == event.position:
                        self._tell(client, announcer, event.seat)

    async def close(self) -> None:
        """Ends the connection and the process; a client has a moment to read how the game ended."""
        client, self._client, self._announcer = self._client, None, None
        if client is not None:
            client.dismiss()
        await super().close()
        if client is not None:
            client.drop()
            await client.gone()

    async def _catch_up(self, request: Request) -> None:
        """Tells the client what it has not heard of; another one, if it knows or thinks of something else."""
        if self._client is None or self._announcer is None:
            raise SeatFailure("crash", "it has not been started")
        steps = _steps(request.moves, request.disqualified)
        known = _steps(self._announcer.log.moves, self._announcer.log.disqualified)
        if steps[: len(known)] != known or self._client.asked_at not in (None, len(request.moves)):
            await self.begin(request.start, request.seat)
            known = []
        for step in steps[len(known) :]:
            self._tell(self._client, self._announcer, step)

    def _tell(self, client: XtSeat, announcer: Announcer, step: Step) -> None:
        announce(announcer.play(step) if isinstance(step, Move) else announcer.disqualify(step), [client])


def map_from(start: State) -> XtMap | None:
    """The map with which a game begins as it does here; None if there is none.

    >>> import polyversi as pv
    >>> start = pv.game("xt:torus").start()
    >>> map_from(start) == map_of(start.game), map_from(start.play(start.moves[0]))
    (True, None)
    """
    map_ = map_of(start.game)
    if HOLE in start.tiles or max(*start.overrides, *start.bombs) > MAX_BYTE:
        return None
    tiles = list(map_.tiles)
    for (x, y), tile in zip(start.board.coordinates, start.tiles, strict=True):
        tiles[y * map_.width + x] = XT_SYMBOLS[tile]
    map_ = replace(map_, tiles="".join(tiles), overrides=start.overrides[0], bombs=start.bombs[0])
    begun = xt_game(map_).start()
    is_same = all(getattr(begun, name) == getattr(start, name)
                  for name in ("turn", "phase", "overrides", "bombs", "out"))
    return map_ if is_same else None


def _steps(moves: Sequence[Move], disqualified: Sequence[tuple[int, int]]) -> list[Step]:
    """What has happened in the game, in order."""
    steps: list[Step] = []
    for ply in range(len(moves) + 1):
        steps += [seat for after, seat in disqualified if after == ply]
        steps += moves[ply : ply + 1]
    return steps

