"""Ratings: how strong the entrants of a tournament are, on one scale, and how sure that is."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import TYPE_CHECKING

import numpy as np

from polyversi.arena.elo import SPREAD, SURPRISE
from polyversi.games.errors import PolyversiError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

ELO = 400 / math.log(10)
"""Elo points for each unit of the natural logarithm of the odds."""
HALF = 0.5
"""Of a virtual draw with an average player: what everybody has won of it, and has lost."""
ROUNDS = 1000
"""How often the bootstrap weighs the witnesses anew."""
SMALLEST = 1e-4
"""The least weight of a virtual result in the bootstrap; with it those that won all stay finite."""
AT_ONCE = 2_000_000
"""Numbers in an array of the bootstrap: how many of its rounds are reckoned together depends on this."""
CLOSE = 0.01
"""A last step of Newton's method, which squares what is still missing: less than a tenth of an Elo point."""
FIRST_DOUBT = 1.5
"""How unsure an unknown player of many seats is, in openskill's unit, the luck of one player in one game."""
WIDEST = 1.25
"""By how much an interval is widened at most: with very few witnesses the virtual results make it wide."""
LOPSIDED = 2.0
"""How much longer one side of an interval is than the other when a rating names both bounds."""


class RatingsError(PolyversiError):
    """Ratings that cannot be worked out here."""


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


@dataclass(frozen=True)
class Witness:
    """Games of two entrants that share their luck: a pair with one opening and changed seats, or one game."""

    first: int
    second: int
    scores: tuple[float, ...]
    """Of the first in each game: 1, 0.5 or 0."""


def bradley_terry(
    witnesses: Sequence[Witness],
    players: int,
    anchors: Mapping[int, float] = {},
    seed: int = 0,
    *,
    has_bounds: bool = True,
) -> list[Rating | None]:
    """Ratings on the scale of Elo that explain best who scored how much against whom; None without games.

    A draw is half a victory for both. The mean of all ratings is 0, unless anchors say how strong some of the
    players are: one anchor shifts all ratings to where it has its value; with several the squares of what
    they are off by are least.

    >>> witnesses = [Witness(0, 1, (1.0, 1.0)), Witness(0, 1, (0.0, 1.0)), Witness(1, 0, (0.5, 0.5))] * 5
    >>> [str(rating) for rating in bradley_terry(witnesses, 3)]
    ['+59 ± 52', '-59 ± 52', 'None']
    >>> [str(rating) for rating in bradley_terry(witnesses, 2, anchors={1: 1500.0})]
    ['+1618 ± 103', '+1500 ± 0']

    Everybody has also drawn a virtual game with an average player. So the ratings are finite for those that
    have won or lost all their games, and for groups that have never met, which count as equal in the mean.

    The intervals are from a Bayesian bootstrap: in every round each witness has a weight drawn from an
    exponential distribution, and each virtual draw is a victory and a defeat of half a game whose weights are
    drawn too. Few witnesses vary less than the truth does, so the intervals are widened by Student's t.
    That takes most of the time; without bounds each rating stands for itself.
    """
    met = sorted({player for witness in witnesses for player in (witness.first, witness.second)})
    if not met:
        return [None] * players
    place = {player: index for index, player in enumerate(met)}
    results = _Results.of(witnesses, place)
    fixed = {place[player]: value for player, value in anchors.items() if player in place}
    found = _values(results)
    values = _settled(found * ELO, fixed)
    below, above = _doubts(results, found, fixed, seed) if has_bounds else np.zeros((2, len(met)))
    ratings: list[Rating | None] = [None] * players
    for player, index in place.items():
        value = float(values[index])
        ratings[player] = Rating(value, value - float(below[index]), value + float(above[index]))
    return ratings


@dataclass(frozen=True)
class _Results:
    """All witnesses, those that say the same counted together: for a pair of games its pentanomial."""

    players: int
    first: NDArray[np.int64]
    second: NDArray[np.int64]
    won: Array
    """By the first, in each witness of this kind."""
    lost: Array
    times: Array
    """How many witnesses of this kind there are."""

    @classmethod
    def of(cls, witnesses: Sequence[Witness], place: Mapping[int, int]) -> _Results:
        kinds: Counter[tuple[int, int, float, float]] = Counter()
        for witness in witnesses:
            won = sum(witness.scores)
            kinds[place[witness.first], place[witness.second], won, len(witness.scores) - won] += 1
        first, second, wins, losses = (np.array(column) for column in zip(*sorted(kinds), strict=True))
        times = np.array([kinds[kind] for kind in sorted(kinds)], dtype=float)
        return cls(len(place), first, second, wins.astype(float), losses.astype(float), times)

    def table(self, weights: Array) -> Array:
        """The points of each against each, by rounds, when witnesses of each kind weigh so much."""
        points = np.zeros((len(weights), self.players * self.players))
        for row, column, brought in (
            (self.first, self.second, self.won),
            (self.second, self.first, self.lost),
        ):
            cells = row * self.players + column
            order = np.argsort(cells, kind="stable")
            begin = np.flatnonzero(np.diff(cells[order], prepend=-1))
            points[:, cells[order][begin]] += np.add.reduceat((weights * brought)[:, order], begin, axis=1)
        return points.reshape(len(weights), self.players, self.players)


def _values(results: _Results) -> Array:
    """The ratings, as logarithms of odds against an average player, that the results speak for."""
    try:
        import evalica
    except ModuleNotFoundError as error:
        raise RatingsError("ratings need evalica: pip install 'polyversi[arena]'") from error

    points = results.table(results.times[None])[0]
    winners, losers = points.nonzero()
    everybody, average = range(results.players), [results.players] * results.players
    xs = [*winners.tolist(), *everybody, *average]
    ys = [*losers.tolist(), *average, *everybody]
    weights = [*points[winners, losers].tolist(), *[HALF] * 2 * results.players]
    strengths = evalica.bradley_terry(
        xs, ys, [evalica.Winner.X] * len(xs), weights=weights, tolerance=1e-9, limit=10_000
    ).scores
    return np.array([math.log(strengths[player] / strengths[results.players]) for player in everybody])


def _settled(ratings: Array, anchors: Mapping[int, float]) -> Array:
    """Ratings shifted to the anchors, or to a mean of 0; of each round of the bootstrap if there are many."""
    held = list(anchors) or list(range(ratings.shape[-1]))
    wanted = fmean(anchors.get(index, 0.0) for index in held)
    shifted: Array = ratings - ratings[..., held].mean(axis=-1, keepdims=True) + wanted
    return shifted


def _doubts(results: _Results, found: Array, anchors: Mapping[int, float], seed: int) -> tuple[Array, Array]:
    """How far each rating's interval goes down from it, and up."""
    rounds = _settled(np.concatenate(list(_bootstrap(results, found, seed))) * ELO, anchors)
    low, middle, high = np.quantile(rounds, (SURPRISE, 0.5, 1 - SURPRISE), axis=0)
    wider = _widening(results, found)
    return wider * (middle - low), wider * (high - middle)


def _bootstrap(results: _Results, start: Array, seed: int) -> Iterator[Array]:
    """Ratings, as logarithms of odds, with the witnesses weighed in ROUNDS different ways."""
    chance = np.random.default_rng(seed)
    size = max(1, AT_ONCE // max(results.players**2, len(results.times)))
    for begin in range(0, ROUNDS, size):
        rounds = min(size, ROUNDS - begin)
        weights = chance.standard_gamma(results.times, size=(rounds, len(results.times)))
        virtual = chance.standard_gamma(HALF, size=(2, rounds, results.players))
        yield _fit(results.table(weights), np.maximum(virtual, SMALLEST), start)


def _fit(points: Array, virtual: Array, start: Array) -> Array:
    """The likeliest ratings, as logarithms of odds, for many tables of points at once.

    Newton's method, with steps of at most a unit, which it needs where somebody won nearly all. The virtual
    player has the rating 0; `virtual` is what each has won against it, and lost.
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
        if longest.max() < CLOSE:
            break
    return ratings


def _widening(results: _Results, ratings: Array) -> Array:
    """By how much each player's interval is to be wider than the bootstrap says.

    As many witnesses as there are ratings to be found say nothing of how far they are off, though what the
    virtual draws determine of the ratings is left to the others; and with few witnesses of its own a player's
    deviation is known badly, which is what Student's t is for.
    """
    points = results.table(results.times[None])[0]
    chance = 1 / (1 + np.exp(ratings[None, :] - ratings[:, None]))
    known = (points + points.T) * chance * (1 - chance)
    virtual = 2 * HALF / (2 + 2 * np.cosh(ratings))
    bend = np.diag(known.sum(axis=1) + virtual) - known
    found = len(ratings) - float(np.trace(np.linalg.solve(bend, np.diag(virtual))))
    total = float(results.times.sum())
    own = np.bincount(results.first, results.times, results.players) + np.bincount(
        results.second, results.times, results.players
    )
    free, z = np.maximum(own - 1, 1), SPREAD
    student = 1 + (z**2 + 1) / (4 * free) + (5 * z**4 + 16 * z**2 + 3) / (96 * free**2)
    wider: Array = np.minimum(student * math.sqrt(total / max(total - found, 1)), WIDEST)
    return wider


def openskill_ratings(
    games: Sequence[tuple[Sequence[int], Sequence[int]]], players: int
) -> list[Rating | None]:
    """Ratings from games of many seats, each given by the players in its seats and their ranks.

    The model is openskill's Plackett-Luce, told of one game after the other. Its scale is turned into Elo's:
    of two players in the same game, one that is 400 points stronger ends ahead of the other ten times of
    eleven. The mean is 0, and the interval is 1.96 deviations, as openskill knows them, to either side. Who
    has several seats in a game is rated by the mean of what they bring; without any game it is None.

    >>> games = [((0, 1, 2), (1, 2, 3)), ((1, 2, 0), (1, 3, 2)), ((2, 0, 1), (3, 1, 1))] * 4
    >>> [str(rating) for rating in openskill_ratings(games, 4)]
    ['+142 ± 244', '+155 ± 244', '-297 ± 249', 'None']
    """
    try:
        from openskill.models import PlackettLuce
    except ModuleNotFoundError as error:
        raise RatingsError("ratings of many seats need openskill: pip install 'polyversi[arena]'") from error

    model = PlackettLuce(tau=0.0)    # nobody learns during a tournament
    model.sigma = FIRST_DOUBT * model.beta
    known = {player: model.rating() for seated, _ in games for player in seated}
    for seated, ranks in games:
        teams = model.rate([[known[player]] for player in seated], ranks=[float(rank) for rank in ranks])
        for player in set(seated):
            held = [team[0] for team, who in zip(teams, seated, strict=True) if who == player]
            means = fmean(rating.mu for rating in held), fmean(rating.sigma for rating in held)
            known[player] = model.rating(*means)
    if not known:
        return [None] * players
    scale = ELO / (model.beta * math.sqrt(fmean(len(seated) for seated, _ in games)))
    mean = fmean(rating.mu for rating in known.values())
    ratings: list[Rating | None] = [None] * players
    for player, rating in known.items():
        value, doubt = scale * (rating.mu - mean), scale * SPREAD * rating.sigma
        ratings[player] = Rating(value, value - doubt, value + doubt)
    return ratings
