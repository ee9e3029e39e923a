"""The arena: the referee, its seats and verdicts, and whatever is made of many games."""

from polyversi.gameplay.events import Event, Observer
from polyversi.gameplay.referee import Finished, Referee, play
from polyversi.gameplay.seat import LocalSeat, Request, Resign, Seat, Undo
from polyversi.gameplay.verdict import SeatFailure, Verdict

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
