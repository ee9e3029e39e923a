"""The announcer: what happens in a game of Reversi XT, as the frames that all its clients hear."""

from __future__ import annotations

from typing import TYPE_CHECKING

from polyversi.protocols.xt.frames import Disqualified, EndOfBuilding, EndOfGame, Frame, Played

if TYPE_CHECKING:
    from polyversi._core import Move
    from polyversi.gameplay.events import Event
    from polyversi.games.state import State


class Announcer:
    """Follows one game and says what its clients are to hear of it, in the right order.

    The end of the building phase is told once, right after whatever ended it, before anybody is asked for a
    bomb; a game that a sole survivor wins while building never had one.

    >>> from polyversi.games.xt import xt_game
    >>> from polyversi.games.xtmap import XtMap
    >>> announcer = Announcer(xt_game(XtMap.parse("2 0 0 0  1 3  0 1 2")).start())
    >>> announcer.begun()
    []
    >>> announcer.played(announcer.state.moves[0])
    [Played(x=0, y=0, special=0, seat=2), EndOfBuilding()]
    >>> announcer.ended()
    [EndOfGame()]
    """

    def __init__(self, start: State) -> None:
        self.state = start
        """Where the game stands, as far as its clients have heard."""
        self._is_building = True

    def frames(self, event: Event) -> list[Frame]:
        """What an event of the referee is to clients; nothing can be taken back from them."""
        data = event.data
        if event.kind == "start":
            return self.begun()
        if event.kind == "move":
            return self.played(self.state.game.move(data["move"]))
        if event.kind == "verdict":
            return self.expelled(data["seat"])
        return self.ended() if event.kind == "end" else []

    def begun(self) -> list[Frame]:
        """Before anybody is asked: on a map without a building move the bombing begins at once."""
        return self._after()

    def played(self, move: Move) -> list[Frame]:
        """After a move of the seat whose turn it is."""
        seat, (x, y) = self.state.turn, self.state.board.coordinates[move.cell]
        self.state = self.state.play(move)
        return self._after(Played(x, y, move.special, seat))

    def expelled(self, seat: int) -> list[Frame]:
        """After a seat was disqualified."""
        self.state = self.state.disqualify(seat)
        return self._after(Disqualified(seat))

    def ended(self) -> list[Frame]:
        """After the end of the game."""
        return [EndOfGame()]

    def _after(self, *told: Frame) -> list[Frame]:
        if self._is_building and self.state.phase == "bomb":
            self._is_building = False
            return [*told, EndOfBuilding()]
        return list(told)
