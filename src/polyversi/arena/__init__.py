"""The arena: the referee, its seats and verdicts, and whatever is made of many games."""

from polyversi.arena.events import Event, Observer
from polyversi.arena.referee import Finished, Referee, play
from polyversi.arena.seat import LocalSeat, Request, Resign, Seat, Undo
from polyversi.arena.verdict import SeatFailure, Verdict

__all__ = [
    "Event",
    "Finished",
    "LocalSeat",
    "Observer",
    "Referee",
    "Request",
    "Resign",
    "Seat",
    "SeatFailure",
    "Undo",
    "Verdict",
    "play",
]
