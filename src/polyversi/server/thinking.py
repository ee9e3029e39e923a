"""Players that think in a thread of their own, so that whoever talks to the network goes on meanwhile."""

from __future__ import annotations

from typing import TYPE_CHECKING

from polyversi.gameplay.seat import LocalSeat
from polyversi.protocols.seating import seat_of

if TYPE_CHECKING:
    from polyversi.gameplay.seat import Seat


def thinking_seat(spec: str) -> Seat:
    """The seat of a player or a bot, one that does not hold up the loop.

    >>> thinking_seat("random:seed=3").name
    'random:seed=3'
    """
    seat = seat_of(spec)
    if isinstance(seat, LocalSeat):
        seat.in_thread = True
    return seat
