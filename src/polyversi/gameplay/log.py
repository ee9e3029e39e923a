"""The history of a game as its events tell it, for whoever shows, keeps or takes up a game."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from polyversi.players import Limit
from polyversi.records.record import Note, Record

if TYPE_CHECKING:
    from polyversi._core import Move
    from polyversi.gameplay.events import Event
    from polyversi.games.state import State


class Ply(NamedTuple):
    """A move, the state before it, and the seconds it took."""

    before: State
    move: Move
    seconds: float


class History:
    """Follows a game event by event.

    >>> import polyversi as pv
    >>> history = History(pv.game("othello-4").start())
    >>> finished = pv.play(history.start, [pv.player("random", seed=n) for n in (1, 2)], observers=[history])
    >>> history.state.result == finished.result, history.record.moves == finished.record.moves
    (True, True)
    """

    def __init__(self, start: State) -> None:
        self.start = start
        self.state = start
        self.players: tuple[str, ...] = ()
        self.plies: list[Ply] = []
        self.clocks: tuple[float | None, ...] = ()
        """Seconds left in the bank of each seat, None for one without a bank; empty before the start."""
        self.expelled: list[tuple[int, int]] = []
        """Seats that are out, each as (after how many moves, seat)."""

    def __call__(self, event: Event) -> None:
        """Takes in the next event."""
        data = event.data
        if event.kind == "start":
            self.players = tuple(data["players"])
            self.clocks = tuple(Limit.parse(limit).bank for limit in data["limits"])
        elif event.kind == "move":
            move = self.state.game.move(data["move"])
            self.plies.append(Ply(self.state, move, data["seconds"]))
            self.state = self.state.play(move)
            self.clocks = tuple(data["clocks"])
        elif event.kind == "undo":
            self.state = self.plies[-data["plies"]].before
            del self.plies[-data["plies"] :]
            self.clocks = tuple(data["clocks"])
            self.expelled = [pair for pair in self.expelled if pair[0] <= len(self.plies)]
        elif event.kind == "verdict" and self.state.game.definition.bad_move == "disqualify":
            self.expelled.append((len(self.plies), data["seat"]))
            self.state = self.state.disqualify(data["seat"])

    def copy(self) -> History:
        """Another history that has come as far as this one, to go on by itself."""
        copy = History(self.start)
        copy.state, copy.players, copy.clocks = self.state, self.players, self.clocks
        copy.plies, copy.expelled = list(self.plies), list(self.expelled)
        return copy

    @property
    def last(self) -> Ply | None:
        """The last move, or None at the start."""
        return self.plies[-1] if self.plies else None

    @property
    def record(self) -> Record:
        """The game so far."""
        return Record(
            self.start,
            tuple(ply.move for ply in self.plies),
            players=self.players,
            notes=tuple(Note(seconds=ply.seconds) for ply in self.plies),
            disqualified=tuple(self.expelled),
        )
