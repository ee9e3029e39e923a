"""Flips and mobility by each kernel of the core: the time to make a move and find the replies."""

from __future__ import annotations

import functools

import polyversi as pv
from benchmarks.harness import Benchmark, Contender
from polyversi import _core


def bits(state: pv.State, cells: list[int]) -> tuple[int, int]:
    """The stones of the seat to move and of the other one, as the kernels take them."""
    own = other = 0
    for tile, bit in zip(state.tiles, cells, strict=True):
        own |= (tile == state.turn) << bit
        other |= (tile not in (0, state.turn)) << bit
    return own, other


def contenders(spec: str, depth: int) -> list[Contender]:
    """One row for each kernel, the newest processors' first."""
    game = pv.game(spec)
    start = game.start()
    own, other = bits(start, _core.cell_bits(game))
    # The last ply is counted from the mobility of the ply before and costs nothing extra.
    made = sum(start.perft(ply) for ply in range(1, depth))
    return [
        Contender(kernel, functools.partial(_core.kernel_perft, game, kernel, own, other, depth), made)
        for kernel in reversed(_core.kernels(game))
    ]


def benchmark(name: str, spec: str, depth: int) -> Benchmark:
    return Benchmark(
        name,
        f"Making a move and finding the replies, by each kernel ({spec})",
        "move",
        lambda: contenders(spec, depth),
        timed=True,
    )


BENCHMARKS = (benchmark("kernels", "othello", 9), benchmark("kernels-hexagon", "anti-hex", 6))
