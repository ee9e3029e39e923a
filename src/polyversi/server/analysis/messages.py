"""The messages of the analysis socket: what a visitor looks at, and what the server has found so far."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from polyversi.games.board import printable, shorten
from polyversi.server.messages import ErrorMessage as ErrorMessage
from polyversi.server.messages import Kinds, MessageError, Sentence

MAX_FROM_VISITOR = 1 << 16
"""Bytes of a message to the analysis socket: a record or a map fits; larger games are stored first."""
MAX_ID = 2**53

Id = Annotated[int, Meta(ge=0, le=MAX_ID)]
Spec = Annotated[str, Meta(max_length=200)]
Text = Annotated[str, Meta(max_length=MAX_FROM_VISITOR)]
GameId = Annotated[str, Meta(max_length=64)]
Seconds = Annotated[float, Meta(ge=0.01, le=60)]


class _Typed(msgspec.Struct, frozen=True, tag_field="type"):
    """A message; its type is the tag of its class."""


class Look(_Typed, frozen=True, tag="look"):
    """A visitor looks at a position: its values are wanted, and those of the position before no longer."""

    id: Id
    """What the answers name."""
    spec: Spec = ""
    position: Text = ""
    """A position line; the start of the game if there is none."""
    map: Text = ""
    """The text of an XT map of the visitor's own."""


class Rest(_Typed, frozen=True, tag="rest"):
    """The engine is switched off."""


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


FromVisitor = Look | Rest
FromAnalysis = Values | Unable | ErrorMessage
FROM_VISITOR = Kinds(FromVisitor, MAX_FROM_VISITOR)
FROM_ANALYSIS = Kinds(FromAnalysis, 1 << 24)


def values_message(id: int, data: dict[str, Any], *, done: bool, wait: float | None = None) -> Values:
    """The data of an analysis as a message; `wait` is told where that is worth it."""
    return msgspec.convert({"type": "values", "id": id, **data, "done": done, "wait": wait}, Values)


def unable(id: int, problem: object) -> Unable:
    """The message that something cannot be done.

    >>> unable(3, "there is no such game").problem
    'there is no such game'
    """
    return Unable(id, shorten(printable(str(problem)), 400))


__all__ = ["FROM_ANALYSIS", "FROM_VISITOR", "ErrorMessage", "Look", "MessageError", "MoveWorth", "Rest",
           "Unable", "Values", "unable", "values_message"]
