"""The search of the Reversi XT player: nodes per second, compared with perft, which evaluates nothing."""

from __future__ import annotations

import functools
import random

import polyversi as pv
from benchmarks.harness import Benchmark, Contender
from polyversi.engines.xt import DEEPEST, WEIGHTS_OF_TWO, new_search
from polyversi.players.xt import TABLE_BITS

SECONDS = 2.0
"""Wall-clock seconds of the search whose depth is reported."""
NODES = 100_000
"""Nodes of the search whose speed is measured."""


def midgame(spec: str) -> pv.State:
    """A position after random moves, with more than a third of the map occupied."""
    state, coin = pv.game(spec).start(), random.Random(1)
    for _ in range(state.board.size // 3):
        state = state.play(coin.choice(state.moves))
    return state


def think(state: pv.State, seconds: float | None = None, nodes: int | None = None) -> tuple[int, int]:
    """The nodes and the depth of a new search."""
    engine = new_search(state, TABLE_BITS, WEIGHTS_OF_TWO)
    return engine.think(state, DEEPEST, seconds, None, nodes)[2:]


def contenders(spec: str) -> list[Contender]:
    state = midgame(spec)
    looked_at, depth = think(state, seconds=SECONDS)
    nodes, _ = think(state, nodes=NODES)
    # The last ply of perft is counted from the moves of the ply before and costs nothing extra.
    plies = 3 if state.perft(2) < NODES else 2
    walked = sum(state.perft(ply) for ply in range(1, plies))
    return [
        Contender(f"search; in {SECONDS:g} s {looked_at:,} nodes, {depth} plies",
                  functools.partial(think, state, nodes=NODES), nodes),
        Contender(f"state.perft({plies}), nothing evaluated", functools.partial(state.perft, plies), walked),
    ]


def benchmark(name: str, spec: str) -> Benchmark:
    return Benchmark(
        name,
        f"Positions and their moves in the middle of a game of Reversi XT ({spec})",
        "nodes",
        lambda: contenders(spec),
    )


BENCHMARKS = (
    benchmark("xt-search", "xt:arena,players=2"),
    benchmark("xt-search-starfish", "xt:starfish"),
    benchmark("xt-search-compressed-square", "xt:compressedSquare"),
)
