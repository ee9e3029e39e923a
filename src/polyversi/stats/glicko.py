"""Glicko-2: ratings of those who come and go, game by game, with how sure each is.

After Mark Glickman's "Example of the Glicko-2 system" (2013), but each game is a period of its own, since
people want to see at once what a game has done: the deviation grows with the time between two games.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from polyversi.stats.elo import SPREAD

SCALE = 400 / math.log(10)
"""Elo points for each unit of the natural logarithm of the odds."""
MIDDLE, MOST_DEVIATION, FIRST_VOLATILITY = 1500.0, 350.0, 0.06
"""The rating of somebody of whom nothing is known, how unsure that is, and how much strengths change."""
PERIOD = 0.5
"""Days in which a strength changes by as much as its volatility says."""
VERSION = 160.0
"""The deviation of what another version of a bot is better or worse by."""
LEAST_DEVIATION = 30.0
"""Nobody's strength is known better than that: it is not quite the same from day to day."""
STIFFNESS = 0.5
"""Glickman's τ: how slowly the volatility itself changes."""
CLOSE = 1e-9
DAY = 86_400.0


@dataclass(frozen=True)
class Strength:
    """What is known of how strong somebody is.

    >>> str(Strength()), str(Strength(1712.3, 61.0))
    ('1500 ± 686', '1712 ± 120')
    """

    rating: float = MIDDLE
    deviation: float = MOST_DEVIATION
    volatility: float = FIRST_VOLATILITY

    @property
    def error(self) -> float:
        """How far the truth is from the rating at most, in 95 of 100 cases."""
        return SPREAD * self.deviation

    def __str__(self) -> str:
        return f"{self.rating:.0f} ± {self.error:.0f}"


UNKNOWN = Strength()
"""What is known of somebody new."""


def expected(one: Strength, other: Strength) -> float:
    """The score per game that the first may expect against the second, with all that is not known.

    >>> round(expected(Strength(1700, 50), Strength(1500, 50)), 2), expected(Strength(), Strength())
    (0.75, 0.5)
    """
    doubt = math.hypot(one.deviation, other.deviation) / SCALE
    return _chance(_damping(doubt) * (one.rating - other.rating) / SCALE)


def aged(strength: Strength, seconds: float, period: float = PERIOD) -> Strength:
    """The same strength some time later, when less is known of it; never less than of somebody new.

    >>> print(aged(Strength(1712.3, 61.0), 365 * DAY))
    1712 ± 565
    """
    periods = max(0.0, seconds) / DAY / period
    deviation = math.hypot(strength.deviation, strength.volatility * SCALE * math.sqrt(periods))
    return replace(strength, deviation=min(deviation, MOST_DEVIATION))


def renewed(strength: Strength) -> Strength:
    """What is known of a bot of which there is another version: about as strong, but nobody knows.

    >>> print(renewed(Strength(1712.3, 61.0)))
    1712 ± 336
    """
    return replace(strength, deviation=min(math.hypot(strength.deviation, VERSION), MOST_DEVIATION))


def rated(players: Sequence[Strength], ranks: Sequence[int]) -> list[Strength]:
    """The strengths of all who played a game, after it; the best rank is the lowest, equal ranks are draws.

    A game of n seats compares everybody with n - 1 others, but with the same luck each time: each comparison
    counts 2/n, as in tournaments.

    >>> [str(strength) for strength in rated([Strength(), Strength()], [1, 2])]
    ['1662 ± 569', '1338 ± 569']
    >>> [str(strength) for strength in rated([Strength()] * 4, [1, 2, 2, 4])]
    ['1710 ± 529', '1500 ± 529', '1500 ± 529', '1290 ± 529']
    """
    weight = 2 / len(players)
    return [
        after_results(player, [(other, (rank < place) + (rank == place) / 2)
                        for index, (other, place) in enumerate(zip(players, ranks, strict=True))
                        if index != number], weight)
        for number, (player, rank) in enumerate(zip(players, ranks, strict=True))
    ]


def after_results(player: Strength, results: Sequence[tuple[Strength, float]],
                  weight: float = 1.0) -> Strength:
    """A strength after a period: whom somebody met and the score with each, which counts this much."""
    rating, deviation = (player.rating - MIDDLE) / SCALE, player.deviation / SCALE
    known = surprise = 0.0
    for other, score in results:
        damping = _damping(other.deviation / SCALE)
        chance = _chance(damping * (rating - (other.rating - MIDDLE) / SCALE))
        known += weight * damping**2 * chance * (1 - chance)
        surprise += weight * damping * (score - chance)
    volatility = _volatility(player.volatility, deviation, 1 / known, surprise / known)
    deviation = 1 / math.sqrt(1 / deviation**2 + known)
    return Strength(
        MIDDLE + SCALE * (rating + deviation**2 * surprise),
        min(max(SCALE * deviation, LEAST_DEVIATION), MOST_DEVIATION), volatility,
    )


def _damping(deviation: float) -> float:
    """How much less a result says about whoever met somebody of whom little is known: Glickman's g."""
    return 1 / math.sqrt(1 + 3 * deviation**2 / math.pi**2)


def _chance(difference: float) -> float:
    return 1 / (1 + math.exp(-difference))


def _volatility(volatility: float, deviation: float, variance: float, improvement: float) -> float:
    """The volatility after a game, by Glickman's search for where a function is zero."""
    start = math.log(volatility**2)

    def slope(x: float) -> float:
        whole = deviation**2 + variance + math.exp(x)
        return (math.exp(x) * (improvement**2 - whole) / (2 * whole**2)) - (x - start) / STIFFNESS**2

    low, steps = start, 1
    if improvement**2 > deviation**2 + variance:
        high = math.log(improvement**2 - deviation**2 - variance)
    else:
        while slope(start - steps * STIFFNESS) < 0:
            steps += 1
        high = start - steps * STIFFNESS
    at_low, at_high = slope(low), slope(high)
    while abs(high - low) > CLOSE:
        middle = low + (low - high) * at_low / (at_high - at_low)
        at_middle = slope(middle)
        if at_middle * at_high <= 0:
            low, at_low = high, at_high
        else:
            at_low /= 2
        high, at_high = middle, at_middle
    return math.exp(low / 2)
