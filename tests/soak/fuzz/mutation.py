"""Makes bad input out of good: a few random changes to one of the samples."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import TypeVar

T = TypeVar("T")

LONGEST = 4096
NUMBERS = (b"0", b"-1", b"1", b"9", b"64", b"255", b"256", b"65536", b"-2147483649", b"1" * 30, b"1e308")
ODD = (b"\0", b"\xff", b"\r\n", b" ", "é\ufeff\u2028٣".encode(), b"\xed\xa0\x80", b"\\")
"""Bytes that parsers stumble over: broken and unusual UTF-8, foreign digits, line ends, a backslash."""

Samples = Sequence[bytes]


def mutated(chance: Random, samples: Samples, tokens: Samples) -> bytes:
    """One of the samples with one to four changes."""
    data = bytearray(pick(chance, samples))
    for _ in range(1 + int(chance.random() ** 2 * 4)):
        pick(chance, CHANGES)(chance, data, samples, tokens)
    return bytes(data[:LONGEST])


def pick(chance: Random, things: Sequence[T]) -> T:
    """One of the things; quicker than random.choice."""
    return things[int(chance.random() * len(things))]


def _span(chance: Random, data: bytearray) -> slice:
    start = int(chance.random() * (len(data) + 1))
    return slice(start, start + int(chance.random() ** 3 * (len(data) - start + 1)) + 1)


def _change_byte(chance: Random, data: bytearray, _samples: Samples, _tokens: Samples) -> None:
    if data:
        data[int(chance.random() * len(data))] = int(chance.random() * 256)


def _nudge_byte(chance: Random, data: bytearray, _samples: Samples, _tokens: Samples) -> None:
    if data:
        at = int(chance.random() * len(data))
        data[at] = data[at] ^ (1 << int(chance.random() * 8))


def _remove(chance: Random, data: bytearray, _samples: Samples, _tokens: Samples) -> None:
    del data[_span(chance, data)]


def _repeat(chance: Random, data: bytearray, _samples: Samples, _tokens: Samples) -> None:
    span = _span(chance, data)
    data[span] = data[span] * (1 + int(chance.random() ** 4 * 20))


def _swap(chance: Random, data: bytearray, _samples: Samples, _tokens: Samples) -> None:
    span = _span(chance, data)
    piece = data[span]
    del data[span]
    at = int(chance.random() * (len(data) + 1))
    data[at:at] = piece


def _insert_token(chance: Random, data: bytearray, _samples: Samples, tokens: Samples) -> None:
    at = int(chance.random() * (len(data) + 1))
    data[at:at] = pick(chance, tokens)


def _replace_with_token(chance: Random, data: bytearray, _samples: Samples, tokens: Samples) -> None:
    data[_span(chance, data)] = pick(chance, tokens)


def _insert_odd(chance: Random, data: bytearray, _samples: Samples, _tokens: Samples) -> None:
    at = int(chance.random() * (len(data) + 1))
    data[at:at] = pick(chance, ODD if chance.random() < 0.5 else NUMBERS)


def _join(chance: Random, data: bytearray, samples: Samples, _tokens: Samples) -> None:
    other = pick(chance, samples)
    del data[int(chance.random() * (len(data) + 1)) :]
    data += other[int(chance.random() * (len(other) + 1)) :]


Change = Callable[[Random, bytearray, Samples, Samples], None]
CHANGES: tuple[Change, ...] = (
    _change_byte, _nudge_byte, _nudge_byte, _remove, _repeat, _swap, _join,
    _insert_odd, _insert_token, _insert_token, _replace_with_token,
)
