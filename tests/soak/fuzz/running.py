"""Runs mutated inputs through a parser and keeps those that break it."""

from __future__ import annotations

import signal
from dataclasses import dataclass
from random import Random
from types import FrameType

from tests.soak.fuzz.mutation import mutated
from tests.soak.fuzz.parsers import PARSERS

SLOWEST = 20
"""Seconds of processor time after which a portion of inputs counts as stuck."""


@dataclass(frozen=True)
class Failure:
    """An input that a parser answered with anything but a result or an error of ours."""

    parser: str
    data: bytes
    error: str

    def __str__(self) -> str:
        return f"{self.parser}: {self.error}\n    {self.data!r}"


@dataclass(frozen=True)
class Portion:
    """The result of some inputs: how many there were, how many were read, and what failed."""

    parser: str
    inputs: int
    read: int
    failures: tuple[Failure, ...]


def run(name: str, seed: int, part: int, inputs: int) -> Portion:
    """Feeds that many inputs to a parser; the same seed and part give the same inputs."""
    parser = PARSERS[name]
    chance = Random(f"{seed}/{name}/{part}")
    read, failures, data = 0, [], b""
    signal.signal(signal.SIGPROF, _stuck)
    signal.setitimer(signal.ITIMER_PROF, SLOWEST)
    try:
        for _ in range(inputs):
            data = mutated(chance, parser.samples, parser.tokens)
            try:
                read += parser.check(data)
            except Exception as error:
                failures.append(Failure(name, data, f"{type(error).__name__}: {error}"))
    except _StuckError:
        failures.append(Failure(name, data, f"took more than {SLOWEST} seconds"))
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    return Portion(name, inputs, read, tuple(failures))


class _StuckError(BaseException):
    """Raised in the middle of an input that takes too long; no handler of errors catches it."""


def _stuck(_number: int, _frame: FrameType | None) -> None:
    raise _StuckError
