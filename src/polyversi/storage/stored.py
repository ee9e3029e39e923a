"""What is stored of a game and of a series, apart from the events; needs no database."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

Phase = Literal["waiting", "running", "over"]
SeatKind = Literal["human", "computer", "remote"]
"""Who plays a seat: a person with its token, a player of this server, or somebody in a game run elsewhere."""


@dataclass(frozen=True)
class StoredSeat:
    """A seat of a stored game."""

    kind: SeatKind
    player: str = ""
    """The spec of a computer player."""
    name: str = ""
    token: str = ""
    """The SHA-256 of the seat's token in hexadecimal; empty for seats that nobody takes with one."""


@dataclass(frozen=True)
class StoredGame:
    """A game without its events: what is played, by whom, and how far it has come."""

    id: str
    spec: str
    map: str
    """The text of a map of the user's own, or nothing."""
    start: str
    """The position line it begins with."""
    seats: tuple[StoredSeat, ...]
    limits: tuple[str, ...]
    """The limit of each seat."""
    created: float
    phase: Phase = "waiting"
    series: str = ""
    """The id of the series it belongs to, or nothing."""
    number: int = 0
    """Its number in the series."""
    ended: float | None = None
    summary: dict[str, Any] = field(default_factory=dict)
    """What lists show of it once it is over."""
    following: str = ""
    """The id of the rematch or the next game of a row, once there is one."""

    @property
    def is_remote(self) -> bool:
        """Whether it is run elsewhere and only shown here."""
        return any(seat.kind == "remote" for seat in self.seats)


@dataclass(frozen=True)
class StoredSeries:
    """Games that belong together: their settings, and the SHA-256 of the token that controls them."""

    id: str
    created: float
    settings: dict[str, Any]
    token: str
    is_open: bool = True
    """Whether games may still be added to it."""
