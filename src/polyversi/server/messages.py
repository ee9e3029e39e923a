"""Messages: what a host and its guests tell each other, each a JSON object on a line of its own.

A class is named after the type of its message; where that word is taken, it is `…Message`. A seat's `Resign`
and `Undo` and the events of a game travel as they are.
"""

from __future__ import annotations

import typing
from dataclasses import replace
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct, structs

from polyversi.gameplay.events import (
    MAX_SEATS,
    EndEvent,
    Event,
    EventError,
    StartEvent,
    VerdictEvent,
    Whole,
    event_data,
    read_event,
)
from polyversi.gameplay.seat import Resign, Undo
from polyversi.games.board import printable, shorten
from polyversi.games.errors import PolyversiError
from polyversi.games.limit import Limit

VERSION: Literal[1] = 1
"""Goes up when a message can no longer be understood by programs that know the version before."""

MAX_FROM_GUEST = 8192
"""Bytes of a message that a guest sends: a guest never has much to say."""
MAX_FROM_HOST = 1 << 21
"""Bytes of a message that a host sends, which may carry the largest map."""
MAX_SENTENCE = 400
"""Characters of a reason or an error; a longer one is cut on sending."""

Number = Annotated[float, Meta(ge=0, le=2**31 - 1)]
Name = Annotated[str, Meta(min_length=1, max_length=40)]
MoveText = Annotated[str, Meta(min_length=1, max_length=20)]
Token = Annotated[str, Meta(max_length=64)]
Sentence = Annotated[str, Meta(max_length=MAX_SENTENCE)]


class MessageError(PolyversiError):
    """A message that cannot be read, or that its receiver does not take."""


class UnknownMessageError(MessageError):
    """A message of a type that the receiver does not know; guests pass over it, hosts refuse it."""


class _Typed(Struct, frozen=True, tag_field="type"):
    """A message; its type is the tag of its class."""


class Hello(_Typed, frozen=True, tag="hello"):
    """The first message of a guest: who it is and what it wants; the same once more is passed over."""

    name: Name
    version: Literal[1] = VERSION
    seat: Whole | None = None
    """The seat it wants, 0 to watch, or null for any that is free."""
    token: Token = ""
    """What the host gave it with its seat, to return to it after a lost connection."""
    game: Whole = 0
    """The number of the game it has seen events of, if any."""
    events: Whole = 0
    """How many events of that game it has; it gets those that come after."""


class MoveMessage(_Typed, frozen=True, tag="move"):
    """The move of a guest, with the number of the question it answers; a second answer changes nothing."""

    number: Whole
    move: MoveText


class Have(_Typed, frozen=True, tag="have"):
    """What a guest has got, said every few seconds and when something is missing: the host sends the rest."""

    events: Whole
    """How many events of this game, without gaps."""
    request: Whole = 0
    """The number of the last question, or 0 if there is none that it still knows of."""


class Reply(_Typed, frozen=True, tag="reply"):
    """What a guest says to an offer."""

    number: Whole
    yes: bool


class Rematch(_Typed, frozen=True, tag="rematch"):
    """A guest wants to play again, after the end."""


class Claim(_Typed, frozen=True, tag="claim"):
    """A guest wants the game to end because an opponent is gone for longer than the grace time."""


class Bye(_Typed, frozen=True, tag="bye"):
    """Whoever says it leaves for good."""

    reason: Sentence = ""


class Welcome(_Typed, frozen=True, tag="welcome"):
    """The first message of a host, and of each further game: what is played and where the guest sits."""

    spec: str
    """The game, as `pv.game` reads it."""
    number: Whole
    """The number of this game from 1."""
    games: Whole
    """How many will be played."""
    seat: Whole
    """The seat of the guest, the first of several, or 0 for one that watches."""
    events: Whole
    """How many events there have been; the missing ones follow."""
    grace: Number
    """Seconds that a guest may be away before it loses."""
    token: Token = ""
    map: str = ""
    """The text of the XT map, where the spec does not say it all."""
    version: Literal[1] = VERSION
    seats: Annotated[list[Whole], Meta(max_length=MAX_SEATS)] = []
    """All seats of the guest."""
    thinking: Number = 0.0
    """Seconds that the seat to move has had already."""


class LegalMove(Struct, frozen=True, array_like=True):
    """A legal move for somebody who does not know the rules."""

    text: MoveText
    """What an answer says to play it."""
    cell: int
    """The number of the cell, or -1 for a pass."""
    special: int
    """What is chosen with it, or 0."""
    turned: list[int] | None
    """The other cells whose tile changes, or null where they would be too many."""


class RequestMessage(_Typed, frozen=True, tag="request", omit_defaults=True):
    """Asks a guest for a move; the same number again is the same question again."""

    number: Whole
    limit: Limit
    """What the guest has left to spend."""
    seconds: Number
    """How long the host will wait from now."""
    seat: Whole = 0
    """The seat that is asked, of those that the guest has."""
    events: Whole = 0
    """How many events there have been: the question is about the position after the last of them."""
    moves: list[LegalMove] | None = None
    """All legal moves, from hosts that serve guests who do not know the rules."""


class Presence(_Typed, frozen=True, tag="presence"):
    """Who is there."""

    seats: Annotated[list[bool], Meta(max_length=MAX_SEATS)]
    """For each seat, whether somebody is connected who plays it."""
    watching: Whole
    """How many watch."""
    claim: Whole = 0
    """A seat whose player is gone for longer than the grace time, so that the others may claim the game."""


class Offer(_Typed, frozen=True, tag="offer"):
    """A seat asks the others for something; they answer with a reply."""

    number: Whole
    what: Literal["undo", "rematch"]
    seat: Whole


class Settled(_Typed, frozen=True, tag="settled"):
    """An offer is over, one way or the other."""

    number: Whole
    yes: bool


class Next(_Typed, frozen=True, tag="next"):
    """The rematch: another game, for which the same tokens are good."""

    game: Token


class ErrorMessage(_Typed, frozen=True, tag="error"):
    """What was wrong, in a sentence; the host closes the connection after it."""

    sentence: Sentence


class EventMessage(_Typed, frozen=True, tag="event"):
    """How an event travels: what it says besides its number and kind is one object."""

    number: Whole
    kind: str
    data: dict[str, Any]


FromGuest = Hello | MoveMessage | Resign | Bye | Have | Undo | Reply | Rematch | Claim
FromHost = Welcome | EventMessage | RequestMessage | ErrorMessage | Bye | Presence | Offer | Settled | Next
Message = FromGuest | FromHost | Event


class Kinds:
    """The messages that one side may send, of at most so many bytes each."""

    def __init__(self, classes: Any, max_bytes: int) -> None:
        self.names: dict[str, type[Struct]] = {
            cls.__struct_config__.tag: cls for cls in typing.get_args(classes)}
        """Their classes by type."""
        self.decoder: msgspec.json.Decoder[Any] = msgspec.json.Decoder(classes)
        self.max_bytes = max_bytes


FROM_GUEST = Kinds(FromGuest, MAX_FROM_GUEST)
FROM_HOST = Kinds(FromHost, MAX_FROM_HOST)


def encode(message: Message) -> bytes:
    """The message as a line.

    >>> encode(MoveMessage(3, "f5"))
    b'{"type":"move","number":3,"move":"f5"}\\n'
    >>> encode(RequestMessage(3, Limit(bank=60), 60.0))
    b'{"type":"request","number":3,"limit":{"bank":60},"seconds":60.0}\\n'
    """
    sent: object = message
    if isinstance(message, Event):
        sent = EventMessage(message.number, message.kind, event_data(message))
    elif isinstance(message, RequestMessage):
        sent = structs.replace(message, limit=_given(message.limit))
    elif isinstance(message, ErrorMessage):
        sent = ErrorMessage(shorten(message.sentence, MAX_SENTENCE))
    elif isinstance(message, Bye):
        sent = Bye(shorten(message.reason, MAX_SENTENCE))
    return msgspec.json.encode(sent) + b"\n"


def _given(limit: Limit) -> dict[str, float]:
    """The parts of a limit that are set; a clock that stands at zero is a limit, unlike an absent one."""
    return {name: value for name, value in vars(limit).items()
            if value is not None and (value or name != "increment")}


def decode(line: bytes | str, kinds: Kinds) -> Message:
    """Reads a line as one of these kinds of messages; whatever else it may be is a MessageError.

    >>> decode(b'{"type": "move", "number": 3, "move": "f5"}', FROM_GUEST)
    MoveMessage(number=3, move='f5')
    >>> decode('{"type": "move", "number": -3, "move": "f5"}', FROM_GUEST)
    Traceback (most recent call last):
    ...
    polyversi.server.messages.MessageError: this is not a valid 'move': Expected `int` >= 0 - at `$.number`
    """
    message = decode_any(line, kinds)
    match message:
        case EventMessage():
            return _event(message)
        case Hello():
            return structs.replace(message, name=_shown("hello", "name", message.name))
        case MoveMessage():
            return structs.replace(message, move=_shown("move", "move", message.move))
    return typing.cast("Message", message)


def decode_any(line: bytes | str, kinds: Kinds) -> Any:
    """Reads a line as one of any kinds of messages, also those of another conversation than a game's."""
    if len(line) > kinds.max_bytes:
        raise MessageError(f"a message has at most {kinds.max_bytes} bytes")
    try:
        return kinds.decoder.decode(line)
    except (ValueError, RecursionError) as error:
        raise _refusal(line, kinds, str(error)) from None


def _event(message: EventMessage) -> Event:
    """The event, with texts that can be shown on a terminal."""
    try:
        event = read_event(message.number, message.kind, message.data)
    except EventError as error:
        raise MessageError(shorten(printable(str(error)), MAX_SENTENCE)) from None
    match event:
        case StartEvent():
            return structs.replace(event, players=tuple(map(printable, event.players)))
        case VerdictEvent():
            return structs.replace(event, detail=printable(event.detail))
        case EndEvent(verdict=verdict):
            return structs.replace(event, reason=printable(event.reason),
                                   verdict=replace(verdict, detail=printable(verdict.detail)))
    return event


def _shown(kind: str, name: str, text: str) -> str:
    """A text that others are shown, without blanks around it."""
    if not (text.isprintable() and text.strip()):
        raise MessageError(f"this is not a valid '{kind}': its {name} has characters that cannot be printed")
    return text.strip()


def _refusal(line: bytes | str, kinds: Kinds, problem: str) -> MessageError:
    """What is wrong with a message."""
    try:
        data = msgspec.json.decode(line)
    except (ValueError, RecursionError):
        data = None
    match data:
        case {"type": str(kind)} if kind not in kinds.names:
            known = ", ".join(kinds.names)
            return UnknownMessageError(f"'{shorten(printable(kind))}' is not a type of message; use {known}")
        case {"type": str(), "version": version} if version != VERSION:
            other = shorten(printable(str(version)))
            return MessageError(f"this is version {VERSION} of the messages, not {other}; "
                                "host and guest need the same version of Polyversi")
        case {"type": str(kind)}:
            problem = shorten(printable(problem), MAX_SENTENCE // 2)
            return MessageError(f"this is not a valid '{kind}': {problem}")
    start = line[:60] if isinstance(line, str) else line[:60].decode(errors="replace")
    return MessageError(f"this is not a message: '{shorten(printable(start))}'; a message is a JSON object "
                        f'with a "type"')
