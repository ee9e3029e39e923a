"""Events: everything that happens in a game, numbered, so that whoever missed some can ask for them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

EventKind = Literal["start", "move", "undo", "verdict", "end"]


@dataclass(frozen=True)
class Event:
    """One thing that happened: its number from 0, what it was, and what goes with it.

    The data of each kind:

    - `start`: game, start (a position line), players (names), limits (of each seat)
    - `move`: seat, move, seconds, clocks (seconds left of each seat, or null), position after it
    - `undo`: seat, plies taken back, clocks, position after it
    - `verdict`: verdict, seat, detail: what a seat did wrong; position: the game may go on, without the seat
    - `end`: reason, scores, ranks, points, verdict (kind, seat, detail)

    >>> Event(0, "undo", {"seat": 1, "plies": 2}).to_json()
    {'number': 0, 'kind': 'undo', 'data': {'seat': 1, 'plies': 2}}
    """

    number: int
    kind: EventKind
    data: dict[str, Any] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """The event as plain data for JSON."""
        return asdict(self)


Observer = Callable[[Event], None]
"""Whoever wants to hear of events; it must not block."""
