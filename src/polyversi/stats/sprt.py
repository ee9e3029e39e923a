"""SPRT: a sequential probability ratio test, which ends a match as soon as its games are conclusive."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from polyversi.games.board import shorten
from polyversi.games.errors import PolyversiError
from polyversi.stats.elo import expected

Array = NDArray[np.float64]

NUMBER = re.compile(r"[+-]?[0-9]{1,4}(\.[0-9]{1,6})?")
EXAMPLE = "elo0=0,elo1=5"
SHARES = np.array([0.0, 0.25, 0.5, 0.75, 1.0])
"""The score per game of a pair in which the first player made 0, ½, 1, 1½ or 2 points."""
UNSEEN = 0.5
"""Added to the count of each outcome: a few equal pairs say little about what other pairs will be."""
CLOSE = 1e-6
"""The size of the last step of Newton's method, which squares the error that is left."""
STRONGEST = 1000.0
"""The largest Elo difference that can be asked about."""

SprtVerdict = Literal["accepted H0", "accepted H1"]


class SprtError(PolyversiError):
    """A test that cannot be read, or that could never end."""


@dataclass(frozen=True)
class Sprt:
    """Tests whether the first of two players is stronger by `elo1` (H1), or only by `elo0` (H0).

    Elo is logistic, as everywhere here: a difference d stands for a mean score of 1 / (1 + 10^(-d/400)).

    >>> test = Sprt.parse("elo0=0,elo1=10")
    >>> str(test), [round(bound, 2) for bound in test.bounds]
    ('elo0=0,elo1=10,alpha=0.05,beta=0.05', [-3.0, 3.0])
    >>> counts = [20, 60, 130, 150, 70]    # pairs with 0, ½, 1, 1½ and 2 points
    >>> round(test.llr(counts), 2), test.verdict(counts)
    (7.5, 'accepted H1')
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    """The probability of accepting H1 although H0 is true."""
    beta: float = 0.05
    """The probability of accepting H0 although H1 is true."""

    def __post_init__(self) -> None:
        if not -STRONGEST <= self.elo0 < self.elo1 <= STRONGEST:
            raise SprtError(
                f"elo0={self.elo0:g},elo1={self.elo1:g} is not possible; elo0 must be smaller than elo1, and "
                f"both must be from {-STRONGEST:.0f} to {STRONGEST:.0f}, as in {EXAMPLE}"
            )
        for name, rate in (("alpha", self.alpha), ("beta", self.beta)):
            if not 0 < rate < 0.5:
                raise SprtError(f"{name}={rate:g} is not an error rate; give one between 0 and 0.5")

    @classmethod
    def parse(cls, text: str) -> Sprt:
        """Reads a test such as `elo0=0,elo1=5,alpha=0.05,beta=0.05`; the error rates may be left out."""
        pairs = [part.partition("=")[::2] for part in text.replace(" ", "").split(",")]
        given, known = dict(pairs), {field.name for field in fields(cls)}
        is_known = len(given) == len(pairs) and {"elo0", "elo1"} <= given.keys() <= known
        if not is_known or not all(map(NUMBER.fullmatch, given.values())):
            raise SprtError(f"'{shorten(text)}' is not a test; write {EXAMPLE}, optionally with alpha "
                            "and beta, each once and with a number")
        return cls(**{name: float(number) for name, number in given.items()})

    def __str__(self) -> str:
        return ",".join(f"{field.name}={getattr(self, field.name):g}" for field in fields(self))

    @property
    def bounds(self) -> tuple[float, float]:
        """A ratio at or below the first accepts H0, at or above the second H1.

        They are log β and log 1/α. Wald's bounds are a little narrower, but keep only the sum of the error
        rates. With these the chance that a true H0 is ever rejected is at most α.
        """
        return math.log(self.beta), -math.log(self.alpha)

    def llr(self, counts: Sequence[int]) -> float:
        """The log-likelihood ratio: how much more likely these outcomes are under H1 than under H0.

        It is a generalised ratio. A hypothesis gives only the mean score; the probabilities of the five
        outcomes are the most likely ones with that mean. Half a pair is added to each outcome, so that a few
        results do not look more regular than they are.

        >>> Sprt(0, 5).llr([0, 0, 0, 0, 0])
        0.0
        """
        return float(self.llrs(np.array(counts, dtype=float)[:, None])[0])

    def llrs(self, counts: Array) -> Array:
        """The same for many matches at once, whose counts are columns."""
        first, second = (_chances(counts + UNSEEN, expected(elo)) for elo in (self.elo0, self.elo1))
        ratios: Array = (counts * np.log(second / first)).sum(axis=0)
        return ratios

    def verdict(self, counts: Sequence[int]) -> SprtVerdict | None:
        """The hypothesis that these outcomes accept, or None while that is open."""
        ratio, (low, high) = self.llr(counts), self.bounds
        return "accepted H0" if ratio <= low else "accepted H1" if ratio >= high else None


def _chances(counts: ArrayLike, mean: float) -> Array:
    """The most likely probabilities of the outcomes with these counts, given their mean score.

    They are the observed frequencies divided by 1 + t·(score − mean), with the t for which they add up to
    1 and have that mean. The sum that must be zero falls as t grows, and no probability may be negative.
    """
    seen = np.asarray(counts, dtype=float)
    shares, off = seen / seen.sum(axis=0), (SHARES - mean)[:, None]
    t = np.zeros(seen.shape[1])
    low, high, moved = t - 1 / (1 - mean), t + 1 / mean, 1.0
    while moved > CLOSE:
        factors = off / (1 + t * off)
        terms = shares * factors
        rest = terms.sum(axis=0)
        low, high = np.where(rest > 0, t, low), np.where(rest > 0, high, t)
        newton = t + rest / (terms * factors).sum(axis=0)
        is_within = (newton == t) | (low < newton) & (newton < high)
        nearer = np.where(is_within, newton, (low + high) / 2)
        moved, t = float(np.abs(nearer - t).max(initial=0.0)), nearer
    chances: Array = shares / (1 + t * off)
    return chances
