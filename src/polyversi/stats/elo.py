"""Elo: how much stronger one player is than another, and how sure that is."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean, variance

SPREAD = 1.959964
"""Standard deviations on either side of the mean that hold 95 % of a normal distribution."""
SURPRISE = 0.025
"""The probability outside of each bound: 2.5 % on either side leave 95 % between them."""


def difference(score: float) -> float:
    """The Elo difference that a score per game stands for: 0 for a half, infinite for all or nothing.

    >>> round(difference(0.75), 1), difference(0.5), difference(1.0)
    (190.8, 0.0, inf)
    """
    if not 0 < score < 1:
        return math.inf if score >= 1 else -math.inf
    return 400 * math.log10(score / (1 - score))


def expected(difference: float) -> float:
    """The expected score per game of a player that is stronger by this many points.

    >>> round(expected(190.8), 2), expected(0)
    (0.75, 0.5)
    """
    return 1 / (1 + 10 ** (-difference / 400))


@dataclass(frozen=True)
class Elo:
    """A measured difference with the bounds that hold the true one in 95 of 100 matches.

    >>> str(Elo(120.0, 70.0, 172.0)), str(Elo(math.inf, 150.0, math.inf)), str(measure([1.0] * 3))
    ('+120 ± 51', 'over +150', 'too few games')
    """

    difference: float
    low: float
    high: float

    def __str__(self) -> str:
        if (math.isinf(self.low) or math.isinf(self.high)) and self.low <= 0 <= self.high:
            return "too few games"
        if math.isinf(self.difference):
            return f"over {self.low:+.0f}" if self.difference > 0 else f"under {self.high:+.0f}"
        if math.isinf(self.high):
            return f"{self.difference:+.0f}, over {self.low:+.0f}"
        if math.isinf(self.low):
            return f"{self.difference:+.0f}, under {self.high:+.0f}"
        return f"{self.difference:+.0f} ± {(self.high - self.low) / 2:.0f}"


def measure(scores: Sequence[float]) -> Elo:
    """The Elo difference that scores between 0 and 1 show, with 95 % bounds from their spread.

    A score is that of one game, or of a pair of games with the same opening and seats changed. In pairs the
    luck of an opening cancels out, in the mean and in the spread.

    >>> str(measure([1.0, 0.5, 0.75, 0.5, 1.0, 0.75]))
    '+191 ± 198'

    Equal scores have no spread. The bounds then come from how frequent another score could be without being
    seen, with a probability of 2.5 %.

    >>> str(measure([1.0] * 10)), str(measure([0.5] * 10))
    ('over +140', '+0 ± 111')
    """
    mean = fmean(scores)
    if len(set(scores)) > 1:
        error = SPREAD * math.sqrt(variance(scores) / len(scores))
        low, high = mean - error, mean + error
    else:
        unseen = 1 - SURPRISE ** (1 / len(scores))
        low, high = mean * (1 - unseen), mean + (1 - mean) * unseen
    return Elo(difference(mean), difference(low), difference(high))
