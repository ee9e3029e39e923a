"""`polyversi perft`: counts the leaves of a game tree, depth by depth."""

from __future__ import annotations

import time
from typing import Annotated

import typer

from polyversi.cli.options import Variant
from polyversi.cli.views.terminal import new_console
from polyversi.games.variants import game


def perft(
    depth: Annotated[int, typer.Argument(min=0, max=1000, help="How many plies deep.")],
    variant: Variant = "othello",
    position: Annotated[str | None, typer.Option(
        help="Count from this position, written as by `state.text`, instead of the start.")] = None,
) -> None:
    """Count the leaves of the game tree at each depth.

    A forced pass is a ply, and a finished game counts as one leaf at any remaining depth.

    Examples:
      polyversi perft 11
      polyversi perft 6 --variant hex:side=4
      polyversi perft 8 --variant othello-4 --position "-----OX--XO----- X"
    """
    chosen = game(variant)
    state = chosen.position(position) if position is not None else chosen.start()
    console = new_console()
    console.print(f"{'depth':>5}  {'leaves':>22}  {'seconds':>9}  {'per second':>16}")
    for plies in range(1, depth + 1):
        with console.status(f"depth {plies}"):
            begin = time.perf_counter()
            leaves = state.perft(plies)
            seconds = time.perf_counter() - begin
        speed = leaves / max(seconds, 1e-9)
        console.print(f"{plies:>5}  {leaves:>22,}  {seconds:>9.3f}  {speed:>16,.0f}")
