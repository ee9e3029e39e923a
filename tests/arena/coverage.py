"""`python -m tests.arena.coverage`: how often rating intervals hold the truth, and how often an SPRT errs.

Players of known strength meet in simulated games. Both games of a pair begin with the same opening, whose
luck goes to the seat: it adds to one player's chance in the first game what it takes in the second. So a pair
is expected to bring just what the players' Elo says, and its two results are not independent.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from polyversi.arena.elo import SPREAD, expected
from polyversi.arena.ratings import Witness, bradley_terry
from polyversi.arena.sprt import Sprt, SprtVerdict

LEAST, MOST = 0.93, 0.97
"""How often intervals of 95 % are to hold the truth."""


@dataclass(frozen=True)
class World:
    """How games come out there."""

    luck: float
    """The part of the smaller chance that an opening can add or take: 0 for none, 1 for all of it."""
    draws: float
    """The part of even games that are drawn; uneven ones have fewer."""
    is_rough: bool = False
    """Whether every opening has all of that luck, for one seat or the other, or some part of it."""

    def pairs(self, elo: float, number: int, chance: np.random.Generator) -> np.ndarray:
        """The scores of a player stronger by so much, in the two games of so many pairs."""
        score = expected(elo)
        luck = chance.uniform(-1, 1, number)
        luck = np.sign(luck) if self.is_rough else luck
        shift = luck * self.luck * min(score, 1 - score)
        means = np.stack([score + shift, score - shift], axis=1)
        half_draws = self.draws * np.minimum(means, 1 - means)
        lot = chance.uniform(size=means.shape)
        return np.select([lot < means - half_draws, lot < means + half_draws], [1.0, 0.5], 0.0)


@dataclass(frozen=True)
class Tournament:
    """A round robin of players whose strength is drawn from a normal distribution."""

    players: int
    pairs: int
    """Of every meeting."""
    deviation: float
    """Of the players' Elo."""
    world: World

    def play(self, chance: np.random.Generator) -> tuple[np.ndarray, list[Witness]]:
        """How strong the players are, with a mean of 0, and what the games brought."""
        truth = chance.normal(0, self.deviation, self.players)
        witnesses = [
            Witness(first, second, tuple(scores))
            for first, second in combinations(range(self.players), 2)
            for scores in self.world.pairs(truth[first] - truth[second], self.pairs, chance).tolist()
        ]
        return truth - truth.mean(), witnesses

    def held(self, tournaments: int, seed: int = 0) -> float:
        """The part of all players' intervals in so many tournaments that hold the truth."""
        chance, held = np.random.default_rng(seed), 0
        for number in range(tournaments):
            truth, witnesses = self.play(chance)
            ratings = bradley_terry(witnesses, self.players, seed=number)
            for strength, rating in zip(truth, ratings, strict=True):
                assert rating is not None
                held += rating.low <= strength <= rating.high
        return held / (tournaments * self.players)


USUAL, DRAWISH, ROUGH = World(0.6, 0.1), World(0.3, 0.5), World(0.9, 0.1, is_rough=True)
TOURNAMENTS = (
    Tournament(4, 10, 150, USUAL),
    Tournament(4, 30, 100, DRAWISH),
    Tournament(5, 10, 100, ROUGH),
    Tournament(6, 5, 300, USUAL),
    Tournament(8, 5, 200, USUAL),
    Tournament(8, 10, 150, ROUGH),
)


def decide(test: Sprt, elo: float, world: World, chance: np.random.Generator) -> tuple[SprtVerdict, int]:
    """What a test says of players of this difference, looked at after every pair, and how many it took."""
    counts, pairs = [0] * 5, _endless_pairs(elo, world, chance)
    while True:
        counts[next(pairs)] += 1
        if (verdict := test.verdict(counts)) is not None:
            return verdict, sum(counts)


def _endless_pairs(elo: float, world: World, chance: np.random.Generator) -> Iterator[int]:
    """Twice the points of the stronger player in one pair after the other."""
    while True:
        yield from (2 * world.pairs(elo, 256, chance).sum(axis=1)).astype(int).tolist()


def errors(test: Sprt, world: World, matches: int, seed: int = 0) -> tuple[float, float, float]:
    """How often the test accepts H1 where H0 holds, and H0 where H1 does; and the mean number of pairs."""
    chance = np.random.default_rng(seed)
    under_h0 = [decide(test, test.elo0, world, chance) for _ in range(matches)]
    under_h1 = [decide(test, test.elo1, world, chance) for _ in range(matches)]
    first = sum(verdict == "accepted H1" for verdict, _ in under_h0) / matches
    second = sum(verdict == "accepted H0" for verdict, _ in under_h1) / matches
    return first, second, sum(taken for _, taken in under_h0 + under_h1) / (2 * matches)


TESTS = (
    (Sprt(0, 10), USUAL, 0.1),
    (Sprt(0, 30), USUAL, 1),
    (Sprt(0, 30), DRAWISH, 1),
    (Sprt(0, 30), ROUGH, 1),
    (Sprt(-10, 20, 0.1, 0.02), USUAL, 1),
    (Sprt(0, 100), USUAL, 1),
)
"""With the world they are tried in, and the part of the matches that there is time for."""


def binomial_error(rate: float, trials: int) -> float:
    """By how much a rate seen in so many trials is off by chance, in 95 of 100 cases at most.

    >>> round(binomial_error(0.05, 2000), 4)
    0.0096
    """
    return SPREAD * float(np.sqrt(rate * (1 - rate) / trials))


def main() -> int:
    """Prints what was found; the exit status says whether it is as it should be."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tournaments", type=int, default=2000, help="of every kind")
    parser.add_argument("--matches", type=int, default=2000, help="of every test, under each hypothesis")
    arguments = parser.parse_args()
    began, good = time.monotonic(), True
    for kind in TOURNAMENTS:
        held = kind.held(arguments.tournaments)
        good &= LEAST <= held <= MOST
        print(f"{held:6.1%} of the intervals hold the truth: {kind}", flush=True)
    for test, world, part in TESTS:
        matches = max(1, round(arguments.matches * part))
        false_h1, false_h0, pairs = errors(test, world, matches)
        good &= false_h1 <= test.alpha + binomial_error(test.alpha, matches)
        good &= false_h0 <= test.beta + binomial_error(test.beta, matches)
        print(f"{false_h1:6.1%} false H1, {false_h0:6.1%} false H0, {pairs:,.0f} pairs in the mean, "
              f"{matches} matches each: {test}, {world}", flush=True)
    print(f"{'all as it should be' if good else 'NOT as it should be'}, {time.monotonic() - began:.0f} s")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
