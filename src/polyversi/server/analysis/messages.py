"""The messages of the analysis socket: what a visitor looks at, and what the server has found so far."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from msgspec import Meta

from polyversi.engines.judge import Finding
from polyversi.engines.proof import ProofFinding
from polyversi.engines.review import ReviewFinding
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


class Values(Finding, frozen=True, kw_only=True, tag="values", tag_field="type"):
    """What is known of a position so far: each of these replaces the one before."""

    id: Id
    done: bool
    """Whether no more will come."""
    wait: float | None = None
    """About how many seconds it takes until more is known, when the server is busy."""


class Unable(_Typed, frozen=True, tag="unable"):
    """Why something cannot be analysed, in a sentence."""

    id: Id
    problem: Sentence


class ReviewProgress(ReviewFinding, frozen=True, kw_only=True, tag="review", tag_field="type"):
    """The review of a game so far."""

    id: Id
    stopped: bool = False
    """Whether it does not go on although moves are left."""


class ProofProgress(ProofFinding, frozen=True, kw_only=True, tag="proof", tag_field="type"):
    """A proof so far: the bounds of each move become tighter until they meet."""

    id: Id


FromVisitor = LookMessage | Rest | ReviewMessage | StopReview | Prove | StopProof
FromAnalysis = Values | Unable | ReviewProgress | ProofProgress | ErrorMessage
FROM_VISITOR = Kinds(FromVisitor, MAX_FROM_VISITOR)
FROM_ANALYSIS = Kinds(FromAnalysis, MAX_FROM_ANALYSIS)


def values(id: int, finding: Finding, *, done: bool, wait: float | None = None) -> Values:
    """What is known of a position, as a message."""
    return Values(**_fields(finding, Finding), id=id, done=done, wait=wait)


def review_progress(id: int, finding: ReviewFinding, *, stopped: bool) -> ReviewProgress:
    """What a review has found, as a message."""
    return ReviewProgress(**_fields(finding, ReviewFinding), id=id, stopped=stopped)


def proof_progress(id: int, finding: ProofFinding) -> ProofProgress:
    """What a proof has found, as a message.

    >>> found = ProofFinding(moves=[], low=-2, high=6, nodes=5, seconds=0.5, solved=False, done=False)
    >>> proof_progress(3, found).high
    6
    """
    return ProofProgress(**_fields(finding, ProofFinding), id=id)


def _fields(finding: msgspec.Struct, kind: type[msgspec.Struct]) -> dict[str, Any]:
    """What a finding of that kind has, without what the server keeps beside it."""
    return {name: getattr(finding, name) for name in kind.__struct_fields__}


def unable(id: int, problem: object) -> Unable:
    """The message that something cannot be done.

    >>> unable(3, "there is no such game").problem
    'there is no such game'
    """
    return Unable(id, shorten(printable(str(problem)), MAX_SENTENCE))
