"""`python -m tests.soak.rating_coverage`: how often rating intervals and SPRTs are right.

Players of known strength meet in simulated games. Both games of a pair begin with the same opening, whose
luck goes to the seat: it adds to one player's chance in the first game what it takes in the second. So a pair
is expected to bring just what the players' Elo says, and its two results are not independent. In games of
more seats everybody performs as well as its strength and some luck say, part of which is the opening's.
"""

from __future__ import annotations

import argparse
import math
import sys
import time
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from polyversi.stats.elo import SPREAD, expected
from polyversi.stats.ratings import ELO, Sample, bradley_terry, sample_of
from polyversi.stats.sprt import SHARES, Sprt

LEAST, MOST = 0.93, 0.97
"""How often intervals of 95 % should contain the true value."""


@dataclass(frozen=True)
class World:
    """The model that decides the results of games."""

    luck: float
    """The share of the smaller chance that an opening can add or remove: 0 for none, 1 for all of it."""
    draws: float
    """The share of draws between equal players; unequal ones draw less often."""
    is_rough: bool = False
    """Whether every opening gives one of the seats all of that luck, or a random part of it."""

    def pairs(self, elo: float, number: int, chance: np.random.Generator) -> np.ndarray:
        """The scores of a player that is stronger by this much, in the two games of each pair."""
        score = expected(elo)
        luck = chance.uniform(-1, 1, number)
        luck = np.sign(luck) if self.is_rough else luck
        shift = luck * self.luck * min(score, 1 - score)
        means = np.stack([score + shift, score - shift], axis=1)
        half_draws = self.draws * np.minimum(means, 1 - means)
        drawn = chance.uniform(size=means.shape)
        return np.select([drawn < means - half_draws, drawn < means + half_draws], [1.0, 0.5], 0.0)


def pair(first: int, second: int, scores: Sequence[float]) -> Sample:
    """The results of games between two players that share their luck, from the scores of the first."""
    return ((first, second, sum(scores), len(scores) - sum(scores)),)


@dataclass(frozen=True)
class Event(ABC):
    """An event in which players of known strength meet."""

    players: int

    @abstractmethod
    def play(self, chance: np.random.Generator) -> tuple[np.ndarray, list[Sample]]:
        """The strengths of the players, with a mean of 0, and the results of the games."""

    def held(self, events: int, seed: int = 0) -> float:
        """The share of all players' intervals that contain the true value, over this many events."""
        chance, held = np.random.default_rng(seed), 0
        for number in range(events):
            truth, samples = self.play(chance)
            ratings = bradley_terry(samples, self.players, seed=number)
            for strength, rating in zip(truth, ratings, strict=True):
                assert rating is not None
                held += rating.low <= strength <= rating.high
        return held / (events * self.players)


@dataclass(frozen=True)
class Tournament(Event):
    """A round robin of players whose strength is drawn from a normal distribution."""

    pairs: int
    """The number of pairs in every meeting."""
    deviation: float
    """Of the players' Elo."""
    world: World

    def play(self, chance: np.random.Generator) -> tuple[np.ndarray, list[Sample]]:
        truth = chance.normal(0, self.deviation, self.players)
        samples = [
            pair(first, second, scores)
            for first, second in combinations(range(self.players), 2)
            for scores in self.world.pairs(truth[first] - truth[second], self.pairs, chance).tolist()
        ]
        return truth - truth.mean(), samples


@dataclass(frozen=True)
class Gathering(Event):
    """Games of many seats; for each opening those that have had the fewest take them, by lot among equals.

    The luck is Gumbel's, which makes the ranks Plackett's and Luce's, or a normal one of the same deviation.
    """

    seats: int
    openings: int
    deviation: float
    """Of the players' Elo."""
    strongest: float = 0.0
    """How much stronger the first player is."""
    games: int = 1
    """The number of games with each opening; everybody moves on by one seat after each game."""
    shared: float = 0.0
    """The probability that a seat's luck comes from the opening and is the same in all its games."""
    is_normal: bool = False

    def play(self, chance: np.random.Generator) -> tuple[np.ndarray, list[Sample]]:
        truth = chance.normal(0, self.deviation, self.players)
        truth[0] += self.strongest
        had, samples = np.zeros(self.players), []
        for _ in range(self.openings):
            seated = chance.permutation(np.argsort(had + chance.uniform(size=self.players))[: self.seats])
            had[seated] += 1
            common, games = self.luck(chance), []
            for game in range(self.games):
                sitting = np.roll(seated, game)
                is_common = chance.uniform(size=self.seats) < self.shared
                achieved = truth[sitting] / ELO + np.where(is_common, common, self.luck(chance))
                games.append((sitting.tolist(), (1 + np.argsort(np.argsort(-achieved))).tolist()))
            samples.append(sample_of(games))
        return truth - truth.mean(), samples

    def luck(self, chance: np.random.Generator) -> np.ndarray:
        """The luck of each seat, in units of log-odds."""
        if self.is_normal:
            return chance.normal(0, math.pi / math.sqrt(6), self.seats)
        return chance.gumbel(size=self.seats)


USUAL, DRAWISH = World(0.6, 0.1), World(0.3, 0.5)
ROUGH, DECISIVE = World(0.9, 0.1, is_rough=True), World(1.0, 0.0, is_rough=True)
EVENTS = (
    Tournament(4, 10, 150, USUAL),
    Tournament(4, 30, 100, DRAWISH),
    Tournament(5, 10, 100, ROUGH),
    Tournament(6, 5, 300, USUAL),
    Tournament(8, 5, 200, USUAL),
    Tournament(8, 10, 150, ROUGH),
    Gathering(6, 3, 40, 150),
    Gathering(6, 3, 200, 150),
    Gathering(6, 3, 60, 30, strongest=400),
    Gathering(8, 4, 30, 150),
    Gathering(8, 4, 120, 200),
    Gathering(8, 4, 60, 200, is_normal=True),
    Gathering(6, 4, 15, 150, games=4, shared=0.5),
    Gathering(10, 8, 30, 150),
    Gathering(10, 8, 40, 200, is_normal=True),
    Gathering(8, 8, 30, 30, strongest=600),
)


def decide(
    test: Sprt, elo: float, world: World, matches: int, chance: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """How matches between players with this difference end: H1 accepted or not, and after how many pairs.

    The test looks at every match after each of its pairs, but at all of them at once.
    """
    accepted, taken = np.zeros(matches, dtype=bool), np.zeros(matches, dtype=int)
    going, counts, (low, high) = np.arange(matches), np.zeros((len(SHARES), matches)), test.bounds
    while len(going):
        points = 2 * world.pairs(elo, len(going), chance).sum(axis=1)
        counts[points.astype(int), np.arange(len(going))] += 1
        taken[going] += 1
        ratios = test.llrs(counts)
        accepted[going] = ratios >= high
        is_open = (low < ratios) & (ratios < high)
        going, counts = going[is_open], counts[:, is_open]
    return accepted, taken


def errors(test: Sprt, world: World, matches: int, seed: int = 0) -> tuple[float, float, float]:
    """How often the test accepts H1 where H0 holds, and H0 where H1 does; and the mean number of pairs."""
    chance = np.random.default_rng(seed)
    false_h1, taken = decide(test, test.elo0, world, matches, chance)
    true_h1, taken_then = decide(test, test.elo1, world, matches, chance)
    return float(false_h1.mean()), float(1 - true_h1.mean()), float(taken.mean() + taken_then.mean()) / 2


TESTS = (
    (Sprt(0, 10), USUAL),
    (Sprt(0, 30), USUAL),
    (Sprt(0, 30), DRAWISH),
    (Sprt(0, 30), ROUGH),
    (Sprt(0, 30), DECISIVE),
    (Sprt(-10, 20, 0.1, 0.02), USUAL),
    (Sprt(200, 260), ROUGH),
    (Sprt(0, 100), USUAL),
    (Sprt(0, 100), DRAWISH),
    (Sprt(0, 300), USUAL),
)
"""The tests, each with the world in which it is tried."""


def binomial_error(rate: float, trials: int) -> float:
    """The largest error of a rate that was measured in this many trials, in 95 of 100 cases.

    >>> round(binomial_error(0.05, 2000), 4)
    0.0096
    """
    return SPREAD * float(np.sqrt(rate * (1 - rate) / trials))


def main() -> int:
    """Prints the results; the exit status says whether they are as they should be."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--events", type=int, default=2000, help="number of events of every kind")
    parser.add_argument("--matches", type=int, default=10_000, help="of each test, per hypothesis")
    arguments = parser.parse_args()
    began, good, matches = time.monotonic(), True, arguments.matches
    for kind in EVENTS:
        held = kind.held(arguments.events)
        good &= LEAST <= held <= MOST
        print(f"{held:6.1%} of the intervals contain the true value: {kind}", flush=True)
    for test, world in TESTS:
        false_h1, false_h0, pairs = errors(test, world, matches)
        good &= false_h1 <= test.alpha + binomial_error(test.alpha, matches)
        good &= false_h0 <= test.beta + binomial_error(test.beta, matches)
        print(f"{false_h1:7.2%} false H1, {false_h0:7.2%} false H0, {pairs:,.1f} pairs on average: "
              f"{test}, {world}", flush=True)
    print(f"{'all as it should be' if good else 'NOT as it should be'}, {time.monotonic() - began:.0f} s")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
