"""Verdicts: why a game, or a seat's part in it, came to its end."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from polyversi.games.result import Result

Kind = Literal[
    "win", "draw", "resigned", "illegal move", "timeout", "crash", "stall", "disconnect", "disqualified",
    "aborted", "adjudicated",
]

ITS_ERRORS, BETWEEN = "; its errors: ", " | "
"""How the detail of a crash tells what a bot wrote to its standard error, and what is between two lines."""
STOPPED = "its sandbox stopped it: "
"""How the sandbox begins there."""

BLAMELESS: frozenset[Kind] = frozenset({"win", "draw", "resigned", "aborted", "adjudicated"})
"""Verdicts with which nobody has failed."""


class SeatFailure(Exception):  # noqa: N818 it is the seat that failed, no error of ours
    """What a seat raises when it cannot answer: its process ended, its line went dead."""

    def __init__(self, kind: Kind, detail: str) -> None:
        super().__init__(detail)
        self.kind = kind
        self.detail = detail


class GameAborted(Exception):  # noqa: N818 no error: it ends the game
    """What a seat raises to end the whole game without a verdict: a person has left."""


@dataclass(frozen=True)
class Verdict:
    """Why something ended, whose doing it was, and what more there is to say.

    >>> str(Verdict("timeout", 2, "1.2 s of 1 s"))
    'seat 2: timeout (1.2 s of 1 s)'
    """

    kind: Kind
    seat: int | None = None
    """The seat whose doing it was: the winner of a win, otherwise the offender; None in a draw and where the
    referee stopped the game."""
    detail: str = ""

    @property
    def public(self) -> Verdict:
        """The same for everybody: without what a bot wrote to its standard error."""
        return Verdict(self.kind, self.seat, without_errors(self.detail))

    def __str__(self) -> str:
        who = f"seat {self.seat}: " if self.seat else ""
        return f"{who}{self.kind}" + (f" ({self.detail})" if self.detail else "")


def without_errors(detail: str) -> str:
    """A detail without what a bot wrote to its standard error, which is for its author alone.

    What its sandbox says stays: that is not the bot's.

    >>> without_errors("its process ended with status 1; its errors: secret | its sandbox stopped it: full")
    'its process ended with status 1; its sandbox stopped it: full'
    """
    said, _, errors = detail.partition(ITS_ERRORS)
    return "; ".join([said, *(line for line in errors.split(BETWEEN) if line.startswith(STOPPED))])


def failures_among(*verdicts: Verdict) -> tuple[Verdict, ...]:
    """Those that say that a seat did something wrong, other than losing.

    >>> [str(one) for one in failures_among(Verdict("timeout", 2, "1.2 s of 1 s"), Verdict("win", 1))]
    ['seat 2: timeout (1.2 s of 1 s)']
    """
    return tuple(one for one in verdicts if one.kind not in BLAMELESS)


def failure_of(seat: int, error: Exception) -> Verdict:
    """The verdict on a seat that raised instead of answering: its own words, or a crash.

    >>> str(failure_of(1, SeatFailure("disconnect", "gone"))), str(failure_of(2, KeyError("x")))
    ('seat 1: disconnect (gone)', "seat 2: crash (KeyError: 'x')")
    """
    if isinstance(error, SeatFailure):
        return Verdict(error.kind, seat, error.detail)
    return Verdict("crash", seat, f"{type(error).__name__}: {error}")


def adjudicated(scores: tuple[int, ...], empty: int) -> Verdict:
    """The verdict on a game that was stopped because its result is proved.

    >>> str(adjudicated((40, 24), 14))
    'adjudicated (perfect play ends 40–24; 14 cells were empty)'
    """
    score, cells = "–".join(map(str, scores)), "1 cell was" if empty == 1 else f"{empty} cells were"
    return Verdict("adjudicated", None, f"perfect play ends {score}; {cells} empty")


def ended_by(seat: int, scores: tuple[int, ...], ranks: tuple[int, ...], reason: str) -> Result:
    """The result when a seat gives the game away: it ranks last, the others as the board stands.

    >>> ended_by(1, (40, 10), (1, 2), "resigned").points
    (0.0, 1.0)
    """
    seats = len(scores)
    moved_up = [rank - (rank > ranks[seat - 1]) for rank in ranks]
    placed = tuple(seats if number == seat else rank for number, rank in enumerate(moved_up, 1))
    first = placed.count(1)
    return Result(reason, scores, placed, tuple(1 / first if rank == 1 else 0.0 for rank in placed))
