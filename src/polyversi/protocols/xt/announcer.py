"""The announcer: what happens in a game of Reversi XT, as the frames that all its clients hear."""

from __future__ import annotations

from polyversi._core import Move
from polyversi.gameplay.events import EndEvent, Event, MoveEvent, VerdictEvent
from polyversi.gameplay.log import GameLog
from polyversi.gameplay.verdict import Verdict
from polyversi.games.state import State
from polyversi.players import NO_LIMIT
from polyversi.protocols.xt.frames import Disqualified, EndOfBuilding, EndOfGame, Frame, Played


class Announcer:
    """Follows one game and says what its clients are to hear of it, in the right order.

    The end of the building phase is told once, right after whatever ended it, before anybody is asked for a
    bomb; a game that a sole survivor wins while building never had one.

    >>> from polyversi.games.xt import xt_game
    >>> from polyversi.games.xtmap import XtMap
    >>> announcer = Announcer(xt_game(XtMap.parse("2 0 0 0  1 3  0 1 2")).start())
    >>> announcer.begin()
    []
    >>> announcer.play(announcer.state.moves[0])
    [Played(x=0, y=0, special=0, seat=2), EndOfBuilding()]
    """

    def __init__(self, start: State) -> None:
        self.log = GameLog(start)
        """The game as far as its clients have heard of it."""
        self._is_building = True

    @property
    def state(self) -> State:
        """The state after the last event."""
        return self.log.state

    def frames(self, event: Event) -> list[Frame]:
        """What the next event is to clients; nothing can be taken back from them."""
        self.log.apply(event)
        return self._frames(event)

    def begin(self) -> list[Frame]:
        """Before anybody is asked, where no event says so."""
        seats = self.state.game.seats
        return self._frames(self.log.begin([""] * seats, [NO_LIMIT] * seats))

    def play(self, move: Move) -> list[Frame]:
        """After a move of the seat whose turn it is."""
        return self._frames(self.log.play(move, 0.0))

    def disqualify(self, seat: int) -> list[Frame]:
        """After a seat was disqualified."""
        return self._frames(self.log.judge(Verdict("disqualified", seat)))

    def _frames(self, event: Event) -> list[Frame]:
        frames: list[Frame] = []
        match event:
            case MoveEvent():
                ply = self.log.plies[-1]
                x, y = ply.before.board.coordinates[ply.move.cell]
                frames = [Played(x, y, ply.move.special, event.seat)]
            case VerdictEvent():
                frames = [Disqualified(event.seat)]
            case EndEvent():
                return [EndOfGame()]
        # On a map without a building move the bombing begins at once.
        if self._is_building and self.state.phase == "bomb":
            self._is_building = False
            frames.append(EndOfBuilding())
        return frames
