"""`polyversi bench`: the speed of the search, and a node count as its signature."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from polyversi.cli.views.terminal import new_console
from polyversi.engines import Engine
from polyversi.games.game import Game
from polyversi.games.limit import Limit
from polyversi.games.state import State
from polyversi.games.variants import game

MEGABYTES = 16


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


def bench() -> None:
    """Measure the speed of the search, and count its nodes as a signature.

    One thread searches each position to a fixed depth. The signature is the sum of all nodes. A change that
    only makes the search faster does not change it; any other change does, also one of the weights.

    Examples:
      polyversi bench
    """
    console = new_console()
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
