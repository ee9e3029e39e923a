"""What is stored of a game, of a series and of a game of a contest; needs no database."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

from msgspec import Struct

from polyversi.gameplay.events import EndEvent
from polyversi.gameplay.verdict import Verdict, failures_among
from polyversi.games.variants import is_named
from polyversi.records import Record, jsonl

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
    visitor: str = ""
    """A mark of whoever set the game up, by which its share of the server is counted."""


class GameResult(Struct, frozen=True):
    """How a game ended."""

    verdict: Verdict
    reason: str = ""
    scores: tuple[int, ...] = ()
    ranks: tuple[int, ...] = ()
    points: tuple[float, ...] = ()

    @classmethod
    def of(cls, end: EndEvent) -> GameResult:
        """What the last event of a game says."""
        return cls(end.verdict, end.reason, end.scores, end.ranks, end.points)

    @property
    def is_aborted(self) -> bool:
        """Whether it ended without counting for anybody."""
        return self.verdict.kind == "aborted"


class Summary(Struct, frozen=True, omit_defaults=True):
    """What lists show of a game once it is over, and how it is run where that is not as usual.

    It is stored as JSON: what an older version left out has its default, what a later one added is ignored.
    """

    position: str = ""
    """The position line it has come to; empty where that is not known."""
    plies: int = 0
    scores: tuple[int, ...] = ()
    result: GameResult | None = None
    """How it ended, once it has."""
    colours: str = ""
    """Other looks of the stones than the board's own."""
    grace: float | None = None
    """Seconds that people may be away before others may claim it; None for as long as usual."""
    begins_together: bool = False
    """Whether it waits until everybody is there, though all names are known."""


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
    summary: Summary = field(default_factory=Summary)
    following: str = ""
    """The id of the rematch or the next game of a row, once there is one."""

    @property
    def has_people(self) -> bool:
        """Whether a person has a seat."""
        return any(seat.kind == "human" for seat in self.seats)

    @property
    def colours(self) -> str:
        """Other looks of the stones than the board's own: X is red and Y is blue in every series."""
        return "red-blue" if self.series else self.summary.colours

    @property
    def begins_together(self) -> bool:
        """Whether it waits until everybody is there, though all names are known."""
        return self.phase == "waiting" and self.summary.begins_together

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


@dataclass(frozen=True)
class StoredStudy:
    """A game with variations and comments that somebody works on."""

    id: str
    record: str
    """A line of JSON Lines."""
    token: str
    """The SHA-256 of the token of whoever may change it."""
    visitor: str
    """A mark of whoever made it, by which its share of the server is counted."""
    created: float
    updated: float


@dataclass(frozen=True)
class Retention:
    """How long games are kept that anybody can make any amount of; 0 is for ever, or any amount."""

    days: float = 30.0
    """Days after its end at which such a game goes."""
    megabytes: float = 1000.0
    """When there is more than this of them, the oldest go before."""


@dataclass(frozen=True)
class PlayedGame:
    """A game that is over, as it is stored."""

    id: str
    meeting: str
    round: int
    variant: int
    opening: int
    seating: tuple[int, ...]
    stored: Record | str = field(compare=False, repr=False)
    """The record, or the line of JSON that a store or a worker has made of it; see `record` and `line`."""
    scores: tuple[int, ...]
    ranks: tuple[int, ...]
    points: tuple[float, ...]
    reason: str
    """What ended it."""
    verdict: Verdict
    offences: tuple[Verdict, ...] = ()
    """What seats did wrong on the way, in games that go on after it."""
    outputs: tuple[str, ...] = ()
    """What the bot in each seat wrote last; nothing for players of ours."""
    ended: float = 0.0
    """When, in seconds since 1970."""

    @cached_property
    def record(self) -> Record:
        """The game's record; of a line it is read when it is asked for."""
        found = jsonl.parse(self.stored) if isinstance(self.stored, str) else self.stored
        assert isinstance(found, Record)
        return found

    @cached_property
    def line(self) -> str:
        """The record as a line of JSON, for stores and other processes."""
        return self.stored if isinstance(self.stored, str) else jsonl.write(self.stored)

    def __getstate__(self) -> dict[str, Any]:
        """What goes to another process."""
        kept = {name: value for name, value in self.__dict__.items() if name not in ("record", "line")}
        # A worker does not know a variant that the program has registered, and cannot write a line of it.
        is_known = isinstance(self.stored, str) or is_named(self.stored.game)
        return {**kept, "stored": self.line} if is_known else kept

    @property
    def ending(self) -> str:
        """What ended it, for people: of an adjudicated game also the score of perfect play."""
        return str(self.verdict) if self.verdict.kind == "adjudicated" else self.reason

    @property
    def failures(self) -> tuple[Verdict, ...]:
        """What seats did wrong, other than losing.

        >>> lost = Verdict("crash", 2, "its process ended with status 1")
        >>> game = PlayedGame("1.1/1", "1.1", 1, 0, 0, (3, 5), "", (), (), (), "crash", lost)
        >>> [str(failure) for failure in game.failures]
        ['seat 2: crash (its process ended with status 1)']
        """
        return failures_among(*self.offences, self.verdict)
