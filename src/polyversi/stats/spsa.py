"""SPSA: tuning numbers with noisy trials, by small random changes to all of them at once.

This is Spall's simultaneous perturbation stochastic approximation, with the gains common for chess engines.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from statistics import fmean

import msgspec

from polyversi.games.seeds import derive_seed
from polyversi.players.weights import Weight

ALPHA, GAMMA = 0.602, 0.101
"""Spall's exponents: how fast the moves and the tried changes shrink from round to round."""
HELD_BACK = 0.1
"""A share of the rounds that dampens the first moves, which would otherwise be the largest."""

Values = Mapping[str, float]
PlayRound = Callable[[int, Values, Values], float]
"""Plays two sets of weights against each other in a round: 1 if the first wins all, -1 if it loses all."""


class Round(msgspec.Struct, frozen=True, tag_field="polyversi", tag="round", forbid_unknown_fields=True):
    """A round that has been played."""

    number: int
    """From 1."""
    score: float
    """The score of the first side, from -1 to 1."""
    weights: dict[str, float]
    """The weights after the round."""


def spsa(
    known: Mapping[str, Weight],
    start: Values,
    play: PlayRound,
    rounds: int,
    *,
    rate: float,
    seed: int = 0,
    earlier: Sequence[Round] = (),
) -> Iterator[Round]:
    """Moves the weights in every round towards the side that won it.

    One side has each weight a little larger or smaller, at random, and the other side has the opposite. In
    the last round the change is the weight's step, and a side that wins all games moves the weights by `rate`
    steps; earlier rounds try larger changes and move further. A run can go on after `earlier` rounds.

    >>> known = {"x": Weight(value=0.0, low=-9.0, high=9.0, step=0.5)}
    >>> def hill(number, one, other):    # the top is at 3
    ...     return 0.1 * ((other["x"] - 3) ** 2 - (one["x"] - 3) ** 2)
    >>> *_, last = spsa(known, {"x": 0.0}, hill, 200, rate=0.5)
    >>> round(last.weights["x"], 2)
    3.0
    """
    weights = dict(earlier[-1].weights if earlier else start)
    for number in range(len(earlier) + 1, rounds + 1):
        chance = random.Random(derive_seed(seed, "signs", number))
        signs = {name: chance.choice((-1, 1)) for name in sorted(known)}
        tried = (rounds / number) ** GAMMA
        moved = rate * ((1 + HELD_BACK) / (HELD_BACK + number / rounds)) ** ALPHA / tried
        sides = [_shifted(known, weights, signs, steps) for steps in (tried, -tried)]
        score = play(number, *sides)
        weights = _shifted(known, weights, signs, moved * score)
        yield Round(number, score, weights)


def _shifted(
    known: Mapping[str, Weight], weights: Values, signs: Mapping[str, int], steps: float
) -> dict[str, float]:
    """The weights, moved by a number of steps in the direction of their signs."""
    return {
        name: weight.within(weights[name] + steps * signs[name] * weight.step)
        for name, weight in known.items()
    }


def averaged(rounds: Sequence[Round]) -> dict[str, float]:
    """The mean weights of the last half of the rounds, in which luck evens out.

    >>> averaged([Round(1, 0.5, {"x": 9.0}), Round(2, 0.5, {"x": 1.0}), Round(3, -0.5, {"x": 2.0})])
    {'x': 1.5}
    """
    last = rounds[len(rounds) // 2 :]
    return {name: fmean(done.weights[name] for done in last) for name in last[0].weights}
