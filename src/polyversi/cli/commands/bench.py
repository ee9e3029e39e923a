"""`polyversi bench`: the speed of the search with a node count as its signature, and its accuracy."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Annotated

import typer
from rich.console import Console

from polyversi.cli.engine_options import WeightsFile
from polyversi.cli.views.terminal import new_console
from polyversi.engines import Engine
from polyversi.engines.accuracy import SHIPPED_POSITIONS, measure
from polyversi.games.errors import RecordError
from polyversi.games.game import Game
from polyversi.games.limit import Limit
from polyversi.games.state import State
from polyversi.games.variants import game
from polyversi.records import positions as solved_positions

MEGABYTES = 16
ACCURACY_DEPTHS = (10, 15, 20)


@dataclass(frozen=True)
class Task:
    """Positions of one game that are all searched equally deep."""

    spec: str
    positions: int
    empties: int
    """Cells that are empty in each of them."""
    depth: int
    """In plies; as many as empty cells is to the end of the game."""


TASKS = (
    Task("othello", 4, 40, 16),
    Task("othello", 2, 18, 18),
    Task("othello-6", 2, 23, 23),
    Task("othello-7", 1, 30, 12),
    Task("anti", 3, 40, 13),
    Task("anti", 2, 16, 16),
    Task("octagon", 2, 30, 13),
    Task("reversi", 1, 40, 14),
    Task("hex", 3, 40, 13),
    Task("hex", 1, 16, 16),
)
"""What is searched: games with and without weights, for the most and for the fewest stones, with
forced and with free passes; middle games and endings."""


def bench(
    accuracy: Annotated[bool, typer.Option(
        "--accuracy", help="Measure how near searches come to exact values instead.")] = False,
    positions: Annotated[Path | None, typer.Option(
        metavar="FILE", help="Solved positions for --accuracy, a problem file with all best moves; default: "
                             "those of Othello that come with the package.")] = None,
    weights: WeightsFile = None,
) -> None:
    """Measure the speed of the search, and count its nodes as a signature; or measure its accuracy.

    One thread searches each position to a fixed depth. The signature is the sum of all nodes. A change that
    only makes the search faster does not change it; any other change does, also one of the weights.

    With --accuracy, solved positions are searched to depths of 10, 15 and 20 plies. For each depth it shows
    how often the move is one of the best, how often the value is at most three stones wrong, how far values
    are from the exact ones in the mean, with and without their sign, and the mean number of nodes.

    Examples:
      polyversi bench
      polyversi bench --accuracy
      polyversi bench --accuracy --weights new.weights
    """
    console = new_console()
    if accuracy:
        _print_accuracy(console, positions or SHIPPED_POSITIONS, weights)
        return
    if positions is not None or weights is not None:
        raise typer.BadParameter("--positions and --weights go with --accuracy")
    console.print(f"{'variant':<10}{'positions':>11}{'empty':>7}{'depth':>7}{'nodes':>15}{'seconds':>9}{'nodes/s':>14}")
    signature = 0
    for task in TASKS:
        with console.status(task.spec):
            nodes, seconds = searched(task, game(task.spec))
        signature += nodes
        console.print(
            f"{task.spec:<10}{task.positions:>11}{task.empties:>7}{task.depth:>7}{nodes:>15,}"
            f"{seconds:>9.3f}{nodes / max(seconds, 1e-9):>14,.0f}")
    console.print(f"signature {signature}")


def _print_accuracy(console: Console, path: Path, weights: Path | None) -> None:
    """Prints a row for each depth."""
    solved = list(solved_positions(path))
    unsolved = next((number for number, one in enumerate(solved, 1) if one.expected is None), None)
    if not solved or unsolved is not None:
        why = f"number {unsolved} has no value" if solved else "there are none"
        raise RecordError(f"{path} needs solved positions: {why}")
    console.print(f"{len(solved)} positions")
    console.print(f"{'depth':>5}{'best move':>11}{'within 3':>10}{'error':>8}{'bias':>8}{'nodes':>13}")
    for depth in ACCURACY_DEPTHS:
        with console.status(f"depth {depth}"):
            found = measure(solved, depth, weights)
        console.print(
            f"{depth:>5}{found.best:>11.1%}{found.near:>10.1%}{found.error:>8.2f}{found.bias:>+8.2f}"
            f"{found.nodes:>13,.0f}")


def searched(task: Task, game: Game) -> tuple[int, float]:
    """The nodes and the seconds that a task takes.

    >>> from polyversi.games.variants import game
    >>> task = Task("othello-6", 2, 20, 4)
    >>> searched(task, game(task.spec))[0] == searched(task, game(task.spec))[0] > 0
    True
    """
    engine = Engine(game, megabytes=MEGABYTES)
    results = [engine.think(state, Limit(depth=task.depth)) for state in positions(task, game)]
    return sum(result.nodes for result in results), sum(result.seconds for result in results)


def positions(task: Task, game: Game) -> Iterator[State]:
    """The positions of a task: random games, the same on every machine."""
    for number in range(task.positions):
        random = Random(1000 * task.empties + number)
        state = _played(task, game, random)
        while state.is_over or len(state.moves) < 2:    # nothing to search
            state = _played(task, game, random)
        yield state


def _played(task: Task, game: Game, random: Random) -> State:
    """A random game with so many empty cells left, or where it ended before."""
    state = game.start(int(random.random() * 1_000_000))
    while not state.is_over and state.tiles.count(0) > task.empties:
        stones = [move for move in state.moves if not move.is_pass] or state.moves
        # Of all that Random offers, only random() is promised to stay the same in later versions of Python.
        state = state.play(stones[int(random.random() * len(stones))])
    return state
