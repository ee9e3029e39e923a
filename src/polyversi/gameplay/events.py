"""Events: everything that happens in a game, numbered, so that whoever missed some can ask for them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Annotated, Any, NamedTuple, cast, get_args

import msgspec
from msgspec import Meta, Struct

from polyversi._core import Move
from polyversi.gameplay.verdict import Kind, Verdict
from polyversi.games.errors import PolyversiError
from polyversi.games.state import State

MAX_SEATS = 8

Whole = Annotated[int, Meta(ge=0, le=2**31 - 1)]
Seconds = Annotated[float, Meta(ge=-1e12, le=1e12)]
Clocks = Annotated[tuple[Seconds | None, ...], Meta(max_length=MAX_SEATS)]
"""Seconds left in the bank of each seat, or None for one without a bank."""
Texts = Annotated[tuple[str, ...], Meta(max_length=MAX_SEATS)]
Counts = Annotated[tuple[Whole, ...], Meta(max_length=MAX_SEATS)]
Points = Annotated[tuple[Seconds, ...], Meta(max_length=MAX_SEATS)]


class EventError(PolyversiError):
    """Something that is not an event, or one that cannot have happened in its game."""


class Step(NamedTuple):
    """A move between two states."""

    before: State
    move: Move
    after: State


def kind_of(event: type[Event]) -> str:
    """The kind of a class of events, which is stored and sent with each of them.

    >>> kind_of(UndoEvent)
    'undo'
    """
    return str(event.__struct_config__.tag)


class Event(Struct, frozen=True, tag_field="kind", dict=True):
    """One thing that happened: a StartEvent, MoveEvent, UndoEvent, VerdictEvent or EndEvent."""

    number: Whole
    """Its place among the events of the game, from 0."""

    @property
    def kind(self) -> str:
        """What kind of event it is."""
        return kind_of(type(self))


class StartEvent(Event, frozen=True, tag="start", dict=True):
    """The game begins."""

    game: str
    start: str
    """The position line it begins with."""
    players: Texts
    limits: Texts


class MoveEvent(Event, frozen=True, tag="move", dict=True):
    """A seat has moved."""

    seat: Whole
    move: str
    seconds: Seconds
    clocks: Clocks
    position: str
    """The position line after it."""

    @property
    def step(self) -> Step | None:
        """What the text means, once a log of this process has worked that out; it is not stored or sent."""
        step: Step | None = self.__dict__.get("step")
        return step

    def resolve(self, step: Step) -> None:
        """Keeps what the text means, so that no other log has to work it out again."""
        self.__dict__["step"] = step


class UndoEvent(Event, frozen=True, tag="undo", dict=True):
    """A seat has taken its last move back, and all that came after it."""

    seat: Whole
    plies: Whole
    clocks: Clocks
    position: str


class VerdictEvent(Event, frozen=True, tag="verdict", dict=True):
    """A seat did something wrong; the game may go on, perhaps without the seat."""

    verdict: Kind
    seat: Whole
    detail: str
    position: str


class EndEvent(Event, frozen=True, tag="end", dict=True):
    """The game is over."""

    reason: str
    scores: Counts
    ranks: Counts
    points: Points
    verdict: Verdict


AnyEvent = StartEvent | MoveEvent | UndoEvent | VerdictEvent | EndEvent
"""Every kind of event."""
EVENTS: dict[str, type[Event]] = {kind_of(event): event for event in get_args(AnyEvent)}
"""The events by their kinds."""

CHECK_INTERVAL = 64
"""Of so many events one keeps its position, to check those that are worked out by the rules."""

Observer = Callable[[Event], None]
"""Whoever wants to hear of events; it must not block."""


def event_data(event: Event) -> dict[str, Any]:
    """What an event says besides its number and kind, as it is stored and sent.

    >>> event_data(UndoEvent(3, seat=1, plies=2, clocks=(None, 1.5), position="…"))
    {'seat': 1, 'plies': 2, 'clocks': (None, 1.5), 'position': '…'}
    """
    data = cast("dict[str, Any]", msgspec.to_builtins(event))
    del data["kind"], data["number"]
    return data


def read_event(number: int, kind: str, data: Mapping[str, Any]) -> Event:
    """The event that was stored or sent.

    >>> read_event(3, "undo", {"seat": 1, "plies": 2, "clocks": [None, 1.5], "position": "…"}).plies
    2
    >>> read_event(3, "undo", {"seat": "Ann"})
    Traceback (most recent call last):
    ...
    polyversi.gameplay.events.EventError: event 3 is not a valid 'undo': Expected `int`, got `str` ...
    """
    try:
        return msgspec.convert({**data, "kind": kind, "number": number}, EVENTS[kind])
    except (KeyError, msgspec.ValidationError) as error:
        raise EventError(f"event {number} is not a valid '{kind}': {error}") from None


def compact(event: Event) -> Event:
    """The event as it is kept: without the position, which the rules tell, but for one in so many.

    >>> event = UndoEvent(3, seat=1, plies=2, clocks=(None, 1.5), position="…")
    >>> compact(event).position, compact(msgspec.structs.replace(event, number=64)).position
    ('', '…')
    """
    return with_position(event, "") if event.number % CHECK_INTERVAL else event


def with_position(event: Event, position: str) -> Event:
    """The event with another position, if it is of a kind that has one."""
    if isinstance(event, MoveEvent | UndoEvent | VerdictEvent) and event.position != position:
        return msgspec.structs.replace(event, position=position)
    return event
