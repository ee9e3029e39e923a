"""Waiting for what another process or thread does, which nothing here tells of."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

from tests.testing.timeout import TIMEOUT

T = TypeVar("T")
PAUSE = 0.01
"""Seconds between two looks, so that whoever is waited for has the processor."""


def until(look: Callable[[], T | None], instead: Callable[[], object] | None = None) -> T:
    """Looks again and again until what is seen is true, and gives it; that it never is is an AssertionError.

    That one tells what is there instead.

    >>> until(lambda: "there")
    'there'
    """
    end = time.monotonic() + TIMEOUT
    while not (seen := look()):
        assert time.monotonic() < end, (
            f"what the test waits for does not happen: there is {instead() if instead else seen!r}")
        time.sleep(PAUSE)
    return seen
