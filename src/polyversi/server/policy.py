"""What a room needs of whoever opens it: its policy, its store or none, and the players of its seats."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from polyversi.gameplay.seat import Seat

if TYPE_CHECKING:
    from polyversi.server.room import Room
    from polyversi.storage.games import Transaction
    from polyversi.storage.write_queue import WriteQueue


@dataclass(frozen=True)
class RoomPolicy:
    """How a room is run; the defaults are those of the page."""

    grace: float = 30.0
    """Seconds that somebody who lost the connection has to come back."""
    forfeits: bool = False
    """Whether whoever is gone for longer, leaves or breaks the protocol has lost; otherwise people may come
    back at any time, but after the grace time the others may claim the game."""
    open_seats: bool = False
    """Whether a newcomer may take any free seat and is given a token for it, for one connection at a time;
    otherwise a seat belongs to whoever has its token, in any number of windows."""
    for_people: bool = True
    """Whether guests are told all legal moves and who is there, and may ask for a move back, a rematch or the
    game of somebody who is gone."""
    move_timeout: float = 20.0
    """Seconds after which a player without a limit on its time has stalled."""
    people_may_think: bool = True
    """Whether that is not so for people, who may take any time."""
    max_spectators: int = 2_000
    """Connections besides those that hold seats, for which there is always room."""
    max_events: int = 20_000
    """Moves and whatever else may happen in a game; then it is broken off."""
    games: int = 1
    """How many games are played, one after the other."""


class NoStore:
    """The write queue of a room whose game is not stored: there is nothing to wait for."""

    def submit(self, job: Callable[[Transaction], None], then: Callable[[], None]) -> None:  # noqa: ARG002
        """Calls `then` at once."""
        then()

    async def drain(self) -> None:
        """Returns at once."""


class RoomOwner(Protocol):
    """Whoever opens rooms: the lobby of the page, or a TCP host."""

    @property
    def policy(self) -> RoomPolicy:
        """How its rooms are run."""

    @property
    def write_queue(self) -> WriteQueue | NoStore:
        """What writes to the store."""

    def player(self, room: Room, number: int) -> Seat:
        """Makes the seat of a player that is not a guest."""

    def rematch(self, room: Room) -> None:
        """Stores a rematch, opens its room and then has the old room tell of it; raises why it cannot."""
