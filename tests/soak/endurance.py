"""Whole games of players against random: `python -m tests.soak.endurance 200 t77 value hex xt:torus`."""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence

import polyversi as pv
from polyversi.gameplay.referee import Finished
from polyversi.players import PLAYERS, options_of
from tests.testing.specs import SPECS


def new(name: str, seed: int) -> pv.Player:
    """A player, with a seed if it has that option."""
    seeded = any(option.name == "seed" for option in options_of(PLAYERS[name]))
    return pv.player(name, seed=seed) if seeded else pv.player(name)


def against_random(name: str, spec: str, number: int, limit: pv.Limit | None = None) -> Finished:
    """A game in which one seat is the player's, another one in the next game, and all others are random."""
    game = pv.game(spec)
    players = [pv.player("random", seed=1000 * number + seat) for seat in range(game.seats)]
    players[number % game.seats] = new(name, number)
    return pv.play(game.start(number), players, limit or pv.Limit())


def faults(finished: Finished) -> list[str]:
    """What went wrong in a game; nothing may go wrong."""
    ended_well = finished.verdict.kind in ("win", "draw")
    return [str(verdict) for verdict in ([] if ended_well else [finished.verdict]) + [*finished.offences]]


def report(names: Sequence[str], specs: Sequence[str], games: int) -> None:
    """Points, faults and seconds of each player in each game."""
    print(f"{games} games each against random; points of the player\n")
    for name in names:
        for spec in specs:
            if reason := pv.player(name).unsuited(pv.game(spec)):
                print(f"{name:12} {spec:36} unsuited: {reason}", flush=True)
                continue
            begin, points, wrong = time.perf_counter(), 0.0, []
            for number in range(games):
                finished = against_random(name, spec, number)
                points += finished.result.points[number % pv.game(spec).seats]
                wrong += faults(finished)
            seconds = time.perf_counter() - begin
            print(f"{name:12} {spec:36} {points:7.1f} points, {len(wrong)} faults {wrong[:1] or ''} "
                  f"({seconds:.1f} s)", flush=True)


if __name__ == "__main__":
    words = sys.argv[2:]
    report([word for word in words if word in PLAYERS] or list(PLAYERS),
           [word for word in words if word not in PLAYERS] or SPECS,
           int(sys.argv[1]) if len(sys.argv) > 1 else 200)
