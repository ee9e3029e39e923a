"""Messages: what a host and its guests tell each other, each a JSON object on a line of its own."""

from __future__ import annotations

import json
import re
import typing
from typing import Annotated, Any, Literal, Union

import msgspec
from msgspec import Meta, Struct, structs

from polyversi.gameplay.events import Event, EventKind
from polyversi.gameplay.seat import Resign
from polyversi.games.board import shorten
from polyversi.games.errors import PolyversiError
from polyversi.games.limit import Limit

VERSION: Literal[1] = 1
"""Goes up when a message can no longer be understood by programs that know the version before."""

LONGEST_FROM_GUEST = 8192
"""Bytes of a message that a guest sends: a guest never has much to say."""
LONGEST_FROM_HOST = 1 << 21
"""Bytes of a message that a host sends, which may carry the largest map."""
LONGEST_SENTENCE = 400
"""Characters of a reason or a refusal; a longer one is cut on sending."""
LARGEST_NUMBER = 2**31 - 1
MOST_SEATS = 8

# What the fields take, each with the words for somebody who sent something else.
Version = Annotated[Literal[1], Meta(description="the whole number 1")]
Whole = Annotated[int, Meta(ge=0, le=LARGEST_NUMBER, description="a whole number from 0")]
Number = Annotated[float, Meta(ge=0, le=LARGEST_NUMBER, description="a number from 0")]
YesNo = Annotated[bool, Meta(description="true or false")]
Name = Annotated[str, Meta(min_length=1, max_length=40, description="a text of 1 to 40 characters")]
MoveText = Annotated[str, Meta(min_length=1, max_length=20, description="a text of 1 to 20 characters")]
Token = Annotated[str, Meta(max_length=64, description="a text of at most 64 characters")]
Sentence = Annotated[str, Meta(max_length=LONGEST_SENTENCE,
                               description=f"a text of at most {LONGEST_SENTENCE} characters")]
Text = Annotated[str, Meta(description="a text")]
Seats = Annotated[list[Whole], Meta(max_length=MOST_SEATS, description="a list of seats")]
LimitParts = Annotated[Limit, Meta(
    description="an object with seconds, bank, increment (which needs a bank), depth or nodes, each a number "
                "from 0, the last two a whole number")]


class MessageError(PolyversiError):
    """A message that cannot be read, or that its receiver does not take."""


class UnknownMessageError(MessageError):
    """A message of a type that the receiver does not know; guests pass over it, hosts refuse it."""


class _Typed(Struct, frozen=True, tag_field="type"):
    """A message; its type is the tag of its class."""


class Hello(_Typed, frozen=True, tag="hello"):
    """The first message of a guest: who it is and what it wants; the same once more is passed over."""

    name: Name
    version: Version = VERSION
    seat: Whole | None = None
    """The seat it wants, 0 to watch, or null for any that is free."""
    token: Token = ""
    """What the host gave it with its seat, to take the seat up again after a lost connection."""
    game: Whole = 0
    """The number of the game it has seen events of, if any."""
    events: Whole = 0
    """How many events of that game it has; it gets those that come after."""


class Answer(_Typed, frozen=True, tag="move"):
    """The move of a guest, with the number of the question it answers; a second answer changes nothing."""

    number: Whole
    move: MoveText


class Have(_Typed, frozen=True, tag="have"):
    """What a guest has got, said every few seconds and when something is missing: the host sends the rest."""

    events: Whole
    """How many events of this game, without gaps."""
    request: Whole = 0
    """The number of the last question, or 0 if there is none that it still knows of."""


class Takeback(_Typed, frozen=True, tag="undo"):
    """A guest wants its last move back."""


class Reply(_Typed, frozen=True, tag="reply"):
    """What a guest says to an offer."""

    number: Whole
    yes: YesNo


class Rematch(_Typed, frozen=True, tag="rematch"):
    """A guest wants to play again, after the end."""


class Claim(_Typed, frozen=True, tag="claim"):
    """A guest wants the game to end because an opponent is gone for longer than the grace time."""


class Bye(_Typed, frozen=True, tag="bye"):
    """Whoever says it leaves for good."""

    reason: Sentence = ""


class Welcome(_Typed, frozen=True, tag="welcome"):
    """The first message of a host, and of each further game: what is played and where the guest sits."""

    spec: Text
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
    map: Text = ""
    """The text of the XT map, where the spec does not say it all."""
    version: Version = VERSION
    seats: Seats = []
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


class Ask(_Typed, frozen=True, tag="request", omit_defaults=True):
    """Asks a guest for a move; the same number again is the same question again."""

    number: Whole
    limit: LimitParts
    """What the guest has left to spend."""
    seconds: Number
    """How long the host will wait from now."""
    seat: Whole = 0
    """The seat that is asked, of those that the guest has."""
    events: Whole = 0
    """How many events there have been: the question is about the position after the last of them."""
    moves: Annotated[list[LegalMove] | None, Meta(description="a list of moves or null")] = None
    """All legal moves, from hosts that serve guests who do not know the rules."""


class Presence(_Typed, frozen=True, tag="presence"):
    """Who is there."""

    seats: Annotated[list[bool], Meta(max_length=MOST_SEATS, description="a list of true and false")]
    """For each seat, whether somebody is connected who plays it."""
    watching: Whole
    """How many watch."""
    claim: Whole = 0
    """A seat whose player is gone for longer than the grace time, so that the others may claim the game."""


class Offer(_Typed, frozen=True, tag="offer"):
    """A seat asks the others for something; they answer with a reply."""

    number: Whole
    what: Annotated[Literal["undo", "rematch"], Meta(description="undo or rematch")]
    seat: Whole


class Settled(_Typed, frozen=True, tag="settled"):
    """An offer is over, one way or the other."""

    number: Whole
    yes: YesNo


class Next(_Typed, frozen=True, tag="next"):
    """The rematch: another game, for which the same tokens are good."""

    game: Token


class Refusal(_Typed, frozen=True, tag="error"):
    """What was wrong, in a sentence; the host closes the connection after it."""

    sentence: Sentence


class _Resign(_Typed, frozen=True, tag="resign"):
    """How Resign travels."""


class _Event(_Typed, frozen=True, tag="event"):
    """How an Event travels."""

    number: Whole
    kind: Annotated[EventKind, Meta(description=f"one of {', '.join(typing.get_args(EventKind))}")]
    data: Annotated[dict[str, Any], Meta(description="an object, {…}")]


FromGuest = Hello | Answer | Resign | Have | Takeback | Reply | Rematch | Claim | Bye
FromHost = Welcome | Event | Ask | Presence | Offer | Settled | Next | Refusal | Bye
Message = FromGuest | FromHost

_ENCODER = msgspec.json.Encoder()
_PLACE = re.compile(r" - at `\$\.(\w+)|missing required field `(\w+)`")
"""Which field a message is refused for, in the words of msgspec."""


class Kinds:
    """The messages that one side may send."""

    def __init__(self, *classes: type[_Typed]) -> None:
        self.names = {str(cls.__struct_config__.tag): cls for cls in classes}
        """Their classes by type."""
        self.decoder: msgspec.json.Decoder[Any] = msgspec.json.Decoder(Union[classes])  # noqa: UP007


FROM_GUEST = Kinds(Hello, Answer, _Resign, Bye, Have, Takeback, Reply, Rematch, Claim)
"""What a guest may say."""
FROM_HOST = Kinds(Welcome, _Event, Ask, Refusal, Bye, Presence, Offer, Settled, Next)
"""What a host may say."""


def encode(message: Message) -> bytes:
    """The message as a line.

    >>> encode(Answer(3, "f5"))
    b'{"type":"move","number":3,"move":"f5"}\\n'
    >>> encode(Ask(3, Limit(bank=60), 60.0))
    b'{"type":"request","number":3,"limit":{"bank":60},"seconds":60.0}\\n'
    >>> encode(Event(2, "undo", {"seat": 1}))
    b'{"type":"event","number":2,"kind":"undo","data":{"seat":1}}\\n'
    """
    sent: object = message
    if isinstance(message, Event):
        sent = _Event(message.number, message.kind, message.data)
    elif isinstance(message, Resign):
        sent = _Resign()
    elif isinstance(message, Ask):
        sent = structs.replace(message, limit=_given(message.limit))
    elif isinstance(message, Refusal):
        sent = Refusal(shorten(message.sentence, LONGEST_SENTENCE))
    elif isinstance(message, Bye):
        sent = Bye(shorten(message.reason, LONGEST_SENTENCE))
    return _ENCODER.encode(sent) + b"\n"


def _given(limit: Limit) -> dict[str, float]:
    """The parts of a limit that are set; a clock that stands at zero is a limit, unlike an absent one."""
    parts = {name: getattr(limit, name) for name in ("seconds", "bank", "depth", "nodes")}
    return {name: value for name, value in parts.items() if value is not None} | (
        {"increment": limit.increment} if limit.increment else {})


def decode(line: bytes | str, kinds: Kinds) -> Message:
    """Reads a line as one of these kinds of messages; whatever else it may be is a MessageError.

    >>> decode(b'{"type": "move", "number": 3, "move": "f5"}', FROM_GUEST)
    Answer(number=3, move='f5')
    >>> decode('{"type": "move", "number": -3, "move": "f5"}', FROM_GUEST)
    Traceback (most recent call last):
    ...
    polyversi.server.messages.MessageError: "number" of 'move' must be a whole number from 0, not -3
    """
    try:
        message = kinds.decoder.decode(line)
    except msgspec.ValidationError as error:
        raise _refusal(line, kinds, str(error)) from None
    except (ValueError, RecursionError):
        raise _no_message(line) from None
    if isinstance(message, _Event):
        return Event(message.number, message.kind, message.data)
    if isinstance(message, _Resign):
        return Resign()
    if isinstance(message, Hello):
        return structs.replace(message, name=_shown("hello", "name", message.name))
    if isinstance(message, Answer):
        return structs.replace(message, move=_shown("move", "move", message.move))
    return typing.cast("Message", message)


def printable(text: str) -> str:
    """The text without what could play tricks on a terminal.

    >>> printable("Ann\\x1b[2J\\n")
    'Ann?[2J?'
    """
    return "".join(character if character.isprintable() else "?" for character in text)


def _shown(kind: str, name: str, text: str) -> str:
    """A text that others are shown, without blanks around it."""
    if not (text.isprintable() and text.strip()):
        raise MessageError(f"\"{name}\" of '{kind}' must be a text that can be printed, not {_short(text)}")
    return text.strip()


def _refusal(line: bytes | str, kinds: Kinds, problem: str) -> MessageError:
    """What is wrong with a message that is JSON but does not fit, in words for people."""
    try:
        data = msgspec.json.decode(line)
    except (ValueError, RecursionError):
        return _no_message(line)
    if not isinstance(data, dict):
        return _no_message(line)
    kind = data.get("type")
    found = _PLACE.search(problem)
    name = (found[1] or found[2]) if found else ""
    if not isinstance(kind, str) or (name == "type" and kind in kinds.names):    # missing, or there twice
        return MessageError(f'a message has a "type", such as "{next(iter(kinds.names))}", and has it once')
    cls = kinds.names.get(kind)
    if cls is None:
        known = ", ".join(kinds.names)
        return UnknownMessageError(f"'{shorten(printable(kind))}' is no type of message; {known} are")
    if "version" in data and data["version"] != VERSION:
        return MessageError(f"this is version {VERSION} of the messages, not {_short(data['version'])}; "
                            "host and guest need the same version of Polyversi")
    if name not in data:
        return MessageError(f"\"{name}\" of '{kind}' is missing")
    return MessageError(f"\"{name}\" of '{kind}' must be {_words(cls, name)}, not {_short(data[name])}")


def _words(cls: type[_Typed], name: str) -> str:
    """What a field takes."""
    hint = typing.get_type_hints(cls, include_extras=True)[name]
    parts = (hint, *typing.get_args(hint))    # "a number, or null" has the words with the number
    return next(str(meta.description) for part in parts for meta in getattr(part, "__metadata__", ()))


def _no_message(line: bytes | str) -> MessageError:
    start = line[:60] if isinstance(line, str) else line[:60].decode(errors="replace")
    return MessageError(f"this is no message: '{shorten(printable(start))}'; a message is a JSON object")


def _short(value: object) -> str:
    return shorten(printable(json.dumps(value, ensure_ascii=False)))
