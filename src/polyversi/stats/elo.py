"""Elo: how much stronger one player is than another, and how sure that is after so many games."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean, variance

SPREAD = 1.959964
"""Standard deviations either side of the mean that hold 95 % of a normal distribution."""
SURPRISE = 0.025
"""How improbable the bounds may be: 2.5 % on either side leave 95 % between them."""


def difference(score: float) -> float:
    """The Elo difference of a player that scores so much a game: 0 for a half, infinite for all or nothing.

    >>> round(difference(0.75), 1), difference(0.5), difference(1.0)
    (190.8, 0.0, inf)
    """
    if not 0 < score < 1:
        return math.inf if score >= 1 else -math.inf
    return 400 * math.log10(score / (1 - score))


def expected(difference: float) -> float:
    """What a player stronger by so many points is expected to score a game.

    >>> round(expected(190.8), 2), expected(0)
    (0.75, 0.5)
    """
    return 1 / (1 + 10 ** (-difference / 400))


@dataclass(frozen=True)
class Elo:
    """A measured difference with the bounds that hold the true one in 95 of 100 matches.

    >>> str(Elo(120.0, 70.0, 172.0)), str(Elo(math.inf, 150.0, math.inf))
    ('+120 ± 51', 'over +150')
    """

    difference: float
    low: float
    high: float

    def __str__(self) -> str:
        if math.isinf(self.difference):
            return f"over {self.low:+.0f}" if self.difference > 0 else f"under {self.high:+.0f}"
        if math.isinf(self.high):
            return f"{self.difference:+.0f}, over {self.low:+.0f}"
        if math.isinf(self.low):
            return f"{self.difference:+.0f}, under {self.high:+.0f}"
        return f"{self.difference:+.0f} ± {(self.high - self.low) / 2:.0f}"


def measure(scores: Sequence[float]) -> Elo:
    """The difference that scores between 0 and 1 speak for, and its 95 % bounds from their spread.

    A score belongs to a game, or to a pair of games with the same opening and changed seats: what luck an
    opening brings is then out of the spread, as it is out of the mean.

    >>> str(measure([1.0, 0.5, 0.75, 0.5, 1.0, 0.75]))
    '+191 ± 198'

    When all scores are alike they have no spread. The bounds are then what another score could still move
    the mean by, if it is as frequent as can stay unseen in so many with a chance of 2.5 %.

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
