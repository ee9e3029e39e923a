"""`python -m tests.soak.rating_systems`: which rating system suits those who come and go.

People and bots of known strength meet in simulated seasons. Before every game each system says what it
expects; after every day its ratings are compared with the truth. It needs openskill (pip install openskill),
which Polyversi itself does not use.
"""

from __future__ import annotations

import argparse
import math
import time
from abc import ABC, abstractmethod
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import combinations
from statistics import fmean
from typing import Any

import numpy as np

from polyversi.stats import glicko
from polyversi.stats.elo import SPREAD

FEW = 10
"""Games up to which somebody is still new."""


class System(ABC):
    """A rating system that is told of games in the order of their end."""

    @abstractmethod
    def expect(self, one: int, other: int, day: float) -> float:
        """The chance that the first ends ahead of the second."""

    @abstractmethod
    def learn(self, players: list[int], ranks: list[int], day: float) -> None:
        """Takes the result of a game."""

    def renew(self, player: int, day: float) -> None:    # noqa: B027 - most systems do not listen
        """Hears that a bot has another version."""

    @abstractmethod
    def belief(self, player: int, day: float) -> tuple[float, float]:
        """The rating in Elo and its deviation."""


class Glicko(System):
    """Glicko-2 as sites use it, with periods of so many days; it may know of new versions of bots."""

    def __init__(self, period: float, *, has_versions: bool = False) -> None:
        self.period = period
        self.has_versions = has_versions
        self.known: dict[int, tuple[glicko.Strength, float]] = {}

    def at(self, player: int, day: float) -> glicko.Strength:
        """What is known of somebody on that day."""
        strength, since = self.known.get(player, (glicko.Strength(), day))
        return glicko.aged(strength, (day - since) * glicko.DAY, self.period)

    def expect(self, one: int, other: int, day: float) -> float:
        return glicko.expected(self.at(one, day), self.at(other, day))

    def learn(self, players: list[int], ranks: list[int], day: float) -> None:
        strengths = glicko.rated([self.at(player, day) for player in players], ranks)
        for player, strength in zip(players, strengths, strict=True):
            self.known[player] = (strength, day)

    def renew(self, player: int, day: float) -> None:
        if self.has_versions and player in self.known:
            self.known[player] = (glicko.renewed(self.at(player, day)), day)

    def belief(self, player: int, day: float) -> tuple[float, float]:
        strength = self.at(player, day)
        return strength.rating, strength.deviation


class OpenSkill(System):
    """openskill's model of Plackett and Luce; `growth` is what its sigma grows by in a day, by our doing.

    Its `predict_win` takes luck for normal, while the model takes it for Gumbel's, and the scale of the model
    depends on the number of seats; here both are put right, which makes it much better.
    """

    def __init__(self, seats: int, tau: float, growth: float = 0.0) -> None:
        from openskill.models import PlackettLuce

        self.model: Any = PlackettLuce(tau=tau)
        self.growth = growth
        self.known: dict[int, tuple[float, float, float]] = {}
        self.seats = seats
        self.elo = glicko.SCALE / math.sqrt(seats) / self.model.beta

    def at(self, player: int, day: float) -> Any:
        """What is known of somebody on that day, as openskill takes it."""
        mu, sigma, since = self.known.get(player, (self.model.mu, self.model.sigma, day))
        sigma = min(math.hypot(sigma, self.growth * math.sqrt(day - since)), self.model.sigma)
        return self.model.rating(mu=mu, sigma=sigma)

    def expect(self, one: int, other: int, day: float) -> float:
        first, second = self.at(one, day), self.at(other, day)
        doubt = math.hypot(first.sigma, second.sigma, math.sqrt(2) * self.model.beta)
        return 1 / (1 + math.exp(-(first.mu - second.mu) / doubt / math.sqrt(self.seats / 2)))

    def learn(self, players: list[int], ranks: list[int], day: float) -> None:
        teams = self.model.rate([[self.at(player, day)] for player in players], ranks=ranks)
        for player, (rating,) in zip(players, teams, strict=True):
            self.known[player] = (rating.mu, rating.sigma, day)

    def belief(self, player: int, day: float) -> tuple[float, float]:
        rating = self.at(player, day)
        return rating.mu * self.elo, rating.sigma * self.elo


@dataclass(frozen=True)
class Day:
    """A day of a season."""

    number: int
    truth: np.ndarray
    """The Elo of everybody."""
    there: list[int]
    """Who plays."""
    renewed: list[int]
    """Whose bots are other ones than the day before."""
    games: list[list[int]]
    """Who sits where, in each game."""
    ranks: list[list[int]]


@dataclass(frozen=True)
class Season:
    """Some months of a club or of a course's ladder."""

    name: str
    players: int
    days: int
    seats: int = 2
    deviation: float = 300.0
    """Of the players' Elo."""
    presence: float = 0.3
    """The share of the days on which somebody plays, in spells."""
    games: float = 3.0
    """For each player on such a day."""
    drift: float = 4.0
    """The deviation of what a strength changes by in a day."""
    lesson: float = 150.0
    """What somebody gains in the first days, half of it in the first ten days of presence."""
    version: float = 0.0
    """The chance on a day that somebody hands in another bot, which is 40 ± 120 better."""
    is_near: bool = True
    """Whether players look for others of about their own rating."""

    def play(self, seed: int) -> Iterator[Day]:
        """What happens day by day."""
        chance = np.random.default_rng(seed)
        truth = chance.normal(0, self.deviation, self.players)
        comes = chance.uniform(0, 0.7 * self.days, self.players).astype(int)
        is_here, seen = chance.uniform(size=self.players) < self.presence, np.zeros(self.players)
        for day in range(self.days):
            changes = chance.uniform(size=self.players) < 0.15    # spells of a week
            is_here = np.where(changes, chance.uniform(size=self.players) < self.presence, is_here)
            there = np.flatnonzero(is_here & (comes <= day))
            truth += chance.normal(0, self.drift, self.players) * (comes <= day)
            truth[there] += self.lesson * (0.5 ** (seen[there] / 10) - 0.5 ** ((seen[there] + 1) / 10))
            seen[there] += 1
            renewed = there[chance.uniform(size=len(there)) < self.version]
            truth[renewed] += chance.normal(40, 120, len(renewed))
            games, ranks = [], []
            for _ in range(int(len(there) * self.games / self.seats) if len(there) >= self.seats else 0):
                seated = self._meet(truth, there, chance)
                luck = chance.gumbel(size=self.seats)
                achieved = truth[seated] / glicko.SCALE + luck
                place = 1 + np.argsort(np.argsort(-achieved))
                games.append([int(player) for player in seated])
                ranks.append([1] * self.seats if chance.uniform() < 0.03 else [int(rank) for rank in place])
            yield Day(day, truth, there.tolist(), renewed.tolist(), games, ranks)

    def _meet(self, truth: np.ndarray, there: np.ndarray, chance: np.random.Generator) -> np.ndarray:
        """Who plays next: somebody, and others who are about as strong."""
        first = chance.choice(there)
        others = there[there != first]
        gaps = np.abs(truth[others] - truth[first]) / 300 * self.is_near
        weights = np.exp(-gaps)
        found = chance.choice(others, self.seats - 1, replace=False, p=weights / weights.sum())
        return chance.permutation(np.array([first, *found]))


SEASONS = (
    Season("a club", 120, 240),
    Season("a club whose people seldom come", 200, 360, presence=0.08, games=2.0, drift=6.0),
    Season("an evening a week against anybody", 40, 200, presence=0.15, games=4.0, is_near=False),
    Season("a course's ladder", 60, 60, presence=0.9, games=8.0, drift=0.0, lesson=0.0, version=0.1),
    Season("a club of four seats", 80, 240, seats=4),
)


@dataclass
class Score:
    """How good a system is."""

    losses: list[float] = field(default_factory=list)
    new_losses: list[float] = field(default_factory=list)
    misses: list[float] = field(default_factory=list)
    held: list[bool] = field(default_factory=list)
    new_held: list[bool] = field(default_factory=list)

    def __str__(self) -> str:
        return (f"{fmean(self.new_losses):.4f} | {fmean(self.losses):.4f} | {fmean(self.misses):.0f} | "
                f"{fmean(self.new_held):.1%} | {fmean(self.held):.1%}")


def systems(seats: int) -> dict[str, System]:
    """The systems that are compared, new."""
    tau = 25 / 300    # openskill's own
    return {
        "Glicko-2, periods of ½ day": Glicko(0.5),
        "Glicko-2, periods of ½ day, with versions": Glicko(0.5, has_versions=True),
        "Glicko-2, periods of 1 day": Glicko(1.0),
        "Glicko-2, periods of 4 days": Glicko(4.0),
        "openskill": OpenSkill(seats, tau),
        "openskill, tau × 4": OpenSkill(seats, 4 * tau),
        "openskill, sigma growing with time": OpenSkill(seats, tau, growth=0.2),
        "openskill, tau × 4, growing": OpenSkill(seats, 4 * tau, growth=0.2),
    }


def measure(season: Season, seed: int, scores: defaultdict[str, Score]) -> None:
    """Plays a season and adds what every system makes of it to its score."""
    compared, had = systems(season.seats), Counter[int]()
    for day in season.play(seed):
        for system in compared.values():
            for player in day.renewed:
                system.renew(player, day.number)
        for number, (seated, ranks) in enumerate(zip(day.games, day.ranks, strict=True)):
            now = day.number + number / len(day.games)
            for name, system in compared.items():
                note_expectations(scores[name], system, list(zip(seated, ranks, strict=True)), now, had)
                system.learn(seated, ranks, now)
            had.update(seated)
        rated = [player for player in day.there if had[player]]
        for name, system in compared.items() if len(rated) > 4 else ():
            note_errors(scores[name], system, day, rated, had)


def note_expectations(score: Score, system: System, results: list[tuple[int, int]], now: float,
                      had: Counter[int]) -> None:
    """Notes how surprised a system is by who ended ahead of whom."""
    for (one, rank), (other, place) in combinations(results, 2):
        if rank == place:
            continue
        chance = system.expect(one, other, now)
        loss = -math.log(max(chance if rank < place else 1 - chance, 1e-9))
        score.losses.append(loss)
        if min(had[one], had[other]) < FEW:
            score.new_losses.append(loss)


def note_errors(score: Score, system: System, day: Day, rated: list[int], had: Counter[int]) -> None:
    """Notes how far ratings are from the truth at the end of a day, and whether their errors said so."""
    beliefs = [system.belief(player, day.number + 1) for player in rated]
    middle = fmean(rating - day.truth[player] for player, (rating, _) in zip(rated, beliefs, strict=True))
    for player, (rating, deviation) in zip(rated, beliefs, strict=True):
        miss = abs(rating - middle - day.truth[player])
        has_held = bool(miss <= SPREAD * deviation)
        score.misses.append(miss)
        score.held.append(has_held)
        if had[player] < FEW:
            score.new_held.append(has_held)


def main() -> None:
    """Prints a table for each kind of season."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seasons", type=int, default=8, help="number of seasons of every kind")
    arguments = parser.parse_args()
    began = time.monotonic()
    for season in SEASONS:
        scores: defaultdict[str, Score] = defaultdict(Score)
        for seed in range(arguments.seasons):
            measure(season, seed, scores)
        print(f"\n{season.name}: {season}\n\n| system | loss, new | loss | error | held, new | held |")
        print("| --- | --- | --- | --- | --- | --- |")
        for name, score in scores.items():
            print(f"| {name} | {score} |", flush=True)
    print(f"\n{time.monotonic() - began:.0f} s")


if __name__ == "__main__":
    main()
