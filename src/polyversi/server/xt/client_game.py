"""ClientGame a game of Reversi XT by what a server tells of it, which is checked by the rules first."""

from __future__ import annotations

from polyversi.gameplay.events import EndEvent, MoveEvent, StartEvent, VerdictEvent
from polyversi.gameplay.log import GameLog
from polyversi.gameplay.verdict import Verdict
from polyversi.games.errors import MapError, PolyversiError
from polyversi.games.state import State
from polyversi.games.xt import xt_game
from polyversi.games.xtmap import XtMap
from polyversi.players import NO_LIMIT
from polyversi.protocols.xt.frames import Played

UNKNOWN = "unknown"
"""What players elsewhere are called, whose names a server does not tell."""


class ServerFault(PolyversiError):  # noqa: N818 it is the server's fault, whatever comes of it
    """What a server says that it cannot say, by the protocol or by the rules."""


class ClientGame:
    """A game at a server as one of its seats hears of it; each message becomes an event fit to be shown.

    >>> from polyversi.protocols.xt.frames import Played
    >>> game = ClientGame(b"2 0 0 0  1 3  1 2 0", seat=1, name="group6")
    >>> game.start().players, game.played(Played(2, 0, 0, 1)).move, game.state.is_over
    (('group6', 'unknown'), '2,0', True)
    """

    def __init__(self, chart: bytes, seat: int, name: str) -> None:
        try:
            game = xt_game(XtMap.parse(chart))
        except MapError as error:
            raise ServerFault(f"the server sends a map that is none: {error}") from None
        if not 1 <= seat <= game.seats:
            raise ServerFault(f"the server gives seat {seat} on a map for {game.seats} players")
        self.seat = seat
        self.log = GameLog(game.start())
        self._name = name
        self._has_built = False    # whether the server has said that the building is over

    @property
    def state(self) -> State:
        """The state after all that was told."""
        return self.log.state

    def start(self) -> StartEvent:
        """The game as it begins."""
        names = [UNKNOWN] * self.log.start.game.seats
        names[self.seat - 1] = self._name
        return self.log.begin(names, [NO_LIMIT] * len(names))

    def check_turn(self) -> None:
        """Refuses a question that is not this seat's to answer."""
        if self.state.turn != self.seat:
            turn = f"it is the turn of seat {self.state.turn}" if self.state.turn else "the game is over"
            raise ServerFault(f"the server asks seat {self.seat} for a move, but {turn}")

    def played(self, stated: Played, seconds: float = 0.0, bank: float | None = None) -> MoveEvent:
        """Goes on with somebody's move, which took so long and leaves so much in this seat's bank."""
        state = self.state
        special = f":{stated.special}" if state.phase == "build" else ""    # bombs have none
        said = f"the server says that seat {stated.seat} plays {stated.x},{stated.y}{special}"
        if stated.seat != state.turn:
            turn = f"it is the turn of seat {state.turn}" if state.turn else "the game is over"
            raise ServerFault(f"{said}, but {turn}")
        try:
            move = state.game.move(f"{stated.x},{stated.y}{special}")
            clocks = [bank if seat == self.seat else None for seat in range(1, state.game.seats + 1)]
            return self.log.play(move, seconds, clocks)
        except PolyversiError as error:
            raise ServerFault(f"{said}, but {error}") from None

    def disqualified(self, seat: int, reason: str) -> VerdictEvent | None:
        """Goes on without a seat; None when the game is over for everybody already."""
        if not 1 <= seat <= self.state.game.seats or seat in self.state.out:
            gone = "which is out already" if seat in self.state.out else "which is none"
            raise ServerFault(f"the server disqualifies seat {seat}, {gone}")
        if self.state.is_over:
            return None
        return self.log.judge(Verdict("disqualified", seat, reason))

    def end_building(self) -> None:
        """The server says that the first phase is over; the rules must have come to the same end."""
        if self._has_built:
            raise ServerFault("the server ends the building twice")
        if self.state.phase == "build" and not self.state.is_over:
            raise ServerFault(f"the server ends the building, but seat {self.state.turn} has a move")
        self._has_built = True

    def end(self) -> EndEvent:
        """The server says that the game is over; the rules must have come to the same end."""
        result = self.state.result
        if result is None:
            raise ServerFault(f"the server ends the game, but by the rules seat {self.state.turn} is to move")
        return self.log.finish(result)
