"""Messages: what a host and its guests tell each other, each a JSON object on a line of its own."""

from __future__ import annotations

import json
import types
import typing
from dataclasses import MISSING, Field, asdict, dataclass, fields
from typing import Any, NoReturn, cast

from polyversi.arena.events import Event
from polyversi.arena.seat import Resign
from polyversi.games.board import shorten
from polyversi.games.errors import PolyversiError
from polyversi.players.limit import Limit

VERSION = 1
"""Goes up when a message can no longer be understood by programs that know the version before."""

LONGEST_FROM_GUEST = 8192
"""Bytes of a line that a guest sends: a guest never has much to say."""
LONGEST_FROM_HOST = 1 << 21
"""Bytes of a line that a host sends, which may carry the largest map."""
LONGEST_TEXTS = {"name": 40, "token": 64, "move": 20, "reason": 400, "sentence": 400}
"""Characters of what a person reads or types; a longer reason is cut on sending, the others are refused."""
LARGEST_NUMBER = 2**31 - 1


class MessageError(PolyversiError):
    """A message that cannot be read, or that its receiver does not take."""


class UnknownMessageError(MessageError):
    """A message of a type that the receiver does not know; guests pass over it, hosts refuse it."""


@dataclass(frozen=True)
class Hello:
    """The first message of a guest: who it is and what it wants."""

    name: str
    version: int = VERSION
    seat: int | None = None
    """The seat it wants, 0 to watch, or null for any that is free."""
    token: str = ""
    """What the host gave it with its seat, to take the seat up again after a lost connection."""
    game: int = 0
    """The number of the game it has seen events of, if any."""
    events: int = 0
    """How many events of that game it has; it gets those that come after."""


@dataclass(frozen=True)
class Welcome:
    """The first message of a host, and of each further game: what is played and where the guest sits."""

    spec: str
    """The game, as `pv.game` reads it."""
    number: int
    """The number of this game from 1."""
    games: int
    """How many will be played."""
    seat: int
    """The seat of the guest, or 0 for one that watches."""
    events: int
    """How many events there have been; the missing ones follow."""
    grace: float
    """Seconds that a guest may be away before it loses."""
    token: str = ""
    map: str = ""
    """The text of the XT map, where the spec does not say it all."""
    version: int = VERSION


@dataclass(frozen=True)
class Ask:
    """Asks a guest for a move; the same number again is the same question again."""

    number: int
    limit: Limit
    """What the guest has left to spend."""
    seconds: float
    """How long the host will wait from now."""


@dataclass(frozen=True)
class Answer:
    """The move of a guest, with the number of the question it answers; a second answer changes nothing."""

    number: int
    move: str


@dataclass(frozen=True)
class Refusal:
    """What was wrong, in a sentence; the host closes the connection after it."""

    sentence: str


@dataclass(frozen=True)
class Bye:
    """Whoever says it leaves for good."""

    reason: str = ""


Message = Hello | Welcome | Event | Ask | Answer | Resign | Refusal | Bye
Kinds = dict[str, type[Any]]

FROM_GUEST: Kinds = {"hello": Hello, "move": Answer, "resign": Resign, "bye": Bye}
"""What a guest may say, by its type."""
FROM_HOST: Kinds = {"welcome": Welcome, "event": Event, "request": Ask, "error": Refusal, "bye": Bye}
"""What a host may say, by its type."""
TYPES = {cls: name for name, cls in (FROM_GUEST | FROM_HOST).items()}
PARTS: dict[str, list[tuple[Field[Any], Any]]] = {
    name: [(field, typing.get_type_hints(cls)[field.name]) for field in fields(cls)]
    for cls, name in TYPES.items()
}
"""The fields of each type of message with what they take."""


def encode(message: Message) -> bytes:
    """The message as a line.

    >>> encode(Answer(3, "f5"))
    b'{"type":"move","number":3,"move":"f5"}\\n'
    >>> encode(Ask(3, Limit(bank=60), 60.0))
    b'{"type":"request","number":3,"limit":{"bank":60},"seconds":60.0}\\n'
    """
    data: dict[str, Any] = {"type": TYPES[type(message)]} | asdict(message)
    if isinstance(message, Ask):
        data["limit"] = {name: value for name, value in data["limit"].items() if value not in (None, 0.0)}
        for name in ("seconds", "bank"):    # a clock that stands at zero is a limit, unlike an absent one
            if getattr(message.limit, name) == 0:
                data["limit"][name] = 0
    if isinstance(message, (Refusal, Bye)):
        data = {name: shorten(text, LONGEST_TEXTS.get(name, len(text))) for name, text in data.items()}
    return json.dumps(data, separators=(",", ":"), allow_nan=False).encode() + b"\n"


def decode(line: bytes, kinds: Kinds) -> Message:
    """Reads a line as one of these kinds of messages; whatever else it may be is a MessageError.

    >>> decode(b'{"type": "move", "number": 3, "move": "f5"}', FROM_GUEST)
    Answer(number=3, move='f5')
    >>> decode(b'{"type": "dance"}', FROM_GUEST)
    Traceback (most recent call last):
    ...
    polyversi.server.messages.UnknownMessageError: 'dance' is no type of message; hello, move, resign, bye are
    """
    data = _loaded(line)
    name = data.get("type")
    if not isinstance(name, str):
        raise MessageError(f'a message has a "type", such as "{next(iter(kinds))}"')
    cls = kinds.get(name)
    if cls is None:
        raise UnknownMessageError(f"'{shorten(name)}' is no type of message; {', '.join(kinds)} are")
    if "version" in data and data["version"] != VERSION:
        raise MessageError(f"this is version {VERSION} of the messages, not {_short(data['version'])}; "
                           "host and guest need the same version of Polyversi")
    values = {field.name: _value(name, field, hint, data) for field, hint in PARTS[name]}
    return cast("Message", cls(**values))


def printable(text: str) -> str:
    """The text without what could play tricks on a terminal.

    >>> printable("Ann\\x1b[2J\\n")
    'Ann?[2J?'
    """
    return "".join(character if character.isprintable() else "?" for character in text)


def _loaded(line: bytes) -> dict[str, Any]:
    try:
        data = json.loads(line.decode(), parse_constant=_no_constant)
        if b"\\u" in line:
            json.dumps(data, ensure_ascii=False).encode()    # refuses half characters, which none can print
    except MessageError:
        raise
    except (ValueError, RecursionError):
        raise MessageError(f"this is no message: {_shown(line)}; a message is a JSON object") from None
    if not isinstance(data, dict):
        raise MessageError(f"this is no message: {_shown(line)}; a message is a JSON object, {{…}}")
    return data


def _no_constant(name: str) -> NoReturn:
    raise MessageError(f"{name} is no number that a message can have")


def _shown(line: bytes) -> str:
    return f"'{shorten(printable(line[:60].decode(errors='replace')))}'"


def _short(value: object) -> str:
    return shorten(json.dumps(value))


def _value(kind: str, field: Field[Any], hint: Any, data: dict[str, Any]) -> Any:
    """The value of a field in a message, checked."""
    where = f"\"{field.name}\" of '{kind}'"
    if field.name not in data:
        if field.default is not MISSING:
            return field.default
        if field.default_factory is not MISSING:
            return field.default_factory()
        raise MessageError(f"{where} is missing")
    value = data[field.name]
    if typing.get_origin(hint) in (types.UnionType, typing.Union):
        if value is None:
            return None
        hint = typing.get_args(hint)[0]
    if hint is int:
        return _whole(where, value)
    if hint is float:
        return _number(where, value)
    if hint is str:
        return _text(where, value, LONGEST_TEXTS.get(field.name), field.name in ("name", "move"))
    if hint is Limit:
        return _limit(where, value)
    if typing.get_origin(hint) is dict:
        return _object(where, value)
    if value not in typing.get_args(hint):    # a Literal, such as the kind of an event
        raise MessageError(f"{where} is one of {', '.join(typing.get_args(hint))}, not {_short(value)}")
    return value


def _whole(where: str, value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= LARGEST_NUMBER:
        raise MessageError(f"{where} must be a whole number from 0, not {_short(value)}")
    return value


def _number(where: str, value: object) -> float:
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    if not is_number or not 0 <= cast("float", value) <= LARGEST_NUMBER:
        raise MessageError(f"{where} must be a number from 0, not {_short(value)}")
    return cast("float", value)


def _text(where: str, value: object, longest: int | None, is_shown: bool) -> str:
    if not isinstance(value, str):
        raise MessageError(f"{where} must be a text, not {_short(value)}")
    if longest is not None and len(value) > longest:
        raise MessageError(f"{where} has {len(value)} characters; at most {longest} are taken")
    if is_shown and not (value.isprintable() and value.strip()):
        raise MessageError(f"{where} must be a text that can be printed, not {_short(value)}")
    return value.strip() if is_shown else value


def _object(where: str, value: object) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise MessageError(f"{where} must be an object, {{…}}, not {_short(value)}")
    return value


def _limit(where: str, value: object) -> Limit:
    given = _object(where, value)
    known = {field.name for field in fields(Limit)}
    if strange := sorted(set(given) - known):
        raise MessageError(f"{where} has {_short(strange[0])}; a limit has {', '.join(sorted(known))}")
    checks: dict[str, Any] = {"depth": _whole, "nodes": _whole}
    try:
        return Limit(**{name: checks.get(name, _number)(where, number) for name, number in given.items()})
    except PolyversiError as error:
        raise MessageError(f"{where}: {error}") from None
