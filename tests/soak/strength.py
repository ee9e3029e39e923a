"""Games between the searching players: `python -m tests.soak.strength` prints how strong they are."""

from __future__ import annotations

import random
import sys
from collections.abc import Iterable

import polyversi as pv

RANDOM_PLIES = 6
"""Random plies at the start of each game, so that deterministic players do not repeat the same game."""

PAIRS = (
    *((spec, f"six-factor:level={level}", f"six-factor:level={level - 1}")
      for spec in ("othello", "othello-6") for level in (2, 3, 4)),
    *((spec, f"six-factor:level={level}", f"stock:level={level}")
      for spec in ("othello", "othello-6") for level in (1, 2, 3, 4)),
    *((spec, name, "random") for spec in ("othello", "othello-6") for name in ("six-factor", "stock")),
    ("anti", "matrix", "random"),
    ("anti", "matrix:gamma=0.7", "matrix:gamma=0.5"),
    ("anti", "matrix:gamma=0.7", "matrix:gamma=0.9"),
    ("anti", "matrix:matrix=adjusted", "matrix:matrix=original"),
)


def opening(spec: str, seed: int) -> pv.State:
    """The position after a few random moves."""
    rng, state = random.Random(seed), pv.game(spec).start()
    for _ in range(RANDOM_PLIES):
        state = state.play(rng.choice(state.moves))
    return state


def duel(spec: str, first: pv.Player, second: pv.Player, games: int, seed: int = 0) -> tuple[int, int, int]:
    """Games that the first player won, drew and lost; each opening is played with both seatings."""
    points = []
    for number in range(games):
        state, seat = opening(spec, seed + number // 2), 1 + number % 2
        while not state.is_over:
            state = state.play((first if state.turn == seat else second).choose(state))
        result = state.result
        assert result is not None
        points.append(result.points[seat - 1])
    return points.count(1.0), points.count(0.5), points.count(0.0)


def points_against_random(spec: str, name: str, games: int) -> float:
    """A player's score in whole games run by the referee, half on each seat; every game must be valid."""
    points = 0.0
    for seed in range(games):
        seat = seed % 2
        players = [pv.player(name), pv.player("random", seed=seed)]
        finished = pv.play(pv.game(spec).start(), players if seat == 0 else players[::-1])
        assert finished.verdict.kind in ("win", "draw"), finished.verdict
        points += finished.result.points[seat]
    return points


def report(pairs: Iterable[tuple[str, str, str]], games: int) -> None:
    print(f"{games} games per pair, {RANDOM_PLIES} random plies, each opening with both seatings\n")
    print(f"{'game':10} {'player':24} {'against':24} {'won':>5} {'drawn':>5} {'lost':>5}")
    for spec, first, second in pairs:
        won, drawn, lost = duel(spec, pv.player(first), pv.player(second), games)
        print(f"{spec:10} {first:24} {second:24} {won:5} {drawn:5} {lost:5}", flush=True)


if __name__ == "__main__":
    report(PAIRS, int(sys.argv[1]) if len(sys.argv) > 1 else 400)
