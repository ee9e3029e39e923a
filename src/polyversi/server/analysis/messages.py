"""The messages of the analysis socket: what a visitor looks at, and what the server has found so far."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from polyversi.games.board import printable, shorten
from polyversi.server.messages import MAX_SENTENCE, ErrorMessage, Kinds, Sentence

MAX_FROM_VISITOR = 1 << 16
"""Bytes of a message to the analysis socket: a record or a map fits; larger games are stored first."""
MAX_FROM_ANALYSIS = 1 << 24
"""Bytes of a message that it sends: the review of a long game on a large map."""

Id = Annotated[int, Meta(ge=0, le=2**53)]
Spec = Annotated[str, Meta(max_length=200)]
Text = Annotated[str, Meta(max_length=MAX_FROM_VISITOR)]
GameId = Annotated[str, Meta(max_length=64)]
MoveSeconds = Annotated[float, Meta(ge=0.01, le=1)]


class _Typed(msgspec.Struct, frozen=True, tag_field="type"):
    """A message; its type is the tag of its class."""


class LookMessage(_Typed, frozen=True, tag="look"):
    """A visitor looks at a position: its values are wanted, and those of the position before no longer."""

    id: Id
    """What the answers name."""
    spec: Spec = ""
    position: Text = ""
    """A position line; the start of the game if there is none."""
    map: Text = ""
    """The text of an XT map of the visitor's own."""


class Rest(_Typed, frozen=True, tag="rest"):
    """The engine is switched off: no values are wanted."""


class ReviewMessage(_Typed, frozen=True, tag="review"):
    """A game is to be reviewed: one of this server, or a record as a line of JSON Lines."""

    id: Id
    game: GameId = ""
    record: Text = ""
    seconds: MoveSeconds = 0.1
    """For each move."""


class StopReview(_Typed, frozen=True, tag="stop_review"):
    """A review is not wanted any more; what there is of it is kept for the next one who asks."""

    id: Id


class Prove(_Typed, frozen=True, tag="prove"):
    """The exact values of all moves of a position are to be proved, however long it takes."""

    id: Id
    spec: Spec = ""
    position: Text = ""
    map: Text = ""


class StopProof(_Typed, frozen=True, tag="stop_proof"):
    """Nobody here watches the proof any more."""


class MoveWorth(msgspec.Struct, frozen=True):
    """A move with its value for the seat to move."""

    move: str
    value: float
    points: list[float] | None
    """The expected rank points of every seat, where values are points."""
    depth: int
    selectivity: int
    """How sure the value is, in percent."""
    exact: bool
    line: list[str]
    """The move and the best play that follows."""


class Values(_Typed, frozen=True, tag="values"):
    """What is known of a position so far: each of these replaces the one before."""

    id: Id
    unit: Literal["stones", "points"]
    depth: int
    selectivity: int
    exact: bool
    nodes: int
    seconds: float
    """Thought about it so far, also for others who have looked at it."""
    moves: list[MoveWorth]
    """The best first; none while nothing is known."""
    done: bool
    """Whether no more will come."""
    wait: float | None = None
    """About how many seconds it takes until more is known, when the server is busy."""


class Unable(_Typed, frozen=True, tag="unable"):
    """Why something cannot be analysed, in a sentence."""

    id: Id
    problem: Sentence


class ReviewedWorth(msgspec.Struct, frozen=True):
    """A move of a game with what it cost; values are for the seat that moved."""

    ply: int
    seat: int
    move: str
    value: float
    points: list[float] | None
    best: str
    best_value: float
    loss: float
    mark: str
    exact: bool
    depth: int
    selectivity: int
    line: list[str]
    """The best line."""


class SeatTotal(msgspec.Struct, frozen=True):
    """The moves of a seat in total."""

    seat: int
    choices: int
    loss: float
    mean_loss: float
    accuracy: float
    counts: list[int]


class ReviewProgress(_Typed, frozen=True, tag="review"):
    """The review of a game so far."""

    id: Id
    plies: int
    done: int
    """How many moves have been analysed."""
    unit: Literal["stones", "points"]
    moves: list[ReviewedWorth]
    totals: list[SeatTotal]
    turning_points: list[int]
    thresholds: list[float]
    stopped: bool = False
    """Whether it does not go on although moves are left."""


class MoveBounds(msgspec.Struct, frozen=True):
    """A move, and between what its exact value is."""

    move: str
    low: int
    high: int
    same: list[str]
    """Moves that are symmetric to it."""


class ProofProgress(_Typed, frozen=True, tag="proof"):
    """A proof so far: the bounds of each move become tighter until they meet."""

    id: Id
    moves: list[MoveBounds]
    """The best first, as far as that is known."""
    low: int
    high: int
    """Between what the value of the position is."""
    nodes: int
    seconds: float
    solved: bool
    """Whether the value of the position is proved."""
    done: bool
    """Whether the values of all moves are."""


FromVisitor = LookMessage | Rest | ReviewMessage | StopReview | Prove | StopProof
FromAnalysis = Values | Unable | ReviewProgress | ProofProgress | ErrorMessage
FROM_VISITOR = Kinds(FromVisitor, MAX_FROM_VISITOR)
FROM_ANALYSIS = Kinds(FromAnalysis, MAX_FROM_ANALYSIS)


def message_of(kind: type[Values | ReviewProgress | ProofProgress], id: int, data: dict[str, Any],
               **more: Any) -> FromAnalysis:
    """What was found, as a message.

    >>> data = {"moves": [], "low": -2, "high": 6, "nodes": 5, "seconds": 0.5, "solved": False}
    >>> message_of(ProofProgress, 3, data, done=False).high
    6
    """
    tag = kind.__struct_config__.tag
    return msgspec.convert({**data, "id": id, "type": tag, **more}, kind)


def unable(id: int, problem: object) -> Unable:
    """The message that something cannot be done.

    >>> unable(3, "there is no such game").problem
    'there is no such game'
    """
    return Unable(id, shorten(printable(str(problem)), MAX_SENTENCE))
