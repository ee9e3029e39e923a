"""Fits the weights of `xt` for many seats to the ends of its own games: `python -m tests.soak.xt_fit`."""

from __future__ import annotations

import argparse
import random
import time
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from statistics import fmean

import msgspec
import numpy as np
from numpy.typing import NDArray

import polyversi as pv
from polyversi import _core
from polyversi.players.weights import save_weights
from polyversi.players.xt import XtPlayer

FITTED = [name for name in XtPlayer.WEIGHTS if name != "lead"]
"""The lead is no estimate of points: it tells moves apart where the points are decided."""
RANDOM_MOVES = 0.03
"""The part of moves that are random, so that not all who stand well have played well."""
SAMPLED, MAX_SAMPLED = 0.08, 20
"""The part of the positions that are kept, and the most of a game."""

Numbers = NDArray[np.float64]


class Played(msgspec.Struct):
    """A finished game: some positions of its building phase, and the points of every seat."""

    map: str
    points: list[float]
    positions: list[str]


def play(path: str, nodes: int, chance: random.Random) -> Played:
    """A game of `xt` against itself from a random opening."""
    game = pv.game(f"xt:{path}")
    player, state, limit = pv.player("xt"), game.start(), pv.Limit(nodes=nodes)
    positions, ply, opening = list[str](), 0, chance.randrange(4 * game.seats)
    while not state.is_over:
        building = state.phase == "build"
        at_random = building and (ply < opening or chance.random() < RANDOM_MOVES)
        if building and ply >= opening and chance.random() < SAMPLED:
            positions.append(state.text)
        state = state.play(chance.choice(state.moves) if at_random else player.choose(state, limit))
        ply += 1
    assert state.result is not None
    chance.shuffle(positions)
    return Played(path, list(state.result.points), positions[:MAX_SAMPLED])


class Positions:
    """The positions of all games on one map, and the points that every seat got in the end."""

    def __init__(self, games: Sequence[Played]) -> None:
        game = pv.game(f"xt:{games[0].map}")
        self.sample = _core.XtSample(game.start())
        points = list[float]()
        for one in games:
            for text in one.positions:
                self.sample.add(game.position(text))
                points += one.points
        self.points = np.array(points)
        self.share = np.full(len(points), game.seats ** -0.5)
        """Every position counts the same, with any number of seats."""


class Data:
    """Positions on many maps."""

    def __init__(self, maps: Sequence[Positions]) -> None:
        self.maps = maps
        self.points = np.concatenate([one.points for one in maps])
        self.share = np.concatenate([one.share for one in maps])

    def errors(self, weights: dict[str, float]) -> Numbers:
        """How far the points are from the evaluation, for every seat of every position."""
        numbers = [weights[name] for name in _core.XT_WEIGHTS]
        values = np.concatenate([np.array(one.sample.values(numbers)) for one in self.maps])
        return np.asarray((self.points - values) * self.share)

    def mean_square(self, weights: dict[str, float]) -> float:
        return float(np.sum(self.errors(weights) ** 2) / np.sum(self.share**2))


def fit(data: Data, start: dict[str, float], rounds: int, ridge: float) -> dict[str, float]:
    """The weights with the least mean square error (Levenberg-Marquardt).

    The ridge holds every weight to its start: moved by one step it costs so many points squared.
    """
    known = XtPlayer.WEIGHTS
    steps = np.array([known[name].step for name in FITTED])

    def moved(weights: dict[str, float], by: Numbers) -> dict[str, float]:
        changes = zip(FITTED, by * steps, strict=True)
        return weights | {name: known[name].within(weights[name] + change) for name, change in changes}

    weights, damping = start, 0.01
    errors = data.errors(weights)
    for _ in range(rounds):
        slopes = np.empty((len(errors), len(FITTED)))
        for column, one in enumerate(np.eye(len(FITTED))):
            side = 0.25 if moved(weights, one / 4) != weights else -0.25    # at its upper bound
            slopes[:, column] = (errors - data.errors(moved(weights, side * one))) / side
        normal, downhill = slopes.T @ slopes, slopes.T @ errors
        away = (np.array([weights[name] - start[name] for name in FITTED])) / steps
        for _ in range(6):
            damped = normal + np.diag(damping * np.diag(normal) + ridge)
            tried = moved(weights, np.linalg.solve(damped, downhill - ridge * away))
            after = data.errors(tried)
            if better := bool(after @ after < errors @ errors):
                break
            damping *= 4
        if not better:
            break
        weights, errors, damping = tried, after, max(damping / 3, 1e-4)
    return weights


def crossed(maps: Sequence[Positions], start: dict[str, float], rounds: int, ridge: float) -> float:
    """The mean square error on maps that the weights were not fitted to, a third of all maps at a time."""
    found = []
    for fold in range(3):
        weights = fit(Data([one for i, one in enumerate(maps) if i % 3 != fold]), start, rounds, ridge)
        found.append(Data(maps[fold::3]).mean_square(weights))
    return fmean(found)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", type=Path, help="a file of games: they are added to it, and fitted to")
    parser.add_argument("--maps", type=Path, help="play first; the file has the path of a map in every line")
    parser.add_argument("--seconds", type=float, default=600, help="how long to play")
    parser.add_argument("--nodes", type=int, default=600, help="of every move")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--rounds", type=int, default=12)
    parser.add_argument("--ridge", type=float, default=10)
    parser.add_argument("--out", type=Path, help="the file for the weights")
    chosen = parser.parse_args()
    chance, until = random.Random(chosen.seed), time.monotonic() + chosen.seconds
    maps = chosen.maps.read_text().splitlines() if chosen.maps else []
    with chosen.games.open("ab") as file:
        while maps and time.monotonic() < until:
            file.write(msgspec.json.encode(play(chance.choice(maps), chosen.nodes, chance)) + b"\n")
            file.flush()
    if not chosen.out:
        return
    by_map = defaultdict[str, list[Played]](list)
    for line in chosen.games.read_bytes().splitlines():
        one = msgspec.json.decode(line, type=Played)
        if one.positions and len(set(one.points)) > 1:    # not all stones bombed
            by_map[one.map].append(one)
    positions = [Positions(games) for games in by_map.values()]
    chance.shuffle(positions)
    defaults = {name: weight.value for name, weight in XtPlayer.weights_for(many=True).items()}
    data, start = Data(positions), defaults | {"lead": 0.0}
    print(f"{sum(map(len, by_map.values()))} games on {len(positions)} maps, {len(data.points)} values")
    print(f"mean square error before: {data.mean_square(start):.3f}")
    print(f"on other maps after: {crossed(positions, start, chosen.rounds, chosen.ridge):.3f}")
    weights = fit(data, start, chosen.rounds, chosen.ridge)
    print(f"on the same maps after: {data.mean_square(weights):.3f}")
    save_weights(chosen.out, weights | {"lead": defaults["lead"]})


if __name__ == "__main__":
    main()
