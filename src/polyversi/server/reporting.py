"""What the operator is told, bounded: nobody can fill a log, whatever is sent to the server."""

from __future__ import annotations

import logging
import sys
import time
from collections.abc import Callable

BURST = 50
"""Messages at once."""
PER_SECOND = 0.5
LOGGERS = ("uvicorn.error", "asyncio")
"""Where the libraries under the server write what visitors may provoke."""


class Throttle:
    """Lets so many messages pass at once, and then so many a second; counts the others.

    >>> throttle = Throttle(burst=2, per_second=0.0)
    >>> [throttle.take() for _ in range(4)]
    [0, 0, None, None]
    """

    def __init__(self, burst: float = BURST, per_second: float = PER_SECOND,
                 clock: Callable[[], float] = time.monotonic) -> None:
        self._burst = burst
        self._per_second = per_second
        self._clock = clock
        self._left, self._since = float(burst), clock()
        self._omitted = 0

    def take(self) -> int | None:
        """How many messages were left out before this one, or None when this one is left out too."""
        now = self._clock()
        self._left = min(self._burst, self._left + (now - self._since) * self._per_second)
        self._since = now
        if self._left < 1:
            self._omitted += 1
            return None
        self._left -= 1
        omitted, self._omitted = self._omitted, 0
        return omitted


class ThrottledLog(logging.Filter):
    """A filter for a logger that anybody can make write."""

    def __init__(self, throttle: Throttle) -> None:
        super().__init__()
        self._throttle = throttle

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether a record is written; it says how many before it were not."""
        omitted = self._throttle.take()
        if omitted:
            record.msg, record.args = f"{_left_out(omitted)}; {record.getMessage()}", ()
        return omitted is not None


def throttle_logs() -> None:
    """Bounds what libraries write, from now on; calling it twice changes nothing."""
    for name in LOGGERS:
        logger = logging.getLogger(name)
        if not any(isinstance(one, ThrottledLog) for one in logger.filters):
            logger.addFilter(ThrottledLog(Throttle()))


_reports = Throttle()


def report(sentence: str) -> None:
    """Tells the operator something."""
    omitted = _reports.take()
    if omitted:
        print(f"polyversi: {_left_out(omitted)}", file=sys.stderr)
    if omitted is not None:
        print(f"polyversi: {sentence}", file=sys.stderr)


def _left_out(count: int) -> str:
    return f"{count:,} messages were left out"
