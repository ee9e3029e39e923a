"""Ratings: how strong the entrants of a tournament are, on one scale, and how sure that is."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations
from statistics import fmean

import numpy as np
from numpy.typing import NDArray

from polyversi.stats.elo import SPREAD, SURPRISE

Array = NDArray[np.float64]

ELO = 400 / math.log(10)
"""Elo points for each unit of the natural logarithm of the odds."""
HALF = 0.5
"""Half a game: what every player has won, and lost, in a virtual draw with an average player."""
ROUNDS = 1000
"""How many times the bootstrap draws new weights for the samples."""
SMALLEST = 1e-4
"""The least weight of a virtual result in the bootstrap; it keeps ratings finite for players that won all."""
AT_ONCE = 2_000_000
"""Numbers in an array of the bootstrap: it sets how many rounds are computed together."""
CLOSE = 0.01
"""A last step of Newton's method, which squares what is still missing: less than a tenth of an Elo point."""
WIDEST = 1.25
"""The most an interval is widened by: with very few samples the virtual results make it wide already."""
LOPSIDED = 2.0
"""If one side of an interval is this many times longer than the other, a rating shows both bounds."""


@dataclass(frozen=True)
class Rating:
    """How strong an entrant is, with bounds that hold the truth in 95 of 100 tournaments.

    >>> str(Rating(120.0, 70.0, 160.0)), str(Rating(645.0, 280.0, 1850.0))
    ('+120 ± 45', '+645 (+280 to +1850)')
    """

    value: float
    low: float
    high: float

    def __str__(self) -> str:
        below, above = self.value - self.low, self.high - self.value
        if max(below, above) > LOPSIDED * min(below, above):
            return f"{round(self.value):+d} ({round(self.low):+d} to {round(self.high):+d})"
        return f"{round(self.value):+d} ± {(self.high - self.low) / 2:.0f}"


Sample = tuple[tuple[int, int, float, float], ...]
"""Games that share their luck: those with the same players and opening and with seats changed, or one game.

For any two players, the smaller index first: the points of the one against the other, and of the other.
"""


def sample_of(games: Iterable[tuple[Sequence[int], Sequence[int]]]) -> Sample:
    """Who ended ahead of whom; a tie counts half for both.

    A game of n seats compares every player with n - 1 others, but with the same luck each time. So each
    comparison counts 2/n: one point for two seats, and n - 1 points in all for more.

    >>> sample_of([((4, 7), (1, 2)), ((7, 4), (1, 1))])    # the players in their seats, and their ranks
    ((4, 7, 1.5, 0.5),)
    >>> sample_of([((0, 1, 2, 3), (1, 3, 3, 2))])[2:4]
    ((0, 3, 0.5, 0.0), (1, 2, 0.25, 0.25))
    """
    points: defaultdict[tuple[int, int], float] = defaultdict(float)
    for seated, ranks in sorted(games):
        share = 2 / len(seated)
        for (one, rank), (other, place) in permutations(zip(seated, ranks, strict=True), 2):
            if one != other:
                points[one, other] += share * ((rank < place) + (rank == place) / 2)
    pairs = sorted((one, other) for one, other in points if one < other)
    return tuple((one, other, points[one, other], points[other, one]) for one, other in pairs)


def bradley_terry(
    samples: Sequence[Sample],
    players: int,
    anchors: Mapping[int, float] = {},
    seed: int = 0,
    *,
    has_bounds: bool = True,
) -> list[Rating | None]:
    """The ratings on the Elo scale that best explain who ended ahead of whom; None without games.

    A draw is half a win for both. The mean of all ratings is 0, unless anchors give the ratings of some
    players: one anchor shifts all ratings so that it has its value; several are met as well as possible, by
    least squares.

    >>> won, level = sample_of([((0, 1), (1, 2)), ((1, 0), (2, 1))]), sample_of([((0, 1), (1, 1))] * 2)
    >>> [str(rating) for rating in bradley_terry([won, level, level] * 5, 3)]
    ['+59 ± 52', '-59 ± 52', 'None']
    >>> [str(rating) for rating in bradley_terry([won, level, level] * 5, 2, anchors={1: 1500.0})]
    ['+1618 ± 103', '+1500 ± 0']

    Games of more than two seats are rated as if any two of their players had met. In the model of Plackett
    and Luce that is exact for any two players, whoever the others are. The intervals come from whole samples,
    so it does not matter that the points of one game depend on each other.

    Every player has also drawn a virtual game with an average player. This keeps ratings finite for players
    that have won or lost all their games, and for groups that have never met, which count as equally strong
    on average.

    The intervals come from a Bayesian bootstrap: in every round each sample has a weight drawn from an
    exponential distribution, and each virtual draw is a win and a loss of half a game whose weights are drawn
    too. A few samples vary less than the truth does, so the intervals are widened by Student's t. The
    bootstrap takes most of the time; without bounds it is left out.
    """
    met = sorted({player for sample in samples for points in sample for player in points[:2]})
    if not met:
        return [None] * players
    place = {player: index for index, player in enumerate(met)}
    results = _Results.of(samples, place)
    fixed = {place[player]: value for player, value in anchors.items() if player in place}
    points, virtual = results.table(results.times[:, None]), np.full((2, 1, len(met)), HALF)
    found = _fit(points, virtual, np.zeros(len(met)), close=1e-9)[0]
    values = _settled(found * ELO, fixed)
    below, above = _doubts(results, found, fixed, seed) if has_bounds else np.zeros((2, len(met)))
    ratings: list[Rating | None] = [None] * players
    for player, index in place.items():
        value = float(values[index])
        ratings[player] = Rating(value, value - float(below[index]), value + float(above[index]))
    return ratings


@dataclass(frozen=True)
class _Results:
    """All samples, those that say the same counted together: for a pair of games its pentanomial."""

    players: int
    times: Array
    """How many samples of each kind there are."""
    seen: Array
    """How many samples tell of each player."""
    cells: NDArray[np.int64]
    """Whose points against whom a sample tells of, as an index into the table; these are in order."""
    kinds: NDArray[np.int64]
    """Which kind of sample it is that does."""
    points: Array
    """How many points."""

    @classmethod
    def of(cls, samples: Sequence[Sample], place: Mapping[int, int]) -> _Results:
        found = Counter(filter(None, samples))
        players, seen = len(place), np.zeros(len(place))
        entries: list[tuple[int, int, float]] = []
        for kind, points in enumerate(sorted(found)):
            seen[sorted({place[player] for pair in points for player in pair[:2]})] += found[points]
            for first, second, won, lost in points:
                one, other = place[first], place[second]
                entries += [(one * players + other, kind, won), (other * players + one, kind, lost)]
        cells, kinds, brought = zip(*sorted(entry for entry in entries if entry[2]), strict=True)
        times = np.array([found[points] for points in sorted(found)], dtype=float)
        return cls(players, times, seen, np.array(cells), np.array(kinds), np.array(brought))

    def table(self, weights: Array) -> Array:
        """The points of each player against each, by rounds, with these weights of the kinds of samples."""
        points = np.zeros((self.players * self.players, weights.shape[1]))
        begin = np.flatnonzero(np.diff(self.cells, prepend=-1))
        points[self.cells[begin]] = np.add.reduceat(weights[self.kinds] * self.points[:, None], begin)
        return points.T.reshape(-1, self.players, self.players)


def _settled(ratings: Array, anchors: Mapping[int, float]) -> Array:
    """Ratings shifted to the anchors, or to a mean of 0; those of each round if there are many rounds."""
    held = list(anchors) or list(range(ratings.shape[-1]))
    wanted = fmean(anchors.get(index, 0.0) for index in held)
    shifted: Array = ratings - ratings[..., held].mean(axis=-1, keepdims=True) + wanted
    return shifted


def _doubts(results: _Results, found: Array, anchors: Mapping[int, float], seed: int) -> tuple[Array, Array]:
    """How far each interval reaches below its rating, and above."""
    rounds = _settled(np.concatenate(list(_bootstrap(results, found, seed))) * ELO, anchors)
    low, middle, high = np.quantile(rounds, (SURPRISE, 0.5, 1 - SURPRISE), axis=0)
    wider = _widening(results, found)
    return wider * (middle - low), wider * (high - middle)


def _bootstrap(results: _Results, start: Array, seed: int) -> Iterator[Array]:
    """Ratings, as logarithms of odds, with ROUNDS different weightings of the samples."""
    chance = np.random.default_rng(seed)
    size = max(1, AT_ONCE // max(results.players**2, len(results.points)))
    for begin in range(0, ROUNDS, size):
        rounds = min(size, ROUNDS - begin)
        weights = chance.standard_gamma(results.times[:, None], size=(len(results.times), rounds))
        virtual = chance.standard_gamma(HALF, size=(2, rounds, results.players))
        yield _fit(results.table(weights), np.maximum(virtual, SMALLEST), start)


def _fit(points: Array, virtual: Array, start: Array, close: float = CLOSE) -> Array:
    """The most likely ratings, as logarithms of odds, for many tables of points at once.

    It is Newton's method with steps of at most 1, which it needs when a player won nearly all games. The
    virtual player has the rating 0; `virtual` is what each player has won against it, and lost.
    """
    ratings = np.tile(start, (len(points), 1))
    games, virtual_games = points + points.swapaxes(1, 2), virtual.sum(axis=0)
    score, diagonal = points.sum(axis=2) + virtual[0], np.arange(ratings.shape[1])
    for _ in range(100):
        chance = 1 / (1 + np.exp(ratings[:, None, :] - ratings[:, :, None]))
        against_virtual = 1 / (1 + np.exp(-ratings))
        slope = score - (games * chance).sum(axis=2) - virtual_games * against_virtual
        bend = games * chance * (chance - 1)
        bend[:, diagonal, diagonal] = 0
        own = virtual_games * against_virtual * (1 - against_virtual) - bend.sum(axis=2)
        bend[:, diagonal, diagonal] = own
        steps = np.linalg.solve(bend, slope[:, :, None])[:, :, 0]
        longest = np.abs(steps).max(axis=1, keepdims=True)
        ratings += steps / np.maximum(longest, 1)
        if longest.max() < close:
            break
    return ratings


def _widening(results: _Results, ratings: Array) -> Array:
    """The factor by which each player's interval must be wider than the bootstrap says.

    Ratings use up degrees of freedom: as many samples of two players as there are ratings say nothing about
    the error. What the virtual draws determine does not count, and a sample of n players counts as
    n - 1. With few samples of its own a player's deviation is poorly known, which Student's t corrects.
    """
    points = results.table(results.times[:, None])[0]
    chance = 1 / (1 + np.exp(ratings[None, :] - ratings[:, None]))
    known = (points + points.T) * chance * (1 - chance)
    virtual = 2 * HALF / (2 + 2 * np.cosh(ratings))
    bend = np.diag(known.sum(axis=1) + virtual) - known
    found = len(ratings) - float(np.trace(np.linalg.solve(bend, np.diag(virtual))))
    total = float(results.seen.sum() - results.times.sum())
    free, z = np.maximum(results.seen - 1, 1), SPREAD
    student = 1 + (z**2 + 1) / (4 * free) + (5 * z**4 + 16 * z**2 + 3) / (96 * free**2)
    wider: Array = np.minimum(student * math.sqrt(total / max(total - found, 1)), WIDEST)
    return wider
