"""One game: the referee, its seats, events, log and verdicts."""

from polyversi.gameplay.events import (
    EndEvent,
    Event,
    MoveEvent,
    Observer,
    StartEvent,
    UndoEvent,
    VerdictEvent,
)
from polyversi.gameplay.log import GameLog
from polyversi.gameplay.referee import Finished, Referee, play
from polyversi.gameplay.seat import LocalSeat, Request, Resign, Seat, Undo
from polyversi.gameplay.verdict import SeatFailure, Verdict

__all__ = [
    "EndEvent",
    "Event",
    "Finished",
    "GameLog",
    "LocalSeat",
    "MoveEvent",
    "Observer",
    "Referee",
    "Request",
    "Resign",
    "Seat",
    "SeatFailure",
    "StartEvent",
    "Undo",
    "UndoEvent",
    "Verdict",
    "VerdictEvent",
    "play",
]
