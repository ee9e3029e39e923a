"""Move generation for eight seats on the largest map of Reversi XT, in the middle of a game."""

from __future__ import annotations

import random

import polyversi as pv
from benchmarks.harness import Benchmark, Contender, Goal
from polyversi.games.board import SQUARE_DIRECTIONS
from polyversi.games.xt import xt_game
from polyversi.games.xtmap import Transition, XtMap

SIDE = 50
SEATS = 8
PLIES = 1_000


def joints() -> tuple[Transition, ...]:
    """Joins every edge, and every diagonal, to the opposite one, so that all lines become circles."""
    found = {}
    for x in range(SIDE):
        for y in range(SIDE):
            for direction, (dx, dy) in enumerate(SQUARE_DIRECTIONS):
                to_x, to_y, back = (x + dx) % SIDE, (y + dy) % SIDE, (direction + 4) % 8
                if (x + dx, y + dy) != (to_x, to_y) and (to_x, to_y, back) not in found:
                    found[x, y, direction] = Transition(x, y, direction, to_x, to_y, back)
    return tuple(found.values())


def midgame(transitions: tuple[Transition, ...]) -> pv.State:
    """A position with many stones: patches of eight seats all over the map, then random moves."""
    tiles = "".join(
        str((x + 3 * y) % SEATS + 1) if x % 6 in (2, 3) and y % 6 in (2, 3) else "0"
        for y in range(SIDE)
        for x in range(SIDE)
    )
    chart = XtMap(SEATS, 3, 2, 2, SIDE, SIDE, tiles, transitions)
    state, coin = xt_game(chart, "xt:benchmark", "most").start(), random.Random(1)
    for _ in range(PLIES):
        state = state.play(coin.choice(state.moves))
    return state


def every_turn(state: pv.State) -> list[pv.State]:
    """The same position for each seat to move."""
    tiles, _, rest = state.text.split(" ", 2)
    return [state.game.position(f"{tiles} {seat} {rest}") for seat in range(1, SEATS + 1)]


def contenders() -> list[Contender]:
    plain, torus = midgame(()), midgame(joints())
    turns = every_turn(plain)
    return [
        Contender("one sweep, state.perft(1)", lambda: plain.perft(1)),
        Contender("one sweep on a torus", lambda: torus.perft(1)),
        Contender("one list, state.moves", lambda: plain.moves),
        Contender("eight lists, one for each seat", lambda: [state.moves for state in turns]),
    ]


BENCHMARKS = (
    Benchmark(
        "xt",
        f"Legal moves of all {SEATS} seats on a {SIDE}×{SIDE} map of Reversi XT after {PLIES:,} moves",
        "position",
        contenders,
        goals=(Goal(200e-6),),
        timed=True,
    ),
)
