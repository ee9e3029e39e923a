"""Frames: the messages between a Reversi XT server and its clients, to the byte."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping
from dataclasses import astuple, dataclass
from typing import ClassVar

from polyversi.games.errors import PolyversiError
from polyversi.games.xtmap import MAX_TEXT

PORT = 7777
"""Where a server waits unless it is told otherwise."""
HEADER = struct.Struct(">BI")
MAX_MAP = MAX_TEXT
"""Bytes of a map."""


class FrameError(PolyversiError):
    """Bytes that are not a message, or not one that this side may send."""


@dataclass(frozen=True)
class Frame:
    """A message. A subclass is one kind: its number, and its fields as they follow each other on the wire."""

    type: ClassVar[int]
    layout: ClassVar[struct.Struct]

    def __init_subclass__(cls, type: int, layout: str = "") -> None:
        cls.type, cls.layout = type, struct.Struct(layout)

    def payload(self) -> bytes:
        """What follows the header."""
        return self.layout.pack(*astuple(self))

    @classmethod
    def read(cls, payload: bytes) -> Frame:
        """The message with this payload, whose length is right."""
        return cls(*cls.layout.unpack(payload))

    @classmethod
    def allows(cls, length: int) -> bool:
        """Whether a payload of this kind can be so long."""
        return length == cls.layout.size


@dataclass(frozen=True)
class Group(Frame, type=1, layout=">B"):
    """A client says which group's it is, first of all."""

    number: int


@dataclass(frozen=True)
class Map(Frame, type=2):
    """The map as it stands in its file."""

    text: bytes

    def payload(self) -> bytes:
        return self.text

    @classmethod
    def read(cls, payload: bytes) -> Map:
        return cls(payload)

    @classmethod
    def allows(cls, length: int) -> bool:
        return length <= MAX_MAP


@dataclass(frozen=True)
class Number(Frame, type=3, layout=">B"):
    """A client's seat."""

    seat: int


@dataclass(frozen=True)
class Ask(Frame, type=4, layout=">IB"):
    """A client is to move: within so many milliseconds, or looking so many plies ahead; 0 means no limit."""

    milliseconds: int
    depth: int


@dataclass(frozen=True)
class Answer(Frame, type=5, layout=">HHB"):
    """A client's move."""

    x: int
    y: int
    special: int


@dataclass(frozen=True)
class Played(Frame, type=6, layout=">HHBB"):
    """Somebody has moved."""

    x: int
    y: int
    special: int
    seat: int


@dataclass(frozen=True)
class Disqualified(Frame, type=7, layout=">B"):
    """Somebody is out of the game."""

    seat: int


class EndOfBuilding(Frame, type=8):
    """The bombing begins."""


class EndOfGame(Frame, type=9):
    """The game is over."""


Kinds = Mapping[int, type[Frame]]

FROM_CLIENT: Kinds = {kind.type: kind for kind in (Group, Answer)}
FROM_SERVER: Kinds = {
    kind.type: kind for kind in (Map, Number, Ask, Played, Disqualified, EndOfBuilding, EndOfGame)
}


def encode(frame: Frame) -> bytes:
    """The bytes of a message.

    >>> encode(Answer(3, 4, 21)).hex(" ")
    '05 00 00 00 05 00 03 00 04 15'
    """
    payload = frame.payload()
    return HEADER.pack(frame.type, len(payload)) + payload


class Decoder:
    """Puts messages together from bytes as they come; what is none is refused as soon as its header is there.

    So nobody can make it keep more than one message of a kind that it expects.

    >>> decoder = Decoder(FROM_CLIENT)
    >>> list(decoder.feed(bytes.fromhex("01 00 00 00 01 07 05 00")))
    [Group(number=7)]
    >>> list(decoder.feed(bytes.fromhex("00 00 05 00 03 00 04 00")))
    [Answer(x=3, y=4, special=0)]
    >>> list(decoder.feed(bytes.fromhex("05 ff ff ff ff")))
    Traceback (most recent call last):
    polyversi.protocols.xt.frames.FrameError: a message of type 5 with 4294967295 bytes; it must have 5
    """

    def __init__(self, kinds: Kinds) -> None:
        self._kinds = kinds
        self._buffer = bytearray()

    @property
    def is_within_a_message(self) -> bool:
        """Whether a message has begun and not ended."""
        return bool(self._buffer)

    def feed(self, data: bytes) -> Iterator[Frame]:
        """The messages that these bytes complete, one after the other; FrameError where they are none."""
        self._buffer += data
        while len(self._buffer) >= HEADER.size:
            number, length = HEADER.unpack_from(self._buffer)
            kind = self._kind(number, length)
            if len(self._buffer) < HEADER.size + length:
                return
            payload = bytes(self._buffer[HEADER.size : HEADER.size + length])
            del self._buffer[: HEADER.size + length]
            yield kind.read(payload)

    def _kind(self, number: int, length: int) -> type[Frame]:
        kind = self._kinds.get(number)
        if kind is None:
            known = " or ".join(map(str, self._kinds))
            raise FrameError(f"a message of type {number}, but only {known} is expected here")
        if not kind.allows(length):
            limit = f"at most {MAX_MAP}" if kind is Map else str(kind.layout.size)
            raise FrameError(f"a message of type {number} with {length} bytes; it must have {limit}")
        return kind
