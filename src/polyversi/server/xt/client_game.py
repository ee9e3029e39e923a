"""ClientGame follows a game of Reversi XT by the server's messages, each checked against the rules."""

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
"""The name of the other players: servers do not send their names."""


class ServerFault(PolyversiError):  # noqa: N818 named after who made the mistake
    """A message from the server that breaks the protocol or the rules."""


class ClientGame:
    """A game on a server as one of its seats follows it; each message becomes an event that views can show.

    The map is read as tolerantly as possible: leaving the game would cost more than a doubtful transition.

    >>> from polyversi.protocols.xt.frames import Played
    >>> game = ClientGame(b"2 0 0 0  1 3  1 2 0", seat=1, name="group6")
    >>> game.start().players, game.played(Played(2, 0, 0, 1)).move, game.state.is_over
    (('group6', 'unknown'), '2,0', True)
    """

    def __init__(self, chart: bytes, seat: int, name: str) -> None:
        try:
            xt_map, self.doubts = XtMap.parse_tolerantly(chart)
        except MapError as error:
            raise ServerFault(f"the server sent a map that cannot be read: {error}") from None
        game = xt_game(xt_map)
        if not 1 <= seat <= game.seats:
            raise ServerFault(f"the server assigned seat {seat} on a map for {game.seats} players")
        self.seat = seat
        self.log = GameLog(game.start())
        self._name = name
        self._has_built = False    # whether the server has ended the building phase

    @property
    def state(self) -> State:
        """The state after the last message."""
        return self.log.state

    def start(self) -> StartEvent:
        """Starts the game."""
        names = [UNKNOWN] * self.log.start.game.seats
        names[self.seat - 1] = self._name
        return self.log.begin(names, [NO_LIMIT] * len(names))

    def check_turn(self) -> None:
        """Raises a ServerFault if it is not this seat's turn."""
        if self.state.turn != self.seat:
            turn = f"it is the turn of seat {self.state.turn}" if self.state.turn else "the game is over"
            raise ServerFault(f"the server asked seat {self.seat} for a move, but {turn}")

    def played(self, stated: Played, seconds: float = 0.0, bank: float | None = None) -> MoveEvent:
        """Plays a move that took `seconds`; `bank` is what this seat has left after it."""
        state = self.state
        special = f":{stated.special}" if state.phase == "build" else ""    # bombs have none
        said = f"the server says that seat {stated.seat} played {stated.x},{stated.y}{special}"
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
        """Takes a seat out of the game; None if the game is already over."""
        if not 1 <= seat <= self.state.game.seats or seat in self.state.out:
            gone = "which is already out" if seat in self.state.out else "which does not exist"
            raise ServerFault(f"the server disqualified seat {seat}, {gone}")
        if self.state.is_over:
            return None
        return self.log.judge(Verdict("disqualified", seat, reason))

    def end_building(self) -> None:
        """The server has ended the building phase; by the rules it must be over too."""
        if self._has_built:
            raise ServerFault("the server ended the building phase twice")
        if self.state.phase == "build" and not self.state.is_over:
            raise ServerFault(f"the server ended the building phase, but seat {self.state.turn} has a move")
        self._has_built = True

    def end(self) -> EndEvent:
        """The server has ended the game; by the rules it must be over too."""
        result = self.state.result
        if result is None:
            raise ServerFault(f"the server ended the game, but it is the turn of seat {self.state.turn}")
        return self.log.finish(result)
